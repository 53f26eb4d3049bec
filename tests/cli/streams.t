#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Standard streams that are full or closed.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 9

cat >plan.json <<EOF
{ "iowitness": 1, "title": "x",
  "targets": { "f": { "driver": "posix", "path": "$T/f", "size": "1MiB" } },
  "workloads": { "w": { "op": "write", "block": "64KiB", "amount": "64KiB" } },
  "tests": [ { "name": "t", "targets": ["f"], "workloads": ["w"], "pause": "0", "blocks": 1 } ] }
EOF
full() { "$@" >/dev/full; }
closed() { "$@" <&- >&- 2>&-; }

[ -w /dev/full ] || skip_all_anywhere 'no /dev/full here'
exits 1 'a version that cannot be printed' full "$IOW" --version
exits 1 'an answer that cannot be printed' full "$IOW" plan check plan.json
like "$(cat "$T/err")" 'standard output: No space' 'is told'
exits 3 'a campaign whose end cannot be told' full "$IOW" run plan.json -o b --no-report
ok 'is kept' "$IOW" verify b
exits 1 'its check cannot be told' full "$IOW" verify b

ok 'no stream is open' closed "$IOW" run plan.json -o c --no-report
ok 'the campaign is whole' "$IOW" verify c
is "$(status c ok)" 1 'and its run well'
