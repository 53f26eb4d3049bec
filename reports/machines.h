/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_MACHINES_H
#define IOW_REPORTS_MACHINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "reports/wording.h"
#include "stats/results.h"

/* In what the machines of a campaign differ, as far as it may be the cause of a difference between them. */

/* May a difference in this fact of a node be such a cause? Its name is none, nor what is never
 * the same twice: load, time since its start, error of its clock. */
bool machine_fact_counts(const char *key);
/* Do two values of it differ? Measured rates differ beyond 25% only. */
bool machine_fact_differs(const json_t *a, const json_t *b);
/* "kernel, clock source and mount options": facts in which two targets on two nodes differ, those of the
 * nodes and those of how the targets are reached there. New; NULL: none, or they are on one node. */
char *machines_unlike(const struct results *r, const struct wording *w, uint32_t target_a, uint32_t target_b);

#endif
