/* SPDX-License-Identifier: Apache-2.0 */
#include "run/child.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "run/driver.h"
#include "run/relay.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;

void child_send(struct child *c, json_t *frame_take)
{
	struct iow_error e = ERR_INIT;
	int rc;

	pthread_mutex_lock(&sending);
	rc = wire_send(c->fd, frame_take, &e);
	pthread_mutex_unlock(&sending);
	json_decref(frame_take);
	if (rc != 0)
		_exit(1); /* nobody is left to measure for */
}

static void about(const struct child *c, json_t *f)
{
	static const char *const names[] = { "id", "run" };

	for (int i = 0; i < 2; i++)
		if (json_object_get(c->ask, names[i]))
			json_object_set(f, names[i], json_object_get(c->ask, names[i]));
}

int child_error(struct child *c, const char *class, const struct iow_error *e)
{
	json_t *f = wire_frame("ERROR");

	about(c, f);
	jsonx_set_str(f, "class", class);
	jsonx_set_int(f, "errno", e->err);
	jsonx_set_str(f, "text", e->text);
	child_send(c, f);
	return 1;
}

void child_log(struct child *c, const char *fmt, ...)
{
	json_t *f = wire_frame("FACT");
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	jsonx_set_str(f, "log", buf_str(&b));
	buf_release(&b);
	child_send(c, f);
}

static void host_log(void *ctx, const char *line)
{
	child_log(ctx, "%s", line);
}

static void host_fact(void *ctx, const char *name, const char *value)
{
	struct child *c = ctx;
	json_t *f = wire_frame("FACT");

	jsonx_set_str(f, "target", jsonx_str(c->ask, "target", ""));
	jsonx_set_str(f, "name", name);
	jsonx_set_str(f, "value", value);
	child_send(c, f);
}

static int describe(struct child *c)
{
	const char *name = jsonx_str(c->ask, "driver", "");
	struct iow_error e = ERR_INIT;
	char *file = driver_find(name, &e);
	struct driver d;
	json_t *f;

	if (!file || driver_load(&d, file, &e) != 0) {
		free(file);
		return child_error(c, "plan", &e);
	}
	free(file);
	f = wire_frame("READY");
	about(c, f);
	jsonx_set_new(f, "driver", driver_describe(&d));
	child_send(c, f);
	driver_release(&d);
	return 0;
}

static int serve(struct child *c)
{
	const char *what = jsonx_str(c->ask, "what", "");
	struct iow_error e = ERR_INIT;

	if (strcmp(wire_type(c->ask), "PREPARE") == 0) {
		if (strcmp(what, "driver") == 0)
			return describe(c);
		if (strcmp(what, "run") == 0)
			return child_run(c);
		if (strcmp(what, "target") == 0)
			return child_target(c);
		if (strcmp(what, "connect") == 0)
			return relay_main(&c->wire, c->ask);
	}
	err_set(&e, 0, "a child prepares a driver, a target or a run, not \"%s\"", what);
	return child_error(c, "failed", &e);
}

int child_main(int fd)
{
	struct child c = { .fd = fd };
	struct iow_error e = ERR_INIT;
	int rc = 1;

	signal(SIGPIPE, SIG_IGN);
	c.host = (struct iow_host){ .size = sizeof c.host, .abi = IOW_ABI, .ctx = &c, .fact = host_fact, .log = host_log };
	wire_init(&c.wire, fd);
	if (wire_recv(&c.wire, &c.ask, -1, &e) == 0) {
		rc = serve(&c);
		json_decref(c.ask);
	}
	wire_release(&c.wire);
	return rc;
}
