#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A report is a function of its bundle: the same bytes in another locale, time zone, directory,
# environment and at another time. The locale is compiled here, so that it is really there, and a
# program that asks for it is shown to write differently.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd localedef
plan_later

mkdir locales made
localedef -f UTF-8 -i de_DE locales/de_DE.UTF-8 >localedef.out 2>&1 ||
	[ -d locales/de_DE.UTF-8 ] || skip_all 'localedef cannot compile de_DE here (package locales)'
like "$(LOCPATH=$T/locales LC_ALL=de_DE.UTF-8 env printf '%.1f' 1,5)" '^1,5$' \
	'the compiled locale has a decimal comma'

# in_german CMD…: as on a machine that is as different as can be.
in_german() {
	env LOCPATH="$T/locales" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de TZ=Pacific/Kiritimati \
		COLUMNS=33 TERM=xterm-256color HOME="$T/elsewhere" POSIXLY_CORRECT=1 "$@"
}

# forms BUNDLE DIR [PREFIX…]: every form of its report into DIR.
forms() {
	bundle=$1 to=$2
	shift 2
	mkdir -p "$to"
	"$@" "$IOW" report "$bundle" >"$to/terminal" 2>&1
	echo $? >"$to/status"
	cp "$bundle/report.html" "$bundle/report.pdf" "$bundle/results.json" "$to"
	for form in html pdf text markdown json; do
		"$@" "$IOW" report "$bundle" --format "$form" >"$to/$form"
	done
}

bundles=$IOW_SRC/tests/golden/bundle-1
for kind in two-way sweep claims together; do
	"$IOW_BUILD/tests/lib/make_bundle" --kind "$kind" -o "$T/made/$kind" >/dev/null 2>&1 ||
		bail "no bundle of kind $kind"
	bundles="$bundles $T/made/$kind"
done

mkdir elsewhere
for b in $bundles; do
	name=$(basename "$b")
	mkdir -p one "two/a longer path/down here"
	cp -r "$b" one/b && chmod -R u+w one
	cp -r "$b" "two/a longer path/down here/b" && chmod -R u+w two
	forms one/b "out/$name.1" env TZ=UTC
	(cd "two/a longer path/down here" && forms b "$T/out/$name.2" in_german)
	for form in "out/$name.1"/*; do
		form=$(basename "$form")
		if [ "$form" = terminal ]; then # it names where the reports are
			sed -i -e "s|[^ ]*one/b|DIR|g" "out/$name.1/terminal"
			sed -i -e "s|^b\b|DIR|; s| b/| DIR/|g; s|^b/|DIR/|" "out/$name.2/terminal"
		fi
		same "out/$name.1/$form" "out/$name.2/$form" "$name: $form is the same, byte for byte"
	done
	forms one/b "out/$name.3"
	is "$(cd "out/$name.1" && for f in html pdf text markdown json status; do
		cmp "$f" "../$name.3/$f" 2>&1; done)" '' "$name: and a second time"
	same one/b/report.html "out/$name.1/html" "$name: --format writes what the bundle gets"
	same one/b/results.json "out/$name.1/json" "$name: in JSON too"
	rm -rf one two
done

# The commands whose words come from the machine are left; the help is not among them.
in_german "$IOW" --help >german.txt
"$IOW" --help >plain.txt
same german.txt plain.txt 'the help is the same'
done_testing
