/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/metric.h"

#include "stats/percentile.h"

#include <math.h>
#include <string.h>

#define GIB 1073741824.0

#define LATENCY(NAME, TITLE, CLS, Q) \
	{ NAME, TITLE, "ns", false, "lower", "higher", TITLE " was", CLS, Q }
#define LATENCIES(PRE, WORD, CLS) \
	LATENCY(PRE "mean", "mean " WORD, CLS, -1), \
	LATENCY(PRE "p50", "median " WORD, CLS, 0.5), \
	LATENCY(PRE "p90", "p90 " WORD, CLS, 0.9), \
	LATENCY(PRE "p95", "p95 " WORD, CLS, 0.95), \
	LATENCY(PRE "p99", "p99 " WORD, CLS, 0.99), \
	LATENCY(PRE "p99.9", "p99.9 " WORD, CLS, 0.999), \
	LATENCY(PRE "p99.99", "p99.99 " WORD, CLS, 0.9999)

const struct metric metrics[] = {
	{ "throughput", "throughput", "B/s", true, "faster", "slower", "ran", -1, 0 },
	{ "iops", "I/O rate", "1/s", true, "faster", "slower", "ran", -1, 0 },
	LATENCIES("", "latency", -1),
	LATENCIES("read.", "read latency", LAT_READ),
	LATENCIES("write.", "write latency", LAT_WRITE),
	LATENCIES("flush.", "flush latency", LAT_FLUSH),
	LATENCIES("commit.", "commit latency", LAT_COMMIT),
	LATENCIES("response.", "response time", LAT_RESPONSE),
	{ "cpu_per_gib", "processor time per GiB", "ns/GiB", false, "cheaper", "dearer",
	  "processor cost was", -1, 0 },
	{ "time", "time per GiB", "ns/GiB", false, "shorter", "longer", "time was", -1, 0 },
	{ "makespan", "makespan", "ns", false, "shorter", "longer", "makespan was", -1, 0 },
	{ NULL, NULL, NULL, false, NULL, NULL, NULL, 0, 0 }
};

const struct metric *metric_find(const char *name)
{
	const struct metric *m;

	for (m = metrics; name && m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

const struct latency *metric_main_latency(const struct kept_run *r)
{
	int c;

	for (c = LAT_READ; c < LAT_FLUSH; c++)
		if (run_latency(r, (enum latency_class)c)->count)
			return run_latency(r, (enum latency_class)c);
	return run_latency(r, LAT_FLUSH);
}

bool metric_has_tail(const struct metric *m, double n)
{
	double q = m->quantile;

	return !(q > 0) || n >= (double)percentile_least_ios((uint32_t)lround(q * 1e6));
}

static double latency_value(const struct metric *m, const struct kept_run *r, bool *too_few)
{
	const struct latency *l = m->cls < 0 ? metric_main_latency(r)
						   : run_latency(r, (enum latency_class)m->cls);
	double q = m->quantile;

	if (!l->count)
		return NAN;
	if (q < 0)
		return (double)l->mean;
	if (too_few && !metric_has_tail(m, (double)l->count))
		*too_few = true;
	if (q == 0.5)
		return (double)l->p50;
	if (q == 0.9)
		return (double)l->p90;
	if (q == 0.95)
		return (double)l->p95;
	if (q == 0.99)
		return (double)l->p99;
	return q == 0.999 ? (double)l->p999 : (double)l->p9999;
}

static double raw_value(const struct metric *m, const struct kept_run *r, bool *too_few)
{
	double wall = (double)r->wall_ns;

	if (m->quantile != 0)
		return latency_value(m, r, too_few);
	if (wall <= 0)
		return NAN;
	switch (m->name[0]) {
	case 't':
		if (m->name[1] == 'i')
			return r->bytes ? wall * GIB / (double)r->bytes : NAN;
		return (double)r->bytes * 1e9 / wall;
	case 'i':
		return (double)r->ios * 1e9 / wall;
	case 'c':
		if (r->user_ns < 0 || r->sys_ns < 0 || !r->bytes)
			return NAN;
		return ((double)r->user_ns + (double)r->sys_ns) * GIB / (double)r->bytes;
	default:
		return wall + (r->final_flush_ns > 0 ? (double)r->final_flush_ns : 0);
	}
}

double metric_value(const struct metric *m, const struct kept_run *r, bool *too_few)
{
	double v = r->status == RUN_OK ? raw_value(m, r, too_few) : NAN;

	return isfinite(v) && v > 0 ? v : NAN;
}
