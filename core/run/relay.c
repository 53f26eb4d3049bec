/* SPDX-License-Identifier: Apache-2.0 */
#include "run/relay.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/spawn.h"
#include "base/vec.h"
#include "plan/keys.h"
#include "run/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 65536
#define WORDS_MAX 400
#define END_WAIT (5 * NS_PER_S)

/* One direction: what was read and not yet written. */
struct flow {
	int from, to; /* -1: ended */
	char data[CHUNK];
	size_t at, n;
};

struct relay {
	struct flow there, here; /* to the node, from the node */
	int err;
	char words[WORDS_MAX];   /* the last that the launcher said */
	bool heard;              /* a byte came from the node */
	pid_t pid;
};

/* ---- what went wrong ---- */

static const struct {
	const char *said, *means;
} reasons[] = {
	{ "./iowitness: Permission denied", "programs may not be started from the temporary directory there: set TMPDIR" },
	{ "Permission denied", "the login was refused: check user, key and agent forwarding; no password is asked for" },
	{ "Host key verification failed", "the host's key is unknown or has changed: log in once by hand and check it" },
	{ "Could not resolve", "the host's name is unknown" },
	{ "Name or service not known", "the host's name is unknown" },
	{ "No such container", "there is no such container" },
	{ "NotFound", "there is no such pod or container" },
	{ "Connection timed out", "the host did not answer in time" },
	{ "Operation timed out", "the host did not answer in time" },
	{ "Connection refused", "the host answers, but nothing listens on that port" },
	{ "No route to host", "there is no route to the host" },
	{ "Network is unreachable", "there is no route to the host" },
	{ "Invalid node name", "Slurm does not know that node" },
	{ "a password is required", "sudo wants a password: allow the agent's command without one" },
	{ "error while loading shared libraries", "iowitness is there, but a library that it needs is not" },
	{ "unknown command", "the iowitness there is too old or another program: install this version on both" },
	{ "no command \"agent\"", "the iowitness there is too old: install this version on both" },
};

void relay_explain(int status, const char *words, const char *node, char *out, size_t size)
{
	char how[64];

	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (strstr(words, reasons[i].said)) {
			snprintf(out, size, "%s (%.200s)", reasons[i].means, words);
			return;
		}
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 127 || strstr(words, "not found") ||
				  strstr(words, "No such file"))) {
		snprintf(out, size, "iowitness is not installed there, or not in the PATH: install it, or set a key of the "
			 "node in the plan: \"program\", or \"push\" to carry it there (%.200s)", *words ? words : "exit code 127");
		return;
	}
	spawn_describe(status, how, sizeof how);
	snprintf(out, size, "the launcher ended: %s%s%.200s", how, *words ? ": " : "", words);
}

static void tell_error(struct wire *w, const char *class, const char *text)
{
	json_t *f = wire_frame("ERROR");

	jsonx_set_str(f, "class", class);
	jsonx_set_str(f, "text", text);
	wire_send(w->out_fd, f, NULL);
	json_decref(f);
}

/* ---- moving bytes ---- */

static void flow_read(struct flow *f, bool *heard)
{
	ssize_t n = read(f->from, f->data, sizeof f->data);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		f->from = -1;
		return;
	}
	f->at = 0;
	f->n = (size_t)n;
	if (heard)
		*heard = true;
}

static void flow_write(struct flow *f)
{
	ssize_t n = write(f->to, f->data + f->at, f->n - f->at);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		f->to = -1;
		return;
	}
	f->at += (size_t)n;
	if (f->at == f->n)
		f->at = f->n = 0;
}

/* Keeps the end of what is said: greetings come first, reasons last. */
static void add_words(struct relay *r, const char *line)
{
	char all[2 * WORDS_MAX + 2100];
	int n = snprintf(all, sizeof all, "%s%s%.2048s", r->words, *r->words ? "; " : "", line);

	snprintf(r->words, sizeof r->words, "%.399s", n < WORDS_MAX ? all : all + (n - WORDS_MAX + 1));
}

static void keep_words(struct relay *r)
{
	char chunk[2048];
	ssize_t n = read(r->err, chunk, sizeof chunk - 1);
	char *line, *save = NULL;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		r->err = -1;
		return;
	}
	chunk[n] = 0;
	if (write(STDERR_FILENO, chunk, (size_t)n) < 0) /* into the log, where it is lost without harm */
		errno = 0;
	for (line = strtok_r(chunk, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save))
		add_words(r, line);
}

/* Polls one flow's two ends: reads when empty, writes when not. */
static void flow_ask(const struct flow *f, struct pollfd p[2])
{
	p[0] = (struct pollfd){ .fd = f->n ? -1 : f->from, .events = POLLIN };
	p[1] = (struct pollfd){ .fd = f->n ? f->to : -1, .events = POLLOUT };
}

static void pump(struct relay *r)
{
	while (r->there.from >= 0 && r->there.to >= 0 && r->here.to >= 0 && (r->here.from >= 0 || r->here.n)) {
		struct pollfd p[5];

		flow_ask(&r->there, p);
		flow_ask(&r->here, p + 2);
		p[4] = (struct pollfd){ .fd = r->err, .events = POLLIN };
		if (poll(p, 5, -1) < 0)
			continue;
		if (p[4].revents)
			keep_words(r);
		if (p[0].revents)
			flow_read(&r->there, NULL);
		if (p[1].revents)
			flow_write(&r->there);
		if (p[2].revents)
			flow_read(&r->here, &r->heard);
		if (p[3].revents)
			flow_write(&r->here);
	}
}

/* ---- the launcher's end ---- */

static int reap(struct relay *r)
{
	int64_t end = clock_mono_ns() + END_WAIT;
	int status = 0;

	while (r->err >= 0 && clock_mono_ns() < end) {
		struct pollfd p = { .fd = r->err, .events = POLLIN };

		if (poll(&p, 1, 100) > 0)
			keep_words(r);
		if (waitpid(r->pid, &status, WNOHANG) == r->pid)
			r->pid = 0;
		if (!r->pid && poll(&p, 1, 50) <= 0)
			break;
	}
	while (r->pid && waitpid(r->pid, &status, WNOHANG) == 0) {
		if (clock_mono_ns() >= end)
			kill(r->pid, SIGKILL);
		clock_sleep_until(clock_mono_ns() + 2 * NS_PER_MS);
	}
	return status;
}

static void nonblocking(int fd)
{
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static int carry(struct wire *w, const struct iow_link *l, const char *node)
{
	struct relay *r = mem_alloc(sizeof *r);
	char text[400];
	int status;

	r->there = (struct flow){ .from = w->fd, .to = l->out };
	r->here = (struct flow){ .from = l->in, .to = w->out_fd };
	r->err = l->err;
	r->pid = l->pid > 0 ? l->pid : 0; /* 0 or -1: no process of its own carries the stream */
	nonblocking(w->fd);
	nonblocking(l->in);
	nonblocking(l->out);
	nonblocking(l->err);
	if (w->in.len > w->taken) { /* what came behind the PREPARE */
		r->there.n = w->in.len - w->taken < CHUNK ? w->in.len - w->taken : CHUNK;
		memcpy(r->there.data, w->in.data + w->taken, r->there.n);
	}
	pump(r);
	close(l->out);
	status = reap(r);
	if (!r->heard && r->there.from >= 0) {
		relay_explain(status, r->words, node, text, sizeof text);
		tell_error(w, "lost", text);
	}
	free(r);
	return 0;
}

/* ---- connecting ---- */

static void on_fact(void *ctx, const char *name, const char *value)
{
}

static void on_log(void *ctx, const char *line)
{
	dprintf(STDERR_FILENO, "%s\n", line);
}

/* The program and the drivers that a node needs, for a driver that carries them there. */
static char **files_of(const json_t *ask)
{
	const json_t *drivers = json_object_get(ask, "drivers");
	char path[4096], **files = NULL;
	ssize_t len = readlink(SPAWN_SELF, path, sizeof path - 1);
	size_t n = 0;

	path[len > 0 ? len : 0] = 0;
	*VEC_ADD(files, n) = mem_strdup(path);
	for (size_t i = 0; i < json_array_size(drivers); i++) {
		const char *name = json_string_value(json_array_get(drivers, i));
		char *file = name ? driver_find(name, NULL) : NULL;

		if (file)
			*VEC_ADD(files, n) = file;
	}
	*VEC_ADD(files, n) = NULL;
	return files;
}

static int connect_link(const struct driver *d, const void *conf, const json_t *ask, struct iow_link *l,
			struct iow_error *e)
{
	static const struct iow_host host = { .size = sizeof host, .abi = IOW_ABI, .fact = on_fact, .log = on_log };
	static const char *const argv[] = { "iowitness", "agent", NULL };
	struct iow_open o = { .size = sizeof o, .conf = conf };
	struct iow_connect c = { .size = sizeof c, .argv = argv, .node = jsonx_str(ask, "node", "") };
	char **files;
	void *t;
	int rc;

	c.timeout_ns = jsonx_int(ask, "timeout_ns", 0);
	t = d->d.open(&host, &o, e);
	if (!t)
		return -1;
	files = files_of(ask);
	c.files = (const char *const *)files;
	rc = d->d.connect(t, &c, l, e);
	d->d.close(t);
	for (char **f = files; *f; f++)
		free(*f);
	free(files);
	return rc;
}

static int open_link(const json_t *ask, struct iow_link *l, struct iow_error *e)
{
	const char *name = jsonx_str(ask, "driver", "");
	mem_auto char *file = driver_find(name, e);
	struct driver d;
	struct conf c;
	int rc;

	if (!file || driver_load(&d, file, e))
		return -1;
	memset(&c, 0, sizeof c);
	if (d.d.caps & IOW_CAP_CONNECT)
		rc = conf_fill(&c, d.d.conf_size, d.keys, json_object_get(ask, "keys"), e);
	else
		rc = err_set(e, EINVAL, "driver %s does not lead to a node", name);
	if (!rc)
		rc = connect_link(&d, c.data, ask, l, e);
	conf_release(&c);
	driver_release(&d);
	return rc;
}

int relay_main(struct wire *w, const json_t *ask)
{
	struct iow_link l = { .size = sizeof l, .in = -1, .out = -1, .err = -1 };
	struct iow_error e = ERR_INIT;
	json_t *f;
	int rc;

	signal(SIGPIPE, SIG_IGN);
	if (open_link(ask, &l, &e)) {
		tell_error(w, e.err == EINVAL ? "plan" : "lost", e.text);
		return 1;
	}
	f = wire_frame("READY");
	jsonx_set_int(f, "id", jsonx_int(ask, "id", 0));
	rc = wire_send(w->out_fd, f, &e);
	json_decref(f);
	return rc ? 1 : carry(w, &l, jsonx_str(ask, "node", ""));
}
