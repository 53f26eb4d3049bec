/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/vec.h"
#include "reports/chart_draw.h"

/* The k-th step of the series 1, 2, 2.5, 5, 10, 20, 25 …; `decimals` that it needs. */
static double step_at(int k, int *decimals)
{
	static const double mantissa[] = { 1, 2, 2.5, 5 };
	int power = k >= 0 ? k / 4 : -((3 - k) / 4), m = k - power * 4;

	*decimals = power >= 1 ? 0 : m == 2 ? 1 - power : -power;
	return mantissa[m] * pow(10, power);
}

static int ticks_in(double lo, double hi, double step)
{
	return (int)(floor(hi / step + 1e-9) - ceil(lo / step - 1e-9)) + 1;
}

static double step_find(double lo, double hi, int most, int *decimals)
{
	int k = (int)floor(log10((hi - lo) / most)) * 4;

	for (int i = 0; i < 16; i++, k++) {
		double step = step_at(k, decimals);
		if (ticks_in(lo, hi, step) <= most)
			return step;
	}
	return hi - lo;
}

static void label_number(double v, int decimals, char out[24])
{
	char s[40];

	num_fixed(v, decimals, s);
	snprintf(out, 24, "%s%.20s", *s == '-' ? "\u2212" : "", *s == '-' ? s + 1 : s);
}

/* A range that ticks can be found in: finite, and not so narrow that its steps vanish in rounding. */
static bool is_range(double lo, double hi)
{
	return hi > lo && isfinite(hi - lo) && hi - lo > 1e-9 * fmax(fabs(lo), fabs(hi)) && hi - lo > 1e-250;
}

int ticks_linear(double lo, double hi, int most, struct tick out[TICKS_MAX])
{
	int decimals = 0, n = 0;
	double step, first;

	if (!is_range(lo, hi) || most > TICKS_MAX)
		return 0;
	step = step_find(lo, hi, most, &decimals);
	first = ceil(lo / step - 1e-9);
	for (int i = 0; i < ticks_in(lo, hi, step) && n < TICKS_MAX; i++, n++) {
		out[n].value = (first + i) * step;
		label_number(out[n].value, decimals, out[n].label);
	}
	return n;
}

void ticks_widen(double *lo, double *hi, int most)
{
	int decimals;
	double step;

	if (isfinite(*lo) && !(*hi > *lo))
		*hi = *lo + (*lo != 0 ? fabs(*lo) : 1);
	if (!is_range(*lo, *hi)) {
		*lo = 0;
		*hi = 1;
	}
	step = step_find(*lo, *hi, most, &decimals);
	*lo = floor(*lo / step + 1e-9) * step;
	*hi = ceil(*hi / step - 1e-9) * step;
}

static void label_short(double v, char out[24])
{
	char s[32];

	num_real12(v, s);
	snprintf(out, 24, "%.23s", s);
}

int ticks_log(double lo, double hi, int most, struct tick out[TICKS_MAX])
{
	static const double all[] = { 1, 2, 5 };
	int from, to, each, n = 0;

	if (!(lo > 0) || !(hi >= lo) || !isfinite(hi))
		return 0;
	from = (int)floor(log10(lo) + 1e-9);
	to = (int)floor(log10(hi) + 1e-9);
	each = (to - from + 1) * 3 <= most + 2 ? 3 : 1;
	for (int p = from; p <= to; p += each == 3 ? 1 : 1 + (to - from) / most)
		for (int i = 0; i < each; i++) {
			double v = all[i] * pow(10, p);
			if (v < lo * 0.999999 || v > hi * 1.000001 || n == TICKS_MAX)
				continue;
			out[n].value = v;
			label_short(v, out[n++].label);
		}
	return n;
}

int ticks_ratio(double lo, double hi, double per_ln, double gap, struct tick out[TICKS_MAX])
{
	/* The simplest first: a later one is drawn only where it has room. */
	static const double wanted[] = { 1, 2, 10, 100, 1000, 5, 1.5, 20, 50, 1.2, 3, 1.1, 200, 500, 1.05, 1.02, 1.01 };
	int n = 0;

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		for (int side = 0; side < (i ? 2 : 1); side++) {
			double v = side ? 1 / wanted[i] : wanted[i];
			bool room = v >= lo && v <= hi && n < TICKS_MAX;
			for (int k = 0; k < n && room; k++)
				room = fabs(log(v) - log(out[k].value)) * per_ln >= gap;
			if (!room)
				continue;
			out[n].value = v;
			if (i == 0)
				strcpy(out[n].label, "1.0");
			else {
				label_short(wanted[i], out[n].label);
				strcat(out[n].label, "x");
			}
			n++;
		}
	return n;
}

int ticks_nines(double hi, struct tick out[TICKS_MAX])
{
	static const struct tick all[] = { { 0, "p0" }, { 0.5, "p50" }, { 0.9, "p90" }, { 0.99, "p99" },
		{ 0.999, "p99.9" }, { 0.9999, "p99.99" }, { 0.99999, "p99.999" } };
	int n = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].value <= hi + 1e-9)
			out[n++] = all[i];
	return n;
}

double ticks_width(const struct tick *t, int n)
{
	double w = 0;

	for (int i = 0; i < n; i++)
		w = fmax(w, chart_text_width(t[i].label, R_TEXT2));
	return w;
}

static double scaled(enum chart_scale s, double v)
{
	switch (s) {
	case CHART_LOG: return log10(v);
	case CHART_LOG2: return log2(v);
	case CHART_NINES: return -log10(1 - v);
	default: return v;
	}
}

double axis_at(const struct axis *a, double v)
{
	double lo = scaled(a->scale, a->lo), hi = scaled(a->scale, a->hi);

	if (hi == lo)
		return (a->from + a->to) / 2;
	return a->from + (scaled(a->scale, v) - lo) / (hi - lo) * (a->to - a->from);
}
