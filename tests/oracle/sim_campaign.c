/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/sim.h"

#include <math.h>
#include <stdlib.h>

#include "stats/compare.h"
#include "stats/percentile.h"
#include "tests/oracle/sim_order.h"

#define MOST 64

double sim_t3(struct rng *r)
{
	double chi = 0;

	for (int i = 0; i < 3; i++) {
		double z = rng_normal(r);

		chi += z * z;
	}
	return rng_normal(r) / sqrt(chi / 3) / sqrt(3);
}

double sim_run(enum sim_noise noise, int arm, struct rng *r)
{
	switch (noise) {
	case SIM_T3:
		return 0.03 * sim_t3(r);
	case SIM_CONTAMINATED:
		return 0.03 * rng_normal(r) + (rng_unit(r) < 0.1 ? log(0.6) : 0);
	case SIM_SKEWED:
		return arm ? 0 : 0.05 * (rng_exponential(r) - 1);
	case SIM_HIDDEN:
		return 0.03 * rng_normal(r) + (arm == 0 && rng_unit(r) < 0.25 ? log(0.7) : 0);
	case SIM_UNEQUAL:
		return (arm ? 0.2 : 0.02) * rng_normal(r);
	case SIM_BIMODAL:
		return 0.03 * rng_normal(r) + (rng_unit(r) < 0.5 ? log(0.7) : 0);
	default:
		return 0.03 * rng_normal(r);
	}
}

static const struct compare_rule plain = { .margin = SIM_MARGIN, .family = 1, .is_declared = true };

static bool excludes(struct interval i, double ratio)
{
	return i.lo > ratio || i.hi < ratio;
}

/* Unblocked: Welch on logs, 95%. */
static bool welch_excludes(const double *a, const double *b, size_t n, double ratio)
{
	struct inference e;

	inference_welch(&e, a, n, b, n);
	return excludes(interval_exp(inference_interval(&e, 0.05)), ratio);
}

/* Log rates of 2n runs in order of time, of two arms that are the same. */
static void timeline(const struct sim_cell *c, double *x, struct rng *r)
{
	size_t runs = 2 * c->n;

	for (size_t i = 0; i < runs; i++) {
		if (c->noise == SIM_DRIFT)
			x[i] = log(1 - c->a * (double)i / (double)runs) + 0.02 * rng_normal(r);
		else if (i == 0)
			x[i] = rng_normal(r) / sqrt(1 - c->a * c->a);
		else
			x[i] = c->a * x[i - 1] + rng_normal(r);
		if (c->noise == SIM_AR && i + 1 == runs)
			for (size_t k = 0; k < runs; k++)
				x[k] *= 0.03;
	}
}

bool sim_aa_excludes_one(const struct sim_cell *c, struct rng *r)
{
	double x[MOST], d[MOST], first[MOST];
	struct contrast out;

	timeline(c, x, r);
	if (c->design == SIM_AABB) {
		return welch_excludes(x, x + c->n, c->n, 1);
	}
	for (size_t i = 0; i < c->n; i++)
		first[i] = 1;
	if (c->design == SIM_BLOCKS)
		sim_order(first, c->n, rng_next(r));
	for (size_t i = 0; i < c->n; i++)
		d[i] = first[i] * (x[2 * i] - x[2 * i + 1]);
	compare_paired(&out, d, c->n, &plain);
	return excludes(out.deciding, 1);
}

bool sim_interval_covers(const struct sim_cell *c, struct rng *r)
{
	double a[MOST], b[MOST], d[MOST], truth = c->noise == SIM_HIDDEN ? 0.25 * log(0.7) : 0;
	struct contrast out;

	for (size_t i = 0; i < c->n; i++) {
		a[i] = sim_run(c->noise, 0, r);
		b[i] = sim_run(c->noise, 1, r);
		d[i] = a[i] - b[i];
	}
	if (c->design == SIM_WELCH)
		return !welch_excludes(a, b, c->n, exp(truth));
	compare_paired(&out, d, c->n, &plain);
	return !excludes(out.ci95, exp(truth));
}

/* Blocks differ three times as much as runs do: pairing takes that out. */
bool sim_block_effect_excludes_one(const struct sim_cell *c, struct rng *r)
{
	double a[MOST], b[MOST], d[MOST];
	struct contrast out;

	for (size_t i = 0; i < c->n; i++) {
		double block = 0.09 * rng_normal(r);

		a[i] = exp(log(c->a) + block + 0.03 * rng_normal(r));
		b[i] = exp(block + 0.03 * rng_normal(r));
	}
	if (compare_log_ratios(d, a, b, c->n) < 0)
		return false;
	compare_paired(&out, d, c->n, &plain);
	return excludes(out.deciding, 1);
}

bool sim_mean_covers(const struct sim_cell *c, struct rng *r)
{
	double x[MOST] = { 0 };
	struct inference e;
	struct interval i;

	for (size_t k = 0; k < c->n; k++) {
		double z = rng_normal(r);

		if (c->noise != SIM_AR)
			x[k] = 0.03 * z;
		else
			x[k] = k ? c->a * x[k - 1] + z : z / sqrt(1 - c->a * c->a);
	}
	inference_mean(&e, x, c->n);
	i = inference_interval(&e, 0.05);
	return i.lo <= 0 && i.hi >= 0;
}

#define IOS 200

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* n runs of lognormal latencies (sigma .5), run effects of 10%; true median 1 ms. */
static void latencies(int64_t *ns, size_t n, struct rng *r)
{
	for (size_t i = 0; i < n; i++) {
		double run = 0.1 * rng_normal(r);

		for (size_t k = 0; k < IOS; k++)
			ns[i * IOS + k] = (int64_t)(1e6 * exp(run + 0.5 * rng_normal(r)));
	}
}

bool sim_median_covers(const struct sim_cell *c, struct rng *r)
{
	int64_t ns[MOST * IOS], q[MOST];
	uint64_t count[MOST];
	struct percentile p;

	latencies(ns, c->n, r);
	for (size_t i = 0; i < c->n; i++) {
		qsort(ns + i * IOS, IOS, sizeof *ns, by_value);
		q[i] = ns[i * IOS + IOS / 2 - 1];
		count[i] = IOS;
	}
	if (percentile_over_runs(&p, q, count, c->n, 500000) < 0 || !p.is_enough)
		return false;
	return p.ci95.lo <= 1e6 && p.ci95.hi >= 1e6;
}

/* What is never done: all I/Os of all runs as if they were independent. */
bool sim_pooled_median_covers(const struct sim_cell *c, struct rng *r)
{
	int64_t ns[MOST * IOS];
	double all = (double)(c->n * IOS), half = 1.96 * sqrt(all) / 2;

	latencies(ns, c->n, r);
	qsort(ns, c->n * IOS, sizeof *ns, by_value);
	return ns[(size_t)(all / 2 - half)] <= 1000000 && ns[(size_t)(all / 2 + half)] >= 1000000;
}
