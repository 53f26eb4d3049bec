/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/cpu.h"

#include "stats/summary.h"

#include <math.h>

void cpu_leg1(struct cpu_leg *l, const double *share, size_t n)
{
	inference_mean(&l->value, share, n);
	l->ci95 = inference_interval(&l->value, 0.05);
	l->state = CPU_UNDECIDED;
	if (l->ci95.lo >= CPU_SHARE)
		l->state = CPU_BOUND;
	else if (l->ci95.hi < CPU_SHARE)
		l->state = CPU_NOT_BOUND;
}

int cpu_leg2(struct cpu_leg *l, const double *at_cut, const double *at_full, size_t n,
	     double capacity)
{
	struct summary s = SUMMARY_INIT;

	if (!(capacity > 0 && capacity < 1))
		return -1;
	for (size_t i = 0; i < n; i++) {
		double cut, full;

		if (summary_logs(&cut, &at_cut[i], 1) < 0 || summary_logs(&full, &at_full[i], 1) < 0)
			return -1;
		summary_add(&s, (cut - full) / log(capacity));
	}
	inference_of(&l->value, &s);
	l->ci95 = inference_interval(&l->value, 0.05);
	l->state = CPU_UNDECIDED;
	if (l->ci95.lo >= CPU_ELASTIC)
		l->state = CPU_BOUND;
	else if (l->ci95.hi <= CPU_INELASTIC)
		l->state = CPU_NOT_BOUND;
	return 0;
}
