/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/dist.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* lgamma without the global sign. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* Stirling's remainder: ln gamma(x) - ((x - 1/2) ln x - x + ln(2 pi)/2), x >= 10. */
static double stirling_rest(double x)
{
	static const double c[] = { 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
				    -691.0 / 360360, 1.0 / 156 };
	double sum = 0, y = 1 / (x * x);

	for (int i = 6; i >= 0; i--)
		sum = sum * y + c[i];
	return sum / x;
}

double dist_log_beta(double a, double b)
{
	double small = fmin(a, b), big = fmax(a, b), rest;

	if (!(small > 0))
		return NAN;
	if (big < 10)
		return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
	rest = stirling_rest(big) - stirling_rest(a + b);
	if (small < 10)
		return log_gamma(small) + rest + small - small * log(a + b) +
		       (big - 0.5) * log1p(-small / (a + b));
	return 0.5 * log(2 * M_PI / big) + stirling_rest(small) + rest +
	       (small - 0.5) * log(small / (a + b)) + big * log1p(-small / (a + b));
}

/* The continued fraction of I_x(a, b) without its front factor. */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) > 1e-300 ? d : 1e-300);
	h = d;
	for (int m = 1; m < 20000; m++) {
		double num = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), step;

		d = 1 + num * d;
		c = 1 + num / c;
		d = 1 / (fabs(d) > 1e-300 ? d : 1e-300);
		c = fabs(c) > 1e-300 ? c : 1e-300;
		h *= d * c;
		num = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + num * d;
		c = 1 + num / c;
		d = 1 / (fabs(d) > 1e-300 ? d : 1e-300);
		c = fabs(c) > 1e-300 ? c : 1e-300;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 2 * DBL_EPSILON)
			break;
	}
	return h;
}

/* x^a y^b / B(a, b) with y = 1 - x given exactly. */
static double beta_front(double x, double y, double a, double b)
{
	double lx = x > 0.5 ? log1p(-y) : log(x), ly = y > 0.5 ? log1p(-x) : log(y);

	return exp(a * lx + b * ly - dist_log_beta(a, b));
}

/* I_x(a, b), y = 1 - x: the caller gives the smaller of the two without cancellation. */
static double beta_lower(double x, double y, double a, double b)
{
	if (!(a > 0 && b > 0 && x >= 0 && y >= 0))
		return NAN;
	if (x == 0 || y == 0)
		return x == 0 ? 0 : 1;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_front(x, y, a, b) * beta_fraction(y, b, a) / b;
	return beta_front(x, y, a, b) * beta_fraction(x, a, b) / a;
}

double dist_beta_cdf(double x, double a, double b)
{
	return beta_lower(x, 1 - x, a, b);
}

double dist_beta_quantile(double p, double a, double b)
{
	double lo = 0, hi = 1, x = a / (a + b);

	if (!(p >= 0 && p <= 1 && a > 0 && b > 0))
		return NAN;
	if (p == 0 || p == 1)
		return p;
	for (int i = 0; i < 400; i++) {
		double f = dist_beta_cdf(x, a, b) - p, slope, next;

		if (f > 0)
			hi = x;
		else
			lo = x;
		slope = beta_front(x, 1 - x, a, b) / (x * (1 - x));
		next = x - f / slope;
		if (!(next > lo && next < hi))
			next = lo > 0 && hi / lo > 4 ? sqrt(lo * hi) : (lo + hi) / 2;
		if (fabs(next - x) <= 4 * DBL_EPSILON * x || hi - lo <= DBL_EPSILON * lo)
			return next;
		x = next;
	}
	return x;
}

double dist_norm_cdf(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

double dist_norm_upper(double z)
{
	return 0.5 * erfc(z * M_SQRT1_2);
}

double dist_norm_quantile(double p)
{
	double q = p < 0.5 ? p : 1 - p, t, z;

	if (!(p > 0 && p < 1))
		return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
	if (p == 0.5)
		return 0;
	t = sqrt(-2 * log(q));
	z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
		(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (int i = 0; i < 4; i++) {
		double f = (dist_norm_upper(z) - q) / (exp(-z * z / 2) / sqrt(2 * M_PI));

		z += f / (1 - z * f / 2);
		if (fabs(f) <= DBL_EPSILON * fabs(z))
			break;
	}
	return p < 0.5 ? -z : z;
}

double dist_t_two_sided(double t, double df)
{
	double t2 = t * t;

	if (!(df > 0) || isnan(t))
		return NAN;
	if (isinf(t))
		return 0;
	if (isinf(df))
		return erfc(fabs(t) * M_SQRT1_2);
	return beta_lower(df / (df + t2), t2 / (df + t2), df / 2, 0.5);
}

double dist_t_cdf(double t, double df)
{
	double half = dist_t_two_sided(t, df) / 2;

	return t > 0 ? 1 - half : half;
}

static double t_density(double t, double df)
{
	return exp(-(df + 1) / 2 * log1p(t * t / df) - dist_log_beta(df / 2, 0.5)) / sqrt(df);
}

/* A first value for the critical t: the tail's leading term where df is small or the tail far,
 * else the normal quantile corrected for df. */
static double t_start(double alpha, double df)
{
	double a = df / 2, x = exp((log(alpha * a) + dist_log_beta(a, 0.5)) / a), z;

	if (x < 0.3)
		return sqrt(df * (1 - x) / x);
	z = alpha >= 1 ? 0 : -dist_norm_quantile(alpha / 2);
	return z + z * (z * z + 1) / (4 * df) + z * (5 * pow(z, 4) + 16 * z * z + 3) / (96 * df * df);
}

double dist_t_critical(double alpha, double df)
{
	double lo = 0, hi = INFINITY, t;

	if (!(alpha > 0 && alpha <= 1 && df > 0))
		return alpha == 0 && df > 0 ? INFINITY : NAN;
	if (alpha == 1)
		return 0;
	if (isinf(df))
		return -dist_norm_quantile(alpha / 2);
	if (df == 2)
		return sqrt(2 / (alpha * (2 - alpha))) * (1 - alpha);
	t = t_start(alpha, df);
	for (int i = 0; i < 200; i++) {
		double p = dist_t_two_sided(t, df), slope = 2 * t_density(t, df), next;

		if (p < alpha)
			hi = t;
		else
			lo = t;
		next = alpha < 0.1 && p > 0 ? t * exp(p * log(p / alpha) / (slope * t)) :
					      t + (p - alpha) / slope;
		if (!(next >= lo && next <= hi))
			next = isinf(hi) ? 2 * t : (lo + hi) / 2;
		if (fabs(next - t) <= 4 * DBL_EPSILON * t)
			return next;
		t = next;
	}
	return t;
}

double dist_t_quantile(double p, double df)
{
	if (!(p >= 0 && p <= 1))
		return NAN;
	return p < 0.5 ? -dist_t_critical(2 * p, df) : dist_t_critical(2 * (1 - p), df);
}

double dist_f_upper(double f, double d1, double d2)
{
	if (!(f >= 0))
		return NAN;
	return beta_lower(d2 / (d2 + d1 * f), d1 * f / (d2 + d1 * f), d2 / 2, d1 / 2);
}

double dist_f_critical(double alpha, double d1, double d2)
{
	double x = dist_beta_quantile(alpha, d2 / 2, d1 / 2);

	return d2 * (1 - x) / (d1 * x);
}

/* One direction of the mixture's sum, from term j on (j counts from the largest term). */
struct mixture {
	double x, b;        /* I_x(., b) */
	double p, q;        /* Poisson-like weights */
	double i1, i2;      /* I_x(j + 1/2, b), I_x(j + 1, b) */
	double g1, g2;      /* their differences to the next j */
};

static double mixture_up(struct mixture m, double j, double half)
{
	double sum = 0;

	for (int k = 0; k < 100000; k++, j++) {
		double rest;

		sum += m.p * m.i1 + m.q * m.i2;
		m.i1 = fmax(m.i1 - m.g1, 0);
		m.i2 = fmax(m.i2 - m.g2, 0);
		m.g1 *= m.x * (j + 0.5 + m.b) / (j + 1.5);
		m.g2 *= m.x * (j + 1 + m.b) / (j + 2);
		m.p *= half / (j + 1);
		m.q *= half / (j + 1.5);
		rest = half / (j + 2);
		if (rest < 1 && (m.p + fabs(m.q)) * m.i1 < 1e-17 * (1 - rest))
			break;
	}
	return sum;
}

static double mixture_down(struct mixture m, double j, double half)
{
	double sum = 0;

	for (; j >= 1; j--) {
		m.p *= j / half;
		m.q *= (j + 0.5) / half;
		m.g1 *= (j + 0.5) / (m.x * (j - 0.5 + m.b));
		m.g2 *= (j + 1) / (m.x * (j + m.b));
		m.i1 += m.g1;
		m.i2 += m.g2;
		sum += m.p * m.i1 + m.q * m.i2;
		if ((m.p + fabs(m.q)) * j < 1e-17)
			break;
	}
	return sum;
}

/* P(0 < T' <= t), t > 0: half the sum over j of p_j I_x(j+1/2, b) + q_j I_x(j+1, b). */
static double nct_positive(double t, double df, double delta)
{
	double half = delta * delta / 2, j = floor(half), x = t * t / (df + t * t);
	double y = df / (df + t * t), b = df / 2, lp = j > 0 ? j * log(half) : 0;
	struct mixture m = { .x = x, .b = b };

	m.p = exp(lp - half - log_gamma(j + 1));
	m.q = delta * M_SQRT1_2 * exp(lp - half - log_gamma(j + 1.5));
	m.i1 = beta_lower(x, y, j + 0.5, b);
	m.i2 = beta_lower(x, y, j + 1, b);
	m.g1 = beta_front(x, y, j + 0.5, b) / (j + 0.5);
	m.g2 = beta_front(x, y, j + 1, b) / (j + 1);
	return (mixture_up(m, j, half) + mixture_down(m, j, half)) / 2;
}

double dist_nct_cdf(double t, double df, double delta)
{
	double p;

	if (!(df > 0) || isnan(t) || isnan(delta))
		return NAN;
	if (isinf(t))
		return t > 0;
	if (isinf(df))
		return dist_norm_cdf(t - delta);
	if (t < 0)
		return 1 - dist_nct_cdf(-t, df, -delta);
	if (delta < -40)
		return 1; /* t is not negative: at least the normal's share below 40, and the sum is long */
	if (df >= 1 && delta > 40 && t < delta / 12)
		return 0; /* the scale would have to exceed 9: below 1e-20, and the sum is long */
	p = dist_norm_cdf(-delta) + (t > 0 ? nct_positive(t, df, delta) : 0);
	return fmin(fmax(p, 0), 1);
}
