#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An independent script computes every comparison and cell of a bundle anew from its raw lines.
. "$(dirname "$0")/../lib/tap.sh"
command -v Rscript >/dev/null 2>&1 || skip_all_anywhere 'no R here (apt-get install r-base-core)'
plan 8

# NAME OPTION…
check() {
	name=$1
	shift
	"$IOW_BUILD/tests/lib/make_bundle" "$@" -o "$name" &&
		"$IOW_BUILD/iowitness" report "$name" >/dev/null 2>&1
	Rscript --vanilla "$IOW_SRC/tests/oracle/bundle_r.R" "$name" >"$name.table" 2>&1
	sed 's/^/# /' "$name.table"
	is "$(grep -c '^agrees' "$name.table" | sed 's/^[12][0-9]$/all/') $(grep DIFFERS "$name.table")" 'all ' "$name"
}

check two-way --kind two-way --kill 1 --no-samples
check warm-up --kind two-way --warm 0.5
check failing --kind two-way --fail 1 --ratio 1.2
check sweep --kind sweep --fail 1 --kill 2
check metrics --kind metrics
check equivalent --kind equivalent
check inconclusive --kind inconclusive
check void --kind void
