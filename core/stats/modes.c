/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/modes.h"

#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

#define LEVELS 4 /* .01, .001, .0001, .00001 */

static const struct {
	double n, gap[LEVELS];
} table[] = {
	{ 5, { .776, .892, .950, .977 } },  { 6, { .696, .817, .894, .939 } },  { 8, { .572, .693, .783, .851 } },
	{ 10, { .492, .603, .691, .755 } }, { 15, { .382, .473, .555, .627 } }, { 20, { .326, .409, .478, .541 } },
};

#define ENTRIES (sizeof table / sizeof *table)

static double between(double a, double b, double part)
{
	return a + (b - a) * part;
}

static double at_level(size_t entry, double level)
{
	size_t k = level >= LEVELS - 1 ? LEVELS - 2 : (size_t)level;

	return between(table[entry].gap[k], table[entry].gap[k + 1], fmin(level - (double)k, 1));
}

double modes_threshold(size_t n, size_t cells)
{
	double level = cells > 1 ? log10((double)cells) : 0, x = (double)n;
	size_t i = 1;

	if (x >= table[ENTRIES - 1].n)
		return at_level(ENTRIES - 1, level);
	while (x > table[i].n)
		i++;
	return between(at_level(i - 1, level), at_level(i, level), (x - table[i - 1].n) / (table[i].n - table[i - 1].n));
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
	m->threshold = modes_threshold(n, 1);
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
