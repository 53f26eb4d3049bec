/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_UTF8_H
#define IOW_REPORTS_UTF8_H

#include <stdint.h>

#include "base/buf.h"

/* Decodes one character at *s (not at its end) and steps over it. A byte that begins no valid
 * sequence (RFC 3629: no overlong forms, surrogates or values above U+10FFFF) gives U+FFFD and one
 * step. */
uint32_t utf8_next(const char **s);
void utf8_put(struct buf *b, uint32_t c);

/* Columns in a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks, else 1. */
int utf8_columns(uint32_t c);
int utf8_width(const char *s);

#endif
