/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/gates.h"

#include "base/jsonx.h"
#include "base/num.h"

#include <math.h>
#include <string.h>

#define SKEW_SHARE 0.01

void gate_device(struct gate_view *v)
{
	double least = NAN, most = NAN;
	char lo[40], hi[40];
	size_t i;

	if (v->cell->spec.op == WORKLOAD_TRIM || v->cell->spec.op == WORKLOAD_MIXED) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "it is judged on reads or on writes, not on both");
		return;
	}
	for (i = 0; i < v->res->n_runs; i++) {
		double share = gate_device_share(v, gate_run(v, i));

		least = fmin(least, share);
		most = fmax(most, share);
		if (share < GATE_FULL || share > GATE_AMPLIFIED)
			gate_blame(v->g, gate_run(v, i));
	}
	if (isnan(least)) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "no device with counters is behind it");
		return;
	}
	num_sig(least, 3, lo);
	num_sig(most, 3, hi);
	gate_number(v->g, least < GATE_FULL ? least : most, least < GATE_FULL ? GATE_FULL : GATE_AMPLIFIED, "1");
	gate_basis(v->g, "device bytes per byte asked, %s to %s over the runs", lo, hi);
	if (least < GATE_FULL)
		gate_say(v->g, GATE_FAILS, v->cell->spec.op == WORKLOAD_READ
			 ? "a cache served part of the reads" : "not all was on the device when the run ended");
	else if (most > GATE_AMPLIFIED)
		gate_say(v->g, GATE_FAILS, "the device moved more than was asked (%s)",
			 v->cell->spec.op == WORKLOAD_READ ? "read-ahead or metadata" : "journal or metadata");
	else
		v->g->state = GATE_HOLDS;
}

/* A fact of the target from host.json, in words; NULL: none, or it could not be read. */
static const char *target_fact(const struct gate_view *v, const char *name)
{
	return bundle_fact(bundle_target_facts(v->j->b, v->target->name), name);
}

void gate_durability(struct gate_view *v)
{
	static const char *const ways[] = { "none", "O_DSYNC", "O_SYNC", "a flush after every few writes" };
	const char *cache = target_fact(v, "write_cache"), *fua = target_fact(v, "fua");
	uint32_t d = v->cell->spec.durability;
	char p50[40] = "";

	if (v->cell->spec.op != WORKLOAD_WRITE && v->cell->spec.op != WORKLOAD_MIXED) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "it writes nothing");
		return;
	}
	if (gate_is_simulated(v)) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "its driver moves no data");
		return;
	}
	if (run_latency(gate_run(v, 0), LAT_FLUSH)->count)
		num_time(run_latency(gate_run(v, 0), LAT_FLUSH)->p50, p50);
	gate_basis(v->g, "durability %s; write cache %s, FUA %s%s%s", ways[d < 4 ? d : 0],
		   cache ? cache : "not known", fua ? fua : "not known", *p50 ? "; median flush " : "", p50);
	if (d == DURABILITY_NONE && v->cell->spec.final_flush)
		gate_say(v->g, GATE_FAILS, "acknowledged, not durable until the flush at the end of the run");
	else if (d == DURABILITY_NONE)
		gate_say(v->g, GATE_FAILS, "acknowledged, not durable");
	else
		v->g->state = GATE_HOLDS;
}

void gate_steady(struct gate_view *v)
{
	char lo[40], hi[40];

	if (!v->res->n_steady) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "its runs have too few intervals");
		return;
	}
	num_fixed(v->res->steady_lo90 * 100, 1, lo);
	num_fixed(v->res->steady_hi90 * 100, 1, hi);
	gate_number(v->g, v->res->steady, 0.05, "share");
	gate_basis(v->g, "slope over a run per mean, %u runs, 90%% interval %s%% to %s%%", v->res->n_steady, lo, hi);
	if (v->res->steadiness == VERDICT_NOT_STEADY)
		gate_say(v->g, GATE_FAILS, "the rate changed in the course of the runs");
	else if (v->res->steadiness == VERDICT_STEADY)
		v->g->state = GATE_HOLDS;
	else
		gate_say(v->g, GATE_NOT_VERIFIABLE, "undecided: the interval is too wide");
}

void gate_bimodal(struct gate_view *v)
{
	if (isnan(v->res->gap)) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "fewer than 5 runs, or all alike");
		return;
	}
	gate_number(v->g, v->res->gap, v->res->gap_threshold, "share");
	gate_basis(v->g, "largest inner gap per range of ln throughput, %zu runs", v->res->n_runs);
	if (v->res->bimodal)
		gate_say(v->g, GATE_FAILS, "the runs fall into two groups, %u and %u", v->res->n_lo,
			 v->res->n_hi);
	else
		v->g->state = GATE_HOLDS;
}

void gate_skew(struct gate_view *v)
{
	double worst = NAN;
	size_t i;

	if (v->cell->company != COMPANY_TOGETHER) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "it ran alone");
		return;
	}
	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double share;

		if (r->skew_ns < 0 || r->shortest_ns <= 0)
			continue;
		share = (double)r->skew_ns / (double)r->shortest_ns;
		worst = fmax(worst, share);
		if (share > SKEW_SHARE)
			gate_blame(v->g, r);
	}
	if (isnan(worst)) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "the runs do not say when they started");
		return;
	}
	gate_number(v->g, worst, SKEW_SHARE, "share");
	gate_basis(v->g, "spread of the starts per shortest run");
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, "the runs did not start together");
	else
		v->g->state = GATE_HOLDS;
}

/* Bytes a second that the way to the target can carry, 0: not known. */
static double speed_limit(const struct gate_view *v, const char **what)
{
	const json_t *nodes = json_object_get(v->j->b->host, "nodes");
	const char *node = v->j->b->cells.n_nodes > v->target->node
		? v->j->b->cells.nodes[v->target->node].name : "local";
	double link = jsonx_real(bundle_target_facts(v->j->b, v->target->name), "link_bytes_per_s", 0);
	double memory = jsonx_real(json_object_get(nodes, node), "memory_bytes_per_s", 0);

	*what = link > 0 ? "the link to the device" : "the machine's memory";
	return link > 0 ? link : memory;
}

void gate_implausible(struct gate_view *v)
{
	const char *what;
	double limit = speed_limit(v, &what), most = v->res->throughput.max;

	if (gate_is_simulated(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "its driver moves no data");
	else if (gate_is_cached_read(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "the host's cache may serve its reads");
	else if (!(limit > 0))
		gate_say(v->g, GATE_NOT_APPLICABLE, "the speed of link and memory is not known");
	else if (!isfinite(most))
		gate_say(v->g, GATE_NOT_APPLICABLE, "it moved no bytes");
	if (v->g->reason)
		return;
	gate_number(v->g, most, limit, "B/s");
	gate_basis(v->g, "fastest run against %s", what);
	if (most > limit)
		gate_say(v->g, GATE_FAILS, "faster than %s", what);
	else
		v->g->state = GATE_HOLDS;
}
