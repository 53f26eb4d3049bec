/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_ARRIVAL_H
#define IOW_RUN_ARRIVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "plan/workload.h"

/* When the I/Os of one job are meant to start. Open loop: the times do not depend on the device. */
struct arrival {
	bool open, poisson;
	double period; /* mean distance, in the unit of the caller */
	double next;   /* of the next I/O, from the start of the run */
	struct rng rng;
};

/* `per_second`: units of the caller's clock in one second. The rate of the workload is that of all jobs:
 * each takes 1 / jobs of it; constant arrivals of the jobs interleave evenly. */
void arrival_init(struct arrival *a, const struct workload *w, uint32_t job, uint64_t seed, double per_second);
/* Takes the next intended start, from the start of the run. */
double arrival_take(struct arrival *a);
/* How many are meant to have started at `now` and were not taken yet. */
uint64_t arrival_backlog(const struct arrival *a, double now);

#endif
