/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "reports/table.h"
#include "reports/text.h"
#include "reports/utf8.h"

#define GAP 2
#define LEAST 10 /* columns that a text column may shrink to */

struct grid {
	const struct doc_table *t;
	int *w;
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
			if (may_shrink(&t->columns[i]) && g->w[i] > LEAST &&
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

void text_table(struct buf *out, const struct doc_table *t, int width)
{
	struct grid g = { .t = t, .w = mem_array(t->n_columns + 1, sizeof *g.w), .fractions = table_fractions(t) };

	if (widths_find(&g, width)) {
		head_put(out, &g);
		for (size_t i = 0; i < t->n_rows; i++)
			row_put(out, &g, t->rows[i], width);
	} else {
		records_put(out, &g, width);
	}
	free(g.w);
	free(g.fractions);
}
