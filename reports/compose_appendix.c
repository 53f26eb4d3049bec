/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/sections.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Appendices: every number's derivation, all runs, plan, log, glossary, units; attachments. */

static void derivation(struct compose *x)
{
	struct doc_table *t;

	doc_subhead(x->d, 2, "derivation", "%s", W(x, "appendix.derivation"))->plain = true;
	compose_para(x, "appendix.formula", NULL);
	if (x->r->retained)
		compose_para(x, "appendix.retained", NULL);
	t = doc_table(x->d, "derivations", "%s", W(x, "appendix.derivation.caption"));
	t->fold = x->c->n_cells > 24;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.runs"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.bytes"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.seconds"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.geo"));
	doc_column(t, DOC_RIGHT, W(x, "appendix.sdln"));
	for (size_t i = 0; i < x->r->n_cells; i++) {
		const struct cell_result *c = &x->r->cells[i];
		uint64_t bytes = 0;
		double seconds = 0, ss = 0, mean = 0;
		struct doc_row *row = doc_row(t, 0);

		for (size_t k = 0; k < c->n_runs; k++) {
			const struct retained r = results_retained(x->r, c->runs[k]);

			bytes += r.bytes;
			seconds += (double)r.ns / 1e9;
			mean += log((double)r.bytes / (double)r.ns) / (double)c->n_runs;
		}
		for (size_t k = 0; k < c->n_runs; k++) {
			const struct retained r = results_retained(x->r, c->runs[k]);
			double d = log((double)r.bytes / (double)r.ns) - mean;

			ss += d * d;
		}
		char total[40], geo[40] = "–", sd[40] = "–";
		num_fixed(seconds, 3, total);
		if (c->throughput.n && isfinite(c->throughput.geo))
			num_sig(c->throughput.geo / 1e6, 5, geo);
		if (c->n_runs > 1 && isfinite(ss))
			num_sig(sqrt(ss / (double)(c->n_runs - 1)), 3, sd);
		doc_cell(row, "%s", x->c->cells[i].label);
		doc_cell(row, "%zu", c->n_runs);
		doc_cell(row, "%" PRIu64, bytes);
		doc_cell(row, "%s", total);
		doc_cell(row, "%s", geo);
		doc_cell(row, "%s", sd);
	}
}

static void run_row(struct compose *x, struct doc_table *t, uint32_t run)
{
	const struct kept_run *r = &x->b->runs[run];
	const struct retained kept = results_retained(x->r, run);
	const struct latency *l = metric_main_latency(r);
	struct doc_row *row = doc_row(t, r->status == RUN_OK ? 0 : DOC_ROW_STRUCK);
	char s[40], time[32];

	clock_format(r->start_utc_ns, time);
	doc_cell(row, "%u", r->run);
	doc_cell(row, "%s", x->c->cells[r->cell].label);
	doc_cell(row, "%u", r->block);
	doc_cell(row, "%u", r->position);
	doc_cell(row, "%.8s", r->start_utc_ns ? time + 11 : "–");
	doc_cell(row, "%" PRIu64, kept.bytes);
	num_fixed((double)kept.ns / 1e9, 6, s);
	doc_cell(row, "%s", s);
	num_sig(kept.ns > 0 ? (double)kept.bytes / (double)kept.ns * 1e3 : NAN, 4, s);
	doc_cell(row, "%s", s);
	doc_cell(row, "%" PRIu64, kept.ios);
	num_sig((double)l->p50 / 1e6, 3, s);
	doc_cell(row, "%s", l->count ? s : "–");
	num_sig((double)l->p99 / 1e6, 3, s);
	doc_cell(row, "%s", l->count ? s : "–");
	doc_cell(row, "%s", wording_of(x->w, "status", run_status_name((enum run_status)r->status)));
}

#define RUNS_LISTED 4000

static void all_runs(struct compose *x)
{
	struct doc_table *t;
	char hash[DIGEST_HEX];

	doc_subhead(x->d, 2, "all-runs", "%s", W(x, "appendix.allruns"))->plain = true;
	if (x->b->n_runs > RUNS_LISTED) {
		mem_auto char *n = wording_count(x->w, "runs", x->b->n_runs);
		mem_auto char *path = file_join(x->b->dir, "runs.jsonl");

		if (digest_file_at(AT_FDCWD, path, hash, NULL))
			hash[0] = 0;
		compose_para(x, "appendix.runsfile", "runs", n, "hash", hash, NULL);
		return;
	}
	t = doc_table(x->d, "runs", "%s", W(x, "appendix.allruns.caption"));
	t->fold = t->dense = true;
	static const char *const heads[] = { "run", "cell", "block", "appendix.position", "appendix.start", "appendix.bytes",
					     "appendix.seconds", "appendix.mbs", "appendix.ios", "appendix.p50",
					     "appendix.p99", "appendix.status" };
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		doc_column(t, i == 1 || i == 11 ? DOC_LEFT : DOC_RIGHT, W(x, heads[i]));
	for (size_t i = 0; i < x->b->n_runs; i++)
		run_row(x, t, (uint32_t)i);
}

void compose_glossary(struct compose *x, const char *title, const char *const *terms)
{
	doc_subhead(x->d, 2, "glossary", "%s", W(x, title))->plain = true;
	for (size_t i = 0; terms[i]; i++) {
		mem_auto char *label = mem_printf("term.%s.label", terms[i]), *text = mem_printf("term.%s", terms[i]);

		doc_def(x->d, W(x, label), "%s", W(x, text));
	}
	doc_fill(&doc_def(x->d, W(x, "appendix.units"), "%s", "")->text, W(x, "appendix.units.text"), NULL);
}

void compose_attach(struct compose *x, const char *dir, const char *name, const char *as, const char *mime,
		    const char *about, size_t limit)
{
	mem_auto char *path = file_join(dir, name);
	struct buf b = BUF_INIT;

	if (!file_read(path, &b, limit, NULL))
		document_attach(x->d, as, mime, W(x, about), buf_str(&b), b.len);
	buf_release(&b);
}

static void attach(struct compose *x, const char *name, const char *mime, const char *about, size_t limit)
{
	compose_attach(x, x->b->dir, name, name, mime, about, limit);
}

static void log_tail(struct compose *x)
{
	mem_auto char *log = bundle_read_log(x->b);
	size_t lines = 0;
	char *p;

	doc_subhead(x->d, 2, "log", "%s", W(x, "appendix.log"))->plain = true;
	if (!log || !*log) {
		compose_para(x, "appendix.nolog", NULL);
		return;
	}
	for (p = log + strlen(log); p > log; p--)
		if (p[-1] == '\n' && ++lines > 60)
			break;
	doc_code(x->d, p);
}

void section_appendices(struct compose *x)
{
	static const char *const terms[] = { "cell", "block", "run", "pass", "cold", "ratio", "ci", "deciding", "margin",
					     "verdict", "gate", "servicetime", "void", "exploratory", "glyph", NULL };

	doc_section(x->d, "appendices", W(x, "appendix.title"));
	derivation(x);
	all_runs(x);
	doc_subhead(x->d, 2, "plan", "%s", W(x, "appendix.plan"))->plain = true;
	for (size_t i = 0; i < x->c->n_set; i++)
		compose_para(x, "appendix.set", "path", x->c->set[i].path, "value", x->c->set[i].value, NULL);
	doc_code(x->d, x->b->plan_text ? x->b->plan_text : "");
	log_tail(x);
	compose_glossary(x, "appendix.glossary", terms);
	attach(x, "EVIDENCE", "text/plain", "attach.evidence", 1 << 20);
	attach(x, "plan.json", "application/json", "attach.plan", 16 << 20);
	attach(x, "cells.json", "application/json", "attach.cells", 64 << 20);
	attach(x, "runs.jsonl", "application/jsonl", "attach.runs", 64 << 20);
	attach(x, "samples.jsonl", "application/jsonl", "attach.samples", 10 << 20);
}
