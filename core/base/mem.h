/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_MEM_H
#define IOW_BASE_MEM_H

#include <stddef.h>

/* Allocation that does not fail: out of memory ends the program with one line on stderr and exit
 * code 3 (what was measured is already in the bundle). Free with free(). */
void *mem_alloc(size_t n);                    /* zeroed */
void *mem_array(size_t n, size_t each);       /* zeroed; checks the product */
void *mem_resize(void *p, size_t n, size_t each); /* new part is not zeroed */
char *mem_strdup(const char *s);              /* NULL gives NULL */
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* For __attribute__((cleanup(mem_cleanup))): frees what a pointer variable holds. */
void mem_cleanup(void *pp);
#define mem_auto __attribute__((cleanup(mem_cleanup)))

#endif
