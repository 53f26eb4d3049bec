/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/oracle/sim_order.h"

#include <stdlib.h>

#include "plan/schedule.h"

void sim_order(double *first, size_t n, uint64_t seed)
{
	struct plan_test test = { .blocks = (uint32_t)n };
	struct step step[2] = { { .id = 0 }, { .id = 1 } };
	struct cells c = { .seed = seed, .tests = &test, .n_tests = 1, .steps = step, .n_steps = 2 };

	schedule_build(&c);
	for (size_t i = 0; i < c.n_blocks; i++) {
		first[i] = c.blocks[i].steps[0] == 0 ? 1 : -1;
		free(c.blocks[i].steps);
	}
	free(c.blocks);
}
