#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness compare: what changed between two bundles is found with its ratio, both ways named; what can't be
# compared is refused; the evidence is whole anywhere and gives the same bytes.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

make() { "$IOW_BUILD/tests/lib/make_bundle" --no-samples "$@" || exit 99; }
valid() { ok "$1 is valid" "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/$2.schema.json" "$1"; }
# number NAME N: the Nth number of that name in results.json on stdout of compare --json
number() { grep -oE "\"$1\": -?[0-9.]+" out.json | sed -n "$2s/.*: //p"; }
near() { ok "$3 ($1)" awk "BEGIN { exit !($1 > $2 * 0.97 && $1 < $2 * 1.03) }"; }

make --kind two-way -o before.iow
make --kind two-way --seed 2 --week 1 -o same.iow
make --kind two-way --seed 3 --week 2 --ratio 0.30 --against 1.25 --kernel 6.6.0-specimen -o mixed.iow
make --kind two-way --seed 4 --week 3 --ratio 0.60 -o better.iow

exits 2 'a regression gives 2' "$IOW" compare before.iow mixed.iow -o mixed --json
cp out out.json
is "$(number worse 1) $(number better 1)" '1 1' 'one cell is worse and one better'
near "$(number ratio 1)" 0.6977 'the ratio of the one that got slower'
near "$(number ratio 2)" 1.25 'and of the one that got faster'
like "$(sed -n 's/.*"sentence": "\(.*\)",*$/\1/p' out.json | head -n 1)" \
	'^Throughput after is worse in 1 of 2 cells and better in 1, beyond the 5% margin\.$' 'the headline names both'
like "$(cat out.json)" 'an association .* not attributed to a cause' 'and that it is an association'
like "$(cat out.json)" '"sentence": "Shared raw: ran 1\.4[0-9]x slower after than before \(95% CI' 'the cell in words'
"$IOW" report mixed --format text >r.txt
like "$(cat r.txt)" '^ *Node local +Kernel +6.1.0-specimen +6.6.0-specimen *$' 'another kernel is a row of its own'
like "$(cat r.txt)" 'What was changed on purpose is not stated' 'and nothing was changed on purpose'
unlike "$(cat r.txt)" 'cannot be separated' 'of nothing, nothing is inseparable'
valid mixed/compare.json compare
valid mixed/results.json compare-results

exits 0 'an improvement gives 0' "$IOW" compare before.iow better.iow -o better
like "$(head -n 1 out)" 'is worse in 0 of 2 cells and better in 1' 'and is told'
exits 0 'no change gives 0' "$IOW" compare before.iow same.iow -o same
like "$(head -n 1 out)" 'no change beyond the 5% margin is shown' 'and is told as that'
like "$(cat out)" 'Differences outside .*% to .*% are excluded' 'with what is excluded'
exits 2 'another metric, whose less is better' "$IOW" compare before.iow mixed.iow -o p99 --metric mean --json
cp out out.json
near "$(number ratio 1)" 0.6977 'has its ratio the same way about'
like "$(cat out.json)" 'mean latency was 1\.4[0-9]x higher after than before' 'and its own words'
like "$(cat out.json)" '1\.25x lower .*IMPROVEMENT' 'both ways'
make --kind two-way --seed 5 --week 3 --ratio 0.44 --against 0.97 -o slightly.iow
exits 0 'a latency that rose a little' "$IOW" compare before.iow slightly.iow -o slightly --metric mean
like "$(cat out)" 'File direct: mean latency was 1\.0[0-9]x higher .*Differences outside \+[0-9.]+% to \+[0-9.]+% are' \
	'what is excluded is told of the latency, not of the speed'
"$IOW" compare slightly.iow before.iow -o swapped >/dev/null
"$IOW" report swapped --format text >s.txt
like "$(cat s.txt)" 'given as “before” began later' 'an order against time is told'
like "$(cat s.txt)" '^Issued +2026-03-23' 'and no report is issued before its data'
unlike "$(cat r.txt)" 'began later' 'of the right order nothing is'
like "$(cat s.txt)" '^Ratio +Speed after over speed before' 'and the word ratio is explained as it is used'
exits 0 'a wide margin' "$IOW" compare before.iow mixed.iow -o wide --margin 0.5
exits 2 'planned changes' "$IOW" compare before.iow mixed.iow -o planned --changed 'firmware 2.1' --changed 'new cable'
"$IOW" report planned --format markdown >r.md
like "$(cat r.md)" 'Several changes were made at once' 'several at once are not separable, and it is said'

# The evidence stands by itself.
exits 0 'it is verified' "$IOW" verify mixed
ok 'and by sha256sum' sh -c 'cd mixed && sha256sum --strict -c EVIDENCE MANIFEST'
mkdir away && cp -r mixed away/m && rm -rf away/m/report.* away/m/results.json away/m/MANIFEST
mv before.iow gone.iow
exits 2 'rendered again elsewhere' env LC_ALL=C.UTF-8 TZ=Asia/Tokyo "$IOW" report away/m
for f in report.html report.pdf results.json MANIFEST; do same mixed/$f away/m/$f "$f has the same bytes"; done
exits 2 'made again' "$IOW" compare gone.iow mixed.iow -o again
same mixed/EVIDENCE again/EVIDENCE 'the same two give the same evidence'
mv gone.iow before.iow
printf ' ' >>away/m/before/runs.jsonl
exits 5 'a change in a copy' "$IOW" verify away/m
like "$(cat out)" '^problem  before/runs.jsonl: was changed' 'is named'
rm -rf away/m/before && cp -r same.iow away/m/before
exits 5 'another bundle in its place' "$IOW" verify away/m
like "$(cat out)" '^problem  before: is not the bundle that compare.json names' 'is named'
exits 1 'of which no report is made' "$IOW" report away/m
like "$(cat err)" 'm/before: is not the bundle that compare.json names' 'for that reason'
rm -rf away/m/before && ln -s . away/m/before
exits 5 'a comparison in its place' "$IOW" verify away/m
like "$(cat out)" '^problem  before: is no bundle of a campaign' 'is named'
sed -i 's|  before/plan.json|  before/../x|' away/m/EVIDENCE
exits 5 'a list that leads away' "$IOW" verify away/m
like "$(cat out)" '^problem  EVIDENCE: has a line' 'is refused'
sed -i 's/"margin"/"marjin"/' again/compare.json
exits 1 'an unknown member' "$IOW" report again
like "$(cat err)" 'compare.json: unknown member "marjin"' 'is named'

# What makes a verdict void, or the campaign incomplete.
make --kind void --week 4 -o void.iow
exits 5 'a void cell gives 5' "$IOW" compare before.iow void.iow -o void
like "$(cat out)" 'VOID, because in the campaign after the gate' 'and says which campaign'
make --kind two-way --week 5 --fail 2 -o failed.iow
exits 3 'an incomplete campaign gives 3' "$IOW" compare before.iow failed.iow -o failed
make --kind sweep --week 6 -o sweep.iow
make --kind cells --cells 8 --week 7 -o eight.iow
make --kind cells --cells 12 --week 8 -o twelve.iow
"$IOW" compare eight.iow twelve.iow -o cells >/dev/null
like "$("$IOW" report cells --format text)" '4 cells of the campaign after only' 'cells of one campaign are told'
is "$("$IOW" report cells --format csv | wc -l)" 9 'CSV has a line for each cell of both'

# What is refused, and nothing is left behind.
refused() {
	exits 1 "$1" "$IOW" compare $3 -o refused
	like "$(cat err)" "^iowitness compare: .*$2" 'with its reason'
	nok 'and nothing is left' test -e refused
}
refused 'no cell in both' 'no cell is in both' 'before.iow sweep.iow'
refused 'the same campaign' 'are the same campaign' 'before.iow before.iow'
refused 'a comparison' 'mixed: is a comparison or a history' 'before.iow mixed'
refused 'no bundle' 'away: not a bundle' 'before.iow away'
refused 'an unknown metric' 'no metric "speed"' 'before.iow mixed.iow --metric speed'
refused 'a bad margin' '--margin takes a share' 'before.iow mixed.iow --margin five'
cp -r same.iow changed.iow && printf ' ' >>changed.iow/runs.jsonl
refused 'a bundle that was changed' 'changed.iow: runs.jsonl: was changed' 'before.iow changed.iow'
exits 1 'a language that is not there' "$IOW" compare before.iow same.iow -o tongue --language xx
ok 'leaves nothing behind' test ! -e tongue
exits 1 'a directory that is there' "$IOW" compare before.iow same.iow -o mixed
like "$(cat err)" 'mixed: exists and is not empty' 'is not written over'
is "$(ls -d ./*.new-* 2>/dev/null)" '' 'no temporary directory stays'
done_testing
