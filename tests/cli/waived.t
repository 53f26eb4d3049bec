#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A gate that the plan waives voids nothing, and what rests on it says so.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 6

# A sparse file: the gate "written" fails.
truncate -s 4M sparse
cat >plan.json <<EOF
{ "iowitness": 1, "title": "x",
  "targets": { "f": { "driver": "posix", "path": "$T/sparse" } },
  "workloads": { "small": { "op": "read", "block": "512", "amount": "64KiB" },
                 "large": { "op": "read", "block": "64KiB", "amount": "1MiB" } },
  "tests": [ { "name": "t", "targets": ["f"], "workloads": ["small", "large"], "cache": "warm", "region": "same",
               "pause": "0", "blocks": 6, "waive": ["written", "foreign load"] } ],
  "questions": [ { "compare": { "workload": "large" }, "against": { "workload": "small" } } ] }
EOF
ok 'a campaign whose plan waives a gate' "$IOW" run plan.json -o b
like "$(cat "$T/out")" 'large.* FASTER' 'has a verdict'
like "$(cat "$T/out")" 'Waived by the plan, and void otherwise: gate .* fails on f, small: part of what' 'with the gate that it would fail on'
ok 'its report' "$IOW" report b --format text
like "$(cat "$T/out")" 'gates were put to the cells: 0 fail' 'counts no gate that voids'
like "$(cat "$T/out")" 'more fail and void nothing, since the plan waives them' 'and says that some are waived'
