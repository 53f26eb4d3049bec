/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void block_of_text(struct lay *l, const char *s, const struct pdf_style *st, double x, double w, double gap)
{
	struct flow f;

	if (!s || !*s)
		return;
	flow_init_str(l, &f, s, st, w);
	flow_place(l, &f, l->left + x, w);
	flow_release(&f);
	l->y += gap;
}

/* Who issues it at the left, which report at the right, under both a rule. */
static void issuer_lay(struct lay *l)
{
	const struct document *d = l->d;
	struct pdf_style bold = { F_SANS | F_BOLD, 8, 11, INK_INK, false }, plain = { F_SANS, 8, 11, INK_SECOND, false };
	mem_auto char *id = mem_printf("%s %s", d->words[DOC_W_REPORT], d->report_id);
	double top = l->y, x = d->logo ? 60 : 0, right = COL * 0.45;
	struct flow f;

	if (d->logo) {
		int before = l->tag;
		tag_open(l, "Figure", TAG_DOCUMENT);
		l->tags.v[l->tag].alt = mem_strdup(d->logo_alt ? d->logo_alt : "");
		pdf_op_add(lay_page(l), P_IMAGE, INK_NONE, l->left, top, 50, 34);
		tag_to(l, before);
	}
	for (size_t i = 0; i < d->n_issuer; i++)
		block_of_text(l, d->issuer[i], i ? &plain : &bold, x, COL - right - x - 10, 0);
	flow_init_str(l, &f, id, &bold, right);
	flow_draw(l, &f, 0, f.n_lines, l->left + COL - right, top, right, DOC_RIGHT);
	l->y = fmax(l->y, top + flow_height(&f) + 11);
	if (d->revision)
		str_draw(l, d->revision, &plain, l->left + COL, top + flow_height(&f) + 8, right, DOC_RIGHT);
	flow_release(&f);
	l->y = fmax(l->y, top + (d->logo ? 36 : 0)) + 8;
	lay_rule(l, l->left, l->left + COL, l->y, 1, INK_INK);
}

static void facts_lay(struct lay *l)
{
	struct pdf_style label = { F_SANS, 8, 11, INK_SECOND, false }, value = { F_SANS | F_BOLD, 8.5, 11.5, INK_INK, false };
	double half = COL / 2, row = l->y, end = l->y;

	for (size_t i = 0; i < l->d->n_facts; i++) {
		const struct doc_fact *fact = &l->d->facts[i];
		struct flow a, b;
		double x = l->left + (i % 2 ? half : 0);
		flow_init_str(l, &a, fact->label, &label, half - 20);
		flow_init_str(l, &b, fact->value, &value, half - 20);
		if (i % 2 == 0) {
			row = l->y = end;
			lay_need(l, flow_height(&a) + flow_height(&b));
			row = end = l->y;
		}
		tag_open(l, "P", TAG_DOCUMENT);
		flow_draw(l, &a, 0, a.n_lines, x, row, half, DOC_LEFT);
		flow_draw(l, &b, 0, b.n_lines, x, row + flow_height(&a), half, DOC_LEFT);
		end = fmax(end, row + flow_height(&a) + flow_height(&b) + 10);
		flow_release(&a);
		flow_release(&b);
	}
	l->y = end;
}

static void only_lay(struct lay *l)
{
	struct pdf_style italic = { F_SERIF | F_ITALIC, 10, 14, INK_INK, false };
	struct pdf_style bold = { F_SANS | F_BOLD, 7.3, 11, INK_SECOND, false };
	struct flow f;
	double x = 0, w;

	if (l->d->footer) {
		flow_init_str(l, &f, l->d->footer, &italic, COL);
		flow_place(l, &f, l->left, COL);
		x = f.n_lines == 1 ? f.lines[0].w + 10 : COL;
		flow_release(&f);
	}
	if (!l->d->notice)
		return;
	flow_init_str(l, &f, l->d->notice, &bold, COL - 12);
	w = f.n_lines > 1 ? COL - 12 : f.lines[0].w;
	if (x + w + 12 > COL) {
		x = 0;
		l->y += 17;
	}
	lay_need(l, flow_height(&f) - 11);
	pdf_op_add(lay_page(l), P_FRAME, INK_SECOND, l->left + x, l->y - 13, w + 11, flow_height(&f) + 1.5)->width = 0.6;
	flow_draw(l, &f, 0, f.n_lines, l->left + x + 5.5, l->y - 12.1, w, DOC_LEFT);
	l->y += flow_height(&f) - 11;
	flow_release(&f);
}

static void contents_line(struct lay *l, unsigned number, const char *title, int page, const char *anchor)
{
	struct pdf_style light = { F_SANS, 9, 14, INK_SECOND, false }, words = { F_SANS, 9, 14, INK_INK, false };
	char n[16], p[16];
	struct pdf_op *o;
	double w, right = l->left + COL;

	tag_open(l, "Link", tag_new(l, "TOCI", l->list));
	snprintf(n, sizeof n, "%u", number);
	snprintf(p, sizeof p, "%d", page);
	lay_need(l, 15);
	str_draw(l, n, &light, l->left, l->y + 10, 0, DOC_LEFT);
	str_space(l);
	str_draw(l, title, &words, l->left + 22, l->y + 10, COL - 60, DOC_LEFT);
	str_space(l);
	w = fmin(str_width(l, title, &words), COL - 60);
	pdf_op_add(lay_page(l), P_DOTS, INK_SECOND, l->left + 22 + w + 5, l->y + 10, right - 20, l->y + 10)->width = 0.6;
	str_draw(l, page ? p : "", &words, right, l->y + 10, 0, DOC_RIGHT);
	o = pdf_op_add(lay_page(l), P_LINK, INK_NONE, l->left, l->y, COL, 14);
	o->text = mem_strdup(anchor);
	l->y += 15.2;
}

static void contents_lay(struct lay *l)
{
	const struct document *d = l->d;
	struct pdf_style bold = { F_SANS | F_BOLD, 10.2, 14, INK_INK, false };

	lay_need(l, 60);
	tag_open(l, "P", TAG_DOCUMENT);
	str_draw(l, d->words[DOC_W_CONTENTS], &bold, l->left, l->y + 10, 0, DOC_LEFT);
	l->list = tag_new(l, "TOC", TAG_DOCUMENT);
	l->y += 18;
	lay_rule(l, l->left, l->left + COL, l->y, 0.8, INK_INK);
	l->y += 6;
	if (d->first_section > 1)
		contents_line(l, d->first_section - 1, d->words[DOC_W_COVER], 1, "");
	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];
		mem_auto char *own = NULL;
		if (b->kind != DOC_B_SECTION)
			continue;
		own = mem_printf("#%zu", i);
		contents_line(l, b->section.number, b->section.title, l->before ? l->before[i].page : 0, own);
	}
}

static void attached_lay(struct lay *l)
{
	struct pdf_style st = st_small;
	const struct document *d = l->d;
	struct doc_text t = { 0 };
	struct flow f;

	if (!d->n_attachments)
		return;
	l->y += 8;
	doc_add(&t, "%s: ", d->words[DOC_W_ATTACHED]);
	for (size_t i = 0; i < d->n_attachments; i++)
		doc_add(&t, "%s%s", i ? ", " : "", d->attachments[i].name);
	doc_add(&t, ".");
	flow_init(l, &f, &t, &st, COL);
	flow_place(l, &f, l->left, COL);
	flow_release(&f);
	doc_text_release(&t);
}

#define ANSWER_MOST 190.0 /* height; a longer one is in the summary only */

/* The most important conclusion, as the summary says it: who has a minute reads one page. In HTML the summary
 * stands under the cover on the same screen. */
static void answer_lay(struct lay *l)
{
	const struct document *d = l->d;
	size_t i = 0;

	while (i < d->n_blocks && d->blocks[i]->kind != DOC_B_FINDING)
		i++;
	if (i == d->n_blocks || lay_finding_height(l, &d->blocks[i]->finding) > ANSWER_MOST)
		return;
	l->list = tag_new(l, "L", TAG_DOCUMENT);
	lay_finding(l, d->blocks[i], i);
	l->y += 18;
}

/* On one line if a little smaller type brings it there; a long one smaller still, on several. */
static void title_fit(struct lay *l, struct pdf_style *st)
{
	double size = st->size;

	if (strlen(l->d->title) > 90)
		size = 20;
	else if (str_width(l, l->d->title, st) * 0.82 <= COL)
		size = fmin(size, size * COL / (str_width(l, l->d->title, st) + 1));
	st->size = floor(2 * size) / 2;
	st->lead = st->size + 4;
}

void lay_cover(struct lay *l)
{
	struct pdf_style title = { F_SERIF, 29, 33, INK_INK, false }, sub = { F_SANS, 10, 14, INK_SECOND, false };

	tag_open(l, "P", TAG_DOCUMENT);
	issuer_lay(l);
	l->y += 64;
	title_fit(l, &title);
	tag_open(l, "H1", TAG_DOCUMENT);
	block_of_text(l, l->d->title, &title, 0, COL, 5);
	tag_open(l, "P", TAG_DOCUMENT);
	block_of_text(l, l->d->subtitle, &sub, 0, COL, 22);
	answer_lay(l);
	facts_lay(l);
	l->y += 8;
	tag_open(l, "P", TAG_DOCUMENT);
	only_lay(l);
	l->y += 30;
	contents_lay(l);
	tag_open(l, "P", TAG_DOCUMENT);
	attached_lay(l);
	tag_to(l, 0);
}
