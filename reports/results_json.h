/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_RESULTS_JSON_H
#define IOW_REPORTS_RESULTS_JSON_H

#include "reports/finding.h"

/* results.json, format version 1 (templates/schema/results.schema.json): cells, comparisons, gates,
 * judgements and findings with the numbers of the runs they rest on. Reals have 12 digits. New. */
json_t *results_json(const struct results *r, const struct findings *f, const char *tool);

#endif
