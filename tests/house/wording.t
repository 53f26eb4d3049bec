#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every key that the report's code names has words, and every language has the same keys and marks.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

words=$IOW_SRC/templates/report/wording

keys() { sed -n 's/^  "\(\([^"\\]\|\\.\)*\)": .*/\1/p' "$1" | sort; }

# key and the set of {marks} in its words, a line each
marks() {
	sed -n 's/^  "\([^"]*\)": \(.*\)/\1 \2/p' "$1" | while read -r key text; do
		printf '%s %s\n' "$key" "$(printf '%s' "$text" | grep -oE '\{[a-z0-9.]+\}' | sort -u | tr '\n' ' ')"
	done | sort
}

keys "$words/en.json" >en
isnt "$(wc -l <en)" 0 "the English wording has keys"
is "$(uniq -d en)" "" "no key is there twice"

# Literal keys: W(x, "a.b"), wording_fill(w, "a.b", …), compose_def(x, "a.b", …)
grep -ohE '(W\(x, |wording_get\([a-z>-]+, |wording_fill\([a-z>-]+, |compose_para\(x, )"[a-z0-9.]+"' "$IOW_SRC"/reports/*.c |
	sed 's/.*"\(.*\)"/\1/' | sort -u >used
isnt "$(wc -l <used)" 0 "the code names keys"
is "$(comm -23 used en)" "" "every literal key has words"

grep -ohE 'compose_def\(x, "[a-z0-9.]+"' "$IOW_SRC"/reports/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u >defs
sed 's/$/.label/' defs | cat - defs | sort -u >defkeys
is "$(comm -23 defkeys en)" "" "every definition has a label and words"

grep -ohE 'wording_count\([a-z>-]+, "[a-z0-9.]+"' "$IOW_SRC"/reports/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u >counts
{ sed 's/$/.one/' counts; sed 's/$/.many/' counts; } | sort -u >countkeys
is "$(comm -23 countkeys en)" "" "every count has one and many"

for f in "$words"/*.json; do
	name=$(basename "$f")
	[ "$name" = en.json ] && continue
	keys "$f" >other
	is "$(comm -23 en other)" "" "$name has every key of en.json"
	is "$(comm -13 en other)" "" "$name has no key of its own"
	marks "$words/en.json" >m1
	marks "$f" >m2
	is "$(diff m1 m2)" "" "$name has the same marks in each text"
done
done_testing
