/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_ORACLE_SIM_H
#define IOW_ORACLE_SIM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"

/* Simulated campaigns whose truth is known, judged by the product's own functions. A cell of the
 * table counts in how many experiments its event happens. */

#define SIM_SEED UINT64_C(20261130)
#define SIM_MARGIN 0.05

enum sim_noise {
	SIM_NORMAL,       /* logs normal */
	SIM_T3,           /* logs Student t, 3 df, scaled to the same sd */
	SIM_CONTAMINATED, /* 10% of runs at -40% */
	SIM_SKEWED,       /* log ratio: one-sided exponential */
	SIM_HIDDEN,       /* 25% of one arm's runs at -30% */
	SIM_UNEQUAL,      /* sd 2% against 20% */
	SIM_BIMODAL,      /* half of all runs at -30% */
	SIM_DRIFT,        /* the level falls linearly by `a` over the campaign, sd 2% */
	SIM_AR,           /* AR(1) over the runs in order of time, rho = a */
};

enum sim_design { SIM_BLOCKS, SIM_ABAB, SIM_AABB, SIM_WELCH };

struct sim_cell {
	const char *group, *label;
	bool (*event)(const struct sim_cell *c, struct rng *r);
	enum sim_noise noise;
	enum sim_design design;
	size_t n, m;             /* blocks; family */
	double a;                /* drift, rho, ratio … as the event has it */
	double expect;           /* share of experiments, from the long run */
	double at_least, at_most; /* the bar; 0 and 1: published, no bar */
	unsigned slow;           /* divides the short form's number of experiments; 0 = 1 */
};

extern const struct sim_cell sim_cells[];
extern const size_t sim_cell_count;

/* Events: sim_campaign.c, sim_decide.c. */
bool sim_aa_excludes_one(const struct sim_cell *c, struct rng *r);
bool sim_interval_covers(const struct sim_cell *c, struct rng *r);
bool sim_block_effect_excludes_one(const struct sim_cell *c, struct rng *r); /* true ratio a */
bool sim_mean_covers(const struct sim_cell *c, struct rng *r);   /* (a): within-campaign mean */
bool sim_median_covers(const struct sim_cell *c, struct rng *r); /* p50 at run level */
bool sim_pooled_median_covers(const struct sim_cell *c, struct rng *r);

bool sim_false_equivalent(const struct sim_cell *c, struct rng *r); /* any of m at the margin; a: m used */
bool sim_false_negligible(const struct sim_cell *c, struct rng *r);
bool sim_true_negligible(const struct sim_cell *c, struct rng *r);
bool sim_family_error(const struct sim_cell *c, struct rng *r);
bool sim_clean_is_void(const struct sim_cell *c, struct rng *r);
bool sim_biased_is_decided(const struct sim_cell *c, struct rng *r); /* control off by a */
bool sim_smallest_is_seen(const struct sim_cell *c, struct rng *r);
bool sim_needed_shows_equivalence(const struct sim_cell *c, struct rng *r); /* s_d = a */
bool sim_stein_sees(const struct sim_cell *c, struct rng *r); /* s_d = a, effect 5% */
bool sim_history_candidate(const struct sim_cell *c, struct rng *r);
bool sim_watch(const struct sim_cell *c, struct rng *r);
bool sim_bimodal(const struct sim_cell *c, struct rng *r);
bool sim_warm_up_found(const struct sim_cell *c, struct rng *r); /* a: 1, by a plain average */
bool sim_not_steady(const struct sim_cell *c, struct rng *r); /* drift a within each run */

/* Log rates of one run, by arm, for noises that do not depend on time. */
double sim_run(enum sim_noise noise, int arm, struct rng *r);
double sim_t3(struct rng *r); /* variance 1 */

#endif
