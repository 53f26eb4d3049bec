/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_RUN_H
#define IOW_BUNDLE_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* One line of runs.jsonl: one execution of one cell in one block. Integers only: ns and bytes. */

#define RUN_WHY_MOST 199 /* bytes of a reason in a file */

enum run_status {
	RUN_OK,
	RUN_FAILED,    /* an I/O or a call of the driver failed: an outcome of the arm */
	RUN_CRASHED,   /* the child died of a signal (why names it): an outcome of the arm */
	RUN_HUNG,      /* an I/O passed its deadline: an outcome of the arm */
	RUN_KILLED,    /* ended from outside (host, agent, cut off): not an outcome of the arm */
	RUN_CANCELLED, /* Ctrl-C */
	RUN_NOT_RUN    /* its device is quarantined, or its step broke before it started */
};
#define RUN_STATUSES 7
const char *run_status_name(enum run_status s); /* "ok", "failed", … */

/* Latency of one class of I/O in one run, ns. Quantiles are nearest-rank from the histogram. */
struct latency {
	uint64_t count;
	int64_t min, mean, p50, p90, p95, p99, p999, p9999, max;
};

enum latency_class {
	LAT_READ, LAT_WRITE, LAT_TRIM, LAT_FLUSH, /* service time, by op */
	LAT_COMMIT,   /* write + the flush that made it durable */
	LAT_RESPONSE, /* from the intended start, open loop only */
	LAT_CLASSES
};
const char *latency_class_name(enum latency_class c);

enum cold_method { COLD_NONE, COLD_CACHESTAT, COLD_MINCORE, COLD_DRIVER };

/* What both forms of a run begin with. */
#define RUN_FIGURES \
	uint32_t run;       /* number in this campaign, from 1, in order of start */ \
	uint32_t cell, block, step, pass; \
	uint32_t position;  /* of its step in its block, from 1 */ \
	uint32_t replaces;  /* block number that an appended block stands for, 0: none */ \
	uint32_t status;    /* enum run_status */ \
\
	int64_t start_utc_ns; \
	int64_t wall_ns;    /* retained time: first issue after the warm-up to the last completion, or the common window */ \
	uint64_t bytes, ios, errors; \
	uint64_t read_bytes, write_bytes; \
	uint64_t offset, length; /* region of the target that was used */ \
	int64_t final_flush_ns; /* -1: none */ \
\
	/* Processor: all threads of the run; `busy_*` of the busiest I/O thread; -1: unknown. */ \
	int64_t user_ns, sys_ns, wait_ns; \
	int64_t busy_cpu_ns, busy_wait_ns; \
	uint64_t ctx_voluntary, ctx_involuntary, major_faults; \
	int64_t machine_cpu_ns; /* busy time of the whole machine in the run */ \
	/* Pressure stall (PSI) of the whole machine in the run, this run's own too: how long at least one task waited \
	 * for a processor, for I/O, for memory; -1: the kernel does not count it. */ \
	int64_t pressure_cpu_ns, pressure_io_ns, pressure_memory_ns; \
\
	/* Device counters of the bottom of the target's stack during the run; dev_known false: none. */ \
	bool dev_known; \
	uint64_t dev_read_bytes, dev_write_bytes, dev_reads, dev_writes; \
	int64_t foreign_bytes; /* device bytes in the idle window before, scaled to the run; -1: unknown */ \
\
	/* Readings for the gates; -1 or COLD_NONE: not read. */ \
	uint32_t cold_method; \
	int64_t resident_pages, checked_pages;   /* before the run, after the drop */ \
	int64_t direct;        /* 1 in force, 0 not, -1 not asked for */ \
	int64_t allocated;     /* bytes allocated of `length`, files */ \
	int64_t sampled_blocks, weak_blocks;     /* content looked at; of them zero or compressible */ \
	int64_t workers, workers_moved;          /* jobs planned; jobs that moved data */ \
	int64_t clock_step_ns; /* largest disagreement of realtime and monotonic over the run */ \
	uint32_t clock_source; /* 1 tsc, 2 clock_gettime */ \
	int64_t wrong_blocks;  /* verify */ \
	int64_t ceiling_permille; /* I/O rate in 1/1000 of the null driver's for that shape */ \
	int64_t window_ns, shortest_ns, offset_bound_ns; /* together */ \
	int64_t skew_ns;       /* of the starts in a together step */ \
	int64_t backlog;       /* open loop: largest number of intended, not yet issued I/Os */ \
	int64_t stopped_ns;    /* time for which a signal held its process; -1: it was not held */ \
\
	uint64_t samples_at, samples_len; /* its line in samples.jsonl; len 0: none */

struct run {
	RUN_FIGURES
	char why[128];      /* empty when ok; else one sentence (a longer one in a file is cut) */
	struct latency lat[LAT_CLASSES]; /* count 0: absent */
};

/* The same as a bundle keeps a million of them: what is not there takes no room. */
struct kept_run {
	RUN_FIGURES
	const char *why;           /* "" when ok; the bundle's, as what `lat` points to */
	const struct latency *lat; /* of the classes that are there, one after the other */
	uint32_t classes;          /* bits of these */
};
/* Count 0: the run has none of this class. */
const struct latency *run_latency(const struct kept_run *r, enum latency_class c);
/* The whole of it. */
void run_whole(struct run *out, const struct kept_run *r);

void run_init(struct run *r); /* all "unknown" */
/* The members that a child or agent knows and those of the coordinator alike; members that are
 * unknown are left out. New. */
json_t *run_to_json(const struct run *r);
/* Overwrites what o has; unknown members are refused. */
int run_from_json(struct run *r, const json_t *o, struct iow_error *e);

#endif
