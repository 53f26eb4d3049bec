#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command of the program has a help, and a place in the manual and in README.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

commands=$("$IOW" --help | sed -n 's/^  \([a-z][a-z-]*\)  *.*/\1/p')
man=$IOW_SRC/core/man/iowitness.1
options() { grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' "$1" | grep -oE -e '--[a-z-]+' | grep -v -e '^--help$'; }

for c in $commands; do
	ok "$c --help" "$IOW" "$c" --help
	like "$(head -n 1 "$T/out")" "^usage: iowitness $c" "$c --help begins with its usage"
	is "$("$IOW" help "$c" 2>&1)" "$(cat "$T/out")" "help $c says the same"
	is "$(awk 'length($0) > 100' "$T/out")" '' "$c --help fits a terminal"
	like "$(cat "$man")" "^\.(BI?|BR) \"?$c( |\"|\$)" "$c is in iowitness(1)"
	is "$(options "$T/out" | while read -r o; do
		sed 's/\\-/-/g' "$man" | grep -qE -e "$o([^a-z-]|\$)" || echo "$o"; done)" '' \
		"the options of $c are in iowitness(1)"
	like "$(cat "$IOW_SRC/README.md")" "iowitness $c" "$c is in README"
	exits 1 "$c refuses an unknown option" "$IOW" "$c" --no-such-option
done

is "$(awk '/^\.SH/ { inside = /COMMANDS/ } /^\.RS/ { deep++ } /^\.RE/ { deep-- }
	inside && !deep && head { gsub(/"/, ""); print $2; head = 0 } /^\.TP/ { head = !deep }' "$man" |
	sort -u | while read -r c; do echo "$commands" | grep -qx "$c" || echo "$c"; done)" '' \
	'iowitness(1) knows no other command'
is "$(grep -oE '^\| `iowitness [a-z]+' "$IOW_SRC/README.md" | cut -d' ' -f3 | while read -r c; do
	echo "$commands" | grep -qx "$c" || echo "$c"; done)" '' 'nor does README'
ok '--help' "$IOW" --help
like "$(cat "$T/out")" '^usage: iowitness' 'and its usage'
exits 1 'no command' "$IOW"
like "$(cat "$T/err")" '^usage: iowitness' 'prints the usage on stderr'
exits 1 'an unknown command' "$IOW" no-such
like "$(cat "$T/err")" 'no command "no-such"' 'is named'
exits 1 'help for an unknown command' "$IOW" help no-such
version=$("$IOW" --version)
like "$version" '^iowitness [0-9]+\.[0-9]+\.[0-9]+$' '--version'
like "$(sed -n '2p' "$man")" "\"$version\"" 'is the version of the manual'
if command -v groff >/dev/null 2>&1; then
	for page in "$IOW_SRC"/core/man/*.[1-8]; do
		is "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" '' "$(basename "$page") is sound"
	done
else
	skip 1 'no groff'
fi
done_testing
