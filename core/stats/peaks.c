/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/peaks.h"

#include <math.h>
#include <string.h>

#define FROM_NS 256.0
#define PER_OCTAVE 8
#define BINS (PER_OCTAVE * 36)
#define VALLEY 0.25
#define SURE 5.0

double peaks_bucket_ns(uint32_t index)
{
	uint32_t s = index < 2048 ? 0 : (index >> 10) - 1;

	return (double)(((uint64_t)(index - (s << 10)) << s) + (((uint64_t)1 << s) >> 1));
}

static size_t bin_of(double ns)
{
	double b = ns < FROM_NS ? 0 : 1 + floor(log2(ns / FROM_NS) * PER_OCTAVE);

	return b < BINS - 1 ? (size_t)b : BINS - 1;
}

static void smooth(const double *raw, double *out)
{
	for (size_t i = 0; i < BINS; i++)
		out[i] = (i ? raw[i - 1] : 0) / 4 + raw[i] / 2 + (i + 1 < BINS ? raw[i + 1] : 0) / 4;
}

/* The lowest bin between two peaks; false: the peaks are not apart. */
static bool valley_between(const double *h, size_t a, size_t b, size_t *valley)
{
	double lower = fmin(h[a], h[b]);
	size_t v = a;

	for (size_t i = a; i <= b; i++)
		v = h[i] < h[v] ? i : v;
	*valley = v;
	return b >= a + PER_OCTAVE && h[v] <= VALLEY * lower && lower - h[v] >= SURE * sqrt(lower + h[v]);
}

static bool is_peak(const double *h, size_t i)
{
	return h[i] > 0 && (!i || h[i] >= h[i - 1]) && (i + 1 == BINS || h[i] > h[i + 1]);
}

static double median_of(const uint32_t *index, const uint64_t *count, size_t n, size_t valley, bool above, double mass)
{
	double seen = 0;

	for (size_t i = 0; i < n; i++) {
		double ns = peaks_bucket_ns(index[i]);

		if ((bin_of(ns) > valley) != above)
			continue;
		seen += (double)count[i];
		if (seen >= mass / 2)
			return ns;
	}
	return NAN;
}

void peaks_find(struct peaks *p, const uint32_t *index, const uint64_t *count, size_t n)
{
	double raw[BINS] = { 0 }, h[BINS], total = 0, below = 0, best = 0;
	size_t at = 0, v;

	*p = (struct peaks){ .fast = NAN, .slow = NAN, .slow_share = NAN, .valley = NAN };
	for (size_t i = 0; i < n; i++) {
		raw[bin_of(peaks_bucket_ns(index[i]))] += (double)count[i];
		total += (double)count[i];
	}
	smooth(raw, h);
	for (size_t a = 0; a < BINS; a++)
		for (size_t b = a + PER_OCTAVE; is_peak(h, a) && b < BINS; b++) {
			double left = 0, least;

			if (!is_peak(h, b) || !valley_between(h, a, b, &v))
				continue;
			for (size_t i = 0; i <= v; i++)
				left += raw[i];
			least = fmin(left, total - left);
			if (least < PEAKS_LEAST_IOS || least < PEAKS_LEAST_SHARE * total || least <= best)
				continue;
			best = least;
			at = v;
			below = left;
			p->valley = h[v] / fmin(h[a], h[b]);
		}
	if (!(best > 0))
		return;
	p->is_found = true;
	p->fast = median_of(index, count, n, at, false, below);
	p->slow = median_of(index, count, n, at, true, total - below);
	p->slow_share = 1 - below / total;
}
