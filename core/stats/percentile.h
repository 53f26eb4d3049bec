/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_PERCENTILE_H
#define IOW_STATS_PERCENTILE_H

#include "stats/interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Latency percentiles at run level, METHODS (g): the run is the unit, ln q_p per run, t over runs.
 * A percentile is named in parts per million (p99.9 = 999000), so that its rule is exact. */

#define PERCENTILE_BUCKET 0.001  /* relative value error of the histogram, at most */
#define PERCENTILE_IOS 10        /* min(N(1-p), Np) must reach this in every run used */

/* Fewest I/Os a run must have: 10 / min(1-p, p), rounded up. 0 < ppm < 1000000. */
uint64_t percentile_least_ios(uint32_t ppm);

struct percentile {
	bool is_enough;          /* every run has percentile_least_ios; else "too few I/Os" */
	uint64_t fewest, needed; /* I/Os of the run that has the fewest; what it takes */
	struct inference log;    /* of ln q, q in ns */
	double value;            /* geometric mean over runs, ns */
	struct interval ci95;    /* ns, widened by the bucket on either side */
};

/* q[i] ns and count[i] I/Os of run i. -1 when a q is not positive. */
int percentile_over_runs(struct percentile *p, const int64_t *q, const uint64_t *count, size_t n,
			 uint32_t ppm);

/* What each end of an interval of a ratio of two percentiles is widened by: */
double percentile_widening(void); /* log units: one bucket for each of the two */

#endif
