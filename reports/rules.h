/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_RULES_H
#define IOW_REPORTS_RULES_H

#include "reports/finding.h"

/* One rule: looks at the results and appends what it finds. */
typedef void rule_fn(struct findings *, const struct results *, const struct wording *);

rule_fn rule_compare;    /* declared and exploratory comparisons */
rule_fn rule_answers;   /* sensitivity, cache, steady, cpu, scaling */
rule_fn rule_claims;     /* claims and limits */
rule_fn rule_failures;   /* crashed, failed, hung, missing runs */
rule_fn rule_cached;     /* a repeat read served from a cache */
rule_fn rule_cpu;        /* consistent with CPU-bound, leg 1 */
rule_fn rule_order;      /* order effects between the arms */
rule_fn rule_modes;      /* several modes in the runs of a cell */
rule_fn rule_amplified;  /* the device moved more than was asked */
rule_fn rule_unequal;    /* filesystem faster than raw: suspect unequal tests */
rule_fn rule_bottleneck; /* together against alone: a shared bottleneck */

/* "Because" of a void gate, in words. The caller owns it. */
char *rules_gate_reason(const struct results *r, const struct wording *w, int gate);
/* "the device moved 0 of 4295 MB", NULL when device bytes are unknown. The caller owns it. */
char *rules_device_moved(const struct results *r, const struct wording *w, uint32_t cell);

#endif
