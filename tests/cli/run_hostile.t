#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An agent that answers well until a run, and then does what no agent should: it costs its own runs.
. "$(dirname "$0")/../lib/tap.sh"
. "$IOW_SRC/tests/lib/run.sh"
plan 40

cat >fake.c <<'EOF'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void say(const char *fmt, long id, long run)
{
	static char text[65536], line[65536];
	uint32_t n;
	unsigned char head[4];
	snprintf(line, sizeof line, "%s", fmt);
	snprintf(text, sizeof text, line, id, run);
	n = (uint32_t)strlen(text);
	head[0] = n >> 24; head[1] = n >> 16; head[2] = n >> 8; head[3] = n;
	if (write(1, head, 4) != 4 || write(1, text, n) != (ssize_t)n)
		exit(0);
}
static int take(char *out, size_t size)
{
	unsigned char head[4];
	uint32_t n, at = 0;
	for (int i = 0; i < 4; i++)
		if (read(0, head + i, 1) != 1)
			return 0;
	n = (uint32_t)head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
	if (n >= size)
		exit(1);
	while (at < n) {
		ssize_t k = read(0, out + at, n - at);
		if (k <= 0)
			return 0;
		at += (uint32_t)k;
	}
	out[n] = 0;
	return 1;
}
static long number(const char *in, const char *key)
{
	const char *p = strstr(in, key);
	return p ? strtol(p + strlen(key), NULL, 10) : 0;
}
#define OK "{\"type\":\"RESULT\",\"run\":%2$ld,\"line\":{\"status\":\"ok\",\"wall_ns\":1000000,\"bytes\":4096,\"ios\":1}"
static void run(const char *mode, long n)
{
	if (!strcmp(mode, "ceiling") && n >= 1000000000) {
		say("{\"type\":\"RESULT\",\"run\":%2$ld,\"line\":{\"status\":\"failed\",\"why\":\"no\",\"wall_ns\":1000000,"
		    "\"bytes\":4096,\"ios\":1}}", 0, n);
		return;
	}
	if (!strcmp(mode, "samples"))
		say(OK ",\"samples\":{\"intervals\":7}}", 0, n);
	else if (!strcmp(mode, "line"))
		say("{\"type\":\"RESULT\",\"run\":%2$ld,\"line\":{\"status\":\"ok\",\"surprise\":1}}", 0, n);
	else if (!strcmp(mode, "text"))
		say("{\"type\":\"RESULT\",\"run\":%2$ld,\"line\":{\"status\":\"failed\",\"why\":\"\\u001b]0;owned\\u0007\\u001b[31mred\"}}", 0, n);
	else if (!strcmp(mode, "huge"))
		for (size_t i = 0; i < 8; i++)
			(void)!write(1, "\377\377\377\377", 4);
	else if (!strcmp(mode, "flood"))
		for (;;)
			say("{\"type\":\"PROGRESS\",\"run\":%2$ld,\"bytes\":1,\"ios\":1}", 0, n);
	else if (!strcmp(mode, "log"))
		for (int i = 0; i < 9000; i++) {
			static char line[1200];
			memset(line, 'x', sizeof line - 1);
			memcpy(line, "{\"type\":\"FACT\",\"log\":\"", 22);
			memcpy(line + sizeof line - 3, "\"}", 3);
			say(line, 0, 0);
			if (i % 1000 == 0)
				usleep(100000);
		}
	else if (!strcmp(mode, "times"))
		say("{\"type\":\"RESULT\",\"run\":%2$ld,\"line\":{\"status\":\"ok\",\"wall_ns\":9223372036854775807,\"bytes\":1,"
		    "\"ios\":1,\"errors\":0},\"samples\":{\"intervals\":{\"start_ns\":9223372036854775807,\"width_ns\":9223372036854775807,"
		    "\"bytes\":[1,1],\"ios\":[1,1],\"errors\":[0,0],\"min_ns\":[1,1],\"max_ns\":[1,1]}}}", 0, n);
	if (!strcmp(mode, "log") || !strcmp(mode, "ceiling"))
		say(OK "}", 0, n);
}
int main(int argc, char **argv)
{
	static char in[1 << 20];
	while (take(in, sizeof in)) {
		long id = number(in, "\"id\":"), n = number(in, "\"run\":");
		if (strstr(in, "\"HELLO\"") && strstr(in, "\"ping\""))
			say("{\"type\":\"HELLO\",\"ping\":%ld,\"mono\":1000}", number(in, "\"ping\":"), 0);
		else if (strstr(in, "\"HELLO\""))
			say("{\"type\":\"HELLO\",\"protocol\":1,\"version\":\"9\",\"node\":\"fake\"}", 0, 0);
		else if (strstr(in, "\"what\":\"run\"") && n < 1000000000 && !strcmp(argv[1], "early"))
			say(OK "}", 0, n);
		else if (strstr(in, "\"what\":\"run\"") && (n < 1000000000 || !strcmp(argv[1], "ceiling")))
			say("{\"type\":\"READY\",\"id\":%ld,\"run\":%ld,\"line\":{}}", id, n);
		else if (strstr(in, "\"GO\""))
			run(argv[1], n);
		else if (strstr(in, "\"what\":\"run\""))
			say("{\"type\":\"ERROR\",\"id\":%ld,\"class\":\"failed\",\"text\":\"no\"}", id, 0);
		else if (strstr(in, "\"what\":\"driver\""))
			say("{\"type\":\"READY\",\"id\":%ld,\"driver\":{\"name\":\"null\",\"caps\":5,\"keys\":\"none\"}}", id, 0);
		else if (strstr(in, "PREPARE"))
			say("{\"type\":\"READY\",\"id\":%ld,\"bytes\":-5,\"align\":-1,\"rdev\":-1,\"facts\":[1]}", id, 0);
	}
	return 0;
}
EOF
${IOW_CC:-cc} -std=gnu11 -O1 -w -o fake fake.c || bail 'the fake agent does not build'

cat >plan.json <<EOF
{ "iowitness": 1, "title": "Hostile",
  "nodes": { "n1": { "driver": "remote-node", "command": ["$T/fake", "MODE"], "program": "x" } },
  "targets": { "a": { "driver": "null", "node": "n1" }, "b": { "driver": "null" } },
  "workloads": { "w": { "op": "read", "block": "4KiB", "duration": "50ms" } },
  "tests": [ { "name": "x", "targets": ["a", "b"], "workloads": ["w"], "pause": "1ms", "region": "whole", "blocks": 2 } ] }
EOF

# hostile MODE STATUS ERE: what the runs of a come to, and what the log says.
hostile() {
	rm -rf b
	sed "s/MODE/$1/" plan.json >p.json
	exits 3 "$1: incomplete" timeout 60 "$IOW" run p.json --allow-commands -o b --no-report
	is "$(status b ok)" "${4:-2}" "$1: the other node's runs are kept"
	like "$(grep -c "\"cell\":[0-9]*,.*\"status\":\"$2\"" b/runs.jsonl)" '^[1-9]' "$1: its own are $2"
	like "$(cat b/log.txt)" "$3" "$1: is named"
	ok "$1: the bundle is whole" "$IOW" verify b
}
hostile samples failed 'samples that this program does not understand'
hostile line failed 'a line that this program does not understand'
hostile text failed 'failed: .*red'
is "$(tr -d '\n' <"$T/err" | LC_ALL=C tr -d ' -~' | od -An -c | tr -d ' \n')" '' 'no control characters reach the terminal'
hostile early failed 'before it was told to go'
hostile huge killed 'does not speak the protocol'
hostile flood killed 'floods'

rm -rf b
sed "s/MODE/times/; s/\"mode\": \"each\"/\"mode\": \"together\"/; s/\"pause\"/\"mode\": \"together\", \"pause\"/" plan.json >p.json
ok 'times beyond all ages' timeout 60 "$IOW" run p.json --allow-commands -o b --no-report
ok 'the bundle is whole' "$IOW" verify b
is "$(sed -n 's/.*"cell":0,.*"together":\[\([0-9]*\),.*/\1/p' b/runs.jsonl | sort -u)" 0 'have no common window'

# The null driver failed there: what it reached until then is no ceiling.
rm -rf b
sed 's/MODE/ceiling/; s/"a": { "driver": "null"/"a": { "driver": "synth"/' plan.json >p.json
ok 'a ceiling whose run failed' timeout 60 "$IOW" run p.json --allow-commands -o b --no-report
like "$(cat b/log.txt)" 'ceiling of node n1 unknown' 'is none'

rm -rf b
sed 's/MODE/log/' plan.json >p.json
ok 'an endless log' timeout 100 "$IOW" run p.json --allow-commands -o b --no-report
[ "$(wc -c <b/log.txt)" -lt 6000000 ] && pass 'is bounded' || fail "the log has $(wc -c <b/log.txt) bytes"
like "$(tail -c 2000 b/log.txt)" 'further lines of this node are dropped' 'and says so'
is "$(left_over)" 0 'no process is left'
