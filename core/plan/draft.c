/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/draft.h"
#include "base/err.h"
#include "base/vec.h"
#include "plan/tables.h"
#include "plan/workload.h"

#define NONE UINT32_MAX
#define NAME_BYTES 120

const char **object_names(const json_t *o)
{
	const char **names = NULL, *key;
	size_t n = 0;
	json_t *v;

	json_object_foreach((json_t *)o, key, v)
		*VEC_ADD(names, n) = key;
	(void)VEC_ADD(names, n);
	return names;
}

uint32_t conf_choice(const json_t *conf, const struct iow_key *keys, const char *name, uint32_t def)
{
	const struct iow_key *k = key_find(keys, name);
	const char *s = jsonx_str(conf, name, NULL);

	for (uint32_t i = 0; s && k->choices[i]; i++)
		if (strcmp(k->choices[i], s) == 0)
			return i;
	return def;
}

bool name_check(const char *name, const char *at, const char *key, struct problems *p)
{
	bool bad = !*name || strlen(name) > NAME_BYTES;

	for (const char *c = name; *c; c++)
		bad |= (unsigned char)*c < ' ' || *c == 0x7f;
	if (bad)
		problem_add_key(p, at, key, "a name has 1 to %d bytes and no control characters",
				NAME_BYTES);
	return !bad;
}

/* ---- drivers ---- */

static uint32_t ask_driver(struct draft *d, const char *name, const char *at)
{
	struct iow_error e = ERR_INIT;
	struct draft_driver *drv = VEC_ADD(d->drivers, d->n_drivers);
	json_t *o = d->env->describe(d->env->ctx, name, &e);
	struct buf hint = BUF_INIT;

	drv->name = name;
	drv->known = o && keys_from_json(&drv->keys, json_object_get(o, "keys"), &e) == 0;
	drv->caps = caps_from_json(json_object_get(o, "caps"));
	drv->threads = jsonx_int(o, "threads", 0);
	if (!drv->known) {
		if (d->env->drivers)
			name_hint(&hint, name, d->env->drivers);
		problem_add(&d->plan->problems, at, "driver", "%s%s",
			    *e.text ? e.text : "the driver cannot be described", buf_str(&hint));
	}
	buf_release(&hint);
	json_decref(o);
	return drv->known ? (uint32_t)(d->n_drivers - 1) : NONE;
}

static uint32_t find_driver(struct draft *d, const char *name, const char *at)
{
	for (uint32_t i = 0; i < d->n_drivers; i++) {
		if (strcmp(d->drivers[i].name, name) != 0)
			continue;
		if (d->drivers[i].known)
			return i;
		problem_add(&d->plan->problems, at, "driver", "no driver \"%s\" (see above)", name);
		return NONE;
	}
	return ask_driver(d, name, at);
}

/* Splits what a node or target has: its own keys (resolved, returned) and the driver's (*rest, new). */
static json_t *split_keys(struct draft *d, const json_t *o, const struct iow_key *own, const char *at,
			  json_t **rest)
{
	json_t *mine = json_object(), *conf, *v;
	const char *key;

	*rest = json_object();
	json_object_foreach((json_t *)o, key, v)
		json_object_set(key_find(own, key) ? mine : *rest, key, v);
	conf = keys_resolve(own, mine, KEYS_PLAN, at, &d->plan->problems);
	json_decref(mine);
	return conf;
}

static bool is_object(struct draft *d, const json_t *o, const char *at, const char *what)
{
	if (json_is_object(o))
		return true;
	problem_add(&d->plan->problems, at, NULL, "a %s is an object", what);
	return false;
}

/* ---- nodes ---- */

static void draft_node(struct draft *d, const char *name, const json_t *o, const char *at)
{
	struct draft_node *n = VEC_ADD(d->nodes, d->n_nodes);
	json_t *conf, *rest;
	const char *driver;

	n->name = name;
	n->driver = NONE;
	if (!is_object(d, o, at, "node"))
		return;
	if (strcmp(name, "local") == 0)
		problem_add_key(&d->plan->problems, at, NULL, "\"local\" is this machine");
	conf = split_keys(d, o, node_keys, at, &rest);
	driver = jsonx_str(o, "driver", NULL);
	if (driver)
		n->driver = find_driver(d, driver, at);
	if (n->driver != NONE) {
		const struct draft_driver *drv = &d->drivers[n->driver];

		n->keys = keys_resolve(drv->keys.keys, rest, KEYS_PLAN, at, &d->plan->problems);
		if (!(drv->caps & IOW_CAP_CONNECT))
			problem_add(&d->plan->problems, at, "driver",
				    "driver \"%s\" leads to no other node", driver);
	}
	json_decref(conf);
	json_decref(rest);
}

/* ---- targets ---- */

/* The keys of a driver whose device the program makes: the device may not be given. */
static json_t *keys_of_made(struct draft *d, const struct draft_driver *drv, const json_t *rest,
			    const char *at)
{
	size_t n = drv->keys.n + 1;
	struct iow_key *keys = mem_array(n, sizeof *keys);
	json_t *resolved;
	bool device = false;

	memcpy(keys, drv->keys.keys, n * sizeof *keys);
	for (struct iow_key *k = keys; k->name; k++) {
		if (!(k->flags & IOW_KEY_DEVICE))
			continue;
		device = true;
		k->flags &= ~IOW_KEY_REQUIRED;
		if (json_object_get(rest, k->name))
			problem_add_key(&d->plan->problems, at, k->name,
					"\"%s\" and \"make\" exclude each other", k->name);
	}
	if (!device)
		problem_add_key(&d->plan->problems, at, "make", "driver \"%s\" uses no device", drv->name);
	resolved = keys_resolve(keys, rest, KEYS_PLAN, at, &d->plan->problems);
	free(keys);
	return resolved;
}

static json_t *draft_make(struct draft *d, const json_t *o, const char *at)
{
	mem_auto char *place = mem_printf("%s/make", at);

	if (!o || json_is_null(o) || !is_object(d, o, place, "device to make"))
		return NULL;
	return keys_resolve(make_keys, o, KEYS_PLAN, place, &d->plan->problems);
}

static uint32_t find_node(struct draft *d, const char *name, const char *at)
{
	const char **names = NULL;
	size_t n = 0;
	struct buf hint = BUF_INIT;

	for (uint32_t i = 0; i < d->n_nodes; i++)
		if (strcmp(d->nodes[i].name, name) == 0)
			return i;
	for (uint32_t i = 0; i < d->n_nodes; i++)
		*VEC_ADD(names, n) = d->nodes[i].name;
	(void)VEC_ADD(names, n);
	name_hint(&hint, name, names);
	problem_add(&d->plan->problems, at, "node", "no node \"%s\"%s", name, buf_str(&hint));
	buf_release(&hint);
	free(names);
	return 0;
}

static void draft_target(struct draft *d, const char *name, const json_t *o, const char *at)
{
	struct draft_target *t = VEC_ADD(d->targets, d->n_targets);
	const struct draft_driver *drv;
	const char *driver = jsonx_str(o, "driver", NULL);
	json_t *rest;

	t->name = name;
	t->driver = NONE;
	name_check(name, at, NULL, &d->plan->problems);
	if (!is_object(d, o, at, "target"))
		return;
	t->conf = split_keys(d, o, target_keys, at, &rest);
	t->make = draft_make(d, json_object_get(o, "make"), at);
	t->needs_root = conf_choice(t->conf, target_keys, "needs", 0) == 1;
	t->node = find_node(d, jsonx_str(t->conf, "node", "local"), at);
	if (driver)
		t->driver = find_driver(d, driver, at);
	if (t->driver != NONE) {
		drv = &d->drivers[t->driver];
		if (t->make)
			t->keys = keys_of_made(d, drv, rest, at);
		else
			t->keys = keys_resolve(drv->keys.keys, rest, KEYS_PLAN, at, &d->plan->problems);
		if (drv->caps & IOW_CAP_CONNECT)
			problem_add(&d->plan->problems, at, "driver",
				    "driver \"%s\" leads to a node and does no I/O", driver);
	}
	json_decref(rest);
}

static void draft_workload(struct draft *d, const char *name, const json_t *o, const char *at)
{
	struct draft_workload *w = VEC_ADD(d->workloads, d->n_workloads);
	size_t before = d->plan->problems.n;
	struct workload spec;

	w->name = name;
	w->given = (json_t *)o;
	name_check(name, at, NULL, &d->plan->problems);
	if (is_object(d, o, at, "workload"))
		workload_resolve(&spec, o, KEYS_VALUES, at, &d->plan->problems);
	w->bad = d->plan->problems.n != before;
}

uint32_t draft_find_target(const struct draft *d, const char *name)
{
	for (uint32_t i = 0; i < d->n_targets; i++)
		if (strcmp(d->targets[i].name, name) == 0)
			return i;
	return NONE;
}

uint32_t draft_find_workload(const struct draft *d, const char *name)
{
	for (uint32_t i = 0; i < d->n_workloads; i++)
		if (strcmp(d->workloads[i].name, name) == 0)
			return i;
	return NONE;
}

/* ---- the whole ---- */

typedef void part_fn(struct draft *d, const char *name, const json_t *o, const char *at);

static void each_member(struct draft *d, const char *part, bool needed, part_fn *fn)
{
	const json_t *o = json_object_get(d->plan->root, part);
	mem_auto char *place = mem_printf("/%s", part);
	const char *name;
	json_t *v;

	if (o && !json_is_object(o))
		problem_add(&d->plan->problems, place, NULL, "\"%s\" is an object of names", part);
	else if (o && needed && !json_object_size(o))
		problem_add(&d->plan->problems, place, NULL, "\"%s\" is empty", part);
	json_object_foreach((json_t *)o, name, v) {
		struct buf at = BUF_INIT;

		buf_puts(&at, place);
		jsonx_pointer_add(&at, name);
		fn(d, name, v, buf_str(&at));
		buf_release(&at);
	}
}

void draft_build(struct draft *d, struct plan *p, const struct plan_env *env)
{
	struct draft_node *local;
	const json_t *report = json_object_get(p->root, "report");

	memset(d, 0, sizeof *d);
	d->plan = p;
	d->env = env;
	d->conf = keys_resolve(plan_keys, p->root, KEYS_PLAN, "", &p->problems);
	if (report && is_object(d, report, "/report", "report"))
		json_decref(keys_resolve(report_keys, report, KEYS_PLAN, "/report", &p->problems));
	local = VEC_ADD(d->nodes, d->n_nodes);
	local->name = "local";
	local->driver = NONE;
	each_member(d, "nodes", false, draft_node);
	each_member(d, "targets", true, draft_target);
	each_member(d, "workloads", true, draft_workload);
	draft_tests(d);
}

void draft_release(struct draft *d)
{
	for (size_t i = 0; i < d->n_drivers; i++)
		if (d->drivers[i].known)
			keys_table_release(&d->drivers[i].keys);
	for (size_t i = 0; i < d->n_nodes; i++)
		json_decref(d->nodes[i].keys);
	for (size_t i = 0; i < d->n_targets; i++) {
		json_decref(d->targets[i].conf);
		json_decref(d->targets[i].keys);
		json_decref(d->targets[i].make);
	}
	draft_tests_release(d);
	free(d->drivers);
	free(d->nodes);
	free(d->targets);
	free(d->workloads);
	json_decref(d->conf);
	memset(d, 0, sizeof *d);
}
