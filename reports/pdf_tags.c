/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_tags.h"

#include <hpdf_doc.h>
#include <hpdf_pages.h>
#include <hpdf_streams.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "reports/pdf_lay.h"

#define KIDS_MOST 8000
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
	HPDF_Array *kids, *more; /* where parts go; where elements with more parts go, if any */
	HPDF_Dict *last;         /* the element that kids belong to */
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

/* libharu's arrays end: an element with very many parts gets the rest in elements of its own. What is added
 * goes to x->kids[i] after this; gives the element that it belongs to. */
static HPDF_Dict kids_room(struct tree *x, size_t i)
{
	const char *kind = x->tags->v[i].kind;
	HPDF_Dict more;

	if (HPDF_Array_Items(x->kids[i]) < KIDS_MOST)
		return x->last[i];
	more = dict_new(x, "StructElem");
	HPDF_Xref_Add(x->pdf->xref, more);
	HPDF_Dict_AddName(more, "S", strcmp(kind, "Table") == 0 ? "TBody" : strcmp(kind, "P") == 0 ? "Span" : "Div");
	HPDF_Dict_Add(more, "P", x->elems[i]);
	HPDF_Array_Add(x->more[i] ? x->more[i] : x->kids[i], more);
	x->more[i] = x->more[i] ? x->more[i] : x->kids[i];
	x->kids[i] = HPDF_Array_New(x->pdf->mmgr);
	HPDF_Dict_Add(more, "K", x->kids[i]);
	x->last[i] = more;
	x->first[i] = NULL;
	return more;
}

static void elem_make(struct tree *x, size_t i, HPDF_Dict root)
{
	const struct pdf_tag *t = &x->tags->v[i];
	HPDF_Dict elem = dict_new(x, "StructElem");

	HPDF_Xref_Add(x->pdf->xref, elem);
	HPDF_Dict_AddName(elem, "S", t->kind);
	attributes_put(x, elem, t);
	x->kids[i] = HPDF_Array_New(x->pdf->mmgr);
	HPDF_Dict_Add(elem, "K", x->kids[i]);
	x->elems[i] = x->last[i] = elem;
	if (t->parent) {
		HPDF_Dict_Add(elem, "P", kids_room(x, (size_t)t->parent));
		HPDF_Array_Add(x->kids[t->parent], elem);
	} else {
		HPDF_Dict_Add(elem, "P", root);
	}
}

/* Gives the element that it belongs to. */
static HPDF_Dict mark_put(struct tree *x, int tag, HPDF_Page page, int mcid)
{
	HPDF_Dict elem = kids_room(x, (size_t)tag), ref;

	if (!x->first[tag]) {
		x->first[tag] = page;
		HPDF_Dict_Add(elem, "Pg", page);
	}
	if (x->first[tag] == page) {
		HPDF_Array_AddNumber(x->kids[tag], mcid);
		return elem;
	}
	ref = dict_new(x, "MCR");
	HPDF_Dict_Add(ref, "Pg", page);
	HPDF_Dict_AddNumber(ref, "MCID", mcid);
	HPDF_Array_Add(x->kids[tag], ref);
	return elem;
}

/* A link's place to click at belongs to its element, and the other way round. */
static void link_join(struct tree *x, HPDF_Array nums, const struct pdf_linked *link, HPDF_Page page, HPDF_INT32 key)
{
	HPDF_Dict elem, ref;

	if (!x->elems[link->tag])
		return; /* no word of it was written */
	elem = kids_room(x, (size_t)link->tag);
	ref = dict_new(x, "OBJR");
	HPDF_Dict_Add(ref, "Obj", link->annotation);
	HPDF_Dict_Add(ref, "Pg", page);
	HPDF_Array_Add(x->kids[link->tag], ref);
	HPDF_Dict_AddNumber(link->annotation, "StructParent", key);
	HPDF_Array_AddNumber(nums, key);
	HPDF_Array_Add(nums, elem);
}

/* From a page's pieces, and from links, back to their elements. */
static HPDF_Dict parents_make(struct tree *x, const struct pdf_written *w)
{
	HPDF_Dict parents = dict_new(x, NULL);
	HPDF_Array nums = HPDF_Array_New(x->pdf->mmgr);
	size_t at = 0;

	for (size_t i = 0; i < w->n_pages; i++) {
		HPDF_Array list = HPDF_Array_New(x->pdf->mmgr);
		for (int mcid = 0; at < w->n_marks && w->marks[at].page == i; at++, mcid++)
			HPDF_Array_Add(list, mark_put(x, w->marks[at].tag, w->pages[i], mcid));
		HPDF_Dict_AddNumber(w->pages[i], "StructParents", (HPDF_INT32)i);
		HPDF_Array_AddNumber(nums, (HPDF_INT32)i);
		HPDF_Array_Add(nums, list);
	}
	for (size_t i = 0; i < w->n_links && HPDF_Array_Items(nums) < ARRAY_MOST; i++)
		link_join(x, nums, &w->links[i], w->pages[w->links[i].page], (HPDF_INT32)(w->n_pages + i));
	HPDF_Dict_Add(parents, "Nums", nums);
	return parents;
}

void tags_emit(const struct pdf_tags *t, HPDF_Doc pdf, const struct pdf_written *w)
{
	struct tree x = { .tags = t, .pdf = pdf, .elems = mem_array(t->n + 1, sizeof *x.elems),
			  .kids = mem_array(t->n + 1, sizeof *x.kids), .first = mem_array(t->n + 1, sizeof *x.first),
			  .last = mem_array(t->n + 1, sizeof *x.last), .more = mem_array(t->n + 1, sizeof *x.more),
			  .used = mem_array(t->n + 1, sizeof *x.used) };
	HPDF_Dict root = dict_new(&x, "StructTreeRoot"), info = dict_new(&x, NULL);

	HPDF_Xref_Add(pdf->xref, root);
	for (size_t i = 0; i < w->n_marks; i++)
		for (int tag = w->marks[i].tag; tag && !x.used[tag]; tag = t->v[tag].parent)
			x.used[tag] = true;
	for (size_t i = 1; i < t->n; i++)
		if (x.used[i] || i == TAG_DOCUMENT)
			elem_make(&x, i, root);
	HPDF_Dict_Add(root, "K", x.elems[TAG_DOCUMENT]);
	if (w->n_pages * 2 < ARRAY_MOST)
		HPDF_Dict_Add(root, "ParentTree", parents_make(&x, w));
	HPDF_Dict_AddNumber(root, "ParentTreeNextKey", (HPDF_INT32)(w->n_pages + w->n_links));
	HPDF_Dict_Add(pdf->catalog, "StructTreeRoot", root);
	HPDF_Dict_AddBoolean(info, "Marked", HPDF_TRUE);
	HPDF_Dict_Add(pdf->catalog, "MarkInfo", info);
	free(x.elems);
	free(x.kids);
	free(x.more);
	free(x.last);
	free(x.first);
	free(x.used);
}
