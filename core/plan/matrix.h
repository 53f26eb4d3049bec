/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_MATRIX_H
#define IOW_PLAN_MATRIX_H

#include "plan/draft.h"

/* Cells and steps of a plan: workloads × swept values × variants × targets × passes, with company as
 * the test's mode says. Only core/plan uses it; plan_cells is the way in. */

/* Fills everything of `c` but schedule and questions. Adds what does not go together. */
void matrix_build(struct cells *c, const struct draft *d, struct problems *p);

/* Takes out what this campaign cannot do (targets that need root), with its reason in c->skips, and
 * the targets, workloads and nodes that no cell uses. Ids of cells and steps are counted anew;
 * questions lose the pairs and cells that are gone, and go when nothing is left. */
void matrix_leave_out(struct cells *c, const struct draft *d, bool root);

/* One more arm a test where it is due: a duplicate of the step of the baseline, which is what the
 * first declared comparison of the test compares against, else its first step. */
void matrix_add_controls(struct cells *c);

/* ---- cell.c ---- */

/* Fills spec, target_keys and sweep of a cell for combination `index` of a test. */
void cell_resolve(struct cell *cell, const struct draft *d, const struct draft_test *t, size_t index,
		  struct problems *p);
/* Adds what the cell's driver cannot do. `place`: index of the target in the test's list. */
void cell_check(struct cell *cell, const struct draft *d, const struct draft_test *t, size_t place,
		struct problems *p);
/* Makes key and label; labels are unique within the test afterwards. */
void cells_name(struct cells *c);

#endif
