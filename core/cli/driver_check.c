/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/driver_check.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/vec.h"
#include "bundle/run.h"
#include "cli/cmd.h"
#include "run/driver.h"
#include "run/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT (20 * NS_PER_S)
#define AMOUNT "4194304" /* each shape goes once over the first so many bytes */
#define AMOUNT_BYTES 4194304

struct check {
	char *name;
	json_t *keys, *driver; /* driver: its description */
	unsigned held, broken;
};

/* ---- a child of one's own ---- */

struct kid {
	pid_t pid;
	struct wire wire;
};

static int kid_start(struct kid *k, struct iow_error *e)
{
	char fd[16];
	const char *argv[] = { "iowitness", "child", fd, NULL };
	struct spawn s = SPAWN_INIT;
	int sock[2], rc;

	k->pid = -1;
	wire_init(&k->wire, -1);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return err_sys(e, errno, "socketpair");
	snprintf(fd, sizeof fd, "%d", sock[1]);
	s.file = SPAWN_SELF;
	s.argv = argv;
	s.out = s.err = STDERR_FILENO;
	s.keep = sock[1];
	s.dies_with_parent = true;
	rc = spawn_start(&s, &k->pid, e);
	close(sock[1]);
	wire_init(&k->wire, sock[0]);
	return rc;
}

/* Closes the socket and takes its end; a death by signal becomes the error. */
static int kid_end(struct kid *k, int rc, struct iow_error *e)
{
	char how[64];
	int status = 0;

	if (k->wire.fd >= 0)
		close(k->wire.fd);
	wire_release(&k->wire);
	if (k->pid <= 0) /* it never started: 0 and -1 would be others' */
		return rc;
	if (rc)
		kill(k->pid, SIGKILL);
	waitpid(k->pid, &status, 0);
	spawn_describe(status, how, sizeof how);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		return err_set(e, 0, "the process ended by %s", how);
	return rc;
}

/* Next frame of that type into *out; ERROR becomes the error, others are left out. */
static int kid_recv(struct kid *k, const char *type, json_t **out, struct iow_error *e)
{
	json_t *f;

	for (;;) {
		if (wire_recv(&k->wire, &f, WAIT, e))
			return -1;
		if (strcmp(wire_type(f), type) == 0)
			break;
		if (strcmp(wire_type(f), "ERROR") == 0) {
			err_set(e, 0, "%s", jsonx_str(f, "text", "it failed"));
			json_decref(f);
			return -1;
		}
		json_decref(f);
	}
	*out = f;
	return 0;
}

static json_t *prepare_frame(const struct check *c, const char *what)
{
	json_t *f = wire_frame("PREPARE");

	jsonx_set_int(f, "id", 1);
	jsonx_set_str(f, "what", what);
	jsonx_set_str(f, "driver", c->name);
	return f;
}

static int describe(struct check *c, struct iow_error *e)
{
	json_t *f = prepare_frame(c, "driver"), *answer = NULL;
	struct kid k;
	int rc = kid_start(&k, e) || wire_send(k.wire.fd, f, e) || kid_recv(&k, "READY", &answer, e) ? -1 : 0;

	json_decref(f);
	rc = kid_end(&k, rc, e);
	if (rc == 0)
		c->driver = json_incref(json_object_get(answer, "driver"));
	json_decref(answer);
	return rc;
}

static json_t *run_frame(const struct check *c, const char *workload)
{
	json_t *f = prepare_frame(c, "run");

	jsonx_set_int(f, "run", 1);
	jsonx_set_str(f, "target", c->name);
	json_object_set(f, "keys", c->keys);
	jsonx_set_new(f, "workload", json_loads(workload, 0, NULL));
	jsonx_set_int(f, "length", AMOUNT_BYTES);
	jsonx_set_str(f, "cache", "as-is");
	jsonx_set_int(f, "pass", 1);
	jsonx_set_str(f, "seed", "0123456789abcdef");
	jsonx_set_bool(f, "write", strstr(workload, "write") != NULL);
	return f;
}

static int measure(const struct check *c, const char *workload, struct run *r, struct iow_error *e)
{
	json_t *f = run_frame(c, workload), *go = wire_frame("GO"), *ready = NULL, *result = NULL;
	struct kid k;
	int rc = kid_start(&k, e) || wire_send(k.wire.fd, f, e) || kid_recv(&k, "READY", &ready, e) ||
		 wire_send(k.wire.fd, go, e) || kid_recv(&k, "RESULT", &result, e) ? -1 : 0;

	rc = kid_end(&k, rc, e);
	run_init(r);
	if (rc == 0)
		rc = run_from_json(r, json_object_get(result, "line"), e);
	json_decref(f);
	json_decref(go);
	json_decref(ready);
	json_decref(result);
	return rc;
}

/* ---- what must hold ---- */

static void say(struct check *c, bool holds, const char *what, const char *why)
{
	printf("%-6s %s%s%s\n", holds ? "holds" : "FAILS", what, *why ? ": " : "", why);
	if (holds)
		c->held++;
	else
		c->broken++;
}

static bool can(const struct check *c, const char *cap)
{
	const json_t *caps = json_object_get(c->driver, "caps");

	for (size_t i = 0; i < json_array_size(caps); i++)
		if (strcmp(json_string_value(json_array_get(caps, i)), cap) == 0)
			return true;
	return false;
}

static void shape(struct check *c, const char *what, const char *workload)
{
	struct iow_error e = ERR_INIT;
	struct run r;
	char why[300] = "";

	if (measure(c, workload, &r, &e))
		snprintf(why, sizeof why, "%.290s", e.text);
	else if (r.status != RUN_OK)
		snprintf(why, sizeof why, "%s: %s", run_status_name(r.status), r.why);
	else if (r.wrong_blocks > 0)
		snprintf(why, sizeof why, "%" PRId64 " blocks do not hold what was written", r.wrong_blocks);
	else if (r.workers_moved != r.workers)
		snprintf(why, sizeof why, "%" PRId64 " of %" PRId64 " jobs moved data", r.workers_moved, r.workers);
	say(c, !*why, what, why);
}

static void check_words(struct check *c)
{
	const json_t *keys = json_object_get(c->driver, "keys");
	char why[120] = "";

	for (size_t i = 0; i < json_array_size(keys); i++) {
		const json_t *k = json_array_get(keys, i);

		if (!*jsonx_str(k, "help", ""))
			snprintf(why, sizeof why, "\"%.60s\" has no help", jsonx_str(k, "name", ""));
	}
	say(c, !*why, "each key explains itself", why);
	say(c, strcmp(jsonx_str(c->driver, "name", ""), c->name) == 0, "it is called like its file",
	    jsonx_str(c->driver, "name", ""));
}

static void check_reads(struct check *c)
{
	shape(c, "reads in order", "{\"op\":\"read\",\"block\":65536,\"amount\":" AMOUNT "}");
	shape(c, "reads at random", "{\"op\":\"read\",\"pattern\":\"random\",\"block\":4096,\"amount\":" AMOUNT "}");
	if (jsonx_int(c->driver, "threads", 0) != 1)
		shape(c, "two jobs at once", "{\"op\":\"read\",\"block\":4096,\"jobs\":2,\"amount\":" AMOUNT "}");
	if (can(c, "ASYNC")) {
		shape(c, "eight in flight", "{\"op\":\"read\",\"pattern\":\"random\",\"block\":4096,\"depth\":8,\"amount\":" AMOUNT "}");
		shape(c, "batches of four",
		      "{\"op\":\"read\",\"block\":4096,\"depth\":16,\"batch\":4,\"amount\":" AMOUNT "}");
	}
}

static void check_writes(struct check *c)
{
	const bool data = !can(c, "NO_DATA"), durable = can(c, "NEEDS_DURABILITY");
	mem_auto char *w = mem_printf("{\"op\":\"write\",\"pattern\":\"random\",\"block\":4096,\"verify\":%s,\"amount\":" AMOUNT
				      "%s}", data ? "true" : "false",
				      durable ? ",\"durability\":\"flush\",\"flush_every\":256" : "");

	shape(c, "writes at random", w);
	if (data && can(c, "READ"))
		shape(c, "what was written is read back",
		      "{\"op\":\"read\",\"block\":16384,\"verify\":true,\"amount\":" AMOUNT "}");
	if (can(c, "FLUSH"))
		shape(c, "a flush after each eighth write",
		      "{\"op\":\"write\",\"block\":4096,\"amount\":262144,\"durability\":\"flush\",\"flush_every\":8}");
	if (can(c, "DSYNC"))
		shape(c, "durable writes (dsync)",
		      "{\"op\":\"write\",\"block\":4096,\"amount\":262144,\"durability\":\"dsync\"}");
}

/* Key values as a plan would write them: JSON where it is JSON, else text. */
static json_t *keys_of(const char *const *set, size_t n)
{
	json_t *keys = json_object();

	for (size_t i = 0; i < n; i++) {
		const char *eq = strchr(set[i], '=');
		mem_auto char *name = mem_strndup(set[i], eq ? (size_t)(eq - set[i]) : strlen(set[i]));
		json_t *v = json_loads(eq ? eq + 1 : "true", JSON_DECODE_ANY, NULL);

		jsonx_set_new(keys, name, v ? v : json_string(eq ? eq + 1 : ""));
	}
	return keys;
}

/* The directory goes to the front of the plugin path, the name is the file's; NULL with what is wrong. */
static char *name_of(const char *file, struct iow_error *e)
{
	char full[PATH_MAX];
	mem_auto char *copy = NULL, *base = NULL;
	size_t n;

	if (!realpath(file, full)) {
		err_set(e, EINVAL, "%s: %s; the FILE.so of a driver is needed", file, err_name(errno));
		return NULL;
	}
	copy = mem_strdup(full);
	base = mem_strdup(full);
	driver_path_prepend(dirname(copy));
	n = strlen(basename(base));
	if (n > 3 && strcmp(basename(base) + n - 3, ".so") == 0)
		return mem_strndup(basename(base), n - 3);
	err_set(e, EINVAL, "%s: a driver is a file NAME.so", file);
	return NULL;
}

int driver_check(const char *file, const char *const *set, size_t n_set, bool write)
{
	struct iow_error e = ERR_INIT;
	struct check c = { .name = name_of(file, &e), .keys = keys_of(set, n_set) };

	signal(SIGPIPE, SIG_IGN);
	if (!c.name || describe(&c, &e)) {
		fprintf(stderr, "iowitness driver: %s\n", e.text);
		free(c.name);
		json_decref(c.keys);
		return EXIT_USAGE;
	}
	check_words(&c);
	if (can(&c, "READ"))
		check_reads(&c);
	if (can(&c, "WRITE") && write)
		check_writes(&c);
	else if (can(&c, "WRITE"))
		printf("left out: writing (--write does it; what is there is lost)\n");
	printf("%u hold, %u fail\n", c.held, c.broken);
	json_decref(c.driver);
	json_decref(c.keys);
	free(c.name);
	return c.broken ? EXIT_LIMIT : EXIT_OK;
}
