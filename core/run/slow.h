/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_SLOW_H
#define IOW_RUN_SLOW_H

#include <jansson.h>
#include <stdint.h>

/* The slowest I/Os of a run, slowest first. */
#define SLOW_MAX 16u

struct slow_io {
	uint64_t ns, offset;
	int64_t at_ns; /* of its issue, from the start of the run */
	uint32_t len, op;
};

struct slow {
	uint64_t floor; /* an I/O must be slower than this to be kept */
	uint32_t n;
	struct slow_io io[SLOW_MAX];
};

void slow_add(struct slow *s, const struct slow_io *io);
void slow_merge(struct slow *into, const struct slow *from);
/* [[time in the run, offset, latency], ...] as iowitness-bundle(5) has it; new. */
json_t *slow_to_json(const struct slow *s);

#endif
