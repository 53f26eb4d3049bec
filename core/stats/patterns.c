/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "stats/cliff.h"
#include "stats/modes.h"
#include "stats/order.h"
#include "stats/peaks.h"
#include "stats/power.h"
#include "stats/stall.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

#define PATTERN_RUNS 32      /* of a cell, at most */
#define STALL_RUN_NS 29e9    /* a run of 30 s whose last interval is not whole */
#define CLIFF_RUN_NS 9.5e9
#define BIN_NS 100e6         /* narrower intervals are put together … */
#define BIN_IOS 16           /* … as are those with fewer I/Os: a count of three is no rate */
#define SPREAD_BINS 100
#define ALIKE 1.1
#define SURE 3 /* modes of runs: .01 / 3 over all cells; order effects and drift have the other two thirds */

/* Rates of one run: work per interval, all whole. */
struct series {
	double *x;
	size_t n;
	double width; /* ns */
	double ios;   /* mean per interval */
};

/* What the runs of one cell gave. */
struct found {
	size_t n_stall, n_cliff, n_peaks, n_spread;
	double stall_period[PATTERN_RUNS], stall_length[PATTERN_RUNS], stall_lost[PATTERN_RUNS];
	size_t stall_events[PATTERN_RUNS];
	double at_bytes[PATTERN_RUNS], at_ns[PATTERN_RUNS], before[PATTERN_RUNS], after[PATTERN_RUNS];
	double fast[PATTERN_RUNS], slow[PATTERN_RUNS], share[PATTERN_RUNS];
	double spread[PATTERN_RUNS];
};

static void series_load(struct series *s, const struct samples *in, bool by_bytes)
{
	const struct sample_numbers *a = by_bytes ? &in->bytes : &in->ios;

	memset(s, 0, sizeof *s);
	s->width = (double)in->width_ns;
	if (a->n < 2)
		return;
	s->n = a->n - 1;
	s->x = mem_array(a->n, sizeof *s->x);
	for (size_t i = 0; i < s->n; i++)
		s->x[i] = (double)a->v[i];
	for (size_t i = 0; i < a->n; i++)
		s->ios += (double)in->ios.v[i] / (double)a->n;
}

/* `by` intervals each; what is left at the end is dropped. Returns the number of bins. */
static size_t rebin(const struct series *s, size_t skip, size_t by, double *out)
{
	size_t n = s->n > skip ? (s->n - skip) / by : 0;

	for (size_t i = 0; i < n; i++) {
		out[i] = 0;
		for (size_t k = 0; k < by; k++)
			out[i] += s->x[skip + i * by + k];
	}
	return n;
}

static void look_for_stalls(struct cell_result *c, const struct series *s, struct found *f)
{
	double by = fmax(ceil(BIN_NS / s->width), s->ios > 0 ? ceil(BIN_IOS / s->ios) : 1);
	mem_auto double *x = mem_array(s->n + 1, sizeof *x);
	struct stall stall;

	if ((double)s->n * s->width < STALL_RUN_NS || by > (double)s->n)
		return;
	c->stall.n++;
	stall_find(&stall, x, rebin(s, (size_t)ceil((double)c->cut_ns / s->width), (size_t)by, x));
	if (!stall.is_periodic)
		return;
	f->stall_period[f->n_stall] = stall.period * by * s->width;
	f->stall_length[f->n_stall] = stall.length * by * s->width;
	f->stall_lost[f->n_stall] = stall.lost;
	f->stall_events[f->n_stall++] = stall.events;
}

static void look_for_cliff(struct cell_result *c, const struct series *s, struct found *f)
{
	size_t by = (s->n + 99) / 100, i;
	mem_auto double *x = mem_array(s->n + 1, sizeof *x);
	struct cliff cliff;
	double sum = 0;

	if ((double)s->n * s->width < CLIFF_RUN_NS)
		return;
	c->cliff.n++;
	cliff_find(&cliff, x, rebin(s, 0, by, x));
	if (!cliff.is_found)
		return;
	for (i = 0; i < cliff.at; i++)
		sum += x[i];
	f->at_bytes[f->n_cliff] = sum;
	f->at_ns[f->n_cliff] = (double)(cliff.at * by) * s->width;
	f->before[f->n_cliff] = cliff.before / ((double)by * s->width) * 1e9;
	f->after[f->n_cliff++] = cliff.after / ((double)by * s->width) * 1e9;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure_spread(const struct cell_result *c, const struct series *s, struct found *f)
{
	mem_auto double *x = mem_array(s->n + 1, sizeof *x);
	size_t skip = (size_t)ceil((double)c->cut_ns / s->width), by, n;

	by = s->n > skip ? (s->n - skip + SPREAD_BINS - 1) / SPREAD_BINS : 1;
	n = rebin(s, skip, by, x);
	if (n < 20)
		return;
	qsort(x, n, sizeof *x, ascending);
	if (x[n / 2] > 0)
		f->spread[f->n_spread++] = (x[n - 1 - n / 20] - x[n / 20]) / x[n / 2];
}

static void look_for_peaks(struct cell_result *c, const struct kept_run *r, const struct samples *in, struct found *f)
{
	size_t class = (size_t)(metric_main_latency(r) - r->lat);
	const struct sample_numbers *at = &in->hist[class].index, *counts = &in->hist[class].count;
	size_t n = at->n;
	mem_auto uint32_t *index = mem_array(n + 1, sizeof *index);
	mem_auto uint64_t *count = mem_array(n + 1, sizeof *count);
	struct peaks p;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		index[i] = (uint32_t)at->v[i];
		count[i] = (uint64_t)counts->v[i];
	}
	c->peaks.n++;
	peaks_find(&p, index, count, n);
	if (!p.is_found)
		return;
	f->fast[f->n_peaks] = p.fast;
	f->slow[f->n_peaks] = p.slow;
	f->share[f->n_peaks++] = p.slow_share;
}

/* The samples were read before, for steadiness: one that cannot be read now has nothing to say. */
static void look_at_run(const struct judge *j, struct cell_result *c, uint32_t run, struct found *f)
{
	const struct kept_run *r = &j->b->runs[run];
	uint32_t op = j->b->cells.cells[c->cell].spec.op;
	struct iow_error e = ERR_INIT;
	struct samples in;
	struct series s;

	if (!r->samples_len || !j->b->dir || bundle_numbers(j->b, r, &in, &e) < 1)
		return;
	series_load(&s, &in, r->bytes > 0);
	if (s.n) {
		look_for_stalls(c, &s, f);
		measure_spread(c, &s, f);
		if (op == WORKLOAD_WRITE || op == WORKLOAD_MIXED)
			look_for_cliff(c, &s, f);
	}
	look_for_peaks(c, r, &in, f);
	free(s.x);
	samples_release(&in);
}

static double middle(const double *x, size_t n)
{
	double copy[PATTERN_RUNS];

	memcpy(copy, x, n * sizeof *x);
	return summary_median(copy, n);
}

static void keep_stalls(struct cell_stall *s, const struct found *f)
{
	double length[PATTERN_RUNS], lost[PATTERN_RUNS];

	s->period_ns = middle(f->stall_period, f->n_stall);
	s->length_ns = s->lost = NAN;
	for (size_t i = 0; i < f->n_stall; i++) {
		double q = f->stall_period[i] / s->period_ns;

		if (q > ALIKE || q < 1 / ALIKE)
			continue;
		length[s->found] = f->stall_length[i];
		lost[s->found++] = f->stall_lost[i];
		s->events += (uint32_t)f->stall_events[i];
	}
	if (s->found) {
		s->length_ns = summary_median(length, s->found);
		s->lost = summary_median(lost, s->found);
	}
}

static void keep_peaks(struct cell_peaks *p, const struct found *f)
{
	double fast = middle(f->fast, f->n_peaks), slow = middle(f->slow, f->n_peaks);

	p->fast_ns = fast;
	p->slow_ns = slow;
	p->slow_share = middle(f->share, f->n_peaks);
	for (size_t i = 0; i < f->n_peaks; i++)
		p->found += fabs(log(f->fast[i] / fast)) < log(1.5) && fabs(log(f->slow[i] / slow)) < log(1.5);
}

static void look_at_cell(const struct judge *j, struct cell_result *c)
{
	size_t n = c->n_runs < PATTERN_RUNS ? c->n_runs : PATTERN_RUNS;
	struct found f = { 0 };

	for (size_t i = 0; i < n; i++)
		look_at_run(j, c, c->runs[i * c->n_runs / n], &f);
	keep_stalls(&c->stall, &f);
	c->cliff.found = (uint32_t)f.n_cliff;
	c->cliff.at_bytes = middle(f.at_bytes, f.n_cliff);
	c->cliff.at_ns = middle(f.at_ns, f.n_cliff);
	c->cliff.before = middle(f.before, f.n_cliff);
	c->cliff.after = middle(f.after, f.n_cliff);
	keep_peaks(&c->peaks, &f);
	c->spread = middle(f.spread, f.n_spread);
}

static void count_device_ops(const struct judge *j, struct cell_result *c)
{
	c->device_ops = NAN;
	for (size_t i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];

		/* The devices count the whole run, `ios` of runs together only their common window. */
		double whole = r->read_bytes + r->write_bytes && r->bytes
				       ? (double)(r->read_bytes + r->write_bytes) / (double)r->bytes : 1;

		if (r->dev_known && r->ios)
			c->device_ops = fmin(c->device_ops,
					     (double)(r->dev_reads + r->dev_writes) / ((double)r->ios * whole));
	}
}

/* ---- over blocks ---- */

/* Adds ln throughput of one cell, less its mean, to the block that each run is of. */
static void add_cell(const struct judge *j, uint32_t cell, double *sum, uint32_t *count, uint32_t blocks)
{
	size_t most = j->r->cells[cell].n_runs;
	mem_auto double *x = mem_array(most + 1, sizeof *x);
	mem_auto uint32_t *runs = mem_array(most + 1, sizeof *runs);
	size_t n = judge_cell_values(j, cell, metric_find("throughput"), x, runs, NULL);
	double mean = 0;

	if (n < 2 || summary_logs(x, x, n) < 0)
		return;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		uint32_t b = j->b->runs[runs[i]].block;

		if (b > blocks)
			continue;
		sum[b] += x[i] - mean;
		count[b]++;
	}
}

static void test_trend(const struct judge *j, struct test_result *t)
{
	uint32_t blocks = 0, i;
	mem_auto double *sum = NULL, *at = NULL;
	mem_auto uint32_t *count = NULL;
	struct order_line line;

	for (i = 0; i < j->r->n_cells; i++) {
		uint32_t end = j->first[i + 1];

		if (j->b->cells.cells[i].test == t->test && end > j->first[i] && j->b->runs[j->order[end - 1]].block > blocks)
			blocks = j->b->runs[j->order[end - 1]].block;
	}
	sum = mem_array((size_t)blocks + 2, sizeof *sum);
	at = mem_array((size_t)blocks + 2, sizeof *at);
	count = mem_array((size_t)blocks + 2, sizeof *count);
	for (i = 0; i < j->r->n_cells; i++)
		if (j->b->cells.cells[i].test == t->test)
			add_cell(j, i, sum, count, blocks);
	for (i = 1; i <= blocks; i++) {
		if (!count[i])
			continue;
		sum[t->n] = sum[i] / count[i];
		at[t->n++] = i;
	}
	t->trend = t->trend_p = t->change = NAN;
	order_fit(&line, at, sum, t->n);
	if (!(line.slope.df > 0))
		return;
	t->trend = line.slope.mean;
	t->trend_p = fabs(t->trend) < 1e-13 ? 1 : inference_p(&line.slope, 0);
	t->change = expm1(t->trend * (at[t->n - 1] - at[0]));
}

static void find_sure_modes(struct results *r)
{
	size_t judged = 0;

	for (size_t i = 0; i < r->n_cells; i++)
		judged += isfinite(r->cells[i].gap);
	for (size_t i = 0; i < r->n_cells; i++) {
		struct cell_result *c = &r->cells[i];

		c->gap_sure = isfinite(c->gap) ? modes_threshold(c->n_lo + c->n_hi, SURE * judged) : NAN;
	}
}

/* Never from the campaign itself: its own spread is part of what is judged. */
static double smallest_effect(const struct judge *j, const struct plan_test *t)
{
	return t->sd > 0 ? expm1(power_smallest(t->blocks, .05 / j->r->family) * t->sd) : NAN;
}

static void note_dim(struct test_result *t, const struct sweep_value *s)
{
	size_t i = 0;

	while (i < t->n_dims && strcmp(t->dims[i].dim, s->dim) != 0)
		i++;
	if (i == t->n_dims)
		*VEC_ADD(t->dims, t->n_dims) = (struct test_dim){ s->dim, s->text, false };
	else if (strcmp(t->dims[i].text, s->text) != 0)
		t->dims[i].differs = true;
}

/* In what the cells of each test differ. */
static void find_differences(struct results *r)
{
	const struct cells *c = &r->bundle->cells;

	for (size_t i = 0; i < r->n_tests; i++)
		r->tests[i].workload = UINT32_MAX;
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cell *cell = &c->cells[i];
		struct test_result *t = &r->tests[cell->test];

		if (t->workload == UINT32_MAX)
			t->workload = cell->workload;
		t->workloads_differ |= t->workload != cell->workload;
		for (size_t k = 0; k < cell->n_sweep; k++)
			note_dim(t, &cell->sweep[k]);
	}
}

void judge_patterns(struct judge *j)
{
	struct results *r = j->r;

	find_sure_modes(r);
	for (size_t i = 0; i < r->n_cells; i++) {
		look_at_cell(j, &r->cells[i]);
		count_device_ops(j, &r->cells[i]);
	}
	r->n_tests = j->b->cells.n_tests;
	r->tests = mem_array(r->n_tests + 1, sizeof *r->tests);
	for (uint32_t i = 0; i < r->n_tests; i++) {
		r->tests[i].test = i;
		test_trend(j, &r->tests[i]);
		r->tests[i].smallest = smallest_effect(j, &j->b->cells.tests[i]);
	}
	find_differences(r);
}
