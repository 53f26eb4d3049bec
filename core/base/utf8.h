/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_UTF8_H
#define IOW_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the valid UTF-8 sequence at s (RFC 3629: no surrogates, no overlong forms), of which at
 * most n bytes may be read; 0 when there is none. */
size_t utf8_sequence(const char *s, size_t n);

/* A copy of s (NULL: "") that is valid UTF-8 of at most `max` bytes (0: no limit): a byte that is
 * part of no character becomes U+FFFD, a control character a space; a text that is cut ends in
 * "…". For text from outside: drivers, firmware, other programs. The caller frees it. */
char *utf8_clean(const char *s, size_t max);

#endif
