#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# iowitness plan: all mistakes in one go, what a plan resolves to, and the templates.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

cat >good.json <<'EOF'
{ "iowitness": 1, "title": "Cold and repeat",
  "params": { "dir": "." },
  "targets": { "file": { "driver": "posix", "path": "${dir}/t1", "size": "64MiB" },
               "other": { "driver": "posix", "path": "${dir}/t2", "size": "64MiB" } },
  "workloads": { "scan": { "block": "64KiB", "amount": "4MiB" } },
  "tests": [ { "name": "scan", "targets": ["file", "other"], "workloads": ["scan"], "passes": 2, "sd": 0.03 } ],
  "questions": [ { "cache": "file" }, { "compare": "other", "against": "file" } ] }
EOF

exits 0 'a good plan' "$IOW" plan check good.json
like "$(cat out)" '^good.json: good: tests 1, cells 6, runs 48, declared comparisons 3$' 'and what it has'
is "$(cat err)" '' 'nothing on stderr'

cat >bad.json <<'EOF'
{ "iowitness": 1, "title": "t",
  "targets": { "a": { "driver": "posix", "path": "/a", "szie": 4096 },
               "b": { "driver": "posxi", "path": "/b" } },
  "workloads": { "scan": { "block": "32K" } },
  "tests": [ { "name": "x", "targets": ["a", "c"], "workloads": ["scan"],
               "blocks": 8, "blocks": 9 } ],
  "questions": [ { "compare": "a", "against": "b", "metric": "thruput" } ] }
EOF
exits 1 'a plan with six mistakes' "$IOW" plan check bad.json
is "$(wc -l <err)" 6 'six messages'
is "$(cut -d: -f1-4 err | tr '\n' ' ')" \
	'bad.json:2:56: /targets/a/szie bad.json:3:33: /targets/b/driver bad.json:4:37: /workloads/scan/block bad.json:5:46: /tests/0/targets/1 bad.json:6:29: /tests/0/blocks bad.json:7:62: /questions/0/metric ' \
	'each with line, column and place'
like "$(cat err)" 'did you mean "posix"' 'a driver that is there is suggested'
exits 1 'show says the same' "$IOW" plan show bad.json
is "$(wc -l <err)" 6 'six messages'
is "$(cat out)" '' 'and shows nothing'
is "$(ls)" "$(printf 'bad.json\nerr\ngood.json\nout')" 'nothing was touched'

exits 0 'show' "$IOW" plan show good.json --effect 0.05
cp out shown
like "$(cat shown)" '^  block 8: steps [1-3] [1-3] [1-3]$' 'the order'
like "$(cat shown)" '^    file, repeat read, control$' 'the control arm'
like "$(cat shown)" 'bytes   192 MiB at most' 'the bytes'
like "$(cat shown)" 'a difference of 4.45% is seen in 4 of 5' 'the smallest effect at family size 3'
like "$(cat shown)" 'one of 5.00% needs 7 blocks' 'the blocks that an effect needs'
exits 0 'again' "$IOW" plan show good.json --effect 0.05
same out shown 'the same plan gives the same order'
exits 0 '--json' "$IOW" plan show good.json --json
like "$(cat out)" '"format": "iowitness-cells"' 'is cells.json'
exits 0 '--set' "$IOW" plan show good.json --set /tests/0/blocks=6 --set /params/dir=/mnt
like "$(cat out)" 'path=/mnt/t1' 'a parameter'
like "$(cat out)" '6 blocks' 'and a value'
exits 0 '--dir' "$IOW" plan show good.json --dir /mnt --set /tests/0/blocks=6
like "$(cat out)" 'path=/mnt/t1' 'is the parameter dir'
like "$(cat out)" '^--set /params/dir=/mnt$' 'and recorded so'
exits 0 'few blocks' "$IOW" plan check good.json --set /tests/0/blocks=4
like "$(cat out)" '^note: test "scan" has 4 blocks: numbers, but no verdict' 'are noted'
exits 0 'few I/Os' "$IOW" plan check good.json --set /questions/1/metric=p99
like "$(cat out)" '^note: question "other : file": a run has only 64 I/Os, too few for p99' 'are noted'
exits 1 'a wrong place' "$IOW" plan check good.json --set /tests/7/blocks=4
like "$(cat err)" 'the plan has no such place' 'is said'
exits 1 'no such file' "$IOW" plan check none.json
is "$(cat err)" 'none.json: No such file or directory' 'is said'
exits 1 'no such subcommand' "$IOW" plan chekc good.json
exits 1 'no plan' "$IOW" plan check
exits 1 '--sd wants a number' "$IOW" plan show good.json --sd much

for p in "$IOW_SRC"/templates/plans/*.json; do
	name=$(basename "$p" .json)
	exits 0 "$name is a good plan" "$IOW" plan check "$p" --set /params/dir=. --set /params/raw=/dev/x \
		--set /params/node=n2 --set /params/raw1=/dev/x --set /params/raw2=/dev/y
	unlike "$(grep -v 'is left out' out)" '^note: (test|question) "' 'and can be decided'
	exits 0 'its template' "$IOW" plan new --list
	like "$(cat out)" "^$name +[A-Z].*" 'says what it is about'
done
exits 1 'a parameter without a value' "$IOW" plan check "$IOW_SRC/templates/plans/remote-penalty.json"
like "$(cat err)" '/params/node: the parameter has no value: give it with --set /params/node=VALUE' 'is asked for'
exits 0 'quick' "$IOW" plan show "$IOW_SRC/templates/plans/quick.json"
like "$(cat out)" '^ *scratch file, durable writes' 'its cells have names that can be read'
seconds=$(sed -n 's/^  time    \([0-9]*\) s of measuring.*/\1/p' out)
ok 'measures for less than 60 s' test "$seconds" -lt 60

mkdir -p my/plans
cp good.json my/plans/mine.json
exits 0 'templates' "$IOW" plan new --list --templates my
like "$(cat out)" '^mine +Cold and repeat$' 'are listed'
exits 0 'new' "$IOW" plan new mine --templates my
same mine.json good.json 'is a copy'
exits 1 'new again' "$IOW" plan new mine --templates my
like "$(cat err)" 'mine.json: File exists' 'does not overwrite'
exits 0 'new elsewhere' "$IOW" plan new mine --templates my -o other.json
exits 1 'no such template' "$IOW" plan new ../mine --templates my
# What needs root is left out for others, and the report says so.
sed 's/"driver": "posix", "path": "${dir}\/t2"/"needs": "root", &/' good.json >root.json
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null 2>&1; then
	user='setpriv --reuid 65534 --regid 65534 --clear-groups'
else
	user=
fi
if [ -n "$user" ] || [ "$(id -u)" -ne 0 ]; then
	chmod 777 .
	chmod 644 root.json
	rm -f out err
	exits 0 'a plan that needs root' $user "$IOW" plan check "$T/root.json"
	like "$(cat out)" '^note: target "other" is left out: needs root$' 'says what is left out'
	exits 0 'is measured without it' $user env HOME="$T" "$IOW" run root.json --no-report -o root.iow \
		--set /tests/0/blocks=5 --set /tests/0/pause=0
	"$IOW" report root.iow --format text >out 2>err
	like $? '^[05]$' 'its report (void on a busy machine)'
	like "$(cat out)" 'Not measured: target "other", because: needs root' 'says so'
else
	skip 5 'no setpriv'
fi
done_testing
