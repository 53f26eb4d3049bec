# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# Machines of a cluster, in small: each a network namespace with a host name and an sshd of its own, all
# on one bridge. Sourced after tap.sh and run.sh.
#
#   nodes_up NAME…       makes them; $SSH_CONFIG is for ssh -F, $NODES_NET the namespace to call from
#   from_hub CMD…        does it there
#   node_link NAME up|down
#   node_sshd NAME       pids of the sshd processes of its sessions
require_root
require_cmd ip nsenter unshare ssh ssh-keygen
SSHD=$(command -v sshd || echo /usr/sbin/sshd)
[ -x "$SSHD" ] || require_cmd sshd

NODES_ID=iow$$
NODES_NET=/run/netns/$NODES_ID
SSH_CONFIG=$T/ssh_config

nodes_down() {
	for nodes_pid in "$T"/sshd.*.pid; do
		[ ! -s "$nodes_pid" ] || kill "$(cat "$nodes_pid")" 2>/dev/null
	done
	for nodes_name in $NODES_ALL ''; do
		ip netns del "$NODES_ID$nodes_name" 2>/dev/null
	done
}

nodes_sshd_config() {
	cat <<-EOF
	ListenAddress 10.99.0.$2
	HostKey $T/host
	PidFile $T/sshd.$1.pid
	AuthorizedKeysFile $T/login.pub
	StrictModes no
	UsePAM no
	UseDNS no
	PermitRootLogin prohibit-password
	PasswordAuthentication no
	KbdInteractiveAuthentication no
	SetEnv IOWITNESS_LEDGER=$IOWITNESS_LEDGER NODE=$1
	EOF
}

nodes_up() {
	NODES_ALL=$*
	ip netns add "$NODES_ID" 2>"$T/err" || skip_all "no network namespaces here: $(cat "$T/err")"
	at_exit nodes_down
	mkdir -p /run/sshd
	ssh-keygen -q -t ed25519 -N '' -f "$T/host" && ssh-keygen -q -t ed25519 -N '' -f "$T/login" || bail 'no keys'
	ip -n "$NODES_ID" link add hub type bridge && ip -n "$NODES_ID" addr add 10.99.0.254/24 dev hub &&
		ip -n "$NODES_ID" link set hub up || skip_all 'no bridges here'
	nodes_n=0
	for nodes_name; do
		nodes_n=$((nodes_n + 1))
		ip netns add "$NODES_ID$nodes_name"
		ip -n "$NODES_ID" link add "$nodes_name" type veth peer name wire netns "$NODES_ID$nodes_name"
		ip -n "$NODES_ID" link set "$nodes_name" master hub up
		ip -n "$NODES_ID$nodes_name" addr add "10.99.0.$nodes_n/24" dev wire
		ip -n "$NODES_ID$nodes_name" link set wire up
		nodes_sshd_config "$nodes_name" $nodes_n >"$T/sshd.$nodes_name"
		nsenter --net="/run/netns/$NODES_ID$nodes_name" unshare --uts sh -c \
			'echo "$1" >/proc/sys/kernel/hostname; exec "$2" -f "$3"' - "$nodes_name" "$SSHD" "$T/sshd.$nodes_name" ||
			bail "no sshd for $nodes_name"
		printf 'n %s\n' "$(cut -d' ' -f1,2 "$T/host.pub")" >"$T/known"
		printf 'Host %s\n  HostName 10.99.0.%s\n' "$nodes_name" $nodes_n >>"$SSH_CONFIG"
	done
	cat >>"$SSH_CONFIG" <<-EOF
	Host *
	  User root
	  HostKeyAlias n
	  IdentityFile $T/login
	  IdentitiesOnly yes
	  UserKnownHostsFile $T/known
	  LogLevel ERROR
	EOF
	for nodes_name; do
		[ "$(from_hub ssh -F "$SSH_CONFIG" -oBatchMode=yes "$nodes_name" hostname 2>"$T/err")" = "$nodes_name" ] ||
			bail "$nodes_name does not answer: $(cat "$T/err")"
	done
}

from_hub() { nsenter --net="$NODES_NET" "$@"; }
node_link() { ip -n "$NODES_ID" link set "$1" "$2"; }
node_sshd() { pgrep -P "$(cat "$T/sshd.$1.pid")"; }
