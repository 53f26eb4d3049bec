/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plan_open.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/driver.h"
#include "run/run.h"
#include "stats/metric.h"
#include "stats/results.h"

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

static const char **gate_names(void)
{
	const char **names = NULL;
	size_t n = 0;

	for (int g = 0; g < GATES; g++)
		*VEC_ADD(names, n) = gate_name((enum gate_kind)g);
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

int plan_read(struct plan *p, struct cells *c, const char *path, const char *const *set, size_t n_set,
	      plan_describe_fn *ask, void *ctx, const struct nodes *nodes)
{
	json_t *found = driver_names();
	const char **names = metric_names(), **gates = gate_names(), **drivers = driver_list(found);
	struct plan_env env = { .ctx = ctx, .describe = ask, .drivers = drivers, .metrics = names,
				.gates = gates, .root = geteuid() == 0 };
	struct buf b = BUF_INIT;
	int rc;

	plan_init(p);
	plan_load(p, path, set, n_set); /* its problems come with those of plan_cells */
	rc = plan_cells(p, &env, c);
	if (rc && nodes->stop) {
		fputs("iowitness: interrupted\n", stderr); /* no driver could be asked, which is no fault of the plan */
	} else if (rc) {
		plan_print_problems(p, &b);
		fputs(buf_str(&b), stderr);
		buf_release(&b);
	}
	free(names);
	free(gates);
	free(drivers);
	json_decref(found);
	return rc;
}

int plan_open(struct plan_open *o, const char *path, const char *const *set, size_t n_set)
{
	memset(o, 0, sizeof *o);
	o->nodes.signals = -1;
	return plan_read(&o->plan, &o->cells, path, set, n_set, describe, o, &o->nodes);
}

void plan_open_release(struct plan_open *o)
{
	nodes_close(&o->nodes);
	cells_release(&o->cells);
	plan_release(&o->plan);
}

char *plan_add_dir(struct opt_list *set, const char *dir)
{
	char *text = dir ? mem_printf("/params/dir=%s", dir) : NULL;

	if (text)
		*VEC_ADD(set->v, set->n) = text;
	return text;
}

size_t plan_runs(const struct cells *c)
{
	size_t runs = 0;

	for (size_t b = 0; b < c->n_blocks; b++)
		for (size_t i = 0; i < c->blocks[b].n_steps; i++)
			runs += c->steps[c->blocks[b].steps[i]].n_cells;
	return runs;
}
