/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_JUDGE_H
#define IOW_STATS_JUDGE_H

#include "stats/results.h"

/* What the parts of results_build share, private to them. The order is: index, cut, cells, gates,
 * comparisons (they need the gates), judgements (they need the comparisons). */

#define JUDGE_NONE UINT32_MAX

struct judge {
	struct results *r;
	const struct bundle *b;
	/* Runs of cell c in order of block (then of start): order[first[c]] … order[first[c + 1] - 1]. */
	uint32_t *first, *order;
	int64_t *test_cut_ns;   /* by test */
	bool *test_cut_mser;
	size_t *first_pair;     /* comparisons of question q: first_pair[q] … first_pair[q + 1] - 1 */
	uint32_t smallest_n;    /* the last smallest effect asked for, in units of sd: of n blocks */
	double smallest;
	int *cell_void;         /* first gate that voids cell c, -1: none */
	int *test_void; size_t n_test_void; /* failed gates on whole tests */
};

/* index.c */
void judge_index(struct judge *j);
void judge_release(struct judge *j);
/* Value of a run, after the cut where there is one and `cut` asks for it. */
double judge_value(const struct judge *j, const struct metric *m, uint32_t run, bool cut,
		   bool *too_few);
/* How many runs of a cell were missing as an outcome of the arm itself. */
uint32_t judge_failures(const struct cell_result *c);

/* One complete block of two (or k) cells: run indexes in the order of the cells asked for. */
struct tuple {
	uint32_t block;
	bool replaced;     /* appended for a block that a fault from outside broke */
	uint32_t *runs;
};
struct tuples {
	struct tuple *at; size_t n;
	uint32_t dropped;  /* planned blocks that are not there */
	uint32_t *runs;    /* storage */
};
/* Complete blocks of k cells of one test. An appended block counts only where the block that it
 * replaces is incomplete for these cells, and never for a failure of an arm itself. */
void judge_tuples(const struct judge *j, const uint32_t *cells, size_t k, struct tuples *t);
void tuples_release(struct tuples *t);

/* collect.c: cell_result of each cell, except steadiness. */
void judge_cells(struct judge *j);
/* Mean, geometric mean, intervals at 95%. n = 0: all NaN but n. */
void estimate_fill(struct estimate *e, const double *x, size_t n);
/* Values of a cell over its ok runs, in order of block; `x` has room for all of them. */
size_t judge_cell_values(const struct judge *j, uint32_t cell, const struct metric *m, double *x,
			 uint32_t *runs, bool *too_few);
/* Slope of ln x a block and its two-sided p; NaN when it cannot be estimated (n < 3). */
void judge_trend(const struct judge *j, const double *x, const uint32_t *runs, size_t n, double *slope,
		 double *p);

/* (CPU + run-queue wait) / wall of the busiest thread, each run that knows it. */
size_t judge_busy_shares(const struct judge *j, const struct cell_result *c, double *x);

/* cut.c: the warm-up cut of each test from the intervals of its runs, then the cells, then the
 * steadiness of each cell. -1 when samples that a run points to cannot be read. */
int judge_cut(struct judge *j, struct iow_error *e);

/* gates.c; order effects come after the comparisons. */
void judge_gates(struct judge *j);
/* First gate that voids what rests on this cell, -1: none. */
int judge_void_gate(const struct judge *j, uint32_t cell, const struct metric *m);

/* differences.c: fills c->diff. */
void judge_differences(const struct judge *j, struct comparison *c);

/* tail.c: c->stall_intervals, from the intervals of both arms' runs. */
void judge_tail(const struct judge *j, struct comparison *c);
/* A run by its number, NULL: none. */
const struct kept_run *judge_run(const struct judge *j, uint32_t number);

/* pairs.c: all comparisons, Holm and BH. */
void judge_comparisons(struct judge *j);

/* patterns.c: stalls, cliffs, modes and spread within runs; trends over blocks. Needs the cells. */
void judge_patterns(struct judge *j);
/* plateaus.c; needs the gates. */
void judge_plateaus(struct judge *j);

/* questions.c: judgements, scalings. */
void judge_questions(struct judge *j);

#endif
