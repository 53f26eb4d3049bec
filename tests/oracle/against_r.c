/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "stats/compare.h"
#include "stats/control.h"
#include "stats/dist.h"
#include "stats/history.h"
#include "stats/modes.h"
#include "stats/multiple.h"
#include "stats/order.h"
#include "stats/percentile.h"
#include "stats/power.h"
#include "stats/scaling.h"
#include "stats/steady.h"

/* Random data sets and what the product makes of them, one record a line, for against_r.R: "set k",
 * vectors "v NAME values…", results "r NAME value". */

#define SETS 200
#define MOST 24
#define SERIES 60

struct data {
	size_t n, family;
	double a[MOST], b[MOST];  /* rates */
	double d[MOST], order[MOST], p[MOST];
	double series[SERIES], load[MOST], x[MOST];
	double df, alpha, effect, sd;
};

static void vector(const char *name, const double *x, size_t n)
{
	printf("v %s", name);
	for (size_t i = 0; i < n; i++)
		printf(" %.17g", x[i]);
	putchar('\n');
}

static void result(const char *name, double x)
{
	printf("r %s %.17g\n", name, x);
}

static void ends(const char *name, struct interval i)
{
	char s[40];

	snprintf(s, sizeof s, "%s_lo", name);
	result(s, i.lo);
	snprintf(s, sizeof s, "%s_hi", name);
	result(s, i.hi);
}

static void draw(struct data *d, struct rng *r)
{
	double sd = 0.005 + 0.2 * rng_unit(r), ratio = exp(0.1 * rng_normal(r));

	d->n = 3 + rng_below(r, 18);
	d->family = 1 + rng_below(r, 12);
	for (size_t i = 0; i < d->n; i++) {
		double block = 0.1 * rng_normal(r);

		d->a[i] = 1e8 * ratio * exp(block + sd * rng_normal(r));
		d->b[i] = 1e8 * exp(block + sd * rng_normal(r));
		d->order[i] = i % 2 ? 1 : -1;
		d->p[i] = rng_unit(r) * (rng_unit(r) < 0.5 ? 0.02 : 1);
		d->load[i] = (double)(1 + 3 * i);
		d->x[i] = 90 * d->load[i] / (1 + 0.03 * (d->load[i] - 1) +
					     1e-3 * d->load[i] * (d->load[i] - 1)) *
			  exp(0.02 * rng_normal(r));
	}
	compare_log_ratios(d->d, d->a, d->b, d->n);
	for (size_t i = 0; i < SERIES; i++)
		d->series[i] = 100 + 0.2 * (double)i * rng_unit(r) + rng_normal(r);
	d->df = 0.7 + 60 * rng_unit(r);
	d->alpha = exp(-12 * rng_unit(r));
	d->effect = 0.02 + 0.1 * rng_unit(r);
	d->sd = 0.02 + 0.1 * rng_unit(r);
}

static void print_data(const struct data *d)
{
	const double scalar[] = { (double)d->family, d->df, d->alpha, d->effect, d->sd };

	vector("a", d->a, d->n);
	vector("b", d->b, d->n);
	vector("order", d->order, d->n);
	vector("p", d->p, d->n);
	vector("series", d->series, SERIES);
	vector("load", d->load, d->n);
	vector("x", d->x, d->n);
	vector("scalar", scalar, 5);
}

static void cell(const struct data *d)
{
	struct inference e;
	struct modes m;
	double sorted[MOST];

	inference_mean(&e, d->a, d->n);
	result("mean", e.mean);
	result("sd", e.sd);
	ends("mean95", inference_interval(&e, 0.05));
	ends("prediction", inference_prediction(&e, 0.05));
	result("lag1", summary_lag1(d->a, d->n));
	inference_log_mean(&e, d->a, d->n);
	ends("geo95", interval_exp(inference_interval(&e, 0.05)));
	for (size_t i = 0; i < d->n; i++)
		sorted[i] = log(d->a[i]);
	modes_find(&m, sorted, d->n);
	if (m.is_judged)
		result("gap", m.gap);
}

static void comparison(const char *name, const struct contrast *c)
{
	char s[40];

	snprintf(s, sizeof s, "%s_ratio", name);
	result(s, c->ratio);
	snprintf(s, sizeof s, "%s_df", name);
	result(s, c->log.df);
	snprintf(s, sizeof s, "%s_p", name);
	result(s, c->p);
	snprintf(s, sizeof s, "%s_95", name);
	ends(s, c->ci95);
	snprintf(s, sizeof s, "%s_deciding", name);
	ends(s, c->deciding);
	snprintf(s, sizeof s, "%s_equivalence", name);
	ends(s, c->equivalence);
}

static void comparisons(const struct data *d)
{
	const struct compare_rule rule = { 0.05, d->family, .is_declared = true };
	double la[MOST], lb[MOST];
	struct inference welch;
	struct contrast c;
	struct control aa;

	compare_paired(&c, d->d, d->n, &rule);
	comparison("paired", &c);
	if (c.n_difference)
		result("n_difference", (double)c.n_difference);
	if (c.n_equivalence)
		result("n_equivalence", (double)c.n_equivalence);
	summary_logs(la, d->a, d->n);
	summary_logs(lb, d->b, d->n);
	inference_welch(&welch, la, d->n, lb, d->n - 1);
	result("welch_ratio", exp(welch.mean));
	result("welch_df", welch.df);
	result("welch_p", inference_p(&welch, 0));
	ends("welch_95", interval_exp(inference_interval(&welch, 0.05)));
	ends("welch_deciding", interval_exp(inference_interval(&welch, 0.05 / (double)d->family)));
	ends("welch_equivalence", interval_exp(inference_interval(&welch, 0.10 / (double)d->family)));
	result("negligible", compare_bound(c.log.mean, c.log.sd, d->n));
	control_judge(&aa, d->d, d->n, 0.05);
	ends("control", aa.ci99);
}

static void families(const struct data *d)
{
	double holm[MOST], bh[MOST];
	char s[40];

	multiple_holm(holm, d->p, d->n);
	multiple_bh(bh, d->p, d->n);
	for (size_t i = 0; i < d->n; i++) {
		snprintf(s, sizeof s, "holm_%zu", i + 1);
		result(s, holm[i]);
		snprintf(s, sizeof s, "bh_%zu", i + 1);
		result(s, bh[i]);
	}
}

static void lines(const struct data *d)
{
	double block[MOST];
	struct order_line l;
	struct history_change c;
	struct steady_snia snia;

	order_effect(&l, d->d, d->order, d->n);
	result("gamma", l.slope.mean);
	result("gamma_se", l.slope.se);
	result("gamma_p", inference_p(&l.slope, 0));
	result("delta_se", l.level.se);
	for (size_t i = 0; i < d->n; i++)
		block[i] = (double)i;
	order_fit(&l, block, d->d, d->n);
	result("trend", l.slope.mean);
	result("trend_p", inference_p(&l.slope, 0));
	result("slope", steady_slope(d->series, SERIES));
	steady_snia_window(&snia, d->series, SERIES);
	result("snia_range", snia.range);
	result("snia_excursion", snia.excursion);
	history_split(&c, d->series, SERIES);
	result("split_at", (double)c.at);
	result("split_f", c.t * c.t);
}

static void fits(const struct data *d)
{
	struct scaling_usl u;
	struct percentile p;
	int64_t q[MOST];
	uint64_t count[MOST];

	if (scaling_fit_usl(&u, d->load, d->x, d->n, true) == 0 && d->n >= 8) {
		result("usl_sigma", u.sigma);
		result("usl_kappa", u.kappa);
		result("usl_lambda", u.lambda);
	}
	result("jain", scaling_jain(d->a, d->n));
	for (size_t i = 0; i < d->n; i++) {
		q[i] = (int64_t)d->a[i];
		count[i] = 20;
	}
	percentile_over_runs(&p, q, count, d->n, 500000);
	ends("percentile", p.ci95);
}

static void tails(const struct data *d)
{
	double t = dist_t_critical(d->alpha, d->df);

	result("t_critical", t);
	result("t_p", dist_t_two_sided(t * 1.1, d->df));
	result("f_critical", dist_f_critical(d->alpha, d->df / 3, d->df));
	result("beta_quantile", dist_beta_quantile(d->alpha, d->df, 3));
	result("power", power_difference(d->effect, d->sd, d->n, 0.05 / (double)d->family));
	result("smallest", power_smallest(d->n, 0.05 / (double)d->family));
	if (d->n >= 4)
		result("stein", (double)power_stein(d->n, d->sd, d->effect, 0.05, 5));
}

int main(void)
{
	struct data d;
	struct rng r;

	rng_seed(&r, 200);
	for (int k = 1; k <= SETS; k++) {
		draw(&d, &r);
		printf("set %d\n", k);
		print_data(&d);
		cell(&d);
		comparisons(&d);
		families(&d);
		lines(&d);
		fits(&d);
		tails(&d);
	}
	return 0;
}
