/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "config.h"
#include "plan/plan.h"
#include "run/driver.h"
#include "run/node.h"
#include "run/run.h"

#define CONNECT_WAIT (60 * NS_PER_S)
#define CLOCK_ROUNDS 16

/* One answer about one node. */
struct about {
	void (*add)(void *ctx, const char *name, const struct doctor_answer *a);
	void *ctx;
	const char *node;
};

static void tell(const struct about *t, const char *probe, struct doctor_answer *a)
{
	mem_auto char *name = mem_printf("%s %s", t->node, probe);

	t->add(t->ctx, name, a);
	buf_release(&a->says);
	buf_release(&a->mend);
	*a = (struct doctor_answer){ .state = DOCTOR_GOOD };
}

/* ---- what a node is asked ---- */

static void ask_version(const struct about *t, const struct node *n, int64_t took)
{
	struct doctor_answer a = { .state = DOCTOR_GOOD };

	if (strcmp(n->version, PACKAGE_VERSION) != 0)
		doctor_limited(&a, "install the same version on both", "iowitness %s on %s, here it is %s", n->version,
			       n->host, PACKAGE_VERSION);
	else
		doctor_good(&a, "iowitness %s on %s, reached in %lld ms", n->version, n->host,
			    (long long)(took / NS_PER_MS));
	tell(t, "agent", &a);
}

/* Runs together need windows of which the bound of the clocks is at most 0.5%. */
static void ask_clock(const struct about *t, struct nodes *ns, struct node *n)
{
	struct doctor_answer a = { .state = DOCTOR_GOOD };
	long long us, s;

	nodes_measure_clocks(ns, CLOCK_ROUNDS);
	us = (long long)(n->bound / NS_PER_US);
	s = (long long)((n->bound * 200 + NS_PER_S - 1) / NS_PER_S);
	if (n->bound < 0)
		doctor_bad(&a, "look at the network between the two", "its clock could not be asked");
	else if (s > 5)
		doctor_limited(&a, "a nearer coordinator, or longer runs",
			       "its clock is known to %lld us: runs together must last %lld s", us, s);
	else
		doctor_good(&a, "its clock is known to %lld us: enough for runs together of %lld s", us, s ? s : 1);
	tell(t, "clock", &a);
}

static void ask_privileges(const struct about *t, const struct node *n)
{
	struct doctor_answer a = { .state = DOCTOR_GOOD };

	if (n->root)
		doctor_good(&a, "its agent is root");
	else
		doctor_limited(&a, "let the agent run as root there (user, or sudo)",
			       "its agent is an ordinary user: no raw devices, caches dropped only for its own files");
	tell(t, "privileges", &a);
}

static void ask_drivers(const struct about *t, struct nodes *ns, struct node *n)
{
	struct doctor_answer a = { .state = DOCTOR_GOOD };
	struct buf has = BUF_INIT, lacks = BUF_INIT;
	json_t *names = driver_names();

	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		struct iow_error e = ERR_INIT;
		json_t *d = node_describe(ns, n, name, &e);
		struct buf *b = d ? &has : &lacks;

		buf_printf(b, "%s%s", b->len ? ", " : "", name);
		json_decref(d);
	}
	if (lacks.len)
		doctor_limited(&a, "install them there, or let remote-node push them", "drivers %s; not there: %s",
			       buf_str(&has), buf_str(&lacks));
	else
		doctor_good(&a, "drivers %s", buf_str(&has));
	tell(t, "drivers", &a);
	json_decref(names);
	buf_release(&has);
	buf_release(&lacks);
}

/* ---- reaching it ---- */

/* As with run, a plan's own launcher is not started without being allowed. */
static int check_launcher(const char *name, const char *driver, const json_t *keys, struct iow_error *e)
{
	struct nodes local = { .signals = -1 };
	int rc = nodes_open(&local, 1, e) || node_start_local(&local, &local.v[0], "local", e) ||
		 node_greet(&local, &local.v[0], CONNECT_WAIT, e) ||
		 node_check_commands(&local, "node", name, driver, keys, e) ? -1 : 0;

	nodes_close(&local);
	return rc;
}

static int reach(struct nodes *ns, struct node *n, const char *name, const json_t *spec, bool commands,
		 struct iow_error *e)
{
	json_t *keys = json_deep_copy(spec), *needs = driver_names();
	const char *driver = jsonx_str(spec, "driver", "remote-node");
	int rc;

	json_object_del(keys, "driver");
	rc = commands || !json_object_size(keys) ? 0 : check_launcher(name, driver, keys, e);
	if (!rc)
		rc = node_start_remote(ns, n, name, driver, keys, needs, CONNECT_WAIT, e);
	if (!rc)
		rc = node_greet(ns, n, CONNECT_WAIT, e);
	json_decref(keys);
	json_decref(needs);
	return rc;
}

static void ask_node(const struct about *t, const json_t *spec, bool commands)
{
	struct doctor_answer a = { .state = DOCTOR_GOOD };
	int64_t began = clock_mono_ns();
	struct iow_error e = ERR_INIT;
	struct nodes ns = { .signals = -1 };

	if (nodes_open(&ns, 1, &e) || reach(&ns, &ns.v[0], t->node, spec, commands, &e)) {
		doctor_bad(&a, "mend the way there: iowitness starts its agent through it", "%s", e.text);
		tell(t, "agent", &a);
	} else {
		ask_version(t, &ns.v[0], clock_mono_ns() - began);
		ask_privileges(t, &ns.v[0]);
		ask_drivers(t, &ns, &ns.v[0]);
		ask_clock(t, &ns, &ns.v[0]);
	}
	nodes_close(&ns);
}

int doctor_nodes(char **names, size_t n, const char *plan_path, bool commands, doctor_add_fn *add, void *ctx,
		 struct iow_error *e)
{
	struct plan p;
	json_t *nodes = NULL;

	plan_init(&p);
	if (plan_path && plan_load(&p, plan_path, NULL, 0)) {
		err_set(e, 0, "%s cannot be read; iowitness plan check says why", plan_path);
		plan_release(&p);
		return -1;
	}
	nodes = json_object_get(p.root, "nodes");
	for (size_t i = 0; i < n; i++) {
		struct about t = { add, ctx, names[i] };
		json_t *spec = json_object_get(nodes, names[i]), *plain = json_object();

		ask_node(&t, spec ? spec : plain, commands);
		json_decref(plain);
	}
	plan_release(&p);
	return 0;
}
