/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_VEC_H
#define IOW_BASE_VEC_H

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Growing arrays without a type of their own: a pointer, a count `n` and, beside it, nothing else.
 * Capacity is the next power of two of the count, so it needs no field.
 *
 *	struct cell *cells; size_t n_cells;
 *	struct cell *c = VEC_ADD(cells, n_cells);   // zeroed new last element
 */
static inline void *vec_grow(void *p, size_t n, size_t each)
{
	if ((n & (n - 1)) == 0) /* 0, 1, 2, 4, 8 … elements: full */
		p = mem_resize(p, n ? n * 2 : 1, each);
	memset((char *)p + n * each, 0, each);
	return p;
}

#define VEC_ADD(p, n) ((p) = vec_grow((p), (n), sizeof *(p)), &(p)[(n)++])
#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))

#endif
