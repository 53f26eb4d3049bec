/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_SELECT_H
#define IOW_PLAN_SELECT_H

#include "plan/draft.h"

/* A selector: a target's name, or an object over the dimensions of cells, {"target": "file", "pass": 2},
 * whose values may be arrays ("any of"). */
struct selector {
	const json_t *o;  /* the object; NULL: only `target` */
	const char *target;
	char *at;         /* JSON pointer */
	char *text;       /* for people */
	bool bad;         /* said to be wrong */
};

/* Dimensions that every cell has, NULL-terminated: target, workload, pass, variant, company, node,
 * test. Swept ones are named as in the test. */
extern const char *const cell_dims[];

/* Checks form, dimensions and names. -1: problems were added and s->bad is set; release it anyway. */
int selector_read(struct selector *s, const struct draft *d, const json_t *v, const char *at,
		  struct problems *p);
void selector_release(struct selector *s);

bool selector_matches(const struct selector *s, const struct cells *c, const struct cell *cell);
/* Does the selector say something about a dimension? */
bool selector_names(const struct selector *s, const char *dim);

/* Value of a cell in a dimension, new; NULL: it has none. */
json_t *cell_value(const struct cells *c, const struct cell *cell, const char *dim);

#endif
