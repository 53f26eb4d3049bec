#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rules of the code that a compiler does not know. Each first shows on a planted file that it bites.
. "$(dirname "$0")/../lib/tap.sh"
plan 9

# calls ROOT FOLDERS ERE [EXCEPT]: calls of functions that match, with file and line.
calls() {
	(cd "$1" && for folder in $2; do
		[ ! -d "$folder" ] || find "$folder" -name '*.[ch]' -type f
	done | sort | xargs grep -nE "(^|[^a-zA-Z0-9_.>])($3)[[:space:]]*\\(" /dev/null |
		grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)' | grep -vE "^(${4:-none}):")
}

# Errors go up as values; what a person reads is printed by the commands.
printing='printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|perror|err|errx|warn|warnx'
silent='core/base core/plan core/bundle core/run core/stats core/import core/include reports plugins'

# Nothing may depend on the locale, the time zone or a hidden seed; base/num reads and writes reals.
moody='setlocale|uselocale|newlocale|localeconv|strtod|strtof|atof|localtime|localtime_r|strftime|mktime|ctime|asctime|rand|srand|random|srandom|drand48|strcoll|strxfrm|wcwidth'

# No bound is told to these.
unbounded='sprintf|vsprintf|gets|alloca|tmpnam|mktemp'

mkdir -p tree/core/base tree/core/cli tree/reports
cat >tree/core/base/a.c <<'TXT'
	printf("x");
	snprintf(b, 3, "x");
	strtod(s, NULL);
/* printf("in a comment") */
TXT
cat >tree/core/cli/b.c <<'TXT'
	printf("x");
	h->putc(1);
TXT
cat >tree/reports/c.c <<'TXT'
	sprintf(a, b);
	x = localtime(&t);
TXT
is "$(calls "$T/tree" "$silent" "$printing")" 'core/base/a.c:1:	printf("x");' \
	'a planted print is found, and only that'
is "$(calls "$IOW_SRC" "$silent" "$printing")" '' 'only the commands print'
is "$(calls "$T/tree" 'core reports plugins' "$moody" | cut -d: -f1,2 | tr '\n' ' ')" \
	'core/base/a.c:3 reports/c.c:2 ' 'planted calls that depend on the locale are found'
is "$(calls "$IOW_SRC" 'core reports plugins' "$moody" 'core/base/num\.c')" '' \
	'nothing depends on the locale, the time zone or a hidden seed'
is "$(calls "$T/tree" 'core reports plugins' "$unbounded" | cut -d: -f1,2)" reports/c.c:1 \
	'a planted call without a bound is found'
is "$(calls "$IOW_SRC" 'core reports plugins' "$unbounded")" '' 'no call without a bound'

# A header can be read alone: it includes what it uses and is guarded.
inc="-I$IOW_SRC/core/include -I$IOW_SRC/core -I$IOW_SRC -I$IOW_SRC/plugins -D_GNU_SOURCE"
flags=$(pkg-config --cflags jansson mount blkid fontconfig 2>/dev/null)
alone() {
	find "$@" -name '*.h' -type f | sort | while read -r h; do
		printf '#include "%s"\n#include "%s"\n' "$h" "$h" >one.c
		# shellcheck disable=SC2086
		${IOW_CC:-cc} -std=gnu11 -fsyntax-only -Wall -Werror $inc $flags one.c >one.err 2>&1 ||
			{ echo "${h#"$IOW_SRC"/}"; head -n 3 one.err; }
	done
}
mkdir planted && echo 'static inline size_t f(void) { return 1; }' >planted/a.h
like "$(alone planted)" 'planted/a.h' 'a planted header that needs another is found'
is "$(alone "$IOW_SRC/core" "$IOW_SRC/reports" "$IOW_SRC/plugins")" '' 'each header can be read alone'
is "$(cd "$IOW_SRC" && find core reports plugins -name '*.h' -type f | sort | while read -r h; do
	guard=$(sed -n 's/^#ifndef \([A-Z0-9_]*_H\)$/\1/p' "$h" | head -n 1)
	[ -n "$guard" ] && grep -q "^#define $guard\$" "$h" || echo "$h"; done)" '' 'and has its guard'
