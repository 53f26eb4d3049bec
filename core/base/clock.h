/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_CLOCK_H
#define IOW_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

int64_t clock_mono_ns(void); /* CLOCK_MONOTONIC */
int64_t clock_utc_ns(void);  /* CLOCK_REALTIME, ns since 1970-01-01T00:00:00Z */
/* CLOCK_REALTIME less CLOCK_MONOTONIC; `error_ns`: by how much it may be wrong at most, for a thread that is
 * put aside between two readings reads clocks of different instants. */
int64_t clock_offset_ns(int64_t *error_ns);
void clock_sleep_until(int64_t mono_ns);

/* "2026-11-30T20:10:05Z" and "20261130T201005Z"; `out` has 32 bytes. UTC, no locale. */
void clock_format(int64_t utc_ns, char out[32]);
void clock_format_compact(int64_t utc_ns, char out[32]);

#endif
