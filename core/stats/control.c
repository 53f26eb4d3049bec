/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/control.h"

#include "stats/power.h"

#include <math.h>

void control_judge(struct control *c, const double *d, size_t n, double margin)
{
	*c = (struct control){ .state = CONTROL_NONE };
	inference_mean(&c->log, d, n);
	c->ratio = exp(c->log.mean);
	c->ci99 = interval_exp(inference_interval(&c->log, CONTROL_ALPHA));
	c->p = inference_p(&c->log, 0);
	c->smallest = n < 2 ? NAN : expm1(power_smallest(n, CONTROL_ALPHA) * c->log.sd);
	if (n < 2)
		return;
	c->state = CONTROL_HOLDS;
	if (c->ci99.lo <= 1 && c->ci99.hi >= 1)
		return;
	c->state = fabs(c->log.mean) > log1p(margin / 2) ? CONTROL_VOID : CONTROL_CAVEAT;
	if (c->state == CONTROL_CAVEAT)
		c->floor = fabs(c->log.mean);
}
