/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_REDACT_H
#define IOW_CLI_REDACT_H

#include "cli/report.h"

/* A bundle for outside: evidence with pseudonyms (bundle/redact.h), its reports, its seals. */

struct redact_options {
	const char *output; /* the new bundle; NULL: the original's name with "-redacted.iow" */
	const char *key;    /* --redact-key; NULL: pseudonyms are numbered */
	const char *map;    /* --redact-map; NULL: none is written */
	struct report_options report;
};

/* Makes the bundle, whose name goes to *made (the caller owns it), and opens its report in r. What a user
 * should know of what was replaced is appended to `said`. The new bundle gets its name when all of it is
 * there and nothing that was to be hidden is found in it; on failure nothing is left of it. */
int redact_bundle(const char *bundle, const struct redact_options *o, struct report *r, char **made, struct buf *said,
		  struct iow_error *e);

#endif
