/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/chart_draw.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "reports/utf8.h"

#define TEXT_SIZE 12.5

const struct chart_role_style chart_roles[R_MAX] = {
	[R_TEXT] = { "kt", INK_INK, 0, 0, { 0 }, false, TEXT_SIZE },
	[R_TEXT2] = { "kt2", INK_SECOND, 0, 0, { 0 }, false, TEXT_SIZE },
	[R_BOLD] = { "ktb", INK_INK, 0, 0, { 0 }, true, TEXT_SIZE },
	[R_ACCENT] = { "kta", INK_ACCENT, 0, 0, { 0 }, false, TEXT_SIZE },
	[R_ACCENT_BOLD] = { "ktab", INK_ACCENT, 0, 0, { 0 }, true, TEXT_SIZE },
	[R_VERDICT] = { "kv", INK_INK, 0, 0, { 0 }, true, 11.5 },
	[R_VERDICT2] = { "kv2", INK_SECOND, 0, 0, { 0 }, true, 11.5 },
	[R_IN1] = { "ki1", INK_ON_ACCENT, 0, 0, { 0 }, true, TEXT_SIZE },
	[R_IN2] = { "ki2", INK_INK, 0, 0, { 0 }, true, TEXT_SIZE },
	[R_GRID] = { "kg", 0, INK_HAIR, 1, { 0 }, false, 0 },
	[R_HAIR] = { "kh", 0, INK_HAIR, 1, { 0 }, false, 0 },
	[R_RULE] = { "kr", 0, INK_INK, 1, { 0 }, false, 0 },
	[R_AXIS] = { "kx", 0, INK_SECOND, 1, { 0 }, false, 0 },
	[R_EDGE] = { "ke", 0, INK_ACCENT, 0.4, { 0 }, false, 0 },
	[R_ONE] = { "k1", 0, INK_INK, 1.25, { 0 }, false, 0 },
	[R_CUT] = { "kc", 0, INK_INK, 1, { 0 }, false, 0 },
	[R_LEAD] = { "kl", 0, INK_RUN, 0.8, { 0 }, false, 0 },
	[R_IDEAL] = { "kd", 0, INK_INK, 1.25, { 5, 3 }, false, 0 },
	[R_CI] = { "kci", 0, INK_ACCENT, 2, { 0 }, false, 0 },
	[R_CI_INK] = { "kck", 0, INK_INK, 2, { 0 }, false, 0 },
	[R_CI_VOID] = { "kcv", 0, INK_SECOND, 1.5, { 3, 3 }, false, 0 },
	[R_CROSS] = { "kcr", 0, INK_SECOND, 2, { 0 }, false, 0 },
	[R_CROSS_THIN] = { "kct", 0, INK_SECOND, 1.2, { 0 }, false, 0 },
	[R_MEAN] = { "km", 0, INK_INK, 1.4, { 0 }, false, 0 },
	[R_RUN] = { "kn", 0, INK_RUN, 0.9, { 0 }, false, 0 },
	[R_RUN_OUT] = { "kno", 0, INK_INK, 1.25, { 4, 3 }, false, 0 },
	[R_FIT] = { "kf", 0, INK_INK, 2, { 7, 3 }, false, 0 },
	[R_SUBJECT] = { "ks", 0, INK_ACCENT, 2, { 0 }, false, 0 },
	[R_VARIANT] = { "ksv", 0, INK_ACCENT, 2, { 6, 4 }, false, 0 },
	[R_REFERENCE] = { "ksr", 0, INK_INK, 2, { 0 }, false, 0 },
	[R_OTHER] = { "kso", 0, INK_SECOND, 2, { 2, 3 }, false, 0 },
	[R_BAND] = { "kb", INK_BAND, 0, 0, { 0 }, false, 0 },
	[R_BAND2] = { "kb2", INK_HAIR, 0, 0, { 0 }, false, 0 },
	[R_MARK] = { "kk", INK_ACCENT, 0, 0, { 0 }, false, 0 },
	[R_MARK_INK] = { "kki", INK_INK, 0, 0, { 0 }, false, 0 },
	[R_MARK2] = { "kk2", INK_SECOND, 0, 0, { 0 }, false, 0 },
	[R_HOLLOW] = { "ko", INK_PAPER, INK_ACCENT, 2, { 0 }, false, 0 },
	[R_HOLLOW_THIN] = { "kot", INK_PAPER, INK_SECOND, 1.2, { 0 }, false, 0 },
	[R_BAR1] = { "kp", INK_ACCENT, INK_ACCENT, 1, { 0 }, false, 0 },
	[R_BAR2] = { "kp2", INK_BAR2, INK_ACCENT, 1, { 0 }, false, 0 },
};

void drawing_release(struct drawing *d)
{
	for (size_t i = 0; i < d->n; i++) {
		free(d->ops[i].pts);
		free(d->ops[i].text);
		free(d->ops[i].full);
	}
	free(d->ops);
	*d = (struct drawing){ 0 };
}

/* Widths of U+0020 to U+007E in thousandths, regular and bold: the public metrics of Helvetica, which
 * Liberation Sans keeps. */
static const short regular[95] = {
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
	556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
	611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
	667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
	222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584 };
static const short bold[95] = {
	278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
	556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
	611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
	667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
	278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584 };

static double char_width(uint32_t c, bool is_bold)
{
	if (c >= 0x20 && c < 0x7f)
		return is_bold ? bold[c - 0x20] : regular[c - 0x20];
	if (c == 0x2212 || c == 0xd7 || c == 0xb1 || c == 0x2264 || c == 0x2265)
		return 584;
	if (c == 0x2026 || c == 0x2014)
		return 1000;
	return utf8_columns(c) == 2 ? 1000 : utf8_columns(c) == 0 ? 0 : 620;
}

double chart_text_width(const char *s, enum chart_role role)
{
	const struct chart_role_style *st = &chart_roles[role];
	double w = 0;

	while (*s)
		w += char_width(utf8_next(&s), st->bold);
	return w * st->size / 1000;
}

char *chart_text_fit(const char *s, enum chart_role role, double width)
{
	const struct chart_role_style *st = &chart_roles[role];
	double tail = chart_text_width(s, role), head = 0, room = width - st->size; /* of the "…" */
	const char *p = s, *q = s;

	if (tail <= width)
		return mem_strdup(s);
	for (const char *next = p; *p; p = next) {
		double w = char_width(utf8_next(&next), st->bold) * st->size / 1000;

		if (head + w > room / 2)
			break;
		head += w;
	}
	while (*q && head + tail > room)
		tail -= char_width(utf8_next(&q), st->bold) * st->size / 1000;
	return mem_printf("%.*s\u2026%s", (int)(p - s), s, q);
}

static struct op *op_add(struct drawing *d, enum op_kind kind, enum chart_role r, double x, double y)
{
	struct op *o = VEC_ADD(d->ops, d->n);

	o->kind = kind;
	o->role = r;
	o->x = x;
	o->y = y;
	return o;
}

void draw_line(struct drawing *d, enum chart_role r, double x1, double y1, double x2, double y2)
{
	struct op *o;

	if (!isfinite(x1) || !isfinite(y1) || !isfinite(x2) || !isfinite(y2))
		return;
	o = op_add(d, OP_LINE, r, x1, y1);
	o->w = x2;
	o->h = y2;
}

void draw_rect(struct drawing *d, enum chart_role r, double x, double y, double w, double h)
{
	struct op *o;

	if (!isfinite(x) || !isfinite(y) || !(w > 0) || !(h > 0) || !isfinite(w) || !isfinite(h))
		return;
	o = op_add(d, OP_RECT, r, x, y);
	o->w = w;
	o->h = h;
}

void draw_circle(struct drawing *d, enum chart_role r, double x, double y, double radius)
{
	if (isfinite(x) && isfinite(y))
		op_add(d, OP_CIRCLE, r, x, y)->w = radius;
}

static void path_part(struct drawing *d, enum chart_role r, const double *pts, size_t n, bool closed)
{
	struct op *o;

	if (n < 2)
		return;
	o = op_add(d, closed ? OP_SHAPE : OP_PATH, r, 0, 0);
	o->pts = mem_array(n * 2, sizeof *o->pts);
	memcpy(o->pts, pts, n * 2 * sizeof *pts);
	o->n_pts = n;
}

void draw_path(struct drawing *d, enum chart_role r, const double *pts, size_t n, bool closed)
{
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(pts[2 * i]) && isfinite(pts[2 * i + 1]))
			continue;
		if (closed)
			return;
		path_part(d, r, pts + 2 * from, i - from, false);
		from = i + 1;
	}
	path_part(d, r, pts + 2 * from, n - from, closed);
}

void draw_text(struct drawing *d, enum chart_role r, enum op_anchor at, double x, double y, double max,
	       const char *s)
{
	struct op *o;

	if (!s || !*s || !isfinite(x) || !isfinite(y))
		return;
	o = op_add(d, OP_TEXT, r, x, y);
	o->anchor = at;
	o->text = chart_text_fit(s, r, max > 0 ? max : d->w);
	if (strcmp(o->text, s) != 0)
		o->full = mem_strdup(s);
}

void draw_text_halo(struct drawing *d, enum chart_role r, enum op_anchor at, double x, double y, const char *s)
{
	size_t n = d->n;

	draw_text(d, r, at, x, y, 0, s);
	if (d->n > n)
		d->ops[n].halo = true;
}

int draw_text_wrap(struct drawing *d, enum chart_role r, double x, double y, double max, int lines,
		   double step, const char *s)
{
	mem_auto char *rest = mem_strdup(s ? s : "");
	char *from = rest;
	int n = 0;

	while (*from) {
		char *cut = NULL;
		if (n + 1 < lines && chart_text_width(from, r) > max)
			for (char *p = from; (p = strchr(p, ' ')) != NULL; p++) {
				*p = 0;
				if (chart_text_width(from, r) <= max)
					cut = p;
				*p = ' ';
			}
		if (cut)
			*cut = 0;
		draw_text(d, r, AT_START, x, y + n * step, max, from);
		n++;
		if (!cut)
			break;
		from = cut + 1;
	}
	return n;
}
