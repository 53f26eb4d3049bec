/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_PEAKS_H
#define IOW_STATS_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two separated modes in the latencies of one run. The histogram (iowitness-bundle(5)) is counted in
 * bins of an eighth of an octave and smoothed with weights 1 2 1; two peaks are modes when they are a
 * factor of two apart, the valley between them is below a quarter of the lower peak and below it by
 * five standard deviations of a count, and each side of the valley holds PEAKS_LEAST_SHARE of the
 * I/Os and PEAKS_LEAST_IOS. Latencies below 256 ns are one bin: a clock's step is no mode. */

#define PEAKS_LEAST_SHARE 0.01
#define PEAKS_LEAST_IOS 100

struct peaks {
	bool is_found;
	double fast, slow;   /* medians of the two sides of the valley, ns */
	double slow_share;   /* of the I/Os */
	double valley;       /* height over the lower peak's */
};

/* Buckets as in samples.jsonl: rising indexes and their counts. */
void peaks_find(struct peaks *p, const uint32_t *index, const uint64_t *count, size_t n);

/* Middle of a bucket, ns. */
double peaks_bucket_ns(uint32_t index);

#endif
