/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/change.h"
#include "reports/csv.h"
#include "reports/results_json.h"

#include <math.h>
#include <string.h>

static json_t *campaign_json(const struct results *r)
{
	json_t *o = json_object();

	jsonx_set_str(o, "title", r->bundle->cells.title);
	jsonx_set_str(o, "report_id", r->bundle->id);
	jsonx_set_str(o, "evidence_sha256", r->bundle->evidence);
	jsonx_set_int(o, "start_utc_ns", r->bundle->start_utc_ns);
	jsonx_set_str(o, "state", r->bundle->end_state);
	jsonx_set_int(o, "planned_runs", r->planned_runs);
	jsonx_set_int(o, "complete_runs", r->done_runs);
	return o;
}

static json_t *cell_json(const struct changes *c, const struct change *k)
{
	json_t *o = json_object();

	jsonx_set_str(o, "key", k->key);
	jsonx_set_str(o, "label", k->label);
	jsonx_set_int(o, "before_cell", k->before_cell);
	jsonx_set_int(o, "after_cell", k->after_cell);
	jsonx_set_str(o, "state", change_state_name(k->state));
	jsonx_set_int(o, "before_runs", k->n_before);
	jsonx_set_int(o, "after_runs", k->n_after);
	jsonx_set_real(o, "before", k->before);
	jsonx_set_new(o, "before_ci95", jsonx_pair(k->before_lo, k->before_hi));
	jsonx_set_real(o, "after", k->after);
	jsonx_set_new(o, "after_ci95", jsonx_pair(k->after_lo, k->after_hi));
	jsonx_set_real(o, "ratio", k->ratio);
	jsonx_set_new(o, "ci95", jsonx_pair(k->lo, k->hi));
	jsonx_set_real(o, "p", k->p);
	jsonx_set_real(o, "q_bh", k->bh_p);
	(void)c;
	return o;
}

static json_t *strings(const char *const *v, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, json_string(v[i]));
	return a;
}

static json_t *confounder_json(const struct confounder *k)
{
	json_t *o = json_object();

	jsonx_set_str(o, "where", k->where);
	jsonx_set_str(o, "what", k->what);
	jsonx_set_str(o, "before", k->before);
	jsonx_set_str(o, "after", k->after);
	return o;
}

json_t *change_json(const struct changes *c, const struct derived_about *d, const struct findings *f,
		    const char *tool)
{
	json_t *o = json_object(), *a, *planned = json_object_get(d->root, "planned");

	jsonx_set_str(o, "format", "iowitness-compare-results");
	jsonx_set_int(o, "version", 1);
	jsonx_set_str(o, "tool", tool);
	jsonx_set_str(o, "title", d->title ? d->title : c->after->bundle->cells.title);
	jsonx_set_str(o, "report_id", d->id);
	jsonx_set_str(o, "evidence_sha256", d->evidence);
	jsonx_set_new(o, "before", campaign_json(c->before));
	jsonx_set_new(o, "after", campaign_json(c->after));
	jsonx_set_str(o, "metric", jsonx_str(d->root, "metric", NULL));
	jsonx_set_real(o, "margin", c->margin);
	jsonx_set_new(o, "planned", planned ? json_incref(planned) : json_array());
	jsonx_set_int(o, "worse", c->worse);
	jsonx_set_int(o, "better", c->better);
	jsonx_set_new(o, "findings", a = json_array());
	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(a, results_json_finding(&f->list[i]));
	jsonx_set_new(o, "cells", a = json_array());
	for (size_t i = 0; i < c->n_changes; i++)
		json_array_append_new(a, cell_json(c, &c->changes[i]));
	jsonx_set_new(o, "only_before", strings(c->only_before, c->n_only_before));
	jsonx_set_new(o, "only_after", strings(c->only_after, c->n_only_after));
	jsonx_set_new(o, "confounders", a = json_array());
	for (size_t i = 0; i < c->n_confounders; i++)
		json_array_append_new(a, confounder_json(&c->confounders[i]));
	return o;
}

void change_csv(const struct changes *c, struct buf *out)
{
	buf_puts(out, "key,label,metric,unit,state,before_runs,after_runs,before,after,ratio,ci95_lo,ci95_hi,p,q_bh\n");
	for (size_t i = 0; i < c->n_changes; i++) {
		const struct change *k = &c->changes[i];
		const double v[] = { k->before, k->after, k->ratio, k->lo, k->hi, k->p, k->bh_p };

		csv_text(out, k->key);
		buf_putc(out, ',');
		csv_text(out, k->label);
		buf_printf(out, ",%s,%s,%s,%u,%u", k->metric->name, k->metric->unit, change_state_name(k->state), k->n_before,
			   k->n_after);
		for (size_t n = 0; n < ARRAY_LEN(v); n++)
			csv_real(out, v[n]);
		buf_putc(out, '\n');
	}
}
