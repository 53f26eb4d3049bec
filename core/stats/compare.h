/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_COMPARE_H
#define IOW_STATS_COMPARE_H

#include "stats/interval.h"

#include <stdbool.h>
#include <stddef.h>

/* One comparison and its verdict: METHODS (b), the rule that everything else serves.
 *
 * R = speed(subject) / speed(against) > 1 is better; d = ln R per complete block; paired t over blocks. BETTER
 * and WORSE say on which side of 1 the ratio of speeds lies; the metric's table turns that into
 * faster, slower, cheaper … . Ratios and interval ends in a struct contrast are ratios, not logs. */

#define COMPARE_LEAST_RULING 5     /* complete blocks */
#define COMPARE_LEAST_EQUIVALENT 8

enum ruling {
	RULING_VOID,         /* a VOID gate in its scope failed; numbers stand, nothing is decided */
	RULING_INDICATIVE,   /* fewer than 5 complete blocks: numbers only */
	RULING_EXPLORATORY,  /* not declared: never a verdict word */
	RULING_EQUIVALENT,
	RULING_BETTER,
	RULING_WORSE,
	RULING_INCONCLUSIVE,
};

struct compare_rule {
	double margin;        /* M > 0: .05 is 5%; region (1/(1+M), 1+M) */
	size_t family;        /* m: all declared cell-level comparisons of the campaign, >= 1 */
	bool is_declared;
	bool is_void;
	bool bar_better;      /* the subject failed where it would win: no verdict in its favour */
	bool bar_worse;       /* likewise the other arm; EQUIVALENT is barred by either */
	double widen;         /* log units added to each end of every interval (histogram buckets) */
};

struct contrast {
	enum ruling ruling;
	bool is_material;     /* BETTER or WORSE: the deciding interval lies wholly beyond the margin */
	bool is_resolved;     /* EQUIVALENT, and the deciding interval excludes 1 as well */
	bool is_negligible;   /* EQUIVALENT, and every block's d lies inside the margin */
	bool is_withheld;     /* a verdict was reached but barred: printed as INCONCLUSIVE */
	struct inference log;  /* of d; log.n complete blocks */
	double ratio;
	struct interval ci95;       /* nominal, for reading; what lies outside it is excluded */
	struct interval deciding;   /* at 1 - deciding_alpha = 1 - .05/m */
	struct interval equivalence; /* at 1 - equivalence_alpha = 1 - .10/m */
	double deciding_alpha, equivalence_alpha;
	double p;             /* two-sided, unadjusted; give NAN to Holm for a void one */
	/* This campaign taken as the pilot of the next: blocks that a new one of this spread would need
	 * with 80% power at this family size, to see a difference of one margin, and to show
	 * equivalence if the truth is 1. Never a statement about the power of this campaign. Set for
	 * INDICATIVE, INCONCLUSIVE and VOID, n >= 2; else, or when out of reach, 0. */
	size_t n_difference, n_equivalence;
};

/* d[i] = ln ratio of complete block i; may be of any length. */
void compare_paired(struct contrast *c, const double *d, size_t n, const struct compare_rule *r);

/* out[i] = ln(subject[i] / against[i]); -1 when a value is not positive. `out` may overlap neither. */
int compare_log_ratios(double *out, const double *subject, const double *against, size_t n);

/* Upper bound of METHODS (n) on |ln R| of one pair of levels: |mean| + t(.95, n-1) sd / sqrt(n) of its
 * n log ratios; infinite below two. */
double compare_bound(double mean_log, double sd_log, size_t n);

/* "negligible" of a swept factor, METHODS (n): `worst` is the largest bound over every pair of its
 * levels (each pair has its own sd, never pooled), `n` the fewest blocks of one. A union of pairs needs
 * no family correction: all must hold (intersection-union test). NAN is not negligible. */
bool compare_is_negligible(double worst, size_t n, double margin);

#endif
