/* SPDX-License-Identifier: Apache-2.0 */
#include "run/progress.h"

#include "base/clock.h"
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void progress_time(int64_t ns, char out[40])
{
	long long s = (ns + NS_PER_S / 2) / NS_PER_S;

	if (s < 60)
		snprintf(out, 40, "%lld s", s);
	else if (s < 3600)
		snprintf(out, 40, "%lld min %lld s", s / 60, s % 60);
	else
		snprintf(out, 40, "%lld h %lld min", s / 3600, s % 3600 / 60);
}

/* Bytes a second in the unit that leaves one to four digits before the point. */
static void rate_text(double r, char out[40])
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	char number[40];
	int u = 0;

	while (r >= 1000 && u < 4) {
		r /= 1024;
		u++;
	}
	num_fixed(r, r < 10 && u ? 1 : 0, number);
	snprintf(out, 40, "%.24s %s/s", number, units[u]);
}

/* Cuts at a whole character: continuation bytes take no column. */
static void cut(char *s, int width)
{
	for (int cols = 0; *s; s++) {
		if (((unsigned char)*s & 0xc0) == 0x80)
			continue;
		if (cols++ == width) {
			*s = 0;
			return;
		}
	}
}

void progress_text(const struct campaign_progress *p, int width, char *out, size_t size)
{
	char rate[48] = "", left[48] = "", t[40];

	if (isfinite(p->bytes_per_s)) {
		rate_text(p->bytes_per_s, t);
		snprintf(rate, sizeof rate, ", %s", t);
	}
	if (p->left_ns >= 0) {
		progress_time(p->left_ns, t);
		snprintf(left, sizeof left, ", %s left", t);
	}
	if (p->total)
		snprintf(out, size, "%3u%%  %u of %u runs%s%s: %s", p->done * 100 / p->total, p->done, p->total, rate,
			 left, p->now);
	else
		snprintf(out, size, "preparing %s", p->now);
	cut(out, width);
}

bool progress_due(struct progress_pace *pace, const struct campaign_progress *p)
{
	uint32_t step = p->total >= 10 ? p->total / 10 : 1;
	bool due;

	if (!p->total || !p->run_ended)
		return false;
	due = !pace->told || p->done >= pace->told_done + step || p->done == p->total ||
	      p->elapsed_ns - pace->told_at >= 60 * NS_PER_S;
	if (due) {
		pace->told = true;
		pace->told_done = p->done;
		pace->told_at = p->elapsed_ns;
	}
	return due;
}
