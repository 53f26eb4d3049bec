#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The driver nbd against a server whose latency is set.
. "$(dirname "$0")/../lib/tap.sh"
[ -e "$IOW_BUILD/plugins/nbd/nbd.so" ] || skip_all_anywhere 'built without libnbd'
require_cmd nbdkit
plan 6

nbdkit -U "$T/sock" -P "$T/pid" --filter=delay memory 16M rdelay=5ms || skip_all 'nbdkit does not start'
# shellcheck disable=SC2016
at_exit 'kill "$(cat "$T/pid" 2>/dev/null)" 2>/dev/null'
tries=50
while [ ! -S sock ] && [ $tries -gt 0 ]; do sleep 0.1 && tries=$((tries - 1)); done
uri="nbd+unix:///?socket=$T/sock"

ok 'driver check' "$IOW" driver check "$IOW_BUILD/plugins/nbd/nbd.so" --set uri="$uri"
cat >nbd.json <<JSON
{ "iowitness": 1, "title": "nbd",
  "targets": { "n": { "driver": "nbd", "uri": "$uri" } },
  "workloads": { "r": { "op": "read", "pattern": "random", "block": "4KiB", "depth": 4, "duration": "200ms" } },
  "tests": [ { "name": "x", "targets": ["n"], "workloads": ["r"], "cache": "as-is", "region": "whole", "blocks": 5 } ] }
JSON
"$IOW" run nbd.json -o nbd.iow >out.txt 2>&1
is "$(grep -c '"status":"ok"' nbd.iow/runs.jsonl)" 5 'five runs'
is "$(sed -n 's/.*"lat":{"read":\[[0-9]*,\([0-9]*\),.*/\1/p' nbd.iow/runs.jsonl | awk '$1 < 5000000' | wc -l)" 0 \
	'none has a latency below that of the server'
sed 's/"op": "read"/"op": "write"/' nbd.json >write.json
exits 1 'writing is refused' "$IOW" run write.json -o write.iow
kill "$(cat pid)"
sleep 0.3
exits 1 'a server that is gone' "$IOW" run nbd.json -o gone.iow
like "$(cat "$T/err" "$T/out")" 'nbd\+unix:.*connect' 'is named'
