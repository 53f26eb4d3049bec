/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "reports/results_json.h"

#include <math.h>

/* What the diagnoses rest on, in results.json. */

static json_t *found(uint32_t runs, uint32_t with)
{
	json_t *o = json_object();

	jsonx_set_int(o, "runs", runs);
	jsonx_set_int(o, "found", with);
	return o;
}

static json_t *stall_json(const struct cell_stall *s)
{
	json_t *o = found(s->n, s->found);

	jsonx_set_int(o, "events", s->events);
	jsonx_set_real(o, "period_ns", s->found ? s->period_ns : NAN);
	jsonx_set_real(o, "length_ns", s->length_ns);
	jsonx_set_real(o, "lost_share", s->lost);
	return o;
}

static json_t *cliff_json(const struct cell_cliff *c)
{
	json_t *o = found(c->n, c->found);

	jsonx_set_real(o, "at_bytes", c->at_bytes);
	jsonx_set_real(o, "at_ns", c->at_ns);
	jsonx_set_real(o, "before_bytes_per_s", c->before);
	jsonx_set_real(o, "after_bytes_per_s", c->after);
	return o;
}

static json_t *peaks_json(const struct cell_peaks *p)
{
	json_t *o = found(p->n, p->found);

	jsonx_set_real(o, "fast_ns", p->fast_ns);
	jsonx_set_real(o, "slow_ns", p->slow_ns);
	jsonx_set_real(o, "slow_share", p->slow_share);
	return o;
}

json_t *results_json_patterns(const struct cell_result *c)
{
	json_t *o = json_object();

	if (c->stall.n)
		jsonx_set_new(o, "periodic_stall", stall_json(&c->stall));
	if (c->cliff.n)
		jsonx_set_new(o, "write_cliff", cliff_json(&c->cliff));
	if (c->peaks.n)
		jsonx_set_new(o, "latency_modes", peaks_json(&c->peaks));
	jsonx_set_real(o, "rate_spread", c->spread);
	jsonx_set_real(o, "device_ops_per_io", c->device_ops);
	return o;
}

json_t *results_json_tests(const struct results *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_tests; i++) {
		const struct test_result *t = &r->tests[i];
		json_t *o = json_object();

		jsonx_set_int(o, "test", t->test);
		jsonx_set_int(o, "blocks", t->n);
		jsonx_set_real(o, "trend_per_block", t->trend);
		jsonx_set_real(o, "trend_p", t->trend_p);
		jsonx_set_real(o, "trend_change", t->change);
		jsonx_set_real(o, "smallest_effect", t->smallest);
		json_array_append_new(a, o);
	}
	return a;
}

json_t *results_json_plateaus(const struct results *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_plateaus; i++) {
		const struct plateau_result *p = &r->plateaus[i];
		json_t *o = json_object(), *cells = json_array();

		for (size_t k = 0; k < p->n_cells; k++)
			json_array_append_new(cells, json_integer(p->cells[k]));
		jsonx_set_int(o, "test", p->test);
		jsonx_set_str(o, "dimension", p->dim);
		jsonx_set_new(o, "cells", cells);
		jsonx_set_int(o, "n", p->n);
		jsonx_set_bool(o, "flat", p->flat);
		jsonx_set_int(o, "knee_cell", p->cells[p->knee]);
		jsonx_set_real(o, "gained", p->gained);
		jsonx_set_real(o, "height_bytes_per_s", p->height);
		jsonx_set_real(o, "bound", p->bound);
		jsonx_set_real(o, "margin", p->margin);
		json_array_append_new(a, o);
	}
	return a;
}
