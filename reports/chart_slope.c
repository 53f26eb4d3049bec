/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "reports/chart_axis.h"

#define STEP 17.0 /* between the words of neighbours */

struct plan {
	const struct slope *s;
	struct drawing *d;
	bool narrow;
	struct axis y;
	double left, right;
};

struct word {
	size_t row;
	double y, at;
};

static bool is_drawn(const struct plan *p, const struct slope_row *r)
{
	return isfinite(axis_at(&p->y, r->before)) && isfinite(axis_at(&p->y, r->after));
}

static void range_find(const struct slope *s, struct axis *y)
{
	double lo = INFINITY, hi = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double v[] = { s->rows[i].before, s->rows[i].after };
		for (int k = 0; k < 2; k++) {
			if (!isfinite(v[k]) || !(v[k] > 0))
				continue;
			lo = fmin(lo, v[k]);
			hi = fmax(hi, v[k]);
		}
	}
	y->scale = hi > 20 * lo ? CHART_LOG : CHART_LINEAR;
	y->lo = y->scale == CHART_LOG ? lo : 0;
	y->hi = hi > 0 ? hi : 1;
}

static int by_height(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return x->y < y->y ? -1 : x->y > y->y ? 1 : x->row < y->row ? -1 : 1;
}

/* Down from the top, then up from the bottom, so that no two stand on each other. */
static size_t words_place(const struct plan *p, bool after, struct word *w)
{
	double limit = p->y.from + 14;
	size_t n = 0;

	for (size_t i = 0; i < p->s->n; i++)
		if (is_drawn(p, &p->s->rows[i])) {
			w[n].row = i;
			w[n++].y = axis_at(&p->y, after ? p->s->rows[i].after : p->s->rows[i].before);
		}
	qsort(w, n, sizeof *w, by_height);
	for (size_t i = 0; i < n; i++)
		w[i].at = i ? fmax(w[i].y, w[i - 1].at + STEP) : w[i].y;
	for (size_t i = n; i-- > 0; limit = w[i].at)
		w[i].at = fmin(w[i].at, limit - STEP);
	return n;
}

static void words_draw(const struct plan *p, bool after)
{
	struct word *w = mem_array(p->s->n + 1, sizeof *w);
	size_t n = words_place(p, after, w);
	double x = after ? p->right : p->left, side = after ? 1 : -1;

	for (size_t i = 0; i < n; i++) {
		const struct slope_row *r = &p->s->rows[w[i].row];
		const char *value = after ? r->after_text : r->before_text;
		enum chart_role role = r->mark == CHART_DECIDED ? R_BOLD : r->mark == CHART_VOID ? R_TEXT2 : R_TEXT;
		double room = p->left - 14;
		if (fabs(w[i].at - w[i].y) > 4)
			draw_line(p->d, R_LEAD, x + side * 5, w[i].y, x + side * 11, w[i].at);
		if (after) {
			draw_text(p->d, role, AT_START, x + 14, w[i].at + 4, p->d->w - x - 14, value);
			continue;
		}
		draw_text(p->d, role, AT_END, x - 14, w[i].at + 4, 0, value);
		room -= chart_text_width(value ? value : "", role) + 10;
		if (!p->narrow)
			draw_text(p->d, role, AT_START, 0, w[i].at + 4, room, r->label);
	}
	free(w);
}

static void line_draw(const struct plan *p, const struct slope_row *r)
{
	double a = axis_at(&p->y, r->before), b = axis_at(&p->y, r->after);
	enum chart_role role = r->mark == CHART_DECIDED ? R_CI : r->mark == CHART_VOID ? R_CI_VOID : R_RUN;
	enum chart_role dot = r->mark == CHART_DECIDED ? R_MARK : R_MARK2;

	if (!is_drawn(p, r))
		return;
	draw_line(p->d, role, p->left, a, p->right, b);
	draw_circle(p->d, dot, p->left, a, 3.5);
	draw_circle(p->d, dot, p->right, b, 3.5);
}

/* On a phone the names stand under the plot, each with its two values. */
static double names_draw(const struct plan *p, double y)
{
	for (size_t i = 0; i < p->s->n; i++, y += 18) {
		const struct slope_row *r = &p->s->rows[i];
		double w = chart_text_width(r->before_text ? r->before_text : "", R_TEXT2);
		draw_text(p->d, r->mark == CHART_DECIDED ? R_BOLD : R_TEXT, AT_START, 0, y + 12, 320 - w, r->label);
		draw_text(p->d, R_TEXT2, AT_END, 328, y + 12, 0, r->before_text);
	}
	return y;
}

/* On a phone the words of the right side get the room that they need, down to a short slope. */
static double right_of_phone(const struct slope *s, double left)
{
	double widest = 0;

	for (size_t i = 0; i < s->n; i++)
		widest = fmax(widest, chart_text_width(s->rows[i].after_text ? s->rows[i].after_text : "", R_BOLD));
	return fmax(left + 112, fmin(210, 328 - 16 - widest));
}

void slope_draw(const struct slope *s, bool narrow, struct drawing *d)
{
	double height = fmax(180, (double)s->n * STEP * 1.3), top = narrow ? 18 : 0, left = narrow ? 62 : 300;
	struct plan p = { .s = s, .d = d, .narrow = narrow, .left = left, .right = narrow ? right_of_phone(s, left) : 560,
			  .y = { .from = top + 34 + height, .to = top + 34 } };

	range_find(s, &p.y);
	for (int side = 0; side < 2; side++) {
		double x = side ? p.right : p.left;
		draw_line(d, R_AXIS, x, top + 24, x, p.y.from + 6);
		draw_text(d, R_TEXT2, AT_MIDDLE, x, top + 12, 200, side ? s->after : s->before);
	}
	draw_text(d, R_TEXT2, AT_START, 0, 12, narrow ? 120 : p.left - 60, s->unit);
	/* The decided ones last, so that they lie on top. */
	for (int decided = 0; decided < 2; decided++)
		for (size_t i = 0; i < s->n; i++)
			if ((s->rows[i].mark == CHART_DECIDED) == decided)
				line_draw(&p, &s->rows[i]);
	words_draw(&p, false);
	words_draw(&p, true);
	d->h = p.y.from + 14;
	if (narrow)
		d->h = names_draw(&p, d->h + 4);
}
