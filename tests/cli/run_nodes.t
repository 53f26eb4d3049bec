#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Other nodes, reached through a command on this machine: the same protocol over pipes. What goes
# wrong with a node costs its own runs and is named.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
naughty_driver || bail 'the test driver does not build'
plan 42

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Nodes",
  "nodes": { "n1": { "driver": "remote-node", "via": "command", "command": ["sh", "-c", "exec {agent}"], "program": "$IOW" },
             "n2": { "driver": "remote-node", "command": ["env", "NODE={host}"], "program": "$IOW", "host": "x y" } },
  "targets": { "a": { "driver": "null", "node": "n1" }, "b": { "driver": "null", "node": "n2" }, "c": { "driver": "null" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "150ms" } },
  "tests": [ { "name": "x", "targets": ["a", "b", "c"], "workloads": ["w"], "mode": "solo-then-together",
               "pause": "5ms", "region": "whole", "blocks": 2 } ] }
EOF

exits 4 'what a plan calls a launcher is a command' "$IOW" run plan.json -o b --no-report
like "$(cat "$T/err")" 'node "n1": what its "command" says is run as a command, which needs --allow-commands' 'is told'
exits 4 'also for a dry run' "$IOW" run plan.json -n
ok 'three nodes alone and together' "$IOW" run plan.json --allow-commands -o b --no-report
is "$(status b ok)" 12 'all runs are well'
ok 'the bundle is whole' "$IOW" verify b
is "$(grep -c '"together":\[' b/runs.jsonl)" 6 'runs together have their window'
like "$(cat b/host.json)" '^  "n1": \{' 'host.json has each node'
like "$(cat b/host.json)" '"name": "remote-node"' 'and the driver that leads there'
# Window, shortest run, bound, skew: a busy machine may leave no window, but never more than the run.
is "$(sed -n 's/.*"together":\[\([0-9]*\),\([0-9]*\),\([0-9]*\),.*/\1 \2 \3/p' b/runs.jsonl |
	awk '$1 > $2 || $2 < 150000000 || $3 <= 0')" '' 'with a common window and a bound of the clocks'
is "$(left_over)" 0 'no process is left'

# wrong DESC EXTENDED-RE ARG…: the campaign does not start, and says why.
wrong() {
	wrong_desc=$1 wrong_like=$2; shift 2
	rm -rf b
	exits 3 "$wrong_desc" "$IOW" run plan.json --allow-commands -o b --no-report "$@"
	like "$(cat "$T/err")" "node n1: .*$wrong_like" "$wrong_desc: is named"
}
wrong 'no program there' 'not installed there' --set /nodes/n1/program=/nope/iowitness
wrong 'a program that talks' 'text instead of a frame: "hello' --set '/nodes/n1/command=["echo", "hello to you"]'
wrong 'a launcher that fails' 'exit code 9: sorry' --set '/nodes/n1/command=["sh", "-c", "echo sorry >&2; exit 9"]'
wrong 'no launcher' 'no-such-launcher cannot be started' --set '/nodes/n1/command=["no-such-launcher"]'
wrong 'a login that is refused' 'login was refused' \
	--set '/nodes/n1/command=["sh", "-c", "echo \"me@x: Permission denied (publickey).\" >&2; exit 255"]'
is "$(left_over)" 0 'no process is left'

exits 1 'via command without a command' "$IOW" run plan.json --allow-commands -o b --set /nodes/n1/via=telnet
like "$(cat "$T/err")" '/nodes/n1/via: .*kubectl' 'an unknown launcher, and what is allowed'

# lose DESC SHELL-COMMAND: does it to the agent of n1 after the second run.
lose() {
	rm -rf b
	"$IOW" run plan.json --allow-commands -o b --no-report --set /tests/0/blocks=3 >"$T/out" 2>"$T/err" &
	pid=$!
	wait_runs b 2
	agent=$(agent_of 'x y')
	eval "$2"
	wait $pid
	is "$?" 3 "$1: incomplete"
	ok "$1: the bundle is whole" "$IOW" verify b
	like "$(cat b/log.txt)" 'node n[12] was lost' "$1: is named"
	[ "$(status b ok)" -ge 4 ] && pass "$1: the other nodes go on" || fail "$1: $(status b ok) runs are well"
}
lose 'an agent that is killed' 'kill -KILL $agent'
is "$(left_over)" 0 'no process is left'

# Nothing installed there: program and drivers are carried along, and gone afterwards.
mkdir tmp
TMPDIR=$T/tmp
export TMPDIR
ok 'a node that is pushed to' "$IOW" run plan.json --allow-commands -o p --no-report --set /nodes/n1/push=true \
	--set /nodes/n1/program=/nope/iowitness --set /tests/0/blocks=1
is "$(status p ok)" 6 'all runs are well'
is "$(ls -A tmp)" '' 'nothing of it is left there'
exits 3 'what arrives damaged' "$IOW" run plan.json --allow-commands -o q --no-report --set /nodes/n1/push=true \
	--set '/nodes/n1/command=["sh", "-c", "head -c 1 >/dev/null; {agent}"]'
like "$(cat "$T/err")" 'node n1: .*arrived damaged' 'is told'
is "$(ls -A tmp)" '' 'nothing of it is left there'

exits 2 'doctor starts no command of a plan either' "$IOW" doctor n1 --plan plan.json
like "$(cat "$T/out")" 'bad +n1 agent .*needs --allow-commands' 'and says so'
ok 'doctor asks the nodes of a plan' "$IOW" doctor n1 --allow-commands --plan plan.json
like "$(cat "$T/out")" 'good +n1 agent +iowitness ' 'whether they are reached'
like "$(cat "$T/out")" 'n1 drivers +drivers .*null, posix' 'and what they have'
sed 's/"exec {agent}"/"exit 5"/' plan.json >broken.json
exits 2 'doctor on a node that is not reached' "$IOW" doctor n1 n2 --allow-commands --plan broken.json
like "$(cat "$T/out")" 'bad +n1 agent .*exit code 5' 'says why'
