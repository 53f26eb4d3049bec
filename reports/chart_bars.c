/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <string.h>

#include "reports/chart_axis.h"

struct plan {
	const struct bars *g;
	struct drawing *d;
	bool narrow;
	struct axis x;
	double row, bar; /* heights */
};

static double total(const struct bar *b)
{
	double sum = 0;

	for (size_t i = 0; i < b->n; i++)
		sum += isfinite(b->values[i]) ? b->values[i] : 0;
	return sum;
}

/* How much of the names inside a bar is left out so that all of them fit: nothing, the words that all begin
 * with, or all but the number at the end. */
enum part_words { PARTS_WHOLE, PARTS_OWN, PARTS_NUMBER };

static size_t words_alike(const struct bar *b)
{
	size_t n = 0, end = 0;

	for (;; n++) {
		char c = b->parts[0][n];
		for (size_t i = 1; i < b->n; i++)
			if (b->parts[i][n] != c)
				return end;
		if (!c || b->n < 2)
			return end;
		end = c == ' ' ? n + 1 : end;
	}
}

static const char *part_text(const struct bar *b, size_t i, enum part_words how)
{
	const char *number = strrchr(b->parts[i], ' ');

	return how == PARTS_WHOLE ? b->parts[i] : how == PARTS_OWN || !number ? b->parts[i] + words_alike(b) : number + 1;
}

static bool parts_fit(const struct plan *p, const struct bar *b, enum part_words how)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->values[i] > 0 && chart_text_width(part_text(b, i, how), R_IN1) >
		    axis_at(&p->x, b->values[i]) - axis_at(&p->x, 0) - 14)
			return false;
	return true;
}

/* A number alone stands in the middle and needs little room beside it; none that would be cut is drawn. */
static void part_draw(const struct plan *p, enum chart_role r, const char *text, double a, double top, double w,
		      enum part_words how)
{
	double y = top + p->bar / 2 + 4;

	if (how != PARTS_NUMBER)
		draw_text(p->d, r, AT_START, a + 9, y, w - 14, text);
	else if (chart_text_width(text, r) <= w - 4)
		draw_text(p->d, r, AT_MIDDLE, a + w / 2, y, w - 4, text);
}

static void parts_draw(const struct plan *p, const struct bar *b, double top)
{
	enum part_words how = PARTS_WHOLE;
	double sum = 0;

	while (b->parts && how < PARTS_NUMBER && !parts_fit(p, b, how))
		how++;

	for (size_t i = 0; i < b->n; i++) {
		double a = axis_at(&p->x, sum), w;
		if (!(b->values[i] > 0))
			continue;
		sum += b->values[i];
		w = axis_at(&p->x, sum) - a;
		draw_rect(p->d, i % 2 ? R_BAR2 : R_BAR1, a, top, w, p->bar);
		if (b->parts)
			part_draw(p, i % 2 ? R_IN2 : R_IN1, part_text(b, i, how), a, top, w, how);
	}
	if (isfinite(b->lo) && isfinite(b->hi))
		draw_line(p->d, R_CI_INK, axis_at(&p->x, b->lo), top + p->bar / 2, axis_at(&p->x, b->hi),
			  top + p->bar / 2);
}

static double words_width(const struct bar *b)
{
	return fmax(chart_text_width(b->end ? b->end : "", R_BOLD), chart_text_width(b->end_sub ? b->end_sub : "", R_TEXT2));
}

/* Whether the words stand right of the bar; else under it. */
static bool fits(const struct plan *p, const struct bar *b)
{
	return axis_at(&p->x, total(b)) + 12 + words_width(b) < p->d->w;
}

static void bar_draw(const struct plan *p, const struct bar *b, double top)
{
	double end = axis_at(&p->x, total(b)) + 12, y = top + (p->narrow ? 22 : 0);

	if (p->narrow) {
		double w = fmin(chart_text_width(b->label, R_BOLD), 150) + 10;
		draw_text(p->d, R_BOLD, AT_START, 0, top + 12, 150, b->label);
		draw_text(p->d, R_TEXT2, AT_START, w, top + 12, 328 - w, b->sub);
	} else {
		draw_text(p->d, R_BOLD, AT_START, 0, y + p->bar / 2 - 3, p->x.from - 10, b->label);
		draw_text(p->d, R_TEXT2, AT_START, 0, y + p->bar / 2 + 12, p->x.from - 10, b->sub);
	}
	parts_draw(p, b, y);
	if (fits(p, b)) {
		draw_text_halo(p->d, R_BOLD, AT_START, end, y + p->bar / 2 - 3, b->end ? b->end : "");
		draw_text_halo(p->d, R_TEXT2, AT_START, end, y + p->bar / 2 + 12, b->end_sub ? b->end_sub : "");
	} else {
		draw_text(p->d, R_BOLD, AT_START, p->x.from, y + p->bar + 16, 0, b->end);
		draw_text(p->d, R_TEXT2, AT_START, p->x.from, y + p->bar + 31, 0, b->end_sub);
	}
}

static void scale_draw(const struct plan *p, double top, double bottom)
{
	struct tick ticks[TICKS_MAX];
	int n = ticks_linear(p->x.lo, p->x.hi, p->narrow ? 4 : 6, ticks);

	for (int i = 0; i < n; i++) {
		double x = axis_at(&p->x, ticks[i].value);
		draw_line(p->d, R_GRID, x, top, x, bottom);
		draw_line(p->d, R_AXIS, x, bottom, x, bottom + 4);
		draw_text(p->d, R_TEXT2, i ? AT_MIDDLE : AT_START, x, bottom + 18, 0, ticks[i].label);
	}
	draw_line(p->d, R_AXIS, p->x.from, bottom, p->x.to, bottom);
	draw_text(p->d, R_TEXT2, AT_END, p->d->w, bottom + 33, 0, p->g->unit);
}

static void ideal_draw(const struct plan *p, double top, double bottom)
{
	double x = axis_at(&p->x, p->g->ideal);

	if (!(p->g->ideal > 0))
		return;
	draw_line(p->d, R_IDEAL, x, top - 4, x, bottom);
	draw_text_halo(p->d, R_TEXT2, x > p->d->w / 2 ? AT_END : AT_START, x + (x > p->d->w / 2 ? 4 : -4), top - 9,
		       p->g->ideal_label ? p->g->ideal_label : "");
}

void bars_draw(const struct bars *g, bool narrow, struct drawing *d)
{
	struct plan p = { .g = g, .d = d, .narrow = narrow, .row = narrow ? 102 : 76, .bar = 36,
			  .x = { .from = narrow ? 0 : 132, .to = narrow ? 318 : 760 } };
	double top = 26, bottom;

	p.x.hi = g->ideal;
	for (size_t i = 0; i < g->n; i++)
		p.x.hi = fmax(p.x.hi, fmax(total(&g->bars[i]), isfinite(g->bars[i].hi) ? g->bars[i].hi : 0));
	ticks_widen(&p.x.lo, &p.x.hi, 12);
	for (size_t i = 0; i < g->n && !narrow; i++)
		if (!fits(&p, &g->bars[i]))
			p.row = 104;
	bottom = top + (double)g->n * p.row;
	scale_draw(&p, top, bottom);
	for (size_t i = 0; i < g->n; i++)
		bar_draw(&p, &g->bars[i], top + 10 + (double)i * p.row);
	ideal_draw(&p, top, bottom);
	d->h = bottom + (g->unit ? 38 : 22);
}
