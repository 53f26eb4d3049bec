/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/interval.h"

#include "stats/dist.h"

#include <math.h>

void inference_of(struct inference *e, const struct summary *s)
{
	e->n = s->n;
	e->mean = s->n ? s->mean : NAN;
	e->sd = summary_sd(s);
	e->se = e->sd / sqrt((double)s->n);
	e->df = s->n > 1 ? (double)(s->n - 1) : 0;
}

void inference_mean(struct inference *e, const double *x, size_t n)
{
	struct summary s;

	summary_of(&s, x, n);
	inference_of(e, &s);
}

int inference_log_mean(struct inference *e, const double *x, size_t n)
{
	struct summary s = SUMMARY_INIT;

	for (size_t i = 0; i < n; i++) {
		double l;

		if (summary_logs(&l, &x[i], 1) < 0)
			return -1;
		summary_add(&s, l);
	}
	inference_of(e, &s);
	return 0;
}

void inference_welch(struct inference *e, const double *a, size_t na, const double *b, size_t nb)
{
	struct summary sa, sb;
	double va, vb;

	summary_of(&sa, a, na);
	summary_of(&sb, b, nb);
	*e = (struct inference){ .n = na < nb ? na : nb, .mean = NAN, .sd = NAN, .se = NAN };
	if (e->n == 0)
		return;
	e->mean = sa.mean - sb.mean;
	if (e->n < 2)
		return;
	va = sa.m2 / (double)(na - 1) / (double)na;
	vb = sb.m2 / (double)(nb - 1) / (double)nb;
	e->se = sqrt(va + vb);
	e->df = (double)(na + nb - 2);
	if (e->se > 0)
		e->df = (va + vb) * (va + vb) /
			(va * va / (double)(na - 1) + vb * vb / (double)(nb - 1));
}

static struct interval around(const struct inference *e, double alpha, double se)
{
	double half;

	if (!(e->df > 0) || isnan(se))
		return (struct interval){ NAN, NAN };
	half = se > 0 ? dist_t_critical(alpha, e->df) * se : 0;
	return (struct interval){ e->mean - half, e->mean + half };
}

struct interval inference_interval(const struct inference *e, double alpha)
{
	return around(e, alpha, e->se);
}

struct interval inference_prediction(const struct inference *e, double alpha)
{
	return around(e, alpha, e->sd * sqrt(1 + 1 / (double)e->n));
}

double inference_p(const struct inference *e, double null)
{
	double off = e->mean - null;

	if (!(e->df > 0) || isnan(e->se))
		return 1;
	if (e->se == 0)
		return off == 0;
	return dist_t_two_sided(off / e->se, e->df);
}

struct interval interval_exp(struct interval i)
{
	return (struct interval){ exp(i.lo), exp(i.hi) };
}

struct interval interval_widen(struct interval i, double by)
{
	return (struct interval){ i.lo - by, i.hi + by };
}

void inference_gum(struct inference *e, double value, const struct gum_part *part, size_t n)
{
	double sum = 0, fourth = 0;

	for (size_t i = 0; i < n; i++) {
		double v = part[i].u * part[i].u;

		sum += v;
		if (v > 0)
			fourth += v * v / part[i].df;
	}
	*e = (struct inference){ .n = n, .mean = value, .sd = NAN, .se = sqrt(sum) };
	e->df = fourth > 0 ? sum * sum / fourth : INFINITY;
}
