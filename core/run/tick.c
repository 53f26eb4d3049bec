/* SPDX-License-Identifier: Apache-2.0 */
#include "run/tick.h"
#include "base/clock.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

static bool cpu_says(const char *flag)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	bool found = false;
	char *line = NULL;
	size_t cap = 0;

	while (f && getline(&line, &cap, f) > 0) {
		if (strncmp(line, "flags", 5) == 0) {
			const char *at = strstr(line, flag);

			found = at && strchr(" \n", at[strlen(flag)]);
			break;
		}
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

static bool tsc_sound(void)
{
#if defined(__x86_64__)
	char source[32];

	return file_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
			 sizeof source) == 0 &&
	       strcmp(source, "tsc") == 0 && cpu_says(" constant_tsc") && cpu_says(" nonstop_tsc");
#else
	return false;
#endif
}

/* One instant on both clocks: of several tries the one whose two ticks lie closest. */
static void both(const struct tick *k, uint64_t *tick, int64_t *mono)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t a = tick_now(k->tsc);
		int64_t m = clock_mono_ns();
		uint64_t b = tick_now(k->tsc);

		if (b - a < best) {
			best = b - a;
			*tick = a + (b - a) / 2;
			*mono = m;
		}
	}
}

void tick_init(struct tick *k)
{
	k->tsc = tsc_sound();
	k->mult = UINT64_C(1) << 32;
	both(k, &k->tick0, &k->mono0);
}

void tick_calibrate(struct tick *k)
{
	uint64_t tick = 0;
	int64_t mono = 0;

	clock_sleep_until(k->mono0 + 20 * NS_PER_MS);
	both(k, &tick, &mono);
	if (k->tsc)
		k->mult = (uint64_t)(((u128)(uint64_t)(mono - k->mono0) << 32) / (tick - k->tick0));
	k->tick0 = tick;
	k->mono0 = mono;
}

int64_t tick_refine(struct tick *k)
{
	uint64_t tick = 0;
	int64_t mono = 0, error;

	both(k, &tick, &mono);
	error = llabs(tick_mono(k, tick) - mono);
	if (!k->tsc || tick <= k->tick0 || mono <= k->mono0 || error > (mono - k->mono0) / 1000)
		return error;
	k->mult = (uint64_t)(((u128)(uint64_t)(mono - k->mono0) << 32) / (tick - k->tick0));
	return 0;
}

uint32_t tick_source(const struct tick *k)
{
	return k->tsc ? 1 : 2;
}

uint64_t tick_of_ns(const struct tick *k, int64_t ns)
{
	return (uint64_t)(((u128)(uint64_t)ns << 32) / k->mult);
}

uint64_t tick_at(const struct tick *k, int64_t mono_ns)
{
	if (mono_ns < k->mono0)
		return k->tick0 - tick_of_ns(k, k->mono0 - mono_ns);
	return k->tick0 + tick_of_ns(k, mono_ns - k->mono0);
}

int64_t tick_mono(const struct tick *k, uint64_t tick)
{
	if (tick < k->tick0)
		return k->mono0 - (int64_t)tick_ns(k->mult, k->tick0 - tick);
	return k->mono0 + (int64_t)tick_ns(k->mult, tick - k->tick0);
}
