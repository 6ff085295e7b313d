#!/usr/bin/env bash
# demo.sh BIN STORE SEED LANG: fights the demonstration duel on a server of its own (STORE: bolt, memory or redis), prints
# the log, stops everything it started.
set -euo pipefail
bin=$1 store=$2 seed=$3 lang=$4
dir=$(mktemp -d)
pids=()
cleanup() {
	for p in "${pids[@]}"; do kill -TERM "$p" 2>/dev/null || true; done
	for p in "${pids[@]}"; do wait "$p" 2>/dev/null || true; done
	rm -rf "$dir"
}
trap cleanup EXIT
case $store in
bolt) url=bolt:$dir/demo.db ;;
memory) url=memory: ;;
redis)
	for _ in $(seq 20); do # a free port, by trying
		port=$((20000 + RANDOM % 40000))
		redis-server --bind 127.0.0.1 --port "$port" --dir "$dir" --appendonly yes --maxmemory-policy noeviction --logfile "$dir/redis.log" --daemonize no &
		redis=$!
		until redis-cli -p "$port" ping >/dev/null 2>&1 || ! kill -0 "$redis" 2>/dev/null; do :; done
		kill -0 "$redis" 2>/dev/null && break
	done
	pids+=("$redis")
	url=redis://127.0.0.1:$port/0
	;;
*) echo "STORE=$store: want bolt, memory or redis" >&2; exit 2 ;;
esac
"$bin/autobattled" serve --listen 127.0.0.1:0 --http 127.0.0.1:0 --ports-file "$dir/ports" --store "$url" \
	--local-key "$dir/key" --log-file "$dir/log" --given-seed "$seed" &
pids+=($!)
"$bin/autobattle" --ports-file "$dir/ports" --key-file "$dir/key" wait
"$bin/autobattle" --ports-file "$dir/ports" --key-file "$dir/key" demo --seed "$seed" --lang "$lang"
