/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_FONTS_H
#define IOW_REPORTS_PDF_FONTS_H

#include <hpdf.h>
#include <stdbool.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* Twelve faces: family × bold × italic. */
enum pdf_family { F_SERIF = 0, F_SANS = 4, F_MONO = 8 };
#define F_BOLD 1
#define F_ITALIC 2
#define F_MAX 12

struct pdf_face {
	void *chars;    /* FcCharSet: what the file covers */
	char *path;
	int version;    /* of the file, 16.16 fixed; 0: not known */
	HPDF_Font font; /* loaded when first used */
	short *width;   /* of U+0000 to U+FFFF in thousandths; -1: not asked yet, -2: not in the font */
};
struct pdf_fonts {
	HPDF_Doc pdf;
	void *config;   /* FcConfig */
	struct pdf_face faces[F_MAX];
	bool failed;    /* a face could not be loaded; `error` says why */
	struct iow_error error;
};

/* Finds the files through fontconfig. */
int pdf_fonts_init(struct pdf_fonts *f, HPDF_Doc pdf, struct iow_error *e);
void pdf_fonts_release(struct pdf_fonts *f);
/* Thousandths of the size, or -1 when the face has no such character. */
int pdf_char_width(struct pdf_fonts *f, int face, uint32_t c);
/* "LiberationSans-Regular.ttf 2.7, …" of the faces used so far; owned by the caller. */
char *pdf_fonts_used(const struct pdf_fonts *f);
HPDF_Font pdf_font(struct pdf_fonts *f, int face);

#endif
