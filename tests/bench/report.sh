#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `iowitness report` costs (HTML, PDF and JSON together) with more and more cells of 8 runs: the least of
# three runs each, the memory at its most, and the power of the number of cells that the processor's time grows
# with from one size to the next (1: in proportion). CELLS (20 200 2000 20000); BENCH_DIR (/dev/shm): 20,000
# cells need 1 GB there.
set -u
LC_ALL=C
export LC_ALL
[ -x /usr/bin/time ] || { echo 'bench-report: GNU time is needed (Debian: apt-get install time)' >&2; exit 1; }
dir=${BENCH_DIR:-/dev/shm}
[ -w "$dir" ] || dir=/var/tmp
T=$(mktemp -d "$dir/iowitness-report.XXXXXX") || exit 1
trap 'rm -rf "$T"' 0
trap 'exit 1' 1 2 15

echo '| cells | runs | wall | processor | memory | HTML | PDF | grows with cells^ |'
echo '|---|---|---|---|---|---|---|---|'
for n in ${CELLS:-20 200 2000 20000}; do
	"$IOW_BUILD/tests/lib/make_bundle" --kind cells --cells "$n" --blocks 8 -o "$T/b" || exit 1
	rm -f "$T/times"
	for i in 1 2 3; do
		/usr/bin/time -a -o "$T/times" -f '%e %U %S %M' "$IOW_BUILD/iowitness" report "$T/b" >/dev/null 2>"$T/err" ||
			[ $? -le 3 ] || { cat "$T/err" >&2; exit 1; }
		[ -s "$T/b/report.html" ] && [ -s "$T/b/report.pdf" ] || { cat "$T/err" >&2; exit 1; }
	done
	awk -v n="$n" -v last="$(cat "$T/last" 2>/dev/null)" -v html="$(wc -c <"$T/b/report.html")" \
		-v pdf="$(wc -c <"$T/b/report.pdf")" -v keep="$T/last" '
		NF == 4 { cpu = $2 + $3; if (!k++ || cpu < best) best = cpu; if (k == 1 || $1 < wall) wall = $1; if ($4 > mem) mem = $4 }
		END {
			split(last, old, " ")
			p = old[1] && old[2] > 0 ? sprintf("%.2f", log(best / old[2]) / log(n / old[1])) : "–"
			printf "| %d | %d | %.2f s | %.2f s | %.0f MiB | %.1f MB | %.1f MB | %s |\n",
				n, 8 * n, wall, best, mem / 1024, html / 1e6, pdf / 1e6, p
			print n, best >keep
		}' "$T/times"
	rm -rf "$T/b"
done
