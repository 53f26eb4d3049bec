/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "reports/chart_axis.h"

struct plan {
	const struct steady *s;
	struct drawing *d;
	bool narrow;
	struct axis x;
	double row, label; /* label: width of the names */
};

#define LABEL_MOST 300.0

static void signed_percent(double v, char out[48])
{
	char s[40];
	bool zero;

	num_fixed(fabs(v) * 100, fabs(v) < 1 ? 1 : 0, s);
	zero = strspn(s, "0.") == strlen(s);
	snprintf(out, 48, "%s%s", zero ? "" : v < 0 ? "\u2212" : "+", s);
}

static void slope_words(const struct steady_row *r, char out[160])
{
	char a[48], lo[48], hi[48];

	signed_percent(r->slope, a);
	signed_percent(r->lo, lo);
	signed_percent(r->hi, hi);
	if (isfinite(r->lo) && isfinite(r->hi))
		snprintf(out, 160, "%s%% (%s to %s)", a, lo, hi);
	else
		snprintf(out, 160, "%s%%", a);
}

static void row_draw(const struct plan *p, size_t i)
{
	const struct steady_row *r = &p->s->rows[i];
	double top = (double)i * p->row, y = p->narrow ? top + 27 : top + p->row / 2;
	enum chart_role ink = r->steady ? R_MARK_INK : R_MARK;
	char words[160];

	slope_words(r, words);
	if (p->narrow) {
		draw_text(p->d, r->steady ? R_TEXT : R_BOLD, AT_START, 0, top + 13, 150, r->label);
		draw_text(p->d, R_TEXT2, AT_END, 328, top + 13, 175, words);
	} else {
		draw_text(p->d, r->steady ? R_TEXT : R_BOLD, AT_START, 0, y + 4, p->label, r->label);
		draw_text(p->d, R_TEXT2, AT_START, 540, y + 4, 148, words);
		draw_text(p->d, r->steady ? R_TEXT2 : R_VERDICT, AT_END, 800, y + 4, 110, r->word);
	}
	draw_line(p->d, r->steady ? R_CI_INK : R_CI, axis_at(&p->x, r->lo), y, axis_at(&p->x, r->hi), y);
	if (r->steady)
		draw_circle(p->d, ink, axis_at(&p->x, r->slope), y, 4);
	else
		draw_rect(p->d, ink, axis_at(&p->x, r->slope) - 4, y - 4, 8, 8);
}

static void range_find(const struct steady *s, struct axis *x)
{
	double most = s->limit * 1.35;

	for (size_t i = 0; i < s->n; i++) {
		const double v[] = { s->rows[i].slope, s->rows[i].lo, s->rows[i].hi };
		for (int k = 0; k < 3; k++)
			if (isfinite(v[k]) && fabs(v[k]) * 1.08 > most)
				most = fabs(v[k]) * 1.08;
	}
	x->lo = -most;
	x->hi = most;
}

static void scale_draw(const struct plan *p, double bottom)
{
	struct tick ticks[TICKS_MAX];
	int n = ticks_linear(p->x.lo * 100, p->x.hi * 100, p->narrow ? 5 : 7, ticks);
	double a = axis_at(&p->x, -p->s->limit), b = axis_at(&p->x, p->s->limit);

	for (size_t i = 0; i < (p->narrow ? p->s->n : 1); i++)
		draw_rect(p->d, R_BAND, a, p->narrow ? (double)i * p->row + 19 : 0, b - a, p->narrow ? 17 : bottom);
	for (int i = 0; i < n; i++) {
		double x = axis_at(&p->x, ticks[i].value / 100);
		char s[40];
		snprintf(s, sizeof s, "%s%s%s", ticks[i].value > 1e-12 ? "+" : "", ticks[i].label,
			 fabs(ticks[i].value) > 1e-12 ? "%" : "");
		if (!p->narrow)
			draw_line(p->d, R_GRID, x, 0, x, bottom);
		draw_line(p->d, R_AXIS, x, bottom, x, bottom + 4);
		draw_text(p->d, R_TEXT2, AT_MIDDLE, x, bottom + 18, 0, s);
	}
	for (size_t i = 0; i < (p->narrow ? p->s->n : 1); i++) {
		double top = p->narrow ? (double)i * p->row + 19 : 0, end = p->narrow ? top + 17 : bottom;
		draw_line(p->d, R_EDGE, a, top, a, end);
		draw_line(p->d, R_EDGE, b, top, b, end);
		draw_line(p->d, R_ONE, axis_at(&p->x, 0), top, axis_at(&p->x, 0), end);
	}
	draw_line(p->d, R_AXIS, p->x.from, bottom, p->x.to, bottom);
	draw_text(p->d, R_TEXT2, AT_MIDDLE, axis_at(&p->x, 0), bottom + 33, 0, p->s->limit_word);
}

void steady_draw(const struct steady *s, bool narrow, struct drawing *d)
{
	struct plan p = { .s = s, .d = d, .narrow = narrow, .row = narrow ? 38 : 26,
			  .x = { .from = narrow ? 8 : 172, .to = narrow ? 320 : 524 }, .label = 160 };
	double bottom = (double)s->n * p.row + 4;

	for (size_t i = 0; i < s->n && !narrow; i++)
		p.label = fmin(LABEL_MOST, fmax(p.label, chart_text_width(s->rows[i].label, R_BOLD)));
	p.x.from = narrow ? p.x.from : p.label + 12;
	range_find(s, &p.x);
	scale_draw(&p, bottom);
	for (size_t i = 0; i < s->n; i++)
		row_draw(&p, i);
	d->h = bottom + (s->limit_word ? 38 : 23);
}
