#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C keeps what was measured; kill -9 of any process at any moment loses the run in progress at most.
# IOW_KILLS: how many random moments (default 12, together about 20 s).
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
naughty_driver || bail 'the test driver does not build'
plan 17

# Writes, so that what goes on writing would be seen.
cat >plan.json <<EOF
{ "iowitness": 1, "title": "Kill",
  "targets": { "w": { "driver": "posix", "path": "$T/data", "size": "8MiB" },
               "r": { "driver": "naughty", "dir": "$T" } },
  "workloads": { "put": { "op": "write", "block": "4KiB", "duration": "40ms", "durability": "flush" },
                 "get": { "op": "read", "block": "4KiB", "duration": "40ms" } },
  "tests": [ { "name": "put", "targets": ["w"], "workloads": ["put"], "pause": "5ms", "region": "whole", "blocks": 6 },
             { "name": "get", "targets": ["r"], "workloads": ["get"], "pause": "5ms", "region": "whole", "blocks": 6 } ] }
EOF

start() {
	rm -rf b data
	"$IOW" run plan.json -o b --no-report --plugin-path "$T/plugins" >"$T/out" 2>"$T/err" &
	pid=$!
}

for signal in INT TERM; do
	start
	wait_runs b 3
	kill -$signal $pid
	wait $pid
	is "$?" 3 "SIG$signal: incomplete"
	ok 'the bundle is sealed' "$IOW" verify b
	like "$(cat "$T/out")" 'interrupted' 'as interrupted'
	is "$(left_over)" 0 'no process is left'
	nok 'the test file is gone' test -e data
done

# While drivers are asked what they take: nothing is wrong with the plan.
build_driver slow <<'EOF'
#include <iowitness/driver.h>
#include <unistd.h>
__attribute__((constructor)) static void start(void) { sleep(5); }
const struct iow_driver *iow_driver_1(void) { return NULL; }
EOF
sed "s/\"naughty\", \"dir\": \"[^\"]*\"/\"slow\"/" plan.json >slow.json
"$IOW" run slow.json -o c --plugin-path "$T/plugins" >"$T/out" 2>"$T/err" &
pid=$!
tries=0
until [ "$(left_over)" -ge 2 ] || [ $((tries = tries + 1)) -gt 400 ]; do sleep 0.01; done
sleep 0.1
kill -INT $pid
wait $pid
is "$?" 3 'interrupted before the plan was understood'
is "$(cat "$T/err")" 'iowitness: interrupted' 'is told as that'
is "$(left_over)" 0 'no process is left'

# victim: a process of the campaign, chosen by turns.
victim() {
	case $(($1 % 3)) in
	0) echo $pid ;;
	1) processes | sed -n 's/ agent$//p' ;;
	2) processes | sed -n 's/ child$//p' | head -n 1 ;;
	esac
}

kills=${IOW_KILLS:-12} torn=0 lost=0 left=0 writes=0 n=0
while [ $n -lt "$kills" ]; do
	n=$((n + 1))
	start
	wait_runs b 1
	sleep "0.$(od -An -N2 -tu2 /dev/urandom | awk '{ printf "%03d", $1 % 700 }')"
	seen=$(runs b)
	v=$(victim $n)
	[ -z "$v" ] || kill -KILL $v 2>/dev/null
	wait $pid 2>/dev/null
	i=0
	while [ "$(left_over)" != 0 ] && [ $((i = i + 1)) -lt 50 ]; do sleep 0.02; done
	[ "$(left_over)" = 0 ] || left=$((left + 1))
	[ "$(runs b)" -ge "$seen" ] || lost=$((lost + 1))
	"$IOW" verify b >"$T/v" 2>&1 || grep -q 'not sealed' "$T/v" || { torn=$((torn + 1)); diag "$(cat "$T/v")"; }
	before=$(cat data 2>/dev/null | cksum)
	sleep 0.05
	[ "$(cat data 2>/dev/null | cksum)" = "$before" ] || writes=$((writes + 1))
done
is $torn 0 "$kills kills: the bundle opens"
is $lost 0 'no run that was there is lost'
is $left 0 'no process is left'
is $writes 0 'nothing still writes'
