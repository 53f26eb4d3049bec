#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A campaign on a real file, from the plan to the sealed bundle.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 26

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Cold & repeat: a test",
  "targets": { "file": { "driver": "posix", "path": "$T/data", "size": "16MiB" } },
  "workloads": { "scan": { "op": "read", "block": "64KiB", "amount": "1MiB" } },
  "tests": [ { "name": "scan", "targets": ["file"], "workloads": ["scan"], "cache": "cold", "passes": 2,
               "pause": "10ms", "blocks": 6 } ],
  "questions": [ { "cache": "file", "metric": "throughput" } ] }
EOF

exits 0 '--dry-run' "$IOW" run plan.json -o b --dry-run
like "$(cat "$T/out")" 'would read "file"' 'says what would be read'
is "$(ls)" "$(printf 'err\nout\nplan.json')" 'and touches nothing'

ok 'a campaign' "$IOW" run plan.json -o b --no-report
like "$(cat "$T/err")" '100%  12 of 12 runs' 'plain progress on what is no terminal'
like "$(cat "$T/out")" '^b: 12 of 12 runs, complete$' 'its end'
ok 'its bundle is whole' "$IOW" verify b
like "$(cat "$T/out")" 'runs +12, complete' 'with all runs'
is "$(status b ok)" 12 'that are well'
nok 'the test file is gone' test -e data
is "$(grep -c '"cold":\["cachestat",0,256\]\|"cold":\["mincore",0,256\]' b/runs.jsonl)" 6 'cold was verified in each first pass'
is "$(awk 'length($0) > 1024' b/runs.jsonl)" '' 'a line has at most 1 kB'
if cat /proc/pressure/cpu /proc/pressure/io /proc/pressure/memory >/dev/null 2>&1; then
	stalls=12 says='counted, with every run'
else
	stalls=0 says='not readable: /proc/pressure'
fi
is "$(grep -c '"pressure":\[[0-9]*,[0-9]*,[0-9]*\]' b/runs.jsonl)" $stalls 'pressure stall of each run, where it is counted'
like "$(cat b/host.json)" "\"pressure_stall\": ?\"$says" 'and whether it is'
is "$(sed -n 's/.*"campaign": \([0-9]*\).*/\1/p' b/host.json)" 1 'the first campaign of this plan here'
is "$(sed -n 's/.*"region":\[\([0-9]*\),.*/\1/p' b/runs.jsonl | sort -un | wc -l | tr -d ' ')" 6 'a fresh region in each block'
same plan.json b/plan.json 'the plan is kept byte for byte'

exits 1 'a bundle is not written over' "$IOW" run plan.json -o b
like "$(cat "$T/err")" 'not empty' 'the reason'

printf 'precious' >data
truncate -s 16M data
sum=$(cksum <data)
ok 'a file that was there is read' "$IOW" run plan.json --no-report --json --set /tests/0/blocks=2
like "$(cat "$T/out")" '"state": "complete"' '--json'
is "$(cksum <data)" "$sum" 'it stays as it was'
set -- *.iow
like "$1" '^[0-9]{8}T[0-9]{6}Z-cold-repeat-a-test\.iow$' 'the default directory is named by date and title'

sed 's/"blocks": 6/"blocks": 60/' plan.json >long.json
exits 1 'a target that is too small' "$IOW" run long.json -o c
like "$(cat "$T/err")" 'fresh region.*60 blocks needs 60 MiB' 'is told before anything starts'
nok 'and nothing is left' test -e c
