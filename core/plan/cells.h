/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_CELLS_H
#define IOW_PLAN_CELLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/workload.h"

/* A plan with everything resolved: what cells.json holds and what the rest of the program works
 * with. Made from a plan by matrix_build and schedule_build, or read back from a bundle. Arrays are
 * VEC arrays; ids are indexes into them. */

enum test_mode { MODE_EACH, MODE_TOGETHER, MODE_SOLO_THEN_TOGETHER };
enum cache_rule { CACHE_COLD, CACHE_ASIS, CACHE_WARM };
enum region_rule { REGION_FRESH, REGION_SAME, REGION_WHOLE };
enum layout_rule { LAYOUT_WRITTEN, LAYOUT_NEW, LAYOUT_FALLOCATED };
enum company { COMPANY_ALONE, COMPANY_TOGETHER };

/* Their words in a plan, in a bundle and between the processes; each ends with NULL. */
extern const char *const mode_names[], *const cache_names[], *const region_names[], *const layout_names[],
	*const company_names[];

struct plan_node {
	char *name;     /* node 0 is "local" */
	char *driver;   /* NULL for local */
	json_t *keys;   /* resolved keys of that driver */
};

struct plan_target {
	char *name;
	uint32_t node;
	char *driver;
	json_t *keys;   /* resolved, defaults filled in; values as integers (bytes, ns), SECRET as {"env"|"file": …} */
	json_t *make;   /* {"loop": bytes} or NULL: the agent makes it and undoes it */
	bool destroy;   /* the plan names the device by id for destruction */
	char *destroy_id;
};

struct plan_workload {
	char *name;
	json_t *keys; /* as given in the plan */
};

struct plan_test {
	char *name;
	uint32_t mode, cache, region, layout;
	uint32_t blocks, passes;
	int64_t warmup_ns;  /* fixed cut when runs have too few intervals for MSER-5 */
	int64_t pause_ns;   /* idle window between steps (foreign load is read in it) */
	bool control;       /* an A/A control arm */
	bool control_repeat;
	json_t *waive;      /* array of gate names that may not void */
	json_t *variants;   /* [{"name","apply":[argv],"undo":[argv],"capacity":share}] or NULL */
	double sd;          /* stated or pilot's sd of the log ratio over blocks; 0: none */
	uint32_t blocks_most;  /* that a pilot may choose; 0: four times `blocks` */
	uint32_t pilot_blocks; /* of the pilot that measured sd and chose `blocks`; 0: none was run */
};

/* One swept value: dimension ("workload.block", "target.size") and its value, bytes and ns as integers. */
struct sweep_value {
	char *dim;
	char *text; /* for people: "4 KiB" */
	json_t *value;
};

struct cell {
	uint32_t id, test, target, workload; /* indexes */
	uint32_t pass;     /* from 1 */
	uint32_t company;  /* enum company */
	int32_t variant;   /* index into the test's variants, -1: none */
	bool control;      /* duplicate of the test's baseline arm */
	char *key;         /* stable: "test/target/workload/workload.block=4096/pass=2/control" */
	char *label;       /* for people, unique within the test: "shared raw, 4 KiB, repeat read" */
	struct sweep_value *sweep;
	size_t n_sweep;
	struct workload spec;
	json_t *target_keys; /* resolved, after sweeps of target keys */
};

/* What runs at once. The passes of a step follow each other: cells of pass 2 run after those of 1. */
struct step {
	uint32_t id, test;
	uint32_t *cells; /* pass-major: all cells of pass 1, then of pass 2 … */
	size_t n_cells;
};

/* One block of one test: its steps in the order in which they run. */
struct block {
	uint32_t test, number; /* from 1 within the test */
	uint32_t *steps;
	size_t n_steps;
};

enum question_kind {
	QUESTION_COMPARE, QUESTION_SENSITIVITY, QUESTION_CACHE, QUESTION_SCALING, QUESTION_LIMIT,
	QUESTION_STEADY, QUESTION_CPU
};

/* One cell-level comparison: R = speed(subject) / speed(against). */
struct pair {
	uint32_t subject, against; /* cell ids */
};

/* Figures that a claim quotes, as given; plan/quote.h reads them. */
struct plan_quote {
	char *subject, *against, *says;
};

/* A question or a claim, resolved to cells. `declared` false: derived by the program because the plan
 * asks nothing; exploratory, never a verdict word. */
struct question {
	uint32_t id, kind;
	bool declared, claim;
	char *label;          /* for people: "shared raw : file direct" */
	char *metric;         /* a name of the metric table: "throughput", "p99", … */
	double margin;
	char *named;          /* the dimension the question is about: "target", "pass", "workload.block" */
	struct pair *pairs;   /* compare, cache, sensitivity, scaling (against = alone cells) */
	size_t n_pairs;
	uint32_t *cells;      /* limit, steady, cpu: the cells it is about; scaling: together then alone */
	size_t n_cells;
	/* claim: words and region of R (or of the metric for a limit); NAN: open side */
	char *says, *by;
	double at_least, at_most;
	char *where;          /* JSON pointer in the plan: "/questions/0" */
	struct plan_quote *quotes; size_t n_quotes; /* claims */
};

struct plan_set {
	char *path, *value; /* one --set, as given */
};

/* What the plan asks for and this campaign leaves out, with the reason: "needs root". */
struct plan_skip {
	char *what; /* for people: "target \"raw\"" */
	char *why;
};

struct cells {
	char *title;
	char plan_sha256[65];
	uint64_t seed; /* first 8 bytes of SHA-256(plan text, then each "\n--set path=value") */
	struct plan_set *set; size_t n_set;
	json_t *params;       /* as used */
	json_t *report;       /* issuer, for, case, … as given; object, maybe empty */
	struct plan_node *nodes; size_t n_nodes;
	uint32_t stop_when_lost; /* 1: a lost node ends the campaign */
	uint32_t silence_ms;     /* after which a node is lost; 0: 30 s */
	struct plan_target *targets; size_t n_targets;
	struct plan_workload *workloads; size_t n_workloads;
	struct plan_test *tests; size_t n_tests;
	struct cell *cells; size_t n_cells;
	struct step *steps; size_t n_steps;
	struct block *blocks; size_t n_blocks; /* the schedule, in the order of the campaign */
	struct question *questions; size_t n_questions;
	uint32_t family;      /* m: cell-level comparisons that declared questions and claims make, each once */
	struct plan_skip *skips; size_t n_skips;
};

void cells_init(struct cells *c);
void cells_release(struct cells *c);
/* What one element owns; the element itself is not freed. */
void plan_node_release(struct plan_node *n);
void plan_target_release(struct plan_target *t);
void plan_workload_release(struct plan_workload *w);
void cell_release(struct cell *cell);
void question_release(struct question *q);
/* Share of the processor's capacity that the cell's variant leaves; 1 without one. */
double cell_capacity(const struct cells *c, const struct cell *cell);

#endif
