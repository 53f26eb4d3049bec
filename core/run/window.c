/* SPDX-License-Identifier: Apache-2.0 */
#include "base/jsonx.h"
#include "run/run.h"

/* Intervals of one run that lie wholly in [from, to). */
static void cut(struct run *r, const json_t *iv, int64_t start, int64_t from, int64_t to)
{
	const json_t *bytes = json_object_get(iv, "bytes"), *ios = json_object_get(iv, "ios");
	int64_t width = jsonx_int(iv, "width_ns", 0), first = start + jsonx_int(iv, "start_ns", 0);
	size_t n = json_array_size(bytes);

	r->bytes = r->ios = 0;
	r->wall_ns = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t a = first + (int64_t)i * width;

		if (a < from || a + width > to)
			continue;
		r->bytes += (uint64_t)json_integer_value(json_array_get(bytes, i));
		r->ios += (uint64_t)json_integer_value(json_array_get(ios, i));
		r->wall_ns += width;
	}
}

#define AGES (INT64_C(1) << 56) /* ns: two years; what an agent says beyond is no time */

static bool sane(int64_t ns)
{
	return ns > -AGES && ns < AGES;
}

static const json_t *intervals(const json_t *samples, int64_t *width)
{
	const json_t *iv = json_object_get(samples, "intervals");

	*width = jsonx_int(iv, "width_ns", 0);
	return *width > 0 && *width < AGES / 4096 && sane(jsonx_int(iv, "start_ns", 0)) ? iv : NULL;
}

void window_apply(struct run *const *runs, const json_t *const *samples, const int64_t *start_ns, size_t n)
{
	int64_t from = INT64_MIN, to = INT64_MAX, shortest = INT64_MAX, width;
	bool known = true;

	for (size_t i = 0; i < n; i++) {
		const json_t *iv = intervals(samples[i], &width);
		int64_t late = sane(start_ns[i]) ? start_ns[i] : AGES;
		int64_t a = late + jsonx_int(iv, "start_ns", 0), b = a + (sane(runs[i]->wall_ns) ? runs[i]->wall_ns : 0);

		from = a > from ? a : from;
		to = b < to ? b : to;
		shortest = runs[i]->wall_ns < shortest ? runs[i]->wall_ns : shortest;
		known = known && iv && sane(start_ns[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *iv = intervals(samples[i], &width);

		runs[i]->window_ns = to > from ? to - from : 0;
		runs[i]->shortest_ns = shortest;
		if (known)
			cut(runs[i], iv, start_ns[i], from, to);
	}
}
