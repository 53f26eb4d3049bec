#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The renderers against independent readers of their formats, with invented reports.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd qpdf pdftotext pdfdetach pdffonts pdfinfo
plan 25

gallery=$IOW_BUILD/tests/unit/report_gallery
[ -x "$gallery" ] || skip_all 'the gallery is not built'

mkdir a b
ok 'all forms are written' "$gallery" a 400
for name in report hostile large; do
	ok "$name: qpdf finds no fault" qpdf --check "a/$name.pdf"
	is "$(pdftotext "a/$name.pdf" "$name.txt" 2>&1)" '' "$name: poppler has no warning"
done
is "$(pdffonts a/report.pdf | awk 'NR > 2 && $(NF - 4) != "yes"')" '' 'every font is embedded'
like "$(pdfdetach -list a/report.pdf)" 'plan.json' 'attachments are listed'
ok 'and taken out' pdfdetach -saveall -o b a/report.pdf
is "$(cat b/plan.json)" '{ "iowitness": 1 }' 'as they were'

# The structure: links are named, in the contents too, with their place to click at.
pdfinfo -struct-text a/report.pdf >structure.txt 2>structure.err
is "$(cat structure.err)" '' 'poppler reads the structure'
like "$(grep -A 3 'Link (inline)' structure.txt | tr -d '\n')" '→ Evidence [0-9.]*, page [0-9]*" *Object [0-9]' 'a link is named with its place'

# The answer is on the first page, in words and as its number; the running title is not.
pdftotext -l 1 a/report.pdf cover.txt
like "$(tr '\n' ' ' <cover.txt)" '2.13x slower than of the local volume .*: SLOWER, beyond the 5% margin' 'the cover has the answer'
like "$(pdftotext -bbox -l 1 a/report.pdf - | grep -c '>SLOWER<')" '^1$' 'and its verdict as a tag'
# A notice is never cut.
like "$(pdftotext -raw -l 1 a/hostile.pdf - | grep -B 1 '^Contents' | head -1)" 'U.0644' 'a long notice is printed to its end'

# The same sentences in every form: words of the findings, as the page has them.
words() { tr -s ' \n\f' '   ' | sed 's/\xc2\xa0/ /g; s/ page [0-9][0-9]*//g'; }
sed 's/<[^>]*>//g; s/&#39;/'"'"'/g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' a/report.html | words >html.words
words <report.txt >pdf.words
words <a/report.txt >txt.words
words <a/report.md >md.words
missing=
while read -r sentence; do
	for form in html pdf txt md; do
		grep -qF "$sentence" "$form.words" || missing="$missing $form: $sentence"
	done
done <<'END'
Reads of the fabric volume ran 2.13x slower than of the local volume (95% CI 2.07 to 2.20, 8 blocks, paired): SLOWER, beyond the 5% margin.
FASTER, beyond the 5% margin; the device moved 0 of 2147 MB: served from the page cache.
EQUIVALENT within the 5% margin.
Thirteen blocks would decide it, if the ratio seen is the true one.
Retained bytes over retained seconds of each run; mean and t interval over runs.
END
is "$missing" '' 'the same sentences in HTML, PDF, text and Markdown'

# The same bytes elsewhere, in another locale and time zone. One with a comma for a point must exist
# for this to mean anything.
if command -v localedef >/dev/null && mkdir loc && localedef -i de_DE -f UTF-8 loc/de_DE.UTF-8 >/dev/null 2>&1; then
	mkdir there && cd there || exit 99
	LOCPATH=$T/loc LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Tokyo "$gallery" ../b 400 >/dev/null
	cd .. || exit 99
	ok 'the same bytes in another place, locale and time zone' diff -r -x plan.json -x EVIDENCE a b
else
	skip 1 'no localedef here'
fi
is "$(grep -c '<script' a/hostile.html)" 0 'no markup of a datum reaches the page'
text=$(cat hostile.txt)
like "$text" 'lastofcell' 'a cell longer than a page is there to its end'
like "$text" 'lastofsentence' 'a sentence too'
like "$text" '29003\.00' 'and the last column of a table too wide for the page'

# The structure for readers that speak: tables with head cells, figures with words.
tags=$(pdfinfo -struct-text a/report.pdf 2>&1)
like "$tags" '^ *TH' 'tables have head cells'
like "$tags" '/Scope /Column' 'that say what they head'
like "$(pdfinfo a/report.pdf)" '^Tagged: *yes' 'the PDF is tagged'
