#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A campaign in a control group whose processor quota a variant halves: bound by the processor, by both legs.
. "$(dirname "$0")/../lib/tap.sh"

# Version 1 (a cpu controller of its own) or version 2: where the group is made, and what a limit is written to.
v1=/sys/fs/cgroup/cpu v2=/sys/fs/cgroup
if [ -w "$v1/cpu.cfs_quota_us" ] || [ -e "$v1/cgroup.procs" ]; then
	group=$v1/iowitness-test.$$ limit=cpu.cfs_quota_us whole=6000 half=3000 first=cpu.shares=262144
elif grep -qs '\bcpu\b' "$v2/cgroup.subtree_control"; then
	group=$v2/iowitness-test.$$ limit=cpu.max whole='6000 20000' half='3000 20000' first=cpu.weight=10000
else
	skip_all_anywhere 'no control group with a processor quota here'
fi
[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
mkdir "$group" 2>/dev/null || skip_all_anywhere 'control groups may not be made here'
at_exit 'rmdir "$group"'
[ "$limit" = cpu.max ] || echo 20000 >"$group/cpu.cfs_period_us"
echo "$whole" >"$group/$limit"
# What the machine does beside it takes nothing from the quota.
echo "${first#*=}" >"$group/${first%=*}"
plan 9

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Is the processor the limit?",
  "targets": { "file": { "driver": "posix", "path": "$T/file", "size": "8MiB" } },
  "workloads": { "small reads": { "op": "read", "block": "4KiB", "duration": "400ms" } },
  "tests": [ { "name": "cpu", "targets": ["file"], "workloads": ["small reads"], "cache": "warm", "region": "whole",
               "pause": "0", "blocks": 6, "control": false, "waive": ["foreign load"],
               "variants": [ { "name": "whole" },
                             { "name": "half", "capacity": 0.5,
                               "apply": ["sh", "-c", "echo '$half' >$group/$limit"],
                               "undo": ["sh", "-c", "echo '$whole' >$group/$limit"] } ] } ],
  "questions": [ { "cpu": { "variant": "whole" } } ] }
EOF
# Time that a hypervisor takes away is in no counter of the thread's: on a host that shares its processors a campaign may
# fall short of the share's limit, so it may be run three times.
for try in 1 2 3; do
	rm -rf b
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$IOW" run plan.json --allow-commands -o b >once 2>&1
	status=$?
	! grep -q 'CPU-BOUND, by both measures' once || break
	diag "campaign $try: the share of the thread alone did not show it"
done
is $status 0 'in a group with a quota'
tr '\n' ' ' <once | tr -s ' ' >out
like "$(cat "$T/out")" 'elasticity of .*: CPU-BOUND, by both measures' 'it is bound by the processor, by both measures'
like "$(cat "$T/out")" 'What would refute it: a faster processor' 'with what would refute it'
is "$(cat "$group/$limit")" "$whole" 'the quota is undone'
value() { tr -d ' \n' <b/results.json | sed -n "s/.*\"$1\":\"*\([^,\"]*\).*/\1/p"; }
is "$(value leg1) $(value leg2)" 'CPU-BOUND CPU-BOUND' 'results.json has both legs'
is "$(value capacity)" 0.5 'and the capacity'
ok 'with an elasticity near 1' awk "BEGIN { exit !($(value elasticity) > 0.75 && $(value elasticity) < 1.4) }"

# What the plan itself holds back is not: the cut changes nothing.
sed 's/"duration": "400ms"/"duration": "200ms", "rate": 400/' plan.json >paced.json
ok 'a paced workload in the same group' sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
	"$IOW" run paced.json --allow-commands -o p
like "$(cat "$T/out")" 'NOT CPU-BOUND, by both measures' 'is not bound by the processor'
