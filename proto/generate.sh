#!/bin/sh
# Generates the Go of the schema, beside it. It needs Go, and buf from `npm ci --prefix proto`; nothing else, and no schema
# registry.
#
#   proto/generate.sh           generate
#   proto/generate.sh check     fail unless the schema is linted, formatted, compatible and generated
#   proto/generate.sh deps      only fetch what the schema imports
set -eu
cd "$(dirname "$0")/.."
buf=proto/node_modules/.bin/buf
if [ ! -x "$buf" ]; then
	echo "generate: $buf is missing: run npm ci --prefix proto" >&2
	exit 1
fi

# The schema imports buf/validate/validate.proto, which comes with a Go module.
from=$(go mod download -json github.com/bufbuild/protovalidate@v1.2.2 | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
mkdir -p proto/.deps/buf/validate
cmp -s "$from/proto/protovalidate/buf/validate/validate.proto" proto/.deps/buf/validate/validate.proto ||
	install -m 644 "$from/proto/protovalidate/buf/validate/validate.proto" proto/.deps/buf/validate/validate.proto

case "${1:-generate}" in
deps) ;;
generate)
	"$buf" generate
	;;
check)
	"$buf" lint
	"$buf" format --path proto/autobattle --diff --exit-code
	base=main
	if git rev-parse --verify --quiet origin/main >/dev/null; then
		base=origin/main
	fi
	if git cat-file -e "$base:proto/autobattle/v1/battle.proto" 2>/dev/null; then
		# The base has no copy of the imports: give it one.
		old=$(mktemp -d)
		trap 'rm -rf "$old"' EXIT
		git archive "$base" proto/autobattle buf.yaml | tar -x -C "$old"
		cp -r proto/.deps "$old/proto/.deps"
		"$buf" breaking --against "$old"
	else
		echo "generate: $base has no schema yet: nothing to be compatible with"
	fi
	new=$(mktemp -d)
	"$buf" generate --output "$new"
	bad=0
	for f in proto/autobattle/v1/*.pb.go; do
		cmp -s "$f" "$new/$f" || { echo "generate: $f is not what the schema gives: run proto/generate.sh" >&2; bad=1; }
	done
	rm -rf "$new"
	exit $bad
	;;
*)
	echo "usage: proto/generate.sh [generate|check|deps]" >&2
	exit 2
	;;
esac
