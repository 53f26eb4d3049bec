/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_PLAN_SHOW_H
#define IOW_CLI_PLAN_SHOW_H

#include "base/buf.h"
#include "plan/cells.h"

/* Time and bytes of a campaign as far as the plan fixes them; preparation is not in it. */
struct plan_estimate {
	int64_t run_ns;    /* runs with a duration: at most this */
	int64_t pause_ns;  /* idle windows */
	uint64_t bytes;    /* runs with an amount or one pass over a region of known size: at most this */
	size_t open_time;  /* runs whose time depends on the speed */
	size_t open_bytes; /* runs whose bytes depend on the speed */
};
void plan_estimate(const struct cells *c, struct plan_estimate *e);

/* What a plan resolves to, for people. `sd` > 0: instead of what the tests state; `effect` > 0 (a
 * ratio's distance from 1): the blocks it needs are said as well. */
void plan_show(const struct cells *c, double sd, double effect, struct buf *out);

/* What a user should know before: too few blocks for a verdict, too few I/Os for a percentile. */
void plan_notes(const struct cells *c, struct buf *out);

#endif
