/* SPDX-License-Identifier: Apache-2.0 */
#include "run/series.h"
#include "base/clock.h"
#include "base/jsonx.h"

#include <string.h>

void series_init(struct series *s, int64_t width_ns)
{
	s->n = 0;
	s->width_ns = width_ns;
}

int64_t series_width(int64_t duration_ns)
{
	const int64_t w = (duration_ns + 999) / 1000;

	return w < NS_PER_MS ? NS_PER_MS : w;
}

void interval_merge(struct interval *into, const struct interval *from)
{
	into->bytes += from->bytes;
	into->ios += from->ios;
	into->errors += from->errors;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

/* An odd last interval stays alone: it is the shorter end of a run that is over. */
static void halve(struct series *s)
{
	for (uint32_t i = 0; i < s->n / 2; i++) {
		s->at[i] = s->at[2 * i];
		interval_merge(&s->at[i], &s->at[2 * i + 1]);
	}
	if (s->n % 2)
		s->at[s->n / 2] = s->at[s->n - 1];
	s->n = (s->n + 1) / 2;
	s->width_ns *= 2;
}

bool series_add(struct series *s, const struct interval *i)
{
	if (s->n == SERIES_MAX) {
		halve(s);
		return false;
	}
	s->at[s->n++] = *i;
	return true;
}

void series_merge(struct series *into, const struct series *from)
{
	struct series narrow;

	while (into->width_ns < from->width_ns)
		halve(into);
	if (from->width_ns < into->width_ns) {
		narrow = *from;
		while (narrow.width_ns < into->width_ns)
			halve(&narrow);
		from = &narrow;
	}
	for (uint32_t i = 0; i < from->n; i++) {
		if (i < into->n)
			interval_merge(&into->at[i], &from->at[i]);
		else
			into->at[into->n++] = from->at[i];
	}
}

void series_to_json(const struct series *s, json_t *o)
{
	static const char *const names[] = { "bytes", "ios", "errors", "min_ns", "max_ns" };
	json_t *a[5];

	jsonx_set_int(o, "width_ns", s->width_ns);
	for (int k = 0; k < 5; k++)
		a[k] = json_array();
	for (uint32_t i = 0; i < s->n; i++) {
		const struct interval *v = &s->at[i];
		const uint64_t cols[] = { v->bytes, v->ios, v->errors, v->ios ? v->min : UINT64_MAX,
					  v->ios ? v->max : UINT64_MAX }; /* -1: none */

		for (int k = 0; k < 5; k++)
			json_array_append_new(a[k], json_integer((json_int_t)cols[k]));
	}
	for (int k = 0; k < 5; k++)
		jsonx_set_new(o, names[k], a[k]);
}
