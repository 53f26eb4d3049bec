#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A name of a test file that comes to mean another file while a campaign runs.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 15

mkdir d
plan_of() {
	cat >"$1.json" <<-EOF
	{ "iowitness": 1, "title": "Replaced",
	  "targets": { "file": { "driver": "posix", "path": "$T/d/$1", "size": "1MiB" } },
	  "workloads": { "w": { "op": "$2", "block": "64KiB", "amount": "256KiB" } },
	  "tests": [ { "name": "t", "targets": ["file"], "workloads": ["w"], "cache": "as-is", "pause": "100ms",
	               "blocks": 12 } ] }
	EOF
}

# replace NAME 'COMMAND': starts the campaign of NAME.json and does COMMAND after its second run
replace() {
	rm -rf b
	"$IOW" run "$1.json" -o b --no-report >out 2>err &
	campaign=$!
	wait_runs b 2
	eval "$2"
	wait "$campaign"
	rc=$?
}

head -c 1048576 /dev/urandom >precious
sum=$(cksum <precious)
plan_of w write
replace w 'rm d/w; ln -s ../precious d/w'
is "$rc" 3 'a file that another took the place of is not written'
is "$(cksum <precious)" "$sum" 'the other file is as it was'
like "$(cat err)" 'd/w was replaced' 'it is said'
like "$(cat out)" '^b: [0-9]+ of 12 runs, [0-9]+ failed$' 'the last line tells complete from failed runs'
ok 'what took its place stays' test -L d/w

# The number of its inode may be the old one.
rm -f d/w
replace w 'rm d/w; head -c 1048576 /dev/zero >d/w'
is "$(tr -d '\0' <d/w | wc -c | tr -d ' ')" 0 'a new file of that name is not written'
is "$rc" 3 'and the campaign is not complete'

plan_of r read
replace r 'rm d/r; ln precious d/r'
is "$rc" 3 'nor is another file read in its place'
like "$(cat err)" 'd/r was replaced' 'it is said'

rm -f d/w
replace w 'rm -rf b'
is "$rc" 3 'a bundle that was removed under a campaign'
like "$(cat out)" '^b: 12 of 12 runs were done, and the bundle is not sealed$' 'is not called complete'
is "$(ls d)" r 'the test file is removed all the same'

rm -f d/*
replace w 'kill -KILL $(processes | sed -n "s/ agent\$//p")'
is "$rc" 3 'the agent was killed'
is "$(ls d)" '' 'what it leaves is removed for it'
like "$(cat b/log.txt)" "the test file $T/d/w was removed, since its agent can't" 'and that is said'
