/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_PLAN_H
#define IOW_PLAN_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "plan/cells.h"
#include "plan/problems.h"

/* A plan as a user wrote it: the text, what --set changed, and everything that is wrong with it.
 *
 *     plan_init → plan_load → plan_cells → plan_release
 *
 * Both functions find all mistakes they can and leave them in `problems`. */
struct plan {
	struct jsonx_doc doc; /* as given: its text goes into the bundle byte for byte */
	json_t *root;         /* after --set and parameters */
	struct plan_set *set;
	size_t n_set;
	struct problems problems;
};

/* What the caller knows and a plan is checked against. */
struct plan_env {
	void *ctx;
	/* New object {"name", "threads", "caps": [...], "keys": [...]} as the protocol describes a
	 * driver (run/wire.h), or NULL with the error set. Asked once for each name. */
	json_t *(*describe)(void *ctx, const char *driver, struct iow_error *e);
	const char *const *drivers; /* names for a hint, NULL-terminated; NULL: not known */
	const char *const *metrics; /* names, NULL-terminated; NULL: not checked */
	const char *const *gates;   /* names that a test may waive; NULL: not checked */
	bool root; /* what needs root can be done; else it is left out, with the reason */
};

void plan_init(struct plan *p);
void plan_release(struct plan *p);

/* Reads a plan and applies each `set`, "/json/path=VALUE" (VALUE is JSON, else a text), then the
 * parameters: "${name}" in any text. -1: there are problems. */
int plan_load(struct plan *p, const char *path, const char *const *set, size_t n_set);
int plan_parse(struct plan *p, const char *name, const char *text, size_t len, const char *const *set,
	       size_t n_set);

/* Everything resolved: cells, steps, questions, family and schedule. `c` is empty on failure: -1,
 * there are problems (those of plan_load too). */
int plan_cells(struct plan *p, const struct plan_env *env, struct cells *c);

/* All problems, one line each, in the order of the file. */
void plan_print_problems(const struct plan *p, struct buf *out);

#endif
