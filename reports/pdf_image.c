/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pdf_image.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define SIDE_MOST 4096

/* Transparency is laid on white paper. */
static int png_load(HPDF_Doc pdf, const void *data, size_t len, HPDF_Image *out, struct iow_error *e)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	png_color white = { 255, 255, 255 };
	mem_auto unsigned char *rgb = NULL;

	if (!png_image_begin_read_from_memory(&image, data, len))
		return err_set(e, 0, "logo: %s", image.message);
	if (image.width > SIDE_MOST || image.height > SIDE_MOST) {
		png_image_free(&image);
		return err_set(e, 0, "logo: larger than %d by %d pixels", SIDE_MOST, SIDE_MOST);
	}
	image.format = PNG_FORMAT_RGB;
	rgb = mem_alloc(PNG_IMAGE_SIZE(image));
	if (!png_image_finish_read(&image, &white, rgb, 0, NULL))
		return err_set(e, 0, "logo: %s", image.message);
	*out = HPDF_LoadRawImageFromMem(pdf, rgb, image.width, image.height, HPDF_CS_DEVICE_RGB, 8);
	return *out ? 0 : err_set(e, 0, "logo: libharu error 0x%04lX", (unsigned long)HPDF_GetError(pdf));
}

int pdf_image_load(HPDF_Doc pdf, const void *data, size_t len, HPDF_Image *out, struct iow_error *e)
{
	if (len > 8 && memcmp(data, "\x89PNG", 4) == 0)
		return png_load(pdf, data, len, out, e);
	if (len > 3 && memcmp(data, "\xff\xd8\xff", 3) == 0) {
		*out = HPDF_LoadJpegImageFromMem(pdf, data, (HPDF_UINT)len);
		return *out ? 0 : err_set(e, 0, "logo: not a whole JPEG file");
	}
	return err_set(e, 0, "logo: neither PNG nor JPEG");
}
