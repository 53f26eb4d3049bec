#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine against fio on this machine, now: pairs that alternate, medians and spreads. Each case ends in
#     ratio X.XX (min..max)
# of ours / fio's. BENCH_PAIRS (5) pairs of BENCH_SECONDS (2). Arguments pick groups:
# null lanes memory zram ext4 file. zram and ext4 need root; what is missing is skipped.
set -u
LC_ALL=C
export LC_ALL
pairs=${BENCH_PAIRS:-5}
seconds=${BENCH_SECONDS:-2}
ns=$((seconds * 1000000000))
bench=$IOW_BUILD/tests/bench/lane_bench
dir=${BENCH_DIR:-/var/tmp}
groups=${*:-null lanes memory zram ext4 file}
T=$(mktemp -d "$dir/iowitness-bench.XXXXXX") || exit 1
zram=''

clean() {
	trap - 0 1 2 15
	mountpoint -q "$T/mnt" && umount "$T/mnt"
	[ -z "$zram" ] || echo "$zram" >/sys/class/zram-control/hot_remove
	rm -rf "$T"
}
trap clean 0
trap 'exit 1' 1 2 15

command -v fio >/dev/null 2>&1 || { echo 'SKIP: no fio'; exit 77; }
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: */machine: /'
echo "machine: $(nproc) processors, Linux $(uname -r), load $(cut -d' ' -f1 /proc/loadavg), $(fio --version), $(date -u +%Y-%m-%d)"

# field NAME: a number out of one line of JSON of ours.
field() { sed -n "s/.*\"$1\":\([0-9.e+]*\).*/\1/p"; }

# fio_numbers: "iops cpu_ns p50 p99 mib_s" of fio's JSON (one job, reads).
fio_numbers() {
	awk -F' : ' '
		/"read" : \{/ { read = 1 } /"write" : \{/ { read = 0 }
		{ v = $2; sub(/,$/, "", v) }
		read && /"iops" :/ && !iops { iops = v }
		read && /"bw_bytes" :/ { bw = v }
		read && /"total_ios" :/ { ios = v }
		read && /"runtime" :/ && !ms { ms = v }
		read && /"50.000000"/ { p50 = v }
		read && /"99.000000"/ { p99 = v }
		/"usr_cpu" :/ && !usr { usr = v }
		/"sys_cpu" :/ && !sys { sys = v }
		END { printf "%s %.1f %d %d %.2f\n", iops, (usr + sys) / 100 * ms * 1e6 / ios, p50, p99, bw / 1048576 }'
}

# summary: of lines "ours theirs", the ratios: "ratio X.XX (min..max)" and the medians.
summary() {
	awk '
		{ r[NR] = $1 / $2; a[NR] = $1; b[NR] = $2 }
		function median(v, n,   i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
			return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
		}
		END { m = median(r, NR); printf "%.4g against %.4g, ratio %.2f (%.2f..%.2f)\n",
			median(a, NR), median(b, NR), m, r[1], r[NR] }' "$1"
}

# pair NAME DRIVER KEYS WORKLOAD-MEMBERS FIO-OPTION…: figures of both, in turn.
pair() {
	name=$1 driver=$2 keys=$3 work="{$4,\"duration\":$ns}"
	shift 4
	set -- fio --name=x --group_reporting --lat_percentiles=1 --clat_percentiles=0 --output-format=json \
		--time_based --runtime="$seconds" "$@"
	rm -f "$T"/*.pairs
	i=0
	while [ $i -lt "$pairs" ]; do
		"$bench" "$driver" "$keys" "$work" >"$T/ours" 2>"$T/log" || { cat "$T/ours" "$T/log"; return; }
		"$@" 2>"$T/log" | sed -n '/^{/,$p' | fio_numbers >"$T/fio"
		read -r iops cpu p50 p99 mib <"$T/fio"
		echo "$(field iops <"$T/ours") $iops" >>"$T/iops.pairs"
		echo "$(field cpu_ns <"$T/ours") $cpu" >>"$T/cpu.pairs"
		echo "$(field p50_ns <"$T/ours") $p50" >>"$T/p50.pairs"
		echo "$(field p99_ns <"$T/ours") $p99" >>"$T/p99.pairs"
		echo "$(field mib_s <"$T/ours") $mib" >>"$T/mib.pairs"
		i=$((i + 1))
	done
	echo "# $*"
	echo "# lane_bench $driver '$keys' '$work'"
	case $name in
	*sequential*) echo "$name, MiB/s: $(summary "$T/mib.pairs")" ;;
	*) echo "$name, I/O per second: $(summary "$T/iops.pairs")" ;;
	esac
	echo "$name, processor ns an I/O: $(summary "$T/cpu.pairs")"
	case " $* " in
	*gtod_reduce*) ;;
	*null*) ;;
	*)
		echo "$name, p50 ns: $(summary "$T/p50.pairs")"
		echo "$name, p99 ns: $(summary "$T/p99.pairs")"
		;;
	esac
}

random='"pattern":"random","block":4096'

bench_null() {
	for d in 1 32; do
		pair "null, depth $d" null '{}' "$random,\"depth\":$d" --ioengine=null --size=1g --rw=randread --bs=4k --iodepth=$d
	done
	command -v valgrind >/dev/null 2>&1 || { echo 'SKIP: no valgrind'; return; }
	for d in 1 32; do
		for n in 100000 300000; do
			valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" null '{}' \
				"{$random,\"depth\":$d,\"amount\":$((n * 4096))}" 2>&1 >/dev/null |
				sed -n 's/.*Collected : //p' >"$T/cg.$n"
		done
		echo "null, depth $d, instructions an I/O (callgrind): $((($(cat "$T/cg.300000") - $(cat "$T/cg.100000")) / 200000))"
	done
}

# Four jobs on two processors against two loops that only count.
bench_lanes() {
	[ "$(nproc)" -ge 2 ] || { echo 'SKIP: one processor'; return; }
	rm -f "$T/lanes"
	i=0
	while [ $i -lt "$pairs" ]; do
		s1=$("$bench" --spin 1 | field iops) s2=$("$bench" --spin 2 | field iops)
		l1=$(taskset -c 0 "$bench" null '{}' "{$random,\"duration\":$ns}" | field iops)
		l4=$(taskset -c 0,1 "$bench" null '{}' "{$random,\"jobs\":4,\"duration\":$ns}" | field iops)
		echo "$l1 $l4 $s1 $s2" | awk '{ print $2 / $1, $4 / $3 }' >>"$T/lanes"
		i=$((i + 1))
	done
	echo "null, 4 jobs on 2 processors against 1 on 1, and 2 counting loops against 1: $(summary "$T/lanes")"
}

# What one lane more needs, its one buffer of 4 KiB left out.
bench_memory() {
	for w in '"op":"read"' '"op":"mixed","durability":"flush","flush_every":16,"rate":100000'; do
		for j in 1 33; do
			"$bench" null '{}' "{$random,$w,\"jobs\":$j,\"duration\":1000000000}" | field rss_kib >"$T/rss.$j"
		done
		echo "memory of a lane, $w: $((($(cat "$T/rss.33") - $(cat "$T/rss.1")) / 32 - 4)) KiB"
	done
}

# drivers NAME PATH: libaio and uring against fio tuned (and libaio against fio's defaults).
drivers() {
	path="{\"path\":\"$2\"}"
	place=$1 libaio=$3
	set -- --filename="$2" --direct=1 --rw=randread --bs=4k
	for d in 1 32 128; do
		b=1
		[ $d -gt 1 ] && b=16
		pair "$place, libaio, depth $d, fio's defaults" "$libaio" "$path" "$random,\"depth\":$d" \
			--ioengine=libaio --iodepth=$d "$@"
		[ $d -eq 1 ] || pair "$place, libaio, depth $d, fio reaping all that is done, as we do" "$libaio" "$path" \
			"$random,\"depth\":$d" --ioengine=libaio --iodepth=$d --iodepth_batch_complete_min=1 \
			--iodepth_batch_complete_max=$d --userspace_reap "$@"
		pair "$place, libaio, depth $d, fio tuned, batch $b" "$libaio" "$path" "$random,\"depth\":$d,\"batch\":$b" \
			--ioengine=libaio --iodepth=$d --iodepth_batch_submit=$b --iodepth_batch_complete_min=1 \
			--iodepth_batch_complete_max=$b --userspace_reap --gtod_reduce=1 "$@"
		[ -e "$IOW_BUILD/plugins/uring/uring.so" ] || continue
		pair "$place, io_uring, depth $d, fio tuned, batch $b" uring "$path" "$random,\"depth\":$d,\"batch\":$b" \
			--ioengine=io_uring --fixedbufs --registerfiles --iodepth=$d --iodepth_batch_submit=$b \
			--iodepth_batch_complete_min=1 --iodepth_batch_complete_max=$b --gtod_reduce=1 "$@"
	done
	for d in 1 8; do
		pair "$place, libaio, sequential 1 MiB, depth $d" "$libaio" "$path" \
			"\"pattern\":\"sequential\",\"block\":1048576,\"depth\":$d" --ioengine=libaio --iodepth=$d "$@" \
			--rw=read --bs=1m
	done
}

make_zram() {
	[ -z "$zram" ] || return 0
	[ "$(id -u)" = 0 ] && [ -e /sys/class/zram-control/hot_add ] || return 1
	zram=$(cat /sys/class/zram-control/hot_add) || return 1
	echo 512M >"/sys/block/zram$zram/disksize" || return 1
	dd if=/dev/urandom of="/dev/zram$zram" bs=1M count=512 status=none
}

bench_zram() {
	make_zram || { echo 'SKIP: no zram'; return; }
	drivers 'zram' "/dev/zram$zram" raw
}

bench_ext4() {
	make_zram && command -v mkfs.ext4 >/dev/null 2>&1 || { echo 'SKIP: no zram or mkfs.ext4'; return; }
	mkfs.ext4 -q -F "/dev/zram$zram" && mkdir "$T/mnt" && mount "/dev/zram$zram" "$T/mnt" || return
	dd if=/dev/urandom of="$T/mnt/f" bs=1M count=256 conv=fsync status=none
	drivers 'ext4 on zram' "$T/mnt/f" direct
	umount "$T/mnt"
}

bench_file() {
	dd if=/dev/urandom of="$T/f" bs=1M count=512 conv=fsync status=none
	drivers 'file' "$T/f" direct
}

for g in $groups; do
	case $g in
	null | lanes | memory | zram | ext4 | file) "bench_$g" ;;
	*) echo "bench: no group $g (null lanes memory zram ext4 file)" >&2 && exit 1 ;;
	esac
done
