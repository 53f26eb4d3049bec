/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_SERIES_H
#define IOW_RUN_SERIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What happened in each interval of a run. All intervals have one width; when there are SERIES_MAX of
 * them, neighbours merge and the width doubles, so memory does not grow with the run. */
#define SERIES_MAX 1024u

struct interval {
	uint64_t bytes, ios, errors;
	uint64_t min, max; /* latency, ns; min UINT64_MAX while empty */
};

struct series {
	int64_t width_ns; /* first width times a power of two */
	uint32_t n;       /* closed intervals; those of a run follow each other without gaps */
	struct interval at[SERIES_MAX];
};

void series_init(struct series *s, int64_t width_ns);
/* First width for a run of this length (0: unknown): at most 1,000 intervals, at least 1 ms. */
int64_t series_width(int64_t duration_ns);
/* Appends one interval; or, when the series is full, merges neighbours, doubles the width and returns
 * false: then the interval is half over and stays open with the caller. */
bool series_add(struct series *s, const struct interval *i);
static inline void interval_clear(struct interval *i)
{
	*i = (struct interval){ .min = UINT64_MAX };
}
void interval_merge(struct interval *into, const struct interval *from);
/* Adds another lane's intervals, index by index; the wider width becomes that of both. Both begin at
 * the same instant, and their first widths were the same. */
void series_merge(struct series *into, const struct series *from);
/* Members "width_ns", "bytes", "ios", "errors", "min_ns", "max_ns" (arrays; an interval without I/O has
 * -1 in both latencies) are set in o. */
void series_to_json(const struct series *s, json_t *o);

#endif
