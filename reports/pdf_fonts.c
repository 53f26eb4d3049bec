/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_fonts.h"

#include <fontconfig/fontconfig.h>
#include <hpdf_doc.h>
#include <hpdf_fontdef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"

/* Families of the same widths, the first that is installed. */
static const char *const families[3][2] = {
	{ "Liberation Serif", "Tinos" }, { "Liberation Sans", "Arimo" }, { "Liberation Mono", "Cousine" },
};

/* fontconfig always answers with something, so the answer's family decides. */
static bool face_match(struct pdf_fonts *f, int face, const char *family)
{
	FcPattern *want = FcPatternCreate(), *got;
	FcChar8 *name = NULL, *path = NULL;
	FcCharSet *chars = NULL;
	FcResult result;
	int index = 0;
	bool ok;

	FcPatternAddString(want, FC_FAMILY, (const FcChar8 *)family);
	FcPatternAddString(want, FC_FONTFORMAT, (const FcChar8 *)"TrueType");
	FcPatternAddInteger(want, FC_WEIGHT, face & F_BOLD ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
	FcPatternAddInteger(want, FC_SLANT, face & F_ITALIC ? FC_SLANT_ITALIC : FC_SLANT_ROMAN);
	FcConfigSubstitute(f->config, want, FcMatchPattern);
	FcDefaultSubstitute(want);
	got = FcFontMatch(f->config, want, &result);
	FcPatternDestroy(want);
	ok = got && FcPatternGetString(got, FC_FAMILY, 0, &name) == FcResultMatch &&
	     strcmp((const char *)name, family) == 0 &&
	     FcPatternGetString(got, FC_FILE, 0, &path) == FcResultMatch &&
	     FcPatternGetCharSet(got, FC_CHARSET, 0, &chars) == FcResultMatch &&
	     (FcPatternGetInteger(got, FC_INDEX, 0, &index) != FcResultMatch || index == 0);
	if (ok) {
		f->faces[face].path = mem_strdup((const char *)path);
		f->faces[face].chars = FcCharSetCopy(chars);
		FcPatternGetInteger(got, FC_FONTVERSION, 0, &f->faces[face].version);
	}
	if (got)
		FcPatternDestroy(got);
	return ok;
}

int pdf_fonts_init(struct pdf_fonts *f, HPDF_Doc pdf, struct iow_error *e)
{
	*f = (struct pdf_fonts){ .pdf = pdf, .error = ERR_INIT };
	f->config = FcInitLoadConfigAndFonts();
	if (!f->config)
		return err_set(e, 0, "pdf: fontconfig cannot be read");
	for (int i = 0; i < F_MAX; i++)
		if (!face_match(f, i, families[i / 4][0]) && !face_match(f, i, families[i / 4][1]))
			return err_set(e, 0, "pdf: the font %s is not installed (Debian: apt-get install "
				       "fonts-liberation)", families[i / 4][0]);
	return 0;
}

void pdf_fonts_release(struct pdf_fonts *f)
{
	for (int i = 0; i < F_MAX; i++) {
		if (f->faces[i].chars)
			FcCharSetDestroy(f->faces[i].chars);
		free(f->faces[i].path);
		free(f->faces[i].width);
	}
	if (f->config)
		FcConfigDestroy(f->config);
	*f = (struct pdf_fonts){ 0 };
}

char *pdf_fonts_used(const struct pdf_fonts *f)
{
	struct buf b = BUF_INIT;

	for (int i = 0; i < F_MAX; i++) {
		const struct pdf_face *x = &f->faces[i];
		const char *slash = x->path ? strrchr(x->path, '/') : NULL;
		char version[40];
		if (!x->font)
			continue;
		num_fixed(x->version / 65536.0, 3, version);
		buf_printf(&b, "%s%s %s", b.len ? ", " : "", slash ? slash + 1 : x->path, version);
	}
	buf_putc(&b, 0);
	return buf_take(&b);
}

/* libharu looks a character up by walking through the font's ranges, and asks for all 65536 of them when it
 * makes a font. One range over everything, with its table of glyphs, makes that a look into an array. The
 * file that is embedded keeps its own map. */
static void flatten_map(struct pdf_fonts *f, const char *name)
{
	HPDF_FontDef def = HPDF_Doc_FindFontDef(f->pdf, name);
	HPDF_TTFontDefAttr attr = def && def->type == HPDF_FONTDEF_TYPE_TRUETYPE ? def->attr : NULL;
	HPDF_UINT16 *glyphs;

	if (!attr || attr->cmap.format != 4 || !attr->cmap.seg_count_x2 || !attr->cmap.end_count ||
	    !attr->cmap.start_count || !attr->cmap.id_delta || !attr->cmap.id_range_offset)
		return;
	glyphs = HPDF_GetMem(def->mmgr, 0x10000 * sizeof *glyphs);
	if (!glyphs)
		return;
	memset(glyphs, 0, 0x10000 * sizeof *glyphs);
	for (int i = 0; i < attr->cmap.seg_count_x2 / 2; i++)
		for (unsigned c = attr->cmap.start_count[i]; c <= attr->cmap.end_count[i]; c++)
			glyphs[c] = HPDF_TTFontDef_GetGlyphid(def, (HPDF_UINT16)c);
	HPDF_FreeMem(def->mmgr, attr->cmap.glyph_id_array);
	attr->cmap.glyph_id_array = glyphs;
	attr->cmap.glyph_id_array_count = 0x10000;
	attr->cmap.seg_count_x2 = 2;
	attr->cmap.end_count[0] = 0xffff;
	attr->cmap.start_count[0] = 0;
	attr->cmap.id_delta[0] = 0;
	attr->cmap.id_range_offset[0] = 2; /* from itself to the table, which follows it */
}

HPDF_Font pdf_font(struct pdf_fonts *f, int face)
{
	struct pdf_face *x = &f->faces[face];
	const char *name;

	if (x->font || f->failed)
		return x->font;
	name = HPDF_LoadTTFontFromFile(f->pdf, x->path, HPDF_TRUE);
	if (name)
		flatten_map(f, name);
	x->font = name ? HPDF_GetFont(f->pdf, name, "UTF-8") : NULL;
	if (!x->font) {
		f->failed = true;
		err_set(&f->error, 0, "pdf: the font %s cannot be embedded (libharu error 0x%04lX)", x->path,
			(unsigned long)HPDF_GetError(f->pdf));
	}
	return x->font;
}

int pdf_char_width(struct pdf_fonts *f, int face, uint32_t c)
{
	struct pdf_face *x = &f->faces[face];

	/* libharu writes everything above U+FFFF as a space. */
	if (c > 0xffff)
		return -1;
	if (!x->width) {
		x->width = mem_array(0x10000, sizeof *x->width);
		for (int i = 0; i < 0x10000; i++)
			x->width[i] = -1;
	}
	if (x->width[c] == -1) {
		HPDF_Font font = pdf_font(f, face);
		bool has = font && FcCharSetHasChar(x->chars, c);
		x->width[c] = has ? HPDF_Font_GetUnicodeWidth(font, (HPDF_UNICODE)c) : -2;
	}
	return x->width[c] >= 0 ? x->width[c] : -1;
}
