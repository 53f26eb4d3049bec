/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_RESULTS_JSON_H
#define IOW_REPORTS_RESULTS_JSON_H

#include "reports/finding.h"

/* results.json, format version 1 (templates/schema/results.schema.json): cells, comparisons, gates,
 * judgements and findings with the numbers of the runs they rest on. Reals have 12 digits. New. */
json_t *results_json(const struct results *r, const struct findings *f, const char *tool);

/* ---- its parts of its own files; new ---- */

json_t *results_json_finding(const struct finding *f);
json_t *results_json_patterns(const struct cell_result *c);
json_t *results_json_tests(const struct results *r);
json_t *results_json_plateaus(const struct results *r);
json_t *results_json_judgement(const struct judgement *j);
json_t *results_json_scalings(const struct results *r);
json_t *results_json_usls(const struct results *r);

#endif
