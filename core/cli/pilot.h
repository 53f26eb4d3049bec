/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_PILOT_H
#define IOW_CLI_PILOT_H

#include "base/buf.h"
#include "plan/cells.h"
#include "stats/results.h"

/* A pilot: a few blocks of a plan, measured into a bundle of their own, that tell how much the log
 * ratios vary over blocks. Stein's rule (stats/power.h) makes the number of blocks from it, once. The
 * pilot's data are not reused, and it reaches no verdict. */

#define PILOT_BLOCKS 5

struct pilot_test {
	uint32_t n;        /* complete blocks of the comparison that needs most; 0: nothing was learnt */
	double sd;         /* the largest of its comparisons */
	uint32_t needed;   /* blocks by Stein's rule; UINT32_MAX: out of reach */
};

struct pilot {
	struct pilot_test *tests; size_t n_tests;
	bool *declared;    /* questions of the plan */
	uint32_t family;
	char *dir;         /* its bundle; NULL: it was not sealed */
	char id[13];
};

void pilot_release(struct pilot *p);

/* Directory of the pilot of a bundle: "x.iow" → "x-pilot.iow", "x" → "x-pilot". */
char *pilot_dir_new(const char *dir);

/* Makes the plan one of a pilot: PILOT_BLOCKS blocks a test, every question exploratory, "(pilot)" behind
 * its title, and a seed of its own (of the plan's text and its --set, with "pilot=5" behind them), so that
 * it meets other offsets and another order. Keeps in p what the plan declared. */
void pilot_shorten(struct pilot *p, struct cells *c, const char *text, size_t len);

/* Takes the bundle at `dir` for the pilot's: what its results say, for each test: the comparisons that the plan declared, or all of them
 * where it declares none. */
int pilot_learn(struct pilot *p, const char *dir, struct iow_error *e);

/* Fixes blocks, sd and pilot_blocks of each test of the plan itself, and its schedule. `say` gets a
 * line for the pilot and one for each test. */
void pilot_apply(const struct pilot *p, struct cells *c, struct buf *say);

#endif
