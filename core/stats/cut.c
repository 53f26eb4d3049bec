/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include <math.h>

int judge_cut(struct judge *j, struct iow_error *e)
{
	return 0;
}

void judge_steadiness(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->r->n_cells; i++) {
		struct cell_result *c = &j->r->cells[i];

		c->steadiness = VERDICT_NOT_APPLICABLE;
		c->steady = c->steady_lo90 = c->steady_hi90 = c->steady_lo95 = c->steady_hi95 = NAN;
		c->gap = c->gap_threshold = c->mode_lo = c->mode_hi = NAN;
		c->snia_range = c->snia_excursion = NAN;
	}
}
