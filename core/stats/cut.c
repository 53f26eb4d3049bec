/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "stats/steady.h"

#include <math.h>
#include <string.h>

/* Series that are kept between the passes over them; beyond it they are read again. */
#define KEPT_BYTES ((size_t)64 << 20)

/* The whole intervals of one run: the last one, which is seldom whole, is left out. */
struct rates {
	size_t n;
	double width;      /* ns */
	double *bytes, *ios;
};

struct cutter {
	struct judge *j;
	struct rates **kept; /* by run index; NULL: not kept. Made when a run has samples */
	size_t kept_bytes;
	struct iow_error *e;
};

static void rates_free(struct rates *s)
{
	if (!s)
		return;
	free(s->bytes);
	free(s->ios);
	free(s);
}

static struct rates *rates_of(const struct samples *in)
{
	size_t n = in->bytes.n, i;
	struct rates *s;

	if (n < 2)
		return NULL;
	s = mem_alloc(sizeof *s);
	s->n = n - 1;
	s->width = (double)in->width_ns;
	s->bytes = mem_array(s->n, sizeof *s->bytes);
	s->ios = mem_array(s->n, sizeof *s->ios);
	for (i = 0; i < s->n; i++) {
		s->bytes[i] = (double)in->bytes.v[i];
		s->ios[i] = (double)in->ios.v[i];
	}
	return s;
}

/* NULL: the run has none. `*kept` says whether the cutter owns it. A line that cannot be read is an
 * error: what the figures rest on is not there. */
static struct rates *rates_load(struct cutter *c, uint32_t run, bool *kept, int *bad)
{
	const struct kept_run *r = &c->j->b->runs[run];
	struct iow_error e = ERR_INIT;
	struct samples in;
	struct rates *s;
	int there;

	*kept = true;
	if (!r->samples_len || !c->j->b->dir)
		return NULL;
	if (!c->kept)
		c->kept = mem_array(c->j->b->n_runs + 1, sizeof *c->kept);
	if (c->kept[run])
		return c->kept[run];
	there = bundle_numbers(c->j->b, r, &in, &e);
	if (there < 0)
		*bad = err_set(c->e, e.err, "%s", e.text);
	if (there < 1)
		return NULL;
	s = rates_of(&in);
	samples_release(&in);
	*kept = s && c->kept_bytes < KEPT_BYTES;
	if (*kept) {
		c->kept[run] = s;
		c->kept_bytes += 2 * s->n * sizeof *s->bytes;
	}
	return s;
}

/* Sum of the first t ns, linear within an interval. */
static double sum_until(const struct rates *s, const double *x, double t)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n && t > 0; i++, t -= s->width)
		sum += x[i] * fmin(1, t / s->width);
	return sum;
}

/* Bytes in each of `n` intervals of `width` from `from` on. */
static void resample(const struct rates *s, double from, double width, size_t n, double *out)
{
	size_t i, k = 0;

	if (width == s->width && fmod(from, width) == 0) {
		size_t skip = (size_t)(from / width);

		for (i = 0; i < n; i++)
			out[i] = i + skip < s->n ? s->bytes[i + skip] : 0;
		return;
	}
	for (i = 0; i < n; i++) {
		double a = from + (double)i * width, b = a + width;

		out[i] = 0;
		while (k > 0 && (double)k * s->width > a)
			k--;
		for (; k < s->n && (double)k * s->width < b; k++) {
			double lo = fmax(a, (double)k * s->width), hi = fmin(b, (double)(k + 1) * s->width);

			if (hi > lo)
				out[i] += s->bytes[k] * (hi - lo) / s->width;
		}
	}
}

/* All ok runs of a test. Rates of a together step are over its common window and are not cut again;
 * then nothing of that test is, so that alone and together stay comparable: *n is 0. */
static uint32_t *runs_of_test(const struct judge *j, uint32_t test, size_t *n)
{
	const struct cells *c = &j->b->cells;
	uint32_t *runs = NULL, k;
	size_t i;

	*n = 0;
	if (c->tests[test].mode != MODE_EACH)
		return NULL;
	for (i = 0; i < c->n_cells; i++)
		for (k = j->first[i]; c->cells[i].test == test && k < j->first[i + 1]; k++)
			if (j->b->runs[j->order[k]].status == RUN_OK)
				*VEC_ADD(runs, *n) = j->order[k];
	return runs;
}

/* Width of the widest intervals and the time that all runs have whole; false: one has no intervals. */
static bool common_time(struct cutter *c, const uint32_t *runs, size_t n, double *width, double *time, int *bad)
{
	size_t i;

	*width = 0;
	*time = INFINITY;
	for (i = 0; i < n; i++) {
		bool kept;
		struct rates *s = rates_load(c, runs[i], &kept, bad);

		if (!s)
			return false;
		*width = fmax(*width, s->width);
		*time = fmin(*time, (double)s->n * s->width);
		if (!kept)
			rates_free(s);
	}
	return n > 0;
}

/* MSER-5 on the series averaged over all runs, each relative to its own mean. */
static double mser_cut(struct cutter *c, const uint32_t *runs, size_t n, double width, size_t len, int *bad)
{
	mem_auto double *sum = mem_array(len, sizeof *sum), *x = mem_array(len, sizeof *x);
	size_t i, k;

	for (i = 0; i < n; i++) {
		bool kept;
		struct rates *s = rates_load(c, runs[i], &kept, bad);
		double mean = 0;

		if (!s)
			return 0;
		resample(s, 0, width, len, x);
		for (k = 0; k < len; k++)
			mean += x[k] / (double)len;
		for (k = 0; mean > 0 && k < len; k++)
			sum[k] += x[k] / mean;
		if (!kept)
			rates_free(s);
	}
	return (double)steady_mser5(sum, len, NULL) * width;
}

static uint64_t less(uint64_t whole, double part)
{
	return part < (double)whole ? whole - (uint64_t)llround(part) : 0;
}

static void apply_cut(struct cutter *c, const uint32_t *runs, size_t n, double cut, int *bad)
{
	struct judge *j = c->j;
	size_t i;

	if (!j->r->retained)
		j->r->retained = mem_array(j->b->n_runs + 1, sizeof *j->r->retained);
	for (i = 0; i < n; i++) {
		const struct kept_run *r = &j->b->runs[runs[i]];
		bool kept;
		struct rates *s = rates_load(c, runs[i], &kept, bad);

		if (!s)
			return;
		j->r->retained[runs[i]] = (struct retained){
			.bytes = less(r->bytes, sum_until(s, s->bytes, cut)),
			.ios = less(r->ios, sum_until(s, s->ios, cut)),
			.ns = r->wall_ns - (int64_t)cut,
		};
		if (!kept)
			rates_free(s);
	}
}

/* The plan's warm-up, as far as the runs did not leave it out themselves. */
static double plan_cut(const struct judge *j, uint32_t test, const uint32_t *runs, size_t n)
{
	int64_t own = j->b->cells.tests[test].warmup_ns, done = INT64_MAX;
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t w = j->b->cells.cells[j->b->runs[runs[i]].cell].spec.warmup_ns;

		done = w < done ? w : done;
	}
	return n && own > done ? (double)(own - done) : 0;
}

static int cut_test(struct cutter *c, uint32_t test)
{
	struct judge *j = c->j;
	size_t n;
	mem_auto uint32_t *runs = runs_of_test(j, test, &n);
	double width, time, cut;
	bool mser;
	int bad = 0;

	/* Passes are compared whole. */
	if (j->b->cells.tests[test].passes > 1 || !common_time(c, runs, n, &width, &time, &bad))
		return bad;
	mser = time / width >= STEADY_LEAST_INTERVALS;
	cut = mser ? mser_cut(c, runs, n, width, (size_t)(time / width), &bad) : plan_cut(j, test, runs, n);
	if (!(cut > 0) || cut >= time || bad)
		return bad;
	apply_cut(c, runs, n, cut, &bad);
	j->test_cut_ns[test] = (int64_t)cut;
	j->test_cut_mser[test] = mser;
	return bad;
}

/* ---- steadiness ---- */

static void fill_steady(struct cell_result *r, const double *e, size_t n)
{
	struct steadiness s;

	r->steadiness = VERDICT_NOT_APPLICABLE;
	r->steady = r->steady_lo90 = r->steady_hi90 = r->steady_lo95 = r->steady_hi95 = NAN;
	r->n_steady = (uint32_t)n;
	if (!n)
		return;
	steady_judge(&s, e, n);
	r->steady = s.e.mean;
	r->steady_lo90 = s.ci90.lo;
	r->steady_hi90 = s.ci90.hi;
	r->steady_lo95 = s.ci95.lo;
	r->steady_hi95 = s.ci95.hi;
	r->steadiness = s.state == STEADY_HOLDS ? VERDICT_STEADY
		: s.state == STEADY_FAILS ? VERDICT_NOT_STEADY : VERDICT_NOT_DECIDABLE;
}

static void fill_snia(const struct judge *j, struct cell_result *r)
{
	mem_auto double *x = mem_array(r->n_runs + 1, sizeof *x);
	struct steady_snia w;

	steady_snia_window(&w, x, judge_cell_values(j, r->cell, metric_find("throughput"), x, NULL, NULL));
	r->snia = w.is_judged && w.holds;
	r->snia_range = w.is_judged ? w.range : NAN;
	r->snia_excursion = w.is_judged ? w.excursion : NAN;
}

static void steady_cell(struct cutter *c, struct cell_result *r, int *bad)
{
	mem_auto double *e = mem_array(r->n_runs + 1, sizeof *e);
	double cut = c->j->test_cut_ns ? (double)c->j->test_cut_ns[c->j->b->cells.cells[r->cell].test] : 0;
	size_t i, n = 0;

	for (i = 0; i < r->n_runs; i++) {
		bool kept;
		struct rates *s = rates_load(c, r->runs[i], &kept, bad);
		size_t skip;

		if (!s)
			continue;
		skip = (size_t)ceil(cut / s->width);
		e[n] = skip < s->n ? steady_slope(s->bytes + skip, s->n - skip) : NAN;
		n += !isnan(e[n]);
		if (!kept)
			rates_free(s);
	}
	fill_steady(r, e, n);
	fill_snia(c->j, r);
}

int judge_cut(struct judge *j, struct iow_error *e)
{
	struct cutter c = { .j = j, .e = e };
	size_t i;
	int bad = 0;

	j->test_cut_ns = mem_array(j->b->cells.n_tests + 1, sizeof *j->test_cut_ns);
	j->test_cut_mser = mem_array(j->b->cells.n_tests + 1, sizeof *j->test_cut_mser);
	for (i = 0; !bad && i < j->b->cells.n_tests; i++)
		bad = cut_test(&c, (uint32_t)i);
	judge_cells(j);
	for (i = 0; !bad && i < j->r->n_cells; i++)
		steady_cell(&c, &j->r->cells[i], &bad);
	for (i = 0; c.kept && i < j->b->n_runs; i++)
		rates_free(c.kept[i]);
	free(c.kept);
	return bad;
}
