#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The launchers of remote-node, through stand-ins on the PATH that show how they are called and then
# start the agent here.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 23

mkdir bin
cat >bin/launcher <<'EOF'
#!/bin/sh
printf '%s\n' "$0 $*" | sed 's,.*/bin/,,' >>"$CALLS"
case $0 in
*/ssh)
	while [ "$1" != -- ]; do shift; done
	shift 2
	exec sh -c "$1" ;;
*/srun) while [ "${1#-}" != "$1" ]; do shift; done ;;
*/kubectl | */sudo)
	while [ "$1" != -- ]; do shift; done
	shift ;;
*/docker) while [ "$1" != box ]; do shift; done; shift ;;
esac
exec "$@"
EOF
chmod +x bin/launcher
for l in ssh srun kubectl docker sudo; do ln -s launcher bin/$l; done
CALLS=$T/calls
PATH=$T/bin:$PATH
export CALLS PATH

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Launchers",
  "nodes": { "n1": { "driver": "remote-node", "host": "box", "program": "$IOW", "options": [] } },
  "targets": { "a": { "driver": "null", "node": "n1" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "20ms" } },
  "tests": [ { "name": "x", "targets": ["a"], "workloads": ["w"], "pause": "1ms", "region": "whole", "blocks": 1 } ] }
EOF

# via NAME ERE [--set …]: the campaign runs, and the launcher was called so.
via() {
	rm -rf b calls
	via_name=$1 via_like=$2; shift 2
	ok "via $via_name" "$IOW" run plan.json --allow-commands -o b --no-report --set "/nodes/n1/via=$via_name" "$@"
	like "$(cat calls)" "$via_like" "$via_name is called as it should be"
	is "$(status b ok)" 1 "$via_name carries a run"
}
via ssh '^ssh -T -oBatchMode=yes -oConnectTimeout=15 .*-- box .*agent'
via ssh '-oControlMaster=auto .*-p2222 -i/k -Jhop -lme -v -- box ' --set /nodes/n1/port=2222 --set /nodes/n1/identity=/k \
	--set /nodes/n1/jump=hop --set /nodes/n1/user=me --set /nodes/n1/reuse=true --set '/nodes/n1/options=["-v"]'
via srun '^srun --nodes=1 --ntasks=1 --overlap --unbuffered --nodelist=box .*/iowitness agent'
via kubectl '^kubectl exec -i --namespace=lab --container=io box -- .*/iowitness agent' \
	--set /nodes/n1/namespace=lab --set /nodes/n1/container=io
via docker '^docker exec -i box .*/iowitness agent'
via sudo '^sudo -n --user=me -- .*/iowitness agent' --set /nodes/n1/user=me
via ssh "sh' '-c' 'umask 077; " --set /nodes/n1/push=true

exits 1 "a host that would be an option" "$IOW" run plan.json --allow-commands -o c --set /nodes/n1/host=-oProxyCommand=x
is "$(left_over)" 0 'no process is left'
