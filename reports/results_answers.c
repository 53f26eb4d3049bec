/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/results_json.h"
#include "base/jsonx.h"

#include <math.h>

/* Judgements and scalings in results.json. */

static json_t *quote_json(const struct quote_result *q)
{
	json_t *o = json_object();

	jsonx_set_str(o, "subject", q->quote->subject);
	jsonx_set_str(o, "against", q->quote->against);
	jsonx_set_str(o, "says", q->quote->says);
	jsonx_set_str(o, "arithmetic", arithmetic_name(q->state));
	jsonx_set_new(o, "follows", jsonx_pair(q->lo, q->hi));
	jsonx_set_new(o, "stated", jsonx_pair(q->stated_lo, q->stated_hi));
	if (q->two_readings) {
		jsonx_set_new(o, "follows_as_time", jsonx_pair(q->time_lo, q->time_hi));
		jsonx_set_new(o, "stated_as_time", jsonx_pair(q->stated_time_lo, q->stated_time_hi));
	}
	return o;
}

static json_t *cell_json(const struct judged_cell *k)
{
	json_t *o = json_object();

	jsonx_set_int(o, "cell", k->cell);
	jsonx_set_int(o, "n", k->n);
	jsonx_set_str(o, "verdict", verdict_name(k->verdict));
	jsonx_set_real(o, "value", k->value);
	jsonx_set_new(o, "interval", jsonx_pair(k->lo, k->hi));
	if (k->leg1 != VERDICT_NONE)
		jsonx_set_str(o, "leg1", verdict_name(k->leg1));
	if (k->cut_cell == UINT32_MAX)
		return o;
	jsonx_set_str(o, "leg2", verdict_name(k->leg2));
	jsonx_set_int(o, "cut_cell", k->cut_cell);
	jsonx_set_int(o, "cut_blocks", k->n_cut);
	jsonx_set_real(o, "capacity", k->capacity);
	jsonx_set_real(o, "elasticity", k->elasticity);
	jsonx_set_new(o, "elasticity_ci95", jsonx_pair(k->elasticity_lo, k->elasticity_hi));
	return o;
}

static void put_readings(json_t *o, const struct judgement *j)
{
	if (!isfinite(j->by_time_least) && !isfinite(j->by_time_most))
		return;
	jsonx_set_str(o, "by_speed", verdict_name(j->by_speed));
	jsonx_set_str(o, "by_time", verdict_name(j->by_time));
	jsonx_set_new(o, "region_by_speed", jsonx_pair(j->at_least, j->at_most));
	jsonx_set_new(o, "region_by_time", jsonx_pair(j->by_time_least, j->by_time_most));
}

json_t *results_json_judgement(const struct judgement *j)
{
	json_t *o = json_object(), *a = json_array();

	jsonx_set_int(o, "question", j->question);
	jsonx_set_str(o, "verdict", verdict_name(j->verdict));
	jsonx_set_real(o, "value", j->value);
	jsonx_set_new(o, "interval", jsonx_pair(j->lo, j->hi));
	jsonx_set_real(o, "level", j->level);
	jsonx_set_bool(o, "depends_on_reading", j->depends_on_reading);
	put_readings(o, j);
	for (size_t i = 0; i < j->n_comparisons; i++)
		json_array_append_new(a, json_integer(j->comparisons[i]));
	jsonx_set_new(o, "comparisons", a);
	if (j->void_gate >= 0)
		jsonx_set_int(o, "void_gate", j->void_gate);
	if (j->n_cells) {
		jsonx_set_new(o, "cells", a = json_array());
		for (size_t i = 0; i < j->n_cells; i++)
			json_array_append_new(a, cell_json(&j->cells[i]));
	}
	if (j->n_quotes) {
		jsonx_set_new(o, "quotes", a = json_array());
		for (size_t i = 0; i < j->n_quotes; i++)
			json_array_append_new(a, quote_json(&j->quotes[i]));
	}
	return o;
}

json_t *results_json_scalings(const struct results *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_scalings; i++) {
		const struct scaling *s = &r->scalings[i];
		json_t *o = json_object();

		jsonx_set_int(o, "question", s->question);
		jsonx_set_int(o, "members", s->members);
		jsonx_set_int(o, "n", s->n);
		jsonx_set_str(o, "verdict", verdict_name(s->verdict));
		jsonx_set_real(o, "efficiency", s->efficiency);
		jsonx_set_new(o, "ci95", jsonx_pair(s->lo, s->hi));
		jsonx_set_new(o, "deciding_ci", jsonx_pair(s->decide_lo, s->decide_hi));
		jsonx_set_real(o, "together", s->together);
		jsonx_set_real(o, "alone", s->alone);
		jsonx_set_real(o, "jain", s->jain);
		jsonx_set_new(o, "share_of_a_member", jsonx_pair(s->share_min, s->share_max));
		json_array_append_new(a, o);
	}
	return a;
}

json_t *results_json_usls(const struct results *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_usls; i++) {
		const struct usl_result *u = &r->usls[i];
		json_t *o = json_object(), *levels = json_array(), *rates = json_array();

		jsonx_set_int(o, "question", u->question);
		jsonx_set_str(o, "dimension", u->dim);
		for (uint32_t k = 0; k < u->levels; k++) {
			json_array_append_new(levels, json_real(u->load[k]));
			json_array_append_new(rates, json_real(u->rate[k]));
		}
		jsonx_set_new(o, "levels", levels);
		jsonx_set_new(o, "rates", rates);
		jsonx_set_real(o, "sigma", u->sigma);
		jsonx_set_real(o, "kappa", u->kappa);
		jsonx_set_real(o, "lambda", u->lambda);
		jsonx_set_real(o, "peak", u->peak);
		jsonx_set_real(o, "rms_log", u->rms);
		json_array_append_new(a, o);
	}
	return a;
}
