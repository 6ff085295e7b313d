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
	sock=$dir/redis.sock
	redis-server --port 0 --unixsocket "$sock" --dir "$dir" --appendonly yes --logfile "$dir/redis.log" --daemonize no &
	pids+=($!)
	for _ in $(seq 200); do [ "$(redis-cli -s "$sock" ping 2>/dev/null)" = PONG ] && break; read -rt 0.05 <> <(:) || true; done
	url=unix://$sock
	;;
*) echo "STORE=$store: want bolt, memory or redis" >&2; exit 2 ;;
esac
"$bin/autobattled" serve --listen 127.0.0.1:0 --http 127.0.0.1:0 --ports-file "$dir/ports" --store "$url" \
	--local-key "$dir/key" --log-file "$dir/log" --given-seed "$seed" &
pids+=($!)
"$bin/autobattle" --ports-file "$dir/ports" --key-file "$dir/key" wait
"$bin/autobattle" --ports-file "$dir/ports" --key-file "$dir/key" demo --seed "$seed" --lang "$lang"
