#!/bin/sh
# Generates the TypeScript of the schema into sdk/src/gen. It needs Go (for the schema's imports), and `npm ci` both here and
# in proto/; no schema registry.
#
#   clients/typescript/generate.sh          generate
#   clients/typescript/generate.sh check    fail unless what is there is what the schema gives
set -eu
cd "$(dirname "$0")/../.."
buf=proto/node_modules/.bin/buf
gen=clients/typescript/sdk/src/gen
[ -x "$buf" ] || npm ci --prefix proto --no-audit --no-fund --silent
proto/generate.sh deps
case "${1:-generate}" in
generate)
	rm -rf "$gen"
	"$buf" generate --template clients/typescript/buf.gen.yaml
	;;
check)
	new=$(mktemp -d)
	trap 'rm -rf "$new"' EXIT
	"$buf" generate --template clients/typescript/buf.gen.yaml --output "$new"
	diff -rq "$gen" "$new/$gen" || { echo "generate: run clients/typescript/generate.sh" >&2; exit 1; }
	;;
*)
	echo "usage: clients/typescript/generate.sh [generate|check]" >&2
	exit 2
	;;
esac
