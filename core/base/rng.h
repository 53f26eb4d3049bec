/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_RNG_H
#define IOW_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* xoshiro256** 1.0 seeded through splitmix64 (Blackman and Vigna 2018). Not for secrets.
 * The first three outputs for a seed are printed in cells.json so that others can repeat them. */
#define RNG_NAME "xoshiro256**/splitmix64"

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
/* A stream of its own for each purpose: seeded by seed and stream number. */
void rng_stream(struct rng *r, uint64_t seed, uint64_t stream);
uint64_t rng_next(struct rng *r);
/* 0..n-1 without bias (Lemire 2019); n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);
double rng_unit(struct rng *r);   /* [0, 1), 53 bits */
double rng_normal(struct rng *r); /* mean 0, sd 1 (polar method) */
double rng_exponential(struct rng *r); /* mean 1 */
void rng_shuffle(struct rng *r, uint32_t *a, size_t n);

#endif
