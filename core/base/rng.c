/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

void rng_stream(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed, y = stream;

	rng_seed(r, splitmix(&x) ^ splitmix(&y));
}

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t out = rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotl(r->s[3], 45);
	return out;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	__extension__ typedef unsigned __int128 u128;
	u128 m = (u128)rng_next(r) * n;

	if ((uint64_t)m < n) {
		uint64_t floor = -n % n;

		while ((uint64_t)m < floor)
			m = (u128)rng_next(r) * n;
	}
	return (uint64_t)(m >> 64);
}

double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
	double u, v, s;

	do {
		u = 2 * rng_unit(r) - 1;
		v = 2 * rng_unit(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s == 0);
	return u * sqrt(-2 * log(s) / s);
}

double rng_exponential(struct rng *r)
{
	return -log1p(-rng_unit(r));
}

void rng_shuffle(struct rng *r, uint32_t *a, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)rng_below(r, i);
		uint32_t t = a[i - 1];

		a[i - 1] = a[j];
		a[j] = t;
	}
}
