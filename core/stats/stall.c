/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/stall.h"

#include "base/vec.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

#define LEAST_BINS 20
#define LEAST_PERIOD 4.0 /* bins */

struct event {
	double at, loss;
};

static double drop_of(const double *x, size_t n, double median, double *scratch)
{
	size_t i;

	for (i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - median);
	return fmin(STALL_MOST_DROP, fmax(STALL_LEAST_DROP, 6 * 1.4826 * summary_median(scratch, n) / median));
}

/* Stalls of at most one good bin between them are one. */
static size_t events_of(const double *x, size_t n, double median, double drop, struct event *ev)
{
	size_t events = 0, last = 0, i;

	for (i = 0; i < n; i++) {
		double loss = median - x[i];

		if (loss <= drop * median)
			continue;
		if (!events || i > last + 2)
			ev[events++] = (struct event){ 0, 0 };
		ev[events - 1].at += ((double)i + 0.5) * loss;
		ev[events - 1].loss += loss;
		last = i;
	}
	for (i = 0; i < events; i++)
		ev[i].at /= ev[i].loss;
	return events;
}

void stall_find(struct stall *s, const double *x, size_t n)
{
	mem_auto double *scratch = mem_array(n + 1, sizeof *scratch);
	mem_auto struct event *ev = mem_array(n + 1, sizeof *ev);
	size_t i, alike = 0;
	double median, loss = 0;

	memset(s, 0, sizeof *s);
	s->period = s->length = s->lost = NAN;
	if (n < LEAST_BINS)
		return;
	memcpy(scratch, x, n * sizeof *x);
	median = summary_median(scratch, n);
	if (!(median > 0))
		return;
	s->events = events_of(x, n, median, drop_of(x, n, median, scratch), ev);
	if (s->events < STALL_LEAST_EVENTS)
		return;
	for (i = 0; i < s->events; i++)
		loss += ev[i].loss;
	for (i = 0; i + 1 < s->events; i++)
		scratch[i] = ev[i + 1].at - ev[i].at;
	s->period = summary_median(scratch, s->events - 1);
	for (i = 0; i + 1 < s->events; i++)
		alike += fabs(ev[i + 1].at - ev[i].at - s->period) <= fmax(1.5, STALL_ALIKE * s->period);
	s->length = loss / median / (double)s->events;
	s->lost = loss / median / (double)n;
	s->is_periodic = s->period >= LEAST_PERIOD && (double)alike >= STALL_ALIKE_SHARE * (double)(s->events - 1) &&
			 s->period * (double)(s->events + 1) >= 0.8 * (double)n;
}
