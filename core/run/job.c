/* SPDX-License-Identifier: Apache-2.0 */
#include "run/job.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "bundle/run.h"
#include "run/jobio.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_BEFORE (10 * NS_PER_MS)   /* counters are read before the first I/O, not beside it */
#define STOP_GRACE (10 * NS_PER_S)     /* from STOP to SIGKILL */
#define KILL_GRACE (5 * NS_PER_S)      /* from SIGKILL to giving up */
#define END_GRACE (5 * NS_PER_S)       /* from the answer to the end of the process */
#define PREPARE_LIMIT (600 * NS_PER_S) /* settling, flushing; of a file that is made: from one PROGRESS to the next */
#define DESCRIBE_LIMIT (20 * NS_PER_S)
#define DEADLINE_DEFAULT (30 * NS_PER_S)

/* ---- answers ---- */

static void answer(struct job *j, json_t *frame_take)
{
	if (j->run >= 0)
		jsonx_set_int(frame_take, "run", j->run);
	if (!j->answered)
		jsonx_set_int(frame_take, "id", j->id);
	j->host->tell(j->host->ctx, frame_take);
	json_decref(frame_take);
}

static void fail(struct job *j, const char *class, int err, const char *text)
{
	json_t *f = wire_frame("ERROR");

	jsonx_set_str(f, "class", class);
	jsonx_set_int(f, "errno", err);
	jsonx_set_str(f, "text", text);
	answer(j, f);
	j->answered = j->finished = true;
}

static int64_t held_for(const struct job *j)
{
	return j->held_ns + (j->held_at ? clock_mono_ns() - j->held_at : 0);
}

/* A run always gets its line, however it ended. */
static void result(struct job *j, uint32_t status, const char *why)
{
	json_t *f = wire_frame("RESULT"), *line = json_object();

	jsonx_set_str(line, "status", run_status_name(status));
	jsonx_set_str(line, "why", why);
	if (held_for(j) > 0)
		jsonx_set_int(line, "stopped_ns", held_for(j));
	jsonx_set_new(f, "line", line);
	jsonx_set_new(f, "samples", json_null());
	answer(j, f);
	j->answered = j->finished = true;
}

static void end_badly(struct job *j, uint32_t status, const char *why)
{
	char text[200];

	if (j->finished)
		return;
	snprintf(text, sizeof text, "%s", why);
	if (j->kind == JOB_RUN)
		result(j, status, text);
	else
		fail(j, "failed", 0, text);
}

/* ---- start ---- */

static int spawn_child(struct job *j, int sock, int log, struct iow_error *e)
{
	char fd[16];
	const char *argv[] = { "iowitness", "child", fd, NULL };
	struct spawn s = SPAWN_INIT;

	snprintf(fd, sizeof fd, "%d", sock);
	s.file = SPAWN_SELF;
	s.argv = argv;
	s.out = s.err = log;
	s.keep = sock;
	s.session = s.dies_with_parent = true;
	return spawn_start(&s, &j->pid, e);
}

static int open_child(struct job *j, struct iow_error *e)
{
	int sock[2], log[2], rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return err_sys(e, errno, "socketpair");
	if (pipe2(log, O_CLOEXEC)) {
		close(sock[0]);
		close(sock[1]);
		return err_sys(e, errno, "pipe");
	}
	rc = spawn_child(j, sock[1], log[1], e);
	close(sock[1]);
	close(log[1]);
	fcntl(sock[0], F_SETFL, O_NONBLOCK);
	fcntl(log[0], F_SETFL, O_NONBLOCK);
	wire_init(&j->wire, sock[0]);
	j->log_fd = log[0];
	return rc;
}

static enum job_kind kind_of(const json_t *ask)
{
	const char *what = jsonx_str(ask, "what", "");

	return !strcmp(what, "run") ? JOB_RUN : !strcmp(what, "target") ? JOB_TARGET : JOB_DRIVER;
}

struct job *job_start(const struct job_host *h, const json_t *ask, uint64_t rdev)
{
	struct job *j = mem_alloc(sizeof *j);
	struct iow_error e = ERR_INIT;

	j->host = h;
	j->kind = kind_of(ask);
	j->id = jsonx_int(ask, "id", 0);
	j->run = j->kind == JOB_RUN ? jsonx_int(ask, "run", 0) : -1;
	j->target = mem_strdup(jsonx_str(ask, "target", ""));
	j->driver = mem_strdup(jsonx_str(ask, "driver", "?"));
	j->rdev = rdev;
	j->log_fd = j->wire.fd = -1;
	j->progress_at = clock_mono_ns();
	j->ask = json_deep_copy(ask);
	if (rdev)
		jsonx_set_int(j->ask, "rdev", (int64_t)rdev);
	if (open_child(j, &e) || wire_queue(&j->wire, j->ask, &e) || wire_flush(&j->wire, &e)) {
		err_in(&e, "starting a child");
		end_badly(j, RUN_KILLED, e.text);
	}
	return j;
}

void job_free(struct job *j)
{
	if (!j)
		return;
	if (j->pid > 0)
		kill(j->pid, SIGKILL);
	if (j->wire.fd >= 0)
		close(j->wire.fd);
	wire_release(&j->wire);
	if (j->log_fd >= 0)
		close(j->log_fd);
	buf_release(&j->log);
	job_io_free(j->io);
	json_decref(j->ask);
	json_decref(j->held);
	free(j->kill_why);
	free(j->target);
	free(j->driver);
	free(j);
}

/* ---- orders ---- */

static void send_child(struct job *j, const json_t *f)
{
	struct iow_error e = ERR_INIT;

	if (wire_queue(&j->wire, f, &e) || wire_flush(&j->wire, &e))
		job_kill(j, RUN_KILLED, "the run's process does not read what it is sent");
}

void job_go(struct job *j, int64_t at)
{
	json_t *f = wire_frame("GO");
	int64_t now = clock_mono_ns();

	if (j->going || j->finished)
		return;
	jsonx_set_int(f, "run", j->run);
	jsonx_set_int(f, "at", at);
	j->going = true;
	j->at = at - LOOK_BEFORE > now ? at - LOOK_BEFORE : now;
	j->progress_at = at > now ? at : now;
	j->io = job_io_open(j->rdev, now);
	if (j->at == now) {
		job_io_start(j->io, now, false);
		j->at = 0;
	}
	send_child(j, f);
	json_decref(f);
}

void job_stop(struct job *j)
{
	json_t *f = wire_frame("STOP");

	if (j->finished || j->stop_at)
		return;
	jsonx_set_int(f, "run", j->run);
	j->stop_at = clock_mono_ns();
	send_child(j, f);
	json_decref(f);
}

void job_kill(struct job *j, uint32_t run_status, const char *why)
{
	if (j->pid <= 0 || j->kill_at)
		return;
	j->kill_why = mem_strdup(why);
	j->kill_status = run_status;
	j->kill_at = clock_mono_ns();
	kill(j->pid, SIGKILL);
}

/* ---- events ---- */

/* Adds what only the agent can see. A line that cannot be read is left to the coordinator to judge. */
static void complete_line(struct job *j, json_t *f)
{
	struct iow_error e = ERR_INIT;
	struct run r;

	run_init(&r);
	if (run_from_json(&r, json_object_get(f, "line"), &e))
		return;
	job_io_finish(j->io, &r);
	if (held_for(j) > 0)
		r.stopped_ns = held_for(j);
	jsonx_set_new(f, "line", run_to_json(&r));
}

static void on_result(struct job *j, json_t *f)
{
	bool hung = !strcmp(jsonx_str(json_object_get(f, "line"), "status", ""), run_status_name(RUN_HUNG));

	if (!json_is_object(json_object_get(f, "line"))) {
		job_kill(j, RUN_FAILED, "the run's process gave a result without a line");
		return;
	}
	if (j->io)
		complete_line(j, f);
	/* Told to the coordinator when the process is gone: the next run must not meet its remains. */
	j->held = json_incref(f);
	j->finished = j->answered = true;
	j->progress_at = clock_mono_ns();
	if (hung)
		job_kill(j, RUN_HUNG, jsonx_str(json_object_get(f, "line"), "why", "an I/O passed its deadline"));
}

static void on_error(struct job *j, json_t *f)
{
	if (j->kind == JOB_RUN && j->answered) { /* a run that was READY always gets a line */
		result(j, RUN_FAILED, jsonx_str(f, "text", "the run failed"));
		return;
	}
	answer(j, json_incref(f));
	j->finished = j->answered = true;
}

static void on_progress(struct job *j, json_t *f)
{
	uint64_t bytes = (uint64_t)jsonx_int(f, "bytes", 0), ios = (uint64_t)jsonx_int(f, "ios", 0);

	if (bytes != j->last_bytes || ios != j->last_ios)
		j->progress_at = clock_mono_ns();
	j->last_bytes = bytes;
	j->last_ios = ios;
	jsonx_set_int(f, "run", j->run);
	j->host->tell(j->host->ctx, f);
}

static void on_ready(struct job *j, json_t *f)
{
	struct iow_error e = ERR_INIT;
	json_t *stop;

	if (j->kind == JOB_TARGET && j->host->target_ready(j->host->ctx, j->ask, f, &e)) {
		fail(j, e.err == EPERM ? "refused" : "failed", e.err, e.text);
	} else {
		answer(j, json_incref(f));
		j->answered = true;
		j->finished = j->kind != JOB_RUN;
	}
	j->progress_at = clock_mono_ns();
	if (j->kind != JOB_TARGET)
		return;
	stop = wire_frame("STOP"); /* what it made is in the agent's hands: it may go */
	jsonx_set_bool(stop, "all", true);
	send_child(j, stop);
	json_decref(stop);
}

static void on_frame(struct job *j, json_t *f)
{
	const char *type = wire_type(f);

	if (j->finished && strcmp(type, "FACT"))
		return;
	if (!strcmp(type, "READY") && !j->answered) {
		on_ready(j, f);
	} else if (!strcmp(type, "RESULT") && j->kind == JOB_RUN) {
		on_result(j, f);
	} else if (!strcmp(type, "ERROR")) {
		on_error(j, f);
	} else if (!strcmp(type, "PROGRESS") && j->kind == JOB_RUN) {
		on_progress(j, f);
	} else if (!strcmp(type, "PROGRESS")) {
		j->progress_at = clock_mono_ns();
	} else if (!strcmp(type, "FACT") && json_object_get(f, "undo")) {
		j->host->undo(j->host->ctx, json_object_get(f, "undo"));
	} else if (!strcmp(type, "FACT")) {
		if (*j->target && !json_object_get(f, "target") && !json_object_get(f, "log"))
			jsonx_set_str(f, "target", j->target);
		j->host->tell(j->host->ctx, f);
	}
}

void job_readable(struct job *j)
{
	struct iow_error e = ERR_INIT;
	bool more = true;
	json_t *f;
	int rc;

	if (j->wire.fd < 0)
		return;
	while ((rc = wire_next(&j->wire, more, &f, &e)) == 1) {
		more = false;
		on_frame(j, f);
		json_decref(f);
	}
	if (rc == 0)
		return;
	if (e.err == EPROTO)
		job_kill(j, RUN_FAILED, "the run's process sent what is no frame");
	close(j->wire.fd);
	j->wire.fd = j->wire.out_fd = -1;
}

static void describe_end(struct job *j, int status)
{
	char how[64], text[200];

	if (j->held)
		answer(j, j->held);
	j->held = NULL;
	spawn_describe(status, how, sizeof how);
	if (j->kill_why) {
		end_badly(j, j->kill_status, j->kill_why);
		return;
	}
	/* Nobody but the host sends these: the out-of-memory killer, an operator, a shutdown. */
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM)) {
		snprintf(text, sizeof text, "the process of driver %s was killed from outside: %s", j->driver, how);
		end_badly(j, RUN_KILLED, text);
	} else {
		snprintf(text, sizeof text, "driver %s %s: %s", j->driver,
			 WIFSIGNALED(status) ? "crashed" : "ended its process without a result", how);
		end_badly(j, RUN_CRASHED, text);
	}
}

void job_held(struct job *j, bool held, int signal)
{
	json_t *f = wire_frame("FACT");
	mem_auto char *who = j->run >= 0 ? mem_printf("run %lld", (long long)j->run) : mem_printf("target %s", j->target);
	mem_auto char *text = held ? mem_printf("%s: its process was stopped from outside (signal %d)", who, signal)
				   : mem_printf("%s: its process goes on", who);

	j->held_ns = held_for(j);
	j->held_at = held ? clock_mono_ns() : 0;
	jsonx_set_str(f, "log", text);
	j->host->tell(j->host->ctx, f);
	json_decref(f);
}

void job_exited(struct job *j, int status)
{
	j->pid = 0;
	j->status = status;
	for (int i = 0; i < 1024 && j->wire.fd >= 0; i++) { /* what it sent before it ended */
		size_t before = j->wire.in.len;

		job_readable(j);
		if (j->wire.fd >= 0 && j->wire.in.len == before)
			break;
	}
	for (int i = 0; i < 64 && j->log_fd >= 0; i++)
		job_log_readable(j);
	job_log_end(j);
	describe_end(j, status);
}

/* ---- deadlines ---- */

static int64_t stall_limit(const struct job *j)
{
	const json_t *w = json_object_get(j->ask, "workload");
	int64_t deadline = jsonx_int(w, "deadline", 0);
	double rate = jsonx_real(w, "rate", 0);

	if (deadline <= 0)
		deadline = DEADLINE_DEFAULT;
	/* Ten intended gaps; a rate may be so low that these are centuries. */
	return 2 * deadline + 30 * NS_PER_S + (rate > 1e-8 ? (int64_t)(10 / rate * 1e9) : rate > 0 ? INT64_MAX / 4 : 0);
}

static int64_t limit_of(const struct job *j, const char **why)
{
	if (j->finished) {
		*why = NULL;
		return j->progress_at + END_GRACE;
	}
	if (j->stop_at) {
		*why = "the run did not stop within 10 s of being told to";
		return j->stop_at + STOP_GRACE;
	}
	if (j->going && j->held_at) {
		*why = "its process was stopped from outside and did not go on";
		return j->progress_at + stall_limit(j);
	}
	if (j->going) {
		*why = "no I/O completed within the deadline, and the run's process did not say so itself";
		return j->progress_at + stall_limit(j);
	}
	*why = "it did not get ready in time";
	return j->kind == JOB_DRIVER ? j->progress_at + DESCRIBE_LIMIT
	     : !j->answered ? j->progress_at + PREPARE_LIMIT : INT64_MAX;
}

/* SIGKILL does not reach a process in an uninterruptible wait: nobody waits for it any longer. */
static void abandon(struct job *j)
{
	char text[200];

	snprintf(text, sizeof text, "%.110s; its process (pid %d) survives SIGKILL and was abandoned",
		 j->kill_why ? j->kill_why : "the run ended", (int)j->pid);
	j->host->quarantine(j->host->ctx, j->target, j->rdev, text);
	if (j->held) {
		jsonx_set_str(json_object_get(j->held, "line"), "why", text); /* at most 199 bytes */
		answer(j, j->held);
		j->held = NULL;
	}
	end_badly(j, j->kill_status, text);
	j->pid = 0;
}

int64_t job_tick(struct job *j, int64_t now)
{
	const char *why;
	int64_t limit;

	if (j->at && now >= j->at) {
		job_io_start(j->io, now, now >= j->at + LOOK_BEFORE);
		j->at = 0;
	}
	if (j->pid <= 0)
		return INT64_MAX;
	if (j->kill_at) {
		limit = j->kill_at + KILL_GRACE;
		if (now >= limit)
			abandon(j);
		return limit;
	}
	limit = limit_of(j, &why);
	if (now >= limit) {
		job_kill(j, RUN_HUNG, why);
		limit = now + KILL_GRACE;
	}
	return j->at && j->at < limit ? j->at : limit;
}
