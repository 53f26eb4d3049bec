/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "reports/html_escape.h"
#include "reports/table.h"

static const char *column_class(const struct doc_column *c)
{
	switch (c->align) {
	case DOC_RIGHT:
	case DOC_DECIMAL: return c->strong ? "r b" : "r";
	case DOC_CENTER: return "c";
	case DOC_UNIT: return "u";
	default: return c->strong ? c->nowrap ? "l nw b" : "l b" : c->nowrap ? "l nw" : "l";
	}
}

static void head_words(struct buf *out, const char *s)
{
	const char *nl = strchr(s, '\n');
	mem_auto char *first = nl ? mem_strndup(s, (size_t)(nl - s)) : NULL;

	html_words(out, first ? first : s);
	if (nl) {
		buf_puts(out, "<br>");
		html_words(out, nl + 1);
	}
}

static const struct doc_group *group_of(const struct doc_table *t, size_t column)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (column >= t->groups[i].first && column < t->groups[i].first + t->groups[i].count)
			return &t->groups[i];
	return NULL;
}

static void head_cell(struct buf *out, const struct doc_column *c, bool tall)
{
	/* An empty head is no header: a screen reader would announce nothing. */
	const char *element = *c->head ? "th" : "td";

	buf_printf(out, "<%s%s%s class=\"%s\">", element, tall ? " rowspan=\"2\"" : "", *c->head ? " scope=\"col\"" : "",
		   column_class(c));
	head_words(out, c->head);
	buf_printf(out, "</%s>", element);
}

static void head_put(struct buf *out, const struct doc_table *t)
{
	buf_puts(out, "<thead>\n<tr>");
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct doc_group *g = group_of(t, i);
		if (!g) {
			head_cell(out, &t->columns[i], t->n_groups > 0);
		} else if (i == g->first) {
			buf_printf(out, "<th class=\"over\" scope=\"colgroup\" colspan=\"%zu\"><span>", g->count);
			html_escape(out, g->head);
			buf_puts(out, "</span></th>");
		}
	}
	if (t->n_groups) {
		buf_puts(out, "</tr>\n<tr>");
		for (size_t i = 0; i < t->n_columns; i++)
			if (group_of(t, i))
				head_cell(out, &t->columns[i], false);
	}
	buf_puts(out, "</tr>\n</thead>\n");
}

/* Invisible digits after a number, so that the points of its column stand under each other. */
static void pad_put(struct buf *out, const struct doc_cell *c, unsigned most)
{
	struct decimal x = { 0 };

	if (c->text.n)
		x = table_decimal(c->text.runs[0].text);
	if (!x.number || x.fraction >= most)
		return;
	buf_puts(out, "<span class=\"pad\" aria-hidden=\"true\">");
	if (x.fraction == 0)
		buf_puts(out, "\u2008");
	for (unsigned i = x.fraction; i < most; i++)
		buf_puts(out, "\u2007");
	buf_puts(out, "</span>");
}

/* What the rows of a body share. */
struct body {
	const struct doc_table *t;
	const unsigned *fractions;
	const struct doc_text *head; /* the latest head of a row that was not empty */
};

/* The head of a row that leaves it empty is the one above: who hears the table or copies it gets it again. */
static void row_head(struct buf *out, struct body *b, const struct doc_cell *c)
{
	mem_auto char *plain = doc_text_plain(&c->text), *again = NULL;

	buf_printf(out, "<th scope=\"row\" class=\"%s\">", column_class(&b->t->columns[0]));
	if (*plain) {
		b->head = &c->text;
		html_text(out, &c->text);
	} else if (b->head) {
		again = doc_text_plain(b->head);
		buf_puts(out, "<span class=\"again\">");
		html_escape(out, again);
		buf_puts(out, "</span>");
	}
	buf_puts(out, "</th>");
}

/* A number alone in its cell goes with the sign that a spreadsheet knows, so that it arrives there as a number. */
static void number_put(struct buf *out, const struct doc_text *t)
{
	static const char minus[] = "\u2212";
	size_t n = strlen(minus);
	mem_auto char *plain = doc_text_plain(t);

	if (strncmp(plain, minus, n) == 0 && plain[n] && strspn(plain + n, "0123456789.%") == strlen(plain + n))
		buf_printf(out, "-%s", plain + n);
	else
		html_text(out, t);
}

static void cell_put(struct buf *out, struct body *b, const struct doc_cell *c, size_t column)
{
	const struct doc_column *of = &b->t->columns[column];

	if (column == 0 && of->align == DOC_LEFT && c->span == 1 && c->tag == DOC_TAG_NONE) {
		row_head(out, b, c);
		return;
	}
	buf_printf(out, "<td class=\"%s\"", c->span > 1 ? "l" : column_class(of));
	if (c->span > 1)
		buf_printf(out, " colspan=\"%u\"", c->span);
	buf_putc(out, '>');
	if (c->tag != DOC_TAG_NONE) {
		mem_auto char *word = doc_text_plain(&c->text);
		html_tag(out, c->tag, word);
	} else {
		number_put(out, &c->text);
	}
	if (c->span == 1 && of->align == DOC_DECIMAL)
		pad_put(out, c, b->fractions[column]);
	buf_puts(out, "</td>");
}

static void row_put(struct buf *out, struct body *b, const struct doc_row *r)
{
	size_t column = 0, n_columns = b->t->n_columns;

	buf_puts(out, "<tr");
	if (r->style & DOC_ROW_GROUP)
		buf_puts(out, " class=\"grp\"");
	else if (r->style)
		buf_printf(out, " class=\"%s%s%s\"", r->style & DOC_ROW_STRONG ? "b" : "",
			   r->style & DOC_ROW_MUTED ? " m" : "", r->style & DOC_ROW_STRUCK ? " x" : "");
	buf_putc(out, '>');
	if (r->style & DOC_ROW_GROUP && r->n_cells) {
		buf_printf(out, "<th scope=\"rowgroup\" colspan=\"%zu\">", n_columns);
		html_text(out, &r->cells[0].text);
		buf_puts(out, "</th></tr>\n");
		return;
	}
	for (size_t k = 0; k < r->n_cells; k++) {
		cell_put(out, b, &r->cells[k], column);
		column += r->cells[k].span;
	}
	for (; column < n_columns; column++)
		buf_puts(out, "<td></td>");
	buf_puts(out, "</tr>\n");
}

static void footnotes_put(struct buf *out, const struct doc_table *t)
{
	if (!t->n_footnotes && !t->note.n)
		return;
	buf_puts(out, "<p class=\"note\">");
	html_text(out, &t->note);
	for (size_t i = 0; i < t->n_footnotes; i++) {
		buf_printf(out, "%s<sup class=\"fn\">%c</sup> ", i || t->note.n ? " " : "", i < 26 ? (char)('a' + i) : '*');
		html_escape(out, t->footnotes[i]);
	}
	buf_puts(out, "</p>\n");
}

static void caption_put(struct buf *out, const struct document *d, const struct doc_block *b)
{
	const struct doc_table *t = &b->table;
	mem_auto char *name = table_name(d, b);

	buf_printf(out, t->fold ? "<details class=\"fold\"><summary id=\"t%u\"><span class=\"n\">"
				: "<p class=\"cap\" id=\"t%u\"><span class=\"n\">", t->number);
	html_escape(out, name);
	buf_puts(out, t->fold ? "</span> <strong>" : "</span> ");
	html_text(out, &t->caption);
	if (t->fold) {
		buf_printf(out, "</strong> <span>(%zu ", t->n_rows);
		html_escape(out, d->words[DOC_W_ROWS]);
		buf_puts(out, ")</span></summary>\n");
	} else {
		buf_puts(out, "</p>\n");
	}
}

void html_table(struct buf *out, const struct document *d, const struct doc_block *b)
{
	const struct doc_table *t = &b->table;
	unsigned *fractions = table_fractions(t);
	struct body body = { .t = t, .fractions = fractions };

	buf_printf(out, "<div class=\"tb%s\"", t->n_rows < TABLE_KEEP_ROWS ? " short" : "");
	/* A link into what is folded unfolds it. */
	html_attr(out, "id", t->fold ? NULL : b->anchor);
	buf_puts(out, ">\n");
	caption_put(out, d, b);
	buf_puts(out, "<div class=\"scroll\"");
	html_attr(out, "id", t->fold ? b->anchor : NULL);
	buf_printf(out, " role=\"region\" tabindex=\"0\" aria-labelledby=\"t%u\"><table class=\"t%s%s%s\""
		   " aria-labelledby=\"t%u\">\n", t->number, t->fit ? " fit" : "", t->dense ? " dense" : "",
		   t->n_columns > 8 ? " more" : t->n_columns > 4 ? " many" : "", t->number);
	head_put(out, t);
	buf_puts(out, "<tbody>\n");
	for (size_t i = 0; i < t->n_rows; i++)
		row_put(out, &body, t->rows[i]);
	buf_puts(out, "</tbody>\n</table></div>\n");
	footnotes_put(out, t);
	buf_puts(out, t->fold ? "</details></div>\n" : "</div>\n");
	free(fractions);
}
