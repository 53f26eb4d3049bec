#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two machines with an sshd each and one disk that both use: what it does alone and together, what
# a session, a link and a device in common may do, and the same plan through srun.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
. "$IOW_SRC/tests/lib/nodes.sh"
[ -e "$IOW_BUILD/plugins/nbd/nbd.so" ] || skip_all_anywhere 'built without libnbd'
require_cmd nbdkit
plan_later
nodes_up n1 n2

# Either may have 100 I/Os of 4 KiB a second, both together 120: alone 200, together 120, 0.6 of it.
head -c 4194304 /dev/urandom >data
nbdkit -U "$T/sock" -P "$T/nbdkit" --filter=rate file "$T/data" rate=3932160 connection-rate=3276800 burstiness=0.05 ||
	skip_all 'nbdkit does not start'
at_exit 'kill "$(cat "$T/nbdkit" 2>/dev/null)" 2>/dev/null'
cat >plan.json <<EOF
{ "iowitness": 1, "title": "Two machines", "node_silence": "2s",
  "params": { "via": "ssh", "push": false },
  "nodes": { "n1": { "driver": "remote-node", "via": "\${via}", "options": ["-F", "$SSH_CONFIG"],
                     "program": "$IOW", "push": "\${push}" },
             "n2": { "driver": "remote-node", "via": "\${via}", "options": ["-F", "$SSH_CONFIG"], "program": "$IOW" } },
  "targets": { "a": { "driver": "nbd", "uri": "nbd+unix:///?socket=$T/sock", "node": "n1" },
               "b": { "driver": "nbd", "uri": "nbd+unix:///?socket=$T/sock", "node": "n2" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "1s" } },
  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["w"], "mode": "solo-then-together", "cache": "as-is",
               "pause": "20ms", "region": "whole", "blocks": 5 } ],
  "questions": [ { "scaling": {}, "metric": "iops", "margin": 0.05 } ] }
EOF
run() { from_hub "$IOW" run plan.json --allow-commands --no-report "$@"; }

ok 'doctor reaches both' from_hub "$IOW" doctor n1 n2 --allow-commands --plan plan.json
like "$(cat "$T/out")" 'n2 agent .*on n2, reached in' 'and says which machine answered'

ok 'alone and together' run -o b
is "$(status b ok)" 20 'all runs are well'
"$IOW" report b -f markdown >ssh.md
like "$(cat ssh.md)" 'Together : alone: consistent with a shared bottleneck' 'the shared bottleneck is named'
like "$(cat ssh.md)" '2 together reached 0\.[4-7]' 'with what is left of the sum'
like "$(grep -A4 'What each of those together keeps' ssh.md)" '^\| a \| n1 \|' 'node by node'
is "$(left_over)" 0 'no process is left on any node'

# The same through srun: a stand-in that takes its arguments and starts the program there.
mkdir bin
cat >bin/srun <<EOF
#!/bin/sh
for word; do
	case \$word in
	--nodelist=*) node=\${word#*=} ;;
	-*) ;;
	*) break ;;
	esac
	shift
done
exec ssh -F "$SSH_CONFIG" -oBatchMode=yes "\$node" "\$@"
EOF
chmod +x bin/srun
PATH=$T/bin:$PATH
short="--set /tests/0/blocks=1 --set /workloads/w/duration=100ms"
ok 'one block through ssh' run -o h $short
ok 'and the same through srun' run -o s $short --set /params/via=srun --set '/nodes/n1/options=[]' --set '/nodes/n2/options=[]'
# Of a report its headings and the captions of its tables; what differs by chance has one of its own.
shape() {
	"$IOW" report "$1" -f markdown | sed -n 's/^\(#.*\)/\1/p; s/^Table [0-9]* *\(.*\)/\1/p' | grep -v 'What differs' |
		sed 's/[0-9][0-9.,:]*/N/g'
}
is "$(shape s)" "$(shape h)" 'give reports of the same structure'
# All that was resolved, but for the ways there and what follows from the text of the plan.
resolved() {
	tr -d ' \n' <"$1/cells.json" | sed 's/.*"cells":\[/[/; s/"generator":.*//'
}
is "$(resolved s)" "$(resolved h)" 'from the same cells, steps and questions'

# lose DESC COMMAND ERE: does it after the fourth run of a longer campaign over targets that wait for nobody.
lose() {
	rm -rf l
	run -o l --set /questions=[] --set /tests/0/mode=each --set /tests/0/blocks=6 --set /tests/0/control=false \
		--set /workloads/w/duration=200ms >"$T/said" 2>&1 &
	campaign=$!
	wait_runs l 4
	eval "$2"
	wait "$campaign"
	is "$?" 3 "$1: incomplete"
	like "$(cat "$T/said")" "$3" "$1: is named"
	[ "$(status l ok)" -ge 6 ] && pass "$1: the other runs are kept" || fail "$1: $(status l ok) runs are well"
	ok "$1: the bundle is whole" "$IOW" verify l
}
lose 'an sshd that is killed' 'kill -KILL $(node_sshd n1)' 'node n1 was lost: its agent ended: .*(closed|reset)'
tries=0
while [ "$(left_over)" != 0 ] && [ $((tries = tries + 1)) -lt 1500 ]; do sleep 0.01; done
is "$(left_over)" 0 'no process is left on any node'
lose 'a link that is cut' 'node_link n2 down' 'node n2 was lost: its agent has not answered for 2 s'
tries=0
while [ "$(left_over)" != 0 ] && [ $((tries = tries + 1)) -lt 1500 ]; do sleep 0.01; done
is "$(left_over)" 0 'behind a cut link the agent ends by itself'
node_link n2 up

ok 'what is not installed is carried there' run -o p --set /questions=[] --set /params/push=true --set /nodes/n1/program=/nope/iowitness \
	--set /tests/0/mode=each --set /tests/0/blocks=1

# One device that both see, under another name on each.
if ! losetup -f >/dev/null 2>&1; then
	skip 5 'no loop devices'
else
	truncate -s 8M disk
	dev=$(losetup -f --show "$T/disk")
	at_exit "losetup -d $dev 2>/dev/null"
	id=loop-$T/disk:$(stat -c %i disk)
	ln -s "$dev" first
	mknod second b $((0x$(stat -c %t "$dev"))) $((0x$(stat -c %T "$dev")))
	cat >shared.json <<-EOF
	{ "iowitness": 1, "title": "One device",
	  "nodes": { "n1": { "driver": "remote-node", "options": ["-F", "$SSH_CONFIG"], "program": "$IOW" },
	             "n2": { "driver": "remote-node", "options": ["-F", "$SSH_CONFIG"], "program": "$IOW" } },
	  "targets": { "a": { "driver": "raw", "path": "$T/first", "node": "n1" },
	               "b": { "driver": "raw", "path": "$T/second", "node": "n2" } },
	  "workloads": { "w": { "op": "write", "block": "4KiB", "duration": "100ms" } },
	  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["w"], "mode": "together", "pause": "10ms",
	               "region": "same", "blocks": 1 } ] }
	EOF
	destroy="--set /targets/a/destroy=$id --set /targets/b/destroy=$id"
	shared() { from_hub "$IOW" run shared.json --allow-commands --no-report "$@"; }
	exits 4 'a device that two nodes see is not written' shared -o d
	like "$(cat "$T/err")" "is the device $id that node n[12] also has, as target" 'is told, by its id'
	is "$(tr -d '\0' <disk | wc -c | tr -d ' ')" 0 'and nothing was written'
	exits 4 'nor where only the plan says so' shared -o d $destroy
	ok 'it is, where plan and command line name its id' shared -o d $destroy --destroy "$id"
	is "$(grep -c '"dev":\[0,[1-9]' d/runs.jsonl)" 2 'and each has its part of what the device moved'
fi
done_testing
