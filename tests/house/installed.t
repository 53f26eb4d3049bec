#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was installed works from where it lies, without the source tree: `make installcheck`.
. "$(dirname "$0")/../lib/tap.sh"
plan 13

: "${bindir:?}" "${libdir:?}" "${datadir:?}"
iow=$bindir/iowitness

ok 'it runs' "$iow" --version
for name in direct null posix raw synth; do
	ok "driver $name is found" "$iow" drivers "$name"
done
ok 'templates of plans are found' "$iow" plan new --list
like "$(cat "$T/out")" '^quick' 'quick among them'
cat >plan.json <<'TXT'
{ "iowitness": 1, "title": "Installed",
  "targets": { "n": { "driver": "null" }, "s": { "driver": "synth" } },
  "workloads": { "r": { "op": "read", "pattern": "random", "block": "4KiB", "duration": "20ms" } },
  "tests": [ { "name": "t", "targets": [ "n", "s" ], "workloads": [ "r" ], "blocks": 1, "pause": 0 } ] }
TXT
exits 0 'a campaign runs' "$iow" run plan.json -o b.iow
ok 'it has both reports' test -s b.iow/report.html -a -s b.iow/report.pdf
ok 'and is verified' "$iow" verify b.iow
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
ok 'a driver is started' "$iow" driver new mine
ok 'and builds with the installed header' make -s -C mine
