/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/percentile.h"

#include "stats/summary.h"

#include <math.h>

#define WHOLE 1000000

uint64_t percentile_least_ios(uint32_t ppm)
{
	uint64_t tail = ppm < WHOLE / 2 ? ppm : WHOLE - ppm;

	return tail ? (PERCENTILE_IOS * (uint64_t)WHOLE + tail - 1) / tail : UINT64_MAX;
}

int percentile_over_runs(struct percentile *p, const int64_t *q, const uint64_t *count, size_t n,
			 uint32_t ppm)
{
	struct summary s = SUMMARY_INIT;

	*p = (struct percentile){ .needed = percentile_least_ios(ppm) };
	for (size_t i = 0; i < n; i++) {
		if (q[i] <= 0)
			return -1;
		summary_add(&s, log((double)q[i]));
		if (i == 0 || count[i] < p->fewest)
			p->fewest = count[i];
	}
	p->is_enough = n > 0 && p->fewest >= p->needed;
	inference_of(&p->log, &s);
	p->value = exp(p->log.mean);
	p->ci95 = interval_exp(
		interval_widen(inference_interval(&p->log, 0.05), log1p(PERCENTILE_BUCKET)));
	return 0;
}

double percentile_widening(void)
{
	return 2 * log1p(PERCENTILE_BUCKET);
}
