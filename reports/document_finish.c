/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/document_index.h"

static int entry_order(const void *a, const void *b)
{
	const struct doc_index_entry *x = a, *y = b;

	return strcmp(x->anchor, y->anchor);
}

static void doc_index_free(struct doc_index *ix)
{
	if (ix)
		free(ix->entries);
	free(ix);
}

static int index_make(struct document *d, struct iow_error *e)
{
	struct doc_index *ix = mem_alloc(sizeof *ix);

	doc_index_free(d->index);
	d->index = ix;
	for (size_t i = 0; i < d->n_blocks; i++) {
		struct doc_index_entry *x;
		if (!d->blocks[i]->anchor)
			continue;
		x = VEC_ADD(ix->entries, ix->n);
		x->anchor = d->blocks[i]->anchor;
		x->block = i;
	}
	if (ix->n)
		qsort(ix->entries, ix->n, sizeof *ix->entries, entry_order);
	for (size_t i = 1; i < ix->n; i++)
		if (strcmp(ix->entries[i - 1].anchor, ix->entries[i].anchor) == 0)
			return err_set(e, 0, "report: the anchor \"%s\" is used twice", ix->entries[i].anchor);
	return 0;
}

static const struct doc_index_entry *index_find(const struct document *d, const char *anchor)
{
	struct doc_index_entry key = { .anchor = anchor };

	if (!d->index || !d->index->n)
		return NULL;
	return bsearch(&key, d->index->entries, d->index->n, sizeof key, entry_order);
}

size_t document_place(const struct document *d, const char *anchor)
{
	const struct doc_index_entry *x = index_find(d, anchor);

	return x ? x->block : d->n_blocks;
}

const struct doc_block *document_find(const struct document *d, const char *anchor)
{
	size_t place = document_place(d, anchor);

	return place < d->n_blocks ? d->blocks[place] : NULL;
}

char *document_number(const struct doc_block *b)
{
	switch (b->kind) {
	case DOC_B_SECTION:
		return mem_printf("%u", b->section.number);
	case DOC_B_SUBHEAD:
		if (b->subhead.number)
			return mem_printf("%u.%u", b->subhead.section, b->subhead.number);
		return mem_strdup("");
	case DOC_B_TABLE:
		return mem_printf("%u", b->table.number);
	case DOC_B_FIGURE:
		return mem_printf("%u", b->figure.number);
	default:
		return mem_strdup("");
	}
}

/* What has no number of its own goes by the heading it stands under. */
static const struct doc_block *numbered(const struct document *d, const struct doc_block *b)
{
	const struct doc_block *head = NULL;

	if (b->kind == DOC_B_TABLE || b->kind == DOC_B_FIGURE || b->kind == DOC_B_SECTION)
		return b;
	for (size_t i = 0; i < d->n_blocks; i++) {
		const struct doc_block *x = d->blocks[i];
		if (x->kind == DOC_B_SECTION || (x->kind == DOC_B_SUBHEAD && x->subhead.number))
			head = x;
		if (x == b)
			break;
	}
	return head ? head : b;
}

char *document_label(const struct document *d, const struct doc_block *b)
{
	const struct doc_block *n = numbered(d, b);
	enum doc_word w = n->kind == DOC_B_TABLE    ? DOC_W_TABLE
			  : n->kind == DOC_B_FIGURE ? DOC_W_FIGURE
						    : DOC_W_SECTION;
	mem_auto char *number = document_number(n);

	return mem_printf("%s\u00a0%s", d->words[w], number);
}

char *document_evidence(const struct document *d, const struct doc_finding *f)
{
	const struct doc_block *b = f->evidence ? document_find(d, f->evidence) : NULL;
	const struct doc_block *n = b ? numbered(d, b) : NULL;
	mem_auto char *number = NULL;

	if (!n)
		return NULL;
	if (n->kind == DOC_B_TABLE || n->kind == DOC_B_FIGURE)
		return document_label(d, n);
	number = document_number(n);
	return mem_printf("%s\u00a0%s", f->evidence_word, number);
}

static int text_resolve(struct document *d, struct doc_text *t, struct iow_error *e)
{
	for (size_t i = 0; i < t->n; i++) {
		struct doc_run *r = &t->runs[i];
		const struct doc_block *b;
		if (r->kind != DOC_RUN_LINK && r->kind != DOC_RUN_REF)
			continue;
		b = document_find(d, r->target);
		if (!b)
			return err_set(e, 0, "report: a link leads to \"%s\", which is nowhere", r->target);
		if (r->kind == DOC_RUN_REF) {
			free(r->text);
			r->text = document_label(d, b);
		}
	}
	return 0;
}

static int table_check(struct document *d, struct doc_table *t, struct iow_error *e)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		size_t columns = 0;
		for (size_t k = 0; k < t->rows[i]->n_cells; k++) {
			columns += t->rows[i]->cells[k].span;
			if (text_resolve(d, &t->rows[i]->cells[k].text, e) < 0)
				return -1;
		}
		if (columns > t->n_columns)
			return err_set(e, 0, "report: table %u, row %zu has %zu cells for %zu columns",
				       t->number, i + 1, columns, t->n_columns);
	}
	for (size_t i = 0; i < t->n_groups; i++)
		if (t->groups[i].first + t->groups[i].count > t->n_columns)
			return err_set(e, 0, "report: table %u: a head spans more than its columns", t->number);
	return text_resolve(d, &t->caption, e) < 0 ? -1 : text_resolve(d, &t->note, e);
}

static int finding_check(struct document *d, struct doc_finding *f, struct iow_error *e)
{
	if (f->evidence && !document_find(d, f->evidence))
		return err_set(e, 0, "report: evidence \"%s\" is nowhere", f->evidence);
	return text_resolve(d, &f->say, e) < 0 ? -1 : text_resolve(d, &f->caveat, e);
}

static int block_check(struct document *d, struct doc_block *b, struct iow_error *e)
{
	switch (b->kind) {
	case DOC_B_PARA:
	case DOC_B_NOTE:
		return text_resolve(d, &b->para, e);
	case DOC_B_DEF:
		return text_resolve(d, &b->def.text, e);
	case DOC_B_FINDING:
		return finding_check(d, &b->finding, e);
	case DOC_B_TABLE:
		return table_check(d, &b->table, e);
	case DOC_B_FIGURE:
		return text_resolve(d, &b->figure.caption, e) < 0 ? -1 : text_resolve(d, &b->figure.note, e);
	case DOC_B_CALLOUT:
		return text_resolve(d, &b->callout.text, e);
	case DOC_B_LIST:
		for (size_t i = 0; i < b->list.n; i++)
			if (text_resolve(d, &b->list.items[i], e) < 0)
				return -1;
		return 0;
	default:
		return 0;
	}
}

static void number_blocks(struct document *d)
{
	unsigned section = d->first_section - 1, sub = 0, table = 0, figure = 0;

	for (size_t i = 0; i < d->n_blocks; i++) {
		struct doc_block *b = d->blocks[i];
		if (b->kind == DOC_B_SECTION) {
			b->section.number = ++section;
			sub = 0;
		} else if (b->kind == DOC_B_SUBHEAD && b->subhead.level == 2 && !b->subhead.plain) {
			b->subhead.section = section;
			b->subhead.number = ++sub;
		} else if (b->kind == DOC_B_TABLE) {
			b->table.number = ++table;
		} else if (b->kind == DOC_B_FIGURE) {
			b->figure.number = ++figure;
		}
	}
}

int document_finish(struct document *d, struct iow_error *e)
{
	number_blocks(d);
	if (index_make(d, e) < 0)
		return -1;
	for (size_t i = 0; i < d->n_blocks; i++)
		if (block_check(d, d->blocks[i], e) < 0)
			return -1;
	d->finished = true;
	return 0;
}

/* ---- the end of a document ---- */

static void strings_free(char **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(s[i]);
	free(s);
}

static void table_release(struct doc_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		for (size_t k = 0; k <= t->rows[i]->cap; k++)
			doc_text_release(&t->rows[i]->cells[k].text);
		free(t->rows[i]->cells);
		free(t->rows[i]);
	}
	free(t->rows);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->columns[i].head);
	free(t->columns);
	for (size_t i = 0; i < t->n_groups; i++)
		free(t->groups[i].head);
	free(t->groups);
	strings_free(t->footnotes, t->n_footnotes);
	doc_text_release(&t->caption);
	doc_text_release(&t->note);
}

static void finding_release(struct doc_finding *f)
{
	free(f->word);
	free(f->key);
	free(f->key_note);
	free(f->evidence);
	free(f->evidence_word);
	doc_text_release(&f->say);
	doc_text_release(&f->caveat);
}

static void figure_release(struct doc_figure *f)
{
	doc_text_release(&f->caption);
	doc_text_release(&f->note);
	chart_free(f->chart);
	free(f->alt);
}

static void list_release(struct doc_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		doc_text_release(&l->items[i]);
	free(l->items);
}

void document_free_block(struct doc_block *b)
{
	switch (b->kind) {
	case DOC_B_SECTION: free(b->section.title); break;
	case DOC_B_SUBHEAD: free(b->subhead.title); break;
	case DOC_B_PARA:
	case DOC_B_NOTE: doc_text_release(&b->para); break;
	case DOC_B_DEF:
		free(b->def.label);
		free(b->def.code);
		doc_text_release(&b->def.text);
		break;
	case DOC_B_FINDING: finding_release(&b->finding); break;
	case DOC_B_TABLE: table_release(&b->table); break;
	case DOC_B_FIGURE: figure_release(&b->figure); break;
	case DOC_B_CALLOUT:
		free(b->callout.label);
		doc_text_release(&b->callout.text);
		break;
	case DOC_B_LIST: list_release(&b->list); break;
	case DOC_B_CODE: free(b->code); break;
	}
	free(b->anchor);
	free(b);
}

static void meta_release(struct document *d)
{
	char *const strings[] = { d->title, d->report_id, d->subtitle, d->revision, d->notice, d->footer,
		d->language, d->generator, d->date, d->logo, d->logo_alt, d->accent };

	for (size_t i = 0; i < ARRAY_LEN(strings); i++)
		free(strings[i]);
	strings_free(d->issuer, d->n_issuer);
	for (size_t i = 0; i < d->n_facts; i++) {
		free(d->facts[i].label);
		free(d->facts[i].value);
	}
	free(d->facts);
	for (size_t i = 0; i < d->n_attachments; i++) {
		free(d->attachments[i].name);
		free(d->attachments[i].mime);
		free(d->attachments[i].about);
		free(d->attachments[i].data);
	}
	free(d->attachments);
	for (int i = 0; i < DOC_W_MAX; i++)
		free(d->words[i]);
}

void document_free(struct document *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n_blocks; i++)
		document_free_block(d->blocks[i]);
	free(d->blocks);
	doc_index_free(d->index);
	meta_release(d);
	free(d);
}
