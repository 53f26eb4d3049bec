#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bundles about several campaigns for the gallery: several.sh PROGRAM MAKE_BUNDLE DIR makes DIR/before-after.iow
# and DIR/history.iow, and the campaigns that they are made of in DIR/campaigns.
set -eu
program=$1 make=$2 dir=$3 from=$3/campaigns
week=1
[ ! -d "$dir/history.iow" ] || exit 0
rm -rf "$from" "$dir/before-after.iow"
mkdir -p "$from/weeks"
made() { "$make" --kind sweep --block-sd 0.008 --sd 0.015 "$@"; }
made --seed 1 -o "$from/before.iow"
made --seed 2 --week 1 --ratio 0.38 --against 1.2 --kernel 6.6.0-specimen -o "$from/after.iow"
"$program" compare "$from/before.iow" "$from/after.iow" -o "$dir/before-after.iow" --changed 'firmware of the array, 4.2 to 4.3' \
	>/dev/null || test $? = 2
# A year: a kernel of week 31 costs the raw device a seventh; the last week is slower once more.
while [ $week -le 52 ]; do
	ratio=0.43 kernel=6.1.0-specimen
	[ $week -le 30 ] || { ratio=0.37; kernel=6.6.0-specimen; }
	[ $week -le 51 ] || ratio=0.30
	made --no-samples --blocks 5 --seed $week --week $week --ratio $ratio --kernel $kernel -o "$from/weeks/w$week.iow"
	week=$((week + 1))
done
"$program" history "$from/weeks" -o "$dir/history.iow" >/dev/null || test $? = 2
