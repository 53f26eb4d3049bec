/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "reports/pdf_lay.h"

#define PASSES_MOST 4

/* libharu's state is sticky and a later call may hide an earlier failure: the first one is kept. */
struct trouble {
	HPDF_STATUS code, detail;
};

static void on_error(HPDF_STATUS code, HPDF_STATUS detail, void *data)
{
	struct trouble *t = data;

	if (!t->code) {
		t->code = code;
		t->detail = detail;
	}
}

static void lay_init(struct lay *l, const struct document *d, struct pdf_fonts *fonts)
{
	*l = (struct lay){ .d = d, .fonts = fonts };
	lay_paper(l, false);
	l->spots = mem_array(d->n_blocks + 1, sizeof *l->spots);
	l->tables = mem_array(d->n_blocks + 1, sizeof *l->tables);
}

static void lay_release(struct lay *l)
{
	for (size_t i = 0; i < l->d->n_blocks; i++)
		lay_table_free(l->tables[i]);
	free(l->tables);
	free(l->spots);
	free(l->before);
	pdf_pages_release(&l->out);
	tags_release(&l->tags);
}

static bool pages_settled(const struct lay *l)
{
	if (!l->before)
		return false;
	for (size_t i = 0; i < l->d->n_blocks; i++)
		if (l->before[i].page != l->spots[i].page)
			return false;
	return true;
}

/* Page numbers are printed inside the text, so the layout is done again until they hold. */
static void lay_passes(struct lay *l)
{
	for (int pass = 0; pass < PASSES_MOST; pass++) {
		if (pass) {
			pdf_pages_release(&l->out);
			free(l->before);
			l->before = l->spots;
			l->spots = mem_array(l->d->n_blocks + 1, sizeof *l->spots);
		}
		lay_document(l);
		if (pages_settled(l))
			break;
	}
}

static int save(HPDF_Doc pdf, struct buf *out, const struct trouble *t, struct iow_error *e)
{
	HPDF_BYTE part[65536];

	if (!t->code)
		HPDF_SaveToStream(pdf);
	if (t->code)
		return err_set(e, 0, "pdf: libharu error 0x%04lX (%lu)", (unsigned long)t->code, (unsigned long)t->detail);
	HPDF_ResetStream(pdf);
	for (;;) {
		HPDF_UINT32 n = sizeof part;
		HPDF_STATUS rc = HPDF_ReadFromStream(pdf, part, &n);
		buf_add(out, part, n);
		if (rc == HPDF_STREAM_EOF || n == 0)
			return 0;
		if (rc != HPDF_OK)
			return err_set(e, 0, "pdf: libharu error 0x%04lX", (unsigned long)rc);
	}
}

static int render(const struct document *d, HPDF_Doc pdf, const struct trouble *t, struct buf *out, struct iow_error *e)
{
	struct pdf_fonts fonts;
	struct lay l;
	int rc;

	HPDF_SetCompressionMode(pdf, HPDF_COMP_ALL);
	HPDF_UseUTFEncodings(pdf);
	rc = pdf_fonts_init(&fonts, pdf, e);
	if (rc == 0) {
		lay_init(&l, d, &fonts);
		lay_passes(&l);
		rc = fonts.failed ? err_set(e, 0, "%s", fonts.error.text) : pdf_emit(&l, pdf, e);
		lay_release(&l);
	}
	if (rc == 0)
		rc = pdf_attach(d, pdf, e);
	if (rc == 0) {
		pdf_metadata(d, &fonts, pdf);
		pdf_mend_fonts(&fonts);
		rc = save(pdf, out, t, e);
	}
	pdf_fonts_release(&fonts);
	return rc;
}

int pdf_render(const struct document *d, struct buf *out, struct iow_error *e)
{
	struct trouble t = { 0 };
	HPDF_Doc pdf;
	int rc;

	if (!d->finished)
		return err_set(e, 0, "pdf: the document is not finished");
	pdf = HPDF_New(on_error, &t);
	if (!pdf)
		return err_set(e, 0, "pdf: libharu does not start");
	rc = render(d, pdf, &t, out, e);
	HPDF_Free(pdf);
	return rc;
}
