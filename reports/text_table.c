/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "reports/table.h"
#include "reports/text.h"
#include "reports/utf8.h"

#define GAP 2
#define LEAST 10  /* columns that a text column may shrink to */
#define PART 24   /* the same where a wide table is set in parts */

struct grid {
	const struct doc_table *t;
	int *w;
	int least;           /* columns that a text column may shrink to */
	unsigned *fractions;
};

static bool is_right(const struct doc_column *c)
{
	return c->align == DOC_RIGHT || c->align == DOC_DECIMAL;
}

static bool may_shrink(const struct doc_column *c)
{
	return c->align == DOC_LEFT && !c->nowrap;
}

/* Words of a cell with the pad that puts its decimal point under the others. */
static char *cell_words(const struct grid *g, const struct doc_row *r, size_t k, size_t column)
{
	const struct doc_cell *c = &r->cells[k];
	mem_auto char *words = text_words(&c->text);
	struct decimal d = table_decimal(words);
	unsigned most = g->fractions[column], pad = 0;

	if (c->span == 1 && g->t->columns[column].align == DOC_DECIMAL && d.number && d.fraction < most)
		pad = most - d.fraction + (d.fraction ? 0 : 1);
	return mem_printf("%s%s%*s", r->style & DOC_ROW_STRUCK && *words ? "x " : "", words, (int)pad, "");
}

/* "mean" under the group "MB/s" is "MB/s mean". */
static char *head_words(const struct doc_table *t, size_t column)
{
	char *s = NULL;

	for (size_t i = 0; i < t->n_groups && !s; i++)
		if (column >= t->groups[i].first && column < t->groups[i].first + t->groups[i].count)
			s = mem_printf("%s %s", t->groups[i].head, t->columns[column].head);
	if (!s)
		s = mem_strdup(t->columns[column].head);
	for (char *p = s; *p; p++)
		if (*p == '\n')
			*p = ' ';
	return s;
}

static int total(const struct grid *g)
{
	int sum = 0;

	for (size_t i = 0; i < g->t->n_columns; i++)
		sum += g->w[i] + (i ? GAP : 0);
	return sum;
}

static bool widths_find(struct grid *g, int width)
{
	const struct doc_table *t = g->t;

	for (size_t i = 0; i < t->n_columns; i++) {
		mem_auto char *head = head_words(t, i);
		g->w[i] = utf8_width(head);
	}
	for (size_t i = 0; i < t->n_rows; i++) {
		size_t column = 0;
		for (size_t k = 0; k < t->rows[i]->n_cells; column += t->rows[i]->cells[k++].span) {
			mem_auto char *words = cell_words(g, t->rows[i], k, column);
			int w = utf8_width(words);
			if (t->rows[i]->cells[k].span == 1 && !(t->rows[i]->style & DOC_ROW_GROUP) && w > g->w[column])
				g->w[column] = w;
		}
	}
	while (total(g) > width) {
		size_t widest = t->n_columns;
		for (size_t i = 0; i < t->n_columns; i++)
			if (may_shrink(&t->columns[i]) && g->w[i] > g->least &&
			    (widest == t->n_columns || g->w[i] > g->w[widest]))
				widest = i;
		if (widest == t->n_columns)
			return false;
		g->w[widest]--;
	}
	return true;
}

/* The next line of at most `w` columns of *s, cut between words where it can be. */
static char *line_take(const char **s, int w)
{
	const char *p = *s, *end = *s, *space = NULL;
	char *line;
	int used = 0;

	while (*p) {
		const char *next = p;
		int c = utf8_columns(utf8_next(&next));
		if (used + c > w && p > *s)
			break;
		used += c;
		p = end = next;
		if (*p == ' ')
			space = p;
	}
	if (*end && *end != ' ' && space)
		end = space;
	line = mem_strndup(*s, (size_t)(end - *s));
	*s = end + strspn(end, " ");
	return line;
}

static void pad_put(struct buf *out, int n)
{
	for (int i = 0; i < n; i++)
		buf_putc(out, ' ');
}

struct cell_lines {
	char *words;
	const char *rest;
	int w;
	bool right;
};

/* Side by side, line by line, until every cell is used up. */
static void lines_put(struct buf *out, struct cell_lines *c, size_t n)
{
	bool more = true;

	for (size_t line = 0; more; line++) {
		more = false;
		for (size_t i = 0; i < n; i++) {
			mem_auto char *s = c[i].w > 0 ? line_take(&c[i].rest, c[i].w) : mem_strdup("");
			int free_cols = c[i].w - utf8_width(s);
			if (c[i].right)
				pad_put(out, free_cols);
			buf_puts(out, s);
			if (!c[i].right)
				pad_put(out, free_cols);
			if (i + 1 < n)
				pad_put(out, GAP);
			more |= c[i].w > 0 && *c[i].rest;
		}
		while (out->len && out->data[out->len - 1] == ' ')
			out->data[--out->len] = 0;
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i < n; i++)
		free(c[i].words);
}

static void head_put(struct buf *out, const struct grid *g)
{
	size_t n = g->t->n_columns;
	struct cell_lines *c = mem_array(n + 1, sizeof *c);

	for (size_t i = 0; i < n; i++) {
		c[i].rest = c[i].words = head_words(g->t, i);
		c[i].w = g->w[i];
		c[i].right = is_right(&g->t->columns[i]);
	}
	lines_put(out, c, n);
	for (int i = 0; i < total(g); i++)
		buf_putc(out, '-');
	buf_putc(out, '\n');
	free(c);
}

static void row_put(struct buf *out, const struct grid *g, const struct doc_row *r, int width)
{
	struct cell_lines *c = mem_array(r->n_cells + 1, sizeof *c);
	size_t column = 0;

	for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
		size_t span = r->style & DOC_ROW_GROUP ? g->t->n_columns : r->cells[k].span;
		c[k].rest = c[k].words = cell_words(g, r, k, column);
		c[k].right = span == 1 && is_right(&g->t->columns[column]);
		for (size_t i = column; i < column + span && i < g->t->n_columns; i++)
			c[k].w += g->w[i] + (i > column ? GAP : 0);
		if (span > 1 && c[k].w < LEAST)
			c[k].w = width;
	}
	lines_put(out, c, r->n_cells);
	free(c);
}

static void records_put(struct buf *out, const struct grid *g, int width)
{
	const struct doc_table *t = g->t;

	for (size_t i = 0; i < t->n_rows; i++) {
		const struct doc_row *r = t->rows[i];
		size_t column = 0;
		for (size_t k = 0; k < r->n_cells; column += r->cells[k++].span) {
			mem_auto char *head = head_words(t, column), *words = cell_words(g, r, k, column);
			int at = utf8_width(head) + 2 + (k ? 2 : 0);
			if (!*words)
				continue;
			buf_printf(out, "%s%s%s", k ? "  " : "", head, *head ? ": " : "");
			text_wrap(out, words, at, 4, width);
		}
	}
}

static bool grid_put(struct buf *out, const struct doc_table *t, int width, int least)
{
	struct grid g = { .t = t, .least = least, .w = mem_array(t->n_columns + 1, sizeof *g.w), .fractions = table_fractions(t) };
	bool fits = widths_find(&g, width);

	if (fits) {
		head_put(out, &g);
		for (size_t i = 0; i < t->n_rows; i++)
			row_put(out, &g, t->rows[i], width);
	}
	free(g.w);
	free(g.fractions);
	return fits;
}

/* ---- a table too wide: columns in parts, each behind the first column ---- */

/* Some columns of a table, borrowed from it. */
struct part {
	struct doc_table t;
	struct doc_row *rows;
};

static void part_init(struct part *p, const struct doc_table *t, size_t from, size_t to)
{
	size_t n = to - from + 1;

	memset(p, 0, sizeof *p);
	p->t.columns = mem_array(n, sizeof *p->t.columns);
	p->t.rows = mem_array(t->n_rows + 1, sizeof *p->t.rows);
	p->rows = mem_array(t->n_rows + 1, sizeof *p->rows);
	p->t.n_columns = n;
	p->t.n_rows = t->n_rows;
	for (size_t i = 0; i < n; i++) {
		size_t column = i ? from + i - 1 : 0;

		p->t.columns[i] = t->columns[column];
		p->t.columns[i].head = head_words(t, column);
	}
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct doc_row *r = t->rows[i];

		p->rows[i] = (struct doc_row){ .style = r->style, .cells = mem_array(n, sizeof *r->cells) };
		p->t.rows[i] = &p->rows[i];
		for (size_t k = 0; k < n; k++) {
			size_t column = k ? from + k - 1 : 0;

			if (column >= r->n_cells)
				break;
			p->rows[i].cells[p->rows[i].n_cells++] = r->cells[column];
		}
	}
}

static void part_release(struct part *p)
{
	for (size_t i = 0; i < p->t.n_columns; i++)
		free(p->t.columns[i].head);
	for (size_t i = 0; i < p->t.n_rows; i++)
		free(p->rows[i].cells);
	free(p->t.columns);
	free(p->t.rows);
	free(p->rows);
}

static bool part_put(struct buf *out, const struct doc_table *t, size_t from, size_t to, int width)
{
	struct part p;
	bool fits;

	part_init(&p, t, from, to);
	fits = grid_put(out, &p.t, width, to > from + 1 ? PART : LEAST);
	part_release(&p);
	return fits;
}

static bool one_cell_a_column(const struct doc_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		if (t->rows[i]->style & DOC_ROW_GROUP)
			return false;
		for (size_t k = 0; k < t->rows[i]->n_cells; k++)
			if (t->rows[i]->cells[k].span > 1)
				return false;
	}
	return true;
}

/* As many columns a part as fit; a unit stays with its number. False, and nothing is put, where one does not. */
static bool parts_put(struct buf *out, const struct doc_table *t, int width)
{
	struct buf all = BUF_INIT;
	bool ok = t->n_columns > 2 && one_cell_a_column(t);

	for (size_t from = 1, to; ok && from < t->n_columns; from = to) {
		struct buf one = BUF_INIT;

		for (to = t->n_columns; to > from; to--) {
			if (to < t->n_columns && t->columns[to].align == DOC_UNIT)
				continue;
			if (part_put(&one, t, from, to, width))
				break;
		}
		ok = to > from;
		if (ok)
			buf_printf(&all, "%s%s", from > 1 ? "\n" : "", buf_str(&one));
		buf_release(&one);
	}
	if (ok)
		buf_puts(out, buf_str(&all));
	buf_release(&all);
	return ok;
}

void text_table(struct buf *out, const struct doc_table *t, int width)
{
	struct grid g = { .t = t };

	if (grid_put(out, t, width, LEAST) || parts_put(out, t, width))
		return;
	g.fractions = table_fractions(t);
	records_put(out, &g, width);
	free(g.fractions);
}
