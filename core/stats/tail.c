/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/err.h"

#include <math.h>

/* Intervals of a run in which an I/O took longer than the quantile; 0: it has no intervals. One stall
 * can be all ten I/Os that a percentile needs. */
static uint32_t intervals_beyond(const struct judge *j, uint32_t number, double value)
{
	const struct kept_run *r = judge_run(j, number);
	struct iow_error e = ERR_INIT;
	struct samples in;
	uint32_t n = 0;
	size_t i;

	if (!r || !r->samples_len || !j->b->dir || isnan(value) || bundle_numbers(j->b, r, &in, &e) < 1)
		return 0;
	for (i = 0; i < in.max_ns.n; i++)
		n += (double)in.max_ns.v[i] > value;
	samples_release(&in);
	return n;
}

void judge_tail(const struct judge *j, struct comparison *c)
{
	uint32_t i, k;

	if (!(c->metric->quantile > 0.5))
		return;
	for (i = 0; i < c->n; i++) {
		const uint32_t number[2] = { c->subject_runs[i], c->against_runs[i] };

		for (k = 0; k < 2; k++) {
			const struct kept_run *r = judge_run(j, number[k]);
			uint32_t n = intervals_beyond(j, number[k], r ? metric_value(c->metric, r, NULL) : NAN);

			if (n && (!c->stall_intervals || n < c->stall_intervals))
				c->stall_intervals = n;
		}
	}
}
