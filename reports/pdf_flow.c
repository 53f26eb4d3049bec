/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/utf8.h"

const struct pdf_style st_body = { F_SERIF, 10, 14.6, INK_INK, false }, st_lead = { F_SERIF, 12, 16.2, INK_INK, false },
	st_small = { F_SANS, 7.7, 11, INK_SECOND, false }, st_caption = { F_SANS | F_BOLD, 8.3, 11.6, INK_INK, false },
	st_table = { F_SANS, 7.7, 10.2, INK_INK, false }, st_head = { F_SANS, 7.7, 10.2, INK_SECOND, false },
	st_label = { F_SANS, 7.9, 14.6, INK_SECOND, false }, st_code = { F_MONO, 7.7, 11, INK_INK, false },
	st_h2 = { F_SANS | F_BOLD, 15, 18, INK_INK, false }, st_h3 = { F_SANS | F_BOLD, 10.2, 13, INK_INK, false };

static bool breaks_after(uint32_t c)
{
	return c == ' ' || c == 0x2009 || c == 0x2008 || c == 0x2007;
}

/* ---- one run's face, size and colour ---- */

static struct pdf_style run_style(const struct pdf_style *base, const struct doc_run *r)
{
	struct pdf_style s = *base;

	if (r->marks & DOC_EVIDENCE)
		s = (struct pdf_style){ F_SANS, 7.9, base->lead, INK_ACCENT, false };
	if (r->marks & DOC_CODE) {
		s.face = F_MONO | (s.face & 3);
		s.size *= 0.86;
	}
	if (r->marks & DOC_STRONG)
		s.face |= F_BOLD;
	if (r->marks & DOC_EM)
		s.face ^= F_ITALIC;
	if (r->marks & DOC_SMALL)
		s.size *= 0.92;
	if (r->marks & (DOC_SMALL | DOC_MUTED | DOC_STRUCK))
		s.color = INK_SECOND;
	if (r->marks & DOC_SUP)
		s.size *= 0.72;
	if (r->marks & DOC_FAIL) {
		s.face |= F_BOLD;
		s.color = INK_PAPER;
	}
	if (r->marks & DOC_WARN)
		s.face |= F_BOLD;
	if (r->kind != DOC_RUN_TEXT)
		s.color = INK_ACCENT;
	return s;
}

/* ---- characters with their widths ---- */

struct chars {
	struct flow_char *v;
	size_t n, cap;
};

static void char_push(struct chars *x, uint32_t c, double w, uint16_t run)
{
	if (x->n == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 64;
		x->v = mem_resize(x->v, x->cap, sizeof *x->v);
	}
	x->v[x->n++] = (struct flow_char){ c, (float)w, run };
}

/* What the face lacks is printed as its code point, so that nothing vanishes. Variation selectors
 * have no shape of their own. */
static void char_put(struct lay *l, struct chars *x, uint32_t c, const struct pdf_style *s, uint16_t run)
{
	int w = pdf_char_width(l->fonts, s->face, c);
	char code[16];

	if (w >= 0) {
		char_push(x, c, w * s->size / 1000, run);
		return;
	}
	if ((c >= 0xfe00 && c <= 0xfe0f) || c == 0x200d)
		return;
	snprintf(code, sizeof code, "[U+%04X]", (unsigned)c);
	for (const char *p = code; *p; p++) {
		w = pdf_char_width(l->fonts, s->face, (unsigned char)*p);
		char_push(x, (unsigned char)*p, (w > 0 ? w : 0) * s->size / 1000, run);
	}
}

/* "4 KiB" and "30 s" are not torn apart. */
static bool is_unit(const char *from, const char *space)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "kB", "MB", "GB", "TB", "ms", "s", "\u00b5s", "ns" };

	if (space == from || space[-1] < '0' || space[-1] > '9')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		size_t n = strlen(units[i]);
		if (strncmp(space + 1, units[i], n) == 0 && !((space[1 + n] | 32) >= 'a' && (space[1 + n] | 32) <= 'z'))
			return true;
	}
	return false;
}

static void run_put(struct lay *l, struct chars *x, const struct doc_run *r, uint16_t run, const struct pdf_style *base)
{
	struct pdf_style s = run_style(base, r);
	/* A short addition stays in one piece: an interval goes under its number as a whole. */
	bool whole = r->marks & DOC_SMALL && strlen(r->text) < 40;
	const char *p = r->text;

	while (*p) {
		uint32_t c = utf8_next(&p);
		if (whole && c == ' ')
			c = p - 1 > r->text ? 0xa0 : base->below ? '\n' : ' ';
		if (c == ' ' && is_unit(r->text, p - 1))
			c = 0xa0;
		if (c == '\n')
			char_push(x, c, 0, run);
		else
			char_put(l, x, c, &s, run);
	}
}

/* ---- lines ---- */

static void line_add(struct flow *f, size_t from, size_t to)
{
	struct flow_line *line = VEC_ADD(f->lines, f->n_lines);

	while (to > from && f->chars[to - 1].c == ' ')
		to--;
	line->from = from;
	line->to = to;
	for (size_t i = from; i < to; i++)
		line->w += f->chars[i].w;
}

/* Where an over-long word may be cut before anywhere else. */
static bool cuts_after(uint32_t c)
{
	return c == '/' || c == '-' || c == '_' || c == ',' || c == ':' || c == '&' || c == 0x2013 || c == 0x2014;
}

static void lines_make(struct flow *f, double width)
{
	size_t from = 0, space = 0, cut = 0;
	double w = 0;

	for (size_t i = 0; i < f->n; i++) {
		uint32_t c = f->chars[i].c;
		if (c == '\n') {
			line_add(f, from, i);
			from = space = cut = i + 1;
			w = 0;
			continue;
		}
		w += f->chars[i].w;
		if (w > width + 0.01 && c != ' ' && i > from) {
			size_t at = space > from ? space : cut > from ? cut : i;
			line_add(f, from, at);
			from = at;
			i = at - 1;
			w = 0;
			space = cut = from;
			continue;
		}
		if (breaks_after(c))
			space = i + 1;
		if (cuts_after(c))
			cut = i + 1;
	}
	if (from < f->n || !f->n_lines)
		line_add(f, from, f->n);
}

/* The page number that the last pass found; in the first pass a stand-in of the usual width. */
static void pages_put(struct lay *l, struct doc_text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct doc_run *r = &t->runs[i];
		const struct doc_block *b = r->page ? document_find(l->d, r->target) : NULL;
		mem_auto char *old = NULL;
		if (!b)
			continue;
		for (size_t k = 0; k < l->d->n_blocks; k++)
			if (l->d->blocks[k] == b) {
				int page = l->before ? l->before[k].page : 0;
				old = r->text;
				r->text = mem_printf("%s,\u00a0%s\u00a0%d", old, l->d->words[DOC_W_PAGE], page ? page : 10);
				break;
			}
	}
}

void flow_init(struct lay *l, struct flow *f, const struct doc_text *t, const struct pdf_style *st, double width)
{
	struct chars x = { 0 };

	*f = (struct flow){ .style = *st };
	f->text.runs = mem_array(t->n + 1, sizeof *f->text.runs);
	f->text.n = t->n;
	for (size_t i = 0; i < t->n; i++) {
		f->text.runs[i] = t->runs[i];
		f->text.runs[i].text = mem_strdup(t->runs[i].text);
		f->text.runs[i].target = mem_strdup(t->runs[i].target);
	}
	l->link = NULL;
	pages_put(l, &f->text);
	for (size_t i = 0; i < f->text.n; i++)
		run_put(l, &x, &f->text.runs[i], (uint16_t)(i < 0xffff ? i : 0xffff), st);
	f->chars = x.v;
	f->n = x.n;
	lines_make(f, width);
}

/* Line ends count here (code blocks, heads of two lines). */
void flow_init_str(struct lay *l, struct flow *f, const char *s, const struct pdf_style *st, double width)
{
	struct doc_run run = { .text = (char *)s };
	struct chars x = { 0 };
	const char *p = s;

	*f = (struct flow){ .style = *st };
	f->text.runs = mem_array(1, sizeof *f->text.runs);
	f->text.runs[0] = (struct doc_run){ .text = mem_strdup(run.text) };
	f->text.n = 1;
	while (*p) {
		uint32_t c = utf8_next(&p);
		if (c == '\n')
			char_push(&x, c, 0, 0);
		else
			char_put(l, &x, c, st, 0);
	}
	f->chars = x.v;
	f->n = x.n;
	lines_make(f, width);
}

double flow_natural(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double *longest_word)
{
	struct chars x = { 0 };
	double w = 0, most = 0, word = 0;

	*longest_word = 0;
	for (size_t i = 0; i < t->n; i++)
		run_put(l, &x, &t->runs[i], 0, st);
	for (size_t i = 0; i < x.n; i++) {
		w = x.v[i].c == '\n' ? 0 : w + x.v[i].w;
		most = w > most ? w : most;
		word = x.v[i].c == '\n' || breaks_after(x.v[i].c) ? 0 : word + x.v[i].w;
		if (word > *longest_word)
			*longest_word = word;
	}
	free(x.v);
	return most;
}

void flow_release(struct flow *f)
{
	doc_text_release(&f->text);
	free(f->chars);
	free(f->lines);
	*f = (struct flow){ 0 };
}

/* ---- drawing ---- */

static void decorate(struct lay *l, const struct doc_run *r, const struct pdf_style *s, double x, double y, double w)
{
	struct pdf_page *p = lay_page(l);

	if (r->marks & DOC_FAIL)
		pdf_op_add(p, P_RECT, INK_INK, x - 2, y - s->size * 0.86, w + 4, s->size * 1.16);
	if (r->marks & DOC_WARN)
		pdf_op_add(p, P_FRAME, INK_INK, x - 2, y - s->size * 0.88, w + 4, s->size * 1.2)->width = 0.6;
	if (r->marks & DOC_STRUCK)
		lay_rule(l, x, x + w, y - s->size * 0.28, 0.5, INK_INK);
	if (r->kind == DOC_RUN_TEXT)
		return;
	lay_rule(l, x, x + w, y + 1.4, 0.4, INK_ACCENT);
	if (r->target) {
		struct pdf_op *o = pdf_op_add(p, P_LINK, INK_NONE, x, y - s->size, w, s->size * 1.35);
		o->text = mem_strdup(r->target);
		o->url = r->kind == DOC_RUN_URL;
	}
}

/* One for all lines that a link runs over. */
static int link_tag(struct lay *l, const struct doc_run *r)
{
	if (l->link != r || l->link_parent != l->tag) {
		l->link = r;
		l->link_parent = l->tag;
		l->link_tag = tag_new(l, "Link", l->tag);
	}
	return l->link_tag;
}

/* Characters from..to of one run at x; gives the width. */
static double segment_draw(struct lay *l, const struct flow *f, size_t from, size_t to, double x, double y)
{
	const struct doc_run *r = &f->text.runs[f->chars[from].run];
	struct pdf_style s = run_style(&f->style, r);
	struct buf b = BUF_INIT;
	int tag = l->tag;
	double w = 0;

	for (size_t i = from; i < to; i++) {
		/* Extracted text shall have plain spaces between words. */
		utf8_put(&b, f->chars[i].c == 0xa0 ? ' ' : f->chars[i].c);
		w += f->chars[i].w;
	}
	if (r->kind != DOC_RUN_TEXT && r->target && tag)
		tag_to(l, link_tag(l, r));
	decorate(l, r, &s, x, y, f->chars[to - 1].c == ' ' && r->kind != DOC_RUN_TEXT ? w - f->chars[to - 1].w : w);
	pdf_text_add(lay_page(l), s.face, s.size, s.color, x, r->marks & DOC_SUP ? y - s.size * 0.5 : y, buf_str(&b));
	buf_release(&b);
	tag_to(l, tag);
	return w;
}

void flow_draw(struct lay *l, const struct flow *f, size_t from, size_t to, double x, double y, double w,
	       enum doc_align align)
{
	for (size_t i = from; i < to && i < f->n_lines; i++) {
		const struct flow_line *line = &f->lines[i];
		double at = x + (align == DOC_RIGHT || align == DOC_DECIMAL ? w - line->w
				 : align == DOC_CENTER			    ? (w - line->w) / 2
									    : 0);
		double base = y + (double)(i - from) * f->style.lead + f->style.lead * 0.5 + f->style.size * 0.34;
		/* The space that the line broke at stays in the text for those who extract it. */
		size_t end = line->to < f->n && i + 1 < f->n_lines && f->chars[line->to].c == ' ' ? line->to + 1 : line->to;
		for (size_t a = line->from; a < end;) {
			size_t b = a;
			while (b < end && f->chars[b].run == f->chars[a].run)
				b++;
			at += segment_draw(l, f, a, b, at, base);
			a = b;
		}
	}
}

void flow_place(struct lay *l, const struct flow *f, double x, double w)
{
	size_t from = 0;

	while (from < f->n_lines) {
		size_t left = f->n_lines - from;
		size_t fit = l->bottom > l->y ? (size_t)((l->bottom - l->y + 0.01) / f->style.lead) : 0;
		if (fit < left && left - fit < 2 && fit > 2)
			fit = left > 2 ? left - 2 : 0;
		if (fit < left && fit < 2 && !lay_at_top(l)) {
			lay_break(l);
			continue;
		}
		fit = fit < 1 ? 1 : fit > left ? left : fit;
		flow_draw(l, f, from, from + fit, x, l->y, w, DOC_LEFT);
		l->y += (double)fit * f->style.lead;
		from += fit;
		if (from < f->n_lines)
			lay_break(l);
	}
}

void str_space(struct lay *l)
{
	struct pdf_page *p = lay_page(l);
	struct pdf_op *o = p->n ? &p->ops[p->n - 1] : NULL;
	mem_auto char *old = NULL;

	if (!o || o->kind != P_TEXT)
		return;
	old = o->text;
	o->text = mem_printf("%s ", old);
}

double str_width(struct lay *l, const char *s, const struct pdf_style *st)
{
	struct flow f;
	double w;

	flow_init_str(l, &f, s, st, 1e9);
	w = f.lines[0].w;
	flow_release(&f);
	return w;
}

void str_draw(struct lay *l, const char *s, const struct pdf_style *st, double x, double y, double max,
	      enum doc_align align)
{
	mem_auto char *cut = mem_strdup(s);
	struct flow f;
	double w;

	/* Cut at character ends until it fits. */
	while (max > 0 && str_width(l, cut, st) > max && strlen(cut) > 4) {
		size_t n = strlen(cut) - (strstr(cut, "\u2026") ? 3 : 0), step = n > 40 ? n / 8 : 1;
		n -= step;
		while (n && (cut[n] & 0xc0) == 0x80)
			n--;
		cut[n] = 0;
		cut = mem_resize(cut, n + 4, 1);
		memcpy(cut + n, "\u2026", 4);
	}
	flow_init_str(l, &f, cut, st, 1e9);
	w = f.lines[0].w;
	flow_draw(l, &f, 0, 1, align == DOC_RIGHT ? x - w : align == DOC_CENTER ? x - w / 2 : x,
		  y - st->lead * 0.5 - st->size * 0.34, w, DOC_LEFT);
	flow_release(&f);
}
