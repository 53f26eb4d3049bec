/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_tags.h"

#include <hpdf_doc.h>
#include <hpdf_pages.h>
#include <hpdf_streams.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"
#include "reports/pdf_lay.h"

#define ARRAY_MOST 30000 /* libharu's arrays end at 32767 */

void tags_release(struct pdf_tags *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].alt);
	free(t->v);
	*t = (struct pdf_tags){ 0 };
}

void tags_cut(struct pdf_tags *t, size_t n)
{
	for (size_t i = n; i < t->n; i++)
		free(t->v[i].alt);
	t->n = n;
}

void tags_reset(struct lay *l)
{
	tags_release(&l->tags);
	VEC_ADD(l->tags.v, l->tags.n)->kind = "Artifact";
	VEC_ADD(l->tags.v, l->tags.n)->kind = "Document";
	l->tag = 0;
}

int tag_new(struct lay *l, const char *kind, int parent)
{
	struct pdf_tag *t = VEC_ADD(l->tags.v, l->tags.n);

	t->kind = kind;
	t->parent = parent;
	return (int)l->tags.n - 1;
}

int tag_to(struct lay *l, int tag)
{
	int before = l->tag;

	l->tag = tag;
	lay_page(l)->tag = tag;
	return before;
}

int tag_open(struct lay *l, const char *kind, int parent)
{
	int tag = tag_new(l, kind, parent);

	tag_to(l, tag);
	return tag;
}

static void content_put(HPDF_Page page, const char *s)
{
	HPDF_PageAttr attr = page->attr;

	HPDF_Stream_WriteStr(attr->stream, s);
}

void tag_begin(HPDF_Page page, const char *kind, int mcid)
{
	char s[64];

	if (mcid < 0)
		snprintf(s, sizeof s, "/Artifact BMC\n");
	else
		snprintf(s, sizeof s, "/%s <</MCID %d>> BDC\n", kind, mcid);
	content_put(page, s);
}

void tag_end(HPDF_Page page)
{
	content_put(page, "EMC\n");
}

/* ---- the tree ---- */

struct tree {
	const struct pdf_tags *tags;
	HPDF_Doc pdf;
	HPDF_Dict *elems;
	HPDF_Array *kids;
	HPDF_Page *first; /* the page that an element's plain numbers mean */
	bool *used;
};

static HPDF_Dict dict_new(struct tree *x, const char *type)
{
	HPDF_Dict d = HPDF_Dict_New(x->pdf->mmgr);

	if (type)
		HPDF_Dict_AddName(d, "Type", type);
	return d;
}

static void attributes_put(struct tree *x, HPDF_Dict elem, const struct pdf_tag *t)
{
	HPDF_Dict a;

	if (t->alt)
		HPDF_Dict_Add(elem, "Alt", HPDF_String_New(x->pdf->mmgr, t->alt, HPDF_GetEncoder(x->pdf, "UTF-8")));
	if (!t->scope && t->span < 2)
		return;
	a = dict_new(x, NULL);
	HPDF_Dict_AddName(a, "O", "Table");
	if (t->scope)
		HPDF_Dict_AddName(a, "Scope", t->scope == 'c' ? "Column" : "Row");
	if (t->span > 1)
		HPDF_Dict_AddNumber(a, "ColSpan", (HPDF_INT32)t->span);
	HPDF_Dict_Add(elem, "A", a);
}

static void elem_make(struct tree *x, size_t i, HPDF_Dict root)
{
	const struct pdf_tag *t = &x->tags->v[i];
	HPDF_Dict elem = dict_new(x, "StructElem");

	HPDF_Xref_Add(x->pdf->xref, elem);
	HPDF_Dict_AddName(elem, "S", t->kind);
	HPDF_Dict_Add(elem, "P", t->parent ? x->elems[t->parent] : root);
	attributes_put(x, elem, t);
	x->kids[i] = HPDF_Array_New(x->pdf->mmgr);
	HPDF_Dict_Add(elem, "K", x->kids[i]);
	x->elems[i] = elem;
	if (t->parent)
		HPDF_Array_Add(x->kids[t->parent], elem);
}

static void mark_put(struct tree *x, int tag, HPDF_Page page, int mcid)
{
	HPDF_Dict ref;

	if (!x->first[tag]) {
		x->first[tag] = page;
		HPDF_Dict_Add(x->elems[tag], "Pg", page);
	}
	if (x->first[tag] == page) {
		HPDF_Array_AddNumber(x->kids[tag], mcid);
		return;
	}
	ref = dict_new(x, "MCR");
	HPDF_Dict_Add(ref, "Pg", page);
	HPDF_Dict_AddNumber(ref, "MCID", mcid);
	HPDF_Array_Add(x->kids[tag], ref);
}

/* From a page's pieces back to their elements. */
static HPDF_Dict parents_make(struct tree *x, HPDF_Page *pages, size_t n_pages, const struct pdf_mark *marks,
			      size_t n_marks)
{
	HPDF_Dict parents = dict_new(x, NULL);
	HPDF_Array nums = HPDF_Array_New(x->pdf->mmgr);
	size_t at = 0;

	for (size_t i = 0; i < n_pages; i++) {
		HPDF_Array list = HPDF_Array_New(x->pdf->mmgr);
		for (int mcid = 0; at < n_marks && marks[at].page == i; at++, mcid++) {
			HPDF_Array_Add(list, x->elems[marks[at].tag]);
			mark_put(x, marks[at].tag, pages[i], mcid);
		}
		HPDF_Dict_AddNumber(pages[i], "StructParents", (HPDF_INT32)i);
		HPDF_Array_AddNumber(nums, (HPDF_INT32)i);
		HPDF_Array_Add(nums, list);
	}
	HPDF_Dict_Add(parents, "Nums", nums);
	return parents;
}

void tags_emit(const struct pdf_tags *t, HPDF_Doc pdf, HPDF_Page *pages, size_t n_pages,
	       const struct pdf_mark *marks, size_t n_marks)
{
	struct tree x = { .tags = t, .pdf = pdf, .elems = mem_array(t->n + 1, sizeof *x.elems),
			  .kids = mem_array(t->n + 1, sizeof *x.kids), .first = mem_array(t->n + 1, sizeof *x.first),
			  .used = mem_array(t->n + 1, sizeof *x.used) };
	HPDF_Dict root = dict_new(&x, "StructTreeRoot"), info = dict_new(&x, NULL);

	HPDF_Xref_Add(pdf->xref, root);
	for (size_t i = 0; i < n_marks; i++)
		for (int tag = marks[i].tag; tag && !x.used[tag]; tag = t->v[tag].parent)
			x.used[tag] = true;
	for (size_t i = 1; i < t->n; i++)
		if (x.used[i] || i == TAG_DOCUMENT)
			elem_make(&x, i, root);
	HPDF_Dict_Add(root, "K", x.elems[TAG_DOCUMENT]);
	if (n_pages * 2 < ARRAY_MOST)
		HPDF_Dict_Add(root, "ParentTree", parents_make(&x, pages, n_pages, marks, n_marks));
	HPDF_Dict_AddNumber(root, "ParentTreeNextKey", (HPDF_INT32)n_pages);
	HPDF_Dict_Add(pdf->catalog, "StructTreeRoot", root);
	HPDF_Dict_AddBoolean(info, "Marked", HPDF_TRUE);
	HPDF_Dict_Add(pdf->catalog, "MarkInfo", info);
	free(x.elems);
	free(x.kids);
	free(x.first);
	free(x.used);
}
