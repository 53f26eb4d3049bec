#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What many nodes cost: simulated ones on this machine (an agent each, reached through a launcher, with
# the null and synth drivers), started together. NODES (16 64 256); for each number a line with the time
# of the campaign, the coordinator's memory, runs lost, skew of the starts, bound of the clocks and the
# share of the window.
set -u
LC_ALL=C
export LC_ALL
IOW=$IOW_BUILD/iowitness
T=$(mktemp -d "${BENCH_DIR:-/var/tmp}/iowitness-nodes.XXXXXX") || exit 1
trap 'rm -rf "$T"' 0
trap 'exit 1' 1 2 15
IOWITNESS_LEDGER=$T/ledger
export IOWITNESS_LEDGER

# plan N: half of the nodes null, half synth; two steps of 1 s together.
plan() {
	awk -v n="$1" -v iow="$IOW" 'BEGIN {
		print "{ \"iowitness\": 1, \"title\": \"many nodes\", \"nodes\": {"
		for (i = 1; i <= n; i++)
			printf "\"n%d\": { \"driver\": \"remote-node\", \"command\": [\"env\"], \"program\": \"%s\" }%s\n", i, iow, i < n ? "," : ""
		print "}, \"targets\": {"
		for (i = 1; i <= n; i++)
			printf "\"t%d\": { \"driver\": \"%s\", \"node\": \"n%d\" }%s\n", i, i % 2 ? "null" : "synth", i, i < n ? "," : ""
		print "}, \"workloads\": { \"w\": { \"op\": \"read\", \"block\": \"4KiB\", \"duration\": \"1s\", \"rate\": 20, \"arrival\": \"constant\" } },"
		printf "\"tests\": [ { \"name\": \"x\", \"targets\": ["
		for (i = 1; i <= n; i++)
			printf "\"t%d\"%s", i, i < n ? ", " : ""
		print "], \"workloads\": [\"w\"], \"mode\": \"together\", \"pause\": \"10ms\", \"region\": \"whole\", \"blocks\": 2 } ] }"
	}'
}

echo "machine: $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
for n in ${NODES:-16 64 256}; do
	plan "$n" >"$T/plan.json"
	began=$(date +%s%N)
	"$IOW" run "$T/plan.json" --allow-commands -o "$T/b" --no-report >"$T/out" 2>&1 &
	pid=$!
	memory=0
	while kill -0 $pid 2>/dev/null; do
		now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
		memory=${now:-$memory}
		sleep 0.2
	done
	wait $pid || tail -n 3 "$T/out"
	took=$((($(date +%s%N) - began) / 1000000))
	sed -n 's/.*"status":"\([a-z ]*\)".*"together":\[\([0-9,]*\)\].*/\1,\2/p' "$T/b/runs.jsonl" |
		awk -F, -v n="$n" -v took="$took" -v memory="$memory" '
			$1 == "ok" { ok++ }
			{ if ($5 > skew) skew = $5; if ($4 > bound) bound = $4; w = $2 / $3; if (!share || w < share) share = w }
			END {
				printf "%4d nodes: %.1f s, coordinator %.1f MiB, %d of %d runs lost, skew at most %.1f ms, ", n,
					took / 1000, memory / 1024, 2 * n - ok, 2 * n, skew / 1e6
				printf "clocks known to %.2f ms, common window %.1f%%\n", bound / 1e6, share * 100
			}'
	rm -rf "$T/b"
done
