/* SPDX-License-Identifier: Apache-2.0 */
#include "run/fill.h"

#include <string.h>

typedef uint64_t wide __attribute__((vector_size(32)));

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t fill_key(uint64_t seed, uint64_t offset, uint64_t generation)
{
	return mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ mix(offset + generation * UINT64_C(0xd1342543de82ef95)));
}

void fill_random(void *buf, size_t len, uint64_t key)
{
	wide a, b;
	char *p = buf;

	for (int i = 0; i < 4; i++) {
		a[i] = mix(key += UINT64_C(0x9e3779b97f4a7c15)) | 1;
		b[i] = mix(key += UINT64_C(0x9e3779b97f4a7c15)) | 1;
	}
	for (; len >= 2 * sizeof(wide); len -= 2 * sizeof(wide), p += 2 * sizeof(wide)) {
		a ^= a << 13;
		b ^= b << 13;
		a ^= a >> 7;
		b ^= b >> 7;
		a ^= a << 17;
		b ^= b << 17;
		memcpy(p, &a, sizeof a);
		memcpy(p + sizeof a, &b, sizeof b);
	}
	a ^= b << 9;
	b ^= a >> 5;
	memcpy(p, &a, len < sizeof a ? len : sizeof a);
	if (len > sizeof a)
		memcpy(p + sizeof a, &b, len - sizeof a);
}

static size_t random_part(size_t chunk, double compressible)
{
	size_t n = (size_t)((double)chunk * (1 - compressible) + 7) / 8 * 8;

	return n < chunk ? n : chunk;
}

void fill_block(void *buf, size_t len, double compressible, uint64_t key)
{
	char *p = buf;

	fill_random(buf, len, key);
	if (compressible <= 0)
		return;
	for (size_t at = 0; at < len; at += FILL_CHUNK) {
		size_t chunk = len - at < FILL_CHUNK ? len - at : FILL_CHUNK;
		size_t keep = random_part(chunk, compressible);

		memset(p + at + keep, 0, chunk - keep);
	}
}

void fill_stamp(void *buf, size_t len, double compressible, uint64_t unique)
{
	const size_t keep = random_part(FILL_CHUNK, compressible);
	char *p = buf;

	for (size_t at = 0; at + 8 <= len; at += FILL_STAMP) {
		if (at % FILL_CHUNK >= keep)
			continue;
		unique += UINT64_C(0x9e3779b97f4a7c15);
		memcpy(p + at, &unique, sizeof unique);
	}
}

int fill_is_weak(const void *buf, size_t len)
{
	const char *p = buf;
	size_t good = 0, words = len / 8;
	uint64_t before = 0, w;

	for (size_t i = 0; i < words; i++, before = w) {
		memcpy(&w, p + i * 8, 8);
		good += w != 0 && w != before;
	}
	return good * 4 <= words;
}
