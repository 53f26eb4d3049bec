#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# 200 random data sets: every interval, p and fit of the product against R, to 1e-9 (fits 1e-6).
. "$(dirname "$0")/../lib/tap.sh"
command -v Rscript >/dev/null 2>&1 || skip_all_anywhere 'no R here (apt-get install r-base-core)'
plan 3

"$IOW_BUILD/tests/oracle/against_r" >data
ok 'R reads the data' sh -c "Rscript --vanilla '$IOW_SRC/tests/oracle/against_r.R' <data >table"
sed 's/^/# /' table
is "$(grep ^sets table)" 'sets 200 ' 'R computed all data sets anew'
is "$(grep -c ^agrees table) $(grep ^DIFFERS table)" "$(($(wc -l <table) - 1)) " 'and every figure agrees'
