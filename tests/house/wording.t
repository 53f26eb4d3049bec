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

# Keys that no code names: a literal, or a prefix that is given with a name (W(x, "gate.state…") and the like).
built='^(said|metric|gate|opinion|term|pattern|durability|cache|op)\.'
while read -r k; do
	bare=${k%.one} bare=${bare%.many} bare=${bare%.label}
	grep -qF -e "\"$k\"" -e "\"$bare\"" "$IOW_SRC"/reports/*.c || echo "$k"
done <en | grep -vE "$built" | while read -r k; do
	# verdict.NOT MET, fact.serial, status.hung …: the name stands somewhere
	grep -rqF -e "\"${k#*.}\"" -e "\"${k##*.}\"" "$IOW_SRC/core" "$IOW_SRC/reports" || echo "$k"
done >unused
is "$(cat unused)" "" "no key that nothing uses"

# ---- what is said in English by a bundle or by the statistics ----

sed -nE 's/^\t\{ "([^"]*)", ".*" \},$/said.\1/p' "$IOW_SRC/reports/said_table.c" | sort >shapes
isnt "$(wc -l <shapes)" 0 "there are shapes of what is said"
is "$(grep '^said\.' en | diff - shapes)" "" "each shape has words, and each of these words a shape"

cat "$IOW_SRC"/core/stats/*.c |
	tr '\n\t' '  ' | grep -oE '(gate_say|gate_basis|judgement_say)\([^;]*;' | sed -E 's/" *PRId64 *"/d/g; s/" +"//g' |
	grep -oE '"([^"\]|\.)*"' | sed -E 's/^"//; s/"$//; s/%%/%/g; s/%(zu|d|u|s|\.[0-9]+s)/*/g; s/\*%/*/g' | sort -u >texts
sed -nE 's/^\t\{ "[^"]*", "(.*)" \},$/\1/p' "$IOW_SRC/reports/said_table.c" | sed -E 's/\{[^}]*\}/*/g; s/\\"/"/g' |
	sort -u >known
isnt "$(wc -l <texts)" 0 "gates and judgements say something"
# The one with a part that may be missing has two shapes.
is "$(comm -23 texts known | grep -vFx '*, * of * pages resident after the drop**')" "" "each text of a gate or a judgement has a shape"

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
