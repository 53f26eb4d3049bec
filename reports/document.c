/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/document.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/document_index.h"

static const char *const english[DOC_W_MAX] = {
	[DOC_W_CONTENTS] = "Contents", [DOC_W_COVER] = "Cover", [DOC_W_TABLE] = "Table",
	[DOC_W_FIGURE] = "Figure", [DOC_W_SECTION] = "section", [DOC_W_PAGE] = "page",
	[DOC_W_OF] = "of", [DOC_W_CAVEAT] = "Caveat", [DOC_W_REPORT] = "Test report",
	[DOC_W_CONTINUED] = "continued", [DOC_W_END] = "End of report",
	[DOC_W_SKIP] = "Skip to the summary", [DOC_W_ROWS] = "rows",
	[DOC_W_ATTACHED] = "Attached to the PDF",
	[DOC_W_NOT_SHOWN] = "not shown in this form: report.html and report.pdf have them, and iowitness report --format csv all runs",
	[DOC_W_LEFT_OUT] = "Left out by this site's layout; the bundle and its other reports have it.",
};

char *document_anchor(const char *s)
{
	char *a = mem_strdup(s ? s : "");

	for (char *p = a; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
		*p = plain ? (char)c : c >= 'A' && c <= 'Z' ? (char)(c + 32) : '-';
	}
	return a;
}

/* The formatted arguments, cleaned; `fmt` may be NULL. */
static char *vclean(const char *fmt, va_list ap)
{
	struct buf b = BUF_INIT;
	char *s;

	if (fmt)
		buf_vprintf(&b, fmt, ap);
	s = doc_clean(buf_str(&b), false);
	buf_release(&b);
	return s;
}

#define VTEXT(t, fmt)                                                                                      \
	do {                                                                                               \
		va_list ap;                                                                                \
		va_start(ap, fmt);                                                                         \
		text_start(t, fmt, ap);                                                                    \
		va_end(ap);                                                                                \
	} while (0)

static void text_start(struct doc_text *t, const char *fmt, va_list ap)
{
	mem_auto char *s = vclean(fmt, ap);

	doc_add(t, "%s", s);
}

struct document *document_new(const char *title, const char *report_id)
{
	struct document *d = mem_alloc(sizeof *d);

	d->title = doc_clean(title, false);
	d->report_id = doc_clean(report_id, false);
	d->language = mem_strdup("en");
	d->first_section = 2;
	for (int i = 0; i < DOC_W_MAX; i++)
		d->words[i] = mem_strdup(english[i]);
	return d;
}

void document_set(char **field, const char *fmt, ...)
{
	va_list ap;

	free(*field);
	*field = NULL;
	if (!fmt)
		return;
	va_start(ap, fmt);
	*field = vclean(fmt, ap);
	va_end(ap);
}

void document_issuer(struct document *d, const char *line)
{
	*VEC_ADD(d->issuer, d->n_issuer) = doc_clean(line, false);
}

void document_fact(struct document *d, const char *label, const char *fmt, ...)
{
	struct doc_fact *f = VEC_ADD(d->facts, d->n_facts);
	va_list ap;

	f->label = doc_clean(label, false);
	va_start(ap, fmt);
	f->value = vclean(fmt, ap);
	va_end(ap);
}

void document_word(struct document *d, enum doc_word w, const char *text)
{
	document_set(&d->words[w], "%s", text);
}

void document_attach(struct document *d, const char *name, const char *mime, const char *about,
		     const void *data, size_t len)
{
	struct doc_attachment *a = VEC_ADD(d->attachments, d->n_attachments);

	a->name = doc_clean(name, false);
	a->mime = doc_clean(mime, false);
	a->about = doc_clean(about, false);
	a->data = mem_alloc(len + 1);
	memcpy(a->data, data, len);
	a->len = len;
}

void document_logo(struct document *d, const void *data, size_t len, const char *alt)
{
	free(d->logo);
	free(d->logo_alt);
	d->logo = mem_alloc(len + 1);
	memcpy(d->logo, data, len);
	d->logo_len = len;
	d->logo_alt = doc_clean(alt, false);
}

static struct doc_block *block_add(struct document *d, enum doc_kind kind, const char *anchor)
{
	struct doc_block *b = mem_alloc(sizeof *b);

	*VEC_ADD(d->blocks, d->n_blocks) = b;
	b->kind = kind;
	b->anchor = anchor ? document_anchor(anchor) : NULL;
	d->finished = false;
	return b;
}

void document_add_block(struct document *d, struct doc_block *b)
{
	*VEC_ADD(d->blocks, d->n_blocks) = b;
	d->finished = false;
}

void doc_anchor(struct document *d, const char *anchor)
{
	struct doc_block *b = d->n_blocks ? d->blocks[d->n_blocks - 1] : NULL;

	if (b) {
		free(b->anchor);
		b->anchor = document_anchor(anchor);
	}
}

struct doc_section *doc_section(struct document *d, const char *anchor, const char *title)
{
	struct doc_block *b = block_add(d, DOC_B_SECTION, anchor);

	b->section.title = doc_clean(title, false);
	return &b->section;
}

struct doc_subhead *doc_subhead(struct document *d, int level, const char *anchor, const char *fmt, ...)
{
	struct doc_block *b = block_add(d, DOC_B_SUBHEAD, anchor);
	va_list ap;

	b->subhead.level = level;
	va_start(ap, fmt);
	b->subhead.title = vclean(fmt, ap);
	va_end(ap);
	return &b->subhead;
}

struct doc_text *doc_para(struct document *d, const char *fmt, ...)
{
	struct doc_text *t = &block_add(d, DOC_B_PARA, NULL)->para;

	VTEXT(t, fmt);
	return t;
}

struct doc_text *doc_note(struct document *d, const char *fmt, ...)
{
	struct doc_text *t = &block_add(d, DOC_B_NOTE, NULL)->para;

	VTEXT(t, fmt);
	return t;
}

struct doc_def *doc_def(struct document *d, const char *label, const char *fmt, ...)
{
	struct doc_def *def = &block_add(d, DOC_B_DEF, NULL)->def;

	def->label = doc_clean(label, false);
	VTEXT(&def->text, fmt);
	return def;
}

void doc_def_code(struct doc_def *def, const char *lines)
{
	free(def->code);
	def->code = doc_clean(lines, true);
}

struct doc_finding *doc_finding(struct document *d, enum doc_tag tag, const char *word, const char *key)
{
	struct doc_finding *f = &block_add(d, DOC_B_FINDING, NULL)->finding;

	f->tag = tag;
	f->word = word ? doc_clean(word, false) : NULL;
	f->key = doc_clean(key, false);
	return f;
}

void doc_finding_evidence(struct doc_finding *f, const char *anchor, const char *word)
{
	free(f->evidence);
	free(f->evidence_word);
	f->evidence = document_anchor(anchor);
	f->evidence_word = doc_clean(word, false);
}

struct doc_callout *doc_callout(struct document *d, const char *label, const char *fmt, ...)
{
	struct doc_callout *c = &block_add(d, DOC_B_CALLOUT, NULL)->callout;

	c->label = doc_clean(label, false);
	VTEXT(&c->text, fmt);
	return c;
}

struct doc_list *doc_list(struct document *d, bool ordered)
{
	struct doc_list *l = &block_add(d, DOC_B_LIST, NULL)->list;

	l->ordered = ordered;
	return l;
}

struct doc_text *doc_item(struct doc_list *l, const char *fmt, ...)
{
	struct doc_text *t = VEC_ADD(l->items, l->n);

	VTEXT(t, fmt);
	return t;
}

void doc_code(struct document *d, const char *lines)
{
	block_add(d, DOC_B_CODE, NULL)->code = doc_clean(lines, true);
}

struct doc_table *doc_table(struct document *d, const char *anchor, const char *fmt, ...)
{
	struct doc_table *t = &block_add(d, DOC_B_TABLE, anchor)->table;

	VTEXT(&t->caption, fmt);
	return t;
}

struct doc_column *doc_column(struct doc_table *t, enum doc_align align, const char *head)
{
	struct doc_column *c = VEC_ADD(t->columns, t->n_columns);

	c->align = align;
	c->head = doc_clean(head, true);
	return c;
}

void doc_group(struct doc_table *t, const char *head, size_t first, size_t count)
{
	struct doc_group *g = VEC_ADD(t->groups, t->n_groups);

	g->head = doc_clean(head, false);
	g->first = first;
	g->count = count;
}

struct doc_row *doc_row(struct doc_table *t, unsigned style)
{
	struct doc_row *r = mem_alloc(sizeof *r);

	*VEC_ADD(t->rows, t->n_rows) = r;
	r->style = style;
	r->cap = t->n_columns;
	r->cells = mem_array(r->cap + 1, sizeof *r->cells);
	return r;
}

/* One cell too many goes into the spare place, for document_finish() to find. */
static struct doc_cell *cell_add(struct doc_row *r)
{
	struct doc_cell *c = &r->cells[r->n_cells <= r->cap ? r->n_cells++ : r->cap];

	c->span = 1;
	return c;
}

struct doc_text *doc_cell(struct doc_row *r, const char *fmt, ...)
{
	struct doc_text *t = &cell_add(r)->text;

	VTEXT(t, fmt);
	return t;
}

void doc_cell_num(struct doc_row *r, double x, int decimals)
{
	char s[40];

	num_fixed(x, decimals, s);
	doc_cell(r, "%s%s", *s == '-' ? "\u2212" : "", *s == '-' ? s + 1 : s);
}

void doc_cell_tag(struct doc_row *r, enum doc_tag tag, const char *word)
{
	struct doc_cell *c = cell_add(r);

	c->tag = tag;
	doc_add(&c->text, "%s", word);
}

void doc_span(struct doc_row *r, unsigned span)
{
	if (r->n_cells)
		r->cells[r->n_cells - 1].span = span ? span : 1;
}

void doc_footnote(struct doc_table *t, struct doc_text *at, const char *fmt, ...)
{
	mem_auto char *s = NULL;
	size_t i;
	va_list ap;

	va_start(ap, fmt);
	s = vclean(fmt, ap);
	va_end(ap);
	for (i = 0; i < t->n_footnotes && strcmp(t->footnotes[i], s) != 0; i++)
		;
	if (i == t->n_footnotes)
		*VEC_ADD(t->footnotes, t->n_footnotes) = mem_strdup(s);
	doc_mark(at, DOC_SUP, "%c", i < 26 ? (char)('a' + i) : '*');
}

struct doc_figure *doc_figure(struct document *d, const char *anchor, struct chart *chart, const char *fmt, ...)
{
	struct doc_figure *f = &block_add(d, DOC_B_FIGURE, anchor)->figure;

	f->chart = chart;
	VTEXT(&f->caption, fmt);
	return f;
}

bool doc_figure_alt_adds(const struct doc_figure *f)
{
	mem_auto char *caption = doc_text_plain(&f->caption);

	return f->alt && strcmp(f->alt, caption) != 0;
}

void doc_figure_alt(struct doc_figure *f, const char *fmt, ...)
{
	va_list ap;

	free(f->alt);
	va_start(ap, fmt);
	f->alt = vclean(fmt, ap);
	va_end(ap);
}
