/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_TICK_H
#define IOW_RUN_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <iowitness/driver.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* The clock of the hot path: the time stamp counter where the kernel itself trusts it (its clock
 * source is tsc, and the processor says constant_tsc and nonstop_tsc), else clock_gettime, whose ticks are
 * nanoseconds. */
struct tick {
	bool tsc;
	uint64_t mult;  /* ns = ticks * mult / 2^32 */
	uint64_t tick0; /* the same instant … */
	int64_t mono0;  /* … on CLOCK_MONOTONIC */
};

/* Chooses the source and takes the first reading. */
void tick_init(struct tick *k);
/* Takes the second reading at least 20 ms after the first (waits for it) and sets the rate. */
void tick_calibrate(struct tick *k);
/* After a run: how far the clock has moved from CLOCK_MONOTONIC since, ns, without sign. Up to 1 in 1,000
 * (that clock is slewed by at most 500 ppm, and 20 ms give the rate to some ppm) it is a matter of rate: then
 * the rate is set anew, so that instants of this run convert exactly, and the answer is 0. */
int64_t tick_refine(struct tick *k);
/* 1 tsc, 2 clock_gettime: struct run's clock_source. */
uint32_t tick_source(const struct tick *k);

static inline uint64_t tick_now(bool tsc)
{
	struct timespec ts;

#if defined(__x86_64__)
	if (__builtin_expect(tsc, 1))
		return __rdtsc();
#endif
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline uint64_t tick_ns(uint64_t mult, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 u128;

	return (uint64_t)((u128)ticks * mult >> 32);
}

/* Ticks of a length of time (cold). */
uint64_t tick_of_ns(const struct tick *k, int64_t ns);
/* The tick at an instant of CLOCK_MONOTONIC, and back (cold). */
uint64_t tick_at(const struct tick *k, int64_t mono_ns);
int64_t tick_mono(const struct tick *k, uint64_t tick);

#endif
