/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/multiple.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static struct ranked *ranked_new(const double *p, size_t m)
{
	struct ranked *r = mem_array(m ? m : 1, sizeof *r);

	for (size_t i = 0; i < m; i++)
		r[i] = (struct ranked){ isnan(p[i]) ? 1 : p[i], i };
	qsort(r, m, sizeof *r, by_p);
	return r;
}

void multiple_holm(double *out, const double *p, size_t m)
{
	struct ranked *r = ranked_new(p, m);
	double running = 0;

	for (size_t i = 0; i < m; i++) {
		running = fmax(running, fmin(1, (double)(m - i) * r[i].p));
		out[r[i].at] = running;
	}
	free(r);
}

void multiple_bh(double *out, const double *p, size_t m)
{
	struct ranked *r = ranked_new(p, m);
	double running = 1;

	for (size_t i = m; i-- > 0;) {
		running = fmin(running, (double)m * r[i].p / (double)(i + 1));
		out[r[i].at] = running;
	}
	free(r);
}
