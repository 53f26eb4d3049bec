#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report.html where it is read: in Chromium, light and dark, from 320 px to 1280 px, by keyboard and on paper, judged
# by axe-core; and by the validator of the HTML standard.
. "$(dirname "$0")/../lib/tap.sh"
modules=${IOW_PAGE_MODULES:-$IOW_SRC/tests/page/node_modules}
require_cmd chromium node java pdftotext
[ -f "$modules/axe-core/axe.min.js" ] && [ -f "$modules/vnu-jar/build/dist/vnu.jar" ] ||
	skip_all 'no axe-core and vnu-jar here; "npm ci" in tests/page installs them'
plan_later

# A site's own colour, the palest that is let in.
mkdir -p site/report
echo '{ "issuer": ["Site", "Street 1"], "accent": "#817800" }' >site/report/branding.json

# page NAME LANGUAGE make_bundle's options…: NAME.html; or from a bundle NAME.iow that is there.
page() {
	name=$1 language=$2
	shift 2
	[ $# -eq 0 ] || "$IOW_BUILD/tests/lib/make_bundle" "$@" -o "$name.iow" >made 2>&1
	"$IOW" report "$name.iow" -f html --language "$language" -o "$name.html" >>made 2>&1 # its exit code is the verdict
	[ -s "$name.html" ] || { fail "$name is made"; tap_show made; }
}

page two-way en --kind two-way
look='two-way.html:keys,policy'
if [ "${IOW_SHORT:-0}" != 1 ]; then
	page together de --kind together
	page sweep en --kind sweep
	page claims de --kind claims --fail 2
	page all-failed en --kind all-failed
	page many en --kind 300-cells
	"$IOW_BUILD/tests/lib/make_bundle" --kind two-way --seed 2 --ratio 0.5 -o after.iow
	"$IOW" compare two-way.iow after.iow -o before-after.iow >made 2>&1
	cp before-after.iow/report.html before-after.html || tap_show made
	cp -r all-failed.iow branded.iow
	IOWITNESS_TEMPLATES=$T/site page branded en
	node "$IOW_SRC/tests/page/spoil.js" claims.iow spoiled.iow && page spoiled de
	look="$look together.html sweep.html claims.html all-failed.html branded.html before-after.html many.html:huge"
	look="$look spoiled.html:policy,spoiled=claims"
fi

# The validator doesn't compute hashes of style sheets (that the style holds is seen in Chromium), and doesn't know the
# draft of CSS that marks the section being read in the contents.
validate() {
	java -Xss8m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$modules/vnu-jar/build/dist/vnu.jar" \
		--format gnu --stdout --filterpattern '.*(Inline style violates Content Security Policy|scroll-target-group|:target-current).*' "$@"
}
validate ./*.html >valid 2>valid.err &
validator=$!
# shellcheck disable=SC2086
node "$IOW_SRC/tests/page/check.js" "$modules" "$T" $look >seen 2>seen.err
is "$?" 0 'Chromium looked at all pages'
tap_show seen.err
is "$(tail -n 1 seen)" end 'to the end'
while IFS='	' read -r verb words; do
	case $verb in pass | fail | diag) "$verb" "$words" ;; esac
done <seen
wait "$validator"
is "$? $(cut -c1-300 valid valid.err)" '0 ' 'the pages are valid HTML'
echo '<!DOCTYPE html><html lang="en"><title>x</title><p id="a" id="b"><b><p>' >bad.html
like "$(validate bad.html)" 'error: Duplicate attribute' 'and the validator knows what is not'

# Paper: as many pages as the text needs, none of them left empty.
for pdf in *.print.pdf; do
	name=${pdf%.print.pdf}
	pdftotext -layout "$pdf" "$name.txt" 2>/dev/null
	is "$(awk -v RS='\f' '{ gsub(/[ \n]+/, " ") } NF { n++ } NF && length($0) < 250 { print "page " NR " is empty" }
		END { if (n < 4 || n > 40) print n " pages" }' "$name.txt")" '' "$name: printed without an empty page"
done
done_testing
