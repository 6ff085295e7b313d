#!/usr/bin/env bash
# run.sh BIN PORT HTTP SEED LANG: starts the server on its embedded store, fights the demonstration duel through its public
# API, prints the log, and leaves the server running until it is interrupted.
set -euo pipefail
bin=$1 port=$2 http=$3 seed=$4 lang=$5
mkdir -p data
"$bin/autobattled" serve --listen "127.0.0.1:$port" --http "127.0.0.1:$http" --store bolt:data/autobattle.db \
	--local-key data/local.key --log-file data/autobattled.log &
server=$!
trap 'kill -TERM $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT INT TERM
"$bin/autobattle" --addr "127.0.0.1:$port" --key-file data/local.key wait
"$bin/autobattle" --addr "127.0.0.1:$port" --key-file data/local.key demo --seed "$seed" --lang "$lang"
cat <<TXT

The server is running (pid $server). It answers until you press Ctrl-C.
  gRPC                        127.0.0.1:$port
  JSON, Connect and gRPC-Web  http://127.0.0.1:$http
  metrics, health             http://127.0.0.1:$http/metrics  http://127.0.0.1:$http/healthz
  key                         data/local.key
  log                         data/autobattled.log
Try:
  curl -s -H "Authorization: Bearer \$(cat data/local.key)" -H 'Content-Type: application/json' -d '{}' \\
    http://127.0.0.1:$http/autobattle.v1.BattleService/ListBattles
  $bin/autobattle --key-file data/local.key --help
TXT
wait $server
