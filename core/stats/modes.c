/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/modes.h"

#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	double n, gap;
} table[] = { { 5, .776 }, { 6, .696 }, { 8, .572 }, { 10, .492 }, { 15, .382 }, { 20, .326 } };

#define ENTRIES (sizeof table / sizeof *table)

static double threshold(double n)
{
	size_t i = 1;

	if (n >= table[ENTRIES - 1].n)
		return table[ENTRIES - 1].gap;
	while (n > table[i].n)
		i++;
	return table[i - 1].gap + (table[i].gap - table[i - 1].gap) * (n - table[i - 1].n) /
					  (table[i].n - table[i - 1].n);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void modes_find(struct modes *m, double *x, size_t n)
{
	struct summary side;

	*m = (struct modes){ .gap = NAN, .threshold = NAN, .low = NAN, .high = NAN };
	if (n < MODES_LEAST)
		return;
	qsort(x, n, sizeof *x, by_value);
	if (!(x[n - 1] > x[0]))
		return;
	m->is_judged = true;
	m->gap = -1;
	for (size_t i = 2; i + 2 <= n; i++) {
		double gap = (x[i] - x[i - 1]) / (x[n - 1] - x[0]);

		if (gap > m->gap) {
			m->gap = gap;
			m->n_low = i;
		}
	}
	m->threshold = threshold((double)n);
	m->is_bimodal = m->gap > m->threshold;
	summary_of(&side, x, m->n_low);
	m->low = side.mean;
	summary_of(&side, x + m->n_low, n - m->n_low);
	m->high = side.mean;
}

double modes_unseen(size_t n)
{
	return n ? -expm1(log(0.05) / (double)n) : 1;
}
