#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plans that are right and odd.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 5

# A swept key of the driver makes "f" a second target, which is called "f (2)" as well.
cat >names.json <<EOF
{ "iowitness": 1, "title": "x",
  "targets": { "f": { "driver": "posix", "path": "$T/f", "size": "1MiB" },
               "f (2)": { "driver": "posix", "path": "$T/g", "size": "1MiB" } },
  "workloads": { "w": { "op": "read", "block": "64KiB", "amount": "64KiB" } },
  "tests": [ { "name": "t", "targets": ["f", "f (2)"], "workloads": ["w"], "cache": "as-is", "pause": "0",
               "sweep": { "target.size": ["512KiB", "1MiB"] }, "blocks": 1 } ] }
EOF
ok 'targets whose names could be mixed up' "$IOW" run names.json -o b --no-report
is "$(status b ok)" 4 'are kept apart'

# The next I/O is due in 30 years.
cat >rare.json <<EOF
{ "iowitness": 1, "title": "x",
  "targets": { "f": { "driver": "posix", "path": "$T/f", "size": "1MiB" } },
  "workloads": { "w": { "op": "read", "block": "64KiB", "rate": 1e-9, "duration": "200ms" } },
  "tests": [ { "name": "t", "targets": ["f"], "workloads": ["w"], "cache": "as-is", "pause": "0", "blocks": 1 } ] }
EOF
ok 'an I/O that is seldom due' "$IOW" run rare.json -o c --no-report
is "$(status c ok)" 1 'does not make a run hung'
is "$(ls)" "$(printf 'b\nc\nerr\nledger\nnames.json\nout\nrare.json')" 'nothing is left'
