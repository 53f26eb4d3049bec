/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "reports/table.h"

/* ---- pages ---- */

static void page_frame(struct lay *l)
{
	struct pdf_style st = { F_SANS, 8, 10, INK_SECOND, false };
	double right = l->left + l->col, half = l->col / 2 - 10;

	if (l->out.n > 1) {
		str_draw(l, l->d->report_id, &st, l->left, 42, half, DOC_LEFT);
		str_draw(l, l->d->title, &st, right, 42, half, DOC_RIGHT);
	}
	if (l->d->footer)
		str_draw(l, l->d->footer, &st, l->left, l->height - 32, l->col - 90, DOC_LEFT);
}

void lay_paper(struct lay *l, bool turned)
{
	double w = l->d->paper == DOC_LETTER ? 612 : 595.28, h = l->d->paper == DOC_LETTER ? 792 : 841.89;

	l->turned = turned;
	l->left = (w - COL) / 2;
	l->width = turned ? h : w;
	l->height = turned ? w : h;
	l->col = l->width - 2 * l->left;
	l->bottom = l->height - MARGIN_BOTTOM;
}

void lay_break(struct lay *l)
{
	VEC_ADD(l->out.pages, l->out.n)->turned = l->turned;
	l->y = MARGIN_TOP;
	page_frame(l);
	lay_page(l)->tag = l->tag;
}

void lay_turn(struct lay *l, bool turned)
{
	bool empty = lay_at_top(l);
	int tag = l->tag;

	if (l->turned == turned)
		return;
	lay_paper(l, turned);
	l->tag = lay_page(l)->tag = 0;
	if (empty) {
		pdf_pages_cut(&l->out, l->out.n, 0);
		lay_page(l)->turned = turned;
		page_frame(l);
	} else {
		lay_break(l);
	}
	tag_to(l, tag);
}

/* A heading goes with its table, and what stands under a table stays with it. */
bool lay_wants_turned(struct lay *l, size_t i)
{
	while (i + 1 < l->d->n_blocks && (l->d->blocks[i]->kind == DOC_B_SECTION || l->d->blocks[i]->kind == DOC_B_SUBHEAD))
		i++;
	switch (l->d->blocks[i]->kind) {
	case DOC_B_TABLE: return lay_table_turned(l, i);
	case DOC_B_NOTE: return l->turned;
	default: return false;
	}
}

bool lay_at_top(const struct lay *l)
{
	return l->y <= MARGIN_TOP + 0.01;
}

void lay_gap(struct lay *l, double h)
{
	if (!lay_at_top(l))
		l->y += h;
}

void lay_need(struct lay *l, double h)
{
	if (l->y + h > l->bottom + 0.01 && !lay_at_top(l))
		lay_break(l);
}

void lay_rule(struct lay *l, double x1, double x2, double y, double width, enum chart_ink color)
{
	pdf_op_add(lay_page(l), P_LINE, color, x1, y, x2, y)->width = width;
}

/* ---- blocks ---- */

/* The place that a heading takes, with what goes with it. */
static void heading_need(struct lay *l, size_t i)
{
	enum doc_kind before = i ? l->d->blocks[i - 1]->kind : DOC_B_PARA;

	if (before != DOC_B_SECTION && before != DOC_B_SUBHEAD)
		l->head_y = l->y;
	lay_need(l, fmin(lay_block_least(l, i), l->bottom - MARGIN_TOP));
	l->head_y = fmin(l->head_y, l->y);
}

static void section_lay(struct lay *l, const struct doc_block *b, size_t i)
{
	mem_auto char *number = mem_printf("%u", b->section.number);
	struct pdf_style light = st_h2;
	struct flow f;
	double x;

	lay_gap(l, 30);
	heading_need(l, i);
	l->spots[i] = (struct spot){ (int)l->out.n, l->y };
	light.face = F_SANS;
	light.color = INK_SECOND;
	x = l->left + str_width(l, number, &light) + 9;
	tag_open(l, "H2", TAG_DOCUMENT);
	str_draw(l, number, &light, l->left, l->y + 14, 0, DOC_LEFT);
	str_space(l);
	flow_init_str(l, &f, b->section.title, &st_h2, l->left + COL - x);
	flow_place(l, &f, x, COL);
	flow_release(&f);
	l->y += 10;
}

static void subhead_lay(struct lay *l, const struct doc_block *b, size_t i)
{
	mem_auto char *number = document_number(b);
	mem_auto char *words = mem_printf("%s%s%s", number, *number ? " " : "", b->subhead.title);
	struct pdf_style st = st_h3;
	struct flow f;

	if (b->subhead.level > 2)
		st.size = 9;
	lay_gap(l, i && l->d->blocks[i - 1]->kind == DOC_B_SECTION ? 2 : l->tight ? 10 : 17);
	heading_need(l, i);
	l->spots[i] = (struct spot){ (int)l->out.n, l->y };
	tag_open(l, b->subhead.level == 2 ? "H3" : "H4", TAG_DOCUMENT);
	flow_init_str(l, &f, words, &st, COL);
	flow_place(l, &f, l->left, COL);
	flow_release(&f);
	l->y += 7;
}

static void text_lay(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double x, double w)
{
	struct flow f;

	flow_init(l, &f, t, st, w);
	flow_place(l, &f, l->left + x, w);
	flow_release(&f);
}

/* Lines on a wash, part by part over the pages. */
static void code_lay(struct lay *l, const char *code, double x, double w)
{
	struct flow f;
	size_t from = 0;

	flow_init_str(l, &f, code, &st_code, w - 14);
	while (from < f.n_lines) {
		size_t fit = (size_t)fmax(1, (l->bottom - l->y - 9) / st_code.lead), left = f.n_lines - from;
		if (fit < left && fit < 3 && !lay_at_top(l)) {
			lay_break(l);
			continue;
		}
		fit = fit < left ? fit : left;
		pdf_op_add(lay_page(l), P_RECT, INK_NONE, l->left + x, l->y, w, (double)fit * st_code.lead + 9);
		flow_draw(l, &f, from, from + fit, l->left + x + 7, l->y + 4.5, w, DOC_LEFT);
		l->y += (double)fit * st_code.lead + 9;
		from += fit;
		if (from < f.n_lines)
			lay_break(l);
	}
	flow_release(&f);
}

static void def_lay(struct lay *l, const struct doc_block *b, size_t i)
{
	const struct doc_def *def = &b->def;
	struct pdf_style st = def->opinion ? (struct pdf_style){ F_SERIF | F_ITALIC, 9.5, 14.6, INK_SECOND, false } : st_label;
	struct flow f;
	double label_end;
	size_t page;
	int item;

	lay_gap(l, i && l->d->blocks[i - 1]->kind != DOC_B_DEF ? 4 : def->first ? 14 : 4.5);
	if (def->first)
		lay_need(l, lay_group_height(l, i));
	flow_init_str(l, &f, def->label, &st, TEXT_X - 12);
	lay_need(l, fmin(fmax(flow_height(&f), fmax(lay_block_least(l, i), def->code ? 3 * st_code.lead + 9 : 0)), 300));
	l->spots[i] = (struct spot){ (int)l->out.n, l->y };
	page = l->out.n;
	item = tag_new(l, "LI", l->list);
	tag_open(l, "Lbl", item);
	flow_draw(l, &f, 0, f.n_lines, l->left, l->y, TEXT_X, DOC_LEFT);
	tag_open(l, "LBody", item);
	label_end = l->y + flow_height(&f);
	flow_release(&f);
	if (def->text.n)
		text_lay(l, &def->text, &st_body, TEXT_X, TEXT_W);
	if (def->code) {
		l->y += def->text.n ? 3 : 0;
		code_lay(l, def->code, TEXT_X, COL - TEXT_X);
		l->y += 2;
	}
	if (page == l->out.n)
		l->y = fmax(l->y, label_end);
}

/* Words of a chart, over its lines; those that cross a line get the paper behind them. */
static void chart_words(struct lay *l, const struct drawing *d, double x, double y)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct op *o = &d->ops[i];
		const struct chart_role_style *r = &chart_roles[o->role];
		struct pdf_style st = { F_SANS | (r->bold ? F_BOLD : 0), r->size * UNIT, 10, r->fill, false };
		double at = x + o->x * UNIT, base = y + o->y * UNIT, w;
		if (o->kind != OP_TEXT)
			continue;
		w = str_width(l, o->text, &st);
		at -= o->anchor == AT_END ? w : o->anchor == AT_MIDDLE ? w / 2 : 0;
		if (o->halo)
			pdf_op_add(lay_page(l), P_RECT, INK_PAPER, at - 1.5, base - st.size * 0.8, w + 3,
				   st.size * 1.08)->tag = l->tag;
		str_draw(l, o->text, &st, at, base, 0, DOC_LEFT);
	}
}

static void figure_lay(struct lay *l, const struct doc_block *b, size_t i)
{
	const struct doc_figure *f = &b->figure;
	struct drawing *chart = mem_alloc(sizeof *chart);
	mem_auto char *name = table_name(l->d, b);
	struct pdf_style light = st_caption;
	int tag;

	light.face = F_SANS;
	light.color = INK_SECOND;
	lay_gap(l, lay_figure_gap(l));
	lay_need(l, fmin(lay_figure_height(l, f), l->bottom - MARGIN_TOP));
	l->spots[i] = (struct spot){ (int)l->out.n, l->y };
	tag = tag_new(l, "Figure", TAG_DOCUMENT);
	l->tags.v[tag].alt = f->alt ? mem_strdup(f->alt) : doc_text_plain(&f->caption);
	tag_open(l, "Caption", tag);
	str_draw(l, name, &light, l->left, l->y + 8.6, 0, DOC_LEFT);
	str_space(l);
	text_lay(l, &f->caption, &st_caption, str_width(l, name, &light) + 7, COL - 60);
	tag_to(l, tag);
	l->y += 5;
	chart_layout(f->chart, false, chart);
	pdf_op_add(lay_page(l), P_CHART, INK_NONE, l->left, l->y, 0, 0)->chart = chart;
	chart_words(l, chart, l->left, l->y);
	l->y += chart->h * UNIT + 4;
	tag_open(l, "P", TAG_DOCUMENT);
	if (f->note.n)
		text_lay(l, &f->note, &st_small, 0, COL - 30);
	l->y += 4;
}

static void callout_lay(struct lay *l, const struct doc_block *b)
{
	struct pdf_style st = { F_SANS, 9, 13, INK_INK, false };
	struct doc_text t = { 0 };
	struct flow f;

	doc_mark(&t, DOC_STRONG, "%s  ", b->callout.label);
	doc_text_copy(&t, &b->callout.text);
	flow_init(l, &f, &t, &st, TEXT_W - 12);
	doc_text_release(&t);
	lay_gap(l, 8);
	lay_need(l, fmin(flow_height(&f), 200));
	if (l->y + flow_height(&f) <= l->bottom)
		pdf_op_add(lay_page(l), P_RECT, INK_INK, l->left + TEXT_X, l->y, 1.8, flow_height(&f));
	flow_place(l, &f, l->left + TEXT_X + 9, TEXT_W);
	flow_release(&f);
	l->y += 6;
}

static void list_lay(struct lay *l, const struct doc_list *list)
{
	int tag = tag_new(l, "L", TAG_DOCUMENT), item;

	lay_gap(l, 3);
	for (size_t i = 0; i < list->n; i++) {
		mem_auto char *mark = list->ordered ? mem_printf("%zu.", i + 1) : mem_strdup("\u2022");
		lay_need(l, lay_text_least(l, &list->items[i], &st_body, TEXT_W - 14));
		item = tag_new(l, "LI", tag);
		tag_open(l, "Lbl", item);
		str_draw(l, mark, &st_body, l->left + TEXT_X + 2, l->y + 10.7, 0, DOC_LEFT);
		str_space(l);
		tag_open(l, "LBody", item);
		text_lay(l, &list->items[i], &st_body, TEXT_X + 14, TEXT_W - 14);
		l->y += 2;
	}
	l->y += 3;
}

/* A paragraph keeps off what is set in another way above it. */
static double para_gap(const struct lay *l, size_t i)
{
	switch (i ? l->d->blocks[i - 1]->kind : DOC_B_SECTION) {
	case DOC_B_TABLE:
	case DOC_B_FIGURE:
	case DOC_B_NOTE:
	case DOC_B_FINDING: return l->tight ? 5 : 9;
	default: return 0;
	}
}

static void block_lay(struct lay *l, const struct doc_block *b, size_t i)
{
	switch (b->kind) {
	case DOC_B_SECTION: section_lay(l, b, i); break;
	case DOC_B_SUBHEAD: subhead_lay(l, b, i); break;
	case DOC_B_PARA:
		lay_gap(l, para_gap(l, i));
		text_lay(l, &b->para, &st_body, TEXT_X, TEXT_W);
		l->y += 6;
		break;
	case DOC_B_NOTE:
		l->y += 3;
		text_lay(l, &b->para, &st_small, 0, COL - 30);
		break;
	case DOC_B_DEF: def_lay(l, b, i); break;
	case DOC_B_FINDING: lay_finding(l, b, i); break;
	case DOC_B_TABLE: lay_table_block(l, i); break;
	case DOC_B_FIGURE: figure_lay(l, b, i); break;
	case DOC_B_CALLOUT: callout_lay(l, b); break;
	case DOC_B_LIST: list_lay(l, &b->list); break;
	case DOC_B_CODE:
		lay_gap(l, 3);
		code_lay(l, b->code, TEXT_X, COL - TEXT_X);
		l->y += 4;
		break;
	}
}

static void end_lay(struct lay *l)
{
	struct pdf_style st = { F_SANS, 8.3, 12, INK_SECOND, false };
	mem_auto char *words = mem_printf("%s %s", l->d->words[DOC_W_END], l->d->report_id);

	lay_gap(l, 24);
	lay_need(l, 24);
	lay_rule(l, l->left, l->left + l->col, l->y, 1, INK_INK);
	tag_open(l, "P", TAG_DOCUMENT);
	str_draw(l, words, &st, l->left + l->col / 2, l->y + 15, l->col, DOC_CENTER);
	l->y += 24;
}

static void one_block(struct lay *l, size_t i)
{
	const struct document *d = l->d;
	const struct doc_block *b = d->blocks[i];
	bool listed = b->kind == DOC_B_DEF || b->kind == DOC_B_FINDING;

	l->block = i;
	lay_turn(l, lay_wants_turned(l, i));
	if (listed && (!i || d->blocks[i - 1]->kind != b->kind))
		l->list = tag_new(l, "L", TAG_DOCUMENT);
	if (!listed && b->kind != DOC_B_SECTION)
		tag_open(l, "P", TAG_DOCUMENT);
	block_lay(l, b, i);
	tag_to(l, 0);
	/* Set here where the block did not: its start, or its end when it moved to the next page. */
	if (!l->spots[i].page)
		l->spots[i] = (struct spot){ (int)l->out.n, fmax(l->y - 20, MARGIN_TOP) };
}

static size_t section_end(const struct document *d, size_t i)
{
	for (i++; i < d->n_blocks && d->blocks[i]->kind != DOC_B_SECTION; i++)
		;
	return i;
}

/* The summary is to be one page: when it runs over by little, it is laid again a little tighter. */
static void summary_lay(struct lay *l, size_t from, size_t to)
{
	struct { size_t pages, ops, tags; double y; } before;

	lay_turn(l, false);
	if (!lay_at_top(l))
		lay_break(l);
	before.pages = l->out.n;
	before.ops = lay_page(l)->n;
	before.tags = l->tags.n;
	before.y = l->y;
	for (int attempt = 0; attempt < 2; attempt++) {
		for (size_t i = from; i < to; i++)
			one_block(l, i);
		if (l->out.n == before.pages || l->out.n > before.pages + 1 || l->y > MARGIN_TOP + 150 || l->tight)
			break;
		pdf_pages_cut(&l->out, before.pages, before.ops);
		tags_cut(&l->tags, before.tags);
		memset(l->spots + from, 0, (to - from) * sizeof *l->spots);
		l->y = before.y;
		l->tight = true;
	}
	l->tight = false;
	if (to < l->d->n_blocks)
		lay_break(l);
}

static void lay_blocks(struct lay *l)
{
	const struct document *d = l->d;

	for (size_t i = 0; i < d->n_blocks; i++) {
		if (d->blocks[i]->kind == DOC_B_SECTION && d->blocks[i]->section.summary) {
			size_t end = section_end(d, i);
			summary_lay(l, i, end);
			i = end - 1;
		} else {
			one_block(l, i);
		}
	}
	end_lay(l);
}

void lay_document(struct lay *l)
{
	tags_reset(l);
	lay_paper(l, false);
	lay_break(l);
	lay_cover(l);
	lay_break(l);
	lay_blocks(l);
}
