/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results per cell: tables of throughput and service time, all runs, latency curves, sweeps. */

#define PANELS 12 /* more cells than this in a test: sweeps and tables only */
#define CURVES 4

static double largest(const struct compose *x, uint32_t test, double (*value)(const struct cell_result *))
{
	double most = 0;

	for (size_t i = 0; i < x->r->n_cells; i++)
		if (x->c->cells[i].test == test && isfinite(value(&x->r->cells[i])))
			most = fmax(most, value(&x->r->cells[i]));
	return most;
}

static double throughput_of(const struct cell_result *c)
{
	return c->throughput.n ? c->throughput.mean : NAN;
}

static double latency_of(const struct cell_result *c)
{
	return c->p50.n ? c->p50.geo : NAN;
}

static void cell_value(const struct compose *x, struct doc_row *row, double v, double divide, int digits)
{
	if (isfinite(v))
		doc_cell_num(row, v / divide, num_sig_decimals(v / divide, digits));
	else
		doc_cell(row, "–");
}

static void throughput_row(struct compose *x, struct doc_table *t, uint32_t cell, double divide)
{
	const struct cell_result *c = &x->r->cells[cell];
	const struct estimate *e = &c->throughput;
	struct doc_row *row = doc_row(t, x->c->cells[cell].control ? DOC_ROW_MUTED : 0);
	int decimals = num_sig_decimals(e->n ? e->mean / divide : 1, 3);
	char cv[40] = "–";

	doc_cell(row, "%s", x->c->cells[cell].label);
	doc_cell(row, "%u", e->n);
	if (!e->n) {
		for (int i = 0; i < 8; i++)
			doc_cell(row, "–");
		return;
	}
	mem_auto char *span = compose_span(x, e->has_ci ? e->lo : NAN, e->hi, divide, decimals);
	if (e->n > 1)
		say_percent(e->cv, cv);
	doc_cell_num(row, e->mean / divide, decimals);
	doc_cell(row, "%s", span);
	doc_cell_num(row, e->mean / 1048576, num_sig_decimals(e->mean / 1048576, 3));
	cell_value(x, row, c->iops.n ? c->iops.mean : NAN, 1, 3);
	doc_cell(row, "%s", cv);
	doc_cell_num(row, e->min / divide, decimals);
	doc_cell_num(row, e->max / divide, decimals);
	cell_value(x, row, c->cpu_per_gib.n ? c->cpu_per_gib.mean : NAN, 1e9, 3);
}

/* The span of what was measured: the least and the fastest cell; of one cell its name is enough. The caller's. */
static char *throughput_caption(const struct compose *x, uint32_t test)
{
	const struct metric *m = metric_find("throughput");
	const char *name = x->c->tests[test].name;
	size_t least = SIZE_MAX, most = SIZE_MAX;

	for (size_t i = 0; i < x->r->n_cells; i++) {
		const struct estimate *e = &x->r->cells[i].throughput;

		if (x->c->cells[i].test != test || !e->n || x->c->cells[i].control)
			continue;
		least = least == SIZE_MAX || e->mean < x->r->cells[least].throughput.mean ? i : least;
		most = most == SIZE_MAX || e->mean > x->r->cells[most].throughput.mean ? i : most;
	}
	if (least == most)
		return wording_fill(x->w, "results.throughput", "test", name, NULL);
	mem_auto char *low = say_value(m, x->r->cells[least].throughput.mean), *high = say_value(m, x->r->cells[most].throughput.mean);
	return wording_fill(x->w, "results.throughput.span", "test", name, "low", low, "high", high, "least",
			    x->c->cells[least].label, "most", x->c->cells[most].label, NULL);
}

static void throughput_table(struct compose *x, uint32_t test)
{
	const struct metric *m = metric_find("throughput");
	double divide;
	const char *unit = say_scale(m, largest(x, test, throughput_of), &divide);
	mem_auto char *anchor = mem_printf("throughput-%u", test + 1);
	mem_auto char *caption = throughput_caption(x, test);
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);

	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_RIGHT, "n");
	doc_column(t, DOC_DECIMAL, W(x, "results.mean"))->strong = true;
	doc_column(t, DOC_RIGHT, W(x, "results.ci"))->nowrap = true;
	doc_column(t, DOC_DECIMAL, "MiB/s");
	doc_column(t, DOC_DECIMAL, "IOPS");
	doc_column(t, DOC_RIGHT, "CV");
	doc_column(t, DOC_DECIMAL, W(x, "results.min"));
	doc_column(t, DOC_DECIMAL, W(x, "results.max"));
	doc_column(t, DOC_DECIMAL, W(x, "results.cpu"));
	doc_group(t, unit, 2, 2);
	mem_auto char *one = wording_fill(x->w, "results.onerun", "unit", unit, NULL);
	doc_group(t, one, 7, 2);
	for (uint32_t i = 0; i < x->c->n_cells; i++)
		if (x->c->cells[i].test == test)
			throughput_row(x, t, i, divide);
	doc_fill(&t->note, W(x, "results.throughput.note"), NULL);
}

/* ---- service time ---- */

static void latency_cell(struct compose *x, struct doc_table *t, struct doc_row *row, const struct estimate *e,
			 bool few, double divide)
{
	int decimals;

	if (!e->n || !isfinite(e->geo) || few) {
		struct doc_text *cell = doc_cell(row, "%s", W(x, few ? "results.few" : "none"));

		if (few)
			doc_footnote(t, cell, "%s", W(x, "results.few.note"));
		return;
	}
	decimals = num_sig_decimals(e->geo / divide, 3);
	char number[40];
	num_fixed(e->geo / divide, decimals, number);
	struct doc_text *cell = doc_cell(row, "%s", number);
	if (e->has_ci) {
		mem_auto char *span = compose_span(x, e->geo_lo, e->geo_hi, divide, decimals);

		doc_mark(cell, DOC_SMALL, " %s", span);
	}
}

/* Those behind the percentiles, in the run of the cell that has the fewest. */
static void ios_cell(struct compose *x, struct doc_row *row, const struct cell_result *c)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < c->n_runs; i++) {
		uint64_t n = metric_main_latency(&x->b->runs[c->runs[i]])->count;

		least = n < least ? n : least;
	}
	if (c->n_runs && least)
		doc_cell(row, "%llu", (unsigned long long)least);
	else
		doc_cell(row, "%s", W(x, "none"));
}

static void latency_table(struct compose *x, uint32_t test)
{
	const struct metric *m = metric_find("mean");
	double divide;
	const char *unit = say_scale(m, largest(x, test, latency_of), &divide);
	mem_auto char *anchor = mem_printf("latency-%u", test + 1);
	mem_auto char *caption = wording_fill(x->w, "results.latency", "test", x->c->tests[test].name, "unit", unit, NULL);
	struct doc_table *t;
	char number[40];

	if (!(largest(x, test, latency_of) > 0))
		return;
	t = doc_table(x->d, anchor, "%s", caption);
	t->dense = true;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	static const char *const heads[] = { "p50", "p95", "p99", "p99.9", "p99.99" };
	doc_column(t, DOC_RIGHT, W(x, "results.ios"));
	doc_column(t, DOC_RIGHT, W(x, "results.mean"));
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		doc_column(t, DOC_RIGHT, heads[i]);
	doc_column(t, DOC_RIGHT, W(x, "results.max"));
	for (uint32_t i = 0; i < x->c->n_cells; i++) {
		const struct cell_result *c = &x->r->cells[i];
		struct doc_row *row;

		if (x->c->cells[i].test != test)
			continue;
		row = doc_row(t, x->c->cells[i].control ? DOC_ROW_MUTED : 0);
		doc_cell(row, "%s", x->c->cells[i].label);
		ios_cell(x, row, c);
		latency_cell(x, t, row, &c->mean, false, divide);
		latency_cell(x, t, row, &c->p50, c->few50, divide);
		latency_cell(x, t, row, &c->p95, c->few95, divide);
		latency_cell(x, t, row, &c->p99, c->few99, divide);
		latency_cell(x, t, row, &c->p999, c->few999, divide);
		latency_cell(x, t, row, &c->p9999, c->few9999, divide);
		if (c->max.n)
			num_sig(c->max.max / divide, 3, number);
		doc_cell(row, "%s", c->max.n ? number : "–");
	}
	doc_add(&t->note, "%s", W(x, "results.latency.note"));
}

/* ---- figures ---- */

static size_t cells_of(const struct compose *x, uint32_t test, uint32_t *out, size_t max)
{
	size_t n = 0;

	for (uint32_t i = 0; i < x->c->n_cells; i++) {
		if (x->c->cells[i].test != test)
			continue;
		if (n < max)
			out[n] = i;
		n++;
	}
	return n;
}

/* Hue says device: the test's first target is the item under test. */
static enum chart_style style_of(const struct compose *x, const uint32_t *cells, size_t i)
{
	uint32_t first = x->c->cells[cells[0]].target, target = x->c->cells[cells[i]].target;

	if (target == first)
		return x->c->cells[cells[i]].pass > 1 || x->c->cells[cells[i]].control ? CHART_VARIANT : CHART_SUBJECT;
	return target == first + 1 ? CHART_REFERENCE : CHART_OTHER;
}

static void dots_panel(struct compose *x, struct chart *chart, const uint32_t *cells, size_t i, double divide, const char *unit)
{
	const struct cell_result *c = &x->r->cells[cells[i]];
	uint32_t blocks = x->c->tests[x->c->cells[cells[i]].test].blocks;
	const struct metric *m = metric_find("throughput");
	mem_auto double *y = NULL;
	mem_auto char *value = NULL;

	for (size_t k = 0; k < c->n_runs; k++)
		if (x->b->runs[c->runs[k]].block > blocks)
			blocks = x->b->runs[c->runs[k]].block;
	y = mem_array(blocks ? blocks : 1, sizeof *y);
	for (uint32_t k = 0; k < blocks; k++)
		y[k] = NAN;
	for (size_t k = 0; k < c->n_runs; k++) {
		const struct kept_run *r = &x->b->runs[c->runs[k]];

		if (r->block)
			y[r->block - 1] = results_value(x->r, m, c->runs[k]) / divide;
	}
	char number[40];
	num_sig(c->throughput.n ? c->throughput.mean / divide : NAN, 3, number);
	value = mem_printf("%s %s", number, unit);
	chart_dots_add(chart, &(struct chart_dots_panel){ .label = x->c->cells[cells[i]].label, .value = value,
		.mean = c->throughput.n ? c->throughput.mean / divide : NAN,
		.lo = c->throughput.has_ci ? c->throughput.lo / divide : NAN,
		.hi = c->throughput.has_ci ? c->throughput.hi / divide : NAN, .y = y, .n = blocks,
		.style = style_of(x, cells, i) });
}

static void dots_figure(struct compose *x, uint32_t test, const uint32_t *cells, size_t n)
{
	double divide, spread = 0;
	const char *unit = say_scale(metric_find("throughput"), largest(x, test, throughput_of), &divide), *widest = "";
	mem_auto char *anchor = mem_printf("runs-%u", test + 1);
	struct chart *chart;
	char share[40];

	if (!(largest(x, test, throughput_of) > 0))
		return;
	chart = chart_dots_new(unit, W(x, "block"));
	for (size_t i = 0; i < n; i++) {
		const struct estimate *e = &x->r->cells[cells[i]].throughput;

		dots_panel(x, chart, cells, i, divide, unit);
		if (e->n > 1 && e->cv > spread) {
			spread = e->cv;
			widest = x->c->cells[cells[i]].label;
		}
	}
	say_percent(spread, share);
	mem_auto char *caption = wording_fill(x->w, spread > 0 ? "results.dots" : "results.dots.single", "share", share,
					      "cell", widest, NULL);
	struct doc_figure *f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "results.dots.note"));
	doc_figure_alt(f, "%s", caption);
}

static void latency_line(struct compose *x, struct chart *chart, const uint32_t *cells, size_t i)
{
	const struct cell_result *c = &x->r->cells[cells[i]];
	const struct estimate *e[] = { &c->p50, &c->p95, &c->p99, &c->p999 };
	const bool few[] = { c->few50, c->few95, c->few99, c->few999 };
	static const double at[] = { .5, .95, .99, .999 };
	double xs[4], ys[4], lo[4], hi[4];
	size_t n = 0;

	for (size_t k = 0; k < 4; k++) {
		if (!e[k]->n || few[k] || !(e[k]->geo > 0))
			continue;
		xs[n] = at[k];
		ys[n] = e[k]->geo / 1e6;
		lo[n] = e[k]->has_ci ? e[k]->geo_lo / 1e6 : NAN;
		hi[n] = e[k]->has_ci ? e[k]->geo_hi / 1e6 : NAN;
		n++;
	}
	chart_lines_add(chart, &(struct chart_line){ .label = x->c->cells[cells[i]].label, .x = xs, .y = ys, .lo = lo,
		.hi = hi, .n = n, .style = style_of(x, cells, i), .marks = true });
}

static void latency_figure(struct compose *x, uint32_t test, const uint32_t *cells, size_t n)
{
	mem_auto char *anchor = mem_printf("percentiles-%u", test + 1);
	struct chart_axis ax = { .title = W(x, "results.percentile.axis"), .scale = CHART_NINES };
	struct chart_axis ay = { .unit = "ms", .scale = CHART_LOG };
	struct chart *chart;
	size_t drawn = 0;

	for (size_t i = 0; i < n; i++)
		drawn += x->r->cells[cells[i]].p95.n && !x->r->cells[cells[i]].few95 && !x->c->cells[cells[i]].control;
	if (!drawn || drawn > CURVES)
		return;
	chart = chart_lines_new(&ax, &ay);
	for (size_t i = 0; i < n; i++)
		if (x->r->cells[cells[i]].p95.n && !x->r->cells[cells[i]].few95 && !x->c->cells[cells[i]].control)
			latency_line(x, chart, cells, i);
	mem_auto char *caption = wording_fill(x->w, "results.percentile", "test", x->c->tests[test].name, NULL);
	struct doc_figure *f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "results.percentile.note"));
	doc_figure_alt(f, "%s", caption);
}

/* ---- sweeps: one line a target over the first swept dimension that is a number ---- */

static double swept_number(const struct cell *c, const char *dim)
{
	for (size_t i = 0; i < c->n_sweep; i++) {
		double v;
		uint64_t bytes;

		if (strcmp(c->sweep[i].dim, dim) != 0)
			continue;
		if (json_is_number(c->sweep[i].value))
			return json_number_value(c->sweep[i].value);
		if (json_is_string(c->sweep[i].value) && !num_parse_bytes(json_string_value(c->sweep[i].value), &bytes, NULL))
			return (double)bytes;
		if (json_is_string(c->sweep[i].value) && !num_parse_real(json_string_value(c->sweep[i].value), &v, NULL))
			return v;
	}
	return NAN;
}

struct point {
	double x, y, lo, hi;
	const char *label;
};

static int compare_points(const void *a, const void *b)
{
	double x = ((const struct point *)a)->x, y = ((const struct point *)b)->x;

	return (x > y) - (x < y);
}

static size_t sweep_points(const struct compose *x, uint32_t test, uint32_t target, const char *dim, double divide,
			   struct point *p, size_t max)
{
	size_t n = 0;

	for (uint32_t i = 0; i < x->c->n_cells && n < max; i++) {
		const struct cell *c = &x->c->cells[i];
		const struct estimate *e = &x->r->cells[i].throughput;
		double at = swept_number(c, dim);

		if (c->test != test || c->target != target || c->control || c->pass > 1 || c->n_sweep != 1 || c->variant > 0 ||
		    c->workload != x->c->cells[0].workload || !isfinite(at) || !e->n || c->company != COMPANY_ALONE)
			continue;
		p[n++] = (struct point){ at, e->mean / divide, e->has_ci ? e->lo / divide : NAN,
					 e->has_ci ? e->hi / divide : NAN, c->sweep[0].text };
	}
	if (n)
		qsort(p, n, sizeof *p, compare_points);
	return n;
}

static void sweep_line(struct chart *chart, const char *label, const struct point *p, size_t n, enum chart_style style)
{
	double xs[64], ys[64], lo[64], hi[64];
	const char *words[64];

	for (size_t i = 0; i < n; i++) {
		xs[i] = p[i].x;
		ys[i] = p[i].y;
		lo[i] = p[i].lo;
		hi[i] = p[i].hi;
		words[i] = p[i].label;
	}
	chart_lines_add(chart, &(struct chart_line){ .label = label, .x = xs, .y = ys, .lo = lo, .hi = hi, .n = n,
		.style = style, .marks = true, .x_labels = words });
}

static void sweep_figure(struct compose *x, uint32_t test)
{
	const char *dim = NULL, *unit;
	struct point p[64];
	struct chart *chart = NULL;
	uint32_t lines = 0;
	double divide;

	for (uint32_t i = 0; i < x->c->n_cells && !dim; i++)
		if (x->c->cells[i].test == test && x->c->cells[i].n_sweep == 1)
			dim = x->c->cells[i].sweep[0].dim;
	if (!dim)
		return;
	unit = say_scale(metric_find("throughput"), largest(x, test, throughput_of), &divide);
	for (uint32_t target = 0; target < x->c->n_targets && lines < CURVES; target++) {
		size_t n = sweep_points(x, test, target, dim, divide, p, ARRAY_LEN(p));
		static const enum chart_style style[] = { CHART_SUBJECT, CHART_REFERENCE, CHART_OTHER, CHART_VARIANT };

		if (n < 2)
			continue;
		if (!chart)
			chart = chart_lines_new(&(struct chart_axis){ .title = wording_or(x->w, "dimension", dim), .scale = CHART_LOG2 },
						&(struct chart_axis){ .unit = unit, .scale = CHART_LINEAR });
		sweep_line(chart, x->c->targets[target].name, p, n, style[lines++]);
	}
	if (!chart)
		return;
	mem_auto char *anchor = mem_printf("sweep-%u", test + 1);
	mem_auto char *caption = wording_fill(x->w, "results.sweep", "dimension", wording_or(x->w, "dimension", dim), NULL);
	struct doc_figure *f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "results.sweep.note"));
	doc_figure_alt(f, "%s", caption);
}

void section_results(struct compose *x)
{
	doc_section(x->d, "results", W(x, "results.title"));
	for (uint32_t t = 0; t < x->c->n_tests; t++) {
		mem_auto char *anchor = mem_printf("results-%u", t + 1);
		uint32_t cells[PANELS];
		size_t n = cells_of(x, t, cells, PANELS);

		if (!n)
			continue;
		doc_subhead(x->d, 2, anchor, "%s", x->c->tests[t].name);
		throughput_table(x, t);
		if (n <= PANELS)
			dots_figure(x, t, cells, n);
		if (n <= PANELS)
			compose_series(x, t, cells, n);
		sweep_figure(x, t);
		compose_together(x, t);
		latency_table(x, t);
		if (n <= PANELS)
			latency_figure(x, t, cells, n);
	}
}
