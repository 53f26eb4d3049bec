# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For tests that watch campaigns and their processes; sourced after tap.sh.
require_cmd pgrep

# build_driver NAME <C: a driver's source on stdin>: $T/plugins/NAME.so, looked for with --plugin-path.
build_driver() {
	mkdir -p "$T/plugins"
	cat >"$T/$1.c"
	${IOW_CC:-cc} -std=gnu11 -O1 -fPIC -shared -I"$IOW_SRC/core/include" -o "$T/plugins/$1.so" "$T/$1.c"
}

# A small driver that does as it is told: "does" says when to misbehave. It counts the runs in the
# file "count" of its directory key (and in "opens" how often it was opened, to hang in "open").
naughty_driver() {
	build_driver naughty <<'EOF'
#include <iowitness/driver.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct conf { const char *dir, *does; int64_t in; };
struct target { const struct conf *c; int run; };
static const struct iow_key keys[] = {
	{ .name = "dir", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED, .offset = offsetof(struct conf, dir), .help = "d" },
	{ .name = "does", .type = IOW_KEY_STRING, .offset = offsetof(struct conf, does), .def = "well", .help = "d" },
	{ .name = "in", .type = IOW_KEY_INT, .offset = offsetof(struct conf, in), .def = "3", .min = 0, .max = 1000, .help = "d" },
	{ .name = NULL },
};
static int counted(const char *dir, const char *name)
{
	char path[600];
	int n = 0;
	FILE *f;
	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%d", &n) != 1)
			n = 0;
		fclose(f);
	}
	f = fopen(path, "w");
	fprintf(f, "%d", ++n);
	fclose(f);
	return n;
}
static void *t_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	struct target *t = calloc(1, sizeof *t);
	t->c = o->conf;
	if (!strcmp(t->c->does, "open") && counted(t->c->dir, "opens") == t->c->in)
		for (;;)
			pause();
	printf("naughty speaks on stdout\n");
	fflush(stdout);
	fprintf(stderr, "naughty speaks on stderr\n");
	return t;
}
static int t_info(void *p, struct iow_info *i, struct iow_error *e)
{
	i->bytes = 1 << 30;
	i->offset_align = i->buffer_align = 1;
	i->max_depth = 1;
	i->ops = IOW_CAP_READ;
	i->fd = -1;
	return 0;
}
static void t_close(void *p) { free(p); }
static void *q_open(void *p, const struct iow_queue *q, struct iow_error *e)
{
	struct target *t = p;
	t->run = counted(t->c->dir, "count");
	return t;
}
static void q_close(void *q) {}
static void io(void *q, struct iow_io *io)
{
	struct target *t = q;
	usleep(200);
	io->res = io->len;
	if (t->run != t->c->in)
		return;
	if (!strcmp(t->c->does, "segv"))
		*(volatile int *)0 = 1;
	if (!strcmp(t->c->does, "exit"))
		_exit(7);
	if (!strcmp(t->c->does, "abort"))
		abort();
	if (!strcmp(t->c->does, "fail"))
		io->res = -5;
	if (!strcmp(t->c->does, "hang"))
		for (;;)
			pause();
}
static const struct iow_driver d = {
	.abi = IOW_ABI, .size = sizeof d, .key_size = sizeof(struct iow_key), .conf_size = sizeof(struct conf),
	.name = "naughty", .version = "1", .summary = "misbehaves", .keys = keys, .caps = IOW_CAP_READ | IOW_CAP_NO_DATA,
	.open = t_open, .info = t_info, .close = t_close, .queue_open = q_open, .queue_close = q_close, .io = io,
};
const struct iow_driver *iow_driver_1(void) { return &d; }
EOF
}

# runs BUNDLE: how many lines of runs there are; status BUNDLE STATUS: with that status.
runs() { cat "$1/runs.jsonl" 2>/dev/null | grep -c '^{"run":' || :; }
status() { grep -c "\"status\":\"$2\"" "$1/runs.jsonl" || :; }

# wait_runs BUNDLE N: until it has as many, for 20 s at most.
wait_runs() {
	tries=0
	until [ "$(runs "$1")" -ge "$2" ] || [ $((tries = tries + 1)) -gt 2000 ]; do sleep 0.01; done
}

# Processes that a campaign of this test started and that are still there: pids with the word
# "agent" or "child" of their command line, found by the ledger in their environment.
processes() {
	for p in $(pgrep -f '^([^ ]*/)?iowitness (agent|child)( |$)'); do
		if { tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null | grep -qxF "IOWITNESS_LEDGER=$IOWITNESS_LEDGER"; then
			printf '%s %s\n' "$p" "$({ tr '\0' ' ' <"/proc/$p/cmdline"; } 2>/dev/null | cut -d' ' -f2)"
		fi
	done
}
left_over() { processes | wc -l; }

# agent_of NODE: the agent of a node that was started with NODE=… in its environment.
agent_of() {
	for p in $(processes | sed -n 's/ agent$//p'); do
		{ tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null | grep -qxF "NODE=$1" && echo "$p"
	done | head -n 1
}
