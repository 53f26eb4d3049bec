/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "reports/table.h"

void lay_table_free(struct lay_table *x)
{
	if (!x)
		return;
	table_parts_free(x->parts);
	free(x->x);
	free(x->w);
	free(x->least);
	free(x->row_h);
	free(x->fractions);
	free(x);
}

/* ---- widths ---- */

#define ROW_HEAD 64.0     /* the names of the rows are not broken word by word */
#define SIZE_LEAST 6.4    /* of type, before a table is divided */
#define SIZE_GOOD 6.8     /* before its page is turned */
#define TURN_ROWS 12      /* of a table that is worth a page of its own */
#define TURN_HEIGHT 480.0 /* of all parts of a table that is divided on an upright page */

static bool is_number_column(const struct doc_column *c)
{
	return c->align == DOC_RIGHT || c->align == DOC_DECIMAL || c->align == DOC_UNIT;
}

struct pdf_style table_cell_style(const struct lay_table *x, const struct doc_row *r, size_t column)
{
	struct pdf_style st = x->body;

	if (x->t->columns[column].strong || r->style & (DOC_ROW_STRONG | DOC_ROW_GROUP))
		st.face |= F_BOLD;
	if (r->style & (DOC_ROW_MUTED | DOC_ROW_STRUCK) || x->t->columns[column].align == DOC_UNIT)
		st.color = INK_SECOND;
	st.below = x->wraps && is_number_column(&x->t->columns[column]);
	return st;
}

double table_pad_width(struct lay *l, const struct lay_table *x, const struct doc_cell *c, size_t column,
			const struct pdf_style *st)
{
	struct decimal d = { 0 };
	unsigned most = x->fractions[column];

	if (x->t->columns[column].align != DOC_DECIMAL || c->span > 1 || !c->text.n)
		return 0;
	d = table_decimal(c->text.runs[0].text);
	if (!d.number || d.fraction >= most)
		return 0;
	return (pdf_char_width(l->fonts, st->face, '0') * (double)(most - d.fraction) +
		(d.fraction ? 0 : pdf_char_width(l->fonts, st->face, '.'))) * st->size / 1000;
}

double table_frame_width(const struct doc_cell *c)
{
	for (size_t i = 0; i < c->text.n; i++)
		if (c->text.runs[i].marks & (DOC_FAIL | DOC_WARN))
			return 2;
	return 0;
}

/* The least and the natural width of each column. */
static void columns_measure(struct lay *l, struct lay_table *x, double *least, double *most)
{
	const struct doc_table *t = x->t;

	for (size_t i = 0; i < t->n_columns; i++) {
		struct doc_run run = { .text = t->columns[i].head };
		struct doc_text head = { &run, 1 };
		const char *nl = strchr(t->columns[i].head, '\n');
		double word, w = flow_natural(l, &head, &x->head, &word);
		most[i] = nl ? w * 0.62 : w;
		least[i] = fmin(word, 90);
	}
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct doc_row *r = t->rows[i];
		size_t column = 0;
		for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
			const struct doc_cell *c = &r->cells[k];
			struct pdf_style st = table_cell_style(x, r, column);
			double word, w;
			if (c->span > 1 || r->style & DOC_ROW_GROUP)
				continue;
			w = flow_natural(l, &c->text, &st, &word) + table_pad_width(l, x, c, column, &st);
			if (c->tag != DOC_TAG_NONE)
				word = w = w * 0.86 + 18;
			w += 2 * table_frame_width(c);
			if ((is_number_column(&t->columns[column]) && !x->wraps) || t->columns[column].nowrap)
				word = w;
			most[column] = fmax(most[column], w);
			least[column] = fmax(least[column], fmin(word, 150));
		}
	}
	if (t->n_columns > 1 && t->columns[0].align == DOC_LEFT)
		least[0] = fmax(least[0], fmin(most[0], ROW_HEAD));
}

static double sum(const double *v, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += v[i];
	return s;
}

/* As HTML does it: natural widths if they fit, with what is left shared out; else each text column
 * gives way in proportion to what it has beyond its longest word. */
static bool columns_fit(struct lay *l, struct lay_table *x)
{
	size_t n = x->t->n_columns;
	double *least = mem_array(n + 1, sizeof *least), *most = mem_array(n + 1, sizeof *most);
	double room, a, b;
	bool fits;

	columns_measure(l, x, least, most);
	room = x->room;
	for (size_t i = 0; i + 1 < n; i++)
		room -= x->t->columns[i + 1].align == DOC_UNIT ? UNIT_GAP : x->gap;
	a = sum(least, n);
	b = sum(most, n);
	fits = a <= room;
	for (size_t i = 0; i < n; i++) {
		if (b <= room)
			x->w[i] = most[i] + (x->t->fit ? 0 : (room - b) * (b > 0 ? most[i] / b : 1.0 / (double)n));
		else if (fits)
			x->w[i] = least[i] + (most[i] - least[i]) * (b > a ? (room - a) / (b - a) : 0);
		else
			x->w[i] = least[i] * room / a;
	}
	/* A unit belongs to its number: what it would gain goes to the column after it, as space. */
	x->x[0] = 0;
	for (size_t i = 0; i + 1 < n; i++)
		x->x[i + 1] = x->x[i] + x->w[i] + (x->t->columns[i + 1].align == DOC_UNIT ? UNIT_GAP : x->gap);
	x->width = n ? x->x[n - 1] + x->w[n - 1] : x->room;
	free(x->least);
	x->least = least;
	free(most);
	return fits;
}

/* ---- heights ---- */

double table_cell_width(const struct lay_table *x, const struct doc_row *r, const struct doc_cell *c, size_t column)
{
	size_t last = r->style & DOC_ROW_GROUP ? x->t->n_columns - 1 : column + c->span - 1;

	return x->x[last] + x->w[last] - x->x[column];
}

static double row_height(struct lay *l, struct lay_table *x, const struct doc_row *r)
{
	double h = x->body.lead;
	size_t column = 0;

	for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
		struct pdf_style st = table_cell_style(x, r, column);
		double w = table_cell_width(x, r, &r->cells[k], column), word;
		struct flow f;
		if ((!st.below && flow_natural(l, &r->cells[k].text, &st, &word) <= w) ||
		    r->cells[k].tag != DOC_TAG_NONE)
			continue;
		flow_init(l, &f, &r->cells[k].text, &st, w);
		h = fmax(h, flow_height(&f));
		flow_release(&f);
	}
	return h + 2 * ROW_PAD + (r->style & DOC_ROW_GROUP ? 4 : 0);
}

static double flow_once(struct lay *l, const struct doc_text *t, const struct pdf_style *st, double w)
{
	struct flow f;
	double h;

	flow_init(l, &f, t, st, w);
	h = flow_height(&f);
	flow_release(&f);
	return h;
}

void table_note_text(const struct doc_table *t, struct doc_text *out)
{
	doc_text_copy(out, &t->note);
	for (size_t i = 0; i < t->n_footnotes; i++) {
		doc_mark(out, DOC_SUP, "%s%c", i || t->note.n ? "  " : "", i < 26 ? (char)('a' + i) : '*');
		doc_add(out, " %s", t->footnotes[i]);
	}
}

static double head_height(struct lay *l, struct lay_table *x)
{
	double h = x->head.lead;

	for (size_t i = 0; i < x->t->n_columns; i++) {
		struct flow f;
		flow_init_str(l, &f, x->t->columns[i].head, &x->head, x->w[i]);
		h = fmax(h, fmin(flow_height(&f), HEAD_LINES * x->head.lead));
		flow_release(&f);
	}
	return h + 6;
}

/* A table that is too wide is set smaller before it is divided or its words are cut. */
static void size_find(struct lay *l, struct lay_table *x, double least)
{
	for (double size = x->t->dense ? 7.2 : st_table.size;; size -= 0.4) {
		x->body = (struct pdf_style){ F_SANS, size, size + 2.5, INK_INK, false };
		x->head = (struct pdf_style){ F_SANS, size, size + 2.5, INK_SECOND, false };
		x->gap = size < 6.8 || x->t->dense ? 7 : 11;
		x->fits = columns_fit(l, x);
		if (x->fits || size - 0.4 < least)
			return;
	}
}

/* Numbers stay whole if they can. */
static void width_find(struct lay *l, struct lay_table *x, double room)
{
	x->room = room;
	x->wraps = false;
	size_find(l, x, SIZE_LEAST);
	if (!x->fits) {
		x->wraps = true;
		size_find(l, x, SIZE_LEAST);
	}
}

/* A long table that is too wide, or to be read with a lens only, gets a page that lies on its side; a short
 * one is divided where it stands, which leaves no page half empty. */
static void paper_find(struct lay *l, struct lay_table *x)
{
	double page = l->d->paper == DOC_LETTER ? 792 - 612 : 841.89 - 595.28, part;

	width_find(l, x, COL);
	if (x->fits && (x->body.size >= SIZE_GOOD || x->t->n_rows < TURN_ROWS))
		return;
	if (!x->fits) {
		x->parts = table_parts_new(x->t, x->least, COL, x->gap);
		part = (double)x->t->n_rows * (x->body.lead + 2 * ROW_PAD) + 3 * x->head.lead;
		if (x->parts && (double)x->parts->n * part < TURN_HEIGHT)
			return;
		table_parts_free(x->parts);
		x->parts = NULL;
	}
	x->turned = true;
	width_find(l, x, COL + page);
	if (!x->fits)
		x->parts = table_parts_new(x->t, x->least, x->room, x->gap);
}

struct lay_table *table_measure(struct lay *l, const struct doc_table *t, bool whole, double room)
{
	struct lay_table *x = mem_alloc(sizeof *x);
	struct doc_text note = { 0 };

	x->t = t;
	x->x = mem_array(t->n_columns + 1, sizeof *x->x);
	x->w = mem_array(t->n_columns + 1, sizeof *x->w);
	x->fractions = table_fractions(t);
	if (whole)
		paper_find(l, x);
	else
		width_find(l, x, room);
	if (!x->fits && !x->parts)
		size_find(l, x, 5.6);
	x->row_h = mem_array(t->n_rows + 1, sizeof *x->row_h);
	for (size_t i = 0; i < t->n_rows; i++)
		x->row_h[i] = row_height(l, x, t->rows[i]);
	x->group_h = t->n_groups ? x->head.lead + 3 : 0;
	x->head_h = head_height(l, x) + x->group_h;
	x->caption_h = flow_once(l, &t->caption, &st_caption, x->room - 60) + 5;
	table_note_text(t, &note);
	x->note_h = note.n ? flow_once(l, &note, &st_small, x->room - 30) + 4 : 0;
	doc_text_release(&note);
	return x;
}

/* Measured once; the passes find it here. */
struct lay_table *table_of_block(struct lay *l, size_t block)
{
	if (!l->tables[block])
		l->tables[block] = table_measure(l, &l->d->blocks[block]->table, true, COL);
	return l->tables[block];
}

bool lay_table_turned(struct lay *l, size_t block)
{
	return table_of_block(l, block)->turned;
}

double lay_table_least(struct lay *l, size_t block)
{
	struct lay_table *x = table_of_block(l, block);
	enum doc_kind before = block ? l->d->blocks[block - 1]->kind : DOC_B_PARA;
	double h = x->caption_h + x->head_h, all = h + x->note_h;
	double from = before == DOC_B_SECTION || before == DOC_B_SUBHEAD ? l->head_y : l->y;

	for (size_t i = 0; i < x->t->n_rows; i++) {
		all += x->row_h[i];
		h += i < LEAST_ROWS ? x->row_h[i] : 0;
	}
	/* A short one stays whole, unless that leaves over a third of this page empty, its heading counted. */
	if (x->t->n_rows >= TABLE_KEEP_ROWS || l->bottom - from > (l->bottom - MARGIN_TOP) / 3)
		return h;
	return all;
}
