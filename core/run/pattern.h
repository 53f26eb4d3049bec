/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_PATTERN_H
#define IOW_RUN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "plan/workload.h"

/* Order of the offsets of one job. Needs no memory that grows with the region. */

/* A permutation of 0..n-1: a keyed bijection of the next power of two (odd multiplications, xor with a
 * right shift and additions, each of which can be undone), and values of n or more are left out. */
struct perm {
	uint64_t n, mask, at; /* at: position among mask + 1 */
	uint64_t mul[3], add[2];
	uint32_t shift;
};

enum pattern_kind { PK_SEQUENTIAL, PK_PERMUTED, PK_REPLACED, PK_STRIDED, PK_ZIPF, PK_HOTCOLD };

struct pattern {
	enum pattern_kind kind;
	uint64_t base, len;  /* slice of the target, bytes */
	uint64_t unit, n;    /* offsets are multiples of unit; n of them, for random kinds */
	uint64_t at, phase, stride;
	struct perm perm;
	struct rng rng, keys; /* draws; keys of each pass */
	double zipf_hx0, zipf_hn, zipf_s, theta;
	double hot_share;
	uint64_t hot_n;
};

/* Job `job` of the workload on bytes [offset, offset + length). Its slice: all of it when shared
 * (sequential jobs then start at equal distances), else length / jobs, rounded down to whole units.
 * The error says when there is no room for one block. */
int pattern_init(struct pattern *p, const struct workload *w, uint32_t job, uint64_t offset, uint64_t length,
		 uint64_t seed, struct iow_error *e);
/* Offset of an I/O of `len` bytes: for all kinds but the two below. */
uint64_t pattern_next(struct pattern *p, uint32_t len);
/* Starts the next pass: new keys. */
void perm_rekey(struct perm *p, struct rng *keys);
/* Bytes of one pass over the slice. */
uint64_t pattern_pass(const struct pattern *p);

static inline uint64_t perm_map(const struct perm *p, uint64_t x)
{
	x = (x * p->mul[0] + p->add[0]) & p->mask;
	x ^= x >> p->shift;
	x = (x * p->mul[1] + p->add[1]) & p->mask;
	x ^= x >> p->shift;
	x = x * p->mul[2] & p->mask;
	return x ^ x >> p->shift;
}

static inline uint64_t pattern_sequential(struct pattern *p, uint32_t len)
{
	uint64_t at = p->at;

	if (__builtin_expect(at + len > p->len, 0))
		at = 0;
	p->at = at + len;
	return p->base + at;
}

static inline uint64_t pattern_permuted(struct pattern *p)
{
	uint64_t x;

	do {
		if (__builtin_expect(p->perm.at > p->perm.mask, 0))
			perm_rekey(&p->perm, &p->keys);
		x = perm_map(&p->perm, p->perm.at++);
	} while (x >= p->n);
	return p->base + x * p->unit;
}

#endif
