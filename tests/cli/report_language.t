#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every visible word of a report comes from the wording file: a third language is one file. Shown with a
# language that has an x for each letter of the English words: what else is read is data or a unit.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

make_bundle=$IOW_BUILD/tests/lib/make_bundle

mkdir -p x/report/wording
awk '{
	if (!match($0, /^  "([^"\\]|\\.)*": "/)) { print; next }
	head = substr($0, 1, RLENGTH); v = substr($0, RLENGTH + 1); out = ""; mark = 0
	for (i = 1; i <= length(v); i++) {
		c = substr(v, i, 1)
		if (c == "\\") { out = out c substr(v, ++i, 1); continue }
		if (c == "{") mark = 1
		if (c == "}") mark = 0
		if (!mark && c ~ /[A-Za-z]/) c = c ~ /[A-Z]/ ? "X" : "x"
		out = out c
	}
	print head out
}' "$IOW_SRC/templates/report/wording/en.json" >x/report/wording/xx.json

# Words of three letters or more, one a line, in lower case; those of data are known.
list() { grep -oE '[A-Za-z]{3,}' | tr '[:upper:]' '[:lower:]' | sort -u; }
units='gib kib mib tib utc iow iops iowitness libharu jansson'

only_data() { # BUNDLE DESC
	"$IOW" report "$1" -f markdown --language xx --templates x >r.md 2>err
	{ cat "$1/plan.json" "$1/cells.json" "$1/host.json" "$1/runs.jsonl" "$1/log.txt" "$1/EVIDENCE"; echo "$units"; } | list >known
	sed '/^```/,/^```/d' r.md | list | grep -vxE 'x+|[0-9a-f]+' | comm -23 - known >left
	is "$(cat err; tr '\n' ' ' <left)" "" "$2"
	isnt "$(grep -cE 'x{4,}' r.md)" 0 "$1: and is not empty"
}

for kind in two-way void all-failed exploratory metrics claims sweep passes together writes stall capped; do
	"$make_bundle" --kind $kind -o $kind >/dev/null 2>&1
	only_data $kind "$kind: no word but those of the wording file and of the data"
done

sed '/"said.gate.foreign"/d' x/report/wording/xx.json >x/report/wording/yy.json
exits 1 "a language that lacks a key is refused" "$IOW" report two-way -f text --language yy --templates x
like "$(cat "$T/err")" 'yy\.json: no words for "said\.gate\.foreign"; a language has every key of en\.json' "and the key is named"

# ---- what a real machine says, in German ----

cat >plan.json <<'EOF'
{ "iowitness": 1, "title": "Titel", "report": { "language": "de" },
  "targets": { "eins": { "driver": "posix", "path": "f", "size": "1MiB" }, "zwei": { "driver": "posix", "path": "g", "size": "1MiB" } },
  "workloads": { "lesen": { "op": "read", "block": "64KiB", "amount": "256KiB" } },
  "tests": [ { "name": "t", "targets": ["eins", "zwei"], "workloads": ["lesen"], "passes": 2, "blocks": 2, "control": true, "pause": "0s" } ],
  "questions": [ { "compare": "eins", "against": "zwei", "margin": 0.05 }, { "cache": "eins", "margin": 0.05 } ] }
EOF
"$IOW" run plan.json -o real >out 2>err
"$IOW" report real -f markdown >r.md
like "$(cat r.md)" '^## 2 Zusammenfassung' "a report in German"
unlike "$(sed '/^```/,/^```/d' r.md | grep -v 'Befehlszeile')" \
	'not readable|estimated error|(^|[^a-zA-Z])(the|of|which|that|not|with|from|and|by|against|repeat|control|used|supported|nodes?|days|is|are|it|its)([^a-zA-Z]|$)' \
	"has no English in what the machine says, nor in labels, reasons or attributes"
unlike "$(cat "$IOW_SRC/templates/report/wording/de.json")" 'Kampagne' "a campaign has one name in German: Messung"
done_testing
