#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --pilot: a few blocks of their own, the spread they have, the number of blocks that follows from it.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan_later

cat >plan.json <<'EOF'
{ "iowitness": 1, "title": "Pilot",
  "targets": { "a": { "driver": "synth", "run_sigma": 0.04 }, "b": { "driver": "synth", "run_sigma": 0.04 } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "20ms" } },
  "tests": [ { "name": "t", "targets": ["a", "b"], "workloads": ["w"], "cache": "as-is", "pause": "0", "blocks": 5,
               "blocks_most": 40 } ],
  "questions": [ { "compare": "a", "against": "b", "metric": "throughput", "margin": 0.05 } ] }
EOF

number() { sed -n "s/^ *\"$1\": \([0-9.]*\),*\$/\1/p" "$2" | head -n 1; }

ok 'a campaign with a pilot' "$IOW" run plan.json -o b.iow --pilot
like "$(cat "$T/out")" '^b-pilot\.iow: pilot, 10 of 10 runs, complete$' 'the pilot has a bundle of its own'
like "$(cat "$T/out")" '^pilot: test "t": standard deviation [0-9.]+% .* over 5 blocks; needed [0-9]+, measured [0-9]+; smallest effect' 'what it led to is said'
needed=$(sed -n 's/.*needed \([0-9]*\), measured.*/\1/p' "$T/out")
n=$(number blocks b.iow/cells.json)
[ "$needed" -lt 5 ] && needed=5
[ "$needed" -gt 40 ] && needed=40
is "$n" "$needed" 'the blocks are what was needed, within the plan'\''s bounds'
is "$(number pilot_blocks b.iow/cells.json)" 5 'cells.json says of how many blocks the pilot was'
isnt "$(number sd b.iow/cells.json)" '' 'and the standard deviation'
is "$(status b.iow ok)" "$((2 * n))" 'as many were measured'
like "$(cat b.iow/log.txt)" 'pilot: test "t"' 'the log has it'
like "$(cat b.iow/log.txt)" "pilot: bundle b-pilot.iow, id $(sha256sum b-pilot.iow/EVIDENCE | cut -c1-12);" 'and which bundle the pilot has'
ok 'the bundle is whole' "$IOW" verify b.iow
ok 'so is the pilot'\''s' "$IOW" verify b-pilot.iow
is "$(number blocks b-pilot.iow/cells.json)" 5 'the pilot has 5 blocks'
isnt "$(sed -n 's/.*"seed": //p' b.iow/cells.json)" "$(sed -n 's/.*"seed": //p' b-pilot.iow/cells.json)" 'and a seed of its own'
"$IOW" report b-pilot.iow --format text >pilot.txt
like "$(cat pilot.txt)" 'exploratory, no verdict' 'a pilot reaches no verdict'
"$IOW" report b.iow --format text | tr -s '[:space:]' ' ' >b.txt
like "$(cat b.txt)" "Test t: $n blocks, fixed by Stein’s rule from a pilot of 5 blocks .* difference of [0-9.]+% is seen in four of five" 'section 6 has the sample size'
like "$(cat b.txt)" "Test t: $n blocks show a difference of [0-9.]+% in four of five" 'section 13 what could be seen'

ok 'a bound' "$IOW" run plan.json -o c --pilot --no-report --json --set /tests/0/blocks_most=6 --set /questions/0/margin=0.001
is "$(number blocks c/cells.json)" 6 'is kept'
like "$(cat "$T/out")" '"pilot": "c-pilot"' '--json names the pilot'
ok 'without a pilot' "$IOW" run plan.json -o d --no-report
"$IOW" report d --format text | tr -s '[:space:]' ' ' >d.txt
like "$(cat d.txt)" 'no smallest effect can be quoted' 'no effect is quoted'
like "$(cat d.txt)" 'none can be quoted' 'nor in section 13'
like "$(cat d.txt)" 'No smallest effect can be quoted: no standard deviation .* before the campaign\.' 'the table of comparisons says why'
ok 'with a stated spread' "$IOW" run plan.json -o e --no-report --set /tests/0/sd=0.03
"$IOW" report e --format text | tr -s '[:space:]' ' ' >e.txt
like "$(cat e.txt)" 'excluded \(95% CI, 5 blocks\)\. One of 5\.2% would be detected in four of five such campaigns' 'an open question says it too'
like "$(cat e.txt)" 'Test t: 5 blocks, fixed in the plan, which states a standard deviation of 3(\.00)?% .* difference of 5\.18%' 'it is: 1.682 standard deviations'
like "$(cat e.txt)" 'smallest effect .* 5\.2%.* Smallest effect: the difference that the planned blocks show' 'the table of comparisons has it'
mkdir x-pilot && touch x-pilot/file
exits 1 'a directory that is not empty' "$IOW" run plan.json -o x --pilot
nok 'and nothing is measured' test -e x
exits 0 'a dry run' "$IOW" run plan.json -o y --pilot --dry-run
nok 'measures no pilot' test -e y-pilot
done_testing
