#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The packages are listed once, in autogen.sh; configure's advice names packages of that list.
. "$(dirname "$0")/../lib/tap.sh"
plan 5

all=$("$IOW_SRC/autogen.sh" --list)
is "$(echo "$all" | sort | uniq -d)" '' 'no package is listed twice'
is "$(sed -n 's/.*iow_missing(\[[^]]*\], \[\([^]]*\)\]).*/\1/p' "$IOW_SRC/configure.ac" | sort -u |
	while read -r p; do echo "$all" | grep -qx "$p" || echo "$p"; done)" '' \
	'what configure advises is in the list'
like "$("$IOW_SRC/autogen.sh" --list build)" '^libjansson-dev$' 'the list can be asked by kind'
exits 1 'an unknown option is refused' "$IOW_SRC/autogen.sh" --no-such
ok 'and --help is there' "$IOW_SRC/autogen.sh" --help
