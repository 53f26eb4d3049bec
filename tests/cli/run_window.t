#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs together of which one starts late: its order to go is held back on the way. A little costs
# a part of the common window and leaves the rates right; too much voids what rests on it.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 13

# late MS COMMAND…: passes frames on to the command, and sits on each GO for so long.
cat >late.c <<'EOF'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int all(int fd, char *p, uint32_t n, int out)
{
	while (n) {
		ssize_t k = out ? write(fd, p, n) : read(fd, p, n);
		if (k <= 0)
			return 0;
		p += k;
		n -= (uint32_t)k;
	}
	return 1;
}
int main(int argc, char **argv)
{
	static char frame[1 << 20];
	unsigned char *h = (unsigned char *)frame;
	int to[2];
	if (argc < 3 || pipe(to))
		return 1;
	if (!fork()) {
		dup2(to[0], 0);
		close(to[0]);
		close(to[1]);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	close(to[0]);
	close(1);
	while (all(0, frame, 4, 0)) {
		uint32_t n = (uint32_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
		if (n + 5 > sizeof frame || !all(0, frame + 4, n, 0))
			return 1;
		frame[4 + n] = 0;
		if (strstr(frame + 4, "\"type\":\"GO\""))
			usleep(1000 * (unsigned)atoi(argv[1]));
		if (!all(to[1], frame, 4 + n, 1))
			return 1;
	}
	return 0;
}
EOF
${IOW_CC:-cc} -std=gnu11 -O1 -w -o late late.c || bail 'the shim does not build'

naughty_driver || bail 'the test driver does not build'

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Late",
  "nodes": { "n1": { "driver": "remote-node", "command": ["$T/late", "MS"], "program": "$IOW",
                     "plugin_path": "$T/plugins" },
             "n2": { "driver": "remote-node", "command": ["env"], "program": "$IOW", "plugin_path": "$T/plugins" } },
  "targets": { "a": { "driver": "naughty", "dir": "$T", "node": "n1" },
               "b": { "driver": "naughty", "dir": "$T", "node": "n2" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "3s" } },
  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["w"], "mode": "together", "pause": "100ms",
               "region": "whole", "cache": "as-is", "blocks": 1 } ],
  "questions": [ QUESTION ] }
EOF

# late MS [ARG…]: n1 starts so much later than 100 ms after it was told.
late() {
	sed "s/MS/$1/; s/QUESTION/$question/" plan.json >p.json
	rm -rf b
	shift
	"$IOW" run p.json --allow-commands -o b --plugin-path "$T/plugins" "$@" >"$T/said" 2>&1
	rc=$?
}
# Of each run together: window, shortest run and skew in ms; time that its I/Os took, in percent of that
# in which they are counted: one follows the other, so on any machine it is a little below 100.
together() {
	sed -n 's/.*"wall_ns":\([0-9]*\),.*"ios":\([0-9]*\),.*"read":\[[0-9]*,[0-9]*,\([0-9]*\),.*"together":\[\([0-9]*\),\([0-9]*\),[0-9]*,\([0-9]*\)\].*/\1 \2 \3 \4 \5 \6/p' \
		b/runs.jsonl | awk '{ printf "%.0f %.0f %.0f %.0f\n", $4 / 1e6, $5 / 1e6, $6 / 1e6, $2 * $3 * 100 / $1 }'
}
say() { "$IOW" report b -f markdown; }

question=
late 600
is "$rc" 0 'half a second late, of three'
is "$(together | wc -l | tr -d ' ')" 2 'both runs have a common window'
is "$(together | awk '$1 > 2520 || $1 < 2000')" '' 'which is shorter by that'
is "$(together | awk '$2 != 3000')" '' 'is set against the time that they were to run'
is "$(together | awk '$3 < 480 || $3 > 1000')" '' 'and is told as skew'
is "$(together | awk '$4 < 90 || $4 > 102')" '' 'the rates are right'
like "$(say)" 'Common window of runs together \| ≥ 80% \(void\) \| 8[0-3][.0-9]*% \|' 'the report has the number'
like "$(say)" 'Start skew \| ≤ 1% \(caveat\) \| \*\*CAVEAT 1[6-9]' 'and the skew'

question='{ "scaling": {}, "margin": 0.05 }'
late 300 --set /tests/0/mode=solo-then-together --set /workloads/w/duration=400ms --set /tests/0/blocks=5
is "$rc" 5 'half a run late: void'
like "$(say)" 'VOID, because gate “Common window of runs together” fails' 'the verdict names the gate'
like "$(say)" 'Common window of runs together \| ≥ 80% \(void\) \| n/a.*\| n/a.*\| \*\*FAIL [0-5]?[0-9.]+%' 'and the report its number'
ok 'the bundle is whole' "$IOW" verify b
is "$(left_over)" 0 'no process is left'
