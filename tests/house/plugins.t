#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A driver exports its descriptor and nothing else, and leans on no symbol of the program.
. "$(dirname "$0")/../lib/tap.sh"
require_cmd nm
plan_later

found=0
for so in "$IOW_BUILD"/plugins/*/*.so; do
	[ -e "$so" ] || continue
	found=1
	name=$(basename "$so")
	is "$(nm -D --defined-only "$so" | awk '{ print $3 }' | tr '\n' ' ')" 'iow_driver_1 ' \
		"$name exports iow_driver_1 only"
	is "$(nm -D --undefined-only "$so" | awk '$2 ~ /^iow_/ { print $2 }')" '' \
		"$name calls the host through its table only"
done
[ "$found" = 1 ] || skip_all "no driver was built"
done_testing
