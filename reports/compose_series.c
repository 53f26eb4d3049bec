/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/chart.h"
#include "reports/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Throughput over time from the interval samples, and steadiness. */

#define SERIES_CELLS 4
#define SERIES_STEPS 120 /* points of a line: more cannot be seen */
#define SERIES_LEAST 10

struct series_line {
	double x[SERIES_STEPS], y[SERIES_STEPS];
	size_t n;
};

/* One run's throughput in at most SERIES_STEPS equal steps, x in s, y in B/s. False: too short. */
static bool load(const struct compose *x, const struct kept_run *r, struct series_line *l)
{
	struct iow_error e = ERR_INIT;
	struct samples in;
	double width, start;
	size_t n, group;

	if (bundle_numbers(x->b, r, &in, &e) < 1)
		return false;
	n = in.bytes.n;
	group = n / SERIES_STEPS + (n % SERIES_STEPS != 0);
	width = (double)in.width_ns / 1e9;
	start = (double)in.start_ns / 1e9;
	l->n = 0;
	/* The last interval is cut short by the end of the run: left out. */
	for (size_t i = 0; n >= SERIES_LEAST && width > 0 && i + group < n && l->n < SERIES_STEPS; i += group) {
		double sum = 0;

		for (size_t k = 0; k < group; k++)
			sum += (double)in.bytes.v[i + k];
		l->x[l->n] = start + width * ((double)i + (double)group / 2);
		l->y[l->n++] = sum / (width * (double)group);
	}
	samples_release(&in);
	return l->n >= SERIES_LEAST;
}

static size_t add_cell(struct compose *x, struct chart *chart, uint32_t cell, double divide, enum chart_style style)
{
	const struct cell_result *c = &x->r->cells[cell];
	struct series_line l, mean = { .n = SERIES_STEPS };
	size_t used = 0;

	for (size_t k = 0; k < c->n_runs; k++) {
		if (!load(x, &x->b->runs[c->runs[k]], &l))
			continue;
		for (size_t i = 0; i < l.n; i++) {
			l.y[i] /= divide;
			mean.y[i] = used ? mean.y[i] + l.y[i] : l.y[i];
			mean.x[i] = l.x[i];
		}
		mean.n = l.n < mean.n ? l.n : mean.n;
		used++;
		chart_lines_add(chart, &(struct chart_line){ .x = l.x, .y = l.y, .n = l.n, .style = style, .thin = true });
	}
	for (size_t i = 0; used && i < mean.n; i++)
		mean.y[i] /= (double)used;
	if (used)
		chart_lines_add(chart, &(struct chart_line){ .label = x->c->cells[cell].label, .x = mean.x, .y = mean.y,
			.n = mean.n, .style = style });
	return used;
}

void compose_series(struct compose *x, uint32_t test, const uint32_t *cells, size_t n)
{
	static const enum chart_style style[] = { CHART_SUBJECT, CHART_REFERENCE, CHART_OTHER, CHART_VARIANT };
	double divide, largest = 0;
	struct chart *chart;
	size_t shown = 0, runs = 0;
	int64_t cut = 0;

	for (size_t i = 0; i < n; i++) {
		const struct estimate *e = &x->r->cells[cells[i]].throughput;

		largest = e->n && e->mean > largest ? e->mean : largest;
	}
	const char *unit = say_scale(metric_find("throughput"), largest, &divide);
	chart = chart_lines_new(&(struct chart_axis){ .unit = "s", .scale = CHART_LINEAR },
				&(struct chart_axis){ .unit = unit, .scale = CHART_LINEAR });
	for (size_t i = 0; i < n && shown < SERIES_CELLS; i++) {
		size_t used = x->c->cells[cells[i]].control ? 0 : add_cell(x, chart, cells[i], divide, style[shown]);

		runs += used;
		shown += used > 0;
		if (x->r->cells[cells[i]].cut_ns > cut)
			cut = x->r->cells[cells[i]].cut_ns;
	}
	if (!shown) {
		chart_free(chart);
		return;
	}
	if (cut) {
		char time[40];

		num_time(cut, time);
		mem_auto char *label = wording_fill(x->w, "series.cut", "time", time, NULL);
		chart_lines_cut(chart, (double)cut / 1e9, label);
	}
	mem_auto char *anchor = mem_printf("series-%u", test + 1), *count = wording_count(x->w, "runs", runs);
	mem_auto char *caption = wording_fill(x->w, "series.caption", "test", x->c->tests[test].name, "runs", count, NULL);
	struct doc_figure *f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "series.note"));
	doc_figure_alt(f, "%s", caption);
}

#define STEADY_ROWS 24

static const char *steady_word(const struct compose *x, const struct cell_result *c)
{
	return W(x, c->steadiness == VERDICT_STEADY ? "verdict.STEADY"
		    : c->steadiness == VERDICT_NOT_STEADY ? "verdict.NOT STEADY" : "verdict.NOT DECIDABLE");
}

static bool steady_judged(const struct compose *x, const struct cell_result *c, uint32_t test)
{
	return x->c->cells[c->cell].test == test && c->n_steady >= 2 && isfinite(c->steady);
}

/* The pooled test with the window of SNIA beside it. */
static void steady_table(struct compose *x, uint32_t test)
{
	mem_auto char *anchor = mem_printf("steady-table-%u", test + 1);
	mem_auto char *caption = wording_fill(x->w, "steady.table", "test", x->c->tests[test].name, NULL);
	struct doc_table *t = doc_table(x->d, anchor, "%s", caption);

	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_RIGHT, W(x, "steady.slope"));
	doc_column(t, DOC_RIGHT, W(x, "steady.interval"));
	doc_column(t, DOC_LEFT, W(x, "steady.verdict"));
	doc_column(t, DOC_RIGHT, W(x, "steady.snia.range"));
	doc_column(t, DOC_RIGHT, W(x, "steady.snia.excursion"));
	doc_column(t, DOC_LEFT, W(x, "steady.snia"));
	for (size_t i = 0; i < x->r->n_cells; i++) {
		const struct cell_result *c = &x->r->cells[i];
		char slope[48], lo[48], hi[48], range[40] = "–", excursion[40] = "–";
		struct doc_row *row;

		if (!steady_judged(x, c, test))
			continue;
		say_signed_percent(c->steady, slope);
		say_signed_percent(c->steady_lo90, lo);
		say_signed_percent(c->steady_hi90, hi);
		if (isfinite(c->snia_range)) {
			say_percent(c->snia_range, range);
			say_percent(c->snia_excursion, excursion);
		}
		mem_auto char *interval = wording_fill(x->w, "region.between", "low", lo, "high", hi, NULL);
		row = doc_row(t, 0);
		doc_cell(row, "%s", x->c->cells[i].label);
		doc_cell(row, "%s", slope);
		doc_cell(row, "%s", interval);
		doc_cell(row, "%s", steady_word(x, c));
		doc_cell(row, "%s", range);
		doc_cell(row, "%s", excursion);
		doc_cell(row, "%s", isfinite(c->snia_range) ? W(x, c->snia ? "steady.snia.holds" : "steady.snia.fails") : "–");
	}
	doc_add(&t->note, "%s", W(x, "steady.snia.note"));
}

void compose_steady(struct compose *x, uint32_t test)
{
	struct chart *chart = NULL;
	unsigned steady = 0, judged = 0;

	for (size_t i = 0; i < x->r->n_cells; i++) {
		const struct cell_result *c = &x->r->cells[i];
		bool ok = c->steadiness == VERDICT_STEADY;

		if (!steady_judged(x, c, test))
			continue;
		if (!chart)
			chart = chart_steady_new(.05, W(x, "steady.limit"));
		chart_steady_add(chart, &(struct chart_steady_row){ .label = x->c->cells[i].label, .slope = c->steady,
			.lo = c->steady_lo90, .hi = c->steady_hi90, .steady = ok,
			.word = steady_word(x, c) });
		judged++;
		steady += ok;
	}
	if (!chart)
		return;
	if (judged > STEADY_ROWS) {
		chart_free(chart);
		return;
	}
	mem_auto char *anchor = mem_printf("steady-%u", test + 1), *a = mem_printf("%u", steady), *b = mem_printf("%u", judged);
	mem_auto char *caption = wording_fill(x->w, "steady.caption", "steady", a, "n", b, "test", x->c->tests[test].name, NULL);
	struct doc_figure *f = doc_figure(x->d, anchor, chart, "%s", caption);
	doc_add(&f->note, "%s", W(x, "steady.note"));
	doc_figure_alt(f, "%s", caption);
	steady_table(x, test);
}
