/* SPDX-License-Identifier: Apache-2.0 */
#include "run/node.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/spawn.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

#define PING_EVERY (5 * NS_PER_S) /* at most: three of them in the time of silence */
#define FRAMES_PER_S 20000u
#define LOG_MAX ((size_t)4 << 20) /* of one node in one campaign */
#define END_GRACE (10 * NS_PER_S)

/* ---- open and close ---- */

int nodes_open(struct nodes *ns, size_t count, struct iow_error *e)
{
	sigset_t set;

	memset(ns, 0, sizeof *ns);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	ns->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (ns->signals < 0)
		return err_sys(e, errno, "signalfd");
	ns->silence_ns = ns->announced_ns = NODE_SILENCE;
	nodes_grow(ns, count);
	return 0;
}

void nodes_grow(struct nodes *ns, size_t count)
{
	ns->v = mem_resize(ns->v, count, sizeof *ns->v);
	for (; ns->n < count; ns->n++) {
		struct node *n = &ns->v[ns->n];

		memset(n, 0, sizeof *n);
		wire_init(&n->wire, -1);
		n->err_fd = -1;
		n->bound = -1;
	}
}

static void close_streams(struct node *n)
{
	if (n->wire.fd >= 0)
		close(n->wire.fd);
	wire_release(&n->wire);
}

static void reap(struct nodes *ns)
{
	for (size_t i = 0; i < ns->n; i++)
		if (ns->v[i].pid > 0 && waitpid(ns->v[i].pid, NULL, WNOHANG) > 0)
			ns->v[i].pid = 0;
}

static bool any_left(const struct nodes *ns)
{
	for (size_t i = 0; i < ns->n; i++)
		if (ns->v[i].pid > 0)
			return true;
	return false;
}

void nodes_close(struct nodes *ns)
{
	int64_t end = clock_mono_ns() + END_GRACE;

	for (size_t i = 0; i < ns->n; i++) {
		json_t *f = wire_frame("STOP");

		jsonx_set_bool(f, "all", true);
		if (ns->v[i].state == NODE_UP)
			node_send(ns, &ns->v[i], f);
		else
			json_decref(f);
		close_streams(&ns->v[i]);
	}
	for (reap(ns); any_left(ns) && clock_mono_ns() < end; reap(ns))
		clock_sleep_until(clock_mono_ns() + NS_PER_MS);
	for (size_t i = 0; i < ns->n; i++) {
		struct node *n = &ns->v[i];

		if (n->pid > 0)
			kill(n->pid, SIGKILL);
		if (n->err_fd >= 0)
			close(n->err_fd);
		buf_release(&n->err);
		free(n->name);
	}
	reap(ns);
	free(ns->v);
	free(ns->asks);
	if (ns->signals >= 0)
		close(ns->signals);
	memset(ns, 0, sizeof *ns);
	ns->signals = -1;
}

/* ---- start ---- */

static int spawn_agent(struct node *n, const char *what, struct iow_error *e)
{
	int sock[2], err[2], rc;
	char fd[16];
	const char *agent[] = { "iowitness", "agent", "--fd", fd, NULL };
	const char *child[] = { "iowitness", "child", fd, NULL };
	struct spawn s = SPAWN_INIT;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return err_sys(e, errno, "socketpair");
	if (pipe2(err, O_CLOEXEC)) {
		close(sock[0]);
		close(sock[1]);
		return err_sys(e, errno, "pipe");
	}
	snprintf(fd, sizeof fd, "%d", sock[1]);
	s.file = SPAWN_SELF;
	s.argv = strcmp(what, "agent") == 0 ? agent : child;
	s.out = s.err = err[1];
	s.keep = sock[1];
	s.session = true;
	rc = spawn_start(&s, &n->pid, e);
	close(sock[1]);
	close(err[1]);
	fcntl(sock[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	wire_init(&n->wire, sock[0]);
	n->err_fd = err[0];
	return rc;
}

static void send_hello(struct nodes *ns, struct node *n)
{
	json_t *f = wire_frame("HELLO");

	jsonx_set_int(f, "protocol", WIRE_PROTOCOL);
	jsonx_set_str(f, "version", PACKAGE_VERSION);
	jsonx_set_int(f, "silence_ms", ns->announced_ns / NS_PER_MS);
	node_send(ns, n, f);
}

int node_start_local(struct nodes *ns, struct node *n, const char *name, struct iow_error *e)
{
	n->name = mem_strdup(name);
	n->shares_clock = true;
	n->bound = 0;
	if (spawn_agent(n, "agent", e))
		return -1;
	n->state = NODE_UP;
	n->heard_at = n->pinged_at = clock_mono_ns();
	send_hello(ns, n);
	return 0;
}

int node_start_remote(struct nodes *ns, struct node *n, const char *name, const char *driver, const json_t *keys,
		      const json_t *needs, int64_t timeout_ns, struct iow_error *e)
{
	json_t *f = wire_frame("PREPARE");

	n->name = mem_strdup(name);
	jsonx_set_str(f, "what", "connect");
	jsonx_set_int(f, "id", 0); /* its READY needs no answer: what comes next is from the node */
	jsonx_set_str(f, "driver", driver);
	jsonx_set_str(f, "node", name);
	jsonx_set_int(f, "timeout_ns", timeout_ns);
	jsonx_set_new(f, "keys", json_deep_copy(keys));
	jsonx_set_new(f, "drivers", json_deep_copy(needs));
	if (spawn_agent(n, "child", e)) {
		json_decref(f);
		return err_in(e, "node %s", name);
	}
	n->state = NODE_UP;
	n->heard_at = n->pinged_at = clock_mono_ns();
	node_send(ns, n, f);
	return 0;
}

int node_greet(struct nodes *ns, struct node *n, int64_t timeout_ns, struct iow_error *e)
{
	int64_t end = clock_mono_ns() + timeout_ns;

	while (n->state == NODE_UP && !n->greeted && clock_mono_ns() < end && !ns->stop)
		nodes_poll(ns, end);
	if (n->greeted)
		return 0;
	if (n->state == NODE_UP && ns->stop)
		node_lose(ns, n, "interrupted");
	else if (n->state == NODE_UP)
		node_lose(ns, n, "its agent did not answer within %lld s", (long long)(timeout_ns / NS_PER_S));
	return err_set(e, ETIMEDOUT, "node %s: %s", n->name, n->why);
}

/* ---- losing a node ---- */

void node_lose(struct nodes *ns, struct node *n, const char *fmt, ...)
{
	va_list ap;

	if (n->state == NODE_LOST)
		return;
	va_start(ap, fmt);
	vsnprintf(n->why, sizeof n->why, fmt, ap);
	va_end(ap);
	n->state = NODE_LOST;
	close_streams(n);
	ask_fail_all(ns, n);
	if (ns->on_lost)
		ns->on_lost(ns->ctx, n);
}

/* ---- the loop ---- */

static void on_hello(struct nodes *ns, struct node *n, const json_t *f)
{
	if (json_object_get(f, "ping")) {
		node_pong(n, f);
		return;
	}
	if (jsonx_int(f, "protocol", 0) != WIRE_PROTOCOL) {
		node_lose(ns, n, "its agent (iowitness %.32s) speaks protocol %lld, this program %d: install the same "
			  "version on both", jsonx_str(f, "version", "?"), (long long)jsonx_int(f, "protocol", 0),
			  WIRE_PROTOCOL);
		return;
	}
	snprintf(n->host, sizeof n->host, "%s", jsonx_str(f, "node", ""));
	snprintf(n->version, sizeof n->version, "%s", jsonx_str(f, "version", ""));
	snprintf(n->boot, sizeof n->boot, "%s", jsonx_str(f, "boot", ""));
	n->root = jsonx_bool(f, "root", false);
	n->greeted = true;
}

static void node_log(struct nodes *ns, struct node *n, const char *line)
{
	size_t len = strlen(line) + 1;

	if (n->logged > LOG_MAX)
		return;
	n->logged += len;
	if (ns->on_log)
		ns->on_log(ns->ctx, n, n->logged > LOG_MAX ? "further lines of this node are dropped" : line);
}

static void on_frame(struct nodes *ns, struct node *n, json_t *f)
{
	const char *type = wire_type(f);
	struct ask *a = ask_find(ns, n, f);

	if (!n->greeted && !strcmp(type, "READY")) /* the stream to another node is there */
		send_hello(ns, n);
	else if (!n->greeted && !strcmp(type, "ERROR")) {
		n->misplanned = !strcmp(jsonx_str(f, "class", ""), "plan");
		node_lose(ns, n, "%.290s", jsonx_str(f, "text", "its agent could not be started"));
	} else if (!strcmp(type, "HELLO"))
		on_hello(ns, n, f);
	else if (a && (!strcmp(type, "READY") || !strcmp(type, "ERROR")))
		ask_answer(a, json_incref(f));
	else if (!strcmp(type, "FACT") && json_object_get(f, "log"))
		node_log(ns, n, jsonx_str(f, "log", ""));
	else if (!strcmp(type, "FACT") && ns->on_fact)
		ns->on_fact(ns->ctx, n, f);
	else if (ns->on_frame && strcmp(type, "FACT"))
		ns->on_frame(ns->ctx, n, f);
}

static void node_readable(struct nodes *ns, struct node *n)
{
	struct iow_error e = ERR_INIT;
	bool more = true;
	json_t *f;
	int rc;

	while ((rc = wire_next(&n->wire, more, &f, &e)) == 1) {
		more = false;
		n->heard_at = clock_mono_ns();
		if (n->heard_at - n->frames_at > NS_PER_S) {
			n->frames_at = n->heard_at;
			n->frames = 0;
		}
		n->frames++;
		on_frame(ns, n, f);
		json_decref(f);
		if (n->state != NODE_UP)
			return;
		if (n->frames > FRAMES_PER_S) {
			node_lose(ns, n, "its agent floods the protocol with frames");
			return;
		}
	}
	if (rc < 0 && e.err == EPROTO)
		node_lose(ns, n, "its agent does not speak the protocol: %.200s", e.text);
	else if (rc < 0)
		node_lose(ns, n, "its agent ended: %.200s", *n->last_words ? n->last_words : e.text);
}

/* What could not be sent is less telling than what the peer said before it went away. */
static void send_failed(struct nodes *ns, struct node *n, const struct iow_error *e)
{
	struct pollfd p = { .fd = n->wire.fd, .events = POLLIN };

	while (n->state == NODE_UP && poll(&p, 1, 100) > 0)
		node_readable(ns, n);
	node_lose(ns, n, "its agent is gone: %.200s", e->text);
}

void node_send(struct nodes *ns, struct node *n, json_t *frame_take)
{
	struct iow_error e = ERR_INIT;

	if (n->state == NODE_UP && (wire_queue(&n->wire, frame_take, &e) || wire_flush(&n->wire, &e)))
		send_failed(ns, n, &e);
	json_decref(frame_take);
}

static void stderr_readable(struct nodes *ns, struct node *n)
{
	char chunk[2048], *nl;
	ssize_t r = read(n->err_fd, chunk, sizeof chunk);

	if (r < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (r > 0)
		buf_add(&n->err, chunk, (size_t)r);
	while (n->err.len && ((nl = memchr(n->err.data, '\n', n->err.len)) || n->err.len > 4096)) {
		size_t len = nl ? (size_t)(nl - n->err.data) : n->err.len;
		mem_auto char *line = mem_strndup(n->err.data, len);

		len += nl != NULL;
		node_log(ns, n, line);
		snprintf(n->last_words, sizeof n->last_words, "%s", line);
		memmove(n->err.data, n->err.data + len, n->err.len - len);
		n->err.len -= len;
	}
	if (r <= 0) {
		close(n->err_fd);
		n->err_fd = -1;
	}
}

static void on_signals(struct nodes *ns)
{
	struct signalfd_siginfo si;

	while (read(ns->signals, &si, sizeof si) == sizeof si)
		if (si.ssi_signo != SIGCHLD)
			ns->stop++;
	reap(ns);
}

void nodes_expect(struct nodes *ns, int64_t silence_ns)
{
	int64_t now = clock_mono_ns();

	ns->silence_ns = silence_ns;
	for (size_t i = 0; i < ns->n; i++) {
		ns->v[i].heard_at = now;
		if (ns->v[i].state == NODE_UP && ns->v[i].greeted)
			node_ping(ns, &ns->v[i]);
	}
}

/* Heartbeat: each node is asked now and then, one that stays silent is lost. */
static int64_t watch(struct nodes *ns, int64_t now)
{
	int64_t next = INT64_MAX, every = ns->silence_ns / 3 < PING_EVERY ? ns->silence_ns / 3 : PING_EVERY;

	for (size_t i = 0; i < ns->n; i++) {
		struct node *n = &ns->v[i];
		int64_t due, over = n->heard_at + ns->silence_ns;

		if (n->state != NODE_UP || !n->greeted)
			continue;
		if (now >= over) {
			node_lose(ns, n, "its agent has not answered for %g s", (double)ns->silence_ns / 1e9);
			continue;
		}
		due = n->pinged_at + every; /* also to one that talks: its agent must hear that we are there */
		if (now >= due) {
			node_ping(ns, n);
			due = now + every;
		}
		due = due < over ? due : over;
		next = due < next ? due : next;
	}
	return next;
}

static void serve(struct nodes *ns, struct node *n, const struct pollfd *fds)
{
	struct iow_error e = ERR_INIT;

	if (fds[1].revents && n->err_fd >= 0)
		stderr_readable(ns, n);
	if (n->state == NODE_UP && (fds[0].revents & POLLOUT) && wire_flush(&n->wire, &e))
		send_failed(ns, n, &e);
	if (n->state == NODE_UP && (fds[0].revents & (POLLIN | POLLHUP | POLLERR)))
		node_readable(ns, n);
}

void nodes_poll(struct nodes *ns, int64_t until)
{
	struct pollfd *fds = mem_array(1 + 2 * ns->n, sizeof *fds);
	int64_t now = clock_mono_ns(), next = watch(ns, now);
	struct timespec ts;

	if (next < until)
		until = next;
	ts.tv_sec = until > now ? (until - now) / NS_PER_S : 0;
	ts.tv_nsec = until > now ? (until - now) % NS_PER_S : 0;
	fds[0] = (struct pollfd){ .fd = ns->signals, .events = POLLIN };
	for (size_t i = 0; i < ns->n; i++) {
		struct node *n = &ns->v[i];

		fds[1 + 2 * i] = (struct pollfd){ .fd = n->state == NODE_UP ? n->wire.fd : -1,
						  .events = wire_pending(&n->wire) ? POLLIN | POLLOUT : POLLIN };
		fds[2 + 2 * i] = (struct pollfd){ .fd = n->err_fd, .events = POLLIN };
	}
	if (ppoll(fds, 1 + 2 * ns->n, until == INT64_MAX ? NULL : &ts, NULL) > 0) {
		if (fds[0].revents)
			on_signals(ns);
		for (size_t i = 0; i < ns->n; i++)
			serve(ns, &ns->v[i], &fds[1 + 2 * i]);
	}
	free(fds);
}
