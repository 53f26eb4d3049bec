/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/results_json.h"
#include "base/jsonx.h"

#include <math.h>
#include <string.h>

static json_t *numbers(const uint32_t *v, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, json_integer(v[i]));
	return a;
}

static json_t *reals(const double *v, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, jsonx_number(v[i]));
	return a;
}

static void put_estimate(json_t *o, const char *name, const struct estimate *e)
{
	json_t *v;

	if (!e->n)
		return;
	v = json_object();
	jsonx_set_int(v, "n", e->n);
	jsonx_set_real(v, "mean", e->mean);
	jsonx_set_real(v, "geometric_mean", e->geo);
	if (e->has_ci) {
		jsonx_set_new(v, "ci95", jsonx_pair(e->lo, e->hi));
		jsonx_set_new(v, "geometric_ci95", jsonx_pair(e->geo_lo, e->geo_hi));
		jsonx_set_real(v, "sd", e->sd);
		jsonx_set_real(v, "cv", e->cv);
	}
	jsonx_set_real(v, "min", e->min);
	jsonx_set_real(v, "max", e->max);
	jsonx_set_new(o, name, v);
}

static void put_steadiness(json_t *o, const struct cell_result *c)
{
	json_t *s;

	if (!c->n_steady)
		return;
	s = json_object();
	jsonx_set_str(s, "state", verdict_name(c->steadiness));
	jsonx_set_int(s, "n", c->n_steady);
	jsonx_set_real(s, "slope", c->steady);
	jsonx_set_new(s, "ci90", jsonx_pair(c->steady_lo90, c->steady_hi90));
	jsonx_set_new(s, "ci95", jsonx_pair(c->steady_lo95, c->steady_hi95));
	jsonx_set_bool(s, "snia_window", c->snia);
	if (isfinite(c->snia_range)) {
		jsonx_set_real(s, "snia_range", c->snia_range);
		jsonx_set_real(s, "snia_excursion", c->snia_excursion);
	}
	jsonx_set_new(o, "steadiness", s);
}

static void put_over_runs(json_t *o, const struct cell_result *c)
{
	if (c->cut_ns) {
		jsonx_set_int(o, "warmup_cut_ns", c->cut_ns);
		jsonx_set_str(o, "warmup_cut_by", c->cut_by_mser ? "MSER-5" : "plan");
	}
	put_steadiness(o, c);
	jsonx_set_bool(o, "bimodal", c->bimodal);
	jsonx_set_real(o, "trend_per_block", c->trend);
	jsonx_set_real(o, "trend_p", c->trend_p);
}

static json_t *cell_json(const struct results *r, const struct cell_result *c)
{
	const struct cell *cell = &r->bundle->cells.cells[c->cell];
	json_t *o = json_object(), *status = json_object(), *runs = json_array();

	jsonx_set_int(o, "cell", c->cell);
	jsonx_set_str(o, "key", cell->key);
	jsonx_set_str(o, "label", cell->label);
	for (int i = 0; i < RUN_STATUSES; i++)
		if (c->status[i])
			jsonx_set_int(status, run_status_name((enum run_status)i), c->status[i]);
	jsonx_set_new(o, "runs_by_status", status);
	put_estimate(o, "throughput_bytes_per_s", &c->throughput);
	put_estimate(o, "iops", &c->iops);
	put_estimate(o, "latency_mean_ns", &c->mean);
	put_estimate(o, "latency_p50_ns", &c->p50);
	put_estimate(o, "latency_p95_ns", &c->p95);
	put_estimate(o, "latency_p99_ns", &c->p99);
	put_estimate(o, "latency_p999_ns", &c->p999);
	put_estimate(o, "latency_max_ns", &c->max);
	put_estimate(o, "cpu_ns_per_gib", &c->cpu_per_gib);
	if (isfinite(c->machine_busy))
		jsonx_set_real(o, "machine_processors_busy", c->machine_busy);
	if (isfinite(c->combined_lo)) {
		jsonx_set_real(o, "clock_uncertainty", c->instrument);
		jsonx_set_new(o, "throughput_combined_ci95", jsonx_pair(c->combined_lo, c->combined_hi));
	}
	put_over_runs(o, c);
	jsonx_set_new(o, "patterns", results_json_patterns(c));
	jsonx_set_real(o, "device_ratio", c->device_ratio);
	jsonx_set_int(o, "asked_bytes", (int64_t)c->asked_bytes);
	jsonx_set_int(o, "device_bytes", (int64_t)c->device_bytes);
	for (size_t i = 0; i < c->n_runs; i++)
		json_array_append_new(runs, json_integer(r->bundle->runs[c->runs[i]].run));
	jsonx_set_new(o, "runs", runs);
	return o;
}

static json_t *differences(const struct comparison *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->n_diff; i++) {
		json_t *o = json_object();

		jsonx_set_str(o, "attribute", c->diff[i].attribute);
		jsonx_set_str(o, "subject", c->diff[i].subject);
		jsonx_set_str(o, "against", c->diff[i].against);
		jsonx_set_bool(o, "named", c->diff[i].named);
		json_array_append_new(a, o);
	}
	return a;
}

static void comparison_verdict(json_t *o, const struct comparison *c)
{
	jsonx_set_str(o, "verdict", verdict_name(c->verdict));
	jsonx_set_bool(o, "material", c->material);
	jsonx_set_bool(o, "resolved_inside_margin", c->resolved_inside);
	jsonx_set_bool(o, "negligible", c->negligible);
	jsonx_set_int(o, "dropped_blocks", c->dropped_blocks);
	if (c->n_needed)
		jsonx_set_int(o, "blocks_needed", c->n_needed);
	if (isfinite(c->detectable))
		jsonx_set_real(o, "detectable_effect", c->detectable);
	if (c->void_gate >= 0)
		jsonx_set_int(o, "void_gate", c->void_gate);
	jsonx_set_bool(o, "too_few_ios", c->too_few);
}

static json_t *comparison_json(const struct comparison *c)
{
	json_t *o = json_object();

	jsonx_set_int(o, "id", c->id);
	jsonx_set_int(o, "question", c->question);
	jsonx_set_int(o, "subject_cell", c->subject);
	jsonx_set_int(o, "against_cell", c->against);
	jsonx_set_str(o, "metric", c->metric->name);
	jsonx_set_bool(o, "declared", c->declared);
	jsonx_set_bool(o, "paired", c->paired);
	jsonx_set_int(o, "n", c->n);
	jsonx_set_real(o, "ratio", c->n ? c->ratio : NAN);
	jsonx_set_new(o, "ci95", jsonx_pair(c->lo, c->hi));
	jsonx_set_new(o, "deciding_ci", jsonx_pair(c->decide_lo, c->decide_hi));
	jsonx_set_real(o, "deciding_level", c->decide_level);
	jsonx_set_new(o, "equivalence_ci", jsonx_pair(c->equiv_lo, c->equiv_hi));
	jsonx_set_real(o, "equivalence_level", c->equiv_level);
	jsonx_set_real(o, "p", c->p);
	jsonx_set_real(o, "p_holm", c->declared ? c->holm_p : NAN);
	jsonx_set_real(o, "q_bh", c->declared ? NAN : c->bh_p);
	jsonx_set_real(o, "sd_log", c->sd_log);
	jsonx_set_real(o, "margin", c->margin);
	jsonx_set_int(o, "family", c->family);
	if (c->same_as != c->id)
		jsonx_set_int(o, "same_as", c->same_as);
	comparison_verdict(o, c);
	jsonx_set_real(o, "order_gamma", c->gamma);
	jsonx_set_real(o, "order_p", c->gamma_p);
	jsonx_set_real(o, "unseen_mode_bound", c->unseen_mode);
	jsonx_set_new(o, "blocks", numbers(c->blocks, c->n));
	jsonx_set_new(o, "log_ratios", reals(c->d, c->n));
	jsonx_set_new(o, "subject_runs", numbers(c->subject_runs, c->n));
	jsonx_set_new(o, "against_runs", numbers(c->against_runs, c->n));
	jsonx_set_new(o, "differs", differences(c));
	return o;
}

static json_t *gate_json(const struct gate *g)
{
	static const char *const state[] = { "holds", "fails", "not applicable", "not verifiable" };
	json_t *o = json_object();

	jsonx_set_str(o, "gate", gate_name(g->kind));
	jsonx_set_str(o, "state", state[g->state]);
	jsonx_set_str(o, "consequence", gate_voids(g->kind) ? "void" : "caveat");
	jsonx_set_bool(o, "waived", g->waived);
	jsonx_set_int(o, "test", g->test);
	if (g->cell != UINT32_MAX)
		jsonx_set_int(o, "cell", g->cell);
	jsonx_set_real(o, "number", g->number);
	jsonx_set_real(o, "threshold", g->threshold);
	jsonx_set_str(o, "unit", g->unit);
	jsonx_set_str(o, "basis", g->basis);
	jsonx_set_str(o, "reason", g->reason);
	jsonx_set_new(o, "runs", numbers(g->runs, g->n_runs));
	return o;
}

json_t *results_json_finding(const struct finding *f)
{
	json_t *o = json_object();

	jsonx_set_str(o, "kind", finding_kind_name(f->kind));
	jsonx_set_str(o, "rule", f->rule);
	jsonx_set_str(o, "anchor", f->anchor);
	jsonx_set_str(o, "verdict", verdict_name(f->verdict));
	jsonx_set_str(o, "word", f->word);
	jsonx_set_str(o, "key", f->key);
	jsonx_set_str(o, "sentence", f->sentence);
	jsonx_set_str(o, "caveat", f->caveat);
	jsonx_set_str(o, "basis", f->basis);
	jsonx_set_str(o, "would_confirm", f->confirm);
	jsonx_set_str(o, "would_refute", f->refute);
	jsonx_set_bool(o, "concluded", f->concluded);
	jsonx_set_bool(o, "detail", f->detail);
	if (f->comparison >= 0)
		jsonx_set_int(o, "comparison", f->comparison);
	if (f->judgement >= 0)
		jsonx_set_int(o, "judgement", f->judgement);
	jsonx_set_new(o, "runs", numbers(f->runs, f->n_runs));
	return o;
}

json_t *results_json(const struct results *r, const struct findings *f, const char *tool)
{
	json_t *o = json_object(), *a;

	jsonx_set_str(o, "format", "iowitness-results");
	jsonx_set_int(o, "version", 1);
	jsonx_set_str(o, "tool", tool);
	jsonx_set_str(o, "title", r->bundle->cells.title);
	jsonx_set_str(o, "report_id", r->bundle->id);
	jsonx_set_str(o, "evidence_sha256", r->bundle->evidence);
	jsonx_set_str(o, "state", r->bundle->end_state);
	jsonx_set_int(o, "planned_runs", r->planned_runs);
	jsonx_set_int(o, "complete_runs", r->done_runs);
	jsonx_set_new(o, "findings", a = json_array());
	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(a, results_json_finding(&f->list[i]));
	jsonx_set_new(o, "comparisons", a = json_array());
	for (size_t i = 0; i < r->n_comparisons; i++)
		json_array_append_new(a, comparison_json(&r->comparisons[i]));
	jsonx_set_new(o, "judgements", a = json_array());
	for (size_t i = 0; i < r->n_judgements; i++)
		json_array_append_new(a, results_json_judgement(&r->judgements[i]));
	jsonx_set_new(o, "gates", a = json_array());
	for (size_t i = 0; i < r->n_gates; i++)
		json_array_append_new(a, gate_json(&r->gates[i]));
	jsonx_set_new(o, "cells", a = json_array());
	for (size_t i = 0; i < r->n_cells; i++)
		json_array_append_new(a, cell_json(r, &r->cells[i]));
	jsonx_set_new(o, "tests", results_json_tests(r));
	jsonx_set_new(o, "plateaus", results_json_plateaus(r));
	jsonx_set_new(o, "scalings", results_json_scalings(r));
	jsonx_set_new(o, "scalability", results_json_usls(r));
	return o;
}
