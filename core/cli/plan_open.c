/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plan_open.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/driver.h"
#include "run/run.h"
#include "stats/metric.h"

#include <stdio.h>
#include <unistd.h>

#define GREET_WAIT (20 * NS_PER_S)

static int start(struct plan_open *o, struct iow_error *e)
{
	if (o->started)
		return 0;
	if (nodes_open(&o->nodes, 1, e) || node_start_local(&o->nodes, &o->nodes.v[0], "local", e) ||
	    node_greet(&o->nodes, &o->nodes.v[0], GREET_WAIT, e))
		return -1;
	o->started = true;
	return 0;
}

static json_t *describe(void *ctx, const char *driver, struct iow_error *e)
{
	struct plan_open *o = ctx;

	return start(o, e) ? NULL : node_describe(&o->nodes, &o->nodes.v[0], driver, e);
}

static const char **metric_names(void)
{
	const char **names = NULL;
	size_t n = 0;

	for (const struct metric *m = metrics; m->name; m++)
		*VEC_ADD(names, n) = m->name;
	(void)VEC_ADD(names, n);
	return names;
}

static const char **driver_list(json_t *names)
{
	const char **list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(names); i++)
		*VEC_ADD(list, n) = json_string_value(json_array_get(names, i));
	(void)VEC_ADD(list, n);
	return list;
}

int plan_open(struct plan_open *o, const char *path, const char *const *set, size_t n_set)
{
	struct plan_env env = { .ctx = o, .describe = describe, .root = geteuid() == 0 };
	json_t *found = driver_names();
	const char **names = metric_names(), **drivers = driver_list(found);
	struct buf b = BUF_INIT;
	int rc;

	memset(o, 0, sizeof *o);
	o->nodes.signals = -1;
	plan_init(&o->plan);
	env.metrics = names;
	env.drivers = drivers;
	plan_load(&o->plan, path, set, n_set);
	rc = plan_cells(&o->plan, &env, &o->cells);
	if (rc) {
		plan_print_problems(&o->plan, &b);
		fputs(buf_str(&b), stderr);
		buf_release(&b);
	}
	free(names);
	free(drivers);
	json_decref(found);
	return rc;
}

void plan_open_release(struct plan_open *o)
{
	nodes_close(&o->nodes);
	cells_release(&o->cells);
	plan_release(&o->plan);
}

size_t plan_runs(const struct cells *c)
{
	size_t runs = 0;

	for (size_t b = 0; b < c->n_blocks; b++)
		for (size_t i = 0; i < c->blocks[b].n_steps; i++)
			runs += c->steps[c->blocks[b].steps[i]].n_cells;
	return runs;
}
