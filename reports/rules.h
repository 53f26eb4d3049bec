/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_RULES_H
#define IOW_REPORTS_RULES_H

#include "reports/finding.h"

/* One rule: looks at the results and appends what it finds. */
typedef void rule_fn(struct findings *, const struct results *, const struct wording *);

rule_fn rule_compare;    /* declared and exploratory comparisons */
rule_fn rule_many;       /* many declared comparisons of the same two things, in one sentence */
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
rule_fn rule_stall;      /* stalls that come back at equal times */
rule_fn rule_cliff;      /* writing that falls for good within the run */
rule_fn rule_latency;    /* separated modes of latency within runs */
rule_fn rule_drift;      /* a trend over the blocks of a test */
rule_fn rule_plateau;    /* a swept block size, depth or number of jobs that gains nothing any more */
rule_fn rule_capped;     /* flat at the link's rate, or at the plan's own */
rule_fn rule_split;      /* I/Os larger than the largest request */
rule_fn rule_remote;     /* one device, slower from one node than from another */
rule_fn rule_usl;        /* the universal scalability law over jobs, depth or members */
rule_fn rule_implausible; /* faster than link or memory can be */

/* ---- between the files of the rules ---- */

/* An opinion with the texts opinion.RULE.say, .confirm and .refute, {cell} filled with `label`, and the
 * runs of `cell` (UINT32_MAX: none). */
struct finding *rules_opinion(struct findings *f, const struct results *r, const struct wording *w,
			      const char *rule, uint32_t cell, const char *label);
/* How clear a pattern is in a cell; 0: it is not there. And its numbers in words, new. */
typedef double rules_clear_fn(const struct results *r, uint32_t cell);
typedef char *rules_basis_fn(const struct results *r, const struct wording *w, uint32_t cell);
/* One opinion for the cells of a test's target that have the pattern, of the one where it is clearest. */
void rules_by_target(struct findings *f, const struct results *r, const struct wording *w, const char *rule,
		     rules_clear_fn *clear, rules_basis_fn *basis);
/* Did others use the device while the cell ran, so that its counters say nothing of the cell? */
bool rules_others_used(const struct results *r, uint32_t cell);
void rules_runs_of_cell(struct finding *f, const struct results *r, uint32_t cell);
/* Adds to the basis that n more cells show it too; n 0: nothing. */
void rules_others(struct finding *x, const struct wording *w, uint32_t n);

/* "Because" of a void gate, in words. The caller owns it. */
char *rules_gate_reason(const struct results *r, const struct wording *w, int gate);
/* A caveat when a gate that could void a comparison of the two cells could not be verified on one of them. */
void rules_unverified(struct finding *f, const struct results *r, const struct wording *w, uint32_t subject,
		      uint32_t against);
/* How busy the whole machine was, a sentence; NULL when unknown. The caller owns it. */
char *rules_machine(const struct results *r, const struct wording *w, uint32_t cell);
/* "the device moved 0 of 4295 MB", NULL when device bytes are unknown. The caller owns it. */
char *rules_device_moved(const struct results *r, const struct wording *w, uint32_t cell);

/* To each finding a caveat for each kind of gate that fails under what it rests on and is waived by the plan. */
void rules_waived(struct findings *f, const struct results *r, const struct wording *w);

#endif
