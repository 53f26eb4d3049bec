/* SPDX-License-Identifier: Apache-2.0 */
#include "run/lathist.h"
#include "base/jsonx.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

struct lathist *lathist_new(void)
{
	struct lathist *h = mem_alloc(sizeof *h);

	h->min = UINT64_MAX;
	return h;
}

void lathist_clear(struct lathist *h)
{
	memset(h, 0, sizeof *h);
	h->min = UINT64_MAX;
}

void lathist_merge(struct lathist *into, const struct lathist *from)
{
	for (uint32_t i = 0; i < LATHIST_SIZE; i++)
		into->n[i] += from->n[i];
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t lathist_count(const struct lathist *h)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < LATHIST_SIZE; i++)
		n += h->n[i];
	return n;
}

/* ceil(q n) without the rounding up that 0.99 * 100 = 99.00000000000001 would bring. */
static uint64_t rank_of(double q, uint64_t n)
{
	const double exact = q * (double)n;
	const double near = nearbyint(exact);
	uint64_t rank = (uint64_t)(fabs(exact - near) < 1e-9 * exact ? near : ceil(exact));

	if (rank < 1)
		rank = 1;
	return rank < n ? rank : n;
}

uint64_t lathist_quantile(const struct lathist *h, double q)
{
	const uint64_t n = lathist_count(h);
	uint64_t rank, seen = 0, v = 0;

	if (!n)
		return 0;
	rank = rank_of(q, n);
	for (uint32_t i = 0; i < LATHIST_SIZE; i++) {
		seen += h->n[i];
		if (seen >= rank) {
			v = lathist_low(i) + (lathist_width(i) - 1) / 2;
			break;
		}
	}
	if (v < h->min)
		return h->min;
	return v > h->max ? h->max : v;
}

void lathist_add_corrected(struct lathist *h, uint64_t v, uint64_t expected)
{
	lathist_add(h, v);
	while (expected && v >= 2 * expected) {
		v -= expected;
		lathist_add(h, v);
	}
}

void lathist_summary(const struct lathist *h, struct latency *out)
{
	memset(out, 0, sizeof *out);
	out->count = lathist_count(h);
	if (!out->count)
		return;
	out->min = (int64_t)h->min;
	out->max = (int64_t)h->max;
	out->mean = (int64_t)((h->sum + out->count / 2) / out->count);
	out->p50 = (int64_t)lathist_quantile(h, .5);
	out->p90 = (int64_t)lathist_quantile(h, .9);
	out->p95 = (int64_t)lathist_quantile(h, .95);
	out->p99 = (int64_t)lathist_quantile(h, .99);
	out->p999 = (int64_t)lathist_quantile(h, .999);
	out->p9999 = (int64_t)lathist_quantile(h, .9999);
}

json_t *lathist_to_json(const struct lathist *h)
{
	json_t *o = json_object(), *index = json_array(), *count = json_array();

	for (uint32_t i = 0; i < LATHIST_SIZE; i++) {
		if (!h->n[i])
			continue;
		json_array_append_new(index, json_integer(i));
		json_array_append_new(count, json_integer((json_int_t)h->n[i]));
	}
	jsonx_set_new(o, "index", index);
	jsonx_set_new(o, "count", count);
	return o;
}
