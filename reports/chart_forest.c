/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_model.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "reports/chart_axis.h"

#define BAND_LEAST 12.0  /* units: a margin band narrower than this shows nothing */
#define PAD_LN 0.06      /* of air at both ends of the axis */

struct plan {
	const struct forest *f;
	struct drawing *d;
	bool narrow;
	double left, right;    /* of the plot */
	double top, row;       /* first row's top, height of a row */
	double lo, hi;         /* natural logarithms */
	bool one_margin;
};

static double at(const struct plan *p, double ratio)
{
	return p->left + (log(ratio) - p->lo) / (p->hi - p->lo) * (p->right - p->left);
}

static double row_least(const struct forest_row *r)
{
	return log(r->lo > 0 && r->lo < r->ratio ? r->lo : r->ratio);
}

static double row_most(const struct forest_row *r)
{
	return log(isfinite(r->hi) && r->hi > r->ratio ? r->hi : r->ratio);
}

static int by_distance(const void *a, const void *b)
{
	const struct forest_row *x = *(struct forest_row *const *)a, *y = *(struct forest_row *const *)b;
	double dx = fmax(-row_least(x), row_most(x)), dy = fmax(-row_least(y), row_most(y));

	return dx < dy ? -1 : dx > dy ? 1 : x < y ? -1 : x > y;
}

/* From the nearest to the farthest row, the axis grows while the margin band keeps its width; what
 * lies beyond becomes an arrow. */
static void range_find(struct plan *p)
{
	const struct forest *f = p->f;
	const struct forest_row **rows = mem_array(f->n + 1, sizeof *rows);
	double band = INFINITY, lo = 0, hi = 0, most;
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct forest_row *r = &f->rows[i];
		if (r->margin_lo > 0 && r->margin_hi > r->margin_lo)
			band = fmin(band, log(r->margin_hi) - log(r->margin_lo));
		lo = fmin(lo, r->margin_lo > 0 ? 2 * log(r->margin_lo) : 0);
		hi = fmax(hi, r->margin_hi > 0 ? 2 * log(r->margin_hi) : 0);
		if (r->ratio > 0 && isfinite(r->ratio))
			rows[n++] = r;
	}
	most = isfinite(band) ? band * (p->right - p->left) / BAND_LEAST : log(1000);
	qsort(rows, n, sizeof *rows, by_distance);
	for (size_t i = 0; i < n; i++) {
		double a = fmin(lo, row_least(rows[i]) - PAD_LN), b = fmax(hi, row_most(rows[i]) + PAD_LN);
		if (b - a > most) { /* its ratio at least, with an end of its interval cut off */
			a = fmin(lo, log(rows[i]->ratio) - 3 * PAD_LN);
			b = fmax(hi, log(rows[i]->ratio) + 3 * PAD_LN);
		}
		if (b - a > most)
			break;
		lo = a;
		hi = b;
	}
	free(rows);
	p->lo = lo < 0 ? lo : -0.1;
	p->hi = hi > 0 ? hi : 0.1;
}

static void margin_draw(const struct plan *p, double lo, double hi, double top, double bottom)
{
	double a = fmax(at(p, lo), p->left), b = fmin(at(p, hi), p->right);

	if (!(lo > 0) || !(hi > lo))
		return;
	draw_rect(p->d, R_BAND, a, top, b - a, bottom - top);
	draw_line(p->d, R_EDGE, a, top, a, bottom);
	draw_line(p->d, R_EDGE, b, top, b, bottom);
}

static void scale_draw(const struct plan *p, double bottom)
{
	struct tick ticks[TICKS_MAX];
	int n = ticks_ratio(exp(p->lo), exp(p->hi), (p->right - p->left) / (p->hi - p->lo), 34, ticks);

	for (int i = 0; i < n; i++) {
		double x = at(p, ticks[i].value);
		enum chart_role role = i == 0 ? R_TEXT : R_TEXT2;
		if (i)
			draw_line(p->d, R_GRID, x, p->top, x, bottom);
		draw_line(p->d, R_AXIS, x, bottom, x, bottom + 4);
		draw_text(p->d, role, AT_MIDDLE, x, bottom + 18, 0, ticks[i].label);
	}
	draw_text(p->d, R_TEXT2, AT_MIDDLE, fmin(at(p, 1), p->d->w - 60), bottom + 33, 120, p->f->margin);
}

static void mark_draw(struct drawing *d, enum chart_mark m, double x, double y)
{
	switch (m) {
	case CHART_DECIDED:
		draw_rect(d, R_MARK, x - 4, y - 4, 8, 8);
		break;
	case CHART_EQUIVALENT:
		draw_circle(d, R_MARK, x, y, 4.5);
		break;
	case CHART_OPEN:
		draw_circle(d, R_HOLLOW, x, y, 4);
		break;
	case CHART_VOID:
		draw_line(d, R_CROSS, x - 4.5, y - 4.5, x + 4.5, y + 4.5);
		draw_line(d, R_CROSS, x - 4.5, y + 4.5, x + 4.5, y - 4.5);
		break;
	}
}

/* At the edge of the plot, where something goes on beyond it. */
static void head_draw(const struct plan *p, const struct forest_row *r, double dir, double y)
{
	double tip = dir < 0 ? p->left : p->right;
	double head[] = { tip, y, tip - dir * 9, y - 5, tip - dir * 9, y + 5 };

	draw_path(p->d, r->mark == CHART_VOID ? R_MARK2 : R_MARK, head, 3, true);
}

static void arrow_draw(const struct plan *p, const struct forest_row *r, double y)
{
	double dir = r->ratio < 1 ? -1 : 1, tip = dir < 0 ? p->left : p->right;

	draw_line(p->d, r->mark == CHART_VOID ? R_CI_VOID : R_CI, tip - dir * 30, y, tip - dir * 8, y);
	head_draw(p, r, dir, y);
}

static void interval_draw(const struct plan *p, const struct forest_row *r, double y)
{
	double x = at(p, r->ratio);

	if (!(r->ratio > 0) || !isfinite(r->ratio))
		return;
	if (log(r->ratio) < p->lo || log(r->ratio) > p->hi) {
		arrow_draw(p, r, y);
		return;
	}
	if (r->lo > 0 && isfinite(r->hi)) {
		draw_line(p->d, r->mark == CHART_VOID ? R_CI_VOID : R_CI, fmax(at(p, r->lo), p->left), y,
			  fmin(at(p, r->hi), p->right), y);
		if (at(p, r->lo) < p->left)
			head_draw(p, r, -1, y);
		if (at(p, r->hi) > p->right)
			head_draw(p, r, 1, y);
	}
	mark_draw(p->d, r->mark, x, y);
}

static char *ratio_words(const struct forest_row *r)
{
	char s[40];

	if (r->ratio_text)
		return mem_strdup(r->ratio_text);
	if (!(r->ratio > 0) || !isfinite(r->ratio))
		return mem_strdup("");
	num_sig(r->ratio < 1 ? 1 / r->ratio : r->ratio, 3, s);
	return mem_printf("%sx", s);
}

static void row_draw(const struct plan *p, size_t i)
{
	const struct forest_row *r = &p->f->rows[i];
	bool quiet = r->mark == CHART_VOID, firm = r->mark == CHART_DECIDED || r->mark == CHART_EQUIVALENT;
	double top = p->top + (double)i * p->row, mid = top + p->row / 2;
	enum chart_role words = quiet ? R_TEXT2 : R_TEXT;
	mem_auto char *ratio = ratio_words(r);

	if (p->narrow) {
		double room = fmin(chart_text_width(r->verdict ? r->verdict : "", R_VERDICT) * 1.1, 130) + 10;
		draw_text(p->d, R_BOLD, AT_START, 0, top + 13, 328 - room, r->label);
		draw_text(p->d, words, AT_START, 0, top + 28, 328, ratio);
		draw_text(p->d, quiet ? R_VERDICT2 : R_VERDICT, AT_END, 328, top + 13, 130, r->verdict);
		interval_draw(p, r, top + 41);
		return;
	}
	if (chart_text_width(r->label, words) > p->left - 14)
		draw_text_wrap(p->d, words, 0, mid - 3, p->left - 14, 2, 14, r->label);
	else
		draw_text(p->d, words, AT_START, 0, mid + 4, 0, r->label);
	draw_text(p->d, firm ? R_BOLD : words, AT_END, 690, mid + 4, 114, ratio);
	draw_text(p->d, quiet ? R_VERDICT2 : R_VERDICT, AT_END, 800, mid + 4, 108, r->verdict);
	if (i + 1 < p->f->n) {
		draw_line(p->d, R_HAIR, 0, top + p->row, p->left - 10, top + p->row);
		draw_line(p->d, R_HAIR, p->right + 10, top + p->row, 800, top + p->row);
	}
	interval_draw(p, r, mid);
}

static void heads_draw(const struct plan *p)
{
	double one = at(p, 1), right = one + 6;

	if (!p->narrow) {
		draw_text(p->d, R_TEXT2, AT_START, 0, 14, p->left, p->f->head_question);
		draw_text(p->d, R_TEXT2, AT_END, 690, 14, 90, p->f->head_ratio);
		draw_text(p->d, R_TEXT2, AT_END, 800, 14, 100, p->f->head_verdict);
	}
	if (p->f->faster) {
		mem_auto char *s = mem_printf("%s \u25ba", p->f->faster);
		right = fmin(one + 6, (p->narrow ? p->d->w : p->right + 10) - fmin(chart_text_width(s, R_TEXT2), 100));
		draw_text(p->d, R_TEXT2, AT_START, right, 14, 100, s);
	}
	if (p->f->slower) {
		mem_auto char *s = mem_printf("\u25c4 %s", p->f->slower);
		draw_text(p->d, R_TEXT2, AT_END, right - 12, 14, 100, s);
	}
}

/* A row's share of the plot: all of it when wide, the strip under its words when narrow. */
static void bands_draw(const struct plan *p, double bottom)
{
	const struct forest *f = p->f;

	if (p->one_margin && f->n && !p->narrow)
		margin_draw(p, f->rows[0].margin_lo, f->rows[0].margin_hi, p->top, bottom);
	for (size_t i = 0; i < f->n && (!p->one_margin || p->narrow); i++) {
		double top = p->top + (double)i * p->row;
		margin_draw(p, f->rows[i].margin_lo, f->rows[i].margin_hi, top + (p->narrow ? 33 : 0),
			    top + p->row - (p->narrow ? 1 : 0));
	}
}

void forest_draw(const struct forest *f, bool narrow, struct drawing *d)
{
	struct plan p = { .f = f, .d = d, .narrow = narrow, .one_margin = true,
			  .left = narrow ? 6 : 216, .right = narrow ? 322 : 574, .top = 22,
			  .row = narrow ? 52 : 28 };
	double bottom = p.top + (double)f->n * p.row;

	for (size_t i = 1; i < f->n; i++) {
		p.one_margin &= f->rows[i].margin_lo == f->rows[0].margin_lo &&
				f->rows[i].margin_hi == f->rows[0].margin_hi;
		if (!narrow && chart_text_width(f->rows[i].label, R_TEXT) > p.left - 14)
			p.row = 34;
	}
	bottom = p.top + (double)f->n * p.row;
	range_find(&p);
	bands_draw(&p, bottom);
	scale_draw(&p, bottom);
	heads_draw(&p);
	if (narrow)
		for (size_t i = 0; i < f->n; i++)
			draw_line(d, R_ONE, at(&p, 1), p.top + (double)i * p.row + 33, at(&p, 1),
				  p.top + (double)(i + 1) * p.row - 1);
	else
		draw_line(d, R_ONE, at(&p, 1), p.top, at(&p, 1), bottom);
	for (size_t i = 0; i < f->n; i++)
		row_draw(&p, i);
	if (!narrow)
		draw_line(d, R_RULE, 0, p.top, 800, p.top);
	draw_line(d, R_RULE, 0, bottom, d->w, bottom);
	d->h = bottom + (f->margin ? 38 : 23);
}
