/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_PLAN_OPEN_H
#define IOW_CLI_PLAN_OPEN_H

#include <stddef.h>

#include "cli/opt.h"
#include "plan/plan.h"
#include "run/node.h"

/* A plan read from its file and resolved, its drivers described by this machine's agent. */
struct plan_open {
	struct plan plan;
	struct cells cells;
	struct nodes nodes;
	bool started;        /* the agent: when the first driver is asked for */
};

/* Reads and resolves a plan, its drivers described by `ask`. -1: all mistakes were printed on stderr, or, when
 * `nodes` were told to stop, that it was interrupted.
 * Release both anyway. */
typedef json_t *plan_describe_fn(void *ctx, const char *driver, struct iow_error *e);
int plan_read(struct plan *p, struct cells *c, const char *path, const char *const *set, size_t n_set,
	      plan_describe_fn *ask, void *ctx, const struct nodes *nodes);

/* -1: all mistakes were printed on stderr, or why the agent cannot be asked. Release it anyway. */
int plan_open(struct plan_open *o, const char *path, const char *const *set, size_t n_set);
void plan_open_release(struct plan_open *o);

/* Adds "/params/dir=DIR" to a list of --set; returns the text, which the caller frees after the list.
 * `dir` NULL: nothing, NULL. */
char *plan_add_dir(struct opt_list *set, const char *dir);

/* Runs that the schedule has. */
size_t plan_runs(const struct cells *c);

#endif
