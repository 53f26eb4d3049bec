/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/sections.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/chart.h"

/* What runs alone and together, as bars: the parts of the sum of each alone, the parts of the total. */

#define MEMBERS_MOST 8

struct pair_of_bars {
	size_t n;
	const char *parts[2][MEMBERS_MOST];
	const struct cell *cells[MEMBERS_MOST]; /* together */
	double values[2][MEMBERS_MOST], sum[2];
};

static bool same_sweep(const struct cell *a, const struct cell *b)
{
	if (a->n_sweep != b->n_sweep)
		return false;
	for (size_t i = 0; i < a->n_sweep; i++)
		if (strcmp(a->sweep[i].text, b->sweep[i].text) != 0)
			return false;
	return true;
}

static const struct cell *alone_of(const struct compose *x, const struct cell *c)
{
	for (size_t i = 0; i < x->c->n_cells; i++) {
		const struct cell *a = &x->c->cells[i];
		if (a->company == COMPANY_ALONE && !a->control && a->test == c->test && a->target == c->target &&
		    a->workload == c->workload && a->pass == c->pass && a->variant == c->variant && same_sweep(a, c))
			return a;
	}
	return NULL;
}

/* The test's step that runs several cells together; NULL when there is none or more than one. */
static const struct step *together_step(const struct compose *x, uint32_t test)
{
	const struct step *found = NULL;

	for (size_t i = 0; i < x->c->n_steps; i++) {
		const struct step *s = &x->c->steps[i];
		if (s->test != test || s->n_cells < 2 || x->c->cells[s->cells[0]].company != COMPANY_TOGETHER)
			continue;
		if (found)
			return NULL;
		found = s;
	}
	return found;
}

/* What tells the members apart at the least: their nodes, else their targets. */
static const char *member_name(const struct compose *x, const struct step *s, const struct cell *c)
{
	const struct plan_target *t = &x->c->targets[c->target];

	for (size_t i = 0; i < s->n_cells; i++) {
		const struct cell *other = &x->c->cells[s->cells[i]];

		if (other != c && other->pass == c->pass && x->c->targets[other->target].node == t->node)
			return t->name;
	}
	return x->c->nodes[t->node].name;
}

static bool bars_fill(const struct compose *x, const struct step *s, struct pair_of_bars *p, double divide)
{
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct cell *c = &x->c->cells[s->cells[i]], *a = alone_of(x, c);
		if (c->pass > 1)
			continue;
		if (!a || p->n == MEMBERS_MOST)
			return false;
		p->cells[p->n] = c;
		p->values[0][p->n] = x->r->cells[a->id].throughput.mean / divide;
		p->values[1][p->n] = x->r->cells[c->id].throughput.mean / divide;
		for (int k = 0; k < 2; k++) {
			char number[40];
			if (!(p->values[k][p->n] > 0))
				return false;
			num_sig(p->values[k][p->n], 3, number);
			p->parts[k][p->n] = mem_printf("%s %s", member_name(x, s, c), number);
			p->sum[k] += p->values[k][p->n];
		}
		p->n++;
	}
	return p->n > 1;
}

static void bars_release(struct pair_of_bars *p)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < MEMBERS_MOST; i++)
			free((char *)p->parts[k][i]);
}

/* The scaling question that is about these cells, for its interval. */
static const struct scaling *scaling_of(const struct compose *x, const struct step *s)
{
	for (size_t i = 0; i < x->r->n_scalings; i++) {
		const struct question *q = &x->c->questions[x->r->scalings[i].question];
		for (size_t k = 0; k < q->n_cells; k++)
			if (q->cells[k] == s->cells[0] && x->r->scalings[i].members == s->n_cells && q->metric &&
			    strcmp(q->metric, "throughput") == 0)
				return &x->r->scalings[i];
	}
	return NULL;
}

static char *percent(double v)
{
	char s[40];

	num_sig(v * 100, 3, s);
	return mem_printf("%s%%", s);
}

static void figure_put(struct compose *x, uint32_t test, const struct pair_of_bars *p, const char *unit,
		       const struct scaling *scaling)
{
	char sum[40], total[40];
	mem_auto char *share = percent(p->sum[1] / p->sum[0]), *anchor = mem_printf("together-%u", test + 1);
	mem_auto char *lo = scaling ? percent(scaling->lo) : NULL, *hi = scaling ? percent(scaling->hi) : NULL;
	mem_auto char *n = mem_printf("%zu", p->n), *ideal = NULL, *end = NULL, *ci = NULL, *caption = NULL;
	bool interval = scaling && isfinite(scaling->lo) && isfinite(scaling->hi);
	struct doc_figure *f;
	struct chart *chart;

	num_sig(p->sum[0], 3, sum);
	num_sig(p->sum[1], 3, total);
	ideal = wording_fill(x->w, "together.ideal", "sum", sum, "unit", unit, NULL);
	end = wording_fill(x->w, "together.end", "total", total, "unit", unit, "share", share, NULL);
	if (interval)
		ci = wording_fill(x->w, "together.ci", "lo", lo, "hi", hi, NULL);
	caption = wording_fill(x->w, "together.caption", "n", n, "total", total, "unit", unit, "share", share, "sum", sum, NULL);
	chart = chart_bars_new(unit, p->sum[0], ideal);
	chart_bars_add(chart, &(struct chart_bar){ W(x, "together.alone"), W(x, "together.alone.sub"), p->parts[0],
		p->values[0], p->n, NAN, NAN, NULL, NULL });
	chart_bars_add(chart, &(struct chart_bar){ W(x, "together.both"), W(x, "together.both.sub"), p->parts[1],
		p->values[1], p->n, interval ? scaling->lo * p->sum[0] : NAN, interval ? scaling->hi * p->sum[0] : NAN, end, ci });
	f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "together.note"));
	doc_figure_alt(f, "%s", caption);
}

/* How far apart the runs of a step started, and how well that is known. */
struct starts {
	double *skew; size_t n; /* ms, one for each step that was complete */
	double bound;           /* ms, the largest */
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Each run of a step has the step's numbers: those of one cell are all. */
static struct starts starts_of(const struct compose *x, uint32_t cell)
{
	const struct cell_result *c = &x->r->cells[cell];
	struct starts s = { 0 };

	for (size_t i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &x->b->runs[c->runs[i]];

		if (r->skew_ns < 0 || r->offset_bound_ns < 0)
			continue;
		*VEC_ADD(s.skew, s.n) = (double)r->skew_ns / 1e6;
		s.bound = fmax(s.bound, (double)r->offset_bound_ns / 1e6);
	}
	if (s.n)
		qsort(s.skew, s.n, sizeof *s.skew, by_value);
	return s;
}

static void notes_put(struct compose *x, struct doc_table *t, const struct pair_of_bars *p)
{
	struct starts s = starts_of(x, p->cells[0]->id);
	char jain[40], middle[40], most[40], bound[40];
	double squares = 0;

	for (size_t i = 0; i < p->n; i++)
		squares += p->values[1][i] * p->values[1][i];
	num_fixed(p->sum[1] * p->sum[1] / ((double)p->n * squares), 4, jain);
	mem_auto char *fair = wording_fill(x->w, "together.fair", "jain", jain, NULL);
	doc_add(&t->note, "%s", fair);
	if (s.n) {
		num_sig(s.skew[(s.n - 1) / 2], 2, middle);
		num_sig(s.skew[s.n - 1], 2, most);
		num_sig(s.bound, 2, bound);
		mem_auto char *starts = wording_fill(x->w, "together.starts", "middle", middle, "most", most, "bound", bound, NULL);
		doc_add(&t->note, " %s", starts);
	}
	free(s.skew);
}

static void table_put(struct compose *x, uint32_t test, const struct pair_of_bars *p, const char *unit)
{
	mem_auto char *anchor = mem_printf("members-%u", test + 1);
	mem_auto char *alone = mem_printf("%s, %s", W(x, "together.alone"), unit);
	mem_auto char *both = mem_printf("%s, %s", W(x, "together.both"), unit);
	struct doc_table *t = doc_table(x->d, anchor, "%s", W(x, "together.table"));

	doc_column(t, DOC_LEFT, W(x, "together.target"));
	doc_column(t, DOC_LEFT, W(x, "together.node"));
	doc_column(t, DOC_RIGHT, alone);
	doc_column(t, DOC_RIGHT, both);
	doc_column(t, DOC_RIGHT, W(x, "together.kept"));
	doc_column(t, DOC_RIGHT, W(x, "together.part"));
	for (size_t i = 0; i < p->n; i++) {
		const struct plan_target *target = &x->c->targets[p->cells[i]->target];
		mem_auto char *kept = percent(p->values[1][i] / p->values[0][i]), *part = percent(p->values[1][i] / p->sum[1]);
		struct doc_row *row = doc_row(t, 0);

		doc_cell(row, "%s", target->name);
		doc_cell(row, "%s", x->c->nodes[target->node].name);
		for (int k = 0; k < 2; k++) {
			char number[40];

			num_sig(p->values[k][i], 3, number);
			doc_cell(row, "%s", number);
		}
		doc_cell(row, "%s", kept);
		doc_cell(row, "%s", part);
	}
	notes_put(x, t, p);
}

void compose_together(struct compose *x, uint32_t test)
{
	const struct step *s = together_step(x, test);
	struct pair_of_bars p = { 0 };
	double divide, largest = 0;
	const char *unit;

	if (!s)
		return;
	for (size_t i = 0; i < s->n_cells; i++)
		largest = fmax(largest, x->r->cells[s->cells[i]].throughput.mean);
	unit = say_scale(metric_find("throughput"), largest, &divide);
	if (bars_fill(x, s, &p, divide)) {
		figure_put(x, test, &p, unit, scaling_of(x, s));
		table_put(x, test, &p, unit);
	}
	bars_release(&p);
}
