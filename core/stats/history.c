/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/history.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

bool history_is_watch(const double *x, size_t n, double next, struct interval *i)
{
	struct inference e;
	struct interval within;

	inference_mean(&e, x, n);
	within = inference_prediction(&e, 0.05);
	if (i)
		*i = within;
	return n >= HISTORY_LEAST_WATCH && (next < within.lo || next > within.hi);
}

void history_split(struct history_change *c, const double *x, size_t n)
{
	struct summary all;
	double sum = 0, best = 0;

	*c = (struct history_change){ .rho = NAN, .p = NAN };
	summary_of(&all, x, n);
	for (size_t k = 1; k + HISTORY_LEAST_SIDE <= n; k++) {
		double left = (double)k, right = (double)(n - k), between, f;

		sum += x[k - 1] - all.mean;
		if (k < HISTORY_LEAST_SIDE)
			continue;
		/* the sides' deviations from the common mean are sum/left and -sum/right */
		between = sum * sum * (1 / left + 1 / right);
		f = between / ((all.m2 - between) / (double)(n - 2));
		if (!(all.m2 > 0) || !(f > best))
			continue;
		best = f;
		c->at = k;
		c->before = all.mean + sum / left;
		c->after = all.mean - sum / right;
	}
	c->t = sqrt(best);
}

static double residual_rho(const struct history_change *c, const double *x, size_t n)
{
	double cross = 0, squares = 0, last = 0, t = (double)n, r;

	for (size_t i = 0; i < n; i++) {
		double e = x[i] - (i < c->at ? c->before : c->after);

		cross += i ? e * last : 0;
		squares += e * e;
		last = e;
	}
	r = squares > 0 ? cross / squares : 0;
	return fmin(fmax(r + 2 * (1 + 4 * r) / t + 2 / t, 0), 0.95);
}

void history_split_p(struct history_change *c, const double *x, size_t n, uint64_t seed)
{
	double *draw = mem_array(n, sizeof *draw);
	struct history_change null;
	struct rng r;
	int reached = 0;

	c->rho = residual_rho(c, x, n);
	rng_seed(&r, seed);
	for (int k = 0; k < HISTORY_DRAWS; k++) {
		draw[0] = rng_normal(&r) / sqrt(1 - c->rho * c->rho);
		for (size_t i = 1; i < n; i++)
			draw[i] = c->rho * draw[i - 1] + rng_normal(&r);
		history_split(&null, draw, n);
		reached += null.t >= c->t;
	}
	c->p = (1.0 + reached) / (1 + HISTORY_DRAWS);
	free(draw);
}

struct hunt {
	struct history_change *out;
	size_t n, most;
	const double *x;
	uint64_t seed;
};

static void hunt_in(struct hunt *h, size_t from, size_t to)
{
	struct history_change c;
	struct rng r;

	if (to - from < HISTORY_LEAST_CHANGE)
		return;
	history_split(&c, h->x + from, to - from);
	if (c.at == 0)
		return;
	rng_stream(&r, h->seed, (uint64_t)from << 32 | to);
	history_split_p(&c, h->x + from, to - from, rng_next(&r));
	if (!(c.p < HISTORY_ALPHA))
		return;
	c.at += from;
	hunt_in(h, from, c.at);
	if (h->n < h->most)
		h->out[h->n++] = c;
	hunt_in(h, c.at, to);
}

size_t history_changes(struct history_change *out, size_t most, const double *x, size_t n,
		       uint64_t seed)
{
	struct hunt h = { out, 0, most, x, seed };

	hunt_in(&h, 0, n);
	return h.n;
}
