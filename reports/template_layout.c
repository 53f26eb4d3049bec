/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/template.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"

/* The blocks of a section, from its heading to before the next. */
struct part {
	size_t from, to;
	bool placed, left_out;
};
struct parts {
	struct part *v;
	size_t n;
};

static int at_error(const struct jsonx_doc *j, const char *list, size_t i, struct iow_error *e, const char *what)
{
	mem_auto char *pointer = mem_printf("/%s/%zu", list, i);
	int line = 1, column = 1;

	jsonx_where(j, pointer, false, &line, &column);
	return err_set(e, 0, "%s:%d:%d: %s: %s", j->name, line, column, pointer, what);
}

static void parts_find(const struct document *d, struct parts *p)
{
	p->v = mem_array(d->n_blocks + 1, sizeof *p->v);
	p->n = 0;
	for (size_t i = 0; i < d->n_blocks; i++) {
		if (d->blocks[i]->kind != DOC_B_SECTION)
			continue;
		if (p->n)
			p->v[p->n - 1].to = i;
		p->v[p->n++] = (struct part){ .from = i, .to = d->n_blocks };
	}
}

/* What the list names, marked; an unknown name is a mistake. */
static int list_apply(const struct jsonx_doc *j, const char *list, const struct document *d, struct parts *p,
		      size_t *order, size_t *n, struct iow_error *e)
{
	const json_t *names = json_object_get(j->root, list);
	size_t i, k;
	json_t *name;

	json_array_foreach(names, i, name) {
		const char *s = json_string_value(name);
		for (k = 0; k < p->n; k++) {
			const char *anchor = d->blocks[p->v[k].from]->anchor;
			if (s && anchor && strcmp(anchor, s) == 0)
				break;
		}
		if (k == p->n)
			return at_error(j, list, i, e, "no section has this name");
		if (order ? p->v[k].placed : p->v[k].left_out)
			return at_error(j, list, i, e, "the section is named twice");
		if (!order) {
			p->v[k].left_out = true;
			continue;
		}
		p->v[k].placed = true;
		order[(*n)++] = k;
	}
	return 0;
}

static void retarget(struct doc_text *t, const struct document *d, size_t from, size_t to, const char *anchor)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = from + 1; t->runs[i].target && k < to; k++)
			if (d->blocks[k]->anchor && strcmp(d->blocks[k]->anchor, t->runs[i].target) == 0) {
				free(t->runs[i].target);
				t->runs[i].target = mem_strdup(anchor);
			}
}

/* Every text of a block; links into the part from..to lead to its heading instead. */
static void block_retarget(struct doc_block *b, const struct document *d, size_t from, size_t to)
{
	const char *anchor = d->blocks[from]->anchor;

	switch (b->kind) {
	case DOC_B_PARA:
	case DOC_B_NOTE: retarget(&b->para, d, from, to, anchor); break;
	case DOC_B_DEF: retarget(&b->def.text, d, from, to, anchor); break;
	case DOC_B_CALLOUT: retarget(&b->callout.text, d, from, to, anchor); break;
	case DOC_B_FIGURE: retarget(&b->figure.note, d, from, to, anchor); break;
	case DOC_B_FINDING:
		retarget(&b->finding.say, d, from, to, anchor);
		retarget(&b->finding.caveat, d, from, to, anchor);
		for (size_t k = from + 1; b->finding.evidence && k < to; k++)
			if (d->blocks[k]->anchor && strcmp(d->blocks[k]->anchor, b->finding.evidence) == 0) {
				free(b->finding.evidence);
				b->finding.evidence = mem_strdup(anchor);
			}
		break;
	case DOC_B_LIST:
		for (size_t i = 0; i < b->list.n; i++)
			retarget(&b->list.items[i], d, from, to, anchor);
		break;
	case DOC_B_TABLE:
		retarget(&b->table.note, d, from, to, anchor);
		for (size_t i = 0; i < b->table.n_rows; i++)
			for (size_t k = 0; k < b->table.rows[i]->n_cells; k++)
				retarget(&b->table.rows[i]->cells[k].text, d, from, to, anchor);
		break;
	default: break;
	}
}

static void parts_place(struct document *d, const struct parts *p, const size_t *order)
{
	struct doc_block **old = d->blocks;
	size_t n_old = d->n_blocks, first = p->n ? p->v[0].from : n_old;

	for (size_t k = 0; k < p->n; k++)
		for (size_t i = 0; p->v[k].left_out && i < n_old; i++)
			block_retarget(old[i], d, p->v[k].from, p->v[k].to);
	d->blocks = NULL;
	d->n_blocks = 0;
	for (size_t i = 0; i < first; i++)
		document_add_block(d, old[i]);
	for (size_t k = 0; k < p->n; k++) {
		const struct part *x = &p->v[order[k]];
		document_add_block(d, old[x->from]);
		if (x->left_out)
			doc_para(d, "%s", d->words[DOC_W_LEFT_OUT]);
		for (size_t i = x->from + 1; i < x->to; i++)
			if (x->left_out)
				document_free_block(old[i]);
			else
				document_add_block(d, old[i]);
	}
	free(old);
}

static int layout_apply(const struct jsonx_doc *j, struct document *d, struct iow_error *e)
{
	struct parts p;
	size_t *order, n = 0;
	int rc;

	parts_find(d, &p);
	order = mem_array(p.n + 1, sizeof *order);
	rc = list_apply(j, "order", d, &p, order, &n, e);
	if (rc == 0)
		rc = list_apply(j, "leave_out", d, &p, NULL, NULL, e);
	for (size_t k = 0; k < p.n; k++)
		if (!p.v[k].placed)
			order[n++] = k;
	if (rc == 0) {
		parts_place(d, &p, order);
		rc = document_finish(d, e);
	}
	free(order);
	free(p.v);
	return rc;
}

int template_layout(const struct template_dirs *t, struct document *d, struct iow_error *e)
{
	struct buf text = BUF_INIT;
	mem_auto char *path = NULL;
	struct jsonx_doc j;
	int rc = template_load(t, "layout.json", &text, &path, e);

	if (rc == 0)
		rc = jsonx_parse(&j, path, buf_str(&text), text.len, e);
	if (rc == 0) {
		rc = json_is_object(j.root) ? layout_apply(&j, d, e)
					    : err_set(e, 0, "%s: order and leave_out are lists of section names", path);
		jsonx_release(&j);
	}
	buf_release(&text);
	return rc;
}
