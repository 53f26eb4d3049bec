/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_DRAFT_H
#define IOW_PLAN_DRAFT_H

#include "plan/keys.h"
#include "plan/plan.h"

/* Between the JSON of a plan and its cells: each part by itself, its names looked up. Names and places
 * are borrowed from the plan. Only core/plan uses it. */

struct draft_driver {
	const char *name;
	struct keys_table keys;
	uint64_t caps;
	int64_t threads;
	bool known;
};

struct draft_node {
	const char *name;
	uint32_t driver; /* index; UINT32_MAX: local, or unknown */
	json_t *keys;    /* resolved */
};

struct draft_target {
	const char *name;
	uint32_t node, driver; /* indexes; driver UINT32_MAX: unknown */
	json_t *conf;          /* resolved target_keys */
	json_t *keys;          /* resolved keys of the driver */
	json_t *make;          /* resolved make_keys or NULL */
	bool needs_root;
};

struct draft_workload {
	const char *name;
	json_t *given; /* borrowed */
	bool bad;      /* something is wrong with it, which was said */
};

/* A swept key. */
struct draft_dim {
	const char *name; /* "workload.block" */
	const char *key;  /* "block" */
	bool target;      /* of the target, else of the workload */
	bool zip;
	const struct iow_key *type; /* NULL: unknown */
	json_t *values;   /* array, resolved */
};

struct draft_test {
	char *at; /* JSON pointer */
	const char *name;
	json_t *conf; /* resolved test_keys */
	uint32_t *targets, *workloads; /* indexes */
	size_t n_targets, n_workloads;
	struct draft_dim *dims; /* those of sweep, then those of zip */
	size_t n_dims, n_zip;   /* n_zip: length of the lists of zip, 0: none */
	size_t combinations;
};

struct draft {
	struct plan *plan;
	const struct plan_env *env;
	struct draft_driver *drivers;
	size_t n_drivers;
	struct draft_node *nodes; /* 0 is local */
	size_t n_nodes;
	struct draft_target *targets;
	size_t n_targets;
	struct draft_workload *workloads;
	size_t n_workloads;
	struct draft_test *tests;
	size_t n_tests;
	json_t *conf; /* resolved plan_keys */
	bool broken;  /* cells are missing for a reason that was said: what matches none is no mistake */
};

void draft_build(struct draft *d, struct plan *p, const struct plan_env *env);
void draft_release(struct draft *d);

/* ---- between draft.c and drafttest.c ---- */
void draft_tests(struct draft *d);
void draft_tests_release(struct draft *d);
uint32_t draft_find_target(const struct draft *d, const char *name);   /* UINT32_MAX: none */
uint32_t draft_find_workload(const struct draft *d, const char *name);
/* Names of an object's members, NULL-terminated; free(). */
const char **object_names(const json_t *o);
/* Index of a CHOICE in its table; `def` when it is null. */
uint32_t conf_choice(const json_t *conf, const struct iow_key *keys, const char *name, uint32_t def);
/* Adds a problem about a name that is empty, too long or has control characters. */
bool name_check(const char *name, const char *at, const char *key, struct problems *p);

#endif
