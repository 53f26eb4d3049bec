#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whole campaigns on simulated storage whose truth is known. Deterministic: a campaign's seed is that of its
# plan.
. "$(dirname "$0")/../lib/tap.sh"
plan 8

# campaign NAME KEYS-OF-B: a against b, 8 blocks; the verdict lines are left in NAME.txt.
campaign() {
	cat >"$1.json" <<-JSON
		{ "iowitness": 1, "title": "$1",
		  "targets": { "a": { "driver": "synth", "service": "300us", "sigma": 0.3, "run_sigma": 0.02 },
		               "b": { "driver": "synth", "service": "300us", "sigma": 0.3, "run_sigma": 0.02$2 } },
		  "workloads": { "r": { "op": "read", "pattern": "random", "block": "4KiB", "duration": "2s" } },
		  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["r"], "cache": "as-is", "region": "whole",
		               "blocks": 8 } ],
		  "questions": [ { "compare": ["b"], "against": "a", "metric": "throughput", "margin": 0.05 } ] }
	JSON
	"$IOW" run "$1.json" -o "$1.iow" >"$1.txt" 2>&1
}

campaign three ', "ratio": 3'
is $? 0 'a campaign on synth'
like "$(cat three.txt)" '^(2.9[4-9]|3.0[0-6])x +B reads ran .* faster than a reads .*FASTER' 'a true ratio of 3 is found'
is "$(sed -n 's/.*"bytes":\([0-9]*\).*/\1/p' three.iow/runs.jsonl | sort -u | wc -l)" 24 \
	'no two of its runs are alike, those of the control neither'
campaign again ', "ratio": 3'
sed 's/"title": "again"/"title": "three"/' again.json >again2.json
cmp -s three.json again2.json && "$IOW" run again2.json -o again2.iow >again2.txt 2>&1
is "$(sed -n 's/.*"run":\([0-9]*\),.*"bytes":\([0-9]*\).*/\1 \2/p' again2.iow/runs.jsonl)" \
	"$(sed -n 's/.*"run":\([0-9]*\),.*"bytes":\([0-9]*\).*/\1 \2/p' three.iow/runs.jsonl)" \
	'the same plan draws the same numbers'

same=0 wrong=0
for i in 1 2 3 4 5 6; do
	campaign "one$i" ''
	grep -q 'EQUIVALENT' "one$i.txt" && same=$((same + 1))
	grep -qE 'FASTER|SLOWER' "one$i.txt" && wrong=$((wrong + 1))
done
like "$wrong" '^[01]$' 'a true ratio of 1 is called faster or slower at most once in six'
like "$same" '^[456]$' 'and is mostly equivalent within the margin'

campaign broken ', "fail_at": 1000'
is $? 3 'an arm that fails: exit 3'
like "$(cat broken.txt)" 'b: 8 runs failed .*Input/output error' 'and it is said which, how often and why'
