/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_CONTROL_H
#define IOW_STATS_CONTROL_H

#include "stats/interval.h"

#include <stddef.h>

/* The A/A control, METHODS (e): a duplicate of the baseline arm must not differ from it. */

#define CONTROL_ALPHA 0.01

enum control_state {
	CONTROL_NONE,     /* fewer than 2 complete blocks: nothing can be said */
	CONTROL_HOLDS,
	CONTROL_CAVEAT,   /* significant, within M/2: no ratio nearer to 1 than `floor` is claimed */
	CONTROL_VOID,     /* the 99% interval excludes 1 and the estimate lies outside +-M/2 */
};

struct control {
	enum control_state state;
	struct inference log;
	double ratio;
	struct interval ci99;  /* ratio */
	double p;
	double floor;          /* |ln ratio| found, where the state is CAVEAT; else 0 */
	double smallest;       /* ratio - 1 that this control sees with 80% power at 99% */
};

/* d = ln(duplicate / baseline) per complete block; margin M of the test (the smallest of its
 * questions). The half margin is ln(1 + M/2) on either side. */
void control_judge(struct control *c, const double *d, size_t n, double margin);

#endif
