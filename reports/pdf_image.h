/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_PDF_IMAGE_H
#define IOW_REPORTS_PDF_IMAGE_H

#include <hpdf.h>
#include <stddef.h>

#include <iowitness/driver.h>

/* A PNG or JPEG file from memory. PNG is decoded here (libharu aborts on a damaged one). */
int pdf_image_load(HPDF_Doc pdf, const void *data, size_t len, HPDF_Image *out, struct iow_error *e);

#endif
