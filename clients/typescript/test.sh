#!/bin/sh
# Installs what the TypeScript clients need, builds them and the server, and runs their tests.
#
#   clients/typescript/test.sh              everything
#   clients/typescript/test.sh sdk plugin   the client and the plugin's core
#   clients/typescript/test.sh minecraft    real Minecraft clients against the real server
#
# It needs Go, Node and npm. AUTOBATTLED names a server that is built already.
set -eu
cd "$(dirname "$0")"
stamp=node_modules/.installed
if ! cmp -s package-lock.json "$stamp"; then
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cp package-lock.json "$stamp"
fi
if [ -z "${AUTOBATTLED:-}" ]; then
	AUTOBATTLED=$(cd ../.. && pwd)/bin/autobattled
	(cd ../.. && go build -trimpath -o bin/autobattled ./server/cmd/autobattled)
fi
export AUTOBATTLED
./generate.sh check
npx tsc --build
projects=
for p in "$@"; do projects="$projects --project $p"; done
# shellcheck disable=SC2086 # a list of words
exec npx vitest run $projects
