/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_WORKLOAD_H
#define IOW_PLAN_WORKLOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan/problems.h"

#include <iowitness/driver.h>

/* What is done to a target. One JSON object in a plan, in cells.json and in the PREPARE frame of a
 * run; the same keys table (workload_keys) parses it everywhere. */

enum workload_op { WORKLOAD_READ, WORKLOAD_WRITE, WORKLOAD_MIXED, WORKLOAD_TRIM };

enum workload_pattern {
	PATTERN_SEQUENTIAL,
	PATTERN_RANDOM,  /* each block exactly once per pass, unless `replacement` */
	PATTERN_STRIDED, /* every `stride` bytes */
	PATTERN_ZIPF,    /* with replacement, exponent `theta` */
	PATTERN_HOTCOLD  /* `hot_share` of the I/Os go to the first `hot_region` of the region */
};

enum workload_durability {
	DURABILITY_NONE,
	DURABILITY_DSYNC, /* each write durable (data): opened O_DSYNC */
	DURABILITY_SYNC,  /* … data and metadata: O_SYNC */
	DURABILITY_FLUSH  /* a FLUSH op after every `flush_every` writes */
};

enum workload_arrival { ARRIVAL_CLOSED, ARRIVAL_CONSTANT, ARRIVAL_POISSON };

#define WORKLOAD_BLOCKS 8
#define WORKLOAD_FLUSH_MOST 16384 /* largest flush_every: a lane keeps the start of each write that waits for it */

struct workload {
	uint32_t op;      /* enum workload_op */
	uint32_t pattern; /* enum workload_pattern */
	int64_t read_percent; /* of the I/Os, MIXED only */
	uint8_t replacement;
	uint64_t stride;
	double theta, hot_share, hot_region;

	uint32_t n_blocks; /* block size fixed (1) or a weighted set */
	uint64_t block[WORKLOAD_BLOCKS];
	uint32_t weight[WORKLOAD_BLOCKS];

	int64_t depth, jobs, batch;
	uint8_t shared;   /* jobs share one region; else each has its own slice */
	uint8_t poll;     /* a lane may spin while it waits */

	uint32_t durability; /* enum workload_durability */
	int64_t flush_every;
	uint8_t final_flush; /* one FLUSH at the end, timed as its own figure */

	uint64_t amount;     /* bytes over all jobs; 0: no limit */
	int64_t duration_ns; /* 0: no limit; whichever ends first */
	int64_t warmup_ns;   /* cut from the start of each run */

	double rate; /* I/Os per second over all jobs; 0: closed loop */
	uint32_t arrival;

	double compressible; /* share of each block that is zero-like, 0..1 */
	double duplicate;    /* share of blocks that repeat, 0..1 */
	uint8_t verify;      /* header and checksum in each block, checked on reading */
	int64_t deadline_ns; /* of one I/O; after it the run is "hung" */
};

/* Table of the keys of a workload (offsets into struct workload). `block` is in the table for help
 * and schema; its weighted form is parsed by workload_from_json. */
extern const struct iow_key workload_keys[];

/* Fills w with defaults, then with the members of o. The error names the member. Integers of times are
 * nanoseconds (a resolved object). A member that is not given or null has its default. */
int workload_from_json(struct workload *w, const json_t *o, struct iow_error *e);
/* All keys with their values, defaults too, in the table's order; integers (bytes, ns). New. */
json_t *workload_to_json(const struct workload *w);

/* The same for an object of a plan (mode KEYS_PLAN of plan/keys.h: a time needs its unit) or a resolved
 * one: every problem goes to `p` at JSON pointer `at`, and w is filled as far as it could be. */
void workload_resolve(struct workload *w, const json_t *o, unsigned mode, const char *at,
		      struct problems *p);

#endif
