/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "reports/csv.h"
#include "reports/history.h"
#include "reports/results_json.h"

#include <math.h>
#include <string.h>

static json_t *candidate_json(const struct archive *a, const struct course *k, const struct history_change *h)
{
	json_t *o = json_object();

	jsonx_set_int(o, "campaign", k->points[h->at].campaign);
	jsonx_set_real(o, "ratio", archive_ratio(a, h));
	jsonx_set_real(o, "before", exp(h->before));
	jsonx_set_real(o, "after", exp(h->after));
	jsonx_set_real(o, "t", h->t);
	jsonx_set_real(o, "rho", h->rho);
	jsonx_set_real(o, "p", h->p);
	return o;
}

static json_t *course_json(const struct archive *a, const struct course *k)
{
	json_t *o = json_object(), *changes = json_array();

	jsonx_set_str(o, "key", k->key);
	jsonx_set_str(o, "label", k->label);
	jsonx_set_int(o, "campaigns", (int64_t)k->n);
	jsonx_set_bool(o, "in_newest", k->newest);
	jsonx_set_bool(o, "judged", k->judged);
	jsonx_set_bool(o, "watch", k->watch);
	jsonx_set_bool(o, "watch_slow_side", k->watch_worse);
	jsonx_set_real(o, "newest", k->newest ? k->points[k->n - 1].value : NAN);
	jsonx_set_new(o, "prediction95", jsonx_pair(k->predicted_lo, k->predicted_hi));
	for (size_t i = 0; i < k->n_changes; i++)
		json_array_append_new(changes, candidate_json(a, k, &k->changes[i]));
	jsonx_set_new(o, "candidates", changes);
	return o;
}

static json_t *campaign_json(const struct archive_campaign *k)
{
	json_t *o = json_object();

	jsonx_set_str(o, "name", k->name);
	jsonx_set_str(o, "title", k->title);
	jsonx_set_str(o, "report_id", k->id);
	jsonx_set_str(o, "evidence_sha256", k->evidence);
	jsonx_set_int(o, "start_utc_ns", k->start_utc_ns);
	jsonx_set_str(o, "state", k->state);
	jsonx_set_int(o, "planned_runs", k->planned_runs);
	jsonx_set_int(o, "complete_runs", k->done_runs);
	jsonx_set_int(o, "void_cells", k->voids);
	jsonx_set_int(o, "changed", (int64_t)k->n_changed);
	return o;
}

json_t *history_json(const struct archive *a, const struct derived_about *d, const struct findings *f,
		     const char *tool)
{
	json_t *o = json_object(), *v, *left_out = json_object_get(d->root, "left_out");

	jsonx_set_str(o, "format", "iowitness-history-results");
	jsonx_set_int(o, "version", 1);
	jsonx_set_str(o, "tool", tool);
	jsonx_set_str(o, "title", d->title ? d->title : a->campaigns[a->n - 1].title);
	jsonx_set_str(o, "report_id", d->id);
	jsonx_set_str(o, "evidence_sha256", d->evidence);
	jsonx_set_str(o, "metric", a->metric->name);
	jsonx_set_new(o, "findings", v = json_array());
	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(v, results_json_finding(&f->list[i]));
	jsonx_set_new(o, "cells", v = json_array());
	for (size_t i = 0; i < a->n_courses; i++)
		json_array_append_new(v, course_json(a, &a->courses[i]));
	jsonx_set_new(o, "campaigns", v = json_array());
	for (size_t i = 0; i < a->n; i++)
		json_array_append_new(v, campaign_json(&a->campaigns[i]));
	jsonx_set_new(o, "left_out", left_out ? json_incref(left_out) : json_array());
	return o;
}

void history_csv(const struct archive *a, struct buf *out)
{
	buf_puts(out, "campaign,start_utc,name,report_id,key,label,metric,unit,runs,mean,ci95_lo,ci95_hi\n");
	for (size_t i = 0; i < a->n_courses; i++) {
		const struct course *k = &a->courses[i];

		for (size_t p = 0; p < k->n; p++) {
			const struct archive_campaign *c = &a->campaigns[k->points[p].campaign];
			char at[32];

			clock_format(c->start_utc_ns, at);
			buf_printf(out, "%u,%s,", k->points[p].campaign + 1, at);
			csv_text(out, c->name);
			buf_putc(out, ',');
			csv_text(out, c->id);
			buf_putc(out, ',');
			csv_text(out, k->key);
			buf_putc(out, ',');
			csv_text(out, k->label);
			buf_printf(out, ",%s,%s,%u", a->metric->name, a->metric->unit, k->points[p].n);
			csv_real(out, k->points[p].value);
			csv_real(out, k->points[p].lo);
			csv_real(out, k->points[p].hi);
			buf_putc(out, '\n');
		}
	}
}
