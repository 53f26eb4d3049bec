/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "bundle/bundle.h"

#include <stdio.h>
#include <string.h>

#define CHUNK 4096 /* latencies that are allocated at once: what points to them never moves */

_Static_assert(offsetof(struct run, why) == offsetof(struct kept_run, why), "both begin alike");

const struct latency *run_latency(const struct kept_run *r, enum latency_class c)
{
	static const struct latency none;
	uint32_t below = r->classes & ((1u << c) - 1);

	return r->classes & 1u << c ? &r->lat[__builtin_popcount(below)] : &none;
}

void run_whole(struct run *out, const struct kept_run *r)
{
	memset(out, 0, sizeof *out);
	memcpy(out, r, offsetof(struct run, why));
	snprintf(out->why, sizeof out->why, "%s", r->why);
	for (int c = 0; c < LAT_CLASSES; c++)
		out->lat[c] = *run_latency(r, (enum latency_class)c);
}

static struct latency *room(struct kept_texts *k, size_t n)
{
	struct latency *l;

	if (!k->n_chunks || k->used + n > CHUNK) {
		*VEC_ADD(k->chunks, k->n_chunks) = mem_array(CHUNK, sizeof *l);
		k->used = 0;
	}
	l = k->chunks[k->n_chunks - 1] + k->used;
	k->used += n;
	return l;
}

struct kept_run *bundle_keep(struct bundle *b, const struct run *r)
{
	struct kept_run *kept = VEC_ADD(b->runs, b->n_runs);
	struct latency *l = room(&b->kept, LAT_CLASSES);
	size_t n = 0;

	memcpy(kept, r, offsetof(struct run, why));
	kept->why = "";
	if (r->why[0])
		kept->why = *VEC_ADD(b->kept.whys, b->kept.n_whys) = mem_strdup(r->why);
	kept->lat = l;
	kept->classes = 0;
	for (int c = 0; c < LAT_CLASSES; c++) {
		if (!r->lat[c].count)
			continue;
		kept->classes |= 1u << c;
		l[n++] = r->lat[c];
	}
	b->kept.used -= LAT_CLASSES - n;
	return kept;
}

void kept_release(struct kept_texts *k)
{
	for (size_t i = 0; i < k->n_chunks; i++)
		free(k->chunks[i]);
	for (size_t i = 0; i < k->n_whys; i++)
		free(k->whys[i]);
	free(k->chunks);
	free(k->whys);
	memset(k, 0, sizeof *k);
}
