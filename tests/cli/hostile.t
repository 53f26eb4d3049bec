#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names that would break a careless renderer, through the whole way: plan, bundle, report.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd qpdf pdftotext
plan 17

name="<script>x</script> {{{m}}} **b** |p| \`t\` Ελ Ки 日本 😀 ß &amp; %s %n"
long=$(printf 'abcdefghij%.0s' 1 2 3 4 5 6 7 8 9 10 11)
cat >plan.json <<END
{ "iowitness": 1, "title": "$name $long $long $long",
  "report": { "issuer": "$name", "for": "$long", "case": "$name", "authorised_by": "$name", "signer": "$name" },
  "targets": { "$name": { "driver": "null", "size": "64MiB" }, "$long": { "driver": "null", "size": "64MiB" } },
  "workloads": { "$name": { "op": "read", "pattern": "sequential", "block": "128KiB", "duration": "20ms" } },
  "tests": [ { "name": "$name", "targets": ["$name", "$long"], "workloads": ["$name"], "region": "same", "blocks": 5 } ],
  "questions": [ { "compare": "$name", "against": "$long", "metric": "throughput", "margin": 0.05 } ] }
END
"$IOW" run plan.json -o b --set "/report/address=it's \$(true) here" >run.out 2>&1
ok 'there is a report' test -s b/report.html
ok 'in PDF too' test -s b/report.pdf
is "$(grep -c '<script' b/report.html)" 0 'no markup of a name reaches the page'
like "$(cat b/report.html)" '&lt;script&gt;x&lt;/script&gt; \{\{\{m\}\}\} \*\*b\*\*' 'the name does, as it is'
like "$(cat b/report.html)" '日本 😀' 'in every script'
ok 'qpdf finds no fault' qpdf --check b/report.pdf
is "$(pdftotext b/report.pdf pdf.txt 2>&1)" '' 'poppler has no warning'
like "$(cat pdf.txt)" 'Ελ Ки' 'Greek and Cyrillic are printed'
like "$(tr -d '\n' <pdf.txt)" '\[U\+65E5\]\[U\+672C\] ?\[U\+1F600\]' 'what the fonts lack is named, not dropped'
like "$(tr -d '\n' <pdf.txt)" "$long" 'a word of 110 letters is whole'
"$IOW" report b -f text >text.txt
like "$(tr -s ' \n' '  ' <text.txt)" '\*\*b\*\* \|p\| `t` Ελ Ки 日本 😀 ß &amp; %s %n' 'the same in plain text'
"$IOW" report b -f markdown >md.txt
is "$(sed '/^```/,/^```/d' md.txt | grep -Ec '(^|[^\\])<script')" 0 'Markdown has markup of a name only as code'
"$IOW" report b -f csv >csv.txt
like "$(cat csv.txt)" '^[0-9]+,0,<script>x</script>' 'and the values as they are'
like "$(cat b/report.html)" "iowitness run plan.json --set &#39;/report/address=it&#39;[\]&#39;&#39;s \\$" \
	'a value is one word of the command that repeats it'
like "$(sed -n '/Signer/,$p' text.txt)" '^ *Signer.*<script>' 'the signer is the one that is stated'
mkdir bin && printf '#!/bin/sh\necho "$1" >%s/opened\n' "$T" >bin/xdg-open && chmod +x bin/xdg-open
PATH=$T/bin:$PATH "$IOW" report b --open >out.txt 2>&1
for i in 1 2 3 4 5 6 7 8 9 10; do [ -s opened ] || sleep 0.2; done
is "$(cat opened)" b/report.html '--open shows the page'
PATH=$T "$IOW" report b --open >out.txt 2>&1
like "$(cat out.txt)" '--open: xdg-open' 'and says so when it cannot'
