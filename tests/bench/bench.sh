#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine against fio on this machine, now: pairs that alternate, medians and spreads. Each case ends in
#     ratio X.XX (min..max)
# of ours / fio's; at the end a table says which bars hold. BENCH_PAIRS (5) pairs of BENCH_SECONDS (1). Arguments
# pick groups: null lanes memory zram ext4 file wait. zram and ext4 need root; what is missing is skipped.
set -u
LC_ALL=C
export LC_ALL
pairs=${BENCH_PAIRS:-5}
seconds=${BENCH_SECONDS:-1}
ns=$((seconds * 1000000000))
bench=$IOW_BUILD/tests/bench/lane_bench
dir=${BENCH_DIR:-/var/tmp}
groups=${*:-null lanes memory zram ext4 file wait}
T=$(mktemp -d "$dir/iowitness-bench.XXXXXX") || exit 1
zram=''
server=''
: >"$T/bars"

clean() {
	trap - 0 1 2 15
	[ -z "$server" ] || kill "$server"
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

# line BAR NAME PAIRS [SELF]: one line of the result. BAR is one of bars(), or - for none; SELF holds the pairs of fio
# against itself for a bar of agreement.
line() {
	text=$(summary "$3")
	echo "$2: $text"
	self=''
	[ $# -lt 4 ] || self=$(summary "$4" | sed 's/.*ratio [0-9.]* (\(.*\)\.\.\(.*\))/\1 \2/')
	ratio=${text##*ratio }
	echo "${ratio%% *}|$1|$2|$self" >>"$T/bars"
}

# figure BAR NAME VALUE UNIT: a line that has nothing of fio's.
figure() {
	echo "$2: $3${4:+ $4}"
	echo "$3|$1|$2|" >>"$T/bars"
}

# ours DRIVER KEYS WORKLOAD, fios COMMAND…: one run; "iops cpu_ns p50 p99 mib_s" in $T/ours or $T/fio.
ours() {
	"$bench" "$@" >"$T/out" 2>"$T/log" || { cat "$T/out" "$T/log"; return 1; }
	for m in iops cpu_ns p50_ns p99_ns mib_s; do
		printf '%s ' "$(field $m <"$T/out")"
	done >"$T/ours"
}

fios() {
	"$@" 2>"$T/log" | sed -n '/^{/,$p' | fio_numbers >"$T/fio"
}

# note A B PREFIX: one pair for each figure. `even`: with a full queue on a device that needs no time of its own, a
# latency is what the queue takes to go round, depth / rate: the dearer one shows the longer latency. Times the rate,
# what is left is the shape.
note() {
	set -- $(cat "$1") $(cat "$2") "$3"
	echo "$1 $6" >>"$T/${11}iops.pairs"
	echo "$2 $7" >>"$T/${11}cpu.pairs"
	echo "$3 $8" >>"$T/${11}p50.pairs"
	echo "$4 $9" >>"$T/${11}p99.pairs"
	echo "$5 ${10}" >>"$T/${11}mib.pairs"
	echo "$1 $3 $6 $8" | awk '{ print $1 * $2, $3 * $4 }' >>"$T/${11}even.pairs"
}

# pair KIND NAME DRIVER KEYS WORKLOAD-MEMBERS FIO-OPTION…: figures of both, in turn. KIND says what is compared:
# rate, default, tuned, equal (fio runs twice, for its spread against itself) or sequential.
pair() {
	kind=$1 name=$2 driver=$3 keys=$4 work="{$5,\"duration\":$ns}"
	shift 5
	set -- fio --name=x --group_reporting --lat_percentiles=1 --clat_percentiles=0 --output-format=json \
		--time_based --runtime="$seconds" "$@"
	rm -f "$T"/*.pairs
	i=0
	while [ $i -lt "$pairs" ]; do
		ours "$driver" "$keys" "$work" || return
		fios "$@"
		note "$T/ours" "$T/fio" ''
		if [ "$kind" = equal ]; then
			mv "$T/fio" "$T/fio1"
			fios "$@"
			note "$T/fio" "$T/fio1" self-
		fi
		i=$((i + 1))
	done
	echo "# $*"
	echo "# lane_bench $driver '$keys' '$work'"
	lines "$kind" "$name"
}

lines() {
	case $1 in
	sequential) line sequential "$2, MiB/s" "$T/mib.pairs" ;;
	*) line "$1 rate" "$2, I/O per second" "$T/iops.pairs" ;;
	esac
	line "$1 cpu" "$2, processor ns an I/O" "$T/cpu.pairs"
	case $1 in
	default | sequential)
		line - "$2, p50 ns" "$T/p50.pairs"
		line - "$2, p99 ns" "$T/p99.pairs"
		;;
	equal)
		line p50 "$2, p50 ns" "$T/p50.pairs" "$T/self-p50.pairs"
		line p99 "$2, p99 ns" "$T/p99.pairs" "$T/self-p99.pairs"
		case $2 in
		*'depth 1,'*) ;;
		*) line even "$2, p50 times rate" "$T/even.pairs" "$T/self-even.pairs" ;;
		esac
		for f in iops p50 p99; do
			line - "$2, fio against itself, $f" "$T/self-$f.pairs"
		done
		;;
	esac
}

random='"pattern":"random","block":4096'

bench_null() {
	for d in 1 32; do
		pair "null-$d" "null, depth $d" null '{}' "$random,\"depth\":$d" --ioengine=null --size=1g --rw=randread \
			--bs=4k --iodepth=$d
	done
	command -v valgrind >/dev/null 2>&1 || { echo 'SKIP: no valgrind'; return; }
	for d in 1 32; do
		for n in 100000 300000; do
			valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" null '{}' \
				"{$random,\"depth\":$d,\"amount\":$((n * 4096))}" 2>&1 >/dev/null |
				sed -n 's/.*Collected : //p' >"$T/cg.$n"
		done
		figure instructions "null, depth $d, instructions an I/O (callgrind)" \
			$((($(cat "$T/cg.300000") - $(cat "$T/cg.100000")) / 200000))
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
	line lanes "null, 4 jobs on 2 processors against 1 on 1, and 2 counting loops against 1" "$T/lanes"
}

# What one lane more needs, its one buffer of 4 KiB left out.
bench_memory() {
	for w in '"op":"read"' '"op":"mixed","durability":"flush","flush_every":16,"rate":100000'; do
		for j in 1 33; do
			"$bench" null '{}' "{$random,$w,\"jobs\":$j,\"duration\":1000000000}" | field rss_kib >"$T/rss.$j"
		done
		figure memory "memory of a lane, $w" $((($(cat "$T/rss.33") - $(cat "$T/rss.1")) / 32 - 4)) KiB
	done
	# What grows is the result: as many intervals and buckets as were filled, and both have an end.
	for n in 100000 1000000000; do
		"$bench" null '{}' "{$random,\"depth\":32,\"amount\":$((n * 4096))}" | field rss_kib >"$T/rss.$n"
	done
	figure number "memory of 1,000,000,000 I/Os beyond that of 100,000" $(($(cat "$T/rss.1000000000") - $(cat "$T/rss.100000"))) KiB
}

# drivers NAME PATH LIBAIO: libaio and io_uring against fio. "Equal": fio reaps in user space, hands over one at a
# time as we do and takes as many completions at once (64 at most), clocks on; its total latency begins before the
# hand-over, as ours. "Tuned": a batch of 16 on both sides (at depth 1: 1), and fio's clocks reduced.
drivers() {
	place=$1 path="{\"path\":\"$2\"}" libaio=$3
	set -- --filename="$2" --direct=1 --rw=randread --bs=4k
	uring='--ioengine=io_uring --fixedbufs --registerfiles'
	for d in 1 32 128; do
		what="$random,\"depth\":$d" all=$d b=16
		[ $d -le 64 ] || all=64
		[ $d -gt 1 ] || b=1
		equal="--iodepth=$d --iodepth_batch_submit=1 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=$all"
		tuned="--iodepth=$d --iodepth_batch_submit=$b --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=$b"
		tuned="$tuned --gtod_reduce=1"
		[ "$place" != zram ] || pair default "$place, libaio, depth $d, fio's defaults" "$libaio" "$path" "$what" \
			--ioengine=libaio --iodepth=$d "$@"
		pair equal "$place, libaio, depth $d, equal" "$libaio" "$path" "$what" --ioengine=libaio --userspace_reap $equal "$@"
		pair tuned "$place, libaio, depth $d, fio tuned, batch $b" "$libaio" "$path" "$what,\"batch\":$b" \
			--ioengine=libaio --userspace_reap $tuned "$@"
		[ -e "$IOW_BUILD/plugins/uring/uring.so" ] || continue
		pair equal "$place, io_uring, depth $d, equal" uring "$path" "$what" $uring $equal "$@"
		pair tuned "$place, io_uring, depth $d, fio tuned, batch $b" uring "$path" "$what,\"batch\":$b" \
			$uring $tuned "$@"
	done
	for d in 1 8; do
		pair sequential "$place, libaio, sequential 1 MiB, depth $d" "$libaio" "$path" \
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

# A server that waits 1 ms before each answer: there the latency is its own, and not that of who measures.
bench_wait() {
	[ -e "$IOW_BUILD/plugins/nbd/nbd.so" ] && command -v nbdkit >/dev/null 2>&1 &&
		fio --enghelp | grep -qw nbd || { echo 'SKIP: no nbd driver, nbdkit or nbd engine of fio'; return; }
	nbdkit -f -t 64 -U "$T/nbd" --filter=delay memory 64M rdelay=1ms &
	server=$!
	i=0
	while [ ! -S "$T/nbd" ] && [ $((i += 1)) -lt 50 ]; do
		sleep 0.1
	done
	for d in 1 8; do
		pair equal "a server that waits 1 ms, depth $d, equal" nbd "{\"uri\":\"nbd+unix:///?socket=$T/nbd\"}" \
			"$random,\"depth\":$d" --ioengine=nbd --uri="nbd+unix:///?socket=$T/nbd" --rw=randread --bs=4k \
			--iodepth=$d --iodepth_batch_submit=1 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=$d
	done
	kill "$server"
	server=''
}

# bars: what the rows say of each bar, as they print (two decimals). A latency agrees when it differs by no more than
# 3% or than fio did from itself in the same minutes.
bars() {
	awk -F'|' '
		function bar(name, ok) {
			if (!(name in n)) order[++bars] = name
			n[name]++
			held[name] += ok
			if (!ok) not[name] = not[name] "\n    " $3 ": " $1
		}
		function agrees(   lo, hi, self) {
			split($4, self, " ")
			lo = self[1] < 0.97 ? self[1] : 0.97
			hi = self[2] > 1.03 ? self[2] : 1.03
			return $1 >= lo && $1 <= hi
		}
		$2 == "null-1 rate" { bar("null, depth 1, I/O per second at least 2.5 of fio", $1 >= 2.5) }
		$2 == "null-32 rate" { bar("null, depth 32, I/O per second at least 4 of fio", $1 >= 4) }
		$2 == "instructions" { bar("at most 400 instructions an I/O", $1 <= 400) }
		$2 == "lanes" { bar("4 jobs on 2 processors scale as counting loops do, at least 0.9", $1 >= 0.9) }
		$2 == "memory" { bar("a lane needs at most 2048 KiB", $1 <= 2048) }
		$2 == "number" { bar("1,000,000,000 I/Os need at most 2048 KiB more than 100,000", $1 <= 2048) }
		$2 == "default rate" && /depth 1,/ { bar("depth 1, at least 1.1 of default fio", $1 >= 1.1) }
		$2 == "default rate" && !/depth 1,/ { bar("depth 32 and 128, at least 1.3 of default fio", $1 >= 1.3) }
		$2 == "tuned rate" { bar("I/O per second at least 1.00 of tuned fio", $1 >= 1) }
		$2 == "tuned cpu" { bar("processor time an I/O at most 1.00 of tuned fio", $1 <= 1) }
		$2 == "sequential" { bar("sequential 1 MiB at least 0.98 of fio", $1 >= 0.98) }
		$2 == "p50" { bar("p50 agrees with fio at equal settings", agrees()) }
		$2 == "p99" { bar("p99 agrees with fio at equal settings", agrees()) }
		$2 == "even" { bar("p50 times rate agrees with fio at equal settings", agrees()) }
		END {
			print "Bars:"
			for (i = 1; i <= bars; i++) {
				b = order[i]
				printf "  %s: held in %d of %d%s\n", b, held[b], n[b], not[b] ? "; not held:" not[b] : ""
			}
		}' "$T/bars"
}

for g in $groups; do
	case $g in
	null | lanes | memory | zram | ext4 | file | wait) "bench_$g" ;;
	*) echo "bench: no group $g (null lanes memory zram ext4 file wait)" >&2 && exit 1 ;;
	esac
done
bars
