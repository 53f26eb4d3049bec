/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_METRIC_H
#define IOW_STATS_METRIC_H

#include <stdbool.h>

#include "bundle/run.h"

/* The one table of metrics: what a question may name, its unit, its direction, and the words of its
 * verdicts. "throughput", "iops", "mean" (latency), a percentile "p50", "p90", "p95", "p99", "p99.9",
 * "p99.99" of service time, each also with a class before it: "read.p99", "write.mean", "flush.p99",
 * "commit.p99", "response.p99"; "cpu_per_gib", "time" (per GiB moved), "makespan" (first issue to
 * last completion, the final flush included). */
struct metric {
	const char *name;    /* as in a plan: "throughput" */
	const char *title;   /* "throughput" */
	const char *unit;    /* SI base of the stored value: "B/s", "1/s", "ns", "ns/GiB" */
	bool higher_is_better;
	const char *better, *worse; /* comparatives of the subject: "faster"/"slower", "lower"/"higher", "cheaper"/"dearer" */
	const char *noun;    /* what is judged: "ran", "latency was", "processor cost was" */
	int cls;             /* enum latency_class, or -1: by the run's op */
	double quantile;     /* 0: none; 0.5 … 0.9999; mean latency: -1 */
};

extern const struct metric metrics[]; /* ends with name NULL */
const struct metric *metric_find(const char *name); /* NULL: unknown */
/* Whether a percentile of `n` I/Os has enough of them to stand on: min(n p, n (1 - p)) >= 10. True for
 * every other metric. */
bool metric_has_tail(const struct metric *m, double n);
/* Value of one run in the metric's unit, NaN when the run has none or it may not enter a log
 * (zero, not finite, run not ok). `too_few` (may be NULL) is set, never cleared, when a percentile
 * does not have its tail (metric_has_tail); the value is given all the same. */
double metric_value(const struct metric *m, const struct kept_run *r, bool *too_few);
/* Latency of the run's main op: reads if it has any, else writes, else trims, else flushes. */
const struct latency *metric_main_latency(const struct kept_run *r);

#endif
