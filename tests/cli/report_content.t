#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a report must tell: one campaign of two tests on simulated storage, read as its reader does.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd pdftotext
plan_later

cat >plan.json <<'EOF'
{ "iowitness": 1, "title": "Two tests", "report": { "signer": "it's the lab" },
  "targets": { "fabric": { "driver": "synth", "size": "1GiB", "service": "500us", "run_sigma": 0.01 },
               "local": { "driver": "synth", "size": "1GiB", "service": "200us", "run_sigma": 0.01 } },
  "workloads": { "scan": { "op": "read", "pattern": "sequential", "block": "64KiB", "duration": "100ms" } },
  "tests": [ { "name": "first", "targets": ["fabric", "local"], "workloads": ["scan"], "region": "same", "blocks": 2, "control": true, "pause": "0s" },
             { "name": "second", "targets": ["local", "fabric"], "workloads": ["scan"], "region": "same", "blocks": 2, "control": true, "pause": "0s" } ],
  "questions": [ { "compare": "fabric", "against": "local", "margin": 0.05 } ] }
EOF
exits 0 "it runs" "$IOW" run plan.json -o B
"$IOW" report B -f text >r.txt
"$IOW" report B -f csv >runs.csv

# ---- the order as run: its letters are those of its legend, and say what ran ----

order() { sed -n "/The order of $1 as run/,/^\$/p" r.txt; }

for t in first second; do
	order $t | grep -oE '(^| · )[A-Z] [a-z]' | grep -oE '[A-Z]' | sort -u >legend
	order $t | sed -n 's/^ *[0-9] \(\( *[A-Z]\)*\) .*/\1/p' | grep -oE '[A-Z]' | sort -u >letters
	is "$(tr '\n' ' ' <letters)" "$(tr '\n' ' ' <legend)" "$t: the letters of the order are those of its legend"
	is "$(wc -l <letters)" 3 "$t: three steps"
done
first=$(order second | sed -n 's/^ *1 *\([A-Z]\) .*/\1/p')
label=$(order second | tr '\n' ' ' | grep -oE "(^|[· ])$first [a-z][a-z, ]*" | tail -n 1 | sed "s/^ *$first //; s/ *\$//")
ran=$(grep -vE '^run,' runs.csv | grep -E '^7,' | sed 's/^7,[0-9]*,"\{0,1\}\([a-z, ]*\)"\{0,1\},.*/\1/')
isnt "$ran" "" "the first run of the second test is known"
is "$label" "$ran" "its letter says what ran first"
like "$(cat r.txt)" '^second +3 +2 +6 ' "the tests stand in a table with their runs"

# ---- what the plan says of the signer, and what the percentiles rest on ----

like "$(tr -s ' \n' '  ' <r.txt)" "ssh-keygen -Y verify -f allowed_signers -I 'it'[\\]''s the lab' -n iowitness" \
	"the command that verifies has the signer's name as one word"
"$IOW" report B -f markdown | sed -n '/Service time of first,/,/^Geometric/p' >latency
like "$(cat latency)" '^\| Cell \| I/Os \| mean \| p50 \| p95 \| p99 \| p99\.9 \| p99\.99 \| max \|$' "the latency table goes to p99.99"
least=$(awk -F, '$2 == 0 { print $15 }' runs.csv | sort -n | head -n 1)
like "$(cat latency)" "^\\| fabric \\| $least \\| .*too few.* \\| too few[^|]* \\| [0-9.]* \\|\$" \
	"with the I/Os of the run that has the fewest, and no figure where they are too few"

# ---- bundles whose truth is known ----

make_bundle=$IOW_BUILD/tests/lib/make_bundle
summary() { sed -n '/^2  /,/^3  /p' "$1" | tr '\n' ' ' | tr -s ' '; }
of() { # KIND NAME [OPTION…]: NAME.txt
	kind=$1 name=$2; shift 2
	"$make_bundle" --kind "$kind" "$@" -o "$name" >/dev/null 2>&1
	"$IOW" report "$name" -f text >"$name.txt"
}

of void void
like "$(summary void.txt)" 'VOID no result VOID, because gate .* fails on shared raw: .* \(40%, limit 1%\)\. Nothing is concluded on shared raw reads against' \
	"a void question begins with VOID and the reason, not with a ratio"
of passes passes
like "$(summary passes.txt)" 'CACHED 14\.[0-9]x .*the device moved 0 of [0-9]+ MB: CACHED, served from the host' \
	"what a cache served is told as that, with the device's bytes"
unlike "$(summary passes.txt)" '\?:|[-−]0\.0%' "a label that asks takes no colon, nothing has a sign where it is nothing"
of 300-cells many
like "$(summary many.txt)" 'in 100 of 150 comparisons.* in 50 of 150 comparisons' "a hundred like comparisons are one sentence"
is "$(sed -n '/^2  /,/^3  /p' many.txt | grep -c '^SLOWER')" 1 "and one line of the summary"
like "$(summary many.txt)" '100 of 150 comparisons decided, 50 equivalent\.' "each is counted once"

like "$(summary many.txt)" '16 of 150 rows are drawn' "the figure draws as many as a page takes, and says so"
"$IOW" report many -f pdf -o many.pdf
like "$(pdftotext -f 2 -l 2 many.pdf - | tr '\n' ' ')" '2 Summary .*EQUIVALENT.*Not concluded' "the summary of 300 cells is one page"

# ---- facts ----

of together nodes
like "$(cat nodes.txt)" 'Rate of the link +1\.6 GB/s \(1\.49 GiB/s\)' "a rate has a unit of either kind"
like "$(cat void.txt)" '^Size used +1 GiB \(1\.07 GB\)' "so has a size"
unlike "$(sed -n '/^4  /,/^6  /p' void.txt nodes.txt r.txt)" '^[a-z]+_[a-z]+ |^key | [0-9]{7,}( |$)' "no name of a member, no bare number of bytes"
like "$(sed -n '/^Table 2 /,/^5 /p' r.txt)" '^service, as set in the plan +500us +200us' "a key of the driver stands as the plan writes it"
unlike "$(cat r.txt)" '^[a-z_]*, as set in the plan.*crash' "and only what the plan sets"
like "$(tr '\n' ' ' <void.txt | cut -c1-9000)" 'Not recorded in this bundle, or not applicable: [^.]*governor' "what is not recorded is named"
"$make_bundle" --kind together -o one >/dev/null 2>&1
sed -i '/"n4": {/,/}/s/6\.1\.0-specimen/6.1.0-other/' one/host.json
like "$(cat one/host.json)" '6\.1\.0-other' "the fourth node has another kernel"
"$IOW" report one -f text >one.txt 2>&1
like "$(sed -n '/differ in one fact/,/^$/p' one.txt)" '^Kernel .*6\.1\.0-specimen' \
	"a node that differs is found, in whatever table it stands"

# ---- forms for a ticket and a terminal ----

of claims claims
"$IOW" report claims -f ticket >ticket.md
like "$(cat ticket.md)" 'CONTRADICTED' "a ticket has the conclusions"
like "$(cat ticket.md)" '^\| Q1[ ,].* 0\.001' "the table of what was asked"
like "$(cat ticket.md)" '^iowitness verify \.$' "how to verify"
like "$(cat ticket.md)" ' -I SIGNER -n iowitness' "by whoever signed, where the plan names nobody"
like "$(cat ticket.md)" '^iowitness run plan\.json$' "and how to repeat"
is "$(awk 'END { print (NR < 70) }' ticket.md)" 1 "on one page"
unlike "$(cat many.txt)" '^  Cell: ' "a wide table is set in parts, not as records"
is "$(awk 'length > 200' many.txt | wc -l)" 0 "no line is too long"
like "$(cat many.txt)" '^[0-9]+ rows not shown in this form: ' "raw tables are named, not printed"
is "$(awk 'END { print (NR < 4000) }' many.txt)" 1 "300 cells can be read"
"$IOW" report many -f csv | grep -c '^[0-9]' >n
is "$(cat n)" 2400 "all runs are in the CSV"

# ---- a claim on a metric whose less is better says which side has more; a list says how many are left ----

limits=$(for i in 1 2 3 4 5 6 7 8 9; do printf ', { "limit": "slow", "metric": "mean", "at_most": "%sms" }' $i; done)
cat >less.json <<EOF
{ "iowitness": 1, "title": "Less is better",
  "targets": { "slow": { "driver": "synth", "service": "150us", "run_sigma": 0.01 },
               "fast": { "driver": "synth", "service": "100us", "run_sigma": 0.01 } },
  "workloads": { "scan": { "op": "read", "block": "64KiB", "duration": "100ms" } },
  "tests": [ { "name": "t", "targets": ["fast", "slow"], "workloads": ["scan"], "cache": "as-is", "blocks": 5, "pause": "0s" } ],
  "questions": [ ${limits#, }, { "compare": "slow", "against": "fast", "margin": 0.2 } ],
  "claims": [ { "says": "slow is at most 10% slower", "by": "x", "compare": "slow", "against": "fast", "metric": "mean",
                "at_least": 0.9 } ] }
EOF
exits 0 'a claim on a latency' "$IOW" run less.json -o less
"$IOW" report less -f text >less.txt
like "$(summary less.txt)" 'mean latency of fast reads was 0\.6[67][0-9]* of that of slow reads .* claimed at least 0\.900: CONTRADICTED' \
	'names the side that has less of it first'
like "$(summary less.txt)" '(One|[0-9]) more (is|are) in section 10' 'what has no room is counted'
like "$(cat less.txt)" 'Margin 5% to 20%' 'margins that differ are told as such'

# ---- a claim on several subjects: its rows name each, and its figures are of one with the blocks of that one ----

cat >several.json <<'EOF'
{ "iowitness": 1, "title": "Several subjects",
  "targets": { "base": { "driver": "synth", "run_sigma": 0.01 }, "late": { "driver": "synth", "run_sigma": 0.01, "ratio": 0.8 },
               "dead": { "driver": "synth", "fail_at": 1 }, "like": { "driver": "synth", "run_sigma": 0.01 } },
  "workloads": { "scan": { "op": "read", "duration": "100ms" } },
  "tests": [ { "name": "t", "targets": ["base", "late", "dead", "like"], "workloads": ["scan"], "cache": "as-is", "blocks": 5,
               "pause": "0s" } ],
  "claims": [ { "says": "none is slower", "by": "x", "compare": ["late", "dead", "like"], "against": "base", "at_least": 0.95 } ] }
EOF
exits 3 'a claim on several' "$IOW" run several.json -o several
"$IOW" report several -f markdown >several.md
for s in late dead like; do like "$(cat several.md)" "^\\| Q1 $s : base" "the row of $s is called that"; done
unlike "$(cat several.md)" '[0-9], 0 blocks' 'no figure rests on no block'
sed 's/"blocks": 5/"blocks": 1/; s/"claims": .*/"questions": [ { "steady": "base" } ] }/' several.json >once.json
"$IOW" run once.json -o once >/dev/null 2>&1
unlike "$("$IOW" report once -f text)" 'n/a%' 'an interval that there is not has no sign'

# ---- samples whose line ends within a word (with sanitizers: and nothing else is wrong) ----

of equivalent torn --blocks 2
rm -f torn/EVIDENCE torn/MANIFEST && sed -i '2s/"intervals"/"intervals/' torn/samples.jsonl
exits 1 'a line that is no JSON' "$IOW" report torn -f text
like "$(cat err)" 'samples.jsonl: ' 'is refused by name'

# ---- rows of one question can be told apart; a question that compares nothing is a question ----

"$make_bundle" --kind together --no-samples -o together && "$IOW" report together -f markdown >together.md
for n in 1 2 3 4; do
	like "$(grep SLOWER together.md)" "Q1 four nodes together : alone, shared raw from n$n " "the row of node n$n names it"
done
# ---- every rule is asked ----

"$make_bundle" --kind load --no-samples -o load && "$IOW" report load -f text | tr '\n' ' ' | tr -s ' ' >load.txt
like "$(cat load.txt)" 'the rate follows the universal scalability law over 6 levels of jobs' 'rates that follow the law are told'
like "$(cat load.txt)" 'its largest rate lies near N = 30\.' 'with its largest rate, near sqrt(.98 / .001) = 31.3'

# ---- a small difference that is sure: its interval is told with digits that show that it excludes 1 ----

"$make_bundle" --kind two-way --ratio 1.002 --sd 0.0004 --blocks 6 --no-samples -o near && "$IOW" report near -f markdown >near.md
like "$(cat near.md)" '1\.00[0-9]{1,2}x .*95% CI 1\.00[0-9]{1,2} to 1\.00[0-9]{1,2}, 6 blocks' 'an interval that excludes 1 does not read as 1.00'
unlike "$(cat near.md)" '95% CI 1\.00 to' 'nor begins there'
like "$(cat near.md)" 'though the interval lies within the 5% margin' 'and does not reach into the margin: it lies within'

# ---- why nothing could be decided, and what a code in brackets is ----

of equivalent few --blocks 1
"$IOW" report few -f text | tr '\n' ' ' | tr -s ' ' >few.out
like "$(cat few.out)" 'could be decided: a verdict needs 5 complete blocks, and each test has 1 block at most' 'too few blocks are told first'
like "$(cat few.out)" 'A character that the font lacks' 'the glossary tells what stands for a character that is not drawn'

"$make_bundle" --kind cpu --no-samples -o cpu && "$IOW" report cpu -f text >cpu.txt
unlike "$(cat cpu.txt)" 'declares no question' 'who asks of the processor has asked'

done_testing
