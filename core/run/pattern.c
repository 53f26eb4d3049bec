/* SPDX-License-Identifier: Apache-2.0 */
#include "run/pattern.h"
#include "base/err.h"

#include <math.h>
#include <string.h>

void perm_rekey(struct perm *p, struct rng *keys)
{
	for (int i = 0; i < 3; i++)
		p->mul[i] = (rng_next(keys) | 1) & p->mask;
	/* Multiplying by 1 in a small domain would leave neighbours together: prefer 4k + 1 and 4k + 3 mixed. */
	p->mul[1] = (p->mul[1] ^ 2) & p->mask;
	p->add[0] = rng_next(keys) & p->mask;
	p->add[1] = rng_next(keys) & p->mask;
	for (int i = 0; i < 3; i++)
		p->mul[i] |= 1;
	p->at = 0;
}

static void perm_init(struct perm *p, uint64_t n, struct rng *keys)
{
	uint32_t bits = n > 1 ? 64 - (uint32_t)__builtin_clzll(n - 1) : 1;

	memset(p, 0, sizeof *p);
	p->n = n;
	p->mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	p->shift = (bits + 1) / 2;
	perm_rekey(p, keys);
}

/* Zipf by rejection-inversion (Hörmann and Derflinger 1996): any exponent, any n, no table. H is an
 * antiderivative of x^-theta. */
static double zipf_h(const struct pattern *p, double x)
{
	const double s = 1 - p->theta;

	return fabs(s) < 1e-9 ? log(x) : (pow(x, s) - 1) / s;
}

static double zipf_h_inverse(const struct pattern *p, double y)
{
	const double s = 1 - p->theta;

	return fabs(s) < 1e-9 ? exp(y) : pow(1 + y * s, 1 / s);
}

static void zipf_init(struct pattern *p)
{
	p->zipf_hx0 = zipf_h(p, 1.5) - 1;
	p->zipf_hn = zipf_h(p, (double)p->n + 0.5);
	p->zipf_s = 2 - zipf_h_inverse(p, zipf_h(p, 2.5) - pow(2, -p->theta));
}

/* Rank from 1. */
static uint64_t zipf_draw(struct pattern *p)
{
	for (;;) {
		const double u = p->zipf_hn + rng_unit(&p->rng) * (p->zipf_hx0 - p->zipf_hn);
		const double x = zipf_h_inverse(p, u);
		double k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		if (k > (double)p->n)
			k = (double)p->n;
		if (k - x <= p->zipf_s || u >= zipf_h(p, k + 0.5) - pow(k, -p->theta))
			return (uint64_t)k;
	}
}

static uint64_t zipf_next(struct pattern *p)
{
	/* Popular blocks are spread over the region, the same ones in the whole run. */
	uint64_t x = zipf_draw(p) - 1;

	do
		x = perm_map(&p->perm, x);
	while (x >= p->n);
	return x;
}

static uint64_t hotcold_next(struct pattern *p)
{
	if (rng_unit(&p->rng) < p->hot_share || p->hot_n == p->n)
		return rng_below(&p->rng, p->hot_n);
	return p->hot_n + rng_below(&p->rng, p->n - p->hot_n);
}

/* Through the slice in strides, then again one unit further, until each unit was first once. */
static uint64_t strided_next(struct pattern *p, uint32_t len)
{
	uint64_t at = p->at;

	if (at + len > p->len) {
		p->phase += p->unit;
		if (p->phase + p->unit > p->stride || p->phase + len > p->len)
			p->phase = 0;
		at = p->phase;
	}
	p->at = at + p->stride;
	return p->base + at;
}

/* With several sizes a unit near the end may be too short for this one. */
static uint64_t replaced_next(struct pattern *p, uint32_t len)
{
	return p->base + rng_below(&p->rng, (p->len - len) / p->unit + 1) * p->unit;
}

uint64_t pattern_next(struct pattern *p, uint32_t len)
{
	uint64_t i;

	switch (p->kind) {
	case PK_SEQUENTIAL:
		return pattern_sequential(p, len);
	case PK_PERMUTED:
		return pattern_permuted(p);
	case PK_REPLACED:
		return replaced_next(p, len);
	case PK_STRIDED:
		return strided_next(p, len);
	case PK_ZIPF:
		i = zipf_next(p);
		break;
	default:
		i = hotcold_next(p);
		break;
	}
	if (i * p->unit + len > p->len)
		i = (p->len - len) / p->unit;
	return p->base + i * p->unit;
}

uint64_t pattern_pass(const struct pattern *p)
{
	return p->n * p->unit;
}

static enum pattern_kind kind_of(const struct workload *w)
{
	switch (w->pattern) {
	case PATTERN_SEQUENTIAL:
		return PK_SEQUENTIAL;
	case PATTERN_RANDOM:
		return w->replacement ? PK_REPLACED : PK_PERMUTED;
	case PATTERN_STRIDED:
		return PK_STRIDED;
	case PATTERN_ZIPF:
		return PK_ZIPF;
	default:
		return PK_HOTCOLD;
	}
}

static int slice(struct pattern *p, const struct workload *w, uint32_t job, uint64_t offset, uint64_t length,
		 struct iow_error *e)
{
	uint64_t largest = w->block[0], each;

	p->unit = w->block[0];
	for (uint32_t i = 1; i < w->n_blocks; i++) {
		if (w->block[i] < p->unit)
			p->unit = w->block[i];
		if (w->block[i] > largest)
			largest = w->block[i];
	}
	each = w->shared ? length : length / (uint64_t)w->jobs;
	p->len = each / p->unit * p->unit;
	p->base = offset + (w->shared ? 0 : job * p->len);
	p->n = p->len / p->unit;
	if (p->len < largest)
		return err_set(e, 0, "a region of %llu bytes for %lld jobs has no room for a block of %llu",
			       (unsigned long long)length, (long long)w->jobs, (unsigned long long)largest);
	if (w->shared && p->kind == PK_SEQUENTIAL)
		p->at = p->n * job / (uint64_t)w->jobs * p->unit;
	return 0;
}

int pattern_init(struct pattern *p, const struct workload *w, uint32_t job, uint64_t offset, uint64_t length,
		 uint64_t seed, struct iow_error *e)
{
	memset(p, 0, sizeof *p);
	p->kind = kind_of(w);
	if (slice(p, w, job, offset, length, e) != 0)
		return -1;
	rng_stream(&p->rng, seed, 2 * (uint64_t)job);
	rng_stream(&p->keys, seed, 2 * (uint64_t)job + 1);
	perm_init(&p->perm, p->n, &p->keys);
	p->stride = w->stride;
	p->theta = w->theta;
	p->hot_share = w->hot_share;
	p->hot_n = (uint64_t)((double)p->n * w->hot_region);
	if (p->hot_n < 1)
		p->hot_n = 1;
	if (p->kind == PK_ZIPF)
		zipf_init(p);
	return 0;
}
