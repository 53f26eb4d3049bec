/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_METRIC_H
#define IOW_STATS_METRIC_H

#include <stdbool.h>

#include "bundle/run.h"

/* The one table of metrics: what a question may name, its unit, its direction, and the words of its
 * verdicts. A percentile is "p50", "p90", "p95", "p99", "p99.9", "p99.99" of service time, or with a
 * class before it: "read.p99", "write.p99", "flush.p99", "commit.p99", "response.p99". */
struct metric {
	const char *name;    /* as in a plan: "throughput" */
	const char *title;   /* "throughput" */
	const char *unit;    /* SI base of the stored value: "B/s", "1/s", "ns", "1" */
	bool higher_is_better;
	const char *better, *worse; /* comparatives of the subject: "faster"/"slower", "lower"/"higher", "cheaper"/"dearer" */
	const char *noun;    /* what is judged: "ran", "latency was", "processor cost was" */
	int cls;             /* enum latency_class, or -1: by the run's op */
	double quantile;     /* 0: none; 0.5 … 0.9999; mean latency: -1 */
};

extern const struct metric metrics[]; /* ends with name NULL */
const struct metric *metric_find(const char *name); /* NULL: unknown */
/* Value of one run in the metric's unit, NaN when the run has none or it may not enter a log
 * (zero, timed out). `too_few` (may be NULL) is set when a percentile has too few I/Os to stand on. */
double metric_value(const struct metric *m, const struct run *r, bool *too_few);

#endif
