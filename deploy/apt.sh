#!/usr/bin/env bash
# Installs Debian packages, as root or through sudo.
set -euo pipefail
as=(); [ "$(id -u)" = 0 ] || as=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as[@]}" apt-get update -qq
"${as[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
