/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "plan/question.h"

#include <string.h>

/* One comparison of two cells, whichever of them is the subject. */
struct compared {
	uint32_t low, high;
	const char *metric;
};

static int by_cells(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return strcmp(x->metric, y->metric);
}

void questions_count(struct cells *c)
{
	struct compared *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		for (size_t k = 0; q->declared && k < q->n_pairs; k++) {
			uint32_t s = q->pairs[k].subject, a = q->pairs[k].against;

			*VEC_ADD(all, n) = (struct compared){ s < a ? s : a, s < a ? a : s, q->metric };
		}
	}
	if (n)
		qsort(all, n, sizeof *all, by_cells);
	c->family = 0;
	for (size_t i = 0; i < n; i++)
		c->family += !i || by_cells(&all[i - 1], &all[i]) != 0;
	free(all);
}
