/* SPDX-License-Identifier: Apache-2.0 */
#include "run/agent.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "bundle/run.h"
#include "run/facts.h"
#include "run/job.h"
#include "run/made.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

#define JOBS_MAX 1024
/* The coordinator asks every few seconds: it, or the way to it, is gone after four times the silence
 * after which it gives up itself. */
#define SILENCE_MAX (120 * NS_PER_S)
#define SILENCE_TIMES 4

/* A target that was prepared: its device, and why nothing runs on it any more. */
struct known {
	char *name, *quarantined;
	uint64_t rdev;
};

struct agent {
	struct wire wire;
	struct job_host host;
	int signals;
	struct job **jobs; size_t n_jobs;
	struct known *targets; size_t n_targets;
	struct made *made;
	bool ending;
	int64_t heard_at; /* when the coordinator last said something */
	int64_t silence;  /* how long it may say nothing */
};

/* ---- to the coordinator ---- */

static void tell(void *ctx, const json_t *frame)
{
	struct agent *a = ctx;
	struct iow_error e = ERR_INIT;

	if (wire_queue(&a->wire, frame, &e) || wire_flush(&a->wire, &e))
		a->ending = true; /* nobody listens: end as at the end of input */
}

static void tell_take(struct agent *a, json_t *frame)
{
	tell(a, frame);
	json_decref(frame);
}

static void refuse(struct agent *a, const json_t *ask, const char *class, const char *text)
{
	json_t *f = wire_frame("ERROR");

	jsonx_set_int(f, "id", jsonx_int(ask, "id", 0));
	jsonx_set_str(f, "class", class);
	jsonx_set_int(f, "errno", 0);
	jsonx_set_str(f, "text", text);
	tell_take(a, f);
}

/* ---- targets and quarantine ---- */

static struct known *known_find(struct agent *a, const char *name)
{
	for (size_t i = 0; i < a->n_targets; i++)
		if (!strcmp(a->targets[i].name, name))
			return &a->targets[i];
	return NULL;
}

static struct known *known_get(struct agent *a, const char *name)
{
	struct known *k = known_find(a, name);

	if (!k) {
		k = VEC_ADD(a->targets, a->n_targets);
		k->name = mem_strdup(name);
	}
	return k;
}

static int target_ready(void *ctx, const json_t *ask, json_t *ready, struct iow_error *e)
{
	struct agent *a = ctx;

	if (made_ready(a->made, ask, ready, e))
		return -1;
	known_get(a, jsonx_str(ask, "target", ""))->rdev = (uint64_t)jsonx_int(ready, "rdev", 0);
	return 0;
}

static void undo(void *ctx, const json_t *what)
{
	struct agent *a = ctx;

	made_note(a->made, what);
}

static void log_line(void *ctx, const char *line)
{
	struct agent *a = ctx;
	json_t *f = wire_frame("FACT");

	jsonx_set_str(f, "log", line);
	tell_take(a, f);
}

static void quarantine(void *ctx, const char *target, uint64_t rdev, const char *why)
{
	struct agent *a = ctx;

	if (*target)
		known_get(a, target);
	for (size_t i = 0; i < a->n_targets; i++) {
		struct known *k = &a->targets[i];

		if (k->quarantined || (strcmp(k->name, target) && !(rdev && k->rdev == rdev)))
			continue;
		k->quarantined = mem_strdup(why);
	}
}

static void not_run(struct agent *a, const json_t *ask, const char *why)
{
	json_t *f = wire_frame("RESULT"), *line = json_object();
	char text[200];

	snprintf(text, sizeof text, "its device is quarantined: %s", why);
	jsonx_set_int(f, "id", jsonx_int(ask, "id", 0));
	jsonx_set_int(f, "run", jsonx_int(ask, "run", 0));
	jsonx_set_str(line, "status", run_status_name(RUN_NOT_RUN));
	jsonx_set_str(line, "why", text);
	jsonx_set_new(f, "line", line);
	jsonx_set_new(f, "samples", json_null());
	tell_take(a, f);
}

/* ---- requests ---- */

static void on_hello(struct agent *a, const json_t *f)
{
	json_t *o = wire_frame("HELLO");
	char node[65] = "", boot[64];
	int64_t silence;

	if (json_object_get(f, "ping")) {
		jsonx_set_int(o, "ping", jsonx_int(f, "ping", 0));
		jsonx_set_int(o, "mono", clock_mono_ns());
		tell_take(a, o);
		return;
	}
	silence = jsonx_int(f, "silence_ms", 0);
	if (silence > 0 && silence <= 3600 * INT64_C(1000))
		a->silence = SILENCE_TIMES * silence * NS_PER_MS;
	gethostname(node, sizeof node - 1);
	if (file_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot) == 0)
		jsonx_set_str(o, "boot", boot);
	jsonx_set_int(o, "protocol", WIRE_PROTOCOL);
	jsonx_set_str(o, "version", PACKAGE_VERSION);
	jsonx_set_str(o, "node", node);
	jsonx_set_int(o, "pid", getpid());
	jsonx_set_bool(o, "root", geteuid() == 0);
	jsonx_set_new(o, "caps", json_pack("[s,s,s,s]", "host", "driver", "target", "run"));
	tell_take(a, o);
}

static struct job *find_run(struct agent *a, int64_t run)
{
	for (size_t i = 0; i < a->n_jobs; i++)
		if (a->jobs[i]->kind == JOB_RUN && a->jobs[i]->run == run)
			return a->jobs[i];
	return NULL;
}

static void start_job(struct agent *a, json_t *ask_take, uint64_t rdev)
{
	struct job **j = VEC_ADD(a->jobs, a->n_jobs);

	*j = job_start(&a->host, ask_take, rdev);
	json_decref(ask_take);
}

static void prepare_host(struct agent *a, const json_t *f)
{
	json_t *o = wire_frame("READY");

	jsonx_set_int(o, "id", jsonx_int(f, "id", 0));
	jsonx_set_new(o, "facts", facts_host());
	tell_take(a, o);
}

static void prepare_run(struct agent *a, const json_t *f)
{
	struct known *k = known_find(a, jsonx_str(f, "target", ""));

	if (find_run(a, jsonx_int(f, "run", 0)))
		refuse(a, f, "failed", "a run of that number is there already");
	else if (k && k->quarantined)
		not_run(a, f, k->quarantined);
	else
		start_job(a, made_run(a->made, f), k ? k->rdev : 0);
}

static void on_prepare(struct agent *a, const json_t *f)
{
	const char *what = jsonx_str(f, "what", "");

	if (a->n_jobs >= JOBS_MAX)
		refuse(a, f, "failed", "too many children");
	else if (!strcmp(what, "host"))
		prepare_host(a, f);
	else if (!strcmp(what, "driver") || !strcmp(what, "target"))
		start_job(a, made_ask(a->made, f), 0);
	else if (!strcmp(what, "run"))
		prepare_run(a, f);
	else
		refuse(a, f, "failed", "this agent does not know what to prepare");
}

static void on_stop(struct agent *a, const json_t *f)
{
	struct job *j = find_run(a, jsonx_int(f, "run", -1));

	if (jsonx_bool(f, "all", false))
		a->ending = true;
	else if (j)
		job_stop(j);
}

static void on_frame(struct agent *a, const json_t *f)
{
	const char *type = wire_type(f);
	struct job *j;

	if (!strcmp(type, "HELLO"))
		on_hello(a, f);
	else if (!strcmp(type, "PREPARE"))
		on_prepare(a, f);
	else if (!strcmp(type, "STOP"))
		on_stop(a, f);
	else if (!strcmp(type, "GO") && (j = find_run(a, jsonx_int(f, "run", -1))))
		job_go(j, jsonx_int(f, "at", 0));
}

static void on_input(struct agent *a)
{
	struct iow_error e = ERR_INIT;
	bool more = true;
	json_t *f;
	int rc;

	a->heard_at = clock_mono_ns();
	while ((rc = wire_next(&a->wire, more, &f, &e)) == 1) {
		more = false;
		on_frame(a, f);
		json_decref(f);
	}
	if (rc < 0)
		a->ending = true;
}

/* ---- the loop ---- */

static void on_child(struct job *j, int status)
{
	if (WIFSTOPPED(status))
		job_held(j, true, WSTOPSIG(status));
	else if (WIFCONTINUED(status))
		job_held(j, false, SIGCONT);
	else
		job_exited(j, status);
}

static void on_signals(struct agent *a)
{
	struct signalfd_siginfo si;
	int status;
	pid_t pid;

	while (read(a->signals, &si, sizeof si) == sizeof si)
		if (si.ssi_signo != SIGCHLD)
			a->ending = true;
	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0)
		for (size_t i = 0; i < a->n_jobs; i++)
			if (a->jobs[i]->pid == pid)
				on_child(a->jobs[i], status);
}

static void drop_ended(struct agent *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n_jobs; i++) {
		if (a->jobs[i]->pid > 0) {
			a->jobs[kept++] = a->jobs[i];
			continue;
		}
		job_free(a->jobs[i]);
	}
	a->n_jobs = kept;
}

static int64_t tick_all(struct agent *a)
{
	int64_t next = a->ending ? INT64_MAX : a->heard_at + a->silence;

	if (clock_mono_ns() >= next)
		a->ending = true;

	for (size_t i = 0; i < a->n_jobs; i++) {
		int64_t t = job_tick(a->jobs[i], clock_mono_ns());

		next = t < next ? t : next;
	}
	return next;
}

static void wait_events(struct agent *a, int64_t until)
{
	struct pollfd fds[2 + 2 * JOBS_MAX] = { { .fd = a->ending ? -1 : a->wire.fd, .events = POLLIN },
						{ .fd = a->signals, .events = POLLIN } };
	size_t n = 2, jobs = a->n_jobs;
	int64_t left = until == INT64_MAX ? 0 : until - clock_mono_ns();
	struct timespec ts = { left > 0 ? left / NS_PER_S : 0, left > 0 ? left % NS_PER_S : 0 };
	struct pollfd out = { .fd = a->wire.out_fd, .events = POLLOUT };

	for (size_t i = 0; i < jobs; i++, n += 2) {
		fds[n] = (struct pollfd){ .fd = a->jobs[i]->wire.fd, .events = POLLIN };
		fds[n + 1] = (struct pollfd){ .fd = a->jobs[i]->log_fd, .events = POLLIN };
	}
	if (wire_pending(&a->wire)) { /* rare: look again soon instead of a third kind of entry */
		ts.tv_sec = 0;
		ts.tv_nsec = ts.tv_nsec > 5 * NS_PER_MS || until == INT64_MAX ? 5 * NS_PER_MS : ts.tv_nsec;
		until = 0;
	}
	if (ppoll(fds, n, until == INT64_MAX ? NULL : &ts, NULL) < 0)
		return;
	if (poll(&out, 1, 0) > 0 && wire_pending(&a->wire) && wire_flush(&a->wire, NULL))
		a->ending = true;
	for (size_t i = 0; i < jobs; i++) {
		if (fds[2 + 2 * i].revents)
			job_readable(a->jobs[i]);
		if (fds[3 + 2 * i].revents)
			job_log_readable(a->jobs[i]);
	}
	if (fds[1].revents)
		on_signals(a);
	if (fds[0].revents)
		on_input(a);
}

/* Everything that may still write is killed; who survives that is not waited for. */
static void end_jobs(struct agent *a)
{
	for (size_t i = 0; i < a->n_jobs; i++)
		job_kill(a->jobs[i], RUN_CANCELLED, "the agent was told to end");
	while (a->n_jobs) {
		wait_events(a, tick_all(a));
		drop_ended(a);
	}
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void agent_release(struct agent *a)
{
	for (size_t i = 0; i < a->n_targets; i++) {
		free(a->targets[i].name);
		free(a->targets[i].quarantined);
	}
	free(a->targets);
	free(a->jobs);
	wire_release(&a->wire);
	if (a->signals >= 0)
		close(a->signals);
}

int agent_main(const struct agent_options *o)
{
	struct agent a = { .signals = open_signals(), .heard_at = clock_mono_ns(), .silence = SILENCE_MAX };

	wire_init(&a.wire, o->in);
	a.wire.out_fd = o->out;
	fcntl(o->in, F_SETFL, fcntl(o->in, F_GETFL) | O_NONBLOCK);
	fcntl(o->out, F_SETFL, fcntl(o->out, F_GETFL) | O_NONBLOCK);
	a.host = (struct job_host){ .ctx = &a, .tell = tell,
				    .target_ready = target_ready, .undo = undo, .quarantine = quarantine };
	a.made = made_new();
	while (!a.ending && a.signals >= 0) {
		wait_events(&a, tick_all(&a));
		drop_ended(&a);
	}
	end_jobs(&a);
	made_undo(a.made, log_line, &a);
	agent_release(&a);
	return 0;
}
