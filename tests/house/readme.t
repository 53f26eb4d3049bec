#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# README is true: its example is run as it stands there, and what it names is there.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan_later

readme=$IOW_SRC/README.md

# fenced LANGUAGE N: the Nth fenced block of that language.
fenced() {
	awk -v open="^\`\`\`$1\$" -v want="$2" '
		/^```/ && inside { inside = 0; next }
		$0 ~ open { inside = 1; n++; next }
		/^```/ { inside = 1; skip = 1 }
		inside && n == want && !skip { print }
		!inside { skip = 0 }' "$readme"
}

fenced json 1 >example.json
isnt "$(wc -c <example.json)" 0 'README has an example of a plan'
fenced sh 2 | sed 's/ *#.*//' >commands
is "$(grep -c '^\./iowitness ' commands)" "$(wc -l <commands | tr -d ' ')" 'and the commands for it'
if [ "$(stat -f -c %T .)" = tmpfs ]; then
	skip_anywhere 5 'the scratch directory is memory'
else
	while IFS= read -r command; do
		"$IOW" ${command#./iowitness } >out.txt 2>err.txt </dev/null
		status=$?
		case $command in # a busy machine makes it void, and the vendor is wrong or right
		*' run '* | *' report '*) like $status '^[025]$' "$command" ;;
		*) is $status 0 "$command" ;;
		esac
		[ -s err.txt ] && [ "${command#* run }" = "$command" ] && diag "$(head -n 5 err.txt)"
	done <commands
fi

is "$(fenced sh 1 | grep -o '^\./autogen.sh --[a-z]*' | tr '\n' ' ')" './autogen.sh --run ./autogen.sh --check ' \
	'README is led by the two commands'
like "$(sed -n '1,/^## /p' "$readme" | tr '\n' ' ')" '^# iowitness .*autogen.sh --run.*CI .* blocks, paired\)' \
	'and by a conclusion'
is "$(grep -oE '`(core|reports|plugins|templates|tests|\.ci)/[a-zA-Z0-9_./-]*`' "$readme" | tr -d '\140' | sort -u |
	grep -v NAME | while read -r f; do
		[ -e "$IOW_SRC/$f" ] || [ -e "$IOW_SRC/$f.c" ] || echo "$f"; done)" '' 'what it names is in the tree'
is "$(grep -oE '`make [a-z]+`' "$readme" | tr -d '\140' | cut -d' ' -f2 | sort -u | while read -r t; do
	grep -q "^$t:" "$IOW_BUILD/Makefile" || echo "$t"; done)" '' 'each make target is there'
is "$(grep -oE 'iowitness[a-z-]*\([0-9]\)' "$readme" | sort -u | tr -d ')' | tr '(' . | while read -r p; do
	[ -e "$IOW_SRC/core/man/$p" ] || echo "$p"; done)" '' 'each manual page too'
done_testing
