/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_lay.h"

#include <hpdf_doc.h>
#include <hpdf_fontdef.h>
#include <hpdf_streams.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* Parts that libharu's own calls do not do, or do wrong, built from its objects. Their layout is that
 * of one release, hence the guard. */
#if HPDF_VERSION_ID != 20300
#error "reports/pdf_attach.c knows the internals of libharu 2.3.0 only"
#endif

static HPDF_String text_new(HPDF_Doc pdf, const char *s)
{
	return HPDF_String_New(pdf->mmgr, s, HPDF_GetEncoder(pdf, "UTF-8"));
}

static HPDF_Dict file_new(HPDF_Doc pdf, const struct doc_attachment *a)
{
	HPDF_Dict ef = HPDF_DictStream_New(pdf->mmgr, pdf->xref), params = HPDF_Dict_New(pdf->mmgr);

	if (!ef || !params)
		return NULL;
	ef->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
	HPDF_Dict_AddName(ef, "Type", "EmbeddedFile");
	HPDF_Dict_AddName(ef, "Subtype", a->mime);
	HPDF_Dict_AddNumber(params, "Size", (HPDF_INT32)a->len);
	HPDF_Dict_Add(ef, "Params", params);
	if (a->len)
		HPDF_Stream_Write(ef->stream, (const HPDF_BYTE *)a->data, (HPDF_UINT)a->len);
	return ef;
}

static HPDF_Dict spec_new(HPDF_Doc pdf, const struct doc_attachment *a, const char *plain)
{
	HPDF_Dict spec = HPDF_Dict_New(pdf->mmgr), files = HPDF_Dict_New(pdf->mmgr), ef = file_new(pdf, a);

	if (!spec || !files || !ef)
		return NULL;
	HPDF_Xref_Add(pdf->xref, spec);
	HPDF_Dict_AddName(spec, "Type", "Filespec");
	HPDF_Dict_Add(spec, "F", HPDF_String_New(pdf->mmgr, plain, NULL));
	HPDF_Dict_Add(spec, "UF", text_new(pdf, a->name));
	HPDF_Dict_Add(spec, "Desc", text_new(pdf, a->about));
	HPDF_Dict_AddName(spec, "AFRelationship", "Data");
	HPDF_Dict_Add(files, "F", ef);
	HPDF_Dict_Add(files, "UF", ef);
	HPDF_Dict_Add(spec, "EF", files);
	return spec;
}

/* A number before the name keeps the name tree sorted, in the document's order. */
int pdf_attach(const struct document *d, HPDF_Doc pdf, struct iow_error *e)
{
	HPDF_Array names, af;
	HPDF_Dict tree, dict;

	if (!d->n_attachments)
		return 0;
	names = HPDF_Array_New(pdf->mmgr);
	af = HPDF_Array_New(pdf->mmgr);
	for (size_t i = 0; i < d->n_attachments; i++) {
		mem_auto char *plain = mem_strdup(d->attachments[i].name), *key = NULL;
		HPDF_Dict spec;
		for (char *p = plain; *p; p++)
			if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e || strchr("/\\:", *p))
				*p = '_';
		key = mem_printf("%04zu %s", i, plain);
		spec = spec_new(pdf, &d->attachments[i], plain);
		if (!spec)
			return err_set(e, 0, "pdf: %s cannot be attached", d->attachments[i].name);
		HPDF_Array_Add(names, HPDF_String_New(pdf->mmgr, key, NULL));
		HPDF_Array_Add(names, spec);
		HPDF_Array_Add(af, spec);
	}
	tree = HPDF_Dict_New(pdf->mmgr);
	dict = HPDF_Dict_New(pdf->mmgr);
	HPDF_Dict_Add(tree, "Names", names);
	HPDF_Dict_Add(dict, "EmbeddedFiles", tree);
	HPDF_Dict_Add(pdf->catalog, "Names", dict);
	HPDF_Dict_Add(pdf->catalog, "AF", af);
	return 0;
}

/* libharu's CMap uses an operator that a ToUnicode map must not have. Character codes are Unicode
 * here, so the right map is the identity, in ranges of one high byte as the format wants. */
static void unicode_map(struct buf *b)
{
	buf_puts(b, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
		    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
		    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
		    "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n");
	for (int from = 0; from < 256; from += 64) {
		buf_puts(b, "64 beginbfrange\n");
		for (int i = from; i < from + 64; i++)
			buf_printf(b, "<%02X00> <%02XFF> <%02X00>\n", i, i, i);
		buf_puts(b, "endbfrange\n");
	}
	buf_puts(b, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
}

void pdf_mend_fonts(struct pdf_fonts *f)
{
	struct buf map = BUF_INIT;

	unicode_map(&map);
	for (int i = 0; i < F_MAX; i++) {
		HPDF_Dict font = f->faces[i].font, cmap;
		cmap = font ? HPDF_Dict_GetItem(font, "ToUnicode", HPDF_OCLASS_DICT) : NULL;
		if (!cmap || !cmap->stream)
			continue;
		HPDF_MemStream_FreeData(cmap->stream);
		HPDF_Stream_Write(cmap->stream, (const HPDF_BYTE *)map.data, (HPDF_UINT)map.len);
		cmap->filter = HPDF_STREAM_FILTER_FLATE_DECODE;
	}
	buf_release(&map);
}

static void date_put(HPDF_Doc pdf, const char *iso)
{
	HPDF_Date t = { .ind = 'Z' };

	if (iso && sscanf(iso, "%4d-%2d-%2dT%2d:%2d:%2d", &t.year, &t.month, &t.day, &t.hour, &t.minutes, &t.seconds) == 6)
		HPDF_SetInfoDateAttr(pdf, HPDF_INFO_CREATION_DATE, t);
}

/* Keywords say what the bytes depend on beside the document. */
void pdf_metadata(const struct document *d, const struct pdf_fonts *f, HPDF_Doc pdf)
{
	HPDF_Dict view = HPDF_Dict_New(pdf->mmgr);
	mem_auto char *fonts = pdf_fonts_used(f), *made = mem_printf("libharu %s, %s", HPDF_VERSION_TEXT, fonts);
	mem_auto char *subject = mem_printf("%s %s", d->words[DOC_W_REPORT], d->report_id);

	HPDF_SetCurrentEncoder(pdf, "UTF-8");
	HPDF_SetInfoAttr(pdf, HPDF_INFO_TITLE, d->title);
	HPDF_SetInfoAttr(pdf, HPDF_INFO_SUBJECT, subject);
	HPDF_SetInfoAttr(pdf, HPDF_INFO_KEYWORDS, made);
	if (d->n_issuer)
		HPDF_SetInfoAttr(pdf, HPDF_INFO_AUTHOR, d->issuer[0]);
	if (d->generator)
		HPDF_SetInfoAttr(pdf, HPDF_INFO_CREATOR, d->generator);
	date_put(pdf, d->date);
	HPDF_Dict_Add(pdf->catalog, "Lang", HPDF_String_New(pdf->mmgr, d->language, NULL));
	HPDF_Dict_AddBoolean(view, "DisplayDocTitle", HPDF_TRUE);
	HPDF_Dict_Add(pdf->catalog, "ViewerPreferences", view);
	HPDF_SetPageMode(pdf, HPDF_PAGE_MODE_USE_OUTLINE);
	pdf->pdf_version = HPDF_VER_17;
}
