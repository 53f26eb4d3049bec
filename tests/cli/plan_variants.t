#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Variants of a test: applied before their steps, undone after them, whatever the way out; never
# without --allow-commands; a command that fails ends the campaign.
. "$(dirname "$0")/../lib/tap.sh"
plan 19

# variants APPLY UNDO: a plan with the arms "on" and "off".
variants() {
	cat <<EOF
{ "iowitness": 1, "title": "t",
  "targets": { "n": { "driver": "null" } }, "workloads": { "w": { "duration": "20ms" } },
  "tests": [ { "name": "v", "targets": ["n"], "workloads": ["w"], "cache": "as-is", "pause": "0", "blocks": 5,
               "variants": [ { "name": "on", "apply": $1, "undo": $2 }, { "name": "off" } ] } ],
  "questions": [ { "compare": { "variant": "on" }, "against": { "variant": "off" } } ] }
EOF
}

variants '["sh", "-c", "echo on >>trace; echo applied"]' '["sh", "-c", "echo undone >>trace"]' >good.json
exits 4 'without --allow-commands' "$IOW" run good.json -o none.iow
like "$(cat err)" 'run only with --allow-commands' 'it is refused'
ok 'nothing was run' test ! -e trace
ok 'nothing was written' test ! -e none.iow
exits 0 'a plan with two cells' "$IOW" plan check good.json
exits 0 'with it' "$IOW" run good.json --allow-commands --no-report -o a.iow
is "$(tr '\n' ' ' <trace)" 'on undone on undone on undone on undone on undone ' 'applied and undone in each block'
like "$(cat a.iow/log.txt)" 'apply of variant "on": done' 'the log says so'
like "$(cat a.iow/log.txt)" 'apply of variant "on": it said: applied' 'and what the command said'
is "$(grep -c '"status":"ok"' a.iow/runs.jsonl)" 10 'all runs'

rm -f trace
variants '["sh", "-c", "echo on >>trace; test $(wc -l <trace) -lt 3"]' '["sh", "-c", "echo undone >>trace"]' >bad.json
exits 3 'a command that fails' "$IOW" run bad.json --allow-commands --no-report -o b.iow
like "$(cat out)" 'stopped: test "v", apply of variant "on" \(sh\): exit code 1' 'ends the campaign'
is "$(tr '\n' ' ' <trace)" 'on undone on undone ' 'and is undone too'
ok 'the bundle is sealed' "$IOW" verify b.iow
like "$(tail -n 1 b.iow/runs.jsonl)" '"state":"stopped: test ' 'its end says why'

rm -f trace
variants '["sh", "-c", "echo on >>trace; kill -INT $PPID"]' '["sh", "-c", "echo undone >>trace"]' >int.json
"$IOW" run int.json --allow-commands --no-report -o c.iow >out 2>err
is "$?" 3 'Ctrl-C while a variant is applied'
is "$(tr '\n' ' ' <trace)" 'on undone ' 'undoes it'
like "$(tail -n 1 c.iow/runs.jsonl)" '"state":"interrupted"' 'and is an interruption'

variants '["no-such-program"]' '[]' >none.json
exits 3 'a command that is not there' "$IOW" run none.json --allow-commands --no-report -o d.iow
