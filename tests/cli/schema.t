#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a campaign and its report write is valid by the installed schemas.
. "$(dirname "$0")/../lib/tap.sh"
plan 8

cat >plan.json <<'PLAN'
{ "iowitness": 1, "title": "Schemas",
  "targets": { "fast": { "driver": "synth" }, "slow": { "driver": "synth" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "20ms" } },
  "tests": [ { "name": "t", "targets": ["fast", "slow"], "workloads": ["w"], "blocks": 5, "cache": "as-is",
               "sweep": { "workload.block": ["4KiB", "8KiB"] } } ],
  "questions": [ { "compare": ["slow"], "against": "fast", "metric": "throughput", "margin": 0.05 } ],
  "claims": [ { "says": "slow is at most 10% slower", "by": "someone", "compare": ["slow"], "against": "fast",
                "metric": "throughput", "at_least": 0.90 } ] }
PLAN
ok 'a campaign' sh -c '"$0" run plan.json -o b.iow; test $? -le 5 -a -s b.iow/results.json' "$IOW"
valid() { ok "$1" "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/$2.schema.json" "$1"; }
valid b.iow/plan.json plan
valid b.iow/cells.json cells
valid b.iow/host.json host
valid b.iow/runs.jsonl runs
valid b.iow/samples.jsonl samples
valid b.iow/results.json results
nok 'and a schema refuses what it does not know' "$IOW_BUILD/tests/lib/schema_check" \
	"$IOW_SRC/templates/schema/cells.schema.json" b.iow/host.json
