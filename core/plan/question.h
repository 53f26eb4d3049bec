/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_QUESTION_H
#define IOW_PLAN_QUESTION_H

#include "plan/draft.h"

/* Questions and claims of a plan, resolved to cells and pairs of cells. Cells of a control arm are not
 * there yet. Problems: unknown metrics and names, selectors that match nothing or not one to one. */
void questions_build(struct cells *c, const struct draft *d, const char *const *metrics,
		     struct problems *p);

/* What is asked when a plan asks nothing: each test's other targets against its first, pass 2 against
 * pass 1, together against alone, and where there is one target, each swept key. Exploratory. */
void questions_derive(struct cells *c);
void questions_derive_scaling(struct cells *c, uint32_t test);

/* A new question of c; takes the label. Without a region, a dimension or a place. */
struct question *question_add(struct cells *c, uint32_t kind, bool declared, const char *metric,
			      double margin, char *label_take);
#define QUESTION_MARGIN 0.05 /* where a plan names none */

/* Sets c->family: how many comparisons of cells the declared questions and claims make. The same two
 * cells compared in the same metric are one, however many questions and claims rest on it: one
 * interval serves them all. */
void questions_count(struct cells *c);

/* ---- pairs.c ---- */
struct selector;

/* All pairs (a cell that matches `subject`, the one that matches `against` and is equal in all that
 * neither names) of the same test. Adds a problem at `at` unless they match one to one; the problem
 * is not added where cells may be missing (d->broken). `test` NULL: any. */
void pairs_compare(struct question *q, const struct cells *c, const struct draft *d,
		   const struct selector *subject, const struct selector *against, const char *test,
		   const char *at, struct problems *p);
/* Pairs of cells that match `of` (NULL: all) and differ in `dim` alone, the later value against the
 * earlier. Values: how many a group has at least. */
void pairs_levels(struct question *q, const struct cells *c, const struct selector *of, const char *dim,
		  const char *test);
/* Are two cells of one test equal in all dimensions but those that `except` says yes to? */
typedef bool except_fn(const void *ctx, const char *dim);
bool cells_equal_but(const struct cell *a, const struct cell *b, except_fn *except, const void *ctx);
/* Adds a pair of cell ids. */
void question_pair(struct question *q, uint32_t subject, uint32_t against);

#endif
