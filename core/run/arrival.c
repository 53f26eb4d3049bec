/* SPDX-License-Identifier: Apache-2.0 */
#include "run/arrival.h"

#include <string.h>

void arrival_init(struct arrival *a, const struct workload *w, uint32_t job, uint64_t seed, double per_second)
{
	memset(a, 0, sizeof *a);
	a->open = w->rate > 0;
	if (!a->open)
		return;
	a->poisson = w->arrival == ARRIVAL_POISSON;
	a->period = per_second * (double)w->jobs / w->rate;
	rng_stream(&a->rng, seed ^ UINT64_C(0x6172726976616c73), job);
	a->next = a->poisson ? a->period * rng_exponential(&a->rng) : a->period * job / (double)w->jobs;
}

double arrival_take(struct arrival *a)
{
	double at = a->next;

	a->next += a->poisson ? a->period * rng_exponential(&a->rng) : a->period;
	return at;
}

/* Poisson arrivals ahead are not drawn yet: their mean stands for them. */
uint64_t arrival_backlog(const struct arrival *a, double now)
{
	return now < a->next ? 0 : (uint64_t)((now - a->next) / a->period) + 1;
}
