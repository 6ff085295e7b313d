#!/usr/bin/env bash
# Installs the npm peers in a folder of their own and measures the voxel engine beside them: see main.go.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
root=$(cd ../../.. && pwd)
peers=${PEERS:-${TMPDIR:-/tmp}/autobattle-ray-peers}
mkdir -p "$peers"
[ -d "$peers/node_modules/prismarine-world" ] || npm install --prefix "$peers" --ignore-scripts --no-audit --no-fund --silent prismarine-world@3.7.0 fast-voxel-raycast@0.1.1 vec3@0.2.0
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
(cd "$root" && "${GO:-go}" build -o "$binary" ./clients/arenas/bench)
arena=$root/../shared/arenas/earthborn
[ -d "$arena" ] || arena=
cd "$peers"
"$binary" -peers "$here/peers.mjs" -arena "$arena" "$@"
