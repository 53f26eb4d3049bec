/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/vec.h"
#include "stats/interval.h"
#include "stats/modes.h"
#include "stats/order.h"
#include "stats/percentile.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

void estimate_fill(struct estimate *e, const double *x, size_t n)
{
	struct inference plain, logs;
	struct interval ci;
	struct summary s;

	*e = (struct estimate){ .mean = NAN, .lo = NAN, .hi = NAN, .geo = NAN, .geo_lo = NAN,
				.geo_hi = NAN, .sd = NAN, .cv = NAN, .min = NAN, .max = NAN };
	e->n = (uint32_t)n;
	if (!n)
		return;
	summary_of(&s, x, n);
	inference_mean(&plain, x, n);
	e->mean = s.mean;
	e->min = s.min;
	e->max = s.max;
	if (inference_log_mean(&logs, x, n) == 0)
		e->geo = exp(logs.mean);
	if (n < 2)
		return;
	e->has_ci = true;
	e->sd = summary_sd(&s);
	e->cv = summary_cv(&s);
	ci = inference_interval(&plain, 0.05);
	e->lo = ci.lo;
	e->hi = ci.hi;
	if (!isfinite(e->geo))
		return;
	ci = interval_exp(inference_interval(&logs, 0.05));
	e->geo_lo = ci.lo;
	e->geo_hi = ci.hi;
}

size_t judge_cell_values(const struct judge *j, uint32_t cell, const struct metric *m, double *x,
			 uint32_t *runs, bool *too_few)
{
	const struct cell_result *c = &j->r->cells[cell];
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		double v = judge_value(j, m, c->runs[i], true, too_few);

		if (isnan(v))
			continue;
		if (runs)
			runs[n] = c->runs[i];
		x[n++] = v;
	}
	return n;
}

static void fill_metric(const struct judge *j, uint32_t cell, const char *name, struct estimate *e,
			bool *few, double *x)
{
	estimate_fill(e, x, judge_cell_values(j, cell, metric_find(name), x, NULL, few));
}

/* A percentile: ln q of each run, t over runs, and both intervals widened by the bucket. Whether there
 * are I/Os enough each run's value says. */
static void fill_quantile(const struct judge *j, uint32_t cell, const char *name, struct estimate *e, bool *few,
			  double *x)
{
	const struct metric *m = metric_find(name);
	size_t n = judge_cell_values(j, cell, m, x, NULL, few), i;
	mem_auto int64_t *q = mem_array(n + 1, sizeof *q);
	mem_auto uint64_t *count = mem_array(n + 1, sizeof *count);
	struct percentile p;

	estimate_fill(e, x, n);
	for (i = 0; i < n; i++)
		q[i] = llround(x[i]);
	if (n < 2 || percentile_over_runs(&p, q, count, n, (uint32_t)lround(m->quantile * 1e6)) < 0)
		return;
	e->geo_lo = p.ci95.lo;
	e->geo_hi = p.ci95.hi;
	e->lo /= 1 + PERCENTILE_BUCKET;
	e->hi *= 1 + PERCENTILE_BUCKET;
}

static void fill_max(const struct judge *j, struct cell_result *c, double *x)
{
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		const struct latency *l = metric_main_latency(&j->b->runs[c->runs[i]]);

		if (l->count && l->max > 0)
			x[n++] = (double)l->max;
	}
	estimate_fill(&c->max, x, n);
}

size_t judge_busy_shares(const struct judge *j, const struct cell_result *c, double *x)
{
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];

		if (r->busy_cpu_ns >= 0 && r->busy_wait_ns >= 0 && r->wall_ns > 0)
			x[n++] = ((double)r->busy_cpu_ns + (double)r->busy_wait_ns) / (double)r->wall_ns;
	}
	return n;
}

static void fill_processor(const struct judge *j, struct cell_result *c, double *x)
{
	double wait = 0, wall = 0;
	size_t i;

	estimate_fill(&c->busy_share, x, judge_busy_shares(j, c, x));
	for (i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];

		if (r->busy_wait_ns < 0 || r->wall_ns <= 0)
			continue;
		wait += (double)r->busy_wait_ns;
		wall += (double)r->wall_ns;
	}
	c->wait_share = wall > 0 ? wait / wall : NAN;
}

/* Kernel threads work for a run too (loop, dm-crypt): what the whole machine did beside it. */
static void fill_machine(const struct judge *j, struct cell_result *c)
{
	double busy = 0, wall = 0;
	size_t i;

	for (i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];

		if (r->machine_cpu_ns < 0 || r->wall_ns <= 0)
			continue;
		busy += (double)r->machine_cpu_ns;
		wall += (double)r->wall_ns;
	}
	c->machine_busy = wall > 0 ? busy / wall : NAN;
}

/* METHODS (a): the clock of a run is off by at most the disagreement that was read, all of it equally
 * likely (GUM 4.3.7), which runs share; it cancels in a ratio. */
static void fill_instrument(const struct judge *j, struct cell_result *c)
{
	const struct estimate *e = &c->throughput;
	double worst = NAN;
	struct inference both;
	struct interval ci;
	size_t i;

	for (i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];

		if (r->clock_step_ns >= 0 && r->wall_ns > 0)
			worst = fmax(worst, (double)r->clock_step_ns / (double)r->wall_ns);
	}
	c->instrument = worst / sqrt(3);
	c->combined_lo = c->combined_hi = NAN;
	if (!e->has_ci || isnan(worst))
		return;
	inference_gum(&both, e->mean, (const struct gum_part[]){ { e->sd / sqrt(e->n), e->n - 1 },
								  { e->mean * c->instrument, INFINITY } }, 2);
	ci = inference_interval(&both, 0.05);
	c->combined_lo = ci.lo;
	c->combined_hi = ci.hi;
}

static void fill_device(const struct judge *j, struct cell_result *c)
{
	double sum = 0;
	size_t i, n = 0;

	for (i = 0; i < c->n_runs; i++) {
		const struct kept_run *r = &j->b->runs[c->runs[i]];
		uint64_t dev = r->dev_read_bytes + r->dev_write_bytes;
		/* Of runs together, `bytes` is what went in their common window. */
		uint64_t asked = r->read_bytes + r->write_bytes ? r->read_bytes + r->write_bytes : r->bytes;

		c->asked_bytes += asked;
		if (!r->dev_known || !asked)
			continue;
		c->device_bytes += dev;
		sum += (double)dev / (double)asked;
		n++;
	}
	c->device_ratio = n ? sum / (double)n : NAN;
}

void judge_trend(const struct judge *j, const double *x, const uint32_t *runs, size_t n, double *slope,
		 double *p)
{
	mem_auto double *block = mem_array(n + 1, sizeof *block), *logs = mem_array(n + 1, sizeof *logs);
	struct order_line line;
	size_t i;

	*slope = *p = NAN;
	for (i = 0; i < n; i++)
		block[i] = (double)j->b->runs[runs[i]].block;
	if (summary_logs(logs, x, n) < 0)
		return;
	order_fit(&line, block, logs, n);
	*slope = line.slope.mean;
	/* Equal values differ by rounding alone: no trend. */
	if (line.slope.df > 0)
		*p = fabs(*slope) < 1e-13 ? 1 : inference_p(&line.slope, 0);
}

static void fill_modes(struct cell_result *c, double *x, size_t n)
{
	struct modes m;

	c->gap = c->gap_threshold = c->mode_lo = c->mode_hi = NAN;
	if (summary_logs(x, x, n) < 0)
		return;
	modes_find(&m, x, n);
	if (!m.is_judged)
		return;
	c->bimodal = m.is_bimodal;
	c->gap = m.gap;
	c->gap_threshold = m.threshold;
	c->n_lo = (uint32_t)m.n_low;
	c->n_hi = (uint32_t)(n - m.n_low);
	c->mode_lo = exp(m.low);
	c->mode_hi = exp(m.high);
}

static void fill_cell(const struct judge *j, uint32_t id, double *x, uint32_t *runs)
{
	struct cell_result *c = &j->r->cells[id];
	size_t n;

	c->main = metric_find("throughput");
	n = judge_cell_values(j, id, c->main, x, runs, NULL);
	estimate_fill(&c->throughput, x, n);
	judge_trend(j, x, runs, n, &c->trend, &c->trend_p);
	fill_modes(c, x, n);
	fill_metric(j, id, "iops", &c->iops, NULL, x);
	fill_metric(j, id, "mean", &c->mean, NULL, x);
	fill_quantile(j, id, "p50", &c->p50, &c->few50, x);
	fill_quantile(j, id, "p90", &c->p90, &c->few90, x);
	fill_quantile(j, id, "p95", &c->p95, &c->few95, x);
	fill_quantile(j, id, "p99", &c->p99, &c->few99, x);
	fill_quantile(j, id, "p99.9", &c->p999, &c->few999, x);
	fill_quantile(j, id, "p99.99", &c->p9999, &c->few9999, x);
	fill_metric(j, id, "cpu_per_gib", &c->cpu_per_gib, NULL, x);
	fill_max(j, c, x);
	fill_processor(j, c, x);
	fill_machine(j, c);
	fill_instrument(j, c);
	fill_device(j, c);
	c->cut_ns = j->test_cut_ns ? j->test_cut_ns[j->b->cells.cells[id].test] : 0;
	c->cut_by_mser = c->cut_ns && j->test_cut_mser[j->b->cells.cells[id].test];
}

void judge_cells(struct judge *j)
{
	const struct kept_run *runs = j->b->runs;
	size_t most = 0, i;
	mem_auto double *x = NULL;
	mem_auto uint32_t *used = NULL;
	uint32_t k;

	for (i = 0; i < j->r->n_cells; i++) {
		struct cell_result *c = &j->r->cells[i];
		size_t n = j->first[i + 1] - j->first[i];

		c->cell = (uint32_t)i;
		c->runs = mem_array(n + 1, sizeof *c->runs);
		for (k = j->first[i]; k < j->first[i + 1]; k++) {
			uint32_t status = runs[j->order[k]].status;

			if (status < RUN_STATUSES)
				c->status[status]++;
			if (status == RUN_OK)
				c->runs[c->n_runs++] = j->order[k];
		}
		most = n > most ? n : most;
	}
	x = mem_array(most + 1, sizeof *x);
	used = mem_array(most + 1, sizeof *used);
	for (i = 0; i < j->r->n_cells; i++)
		fill_cell(j, (uint32_t)i, x, used);
}
