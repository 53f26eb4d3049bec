/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "reports/chart_axis.h"

#define POINTS_MOST 480 /* a line with more keeps the least and the greatest of each stretch */

struct end {
	const struct line *line;
	double x, y, at, height; /* the line's end; where its words go; how tall they are */
};

struct plan {
	const struct lines *g;
	struct drawing *d;
	bool narrow;
	struct axis x, y;
	double top, bottom;
};

static enum chart_role line_role(const struct line *l)
{
	static const enum chart_role roles[] = { R_SUBJECT, R_VARIANT, R_REFERENCE, R_OTHER };

	if (l->thin)
		return l->excluded ? R_RUN_OUT : R_RUN;
	return l->fitted ? R_FIT : roles[l->style];
}

static bool is_accent(const struct line *l)
{
	return l->style == CHART_SUBJECT || l->style == CHART_VARIANT;
}

static void span_take(double v, bool positive, double *lo, double *hi)
{
	if (!isfinite(v) || (positive && !(v > 0)))
		return;
	*lo = fmin(*lo, v);
	*hi = fmax(*hi, v);
}

static void x_range(const struct lines *g, struct axis *a)
{
	double lo = INFINITY, hi = -INFINITY;

	a->scale = g->x.scale;
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->lines[i].n; k++)
			if (a->scale != CHART_NINES || g->lines[i].x[k] < 1)
				span_take(g->lines[i].x[k], a->scale == CHART_LOG || a->scale == CHART_LOG2, &lo, &hi);
	if (a->scale == CHART_NINES || (a->scale == CHART_LINEAR && lo > 0))
		lo = fmin(lo, 0);
	a->lo = g->x.lo != g->x.hi ? g->x.lo : isfinite(lo) ? lo : 0;
	a->hi = g->x.lo != g->x.hi ? g->x.hi : isfinite(hi) ? hi : 1;
}

static void y_range(const struct lines *g, struct axis *a)
{
	bool log = g->y.scale == CHART_LOG;
	double lo = INFINITY, hi = -INFINITY;

	a->scale = g->y.scale;
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->lines[i].n; k++) {
			const struct line *l = &g->lines[i];
			span_take(l->y[k], log, &lo, &hi);
			if (l->lo && l->hi) {
				span_take(l->lo[k], log, &lo, &hi);
				span_take(l->hi[k], log, &lo, &hi);
			}
		}
	if (!isfinite(lo)) {
		lo = log ? 1 : 0;
		hi = log ? 10 : 1;
	}
	if (g->y.lo != g->y.hi) {
		lo = g->y.lo;
		hi = g->y.hi;
	} else if (log) {
		lo *= 0.85;
		hi *= hi > lo ? 1.15 : 10;
	} else {
		lo = fmin(lo, 0);
		ticks_widen(&lo, &hi, 7);
	}
	a->lo = lo;
	a->hi = hi;
}

static int ticks_y(const struct plan *p, struct tick ticks[TICKS_MAX])
{
	return p->y.scale == CHART_LOG ? ticks_log(p->y.lo, p->y.hi, 9, ticks)
				       : ticks_linear(p->y.lo, p->y.hi, p->narrow ? 6 : 8, ticks);
}

static void grid_y(const struct plan *p)
{
	struct tick ticks[TICKS_MAX];
	int n = ticks_y(p, ticks);

	for (int i = 0; i < n; i++) {
		double y = axis_at(&p->y, ticks[i].value);
		draw_line(p->d, R_GRID, p->x.from, y, p->x.to, y);
		draw_text(p->d, R_TEXT2, AT_END, p->x.from - 7, y + 4, 0, ticks[i].label);
	}
	draw_text(p->d, R_TEXT2, AT_START, 0, p->top - 13, 0, p->g->y.unit);
}

static const struct line *labelled(const struct lines *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->lines[i].x_labels)
			return &g->lines[i];
	return NULL;
}

static void tick_x(const struct plan *p, double x, const char *label, double *free_from)
{
	double w = chart_text_width(label, R_TEXT2) / 2;

	if (!isfinite(x) || x < p->x.from - 1 || x > p->x.to + 1)
		return;
	draw_line(p->d, R_AXIS, x, p->bottom, x, p->bottom + 4);
	if (x - w < *free_from)
		return;
	if (x + w > p->d->w)
		draw_text(p->d, R_TEXT2, AT_END, p->d->w, p->bottom + 18, 0, label);
	else
		draw_text(p->d, R_TEXT2, AT_MIDDLE, x, p->bottom + 18, 0, label);
	*free_from = x + w + 8;
}

static void grid_x(const struct plan *p)
{
	const struct line *l = labelled(p->g);
	struct tick ticks[TICKS_MAX];
	double free_from = 0, middle = (p->x.from + p->x.to) / 2;
	int n = p->x.scale == CHART_NINES ? ticks_nines(p->x.hi, ticks)
		: p->x.scale == CHART_LINEAR ? ticks_linear(p->x.lo, p->x.hi, p->narrow ? 6 : 9, ticks)
					     : ticks_log(p->x.lo, p->x.hi, 9, ticks);

	if (l)
		for (size_t i = 0; i < l->n; i++)
			tick_x(p, axis_at(&p->x, l->x[i]), l->x_labels[i], &free_from);
	for (int i = 0; i < n && !l; i++)
		tick_x(p, axis_at(&p->x, ticks[i].value), ticks[i].label, &free_from);
	draw_line(p->d, R_AXIS, p->x.from, p->bottom, p->x.to, p->bottom);
	if (p->g->x.unit && !p->narrow)
		draw_text(p->d, R_TEXT2, AT_START, fmax(free_from, p->x.to + 4), p->bottom + 18, 0, p->g->x.unit);
	else
		draw_text(p->d, R_TEXT2, AT_END, p->d->w, p->bottom + 36, 0, p->g->x.unit);
	draw_text(p->d, R_TEXT2, AT_MIDDLE, middle, p->bottom + 36, p->x.to - p->x.from, p->g->x.title);
}

/* Neighbours fall together into the least and the greatest of a stretch, in their order, so that a
 * short stall stays visible. */
static size_t thin_out(double *pts, size_t n)
{
	size_t each = (2 * n + POINTS_MOST - 1) / POINTS_MOST, out = 0;

	if (n <= POINTS_MOST)
		return n;
	for (size_t from = 0; from < n; from += each) {
		size_t to = from + each < n ? from + each : n, a = from, b = from, t;
		for (size_t i = from; i < to; i++) {
			double y = pts[2 * i + 1];
			if (isfinite(y) && !(y >= pts[2 * a + 1])) /* that one may have no value */
				a = i;
			if (isfinite(y) && !(y <= pts[2 * b + 1]))
				b = i;
		}
		if (a > b) {
			t = a;
			a = b;
			b = t;
		}
		for (int k = 0; k < (a == b ? 1 : 2); k++, out++) {
			pts[2 * out] = pts[2 * (k ? b : a)];
			pts[2 * out + 1] = pts[2 * (k ? b : a) + 1];
		}
	}
	return out;
}

static double inside(double v, double a, double b)
{
	return isfinite(v) ? fmin(fmax(v, fmin(a, b)), fmax(a, b)) : v;
}

static double y_at(const struct plan *p, double v)
{
	return inside(axis_at(&p->y, v), p->y.from, p->y.to);
}

static void band_draw(const struct plan *p, const struct line *l)
{
	double *pts = mem_array(l->n * 4 + 2, sizeof *pts);
	size_t n = 0;

	for (size_t k = 0; k < 2 * l->n; k++) {
		size_t i = k < l->n ? k : 2 * l->n - 1 - k;
		double x = axis_at(&p->x, l->x[i]), y = y_at(p, k < l->n ? l->hi[i] : l->lo[i]);
		if (!isfinite(x) || !isfinite(y))
			continue;
		pts[2 * n] = x;
		pts[2 * n++ + 1] = y;
	}
	draw_path(p->d, is_accent(l) ? R_BAND : R_BAND2, pts, n, true);
	free(pts);
}

static void line_draw(const struct plan *p, const struct line *l)
{
	double *pts = mem_array(l->n * 2 + 2, sizeof *pts);
	size_t n;

	for (size_t i = 0; i < l->n; i++) {
		pts[2 * i] = axis_at(&p->x, l->x[i]);
		pts[2 * i + 1] = y_at(p, l->y[i]);
	}
	n = thin_out(pts, l->n);
	draw_path(p->d, line_role(l), pts, n, false);
	for (size_t i = 0; i < n && l->marks; i++)
		draw_circle(p->d, is_accent(l) ? R_MARK : R_MARK_INK, pts[2 * i], pts[2 * i + 1], 2.6);
	free(pts);
}

static int by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	return x->y < y->y ? -1 : x->y > y->y ? 1 : x->line < y->line ? -1 : 1;
}

static size_t ends_find(const struct plan *p, struct end *ends)
{
	size_t n = 0;

	for (size_t i = 0; i < p->g->n; i++) {
		const struct line *l = &p->g->lines[i];
		size_t k = l->n;
		while (k && !(isfinite(axis_at(&p->x, l->x[k - 1])) && isfinite(axis_at(&p->y, l->y[k - 1]))))
			k--;
		if (!k || l->thin || !l->label)
			continue;
		ends[n++] = (struct end){ l, axis_at(&p->x, l->x[k - 1]), y_at(p, l->y[k - 1]), 0,
					  l->sub ? 31 : 17 };
	}
	qsort(ends, n, sizeof *ends, by_height);
	return n;
}

/* Down from the top, each below the one before; then up from the bottom where they ran over. */
static void ends_spread(const struct plan *p, struct end *ends, size_t n)
{
	double limit = p->bottom + 3;

	for (size_t i = 0; i < n; i++) {
		double least = i ? ends[i - 1].at + ends[i - 1].height : p->top - 16;
		ends[i].at = fmax(ends[i].y - 8, least);
	}
	for (size_t i = n; i-- > 0; limit = ends[i].at)
		ends[i].at = fmin(ends[i].at, limit - ends[i].height);
}

static void ends_draw(const struct plan *p)
{
	struct end *ends = mem_array(p->g->n + 1, sizeof *ends);
	size_t n = ends_find(p, ends);

	ends_spread(p, ends, n);
	for (size_t i = 0; i < n; i++) {
		const struct end *e = &ends[i];
		bool far = e->x < p->x.to - 8;
		double x = e->x + 10, room = far ? 0 : p->d->w - x;
		enum chart_role r = is_accent(e->line) ? R_ACCENT_BOLD : R_BOLD;
		if (fabs(e->at + 8 - e->y) > 5)
			draw_line(p->d, R_LEAD, e->x + 3, e->y, e->x + 8, e->at + 8);
		if (far) {
			draw_text_halo(p->d, r, AT_START, x, e->at + 12, e->line->label);
			draw_text_halo(p->d, R_TEXT2, AT_START, x, e->at + 26, e->line->sub ? e->line->sub : "");
		} else {
			draw_text(p->d, r, AT_START, x, e->at + 12, room, e->line->label);
			draw_text(p->d, R_TEXT2, AT_START, x, e->at + 26, room, e->line->sub);
		}
	}
	free(ends);
}

/* On a phone the words stand under the plot, each with a piece of its line. */
static double key_draw(const struct plan *p, double y)
{
	for (size_t i = 0; i < p->g->n; i++) {
		const struct line *l = &p->g->lines[i];
		double w;
		if (l->thin || !l->label)
			continue;
		w = chart_text_width(l->label, R_BOLD);
		draw_line(p->d, line_role(l), 0, y + 8, 28, y + 8);
		draw_text(p->d, is_accent(l) ? R_ACCENT_BOLD : R_BOLD, AT_START, 36, y + 12, 290, l->label);
		if (36 + w + 120 < 328)
			draw_text(p->d, R_TEXT2, AT_START, 44 + w, y + 12, 328 - 44 - w, l->sub);
		else if (l->sub)
			draw_text(p->d, R_TEXT2, AT_START, 36, (y += 16) + 12, 290, l->sub);
		y += 20;
	}
	return y;
}

/* For the words of lines that reach the right end; the others' stand inside the plot. */
static double room_right(const struct lines *g, double x_most)
{
	double w = 24;

	for (size_t i = 0; i < g->n; i++) {
		const struct line *l = &g->lines[i];
		if (l->thin || !l->label || !l->n || (g->x.scale == CHART_LINEAR && l->x[l->n - 1] < 0.93 * x_most))
			continue;
		w = fmax(w, chart_text_width(l->label, R_BOLD) + 14);
		w = fmax(w, l->sub ? chart_text_width(l->sub, R_TEXT2) + 14 : 0);
	}
	return fmin(w, 220);
}

static void cuts_draw(const struct plan *p)
{
	for (size_t i = 0; i < p->g->n_cuts; i++) {
		double x = axis_at(&p->x, p->g->cuts[i].x);
		draw_line(p->d, R_CUT, x, p->top - 6, x, p->bottom);
		if (p->g->cuts[i].label)
			draw_text_halo(p->d, R_TEXT2, AT_START, x + 6, p->top + 2, p->g->cuts[i].label);
	}
}

static void points_draw(const struct plan *p)
{
	for (size_t i = 0; i < p->g->n_points; i++) {
		double x = axis_at(&p->x, p->g->points[i].x), y = y_at(p, p->g->points[i].y);
		const char *label = p->g->points[i].label ? p->g->points[i].label : "";
		double w = chart_text_width(label, R_TEXT);
		bool left = x + w + 14 > p->x.to;
		draw_circle(p->d, R_HOLLOW, x, y, 4.5);
		draw_text_halo(p->d, R_TEXT, left ? AT_END : AT_START, left ? x - 9 : x + 9,
			       y + (y > p->bottom - 30 ? -8 : 18), label);
	}
}

/* Gives the height that the row takes. */
static double under_draw(const struct plan *p)
{
	const struct lines_under *u = &p->g->under;
	double y = p->bottom + (p->g->x.title ? 46 : 28);

	if (!u->n || p->narrow)
		return 0;
	draw_line(p->d, R_HAIR, 0, y, p->d->w, y);
	draw_text_wrap(p->d, R_TEXT2, 0, y + 16, p->x.from + 8, 2, 14, u->label);
	for (size_t i = 0; i < u->n; i++) {
		double x = axis_at(&p->x, u->x[i]);
		if (isfinite(x) && x >= p->x.from - 1 && x <= p->x.to + 1)
			draw_text_halo(p->d, R_BOLD, AT_MIDDLE, i ? x : fmax(x, p->x.from + 24), y + 16, u->words[i]);
	}
	return 36;
}

void lines_draw(const struct lines *g, bool narrow, struct drawing *d)
{
	struct plan p = { .g = g, .d = d, .narrow = narrow, .top = 30, .bottom = narrow ? 230 : 300 };
	struct tick ticks[TICKS_MAX];

	x_range(g, &p.x);
	y_range(g, &p.y);
	p.x.from = fmin(fmax(narrow ? 40 : 48, ticks_width(ticks, ticks_y(&p, ticks)) + 10), 120);
	p.x.to = narrow ? 312 : 800 - room_right(g, p.x.hi);
	p.y.from = p.bottom;
	p.y.to = p.top;
	for (size_t i = 0; i < g->n; i++)
		if (g->lines[i].lo && g->lines[i].hi)
			band_draw(&p, &g->lines[i]);
	grid_y(&p);
	grid_x(&p);
	for (int thin = 1; thin >= 0; thin--)
		for (size_t i = 0; i < g->n; i++)
			if (g->lines[i].thin == thin)
				line_draw(&p, &g->lines[i]);
	cuts_draw(&p);
	points_draw(&p);
	d->h = p.bottom + (g->x.title || (narrow && g->x.unit) ? 42 : 24);
	d->h += under_draw(&p);
	if (narrow)
		d->h = key_draw(&p, d->h + 4);
	else
		ends_draw(&p);
}
