/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_CPU_H
#define IOW_STATS_CPU_H

#include "stats/interval.h"

#include <stddef.h>

/* Is a cell bound by the processor? METHODS (l). */

enum cpu_state { CPU_UNDECIDED, CPU_BOUND, CPU_NOT_BOUND };

struct cpu_leg {
	enum cpu_state state;
	struct inference value;
	struct interval ci95;
};

/* Leg 1: share[i] = (processor + run-queue wait) / wall of the busiest I/O thread of run i. BOUND
 * ("consistent with CPU-bound") when the lower end of the 95% interval is >= .95; NOT_BOUND when
 * its upper end is below; one run alone decides nothing. A spinning lane: do not call. */
#define CPU_SHARE 0.95
void cpu_leg1(struct cpu_leg *l, const double *share, size_t n);

/* Leg 2: elasticity ln(rate at cut / rate at full) / ln(capacity) per block, capacity < 1 the known
 * factor (.5: halved). BOUND when the lower end is >= .7, NOT_BOUND when the upper end is <= .2. -1
 * when a rate is not positive or capacity is not in (0, 1). */
#define CPU_ELASTIC 0.7
#define CPU_INELASTIC 0.2
int cpu_leg2(struct cpu_leg *l, const double *at_cut, const double *at_full, size_t n,
	     double capacity);

#endif
