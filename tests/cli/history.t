#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness history: an archive of 52 weeks with a step and without, the week of the step, too few weeks; what is
# broken, foreign or twice there is named; neither the order of the directory nor the locale changes a byte.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

# week N DIR [OPTION…]: a campaign of that week.
week() {
	n=$1 d=$2
	shift 2
	"$IOW_BUILD/tests/lib/make_bundle" --kind two-way --no-samples --blocks 5 --block-sd 0.004 --week "$n" --seed "$n" \
		-o "$d/w$n.iow" "$@" || exit 99
}
valid() { ok "$1 is valid" "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/$2.schema.json" "$1"; }
say() { sed -n 's/.*"sentence": "\(.*\)",*$/\1/p' "$1"; }

mkdir step flat
n=1
while [ $n -le 52 ]; do
	if [ $n -le 30 ]; then week $n step --ratio 0.60; else week $n step --ratio 0.50 --kernel 6.6.0-specimen; fi
	n=$((n + 1))
done
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cp -r step/w$n.iow flat/; done

# 52 weeks with a step.
exits 1 'a language that is not there' "$IOW" history step -o tongue --language xx
ok 'leaves nothing behind' test ! -e tongue
exits 2 'a candidate that made a cell slower gives 2' "$IOW" history step -o h --json
cp out out.json
is "$(grep -c '"ratio"' out.json)" 1 'one candidate, and the cell without a step has none'
like "$(cat out.json)" '"campaign": 30,' 'at the week of the step'
ok 'its ratio is the step' awk "BEGIN { r = $(sed -n 's/.*"ratio": \([0-9.]*\).*/\1/p' out.json); exit !(r > 0.82 && r < 0.85) }"
like "$(say out.json)" '^Shared raw: from campaign 31 of 52 on \(2026-10-05\) it ran 1\.20x slower than before \(p 0\.001,.*: CANDIDATE\.$' \
	'it is told'
like "$(cat out.json)" 'a candidate, no proof\. Recorded as changed at that time: Node local, Kernel\. Proof is a blocked rerun' \
	'with what changed there and what would prove it'
like "$(say out.json | head -n 1)" '^In the newest campaign, of 2027-03-01, throughput .*Over 52 campaigns: 1 candidate change\.$' \
	'the headline'
valid h/history.json history
valid h/results.json history-results
"$IOW" report h --format text >r.txt
like "$(cat r.txt)" '^ *31 +2026-10-05 +Node local +Kernel +6.1.0-specimen +6.6.0-specimen *$' 'the change between two weeks is a row'
is "$("$IOW" report h --format csv | wc -l)" 105 'CSV has a line for each figure'

# The week of the step, and the one before.
mkdir at && cp -r step/w?.iow step/w[12]?.iow at/
exits 0 'the weeks before the step' "$IOW" history at -o before
like "$(cat out)" 'lies within what the campaigns before it let expect in all 2 cells' 'nothing to look at'
like "$(cat out)" 'Candidate changes are sought from 40 campaigns on; so far: 29 campaigns' 'and why no candidates'
cp -r step/w31.iow at/
exits 2 'its week gives 2' "$IOW" history at -o watch
like "$(cat out)" 'Shared raw: throughput of 110 MB/s on 2026-10-05 lies outside the 95% prediction interval of the 29 campaigns before, 1[23][0-9] MB/s to 1[34][0-9] MB/s: WATCH, on the slow side' \
	'and is told with its interval'
exits 0 'a faster week gives 0' sh -c 'mkdir fast && cp -r flat/* fast/ && "$1" --kind two-way --no-samples --blocks 5 --week 99 \
	--ratio 0.9 -o fast/w99.iow && "$2" history fast -o fast-h' - "$IOW_BUILD/tests/lib/make_bundle" "$IOW"
like "$(cat out)" 'WATCH, on the fast side' 'and is told'

# Too few.
mkdir few && cp -r step/w[1-8].iow few/
exits 0 'eight campaigns' "$IOW" history few -o few-h
like "$(cat out)" 'No cell is judged yet: that needs 8 campaigns before the newest, and the archive has 8 campaigns' 'are not judged'
like "$(cat out)" 'Shared raw: not judged because only 7 campaigns before the newest have figures of it; 8 are needed' 'and say why'
mkdir one && cp -r step/w1.iow one/
exits 0 'one campaign' "$IOW" history one -o one-h

# What is in the archive and is not of it.
cp -r flat odd
week 40 odd --title 'Another plan'
mv odd/w40.iow odd/another.iow
touch -d '2020-01-01' odd/another.iow
week 41 odd --ratio 0.43
cp -r odd/w41.iow odd/twin.iow
printf ' ' >>odd/w7.iow/runs.jsonl
mkdir odd/empty && cp -r h odd/h && echo x >odd/readme.txt
"$IOW_BUILD/tests/lib/make_bundle" --kind two-way --no-samples --week 42 --title 'It (pilot)' -o odd/pilot.iow
exits 2 'an archive with other things' "$IOW" history odd -o odd-h
cp err left
is "$(wc -l <left)" 6 'each that is left out is named'
for why in 'another.iow: another plan, [0-9a-f]{12}, than the newest' 'empty: not a bundle' 'h: is a comparison or a history' \
	'pilot.iow: a pilot' 'w41.iow: the same campaign as twin.iow' 'w7.iow: runs.jsonl: was changed'; do
	like "$(cat left)" "^iowitness history: left out: $why" "$why"
	like "$("$IOW" report odd-h --format markdown | tr -d '\\')" "$(printf %s "$why" | cut -d: -f1)" 'and is in the report'
done
exits 2 'any plan' "$IOW" history odd -o any-h --any-plan
unlike "$(cat err)" 'another plan' 'takes the other plan too'

# The same bytes, whatever the directory's order, names of the parents and the locale.
mkdir away && for n in 5 3 9 20 1 12 2 4 6 7 8 10 11 19 18 17 16 15 14 13; do cp -r flat/w$n.iow away/; done
exits 0 'flat weeks' "$IOW" history flat -o f1
exits 0 'the same elsewhere' env LC_ALL=C.UTF-8 TZ=Asia/Tokyo "$IOW" history ./away/ -o f2
for f in history.json EVIDENCE report.html report.pdf results.json MANIFEST; do same f1/$f f2/$f "$f has the same bytes"; done
rm -rf flat away f2/report.* f2/results.json
exits 0 'rendered again without the archive' "$IOW" report f2
same f1/report.pdf f2/report.pdf 'with the same bytes'
exits 0 'it is verified' "$IOW" verify f1
sed -i 's/"complete_runs": 1/"complete_runs": 2/' f2/history.json
exits 5 'a changed figure' "$IOW" verify f2
like "$(cat out)" '^problem  history.json: was changed' 'is named'
sed -i 's/"throughput"/"speed"/' f2/history.json
exits 1 'a metric that there is not' "$IOW" report f2
like "$(cat err)" 'history.json: no metric "speed"' 'is named'

wrong() {
	cp f1/history.json f2/ && sed -i "$2" f2/history.json
	exits 1 "$1" "$IOW" report f2
	like "$(cat err)" "history.json: campaign 1: $3" 'is named'
}
wrong 'a number of a cell that there is not' '0,/"void": \[\]/s//"void": [9999]/' '"void" and "empty" must hold'
wrong 'fewer runs than none' '0,/"planned_runs": [0-9]*/s//"planned_runs": -1/' '"planned_runs" must be'

# The newest is void or incomplete.
mkdir bad && cp -r step/w[1-9].iow bad/
"$IOW_BUILD/tests/lib/make_bundle" --kind void --title 'Shared raw reads against filesystem reads' --no-samples --blocks 5 --week 60 \
	-o bad/v.iow
exits 5 'a void cell in the newest gives 5' "$IOW" history bad -o void-h
like "$("$IOW" report void-h --format text)" '^ *10 +2027-04-26 +shared raw' 'and is listed'
like "$(cat out)" 'Shared raw: not judged because the newest campaign has no figure of it' 'and not judged'
week 61 bad --fail 2
exits 3 'runs that are missing in the newest give 3' "$IOW" history bad -o fail-h

exits 1 'no archive' "$IOW" history nowhere -o x
mkdir none
exits 1 'an empty one' "$IOW" history none -o x
like "$(cat err)" 'none: no bundle in it' 'is told'
exits 1 'an unknown metric' "$IOW" history step -o x --metric speed
nok 'nothing is left behind' test -e x
done_testing
