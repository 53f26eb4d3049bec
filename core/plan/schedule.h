/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_SCHEDULE_H
#define IOW_PLAN_SCHEDULE_H

#include "plan/cells.h"

/* The order of the campaign: each test's blocks one after another, each block every step of its test
 * once. Rows come in twos, a row of a random Latin square and the same row backwards, all then put in
 * random order: every two steps stand in each order in half of the blocks (one more either way when
 * the number of blocks is odd), and positions are shared out as evenly as the number of blocks allows.
 * With two steps that is: each order half of the time. Drawn from rng_stream(seed, SCHEDULE_STREAM +
 * test), so that the same plan and --set give the same order. A block that a fault from outside broke is
 * made again in its own order: the balance stays. */
#define SCHEDULE_STREAM UINT64_C(0x7363686564000000)

/* Replaces c->blocks. */
void schedule_build(struct cells *c);

#endif
