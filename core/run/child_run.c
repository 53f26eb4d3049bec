/* SPDX-License-Identifier: Apache-2.0 */
/* One run: prepared, told to go, watched, reported. */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/fill.h"
#include "run/lanes.h"
#include "run/target.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK (100 * NS_PER_MS) /* how often the lanes are looked at */
#define TELL (250 * NS_PER_MS) /* PROGRESS at most this often */

struct job_run {
	struct child *child;
	struct workload w;
	struct target target;
	struct lanes lanes;
	struct run line;
	uint64_t offset, length, seed;
	bool going, cancelled;
};

/* ---- before READY ---- */

static int parse(struct job_run *j, struct iow_error *e)
{
	const json_t *ask = j->child->ask;
	const char *seed = jsonx_str(ask, "seed", "0");

	if (workload_from_json(&j->w, json_object_get(ask, "workload"), e) != 0)
		return err_in(e, "workload");
	j->offset = (uint64_t)jsonx_int(ask, "offset", 0);
	j->length = (uint64_t)jsonx_int(ask, "length", 0);
	j->seed = strtoull(seed, NULL, 16);
	return target_load(&j->target, jsonx_str(ask, "driver", ""), json_object_get(ask, "keys"), e);
}

/* The device that I/O goes to, when it is one; else 0. */
static uint64_t device_of(const struct target *t)
{
	struct stat st;

	if (t->info.fd >= 0 ? fstat(t->info.fd, &st) : !*t->file || stat(t->file, &st))
		return 0;
	return S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode) ? st.st_rdev : 0;
}

/* Nothing is written to a device other than the one that the agent claimed. */
static int check_guard(const struct job_run *j, struct iow_error *e)
{
	const json_t *ask = j->child->ask;
	const int64_t rdev = jsonx_int(ask, "rdev", 0);
	const uint64_t device = device_of(&j->target);

	if (j->w.op == WORKLOAD_READ)
		return 0;
	if (!jsonx_bool(ask, "write", false))
		return err_set(e, EPERM, "this run was not announced as one that writes");
	if (rdev && (uint64_t)rdev != j->target.info.rdev)
		return err_set(e, EPERM, "%s is device %#llx, the one that was checked is %#llx", j->target.info.path,
			       (unsigned long long)j->target.info.rdev, (unsigned long long)rdev);
	if (device && (uint64_t)jsonx_int(ask, "guarded", 0) != device)
		return err_set(e, EPERM, "%s is a device that nobody guards", j->target.info.path);
	return 0;
}

/* The name may have come to mean another file since: that one is somebody's, and not what is measured. */
static int check_same(const struct job_run *j, struct iow_error *e)
{
	const json_t *same = json_object_get(j->child->ask, "same");
	struct stat st;

	if (!json_is_object(same))
		return 0;
	if (target_file(&j->target, &st) && (int64_t)st.st_dev == jsonx_int(same, "dev", 0) &&
	    (int64_t)st.st_ino == jsonx_int(same, "ino", 0))
		return 0;
	return err_set(e, ESTALE, "%s was replaced: it is not the file that was there when the campaign began",
		       j->target.info.path);
}

static int look_at_state(struct job_run *j, struct iow_error *e)
{
	const char *cache = jsonx_str(j->child->ask, "cache", "as-is");
	const bool first = jsonx_int(j->child->ask, "pass", 1) <= 1, cold = strcmp(cache, "cold") == 0;
	struct target *t = &j->target;
	struct run *r = &j->line;

	r->direct = target_direct(t);
	if (j->w.op == WORKLOAD_READ || j->w.op == WORKLOAD_MIXED)
		r->allocated = target_allocated(t, j->offset, j->length);
	/* Before the drop, since it reads. A repeat read must find the caches as the first one left them. */
	if (j->w.op == WORKLOAD_READ && (first || t->driver.d.caps & IOW_CAP_DIRECT) &&
	    target_sample(t, j->offset, j->length, &r->sampled_blocks, &r->weak_blocks, e) != 0)
		return err_in(e, "looking at the content of %s", t->info.path);
	if (first && strcmp(cache, "warm") == 0)
		return target_warm(t, j->offset, j->length, e);
	if (first && (cold || j->w.op != WORKLOAD_READ))
		return target_settle(t, j->offset, j->length, cold, r, e);
	return 0;
}

/* Opens the target and looks at it. Class of the ERROR when it fails: NULL when all is well. */
static const char *open_target(struct job_run *j, uint32_t flags, struct iow_error *e)
{
	/* The arms of a block share the seed of their offsets; what a driver draws is its own in each run. */
	const uint64_t own = fill_key(j->seed, (uint64_t)jsonx_int(j->child->ask, "run", 0), 0);

	if (target_open(&j->target, &j->child->host, flags, (uint32_t)j->w.jobs, own, e) != 0)
		return "failed";
	if (check_same(j, e) != 0)
		return "refused";
	if (target_fits(&j->target, &j->w, j->offset, &j->length, e) != 0)
		return "plan";
	if (check_guard(j, e) != 0)
		return "refused";
	if (look_at_state(j, e) != 0)
		return "failed";
	j->lanes.c.w = &j->w;
	j->lanes.c.drv = &j->target.driver.d;
	j->lanes.c.target = j->target.handle;
	j->lanes.c.info = j->target.info;
	j->lanes.c.offset = j->offset;
	j->lanes.c.length = j->length;
	j->lanes.c.seed = j->seed;
	return lanes_start(&j->lanes, e) == 0 ? NULL : "failed";
}

static void hung_before_ready(void *ctx, const char *why);

static const char *prepare(struct job_run *j, struct iow_error *e)
{
	struct patience *p;
	const char *class;
	uint32_t flags = 0;

	if (parse(j, e) != 0 || target_flags(&j->target, &j->w, &flags, e) != 0)
		return "plan";
	p = patience_new(&j->target, j->w.deadline_ns, hung_before_ready, NULL, j);
	class = open_target(j, flags, e);
	patience_free(p);
	return class;
}

/* ---- frames ---- */

static json_t *frame_of_run(const struct job_run *j, const char *type)
{
	json_t *f = wire_frame(type);

	jsonx_set_int(f, "run", jsonx_int(j->child->ask, "run", 0));
	return f;
}

static void send_ready(struct job_run *j)
{
	json_t *f = frame_of_run(j, "READY");

	if (json_object_get(j->child->ask, "id"))
		json_object_set(f, "id", json_object_get(j->child->ask, "id"));
	jsonx_set_new(f, "line", run_to_json(&j->line));
	child_send(j->child, f);
}

static void send_progress(struct job_run *j, int64_t *told)
{
	uint64_t bytes, ios;
	json_t *f;

	if (!j->going || clock_mono_ns() - *told < TELL)
		return;
	*told = clock_mono_ns();
	lanes_progress(&j->lanes, &bytes, &ios);
	f = frame_of_run(j, "PROGRESS");
	jsonx_set_int(f, "bytes", (int64_t)bytes);
	jsonx_set_int(f, "ios", (int64_t)ios);
	child_send(j->child, f);
}

static void say_wrong(struct job_run *j)
{
	char text[200];

	for (uint32_t i = 0; j->w.verify && i < j->lanes.n; i++) {
		const struct verify *v = j->lanes.lane[i].verify;

		for (uint32_t k = 0; k < v->n_saved; k++) {
			verify_say(v, &v->saved[k], text, sizeof text);
			child_log(j->child, "run %lld: %s: %s", (long long)jsonx_int(j->child->ask, "run", 0),
				  j->target.info.path, text);
		}
	}
}

static void send_result(struct job_run *j, const char *hung)
{
	json_t *f = frame_of_run(j, "RESULT"), *samples = NULL;

	if (j->going) {
		lanes_result(&j->lanes, hung, &j->line, &samples);
		say_wrong(j);
	}
	if (j->cancelled) {
		j->line.status = RUN_CANCELLED;
		snprintf(j->line.why, sizeof j->line.why, "told to stop before it began");
	}
	jsonx_set_new(f, "line", run_to_json(&j->line));
	jsonx_set_new(f, "samples", samples ? samples : json_null());
	child_send(j->child, f);
}

static void hung_before_ready(void *ctx, const char *why)
{
	struct job_run *j = ctx;
	json_t *f = frame_of_run(j, "RESULT");

	j->line.status = RUN_HUNG;
	snprintf(j->line.why, sizeof j->line.why, "%s", why);
	jsonx_set_new(f, "line", run_to_json(&j->line));
	jsonx_set_new(f, "samples", json_null());
	child_send(j->child, f);
	_exit(0);
}

/* One frame of the agent; returns false when the run is over without having begun. */
static bool on_frame(struct job_run *j, const json_t *f)
{
	const char *type = wire_type(f);

	if (strcmp(type, "GO") == 0 && !j->going) {
		j->going = true;
		lanes_go(&j->lanes, jsonx_int(f, "at", 0));
	} else if (strcmp(type, "STOP") == 0) {
		j->cancelled = !j->going;
		lanes_stop(&j->lanes);
		return j->going;
	}
	return true;
}

static void read_frames(struct job_run *j, bool *over)
{
	struct iow_error e = ERR_INIT;
	json_t *f;
	int rc = wire_next(&j->child->wire, true, &f, &e);

	for (; rc == 1; rc = wire_next(&j->child->wire, false, &f, &e)) {
		*over |= !on_frame(j, f);
		json_decref(f);
	}
	if (rc < 0)
		_exit(1); /* the agent is gone: nothing may go on writing */
}

/* Returns the text of a hang, or NULL. */
static const char *watch(struct job_run *j, char *why, size_t size)
{
	struct pollfd p[2] = { { .fd = j->child->fd, .events = POLLIN }, { .fd = j->lanes.done_fd, .events = POLLIN } };
	int64_t told = clock_mono_ns(), looked = told;
	bool over = false;

	while (!over && !(j->going && lanes_done(&j->lanes))) {
		uint64_t done;

		if (poll(p, 2, j->going ? 100 : 1000) > 0) {
			if (p[0].revents)
				read_frames(j, &over);
			if (p[1].revents && read(j->lanes.done_fd, &done, sizeof done) < 0)
				continue;
		}
		send_progress(j, &told);
		if (!j->going || clock_mono_ns() - looked < LOOK)
			continue;
		looked = clock_mono_ns();
		if (lanes_hung(&j->lanes, why, size))
			return why;
	}
	return NULL;
}

static bool any_queue_lost(const struct lanes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->lane[i].ended >= LANE_BROKEN)
			return true;
	return false;
}

int child_run(struct child *c)
{
	struct job_run *j = mem_alloc(sizeof *j);
	struct iow_error e = ERR_INIT;
	const char *class, *hung;
	char why[200];

	j->child = c;
	run_init(&j->line);
	class = prepare(j, &e);
	if (class) {
		if (j->target.driver.file)
			target_release(&j->target);
		free(j);
		return child_error(c, class, &e);
	}
	send_ready(j);
	hung = watch(j, why, sizeof why);
	send_result(j, hung);
	if (hung || any_queue_lost(&j->lanes))
		_exit(0); /* a thread that never returns cannot be joined, a queue with I/O in it not closed */
	if (!j->going)
		lanes_go(&j->lanes, 0);
	lanes_release(&j->lanes);
	target_release(&j->target);
	free(j);
	return 0;
}
