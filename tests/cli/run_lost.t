#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A node is lost in the middle of a campaign: the plan says whether it goes on, and the report says
# what was lost, why, and what may be left there.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 27

mkdir d
cat >plan.json <<EOF
{ "iowitness": 1, "title": "Lost", "node_silence": "2s",
  "nodes": { "n1": { "driver": "remote-node", "command": ["env", "NODE={host}", "sh", "-c", "{agent}; exit 3"], "program": "$IOW" },
             "n2": { "driver": "remote-node", "command": ["env", "NODE={host}"], "program": "$IOW" } },
  "targets": { "a": { "driver": "posix", "path": "$T/d/a", "size": "1MiB", "node": "n1" },
               "b": { "driver": "null", "node": "n2" }, "c": { "driver": "null" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "amount": "256KiB" } },
  "tests": [ { "name": "x", "targets": ["a", "b", "c"], "workloads": ["w"], "cache": "as-is", "pause": "50ms",
               "region": "whole", "blocks": 6, "control": false } ] }
EOF

# lose COMMAND [ARG…]: does it to the agent of n1 ($agent) after the fourth run.
lose() {
	lose_how=$1; shift
	rm -rf b d/*
	"$IOW" run plan.json --allow-commands -o b --no-report "$@" >"$T/out" 2>"$T/said" &
	campaign=$!
	wait_runs b 4
	agent=$(agent_of n1)
	eval "$lose_how"
	wait "$campaign"
	rc=$?
}
report() { "$IOW" report b -f text | tr -s ' \n' ' '; }

lose 'kill -KILL $agent'
is "$rc" 3 'an agent that is killed: incomplete'
is "$(runs b)" 18 'by itself a campaign goes on'
[ "$(status b ok)" -ge 12 ] && pass 'and keeps all other runs' || fail "$(status b ok) runs are well"
like "$(grep 'not run' b/runs.jsonl)" 'node n1 was lost: its agent ended' 'what could not run says why'
ok 'the bundle is whole' "$IOW" verify b
ok 'and valid' "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/host.schema.json" b/host.json
like "$(report)" 'Node n1 was lost: its agent ended' 'the report names node and cause'
like "$(report | tr -d ' ')" "Noden1maystillhavethetestfile$T/d/a\\." 'and what it leaves, by its path'
like "$(cat "$T/said")" "node n1 may still have the test file $T/d/a" 'which is said at once, too'
ok 'it is still there' test -f d/a
is "$(left_over)" 0 'no process is left'

lose 'kill -KILL $agent' --set /on_node_lost=stop
is "$rc" 3 'where the plan stops then: incomplete'
[ "$(runs b)" -lt 18 ] && pass 'nothing else is started' || fail "there are $(runs b) runs"
[ "$(status b ok)" -ge 3 ] && pass 'what was measured is kept' || fail "$(status b ok) runs are well"
like "$(tail -n 1 b/runs.jsonl)" '"state":"stopped: node n1 was lost: its agent ended' 'the bundle says why'
ok 'the bundle is whole' "$IOW" verify b
ok 'and valid' "$IOW_BUILD/tests/lib/schema_check" "$IOW_SRC/templates/schema/cells.schema.json" b/cells.json
like "$(report)" 'The campaign ended early: stopped: node n1 was lost' 'the report does, too'

lose 'kill -STOP $agent'
is "$rc" 3 'an agent that does not answer: incomplete'
like "$(cat "$T/said")" 'node n1 was lost: its agent has not answered for 2 s' 'is named, with the time'
[ "$(status b ok)" -ge 12 ] && pass 'all other runs are kept' || fail "$(status b ok) runs are well"
ok 'the bundle is whole' "$IOW" verify b
like "$(report)" 'Node n1 was lost: its agent has not answered for 2 s' 'the report names it'
kill -CONT "$agent"
tries=0
while [ "$(left_over)" != 0 ] && [ $((tries = tries + 1)) -lt 1000 ]; do sleep 0.01; done
is "$(left_over)" 0 'once it can, it ends'
is "$(ls d)" '' 'and takes its test file with it'

exits 1 'another word' "$IOW" plan check plan.json --set /on_node_lost=retry
like "$(cat "$T/err")$(cat "$T/out")" '/on_node_lost: .*continue.*stop' 'is refused, and what is allowed'
