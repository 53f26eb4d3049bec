#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A real repeat read that the page cache serves: found as such, with the bytes that the device moved.
. "$(dirname "$0")/../lib/tap.sh"
require_loop
require_cmd mkfs.ext4 mount umount
plan 6

# A device of its own: what else the machine does moves none of its bytes.
truncate -s 96M disk
mkfs.ext4 -q -F disk && mkdir m && mount -o loop disk m || skip_all 'a loop device cannot be mounted here'
at_exit 'umount -l "$T/m"'

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Repeat reads",
  "targets": { "file": { "driver": "posix", "path": "$T/m/file", "size": "56MiB" } },
  "workloads": { "read": { "op": "read", "block": "4KiB", "amount": "6MiB" } },
  "tests": [ { "name": "twice", "targets": ["file"], "workloads": ["read"], "cache": "cold", "region": "fresh",
               "passes": 2, "pause": "50ms", "blocks": 8 } ],
  "questions": [ { "cache": "file" } ] }
EOF
# The page cache is the machine's: somebody who drops it meanwhile undoes what is tried here.
for try in 1 2 3; do
	rm -rf b
	"$IOW" run plan.json -o b >try.txt 2>&1 || break
	! grep -q ': CACHED' try.txt || break
done
ok 'a campaign with a repeat read' cat try.txt
# Read-ahead at the end of the region moves a little in either pass.
like "$(cat "$T/out")" 'the device moved [0-9](\.[0-9])? of 50\.3 MB: CACHED, served from the host' \
	'is cached, and the device moved next to nothing'
value() { tr -d ' \n' <b/results.json | grep -o "\"$1\":[^,}]*" | cut -d: -f2; }
ok 'as results.json has it' awk "BEGIN { exit !($(value device_bytes | sed -n 2p) < 10e6) }"
ok 'while the first read came from the device' awk "BEGIN { exit !($(value device_ratio | sed -n 1p) >= 0.98) }"
ok 'the report' "$IOW" report b --format text
like "$(cat "$T/out")" 'served from a cache|page cache' 'has the diagnosis'
