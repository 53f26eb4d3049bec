/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/compare.h"

#include "stats/dist.h"
#include "stats/power.h"
#include "stats/summary.h"

#include <math.h>

/* Logs of equal rates differ by rounding alone; below this a spread or a mean is none. */
#define ROUNDING 1e-14

static bool excludes_one(struct interval i)
{
	return i.lo > 1 || i.hi < 1;
}

static bool is_inside(struct interval i, double margin)
{
	return i.lo > 1 / (1 + margin) && i.hi < 1 + margin;
}

static bool all_inside(const double *d, size_t n, double margin)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(d[i]) < log1p(margin)))
			return false;
	return n > 0;
}

static void fill_numbers(struct contrast *c, const struct compare_rule *r)
{
	double m = r->family > 1 ? (double)r->family : 1;
	struct inference nearer = c->log;

	if (fabs(c->log.mean) < ROUNDING)
		c->log.mean = 0;
	if (c->log.se < ROUNDING)
		c->log.se = c->log.sd = 0;
	c->ratio = exp(c->log.mean);
	c->deciding_alpha = 0.05 / m;
	c->equivalence_alpha = 0.10 / m;
	c->ci95 = interval_exp(interval_widen(inference_interval(&c->log, 0.05), r->widen));
	c->deciding = interval_exp(
		interval_widen(inference_interval(&c->log, c->deciding_alpha), r->widen));
	c->equivalence = interval_exp(
		interval_widen(inference_interval(&c->log, c->equivalence_alpha), r->widen));
	nearer.mean = fmax(0, fabs(c->log.mean) - r->widen);
	nearer.se = c->log.se;
	c->p = inference_p(&nearer, 0);
}

static enum ruling first_match(const struct contrast *c, const struct compare_rule *r)
{
	if (r->is_void)
		return RULING_VOID;
	if (!r->is_declared)
		return RULING_EXPLORATORY;
	if (c->log.n < COMPARE_LEAST_RULING)
		return RULING_INDICATIVE;
	if (c->log.n >= COMPARE_LEAST_EQUIVALENT && is_inside(c->equivalence, r->margin))
		return RULING_EQUIVALENT;
	if (c->deciding.lo > 1)
		return RULING_BETTER;
	if (c->deciding.hi < 1)
		return RULING_WORSE;
	return RULING_INCONCLUSIVE;
}

static bool is_barred(enum ruling v, const struct compare_rule *r)
{
	return (v == RULING_BETTER && r->bar_better) || (v == RULING_WORSE && r->bar_worse) ||
	       (v == RULING_EQUIVALENT && (r->bar_better || r->bar_worse));
}

static void decide(struct contrast *c, const struct compare_rule *r)
{
	c->ruling = first_match(c, r);
	if (is_barred(c->ruling, r)) {
		c->ruling = RULING_INCONCLUSIVE;
		c->is_withheld = true;
	}
	c->is_material = (c->ruling == RULING_BETTER && c->deciding.lo > 1 + r->margin) ||
			 (c->ruling == RULING_WORSE && c->deciding.hi < 1 / (1 + r->margin));
	c->is_resolved = c->ruling == RULING_EQUIVALENT && excludes_one(c->deciding);
}

static void fill_needs(struct contrast *c, const struct compare_rule *r)
{
	double band = log1p(r->margin) - r->widen;

	if (c->ruling != RULING_INDICATIVE && c->ruling != RULING_INCONCLUSIVE &&
	    c->ruling != RULING_VOID)
		return;
	if (c->log.n < 2)
		return;
	c->n_difference = power_blocks_difference(band, c->log.sd, c->deciding_alpha,
						  COMPARE_LEAST_RULING);
	c->n_equivalence = power_blocks_equivalence(band, 0, c->log.sd, c->equivalence_alpha / 2,
						    COMPARE_LEAST_EQUIVALENT);
}

void compare_paired(struct contrast *c, const double *d, size_t n, const struct compare_rule *r)
{
	*c = (struct contrast){ 0 };
	inference_mean(&c->log, d, n);
	fill_numbers(c, r);
	decide(c, r);
	c->is_negligible = c->ruling == RULING_EQUIVALENT && all_inside(d, n, r->margin);
	fill_needs(c, r);
}

int compare_log_ratios(double *out, const double *subject, const double *against, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double a, b;

		if (summary_logs(&a, &subject[i], 1) < 0 || summary_logs(&b, &against[i], 1) < 0)
			return -1;
		out[i] = a - b;
	}
	return 0;
}

double compare_bound(double mean_log, double sd_log, size_t n)
{
	if (n < 2)
		return INFINITY;
	return fabs(mean_log) + dist_t_critical(0.10, (double)n - 1) * sd_log / sqrt((double)n);
}

bool compare_is_negligible(double worst, size_t n, double margin)
{
	return n >= COMPARE_LEAST_EQUIVALENT && worst < log1p(margin);
}
