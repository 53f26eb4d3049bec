/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_GATES_H
#define IOW_STATS_GATES_H

#include "stats/judge.h"

/* Parts of the gates: METHODS section 2. Each function judges one gate on one cell. */

#define GATE_FULL 0.98       /* device bytes / asked: below it something else served them */
#define GATE_AMPLIFIED 1.05
#define GATE_SHARE 0.01      /* resident, foreign, weak content */

/* One gate on one cell while it is judged. */
struct gate_view {
	const struct judge *j;
	const struct cell *cell;
	const struct cell_result *res;
	const struct plan_test *test;
	const struct plan_target *target;
	struct gate *g;
};

typedef void gate_fn(struct gate_view *v);
gate_fn gate_cold, gate_direct, gate_written, gate_workers, gate_clock, gate_verify, gate_foreign,
	gate_ceiling, gate_window;
gate_fn gate_device, gate_durability, gate_steady, gate_bimodal, gate_skew, gate_implausible;
/* Gates on a whole test: append to the results. */
void gate_aa(struct judge *j, uint32_t test);
void gate_order(struct judge *j, uint32_t test); /* after the comparisons */
/* |ln| below which no ratio of this metric in this test is claimed, 0: none. */
double gate_aa_floor(const struct judge *j, uint32_t test, const struct metric *m);

/* A new gate, NOT_APPLICABLE, waived as the test says. */
struct gate *gate_new(struct judge *j, enum gate_kind kind, uint32_t cell, uint32_t test);
/* Sets state and the reason, a sentence without full stop. */
void gate_say(struct gate *g, enum gate_state state, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void gate_basis(struct gate *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gate_number(struct gate *g, double number, double threshold, const char *unit);
void gate_blame(struct gate *g, const struct kept_run *r); /* adds a run that failed it */

static inline const struct kept_run *gate_run(const struct gate_view *v, size_t i)
{
	return &v->j->b->runs[v->res->runs[i]];
}

/* Has the driver of the target this capability ("NO_DATA")? By host.json, else by its name. */
bool gate_driver_has(const struct gate_view *v, const char *cap);
/* No real storage behind it: null, synth. */
bool gate_is_simulated(const struct gate_view *v);
/* Device bytes / asked bytes of a run in the direction of its op; NaN: not known. */
double gate_device_share(const struct gate_view *v, const struct kept_run *r);
/* Reads that the host's cache may serve, so limits of device and link do not hold. */
bool gate_is_cached_read(const struct gate_view *v);

#endif
