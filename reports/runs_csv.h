/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_RUNS_CSV_H
#define IOW_REPORTS_RUNS_CSV_H

#include "base/buf.h"
#include "stats/results.h"

/* Every run of a bundle as comma-separated values (RFC 4180, but lines end with LF), a head line first.
 * Integers in ns and bytes as in runs.jsonl; what is not known is empty. Latencies only of the classes
 * that some run has. A text that a spreadsheet would take for a formula has an apostrophe before it. */
void runs_csv(const struct results *r, struct buf *out);

#endif
