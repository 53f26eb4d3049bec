#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a campaign makes, what it refuses, and that all it made is gone afterwards, however it ends.
. "$(dirname "$0")/../lib/tap.sh"
plan_later

W=$(mktemp -d /var/tmp/iowitness-test.XXXXXX) || exit 99
at_exit "rm -rf '$W'"

# campaign OP CACHE TARGET…: a plan with these targets, each "NAME": {…}
campaign() {
	op=$1 cache=$2; shift 2
	names=$(for t; do printf '%s\n' "$t" | sed 's/^\("[^"]*"\).*/\1/'; done | paste -sd, -)
	all=$(for t; do printf '%s\n' "$t"; done | paste -sd, -)
	cat >"$T/plan.json" <<-PLAN
	{ "iowitness": 1, "title": "Targets", "targets": { $all },
	  "workloads": { "w": { "op": "$op", "block": "64KiB", "duration": "100ms" } },
	  "tests": [ { "name": "t", "targets": [ $names ], "workloads": ["w"], "blocks": 1, "cache": "$cache", "region": "same" } ] }
	PLAN
	rm -rf "$T/out.iow"
}

run() { rm -rf "$T/out.iow"; "$IOW" run "$T/plan.json" -o "$T/out.iow" --no-report "$@"; }

left() { find "$W" -type f | sort | paste -sd' ' -; }

campaign read cold "\"a\": { \"driver\": \"posix\", \"path\": \"$W/t1\", \"size\": \"2MiB\" }" \
	"\"b\": { \"driver\": \"posix\", \"path\": \"$W/t1\", \"size\": \"3MiB\" }"
exits 0 'two targets on one file' run
is "$(left)" '' 'and the file is gone'
like "$(cat "$T/out.iow/host.json")" '"filesystem": "' 'facts of the filesystem are kept'
like "$(cat "$T/out.iow/host.json")" '"kernel": "Linux' 'and of the machine'
is "$(grep -c '"allocated":' "$T/out.iow/runs.jsonl")" 2 'it was written'

echo mine >"$W/mine"
sum=$(sha256sum "$W/mine")
campaign write as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/mine\" }"
exits 4 'a file that was there is not written' run
like "$(cat "$T/err")" 'it was there before this campaign\. Needed: another path' 'and it is said what is needed'
is "$(sha256sum "$W/mine")" "$sum" 'its content stays'
campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/mine/below\", \"size\": \"1MiB\" }"
exits 1 'a path below a file is looked at' run --dry-run
like "$(cat "$T/err")" 'mine/below: Not a directory' 'and the reason is the system'"'"'s own'
head -c 1048576 /dev/urandom >"$W/mine"
sum=$(sha256sum "$W/mine")
campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/mine\" }"
exits 0 'but it is read' run
is "$(sha256sum "$W/mine")" "$sum" 'and stays as it was'
rm "$W/mine"

campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/t1\" }"
exits 1 'a file that is not there, without a size' run
like "$(cat "$T/err")" 'with a "size" it would be made' 'says what is missing'
campaign read cold "\"a\": { \"driver\": \"raw\", \"path\": \"/dev/no-such\", \"size\": \"1MiB\" }"
exits 1 'a device that is not there' run
like "$(cat "$T/err")" '/dev/no-such: there is no such device' 'is said to be missing'
is "$(ls /dev/no-such 2>/dev/null)" '' 'and no file is made in its place'
campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/t1\", \"size\": \"8000TiB\" }"
exits 1 'more than there is room for' run
like "$(cat "$T/err")" 'are needed in .*may be used there' 'is told before anything is written'
is "$(left)" '' 'and nothing is left'

if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] && [ -w /dev/shm ]; then
	campaign read cold "\"a\": { \"driver\": \"posix\", \"path\": \"/dev/shm/iowitness-$$\", \"size\": \"1MiB\" }"
	exits 1 'cold on tmpfs' run
	like "$(cat "$T/err")" 'on tmpfs, where nothing is read cold' 'is refused with the reason'
	campaign read as-is "\"a\": { \"driver\": \"direct\", \"path\": \"/dev/shm/iowitness-$$\", \"size\": \"1MiB\" }"
	exits 1 'direct on tmpfs' run
	like "$(cat "$T/err")" 'on tmpfs, where nothing is read past the page cache' 'is refused with the reason'
	is "$(find /dev/shm -name "iowitness-$$*")" '' 'and nothing was made there'
else
	skip_anywhere 5 'no tmpfs at /dev/shm'
fi

campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/t1\", \"size\": \"2MiB\" }"
exits 0 'a dry run' run --dry-run
like "$(cat "$T/out")" "would read \"a\" .*: $W/t1 would be made new \(2 MiB\) and removed at the end" 'says what would be made'
is "$(left)$(ls -d "$T/out.iow" 2>/dev/null)" '' 'and makes nothing'
echo mine >"$W/mine"
campaign write as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/mine\" }"
exits 4 'a dry run of what is refused is refused' run --dry-run
rm "$W/mine"

# killed PROCESS: the coordinator, with kill -9, while it measures
campaign read as-is "\"a\": { \"driver\": \"posix\", \"path\": \"$W/t1\", \"size\": \"2MiB\" }"
sed -i 's/"100ms"/"30s"/' "$T/plan.json"
run >/dev/null 2>&1 &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ -s "$T/out.iow/log.txt" ] && [ -e "$W/t1" ] && break
	sleep 0.3
done
sleep 0.5
ok 'the file is there while it runs' test -e "$W/t1"
kill -9 "$(pgrep -P "$pid" -f 'iowitness run' || echo "$pid")" "$pid" 2>/dev/null
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ -e "$W/t1" ] || break
	sleep 0.5
done
is "$(left)" '' 'kill -9 of the coordinator: the agent removes it'

# ---- devices ----
if [ "$(id -u)" -ne 0 ] || ! losetup -f >/dev/null 2>&1; then
	skip 21 'needs root and loop devices'
	done_testing
	exit 0
fi
# Other tests make loop devices at the same time.
ours() { losetup -n -O NAME,BACK-FILE | grep -F " $W/"; }
campaign read cold "\"r\": { \"driver\": \"raw\", \"make\": { \"loop\": \"2MiB\", \"dir\": \"$W\" } }"
exits 0 'a loop device is made' run
like "$(cat "$T/out.iow/host.json")" '"layers": \["loop[0-9]+: loop' 'its layers are known'
like "$(cat "$T/out.iow/runs.jsonl")" '"direct":true' 'direct I/O is in force on it'
campaign write as-is "\"r\": { \"driver\": \"raw\", \"make\": { \"loop\": \"2MiB\", \"dir\": \"$W\" } }"
exits 0 'and written' run
sleep 0.3
is "$(ours)" '' 'and gone'
is "$(left)" '' 'with its file'

truncate -s 8M "$W/disk"
dev=$(losetup -f --show "$W/disk")
at_exit "losetup -d $dev 2>/dev/null"
campaign write as-is "\"r\": { \"driver\": \"raw\", \"path\": \"$dev\" }"
exits 0 'a blank device is written' run
exits 4 'one with data on it is not' run
like "$(cat "$T/err")" "it holds data that has no known signature\. Needed: if all data on it may be lost: \"destroy\": \"loop-" \
	'and the remedy names its id'
id=$(sed -n 's/.*"destroy": "\([^"]*\)".*/\1/p' "$T/err")
exits 4 'the id on the command line alone is not enough' run --destroy "$id"
campaign write as-is "\"r\": { \"driver\": \"raw\", \"path\": \"$dev\", \"destroy\": \"$id\" }"
exits 4 'the id in the plan alone is not enough' run
like "$(cat "$T/err")" "Needed: if all data on it may be lost: --destroy loop-" 'the command line is asked for'
exits 0 'a dry run with both' run --dry-run --destroy "$id"
like "$(cat "$T/out")" "THE DEVICE $dev WOULD BE WRITTEN OVER \(loop-" 'says so plainly'
exits 0 'both are' run --destroy "$id"
campaign write as-is "\"r\": { \"driver\": \"raw\", \"path\": \"$dev\", \"destroy\": \"$id\" }" \
	"\"s\": { \"driver\": \"raw\", \"path\": \"$dev\", \"destroy\": \"$id\" }"
exits 0 'also for two targets on it' run --destroy "$id"
if command -v mkfs.ext4 >/dev/null 2>&1; then
	mkfs.ext4 -qF "$dev" && mkdir "$W/m" && mount -o ro "$dev" "$W/m"
	at_exit "umount '$W/m' 2>/dev/null"
	exits 4 'a mounted one is never written' run --destroy "$id"
	like "$(cat "$T/err")" "it is mounted at $W/m\. Needed: unmount $W/m; nothing overrides this" 'says where'
	campaign read as-is "\"r\": { \"driver\": \"raw\", \"path\": \"$dev\" }"
	exits 0 'but it is read' run
	umount "$W/m"
	campaign write as-is "\"r\": { \"driver\": \"raw\", \"path\": \"$dev\", \"destroy\": \"wwn-another\" }"
	exits 4 'the id of another device' run --destroy wwn-another
	like "$(cat "$T/err")" 'the plan names wwn-another for destruction, and this device is loop-' 'is a mistake'
else
	skip 5 'no mkfs.ext4'
fi
done_testing
