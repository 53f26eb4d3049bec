/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_PROGRESS_H
#define IOW_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "run/run.h"

/* The line that tells a user how far a campaign is. */

/* " 42%  12 of 28 runs, 118 MiB/s, 1 min 20 s left: shared raw, 4 KiB", at most `width` columns. */
void progress_text(const struct campaign_progress *p, int width, char *out, size_t size);

/* When a log that is no terminal gets a plain line: at the first run, then at each tenth of the runs
 * or each minute, whichever comes first, and at the last. */
struct progress_pace {
	int64_t told_at; /* elapsed ns */
	uint32_t told_done;
	bool told;
};
bool progress_due(struct progress_pace *pace, const struct campaign_progress *p);

/* "3 s", "1 min 20 s", "2 h 5 min" */
void progress_time(int64_t ns, char out[40]);

#endif
