/* SPDX-License-Identifier: Apache-2.0 */
#include "run/verify.h"
#include "base/jsonx.h"
#include "run/fill.h"

#include <stdio.h>
#include <string.h>

static const char magic[8] = "iowitns1";

size_t verify_unit(const uint64_t *blocks, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (blocks[i] % 4096)
			return 512;
	return 4096;
}

/* Four independent multiplicative sums over 8-byte words, folded. Finds any change of one word. */
static uint64_t check_of(const unsigned char *p, size_t len)
{
	uint64_t sum[4] = { 1, 2, 3, 4 }, w;

	for (size_t i = 0; i + 8 <= len; i += 8) {
		memcpy(&w, p + i, 8);
		sum[i / 8 % 4] = (sum[i / 8 % 4] ^ w) * UINT64_C(0x9e3779b97f4a7c15);
	}
	return sum[0] ^ sum[1] << 17 ^ sum[1] >> 47 ^ sum[2] << 34 ^ sum[2] >> 30 ^ sum[3] << 51 ^ sum[3] >> 13;
}

static void build(unsigned char *unit, size_t len, uint64_t offset, uint64_t seed, uint64_t generation)
{
	struct verify_head h = { .offset = offset, .generation = generation, .seed = seed };

	memcpy(h.magic, magic, sizeof h.magic);
	fill_random(unit + sizeof h, len - sizeof h, fill_key(seed, offset, generation));
	h.check = check_of(unit + sizeof h, len - sizeof h);
	memcpy(unit, &h, sizeof h);
}

void verify_write(void *buf, size_t len, size_t unit, uint64_t offset, uint64_t seed, uint64_t generation)
{
	unsigned char *p = buf;

	for (size_t at = 0; at + unit <= len; at += unit)
		build(p + at, unit, offset + at, seed, generation);
}

void verify_init(struct verify *v, size_t unit, uint64_t seed)
{
	memset(v, 0, sizeof *v);
	v->unit = unit;
	v->seed = seed;
	v->generation = 1;
}

/* Bytes of `got` that differ from what (seed, generation) would have put there. */
static uint32_t differ(const unsigned char *got, size_t len, uint64_t offset, uint64_t seed, uint64_t generation,
		       unsigned char *want)
{
	uint32_t n = 0;

	build(want, len, offset, seed, generation);
	if (memcmp(got, want, len) == 0)
		return 0;
	for (size_t i = 0; i < len; i++)
		n += got[i] != want[i];
	return n;
}

/* Of the contents this unit could rightly have, the one it comes nearest to; its distance. */
static uint32_t nearest(struct verify *v, const unsigned char *got, uint64_t offset, unsigned char *want)
{
	struct verify_head h;
	unsigned char trial[VERIFY_UNIT_MAX];
	uint32_t best = UINT32_MAX;

	memcpy(&h, got, sizeof h);
	const struct {
		uint64_t seed, generation;
		bool known;
	} may[] = {
		{ v->seed, v->generation, true },
		{ v->seed, h.generation, true },
		{ v->learned_seed, v->generation, v->learned },
		{ v->learned_seed, h.generation, v->learned },
		{ h.seed, h.generation, !v->learned },
	};
	for (size_t i = 0; i < sizeof may / sizeof *may && best; i++) {
		uint32_t n = may[i].known ? differ(got, v->unit, offset, may[i].seed, may[i].generation, trial) : UINT32_MAX;

		if (n >= best)
			continue;
		best = n;
		memcpy(want, trial, v->unit);
		if (n == 0) {
			v->generation = may[i].generation;
			v->learned_seed = may[i].seed;
			v->learned = true;
		}
	}
	return best;
}

static void keep(struct verify *v, const unsigned char *got, const unsigned char *want, uint64_t offset, uint32_t n)
{
	struct verify_wrong *w;
	size_t i = 0;

	if (v->n_saved == VERIFY_SAVED)
		return;
	w = &v->saved[v->n_saved++];
	while (got[i] == want[i])
		i++;
	w->unit_offset = offset;
	w->offset = offset + i;
	w->got = got[i];
	w->want = want[i];
	w->bytes_wrong = n;
	memcpy(w->data, got, v->unit);
}

uint32_t verify_check(struct verify *v, const void *buf, size_t len, uint64_t offset)
{
	const unsigned char *p = buf;
	unsigned char want[VERIFY_UNIT_MAX];
	uint32_t wrong = 0;

	for (size_t at = 0; at + v->unit <= len; at += v->unit) {
		uint32_t n = nearest(v, p + at, offset + at, want);

		v->checked++;
		if (!n)
			continue;
		wrong++;
		keep(v, p + at, want, offset + at, n);
	}
	v->wrong += wrong;
	return wrong;
}

void verify_say(const struct verify *v, const struct verify_wrong *w, char *out, size_t size)
{
	snprintf(out, size, "wrong byte at offset %llu: read 0x%02x, expected 0x%02x (%u of this block's %zu bytes wrong)",
		 (unsigned long long)w->offset, w->got, w->want, w->bytes_wrong, v->unit);
}

json_t *verify_to_json(const struct verify *v)
{
	json_t *a = json_array();

	for (uint32_t i = 0; i < v->n_saved; i++) {
		const struct verify_wrong *w = &v->saved[i];
		json_t *o = json_object();
		char hex[2 * VERIFY_UNIT_MAX + 1];

		for (size_t k = 0; k < v->unit; k++)
			snprintf(hex + 2 * k, 3, "%02x", w->data[k]);
		jsonx_set_int(o, "offset", (int64_t)w->offset);
		jsonx_set_int(o, "got", w->got);
		jsonx_set_int(o, "want", w->want);
		jsonx_set_int(o, "bytes_wrong", w->bytes_wrong);
		jsonx_set_int(o, "unit_offset", (int64_t)w->unit_offset);
		jsonx_set_str(o, "data", hex);
		json_array_append_new(a, o);
	}
	return a;
}
