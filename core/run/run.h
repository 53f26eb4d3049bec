/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_RUN_H
#define IOW_RUN_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bundle/bundle.h"
#include "plan/cells.h"
#include "run/node.h"

/* One campaign: the cells of a plan measured over its nodes into a bundle.
 *
 *     nodes_open, node_start_local (… describe drivers, check the plan)
 *     campaign_init → campaign_prepare → bundle_create → campaign_run → bundle_seal → campaign_release
 *
 * Nothing here prints; what a user should see goes through the callbacks. */

/* How far a campaign is. */
struct campaign_progress {
	uint32_t done, total; /* runs */
	const char *now;      /* label of what is measured or prepared */
	double bytes_per_s;   /* of the run in progress, all nodes; NAN: none yet */
	int64_t elapsed_ns, left_ns; /* left -1: unknown */
	bool run_ended;       /* a run ended just now */
};

struct campaign_options {
	const char *const *destroy; /* ids of --destroy */
	size_t n_destroy;
	bool allow_commands;
	bool look; /* campaign_prepare only looks: "says" in the info of what is prepared, nothing is touched */
	void *ctx;
	void (*progress)(void *ctx, const struct campaign_progress *p);
	void (*say)(void *ctx, const char *line); /* something happened that a user should know */
};

enum campaign_end {
	CAMPAIGN_OK,
	CAMPAIGN_PLAN,    /* nothing was started: the plan does not fit what is there */
	CAMPAIGN_REFUSED, /* nothing was started: refused for safety */
	CAMPAIGN_BROKEN   /* the machine, a node or the disk of the bundle failed, or somebody interrupted */
};

/* A target with one set of keys (a sweep over a key of a target gives several), prepared on its node. */
struct prepared {
	char *name; /* of the target; " (2)" behind it for a further set of keys */
	uint32_t target;
	json_t *keys; /* borrowed from a cell */
	bool write, cold;
	int64_t deadline_ns; /* the longest of its cells */
	uint32_t layout;
	uint64_t bytes, rdev;
	uint32_t align;
	json_t *info; /* what the agent said, with "facts"; NULL before that */
	char *device_id; /* of the device that it is; empty: it has none, NULL: it is no device */
	json_t *same; /* file, dev and ino of a test file that was made; NULL: none */
	json_t *early; /* facts that a driver told before that; NULL: none */
};

struct ceiling; /* rate of the null driver for one shape on one node: run/ceiling.c */

struct campaign {
	const struct cells *c;
	struct nodes *nodes; /* index as in c->nodes */
	struct campaign_options o;
	struct bundle_writer *w; /* NULL before campaign_run */
	json_t *host, *drivers;  /* of host.json; drivers: descriptions by name */
	struct prepared *prepared; size_t n_prepared;
	uint32_t *cell_prepared; /* for each cell: index into prepared */
	int32_t *cell_ceiling;   /* …: index into ceilings, -1: none */
	struct ceiling *ceilings; size_t n_ceilings;
	struct step_state *step; /* the pass that is in progress */
	struct buf early_log;    /* lines from before there was a bundle */
	uint32_t next_run, done, total;
	uint32_t bad, failed;    /* of those done: not ok; of these: not for want of being run to their end */
	int64_t started, progress_at;
	struct { int64_t total_ns; uint32_t n; } *cell_time; /* for each cell: what its runs took */
	bool bad_block;          /* a run of the block in progress is not ok */
	bool variant_on;         /* a variant is applied: */
	uint32_t variant_test;
	int32_t variant;
	char stopped[180];       /* why the campaign ended early; empty: it did not */
	bool incomplete;         /* a run is missing, and no appended block stands for it */
	struct iow_error fatal;  /* the bundle cannot be written: text set */
};

/* Borrows all three for its life; sets the callbacks of `nodes`. Node 0 must be up. */
void campaign_init(struct campaign *k, struct nodes *nodes, const struct cells *c, const struct campaign_options *o);
void campaign_release(struct campaign *k);
/* Once the nodes are closed: says which test files of this machine are still there: an agent that
 * cannot remove a file has nobody left to tell. */
void campaign_leftovers(struct campaign *k);

/* {"name","version",…,"keys":[…]} of a driver on a node, through its agent; new, NULL with the error. */
json_t *node_describe(struct nodes *ns, struct node *n, const char *driver, struct iow_error *e);

/* Facts of the nodes, targets prepared and guarded, ceilings measured. On failure nothing of the
 * campaign was started and the agents undo what they made. */
enum campaign_end campaign_prepare(struct campaign *k, struct iow_error *e);
/* How long its nodes may be silent: ns. */
int64_t campaign_silence(const struct cells *c);
/* Contents of host.json, borrowed. */
const json_t *campaign_host(const struct campaign *k);

/* May all be started that the plan's nodes and targets name as commands? Before any node is; -1 with EPERM.
 * `nodes`: the local one is up and tells which keys are commands. */
int campaign_check_commands(struct nodes *nodes, const struct cells *c, struct iow_error *e);

/* The same for the keys of one: `what` and `name` are for the message, node 0 of `ns` tells. */
int node_check_commands(struct nodes *ns, const char *what, const char *name, const char *driver,
			const json_t *keys, struct iow_error *e);

/* Measures all blocks, appending to `w`. `state` gets what bundle_seal wants: "complete", "interrupted",
 * "stopped: …". CAMPAIGN_OK even when runs are missing (k->incomplete). */
enum campaign_end campaign_run(struct campaign *k, struct bundle_writer *w, char state[200], struct iow_error *e);

/* ---- between the files of the coordinator ---- */

/* One pass of a step: its cells at once, their lines appended. `position` of the step in its block.
 * True when a run was lost to a fault from outside and the block may be replaced. */
bool campaign_pass(struct campaign *k, const struct block *b, uint32_t replaces, uint32_t position,
		   const struct step *s, uint32_t pass);
/* Takes note of a lost node, and what it leaves; the campaign ends where the plan says so. */
void campaign_on_lost(void *ctx, struct node *n);
void campaign_on_frame(void *ctx, struct node *n, const json_t *f);
void campaign_report(struct campaign *k, const char *now, bool run_ended);
void campaign_say(struct campaign *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void campaign_log(struct campaign *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct node *campaign_node(const struct campaign *k, const struct cell *cell);
struct node *campaign_target_node(const struct campaign *k, uint32_t target);
void campaign_rate(const struct campaign *k, double *bytes_per_s); /* unchanged when none is known */

/* Region of a cell's target for a block: fresh regions lie one behind the other, at the same place in
 * all targets of the test. -1: the target is too small for the plan. */
int region_of(const struct campaign *k, const struct cell *cell, uint32_t block, uint32_t replaces,
	      uint64_t *offset, uint64_t *length, struct iow_error *e);

/* Applies the variant that a step wants, after the one that is applied was undone; variant_end undoes
 * what is applied. The commands run on this machine; what they say goes to the log. -1: a command
 * failed, and the configuration is not what the plan says. */
int variant_begin(struct campaign *k, const struct step *s, struct iow_error *e);
int variant_end(struct campaign *k, struct iow_error *e);

/* Runs the null driver in the shape of each cell. Failures leave the ceiling unknown, with a log line. */
void ceilings_measure(struct campaign *k);
int64_t ceiling_permille(const struct campaign *k, const struct run *r);
void ceilings_release(struct campaign *k);

/* Common window of runs that went together: r->bytes, ios and wall_ns become those of the whole
 * intervals inside it; window_ns and shortest_ns are set. start_ns[i]: start of run i on one axis. */
void window_apply(struct run *const *runs, const json_t *const *samples, const int64_t *start_ns, size_t n);

/* A run of those that went together, and where its I/O went. */
struct divided {
	struct run *run;
	const struct node *node;
	const char *boot;      /* of the node's kernel; empty: unknown */
	const json_t *layers;  /* fact of its target; NULL: no device is known below it */
};
/* What the devices counted during runs that went together: of those on one device, each gets the part that
 * its own bytes are of all of theirs; of devices of which only a part is common, nothing is known. */
void devices_divide(const struct divided *v, size_t n);

#endif
