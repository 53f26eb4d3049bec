/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of a test: a command changes the configuration before a step, another changes it back. */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND_WAIT (600 * NS_PER_S)
#define LOOK_EVERY (20 * NS_PER_MS)
#define OUTPUT_MAX 1000

/* Waits for a command while the nodes are kept alive; its status, or -1 when it was killed as too slow. */
static int wait_command(struct campaign *k, pid_t pid)
{
	int64_t end = clock_mono_ns() + COMMAND_WAIT;
	int status = 0;
	pid_t done;

	while ((done = waitpid(pid, &status, WNOHANG)) == 0 || (done < 0 && errno == EINTR)) {
		int64_t now = clock_mono_ns();

		if (now >= end) {
			kill(-pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		nodes_poll(k->nodes, now + LOOK_EVERY);
	}
	return status;
}

static void log_output(struct campaign *k, const char *what, int fd)
{
	char text[OUTPUT_MAX + 1];
	ssize_t n = pread(fd, text, OUTPUT_MAX, 0);
	mem_auto char *clean = NULL;

	if (n <= 0)
		return;
	text[n] = 0;
	clean = utf8_clean(text, OUTPUT_MAX);
	campaign_log(k, "%s: it said: %s", what, clean);
}

static int run_command(struct campaign *k, const char *what, const json_t *list, struct iow_error *e)
{
	size_t n = json_array_size(list);
	const char **argv = mem_array(n + 1, sizeof *argv);
	struct spawn s = SPAWN_INIT;
	char how[64] = "it took more than 10 minutes";
	int fd = memfd_create("iowitness-output", MFD_CLOEXEC), status, rc;
	pid_t pid;

	for (size_t i = 0; i < n; i++)
		argv[i] = json_string_value(json_array_get(list, i));
	s.argv = argv;
	s.out = s.err = fd;
	s.session = true;
	rc = spawn_start(&s, &pid, e);
	if (!rc) {
		status = wait_command(k, pid);
		log_output(k, what, fd);
		if (status > 0)
			spawn_describe(status, how, sizeof how);
		rc = status ? err_set(e, 0, "%s", how) : 0;
	}
	if (fd >= 0)
		close(fd);
	free(argv);
	return rc ? err_in(e, "%s (%s)", what, n ? json_string_value(json_array_get(list, 0)) : "") : 0;
}

/* `part`: "apply" or "undo". A variant may have no command for it. */
static int do_part(struct campaign *k, uint32_t test, int32_t variant, const char *part, struct iow_error *e)
{
	const struct plan_test *t = &k->c->tests[test];
	const json_t *v = json_array_get(t->variants, (size_t)variant), *list = json_object_get(v, part);
	mem_auto char *what = mem_printf("test \"%s\", %s of variant \"%s\"", t->name, part, jsonx_str(v, "name", ""));

	if (!json_array_size(list))
		return 0;
	if (run_command(k, what, list, e))
		return -1;
	campaign_log(k, "%s: done", what);
	return 0;
}

int variant_end(struct campaign *k, struct iow_error *e)
{
	if (!k->variant_on)
		return 0;
	k->variant_on = false;
	return do_part(k, k->variant_test, k->variant, "undo", e);
}

int variant_begin(struct campaign *k, const struct step *s, struct iow_error *e)
{
	int32_t variant = s->n_cells ? k->c->cells[s->cells[0]].variant : -1;

	if (k->variant_on && k->variant_test == s->test && k->variant == variant)
		return 0;
	if (variant_end(k, e))
		return -1;
	if (variant < 0)
		return 0;
	/* What failed halfway is undone too. */
	k->variant_on = true;
	k->variant_test = s->test;
	k->variant = variant;
	return do_part(k, s->test, variant, "apply", e);
}

/* ---- commands that are keys of drivers ---- */

/* Another value than the key has by itself. */
static bool is_given(const json_t *key, const json_t *v)
{
	const json_t *own = json_object_get(key, "default");

	if (own && json_equal(own, v))
		return false;
	return json_array_size(v) || (json_is_string(v) && *json_string_value(v));
}

static bool is_command(const json_t *key)
{
	const json_t *flags = json_object_get(key, "flags");

	for (size_t i = 0; i < json_array_size(flags); i++)
		if (!strcmp(json_string_value(json_array_get(flags, i)), "COMMAND"))
			return true;
	return false;
}

int node_check_commands(struct nodes *ns, const char *what, const char *name, const char *driver,
			const json_t *keys, struct iow_error *e)
{
	json_t *d = node_describe(ns, &ns->v[0], driver, e);
	const json_t *list = json_object_get(d, "keys");
	int rc = d ? 0 : -1;

	for (size_t i = 0; !rc && i < json_array_size(list); i++) {
		const json_t *key = json_array_get(list, i);
		const char *k = jsonx_str(key, "name", "");

		if (is_command(key) && is_given(key, json_object_get(keys, k)))
			rc = err_set(e, EPERM, "%s \"%s\": what its \"%s\" says is run as a command, which needs "
				     "--allow-commands", what, name, k);
	}
	json_decref(d);
	return rc;
}

int campaign_check_commands(struct nodes *nodes, const struct cells *c, struct iow_error *e)
{
	for (size_t i = 1; i < c->n_nodes; i++)
		if (node_check_commands(nodes, "node", c->nodes[i].name, c->nodes[i].driver, c->nodes[i].keys, e))
			return -1;
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct plan_target *t = &c->targets[c->cells[i].target];

		if (i && c->cells[i].target == c->cells[i - 1].target)
			continue;
		if (node_check_commands(nodes, "target", t->name, t->driver, c->cells[i].target_keys, e))
			return -1;
	}
	return 0;
}
