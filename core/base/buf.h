/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_BUF_H
#define IOW_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

/* A growing byte string; data always ends with a NUL that len does not count (NULL while empty
 * and never used: use buf_str). */
struct buf {
	char *data;
	size_t len, cap;
};
#define BUF_INIT { NULL, 0, 0 }

void buf_init(struct buf *b);
void buf_release(struct buf *b);
void buf_clear(struct buf *b); /* empties, keeps the memory */
void buf_add(struct buf *b, const void *data, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
const char *buf_str(const struct buf *b); /* never NULL */
char *buf_take(struct buf *b);            /* the caller owns it; b is empty afterwards */

#endif
