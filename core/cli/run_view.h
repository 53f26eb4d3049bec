/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_RUN_VIEW_H
#define IOW_CLI_RUN_VIEW_H

#include <stdbool.h>

#include "run/progress.h"

/* What a user sees of a campaign on stderr: one line that is written over on a terminal, plain lines
 * now and then elsewhere. */
struct run_view {
	bool terminal, quiet, open; /* open: the line on the terminal has no end yet */
	struct progress_pace pace;
	char last[256];
};

void run_view_init(struct run_view *v, bool quiet);
/* Callbacks of campaign_options; ctx is the run_view. */
void run_view_progress(void *ctx, const struct campaign_progress *p);
void run_view_say(void *ctx, const char *line);
void run_view_close(struct run_view *v);

#endif
