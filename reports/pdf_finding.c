/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

double lay_tag(struct lay *l, enum doc_tag tag, const char *word, double x, double y, double max)
{
	static const enum chart_ink edge[] = { INK_NONE, INK_ACCENT, INK_ACCENT, INK_SECOND, INK_SECOND, INK_INK, INK_INK };
	static const enum chart_ink ink[] = { INK_INK, INK_PAPER, INK_ACCENT, INK_INK, INK_INK, INK_PAPER, INK_INK };
	struct pdf_style st = { F_SANS | F_BOLD, 6.3, 8, ink[tag], false };
	bool filled = tag == DOC_TAG_DECIDED || tag == DOC_TAG_FAIL;
	double hatch = tag == DOC_TAG_VOID ? 9 : 0, spacing = 0.3;
	double w = fmin(str_width(l, word, &st) + spacing * (double)strlen(word) + 7 + hatch, max);
	size_t first;

	if (filled)
		pdf_op_add(lay_page(l), P_RECT, edge[tag], x, y, w, TAG_H);
	else
		pdf_op_add(lay_page(l), tag == DOC_TAG_OPEN ? P_DASHED : P_FRAME, edge[tag], x + 0.4, y + 0.4, w - 0.8,
			   TAG_H - 0.8)->width = 0.8;
	if (hatch > 0)
		pdf_op_add(lay_page(l), P_HATCH, INK_SECOND, x + 0.8, y + 0.8, hatch - 1.5, TAG_H - 1.6);
	first = lay_page(l)->n;
	str_draw(l, word, &st, x + 3.5 + hatch, y + TAG_H - 3.2, max - 6 - hatch, DOC_LEFT);
	for (size_t i = first; i < lay_page(l)->n; i++)
		lay_page(l)->ops[i].spacing = spacing;
	return w;
}

struct finding_flow {
	struct flow key, note, say, caveat;
	bool beside;        /* the note stands beside the key, else under it */
	double key_h;       /* of both */
	double height;
};

static void finding_flow(struct lay *l, struct finding_flow *x, const struct doc_finding *f)
{
	struct pdf_style say = f->lead ? st_lead : st_body, key = { F_SANS | F_BOLD, f->lead ? 23 : 14, 0, INK_INK, false };
	struct doc_text t = { 0 };
	mem_auto char *evidence = document_evidence(l->d, f);

	if (f->tag == DOC_TAG_VOID)
		say.color = key.color = INK_SECOND;
	if (f->tag == DOC_TAG_OPEN || f->tag == DOC_TAG_VOID)
		key.face = F_SANS;
	key.lead = key.size * 1.15;
	flow_init_str(l, &x->key, f->key, &key, TEXT_X - 8);
	doc_text_copy(&t, &f->say);
	if (evidence) {
		mem_auto char *words = mem_printf("\u2192\u00a0%s", evidence);
		doc_add(&t, " ");
		doc_link(&t, f->evidence, "%s", words);
		t.runs[t.n - 1].marks |= DOC_EVIDENCE;
		t.runs[t.n - 1].page = true;
	}
	if (!f->lead)
		say.lead = l->tight ? 12.8 : 13.6;
	else if (l->tight)
		say.lead = 15;
	flow_init(l, &x->say, &t, &say, TEXT_W + 12);
	doc_text_release(&t);
	if (f->caveat.n) {
		doc_mark(&t, DOC_STRONG, "%s ", l->d->words[DOC_W_CAVEAT]);
		doc_text_copy(&t, &f->caveat);
		flow_init(l, &x->caveat, &t, &st_small, TEXT_W);
		doc_text_release(&t);
	}
	x->key_h = flow_height(&x->key);
	if (f->key_note) {
		flow_init_str(l, &x->note, f->key_note, &st_small, TEXT_X - 8);
		x->beside = x->key.n_lines == 1 && x->note.n_lines == 1 &&
			    x->key.lines[0].w + x->note.lines[0].w + 12 < TEXT_X;
		x->key_h += x->beside ? 0 : flow_height(&x->note);
	}
	x->height = fmax(x->key_h + (f->word ? TAG_H + 4 : 0),
			 flow_height(&x->say) + (f->caveat.n ? flow_height(&x->caveat) + 3 : 0)) + (l->tight ? 8 : 12);
}

static void finding_flow_release(struct finding_flow *x)
{
	flow_release(&x->key);
	flow_release(&x->note);
	flow_release(&x->say);
	flow_release(&x->caveat);
}

double lay_finding_height(struct lay *l, const struct doc_finding *f)
{
	struct finding_flow x = { 0 };

	finding_flow(l, &x, f);
	finding_flow_release(&x);
	return x.height;
}

/* One taller than a page flows on; else it is kept together. */
static void finding_words(struct lay *l, const struct finding_flow *x, double y)
{
	if (x->height > l->bottom - MARGIN_TOP) {
		l->y = y;
		flow_place(l, &x->say, l->left + TEXT_X, TEXT_W);
		flow_place(l, &x->caveat, l->left + TEXT_X, TEXT_W);
		l->y += 6;
		return;
	}
	flow_draw(l, &x->say, 0, x->say.n_lines, l->left + TEXT_X, y - 1, TEXT_W, DOC_LEFT);
	flow_draw(l, &x->caveat, 0, x->caveat.n_lines, l->left + TEXT_X, y + flow_height(&x->say) + 2, TEXT_W, DOC_LEFT);
	l->y += x->height;
}

void lay_finding(struct lay *l, const struct doc_block *b, size_t i)
{
	const struct doc_finding *f = &b->finding;
	struct finding_flow x = { 0 };
	bool first = !i || l->d->blocks[i - 1]->kind != DOC_B_FINDING;
	double y;
	int item;

	finding_flow(l, &x, f);
	if (x.height > l->bottom - MARGIN_TOP)
		lay_need(l, 120);
	else
		lay_need(l, x.height);
	l->spots[i] = (struct spot){ (int)l->out.n, l->y };
	if (first || lay_at_top(l))
		lay_rule(l, l->left, l->left + COL, l->y, first ? 1 : 0.5, INK_INK);
	y = l->y + (l->tight ? 4 : 6);
	item = tag_new(l, "LI", l->list);
	tag_open(l, "Lbl", item);
	flow_draw(l, &x.key, 0, x.key.n_lines, l->left, y - (f->lead ? 1 : 2), TEXT_X, DOC_LEFT);
	str_space(l);
	if (x.beside)
		str_draw(l, f->key_note, &st_small, l->left + x.key.lines[0].w + 4, y + x.key.style.size * 0.92 - 2, 0,
			 DOC_LEFT);
	else if (f->key_note)
		flow_draw(l, &x.note, 0, x.note.n_lines, l->left, y + flow_height(&x.key) - 2, TEXT_X, DOC_LEFT);
	if (f->word)
		lay_tag(l, f->tag, f->word, l->left, y + x.key_h + 1, TEXT_X - 8);
	tag_open(l, "LBody", item);
	finding_words(l, &x, y);
	lay_rule(l, l->left, l->left + COL, l->y, 0.6, INK_HAIR);
	finding_flow_release(&x);
}
