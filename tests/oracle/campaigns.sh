#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whole campaigns whose true ratio is set: on simulated storage, and on two loop devices that a control group
# throttles (root). A ratio of 3 must be found; of COUNT campaigns at a ratio of 1 at most a fifth may be called
# faster or slower, and most must be EQUIVALENT.
# usage: campaigns.sh PROGRAM synth|loops [COUNT [DURATION]]
set -u
program=$1 kind=$2 count=${3:-20} duration=${4:-2s}
T=$(mktemp -d "${TMPDIR:-/tmp}/iowitness-campaigns.XXXXXX") || exit 1
group='' loops='' IOWITNESS_LEDGER=$T/ledger
export IOWITNESS_LEDGER

end() {
	for l in $loops; do losetup -d "$l"; done
	[ -z "$group" ] || rmdir "$group"
	rm -rf "$T"
}
trap end EXIT
trap 'exit 1' INT TERM

# limit DEVICE MIBPS: what the group may read of it a second.
limit() {
	of=$(lsblk -dno MAJ:MIN "$1" | tr -d ' ')
	if [ -e "$group/blkio.throttle.read_bps_device" ]; then
		echo "$of $(($2 * 1048576))" >"$group/blkio.throttle.read_bps_device"
	else
		echo "$of rbps=$(($2 * 1048576))" >"$group/io.max"
	fi
}

prepare_loops() {
	if [ -d /sys/fs/cgroup/blkio ]; then
		group=/sys/fs/cgroup/blkio/iowitness-campaigns.$$
	elif grep -qs '\bio\b' /sys/fs/cgroup/cgroup.subtree_control; then
		group=/sys/fs/cgroup/iowitness-campaigns.$$
	fi
	if [ "$(id -u)" -ne 0 ] || [ -z "$group" ] || ! mkdir "$group"; then
		group=''
		echo 'SKIP: needs root, loop devices and a control group that limits I/O'
		exit 0
	fi
	for name in a b; do
		dd if=/dev/urandom of="$T/$name" bs=1M count=96 status=none || exit 1
		l=$(losetup -f --show "$T/$name") || exit 1
		loops="$loops $l"
		eval "$name=$l"
	done
}

# targets RATIO: b against a.
targets() {
	if [ "$kind" = synth ]; then
		printf '"a": { "driver": "synth", "service": "300us", "sigma": 0.3, "run_sigma": 0.02 },
		        "b": { "driver": "synth", "service": "300us", "sigma": 0.3, "run_sigma": 0.02, "ratio": %s }' "$1"
		return
	fi
	limit "$a" 10
	limit "$b" $(($1 * 10))
	printf '"a": { "driver": "raw", "path": "%s" }, "b": { "driver": "raw", "path": "%s" }' "$a" "$b"
}

# campaign NAME RATIO: its verdict line.
campaign() {
	cat >"$T/plan.json" <<-JSON
		{ "iowitness": 1, "title": "$1", "targets": { $(targets "$2") },
		  "workloads": { "r": { "op": "read", "block": "64KiB", "duration": "$duration" } },
		  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["r"], "cache": "as-is", "region": "whole",
		               "pause": "100ms", "blocks": 8 } ],
		  "questions": [ { "compare": ["b"], "against": "a", "metric": "throughput", "margin": 0.05 } ] }
	JSON
	(
		[ -z "$group" ] || sh -c 'echo $PPID' >"$group/cgroup.procs"
		exec "$program" run "$T/plan.json" --no-report -o "$T/$1.iow" >"$T/$1.run" 2>&1
	)
	"$program" report "$T/$1.iow" >"$T/$1.txt" 2>&1
	tr -d ' \n' <"$T/$1.iow/results.json" | sed 's/.*"comparisons":\[{\(.*\)/\1/' |
		sed -n 's/.*\("ratio":[^,]*\).*\("ci95":\[[^]]*\]\).*\("verdict":"[A-Z]*"\).*/\1 \2 \3/p' | head -n 1
	rm -rf "$T/$1.iow"
}

[ "$kind" = synth ] || prepare_loops
found=$(campaign three 3)
echo "$kind, true ratio 3: $found"
sided=0 equivalent=0 void=0 i=1
while [ "$i" -le "$count" ]; do
	one=$(campaign "one $i" 1)
	echo "$kind, true ratio 1, campaign $i: $one"
	case $one in
	*BETTER* | *WORSE*) sided=$((sided + 1)) ;;
	*EQUIVALENT*) equivalent=$((equivalent + 1)) ;;
	*VOID*) void=$((void + 1)) ;;
	esac
	i=$((i + 1))
done
echo "$kind: of $count at a ratio of 1: $sided faster or slower, $equivalent equivalent, $void void"
case $found in *BETTER*) ;; *) echo 'FAIL: a ratio of 3 is not found'; exit 1 ;; esac
# Its interval reaches 3, the storage being exact to 5% as it is limited.
echo "$found" | tr -c '0-9.\n' ' ' | awk '{ exit !($3 < 3.15 && $4 > 2.85) }' || { echo 'FAIL: the ratio is not 3'; exit 1; }
[ $((sided * 5)) -le "$count" ] && [ $((equivalent * 2)) -gt "$count" ] || { echo 'FAIL: equal arms are told apart'; exit 1; }
