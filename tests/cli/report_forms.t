#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One bundle, five forms, the same sentences word for word; no words missing; sound PDF.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd pdftotext qpdf
plan_later

make_bundle=$IOW_BUILD/tests/lib/make_bundle

# Words only: line ends, indents and the soft breaks of a form are not part of a sentence.
words() { tr -s '[:space:]' ' ' | sed 's/ / /g'; }

html_text() {
	sed -e 's/<[^>]*>//g' "$1" | sed -e "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&#39;/'/g; s/&amp;/\&/g" | words
}

# Sentences of the findings, one a line, as they stand in results.json.
sentences() {
	tr '\n' ' ' <"$1" | grep -oE '"sentence": "([^"\\]|\\.)*"' | sed -e 's/^"sentence": "//; s/"$//' -e 's/\\"/"/g; s/\\\\/\\/g'
}

check() { # KIND, made in $T/KIND if it is not there
	d=$T/$1
	[ -d "$d" ] || "$make_bundle" --kind "$1" -o "$d" >/dev/null 2>&1 || { fail "$1 is made"; return; }
	"$IOW" report "$d" >"$T/out" 2>"$T/err"
	status=$?
	is "$(cat "$T/err")" '' "$1: report is silent on stderr (exit $status)"
	sentences "$d/results.json" >"$T/said"
	isnt "$(wc -l <"$T/said")" 0 "$1: has findings"
	"$IOW" report "$d" --format text >"$T/r.txt"
	"$IOW" report "$d" --format markdown >"$T/r.md"
	pdftotext -layout "$d/report.pdf" "$T/r.pdftext" 2>"$T/warn"
	is "$(cat "$T/warn")" '' "$1: no Poppler warning"
	ok "$1: qpdf finds nothing" qpdf --check "$d/report.pdf"
	pdftotext -raw "$d/report.pdf" - 2>/dev/null | words >"$T/pdf.words"
	html_text "$d/report.html" >"$T/html.words"
	words <"$T/r.txt" >"$T/text.words"
	sed 's/\\\([^a-zA-Z0-9 ]\)/\1/g' "$T/r.md" | words >"$T/markdown.words"
	words <"$T/out" >"$T/terminal.words"
	while IFS= read -r s; do
		w=$(printf '%s' "$s" | words)
		for form in pdf html text markdown; do
			grep -qF -e "$w" "$T/$form.words" || echo "$form: $w"
		done
	done <"$T/said" >"$T/missing"
	is "$(cat "$T/missing")" '' "$1: every sentence stands in every form"
	is "$(grep -ohE '[^ ]* [^ ]* \[\?\]' "$T/html.words" "$T/text.words" | sort -u)" '' "$1: no key without words"
}

for kind in two-way inconclusive equivalent void all-failed exploratory metrics claims sweep passes together writes; do
	check $kind
done

# Reports about several campaigns, every state of a cell in them.
"$make_bundle" --kind cells --cells 24 --ratio 0.9 --no-samples -o old
"$make_bundle" --kind cells --cells 24 --ratio 0.7 --against 1.2 --seed 2 --kernel 6.6.0 --week 1 --no-samples -o new
"$IOW" compare old new -o compare --changed 'a cable & <script>' >/dev/null
check compare
"$make_bundle" --kind void --week 2 --no-samples -o void-new
"$IOW" compare two-way void-new -o compare-void >/dev/null
check compare-void
mkdir weeks
for n in 1 2 3 4 5 6 7 8 9 10; do
	"$make_bundle" --kind sweep --no-samples --blocks 5 --week $n --seed $n --ratio 0.$((53 - n / 10 * 20)) -o weeks/$n.iow
done
"$make_bundle" --kind sweep --no-samples --blocks 5 --week 11 --gate cold -o weeks/11.iow
"$IOW" history weeks -o history >/dev/null
check history
rm -r weeks/11.iow
"$IOW" history weeks -o history-watch >/dev/null
check history-watch
is "$("$IOW" report history-watch --language de --format text | grep -oE '\[[a-z]+(\.[a-zA-Z/ -]+)+\]' | sort -u)" '' \
	'German has words for a history'
is "$("$IOW" report compare-void --language de --format text | grep -oE '\[[a-z]+(\.[a-zA-Z/ -]+)+\]' | sort -u)" '' \
	'German has words for it'
done_testing
