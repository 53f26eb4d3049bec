/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_table.h"

#include <math.h>

#include "base/mem.h"
#include "reports/table.h"

static void caption_lay(struct lay *l, const struct doc_block *b, double room, bool again)
{
	mem_auto char *name = table_name(l->d, b);
	struct pdf_style light = st_caption;
	struct doc_text t = { 0 };
	struct flow f;
	double x;

	light.face = F_SANS;
	light.color = INK_SECOND;
	x = str_width(l, name, &light) + 7;
	if (again)
		tag_to(l, 0);
	str_draw(l, name, &light, l->left, l->y + 8.6, 0, DOC_LEFT);
	str_space(l);
	if (again)
		doc_mark(&t, DOC_MUTED, "%s", l->d->words[DOC_W_CONTINUED]);
	else
		doc_text_copy(&t, &b->table.caption);
	if (again)
		light.color = INK_SECOND;
	flow_init(l, &f, &t, again ? &light : &st_caption, room - 60);
	flow_place(l, &f, l->left + x, room - 60);
	flow_release(&f);
	doc_text_release(&t);
	l->y += 5;
}

static void groups_lay(struct lay *l, const struct lay_table *x)
{
	for (size_t i = 0; i < x->t->n_groups; i++) {
		const struct doc_group *g = &x->t->groups[i];
		size_t last = g->first + g->count - 1;
		double from = l->left + x->x[g->first], to = l->left + x->x[last] + x->w[last];
		if (!g->count)
			continue;
		str_draw(l, g->head, &x->head, (from + to) / 2, l->y + x->head.lead - 1, to - from, DOC_CENTER);
		lay_rule(l, from, to, l->y + x->group_h, 0.6, INK_HAIR);
	}
}

/* Heads that are said again on the next page are artifacts. */
static void head_lay(struct lay *l, const struct lay_table *x, bool again)
{
	double bottom = l->y + x->head_h;
	int row = x->tag && !again ? tag_new(l, "TR", x->tag) : 0;

	lay_rule(l, l->left, l->left + x->width, l->y, 1.1, INK_INK);
	if (x->tag)
		tag_to(l, 0);
	groups_lay(l, x);
	for (size_t i = 0; i < x->t->n_columns; i++) {
		struct flow f;
		size_t lines;
		if (row) {
			tag_open(l, "TH", row);
			l->tags.v[l->tag].scope = 'c';
		}
		flow_init_str(l, &f, x->t->columns[i].head, &x->head, x->w[i]);
		lines = f.n_lines < HEAD_LINES ? f.n_lines : HEAD_LINES;
		flow_draw(l, &f, 0, lines, l->left + x->x[i], bottom - 3 - (double)lines * x->head.lead, x->w[i],
			  x->t->columns[i].align);
		if (lines < f.n_lines)
			str_draw(l, "\u2026", &x->head, l->left + x->x[i] + x->w[i], bottom - 4, 0, DOC_RIGHT);
		flow_release(&f);
	}
	lay_rule(l, l->left, l->left + x->width, bottom, 0.75, INK_INK);
	l->y = bottom;
}

static void cell_lay(struct lay *l, const struct lay_table *x, const struct doc_row *r, const struct doc_cell *c,
		     size_t column, double y)
{
	struct pdf_style st = table_cell_style(x, r, column);
	double w = table_cell_width(x, r, c, column), pad = table_pad_width(l, x, c, column, &st);
	enum doc_align align = c->span > 1 || r->style & DOC_ROW_GROUP ? DOC_LEFT : x->t->columns[column].align;
	struct flow f;

	if (c->tag != DOC_TAG_NONE) {
		mem_auto char *word = doc_text_plain(&c->text);
		lay_tag(l, c->tag, word, l->left + x->x[column], y - 0.5, w);
		return;
	}
	flow_init(l, &f, &c->text, &st, w);
	flow_draw(l, &f, 0, f.n_lines, l->left + x->x[column], y, w - pad - table_frame_width(c), align);
	if (r->style & DOC_ROW_STRUCK && f.n_lines && f.lines[0].w > 0) {
		double from = align == DOC_RIGHT || align == DOC_DECIMAL ? l->left + x->x[column] + w - pad - f.lines[0].w
									  : l->left + x->x[column];
		for (size_t i = 0; i < f.n_lines; i++)
			lay_rule(l, from, from + f.lines[i].w, y + ((double)i + 0.55) * st.lead, 0.5, INK_INK);
	}
	flow_release(&f);
}

static void cell_tag(struct lay *l, const struct lay_table *x, const struct doc_row *r, size_t k, int row)
{
	bool head = k == 0 && x->t->columns[0].align == DOC_LEFT;
	struct pdf_tag *t;

	if (!row)
		return;
	tag_open(l, head ? "TH" : "TD", row);
	t = &l->tags.v[l->tag];
	t->scope = head ? 'r' : 0;
	t->span = r->style & DOC_ROW_GROUP ? (unsigned)x->t->n_columns : r->cells[k].span;
}

static void row_lay(struct lay *l, const struct lay_table *x, size_t i, bool ruled)
{
	const struct doc_row *r = x->t->rows[i];
	double y = l->y + ROW_PAD + (r->style & DOC_ROW_GROUP ? 4 : 0);
	size_t column = 0;

	int tag = x->tag ? tag_new(l, "TR", x->tag) : 0;

	if (ruled)
		lay_rule(l, l->left, l->left + x->width, l->y, 0.5, INK_HAIR);
	for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
		cell_tag(l, x, r, k, tag);
		cell_lay(l, x, r, &r->cells[k], column, y);
	}
	l->y += x->row_h[i];
}

/* A row taller than a page goes on over as many as it needs, without its marks. */
static void tall_row_lay(struct lay *l, const struct lay_table *x, size_t i)
{
	const struct doc_row *r = x->t->rows[i];
	size_t from = 0, longest = 1;
	int tag = x->tag ? tag_new(l, "TR", x->tag) : 0;

	while (from < longest) {
		size_t fit = (size_t)fmax(1, (l->bottom - l->y - 2 * ROW_PAD) / x->body.lead), column = 0;
		for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
			struct pdf_style st = table_cell_style(x, r, column);
			double w = table_cell_width(x, r, &r->cells[k], column);
			struct flow f;
			cell_tag(l, x, r, k, tag);
			flow_init(l, &f, &r->cells[k].text, &st, w);
			flow_draw(l, &f, from, from + fit, l->left + x->x[column], l->y + ROW_PAD, w,
				  x->t->columns[column].align);
			longest = f.n_lines > longest ? f.n_lines : longest;
			flow_release(&f);
		}
		from += fit;
		l->y += (double)fit * x->body.lead + 2 * ROW_PAD;
		if (from < longest)
			lay_break(l);
	}
	l->y = fmin(l->y, l->bottom);
}

static void note_lay(struct lay *l, const struct lay_table *x)
{
	struct doc_text note = { 0 };
	struct flow f;

	table_note_text(x->t, &note);
	tag_open(l, "P", TAG_DOCUMENT);
	if (note.n) {
		l->y += 4;
		flow_init(l, &f, &note, &st_small, x->room - 30);
		flow_place(l, &f, l->left, x->room - 30);
		flow_release(&f);
	}
	doc_text_release(&note);
}

/* Whether the table breaks before row i: it or, near the end, its last rows with the note do not fit. */
static bool breaks_before(const struct lay *l, const struct lay_table *x, size_t i, size_t first)
{
	size_t n = x->t->n_rows;
	double h = x->row_h[i];

	if (i + LEAST_ROWS == n && i > first)
		for (size_t k = i + 1; k < n; k++)
			h += x->row_h[k];
	if (i + 1 == n || i + LEAST_ROWS == n)
		h += x->note_h;
	return l->y + h > l->bottom && i > first;
}

static void rows_lay(struct lay *l, const struct doc_block *b, const struct lay_table *x)
{
	size_t first = 0;
	int before;

	for (size_t i = 0; i < x->t->n_rows; i++) {
		if (breaks_before(l, x, i, first)) {
			lay_rule(l, l->left, l->left + x->width, l->y, 0.75, INK_INK);
			lay_break(l);
			before = l->tag;
			caption_lay(l, b, x->room, true);
			head_lay(l, x, true);
			tag_to(l, before);
			first = i;
		}
		if (x->row_h[i] > l->bottom - MARGIN_TOP - x->head_h - x->caption_h)
			tall_row_lay(l, x, i);
		else
			row_lay(l, x, i, i > first);
	}
	lay_rule(l, l->left, l->left + x->width, l->y, 1.1, INK_INK);
}

static void table_lay(struct lay *l, const struct doc_block *b, struct lay_table *x, bool again)
{
	bool detailed = x->t->n_rows <= TAG_ROWS;
	int tag = tag_new(l, detailed ? "Table" : "Div", TAG_DOCUMENT);

	x->tag = detailed ? tag : 0;
	tag_open(l, detailed ? "Caption" : "P", tag);
	caption_lay(l, b, x->room, again);
	if (!detailed)
		tag_open(l, "P", tag);
	head_lay(l, x, false);
	rows_lay(l, b, x);
	tag_to(l, 0);
}

/* The columns that fit, again with the first column beside the next ones, and so on. */
static void parts_lay(struct lay *l, const struct doc_block *b, const struct lay_table *whole)
{
	for (size_t i = 0; i < whole->parts->n; i++) {
		struct lay_table *x = table_measure(l, &whole->parts->tables[i], false, whole->room);
		double least = x->caption_h + x->head_h;
		for (size_t k = 0; k < x->t->n_rows && k < LEAST_ROWS; k++)
			least += x->row_h[k];
		lay_gap(l, i ? 10 : 0);
		lay_need(l, fmin(least, l->bottom - MARGIN_TOP));
		table_lay(l, b, x, i > 0);
		lay_table_free(x);
	}
}

void lay_table_block(struct lay *l, size_t block)
{
	const struct doc_block *b = l->d->blocks[block];
	struct lay_table *x = table_of_block(l, block);

	lay_gap(l, TABLE_GAP);
	lay_need(l, fmin(lay_table_least(l, block), l->bottom - MARGIN_TOP));
	l->spots[block] = (struct spot){ (int)l->out.n, l->y };
	if (x->parts)
		parts_lay(l, b, x);
	else
		table_lay(l, b, x, false);
	note_lay(l, x);
	l->y += 4;
}
