/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "reports/chart_axis.h"

#define PANELS_MOST 24

struct plan {
	const struct dots *g;
	struct drawing *d;
	double share;    /* of the mean, up and down, that each panel spans */
	double w, h;     /* of a panel */
	double indent;   /* of its plot */
};

/* Room for the widest tick label of any panel. */
static double indent_find(const struct dots *g, double share)
{
	struct tick ticks[TICKS_MAX];
	double w = 32;

	for (size_t i = 0; i < g->n && i < PANELS_MOST; i++) {
		double m = g->panels[i].mean, span = fabs(m) * share;
		w = fmax(w, ticks_width(ticks, ticks_linear(m - span, m + span, 4, ticks)));
	}
	return fmin(w + 10, 110);
}

/* All panels span the same share of their mean, so that scatter can be compared between them. */
static double share_find(const struct dots *g)
{
	double share = 0.01;

	for (size_t i = 0; i < g->n; i++) {
		const struct dots_panel *p = &g->panels[i];
		double m = fabs(p->mean);
		if (!(m > 0))
			continue;
		for (size_t k = 0; k < p->n; k++)
			if (isfinite(p->y[k]))
				share = fmax(share, fabs(p->y[k] - p->mean) / m);
		if (isfinite(p->lo) && isfinite(p->hi))
			share = fmax(share, fmax(p->hi - p->mean, p->mean - p->lo) / m);
	}
	return share * 1.12;
}

static void scale_draw(const struct plan *p, const struct dots_panel *q, double x, const struct axis *y)
{
	struct tick ticks[TICKS_MAX];
	int n = ticks_linear(y->lo, y->hi, 4, ticks);

	for (int i = 0; i < n; i++) {
		double at = axis_at(y, ticks[i].value);
		draw_line(p->d, R_GRID, x + p->indent, at, x + p->w, at);
		draw_text(p->d, R_TEXT2, AT_END, x + p->indent - 6, at + 4, 0, ticks[i].label);
	}
	if (isfinite(q->lo) && isfinite(q->hi)) {
		double a = axis_at(y, q->hi), b = axis_at(y, q->lo);
		draw_rect(p->d, R_BAND, x + p->indent, a, p->w - p->indent, b - a);
		draw_line(p->d, R_EDGE, x + p->indent, a, x + p->w, a);
		draw_line(p->d, R_EDGE, x + p->indent, b, x + p->w, b);
	}
	draw_line(p->d, R_MEAN, x + p->indent, axis_at(y, q->mean), x + p->w, axis_at(y, q->mean));
}

static void dot_draw(const struct plan *p, const struct dots_panel *q, size_t k, double x, double y)
{
	bool accent = q->style == CHART_SUBJECT || q->style == CHART_VARIANT;

	if (!q->excluded[k]) {
		draw_circle(p->d, accent ? R_MARK : R_MARK_INK, x, y, q->n > 40 ? 2 : 3.5);
		return;
	}
	draw_circle(p->d, R_HOLLOW_THIN, x, y, 4);
	draw_line(p->d, R_CROSS_THIN, x - 2.6, y - 2.6, x + 2.6, y + 2.6);
	draw_line(p->d, R_CROSS_THIN, x - 2.6, y + 2.6, x + 2.6, y - 2.6);
}

static void panel_draw(const struct plan *p, const struct dots_panel *q, double x, double top)
{
	double m = q->mean, span = fabs(m) * p->share;
	struct axis y = { .lo = m - span, .hi = m + span, .from = top + p->h - 24, .to = top + 22 };
	double plot = p->w - p->indent, each = q->n ? plot / (double)q->n : plot;
	size_t skip = 1;

	draw_text(p->d, R_BOLD, AT_START, x, top + 11, p->w - chart_text_width(q->value ? q->value : "", R_BOLD) - 8,
		  q->label);
	draw_text(p->d, R_BOLD, AT_END, x + p->w, top + 11, 0, q->value);
	if (!(span > 0))
		return;
	scale_draw(p, q, x, &y);
	while (each * (double)skip < 20)
		skip++;
	draw_text(p->d, R_TEXT2, AT_START, x, top + p->h - 5, p->indent - 2, p->g->block);
	for (size_t k = 0; k < q->n; k++) {
		double at = x + p->indent + each * ((double)k + 0.5);
		char s[24];
		snprintf(s, sizeof s, "%zu", k + 1);
		if (k % skip == 0)
			draw_text(p->d, R_TEXT2, AT_MIDDLE, at, top + p->h - 5, 0, s);
		if (isfinite(q->y[k]))
			dot_draw(p, q, k, at, axis_at(&y, q->y[k]));
	}
}

void dots_draw(const struct dots *g, bool narrow, struct drawing *d)
{
	size_t across = narrow ? 1 : 3, n = g->n < PANELS_MOST ? g->n : PANELS_MOST;
	struct plan p = { .g = g, .d = d, .share = share_find(g), .h = 132, .w = narrow ? 328 : 248 };
	char more[64];

	p.indent = indent_find(g, p.share);
	for (size_t i = 0; i < n; i++)
		panel_draw(&p, &g->panels[i], (double)(i % across) * (p.w + 28), (double)(i / across) * (p.h + 16));
	d->h = (double)((n + across - 1) / across) * (p.h + 16) - 14;
	if (n < g->n) {
		snprintf(more, sizeof more, "+ %zu", g->n - n);
		draw_text(d, R_TEXT2, AT_END, d->w, d->h + 12, 0, more);
		d->h += 18;
	}
}
