#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each pattern that is put into a bundle is diagnosed, with its numbers; nothing else is.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

make_bundle=$IOW_BUILD/tests/lib/make_bundle

# Rules of the opinions in results.json, one a word.
rules() {
	awk '/"kind": "opinion"/ { on = 1 } on && /"rule":/ { gsub(/[",]/, ""); printf "%s%s", n++ ? " " : "", $2; on = 0 }' "$1"
}

basis() {
	awk '/"kind": "opinion"/ { on = 1 } on && /"basis":/ { sub(/^ *"basis": "/, ""); sub(/",$/, ""); print; on = 0 }' "$1"
}

check() { # KIND RULES BASIS [OPTION…]
	kind=$1 wanted=$2 text=$3
	shift 3
	rm -rf "$T/b"
	"$make_bundle" --kind "$kind" "$@" -o "$T/b" || { fail "$kind is made"; return; }
	"$IOW" report "$T/b" >"$T/out" 2>"$T/err"
	is "$(rules "$T/b/results.json")" "$wanted" "$kind $*: diagnosed as ${wanted:-nothing}"
	[ -z "$text" ] || like "$(basis "$T/b/results.json")" "$text" "$kind: the basis has its numbers"
}

check stall stall '^Every (4\.9[0-9]|5\.0[0-9]) s .* 4[0-9][0-9] ms .* 8 of 8 runs'
check cliff cliff '^After 3[89][0-9][0-9] MB \(1[78]\.[0-9] s\) the rate falls from 2[0-9][0-9] MB/s to 8[0-9]\.[0-9] MB/s, by 60%'
check drift drift 'changes by \+[45][0-9]% from the first block to the last'
check modes modes '4 runs near 15[0-9] MB/s and 4 runs near 2[0-9][0-9] MB/s'
check latency latency 'Medians (89|9[01])\.[0-9] µs and 7[12][0-9] µs, .* 10% of the I/Os'
check split split '^One I/O of 4 MiB .* 4\.00 operations .* 1\.25 MiB, which makes 4\.'
check capped 'capped plateau' '92% of the 3938 MB/s .* From depth 4 to depth 16 it is the same within 0'
check implausible implausible 'reached 4[0-9]{3} MB/s; .* 3938 MB/s'
check paced 'paced paced' 'asks for 1000 I/Os a second'
check remote remote '2\.3[0-9]x slower than shared raw .* wwn naa'
"$IOW" report "$T/b" -f markdown >"$T/page"
like "$(cat "$T/page")" 'The nodes n2 and local also differ in: Clock source and Firmware' 'what differs between nodes is a caveat'
like "$(cat "$T/page")" '^\| Clock source \|.*hpet' 'and in the table of what differs'
check sweep 'plateau plateau unequal' 'From 1 MiB to 4 MiB the rate is'
check passes 'cached cpu' ''
check together bottleneck '0\.4[0-9]+ of the sum'
check two-way amplified 'moved up to 1\.50 bytes' --ratio 1 --gate device-bytes
# Counters that others moved too say nothing of the cell.
check split '' '' --gate foreign-load

# Whole campaigns on simulated storage: a stall of 300 ms every 5 s of its time, and two latencies.
cat >plan.json <<'EOF'
{ "iowitness": 1, "title": "Stalls",
  "targets": { "even": { "driver": "synth", "service": "1ms", "sigma": 0.3, "run_sigma": 0.02 },
               "stalls": { "driver": "synth", "service": "1ms", "sigma": 0.3, "run_sigma": 0.02, "stall": "300ms", "stall_every": "4700ms" },
               "two": { "driver": "synth", "service": "1ms", "sigma": 0.3, "run_sigma": 0.02, "slow_share": 0.05, "slow_factor": 10 } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "30s" } },
  "tests": [ { "name": "t", "targets": ["even", "stalls", "two"], "workloads": ["w"], "cache": "as-is", "region": "whole",
               "pause": "0", "blocks": 5 } ] }
EOF
ok 'a campaign on storage that stalls' "$IOW" run plan.json -o s.iow
is "$(rules s.iow/results.json | tr ' ' '\n' | sort | tr '\n' ' ')" 'latency stall ' 'it has the stalls and the latencies, and nothing else'
like "$(basis s.iow/results.json)" '^Every (4\.[6-9]|5\.[0-3])[0-9] s .* costs (2[89]|3[012])[0-9] ms .* 5 of 5 runs' 'with period and length'
like "$(basis s.iow/results.json)" '^Medians (9[0-9][0-9] µs|1\.0[0-9] ms) and (9\.[0-9]+|10\.[0-9]+) ms.* (5|4\.[0-9]|5\.[0-9])% of the I/Os' 'and both latencies'

# Nothing is there: nothing is said.
for kind in inconclusive equivalent all-failed writes; do
	check $kind '' ''
done
check two-way '' '' --ratio 1 --sd 0.03
check metrics '' '' --ratio 1
check remote '' '' --ratio 1
check cells '' '' --ratio 1 --cells 40
check together '' '' --ratio 1
done_testing
