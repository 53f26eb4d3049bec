#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mistakes and refusals come before anything starts: all at once, exit 1, nothing touched.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 23

cat >six.json <<EOF
{ "iowitness": 1, "title": "Six mistakes", "colour": "red",
  "targets": { "file": { "driver": "posix", "path": "$T/data", "size": "16 MB please" },
               "other": { "driver": "no-such", "path": "$T/data" } },
  "workloads": { "scan": { "op": "reed", "block": "64KiB" } },
  "tests": [ { "name": "scan", "targets": ["file", "nowhere"], "workloads": ["scan"], "blocks": 8 } ],
  "questions": [ { "compare": ["file"], "against": "other", "metric": "sped" } ] }
EOF
exits 1 'a plan with six mistakes' "$IOW" run six.json -o b
is "$(grep -c '^six\.json:[0-9]*:[0-9]*: /' "$T/err")" 6 'six messages with line, column and path'
like "$(cat "$T/err")" '^six\.json:1:[0-9]+: /colour: ' 'an unknown key'
like "$(cat "$T/err")" '^six\.json:2:[0-9]+: /targets/file/size: ' 'a wrong value'
like "$(cat "$T/err")" '^six\.json:3:[0-9]+: /targets/other/driver: ' 'an unknown driver'
like "$(cat "$T/err")" '^six\.json:4:[0-9]+: /workloads/scan/op: .*read' 'a wrong choice, and what is allowed'
like "$(cat "$T/err")" '^six\.json:5:[0-9]+: /tests/0/targets/1: ' 'an unknown target'
like "$(cat "$T/err")" '^six\.json:6:[0-9]+: /questions/0/metric: ' 'an unknown metric'
is "$(ls)" "$(printf 'err\nout\nsix.json')" 'nothing was touched'

cat >fine.json <<EOF
{ "iowitness": 1, "title": "x", "targets": { "t": { "driver": "posix", "path": "/no/such/folder/f", "size": "1MiB" } },
  "workloads": { "w": { "op": "read" } }, "tests": [ { "name": "t", "targets": ["t"], "workloads": ["w"] } ] }
EOF
exits 1 'a bundle where none can be' "$IOW" run fine.json -o no/such/b
like "$(cat "$T/err")" 'no/such/b: No such file' 'is told before targets are prepared'

exits 1 'no such plan' "$IOW" run none.json
is "$(cat "$T/err")" 'none.json: No such file or directory' 'is named'
exits 1 'a place without its slash' "$IOW" run fine.json --set title=x
like "$(cat "$T/err")" 'a place in the plan begins with /' 'is told so'
exits 1 'no plan' "$IOW" run

build_driver aborts <<'EOF'
#include <iowitness/driver.h>
#include <stdlib.h>
__attribute__((constructor)) static void start(void) { abort(); }
const struct iow_driver *iow_driver_1(void) { return NULL; }
EOF
cat >aborts.json <<EOF
{ "iowitness": 1, "title": "x", "targets": { "t": { "driver": "aborts" } },
  "workloads": { "w": { "op": "read" } }, "tests": [ { "name": "t", "targets": ["t"], "workloads": ["w"] } ] }
EOF
exits 1 'a driver whose constructor aborts' "$IOW" run aborts.json --plugin-path "$T/plugins" -o b
like "$(cat "$T/err")" 'aborts crashed: signal 6 \(SIGABRT\)' 'is named, with the signal'
nok 'no bundle' test -e b
is "$(left_over)" 0 'no process is left'

# 511 bytes fit; the first 511 of this path are another file's.
dir=$(printf '%0200d/%0200d' 0 0)
mkdir -p "$dir"
cat >long.json <<EOF
{ "iowitness": 1, "title": "x",
  "targets": { "t": { "driver": "posix", "path": "$dir/$(printf '%0150d' 0)", "size": "1MiB" } },
  "workloads": { "w": { "op": "read", "amount": "64KiB" } },
  "tests": [ { "name": "t", "targets": ["t"], "workloads": ["w"], "blocks": 1, "cache": "as-is" } ] }
EOF
exits 1 'a path that is too long' "$IOW" run long.json -o b --no-report
like "$(cat "$T/err")" '"path" has 552 bytes' 'is told'
is "$(ls "$dir")" '' 'and a part of it is not used'
