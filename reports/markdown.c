/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/markdown.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "reports/table.h"

static void escape(struct buf *out, const char *s)
{
	for (; *s; s++) {
		if (strchr("\\`*_[]<>|#~&", *s))
			buf_putc(out, '\\');
		buf_putc(out, *s);
	}
}

/* A code span needs more backticks around it than stand together in it. */
static void code_span(struct buf *out, const char *s)
{
	size_t most = 0, n = 0;

	for (const char *p = s; *p; p++) {
		n = *p == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	for (size_t i = 0; i <= most; i++)
		buf_putc(out, '`');
	buf_printf(out, "%s", most ? " " : "");
	for (const char *p = s; *p; p++)
		buf_printf(out, *p == '|' ? "\\|" : "%c", *p);
	buf_printf(out, "%s", most ? " " : "");
	for (size_t i = 0; i <= most; i++)
		buf_putc(out, '`');
}

static void run_put(struct buf *out, const struct doc_run *r)
{
	bool letter = strlen(r->text) == 1 && r->text[0] >= 'a' && r->text[0] <= 'z';
	const char *mark = r->marks & (DOC_STRONG | DOC_FAIL | DOC_WARN) ? "**" : r->marks & DOC_EM ? "*"
			   : r->marks & DOC_STRUCK ? "~~" : "";
	/* A mark next to a space is no mark in Markdown. */
	size_t lead = strspn(r->text, " ");
	size_t tail = strlen(r->text);
	mem_auto char *core = NULL;

	while (tail > lead && r->text[tail - 1] == ' ')
		tail--;
	core = mem_strndup(r->text + lead, tail - lead);
	buf_add(out, r->text, lead);
	if (r->marks & DOC_SUP)
		buf_puts(out, letter ? "\\[" : "^");
	if (*core)
		buf_puts(out, mark);
	if (r->kind == DOC_RUN_URL)
		buf_putc(out, '[');
	if (r->marks & DOC_CODE && *core)
		code_span(out, core);
	else
		escape(out, core);
	if (r->kind == DOC_RUN_URL) {
		buf_puts(out, "](<");
		for (const char *p = r->target; *p; p++)
			buf_printf(out, strchr("<>\\", *p) ? "%%%02X" : "%c", (unsigned char)*p);
		buf_puts(out, ">)");
	}
	if (*core)
		buf_puts(out, mark);
	if (r->marks & DOC_SUP && letter)
		buf_puts(out, "\\]");
	buf_puts(out, r->text + tail);
}

static void text_put(struct buf *out, const struct doc_text *t)
{
	for (size_t i = 0; i < t->n; i++)
		run_put(out, &t->runs[i]);
}

static void code_block(struct buf *out, const char *code)
{
	mem_auto char *fence = mem_strdup("```");

	while (strstr(code, fence)) {
		size_t n = strlen(fence);
		fence = mem_resize(fence, n + 2, 1);
		fence[n] = '`';
		fence[n + 1] = 0;
	}
	buf_printf(out, "%s\n%s\n%s\n\n", fence, code, fence);
}

static void heading(struct buf *out, int level, const char *number, const char *title)
{
	for (int i = 0; i < level; i++)
		buf_putc(out, '#');
	buf_printf(out, " %s%s", number, *number ? " " : "");
	escape(out, title);
	buf_puts(out, "\n\n");
}

static void cover(struct buf *out, const struct document *d)
{
	heading(out, 1, "", d->title);
	for (size_t i = 0; i < d->n_issuer; i++) {
		escape(out, d->issuer[i]);
		buf_puts(out, i + 1 < d->n_issuer ? "  \n" : "\n\n");
	}
	buf_puts(out, "**");
	escape(out, d->words[DOC_W_REPORT]);
	buf_putc(out, ' ');
	escape(out, d->report_id);
	buf_puts(out, "**\n");
	for (const char *const *p = (const char *const[]){ d->revision, d->subtitle, d->notice, d->footer, "" };
	     !*p || **p; p++)
		if (*p) {
			buf_puts(out, "\n");
			escape(out, *p);
			buf_puts(out, "\n");
		}
	buf_putc(out, '\n');
	for (size_t i = 0; i < d->n_facts; i++) {
		buf_puts(out, "- ");
		escape(out, d->facts[i].label);
		buf_puts(out, ": **");
		escape(out, d->facts[i].value);
		buf_puts(out, "**\n");
	}
	buf_putc(out, '\n');
}

static void finding(struct buf *out, const struct document *d, const struct doc_finding *f)
{
	mem_auto char *evidence = document_evidence(d, f);

	buf_puts(out, "- **");
	escape(out, f->key);
	if (f->key_note) {
		buf_putc(out, ' ');
		escape(out, f->key_note);
	}
	if (f->word) {
		buf_puts(out, " ");
		escape(out, f->word);
	}
	buf_puts(out, "**  \n  ");
	text_put(out, &f->say);
	if (evidence) {
		buf_puts(out, " (\u2192 ");
		escape(out, evidence);
		buf_puts(out, ")");
	}
	if (f->caveat.n) {
		buf_puts(out, "  \n  **");
		escape(out, d->words[DOC_W_CAVEAT]);
		buf_puts(out, "** ");
		text_put(out, &f->caveat);
	}
	buf_putc(out, '\n');
}

static void caption(struct buf *out, const struct document *d, const struct doc_block *b, const struct doc_text *t)
{
	mem_auto char *name = table_name(d, b);

	escape(out, name);
	buf_puts(out, "  **");
	for (size_t i = 0; i < t->n; i++)
		escape(out, t->runs[i].text);
	buf_puts(out, "**\n\n");
}

static void head_cell(struct buf *out, const struct doc_table *t, size_t column)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (column >= t->groups[i].first && column < t->groups[i].first + t->groups[i].count) {
			escape(out, t->groups[i].head);
			buf_putc(out, ' ');
		}
	for (const char *p = t->columns[column].head; *p; p++) {
		char one[2] = { *p == '\n' ? ' ' : *p, 0 };
		escape(out, one);
	}
}

static void row_put(struct buf *out, const struct doc_table *t, const struct doc_row *r)
{
	size_t column = 0;

	for (size_t k = 0; k < r->n_cells; k++) {
		const char *mark = !r->cells[k].text.n ? "" : r->style & DOC_ROW_STRUCK ? "~~"
				   : r->style & (DOC_ROW_STRONG | DOC_ROW_GROUP) ? "**" : "";
		buf_puts(out, "| ");
		if (*mark) {
			mem_auto char *plain = doc_text_plain(&r->cells[k].text);
			buf_puts(out, *plain ? mark : "");
			escape(out, plain);
			buf_puts(out, *plain ? mark : "");
		} else {
			text_put(out, &r->cells[k].text);
		}
		buf_putc(out, ' ');
		for (unsigned i = 1; i < r->cells[k].span; i++)
			buf_puts(out, "| ");
		column += r->cells[k].span;
	}
	for (; column < t->n_columns; column++)
		buf_puts(out, "| ");
	buf_puts(out, "|\n");
}

static void table(struct buf *out, const struct document *d, const struct doc_block *b)
{
	const struct doc_table *t = &b->table;

	caption(out, d, b, &t->caption);
	if (table_too_long(t)) {
		buf_printf(out, "%zu ", t->n_rows);
		escape(out, d->words[DOC_W_ROWS]);
		buf_putc(out, ' ');
		escape(out, d->words[DOC_W_NOT_SHOWN]);
		buf_puts(out, ".\n\n");
		return;
	}
	for (size_t i = 0; i < t->n_columns; i++) {
		buf_puts(out, "| ");
		head_cell(out, t, i);
		buf_putc(out, ' ');
	}
	buf_puts(out, "|\n");
	for (size_t i = 0; i < t->n_columns; i++) {
		enum doc_align a = t->columns[i].align;
		buf_puts(out, a == DOC_RIGHT || a == DOC_DECIMAL ? "|---:" : a == DOC_CENTER ? "|:---:" : "|---");
	}
	buf_puts(out, "|\n");
	for (size_t i = 0; i < t->n_rows; i++)
		row_put(out, t, t->rows[i]);
	buf_putc(out, '\n');
	if (t->note.n) {
		text_put(out, &t->note);
		buf_puts(out, "\n\n");
	}
	for (size_t i = 0; i < t->n_footnotes; i++) {
		buf_printf(out, "\\[%c\\] ", i < 26 ? (char)('a' + i) : '*');
		escape(out, t->footnotes[i]);
		buf_puts(out, "\n\n");
	}
}

static void figure(struct buf *out, const struct document *d, const struct doc_block *b)
{
	caption(out, d, b, &b->figure.caption);
	if (doc_figure_alt_adds(&b->figure)) {
		escape(out, b->figure.alt);
		buf_puts(out, "\n\n");
	}
	if (b->figure.note.n) {
		text_put(out, &b->figure.note);
		buf_puts(out, "\n\n");
	}
}

static void definition(struct buf *out, const struct doc_def *f)
{
	buf_puts(out, "**");
	escape(out, f->label);
	buf_puts(out, "** ");
	text_put(out, &f->text);
	buf_puts(out, "\n\n");
	if (f->code)
		code_block(out, f->code);
}

static void list(struct buf *out, const struct doc_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		buf_puts(out, l->ordered ? "1. " : "- ");
		text_put(out, &l->items[i]);
		buf_putc(out, '\n');
	}
	buf_putc(out, '\n');
}

static void block(struct buf *out, const struct document *d, const struct doc_block *b)
{
	mem_auto char *number = document_number(b);

	switch (b->kind) {
	case DOC_B_SECTION: heading(out, 2, number, b->section.title); break;
	case DOC_B_SUBHEAD: heading(out, b->subhead.level + 1, number, b->subhead.title); break;
	case DOC_B_PARA:
	case DOC_B_NOTE:
		text_put(out, &b->para);
		buf_puts(out, "\n\n");
		break;
	case DOC_B_DEF: definition(out, &b->def); break;
	case DOC_B_FINDING: finding(out, d, &b->finding); break;
	case DOC_B_TABLE: table(out, d, b); break;
	case DOC_B_FIGURE: figure(out, d, b); break;
	case DOC_B_CALLOUT:
		buf_puts(out, "> **");
		escape(out, b->callout.label);
		buf_puts(out, "** ");
		text_put(out, &b->callout.text);
		buf_puts(out, "\n\n");
		break;
	case DOC_B_LIST: list(out, &b->list); break;
	case DOC_B_CODE: code_block(out, b->code); break;
	}
}

int markdown_render(const struct document *d, struct buf *out, struct iow_error *e)
{
	if (!d->finished)
		return err_set(e, 0, "markdown: the document is not finished");
	cover(out, d);
	for (size_t i = 0; i < d->n_blocks; i++) {
		if (i && d->blocks[i - 1]->kind == DOC_B_FINDING && d->blocks[i]->kind != DOC_B_FINDING)
			buf_putc(out, '\n');
		block(out, d, d->blocks[i]);
	}
	buf_puts(out, "---\n\n");
	escape(out, d->words[DOC_W_END]);
	buf_putc(out, ' ');
	escape(out, d->report_id);
	buf_putc(out, '\n');
	return 0;
}

/* ---- the ticket: what is decided, on what, and how to check it ---- */

/* Is a block of this section in the ticket? */
static bool in_ticket(const char *section, const struct doc_block *b)
{
	if (strcmp(section, "summary") == 0)
		return b->kind != DOC_B_FIGURE && b->kind != DOC_B_NOTE;
	if (strcmp(section, "comparisons") == 0)
		return b->kind == DOC_B_TABLE && b->anchor && strcmp(b->anchor, "declared") == 0;
	return strcmp(section, "attestation") == 0 && b->kind == DOC_B_DEF && b->def.code;
}

static void ticket_section(struct buf *out, const struct document *d, const char *wanted)
{
	const char *section = "";
	bool finding_before = false;

	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *b = d->blocks[i];

		if (b->kind == DOC_B_SECTION)
			section = b->anchor ? b->anchor : "";
		if (b->kind == DOC_B_SECTION || strcmp(section, wanted) != 0 || !in_ticket(section, b))
			continue;
		if (finding_before && b->kind != DOC_B_FINDING)
			buf_putc(out, '\n');
		finding_before = b->kind == DOC_B_FINDING;
		block(out, d, b);
	}
	if (finding_before)
		buf_putc(out, '\n');
}

int markdown_ticket(const struct document *d, struct buf *out, struct iow_error *e)
{
	static const char *const sections[] = { "summary", "comparisons", "attestation" };

	if (!d->finished)
		return err_set(e, 0, "markdown: the document is not finished");
	heading(out, 1, "", d->title);
	escape(out, d->words[DOC_W_REPORT]);
	buf_putc(out, ' ');
	escape(out, d->report_id);
	for (const char *const *p = (const char *const[]){ d->subtitle, d->notice, d->footer, "" }; !*p || **p; p++)
		if (*p) {
			buf_puts(out, "  \n");
			escape(out, *p);
		}
	buf_puts(out, "\n\n");
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		ticket_section(out, d, sections[i]);
	return 0;
}
