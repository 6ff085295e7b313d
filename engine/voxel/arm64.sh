#!/usr/bin/env bash
# Asks the 100 000 queries of the golden file on arm64, under Debian's qemu-user, and prints "identical 100000".
set -euo pipefail
cd "$(dirname "$0")"
command -v qemu-aarch64 >/dev/null || { echo "installing qemu-user from Debian" >&2; ../../deploy/apt.sh qemu-user; }
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
GOARCH=arm64 CGO_ENABLED=0 "${GO:-go}" test -c -o "$binary" .
qemu-aarch64 "$binary" -test.run '^TestGolden$'
