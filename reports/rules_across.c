/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules across blocks, levels, nodes, and against what is known of the device. */

#define DRIFT_P 0.003 /* over all tests together */
#define DRIFT_SHARE 0.05
#define CAP_LEAST 0.80   /* of the link's nominal rate: what its protocol leaves at least */
#define CAP_CV 0.02      /* over runs */
#define CAP_SPREAD 0.10  /* within runs */
#define RATE_REACHED 0.99
#define SPLIT_OPS 1.5

void rule_drift(struct findings *f, const struct results *r, const struct wording *w)
{
	size_t judged = 0;

	for (size_t i = 0; i < r->n_tests; i++)
		judged += r->tests[i].n >= 5 && isfinite(r->tests[i].trend_p);
	for (size_t i = 0; i < r->n_tests; i++) {
		const struct test_result *t = &r->tests[i];
		mem_auto char *blocks = say_blocks(w, t->n);
		char change[48], p[40];
		struct finding *x;

		if (t->n < 5 || !(t->trend_p < DRIFT_P / (double)judged) || !(fabs(t->change) > DRIFT_SHARE))
			continue;
		x = rules_opinion(f, r, w, "drift", UINT32_MAX, r->bundle->cells.tests[i].name);
		free(x->anchor);
		x->anchor = mem_printf("opinion-drift-t%u", t->test);
		say_signed_percent(t->change, change);
		say_p(t->trend_p, p);
		x->basis = wording_fill(w, "opinion.drift.basis", "blocks", blocks, "change", change, "p", p, NULL);
		x->weight = fabs(log1p(t->change));
		for (size_t k = 0; k < r->bundle->n_runs; k++)
			if (r->bundle->cells.cells[r->bundle->runs[k].cell].test == t->test &&
			    r->bundle->runs[k].status == RUN_OK)
				finding_run(x, r->bundle->runs[k].run);
	}
}

/* ---- levels ---- */

static const char *level_text(const struct results *r, const struct plateau_result *p, size_t i)
{
	const struct cell *c = &r->bundle->cells.cells[p->cells[i]];

	for (size_t k = 0; k < c->n_sweep; k++)
		if (strcmp(c->sweep[k].dim, p->dim) == 0)
			return c->sweep[k].text;
	return "";
}

/* The target and what is swept beside the dimension itself. */
static char *levels_name(const struct results *r, const struct plateau_result *p)
{
	const struct cells *cs = &r->bundle->cells;
	const struct cell *c = &cs->cells[p->cells[0]];
	struct buf b = BUF_INIT;

	buf_puts(&b, cs->targets[c->target].name);
	for (size_t k = 0; k < c->n_sweep; k++)
		if (strcmp(c->sweep[k].dim, p->dim) != 0)
			buf_printf(&b, ", %s", c->sweep[k].text);
	return buf_take(&b);
}

void rule_plateau(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_plateaus; i++) {
		const struct plateau_result *p = &r->plateaus[i];
		mem_auto char *name = levels_name(r, p), *blocks = say_blocks(w, p->n);
		mem_auto char *height = say_value(metric_find("throughput"), p->height);
		char gained[40], bound[40], margin[40];
		struct finding *x;

		if (p->flat)
			continue;
		x = rules_opinion(f, r, w, "plateau", p->cells[p->knee], name);
		free(x->sentence);
		x->sentence = wording_fill(w, "opinion.plateau.say", "cell", name, "dimension",
					   wording_or(w, "dimension", p->dim), "knee", level_text(r, p, p->knee), NULL);
		say_capital(x->sentence);
		num_sig(p->gained, 3, gained);
		say_percent(p->bound - 1, bound);
		say_percent(p->margin, margin);
		x->basis = wording_fill(w, "opinion.plateau.basis", "knee", level_text(r, p, p->knee), "last",
					level_text(r, p, p->n_cells - 1), "height", height, "bound", bound, "margin",
					margin, "gained", gained, "first", level_text(r, p, 0), "blocks", blocks, NULL);
		x->weight = log(p->gained);
		for (size_t k = 0; k < p->n_cells; k++)
			if (k != p->knee)
				rules_runs_of_cell(x, r, p->cells[k]);
	}
}

/* ---- limits that are known ---- */

static const json_t *target_facts(const struct results *r, uint32_t target)
{
	return bundle_target_facts(r->bundle, r->bundle->cells.targets[target].name);
}

/* Share of the link that the cell fills, flat over runs and within them; 0: none known, or not so. */
static double fills_link(const struct results *r, uint32_t cell, double *link)
{
	const struct cell_result *c = &r->cells[cell];

	*link = jsonx_real(target_facts(r, r->bundle->cells.cells[cell].target), "link_bytes_per_s", 0);
	if (!(*link > 0) || c->n_runs < 5 || !(c->throughput.cv <= CAP_CV) || c->spread > CAP_SPREAD ||
	    !(c->device_ratio >= .98))
		return 0;
	return c->throughput.max <= *link && c->throughput.geo >= CAP_LEAST * *link ? c->throughput.geo / *link : 0;
}

/* Share of the plan's rate that the cell reaches; 0: the plan limits nothing, or the target did not keep up. */
static double fills_rate(const struct results *r, uint32_t cell, double *rate)
{
	*rate = r->bundle->cells.cells[cell].spec.rate;
	if (!(*rate > 0) || !r->cells[cell].n_runs || !(r->cells[cell].iops.geo >= RATE_REACHED * *rate))
		return 0;
	return r->cells[cell].iops.geo / *rate;
}

/* That the levels from some one on all have the rate of this cell; NULL: they do not, or nothing is swept. */
static char *say_levels(const struct results *r, const struct wording *w, uint32_t cell)
{
	for (size_t i = 0; i < r->n_plateaus; i++) {
		const struct plateau_result *p = &r->plateaus[i];
		char bound[40];

		for (size_t k = p->knee; k < p->n_cells; k++) {
			if (p->cells[k] != cell)
				continue;
			say_percent(p->bound - 1, bound);
			return wording_fill(w, "opinion.capped.levels", "from", level_text(r, p, p->knee), "to",
					    level_text(r, p, p->n_cells - 1), "bound", bound, NULL);
		}
	}
	return NULL;
}

static char *basis_link(const struct results *r, const struct wording *w, uint32_t cell, double share, double link)
{
	const struct metric *m = metric_find("throughput");
	const struct cell_result *c = &r->cells[cell];
	mem_auto char *rate = say_value(m, c->throughput.geo), *limit = say_value(m, link);
	mem_auto char *runs = wording_count(w, "runs", c->n_runs);
	char part[40], cv[40], spread[40] = "–";

	say_percent(share, part);
	say_percent(c->throughput.cv, cv);
	if (isfinite(c->spread))
		say_percent(c->spread, spread);
	mem_auto char *levels = say_levels(r, w, cell);
	mem_auto char *basis = wording_fill(w, "opinion.capped.basis", "rate", rate, "share", part, "limit", limit, "runs",
					    runs, "cv", cv, "spread", spread, NULL);

	return mem_printf("%s%s%s", basis, levels ? " " : "", levels ? levels : "");
}

static char *basis_rate(const struct results *r, const struct wording *w, uint32_t cell, double share, double rate)
{
	char got[40], asked[40], part[40];

	num_sig(r->cells[cell].iops.geo, 3, got);
	num_sig(rate, 3, asked);
	say_percent(share, part);
	return wording_fill(w, "opinion.paced.basis", "got", got, "asked", asked, "share", part, NULL);
}

/* One opinion for each target of a test, of the cell that is nearest to the limit. */
static void tell_limit(struct findings *f, const struct results *r, const struct wording *w, const char *rule,
		       double (*fills)(const struct results *, uint32_t, double *),
		       char *(*basis)(const struct results *, const struct wording *, uint32_t, double, double))
{
	const struct cells *cs = &r->bundle->cells;
	mem_auto bool *told = mem_array(r->n_cells + 1, sizeof *told);

	for (uint32_t c = 0; c < r->n_cells; c++) {
		double best = 0, limit = 0, at_limit = 0;
		uint32_t at = c, n = 0;
		struct finding *x;

		if (told[c])
			continue;
		for (uint32_t k = c; k < r->n_cells; k++) {
			double v;

			if (told[k] || cs->cells[k].test != cs->cells[c].test || cs->cells[k].target != cs->cells[c].target)
				continue;
			told[k] = true;
			v = fills(r, k, &limit);
			n += v > 0;
			if (v <= best)
				continue;
			best = v;
			at = k;
			at_limit = limit;
		}
		if (!n)
			continue;
		x = rules_opinion(f, r, w, rule, at, cs->cells[at].label);
		x->basis = basis(r, w, at, best, at_limit);
		rules_others(x, w, n - 1);
		x->weight = best;
	}
}

void rule_capped(struct findings *f, const struct results *r, const struct wording *w)
{
	tell_limit(f, r, w, "capped", fills_link, basis_link);
	tell_limit(f, r, w, "paced", fills_rate, basis_rate);
}

/* Device operations per I/O where a block is larger than the largest request; 0: it is not, or it goes
 * through the page cache, which shapes requests of its own. */
static double is_split(const struct results *r, uint32_t cell, double *largest)
{
	const struct cell *c = &r->bundle->cells.cells[cell];
	const struct cell_result *res = &r->cells[cell];
	const char *fact = jsonx_str(target_facts(r, c->target), "largest_request", "");
	bool raw = strcmp(r->bundle->cells.targets[c->target].driver, "raw") == 0;
	uint64_t bytes;

	if (rules_others_used(r, cell))
		return 0;
	if (num_parse_bytes(fact, &bytes, NULL) || !bytes || c->spec.n_blocks != 1 || c->spec.block[0] <= bytes)
		return 0;
	for (size_t i = 0; !raw && i < res->n_runs; i++)
		if (r->bundle->runs[res->runs[i]].direct != 1)
			return 0;
	*largest = (double)bytes;
	return res->device_ops >= SPLIT_OPS ? res->device_ops : 0;
}

static char *basis_split(const struct results *r, const struct wording *w, uint32_t cell, double ops, double largest)
{
	const struct cell *c = &r->bundle->cells.cells[cell];
	char block[40], limit[40], many[40], expected[40];

	num_bytes(c->spec.block[0], block);
	num_bytes((uint64_t)largest, limit);
	num_fixed(ops, 2, many);
	num_fixed(ceil((double)c->spec.block[0] / largest), 0, expected);
	return wording_fill(w, "opinion.split.basis", "block", block, "ops", many, "limit", limit, "expected", expected,
			    NULL);
}

void rule_split(struct findings *f, const struct results *r, const struct wording *w)
{
	tell_limit(f, r, w, "split", is_split, basis_split);
}

/* ---- nodes ---- */

/* The stable id that both targets share, on different nodes; NULL. */
static const char *same_device(const struct results *r, const struct comparison *c)
{
	const struct cells *cs = &r->bundle->cells;
	uint32_t a = cs->cells[c->subject].target, b = cs->cells[c->against].target;
	const char *id = bundle_fact(target_facts(r, a), "stable_id");

	if (cs->targets[a].node == cs->targets[b].node || !id || !*id ||
	    strcmp(id, jsonx_str(target_facts(r, b), "stable_id", "")) != 0)
		return NULL;
	return id;
}

static bool beyond(const struct comparison *c)
{
	return c->n >= 5 && c->void_gate < 0 && strcmp(c->metric->name, "throughput") == 0 &&
	       (c->lo > 1 + c->margin || c->hi < 1 / (1 + c->margin));
}

/* One for each question: the pair that differs most. */
void rule_remote(struct findings *f, const struct results *r, const struct wording *w)
{
	const struct cells *cs = &r->bundle->cells;

	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *c = &r->comparisons[i], *most = NULL;
		struct finding *x;
		struct say_ratio s;

		if (i && r->comparisons[i - 1].question == c->question)
			continue;
		for (size_t k = i; k < r->n_comparisons && r->comparisons[k].question == c->question; k++) {
			const struct comparison *o = &r->comparisons[k];

			if (beyond(o) && same_device(r, o) && (!most || fabs(log(o->ratio)) > fabs(log(most->ratio))))
				most = o;
		}
		if (!most)
			continue;
		const struct cell *a = &cs->cells[most->subject], *b = &cs->cells[most->against];
		const char *node_a = cs->nodes[cs->targets[a->target].node].name;
		const char *node_b = cs->nodes[cs->targets[b->target].node].name;
		mem_auto char *blocks = say_blocks(w, most->n);

		x = rules_opinion(f, r, w, "remote", most->subject, a->label);
		free(x->sentence);
		free(x->anchor);
		x->anchor = mem_printf("opinion-remote-c%u", most->id);
		x->sentence = wording_fill(w, "opinion.remote.say", "slow", most->ratio < 1 ? node_a : node_b, "fast",
					   most->ratio < 1 ? node_b : node_a, NULL);
		say_capital(x->sentence);
		say_ratio(&s, w, most->metric, most->ratio, most->lo, most->hi);
		x->basis = wording_fill(w, "opinion.remote.basis", "subject", a->label, "against", b->label, "ratio",
					s.factor, "word", s.word, "lo", s.lo, "hi", s.hi, "blocks", blocks, "id",
					same_device(r, most), NULL);
		say_capital(x->basis);
		x->weight = fabs(log(most->ratio));
		rules_runs_of_cell(x, r, most->against);
	}
}
