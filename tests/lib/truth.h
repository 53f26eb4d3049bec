/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TESTS_TRUTH_H
#define IOW_TESTS_TRUTH_H

#include "bundle/bundle.h"

/* Bundles whose truth is known, in memory or on disk: what statistics, reports and the command line
 * are tested on. The same options give the same bytes. */

struct truth {
	const char *kind;   /* of truth_kinds */
	const char *title;  /* NULL: by kind */
	double ratio;       /* speed(subject) / speed(against) */
	double sd;          /* s_d: of ln R over blocks */
	double block_sd;    /* of a block effect that all arms share */
	double drift;       /* of all rates from the first to the last block: .1 is 10% */
	double margin;
	uint32_t blocks;
	uint32_t cells;     /* kind "cells": how many */
	uint32_t fail;      /* failed runs of the subject, from the second block on */
	uint32_t kill;      /* runs of the subject killed from outside, each replaced by a block */
	uint64_t seed;
	const char *gate;   /* as gate_find knows it: fails on the subject (aa: on the control arm); NULL: none */
	double warm;        /* the first tenth of each run's intervals is slower by this share */
	bool samples;       /* intervals with each run (on disk only) */
	uint32_t week;      /* all times are that many weeks later */
	double against;     /* rates of the arms that are not the subject, relative */
	const char *kernel; /* that the nodes run; NULL: always the same */
};

#define TRUTH_INIT \
	{ .kind = "two-way", .ratio = 0.43, .sd = 0.01, .block_sd = 0.02, .margin = 0.05, .blocks = 8, \
	  .cells = 300, .seed = 1, .samples = true, .against = 1 }

struct truth_kind {
	const char *name, *help;
};
extern const struct truth_kind truth_kinds[]; /* ends with name NULL */

/* Fills a bundle in memory: cells, host, runs, plan_text; `dir` stays NULL. Release with
 * bundle_release. */
int truth_fill(struct bundle *b, const struct truth *t, struct iow_error *e);
/* Time that the bundle's own clock shows, where a program is linked with --wrap=clock_utc_ns. */
extern int64_t truth_now;
/* The same on disk, sealed. */
int truth_write(const struct truth *t, const char *dir, struct iow_error *e);
/* Intervals of one run as the run engine would give them, new. */
json_t *truth_samples(const struct truth *t, const struct kept_run *r);

/* ---- for the kinds ---- */

/* What is true of one cell. */
struct arm {
	double rate;      /* B/s, before noise */
	double device;    /* device bytes / asked */
	double busy;      /* processor share of the busiest thread */
	bool direct, buffered, is_subject, fails;
	double response;  /* mean latency of a class of its own (flush), ns; 0: none */
	double slow_mode; /* every second block is slower by this share */
	double ops;       /* device operations per I/O; 0: one */
};

struct maker {
	const struct truth *t;
	struct bundle *b;
	struct arm *arms;
	size_t n_arms;
	struct iow_error *e;
	int bad;
};

uint32_t make_node(struct maker *m, const char *name, const char *driver);
uint32_t make_target(struct maker *m, const char *name, const char *driver, const char *path, uint32_t node);
/* `keys`: as in a plan; stolen. */
uint32_t make_workload(struct maker *m, const char *name, json_t *keys_take);
uint32_t make_test(struct maker *m, const char *name, uint32_t cache, uint32_t passes);
/* A cell of pass 1, alone; change it through m->b->cells.cells[id]. */
uint32_t make_cell(struct maker *m, uint32_t test, uint32_t target, uint32_t workload, struct arm arm);
/* Sets one swept key of the workload: "workload.block", "4 KiB", 4096. */
void make_sweep(struct maker *m, uint32_t cell, const char *dim, const char *text, int64_t value);
void make_step(struct maker *m, uint32_t test, const uint32_t *cells, size_t n);
struct question *make_question(struct maker *m, uint32_t kind, const char *label, const char *metric,
			       const char *named);
void make_pair(struct question *q, uint32_t subject, uint32_t against);
void make_about(struct question *q, uint32_t cell);
/* Labels and keys of cells, a step for each cell that has none, the schedule, the family, the runs. */
void make_finish(struct maker *m);

void make_title(struct maker *m, const char *text);

/* truth_patterns.c: kinds with a pattern in them. */
void kind_stall(struct maker *m), kind_cliff(struct maker *m), kind_drift(struct maker *m),
	kind_modes(struct maker *m), kind_latency(struct maker *m), kind_split(struct maker *m),
	kind_capped(struct maker *m), kind_implausible(struct maker *m), kind_paced(struct maker *m),
	kind_remote(struct maker *m);
/* truth_answers.c: kinds that are asked something. */
void kind_cpu(struct maker *m), kind_quotes(struct maker *m), kind_members(struct maker *m);
/* What the kind knows of its devices, added to host.json. */
void pattern_facts(struct maker *m);
/* Work of each of n intervals of a run of this kind, relative: multiplies `weight`. */
void pattern_weights(const struct truth *t, const struct kept_run *r, double *weight, size_t n);
/* Histogram of a run's latencies; NULL: the kind has none. New. */
json_t *pattern_hist(const struct truth *t, const struct kept_run *r);

/* kinds.c */
int truth_kind_make(struct maker *m, const char *kind);

#endif
