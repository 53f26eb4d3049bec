#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A driver that crashes, ends, fails or hangs costs its own run; what drivers print goes to the log.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
naughty_driver || bail 'the test driver does not build'
plan 37

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Naughty",
  "targets": { "t": { "driver": "naughty", "dir": "$T", "does": "segv" },
               "good": { "driver": "naughty", "dir": "$T/good" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "amount": "256KiB", "deadline": "300ms" } },
  "tests": [ { "name": "x", "targets": ["t", "good"], "workloads": ["w"], "pause": "1ms", "blocks": 5 } ] }
EOF
mkdir good

# Where a process waits is the kernel's to tell.
sleep 5 &
waits=
case $(cat "/proc/$!/wchan" 2>/dev/null) in
[a-z_]*) waits='; waits in [a-z_0-9.]+' ;;
esac
kill $!

campaign() { # DOES [ARG…]
	does=$1; shift
	rm -rf b count opens good/count
	"$IOW" run plan.json -o b --no-report --plugin-path "$T/plugins" --set "/targets/t/does=$does" "$@" \
		>"$T/out" 2>"$T/err"
}

campaign well
is "$?" 0 'a campaign with the test driver'
is "$(status b ok)" 10 'all runs are well'
like "$(cat b/log.txt)" 'naughty: naughty speaks on stdout' 'what a driver prints goes to the log'
like "$(cat b/log.txt)" 'naughty speaks on stderr' 'from both streams'

campaign segv
is "$?" 3 'a driver that segfaults in its third run: incomplete'
is "$(status b ok)" 9 'the other runs are measured'
like "$(grep crashed b/runs.jsonl)" 'driver naughty crashed: signal 11 \(SIGSEGV\)' 'the crash is named'
is "$(runs b)" 10 'a failure of the arm itself is not replaced'
like "$(cat "$T/err")" 'run [0-9]+ \(t\) crashed: ' 'and told at once'
ok 'the bundle is whole' "$IOW" verify b

campaign exit
is "$?" 3 'a driver that ends its process'
like "$(grep -v '"ok"' b/runs.jsonl)" 'exit code 7' 'is named'
is "$(status b ok)" 9 'the other runs are measured'

campaign fail
is "$?" 3 'a driver whose I/O fails'
is "$(status b failed)" 1 'fails its run'
is "$(status b ok)" 9 'the other runs are measured'

campaign hang
is "$?" 3 'a driver that hangs'
is "$(status b hung)" 1 'hangs in its run'
like "$(grep hung b/runs.jsonl)" "job 0: read of 4096 bytes at offset [0-9]+ did not return within 300 ms$waits" 'the I/O and where it waits are named'
is "$(status b ok)" 9 'the other runs are measured'
ok 'the bundle is whole' "$IOW" verify b

campaign open --set /targets/t/in=1
is "$?" 1 'a driver that does not come back from open'
like "$(cat "$T/err")" 'target "t": while preparing, open did not return within 3000 ms' 'is found out before the campaign'
campaign open --set /targets/t/in=3
is "$?" 3 'and in a run'
is "$(status b ok)" 9 'it costs that run alone'
like "$(grep hung b/runs.jsonl)" "while preparing, open did not return within 3000 ms$waits" 'and where it waits is named'
is "$(left_over)" 0 'no process is left'

# Stopped from outside and gone on: the run is whole, and what happened to it is told.
rm -rf b
(
	wait_runs b 2
	n=0
	until pid=$(processes | sed -n 's/ child$//p') && [ "$pid" ] || [ $((n = n + 1)) -gt 500 ]; do :; done
	kill -STOP $pid
	sleep 0.5
	kill -CONT $pid
) &
campaign well --set /workloads/w/amount=2MiB --set /workloads/w/deadline=30s
is "$?" 0 'a run that is stopped from outside for half a second'
ns=$(sed -n 's/.*"stopped_ns":\([0-9]*\).*/\1/p' b/runs.jsonl)
ok 'keeps for how long' test "${ns:-0}" -ge 450000000
like "$(cat b/log.txt)" 'run [0-9]+: its process was stopped from outside \(signal 19\)' 'the log says when'
ok 'its report' "$IOW" report b
like "$(cat b/report.html)" 'Stopped from outside by a signal .*1 run: Run [0-9]+ \([0-9.]+ m?s\)' 'declares it'

# Killed from outside: no property of the arm, so its block is measured again.
rm -rf b
(
	wait_runs b 4
	n=0
	until pid=$(processes | sed -n 's/ child$//p') && [ "$pid" ] || [ $((n = n + 1)) -gt 500 ]; do :; done
	kill -KILL $pid
) &
campaign well --set /tests/0/pause=200ms
is "$?" 0 'a run that is killed from outside'
like "$(cat b/runs.jsonl)" '"status":"killed","why":"the process of driver naughty was killed from outside' 'is named so'
like "$(cat b/runs.jsonl)" '"block":6,.*"replaces":[3-5]' 'and its block measured again'
ok 'nothing is missing then for its report either' "$IOW" report b
is "$(left_over)" 0 'no process is left'
