/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LATHIST_H
#define IOW_RUN_LATHIST_H

#include <jansson.h>
#include <stdint.h>

#include "bundle/run.h"

/* Latencies of one class: a log-linear histogram, exact below 2,048 ns, above it 1,024 buckets an
 * octave, so a value is known to 1/1,024 (0.098%). Covers 0 ns to 1.2 h; what is longer counts in the
 * last bucket, and `max` still has it.
 *
 *	index = v                                for v < 2048
 *	index = ((e - 10) << 10) + (v >> (e - 10))   for v >= 2048, e = floor(log2 v)
 */
#define LATHIST_OCTAVES 31u /* 11 … 41 */
#define LATHIST_SIZE (2048u + (LATHIST_OCTAVES << 10))

struct lathist {
	uint64_t sum, min, max; /* ns; min UINT64_MAX while empty */
	uint64_t n[LATHIST_SIZE];
};

struct lathist *lathist_new(void);
void lathist_clear(struct lathist *h);
void lathist_merge(struct lathist *into, const struct lathist *from);
uint64_t lathist_count(const struct lathist *h);
/* Nearest-rank quantile, 0 < q <= 1: the middle of its bucket, within min and max. 0 when empty. */
uint64_t lathist_quantile(const struct lathist *h, double q);
/* For imports that took their samples in a closed loop: adds v, then v - expected, v - 2 expected …
 * while they are at least `expected`. */
void lathist_add_corrected(struct lathist *h, uint64_t v, uint64_t expected);
void lathist_summary(const struct lathist *h, struct latency *out);
/* {"index": [...], "count": [...]} of the buckets that are not empty; new. */
json_t *lathist_to_json(const struct lathist *h);

static inline uint32_t lathist_index(uint64_t v)
{
	const uint32_t shift = 53u - (uint32_t)__builtin_clzll(v | 1024);
	const uint64_t i = ((uint64_t)shift << 10) + (v >> shift);

	return i < LATHIST_SIZE ? (uint32_t)i : LATHIST_SIZE - 1;
}

/* Smallest value of a bucket, and how many values it holds. */
static inline uint64_t lathist_low(uint32_t i)
{
	const uint32_t shift = i < 2048 ? 0 : (i >> 10) - 1;

	return (uint64_t)(i - (shift << 10)) << shift;
}

static inline uint64_t lathist_width(uint32_t i)
{
	return UINT64_C(1) << (i < 2048 ? 0 : (i >> 10) - 1);
}

static inline void lathist_add(struct lathist *h, uint64_t v)
{
	h->n[lathist_index(v)]++;
	h->sum += v;
	if (v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
}

#endif
