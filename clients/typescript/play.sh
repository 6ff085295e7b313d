#!/bin/sh
# Starts autobattled and a Minecraft server with the plugin, both on 127.0.0.1. Join with a client of game version 1.20.1 at
# 127.0.0.1, and type /ab start YOUR_NAME | npc:dummy. Ctrl+C stops both; the battle waits for the next time.
# AUTOBATTLED names a server that is built already.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p data/play
if [ -z "${AUTOBATTLED:-}" ]; then
	AUTOBATTLED=bin/autobattled
	go build -trimpath -o "$AUTOBATTLED" ./server/cmd/autobattled
fi
(
	cd clients/typescript
	[ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	npx tsc --build sdk plugin flying-squid
)
rm -f data/play/ports
"$AUTOBATTLED" serve --listen 127.0.0.1:7446 --http 127.0.0.1:7447 --store bolt:data/play/battles.db --local-key data/play/key --ports-file data/play/ports --log-level warn &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT INT TERM
until [ -f data/play/ports ]; do
	kill -0 $server 2>/dev/null || exit 1
	sleep 0.1
done
node clients/typescript/flying-squid/dist/main.js clients/typescript/flying-squid/play/config.yaml
