/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_mono_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_utc_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t clock_offset_ns(int64_t *error_ns)
{
	int64_t offset = 0;

	*error_ns = INT64_MAX;
	for (int i = 0; i < 8 && *error_ns > 500; i++) { /* the narrowest of a few readings */
		int64_t before = clock_mono_ns(), utc = clock_utc_ns(), after = clock_mono_ns();

		if (after - before >= *error_ns)
			continue;
		*error_ns = after - before;
		offset = utc - before;
	}
	return offset;
}

void clock_sleep_until(int64_t mono_ns)
{
	struct timespec t = { .tv_sec = mono_ns / NS_PER_S, .tv_nsec = mono_ns % NS_PER_S };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static struct tm to_tm(int64_t utc_ns)
{
	time_t s = (time_t)(utc_ns / NS_PER_S);
	struct tm tm;

	gmtime_r(&s, &tm);
	return tm;
}

static void print_tm(int64_t utc_ns, const char *fmt, char out[32])
{
	struct tm tm = to_tm(utc_ns);

	snprintf(out, 32, fmt, (tm.tm_year + 1900) % 10000, (tm.tm_mon + 1) % 100, tm.tm_mday % 100,
		 tm.tm_hour % 100, tm.tm_min % 100, tm.tm_sec % 100);
}

void clock_format(int64_t utc_ns, char out[32])
{
	print_tm(utc_ns, "%04d-%02d-%02dT%02d:%02d:%02dZ", out);
}

void clock_format_compact(int64_t utc_ns, char out[32])
{
	print_tm(utc_ns, "%04d%02d%02dT%02d%02d%02dZ", out);
}
