/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/gates.h"

#include "base/num.h"

#include <inttypes.h>
#include <math.h>

#define CEILING_PERMILLE 500.0
#define CLOCK_STEP_NS 1000000 /* both clocks are slewed alike; a step is larger */
#define WINDOW_SHARE 0.80
#define OFFSET_SHARE 0.005

static const char *cold_word(uint32_t method)
{
	return method == COLD_CACHESTAT ? "cachestat" : method == COLD_MINCORE ? "mincore"
		: method == COLD_DRIVER ? "the driver's own account" : "device bytes";
}

/* What the readings of all runs say about residency. */
struct cold_sum {
	uint32_t method;
	int64_t resident, checked;
	double worst, least; /* share resident; device bytes / asked */
	size_t by_cache, by_device, blind;
};

static void cold_run(struct gate_view *v, const struct kept_run *r, struct cold_sum *s)
{
	double share = gate_device_share(v, r);
	bool fails = false;

	if (r->cold_method != COLD_NONE && r->checked_pages > 0 && r->resident_pages >= 0) {
		double in = (double)r->resident_pages / (double)r->checked_pages;

		if (!s->by_cache++ || in > s->worst) {
			s->worst = in;
			s->resident = r->resident_pages;
			s->checked = r->checked_pages;
			s->method = r->cold_method;
		}
		fails = in > GATE_SHARE;
	} else if (isnan(share) && r->direct != 1) {
		s->blind++; /* direct I/O does not pass the host's cache */
		fails = true;
	}
	if (!isnan(share)) {
		s->least = s->by_device++ ? fmin(s->least, share) : share;
		fails |= share < GATE_FULL;
	}
	if (fails)
		gate_blame(v->g, r);
}

static void cold_result(struct gate_view *v, const struct cold_sum *s)
{
	struct gate *g = v->g;
	char part[40];

	if (s->by_device)
		num_sig(s->least, 3, part);
	if (s->by_cache) {
		gate_number(g, s->worst, GATE_SHARE, "share");
		gate_basis(g, "%s, %" PRId64 " of %" PRId64 " pages resident after the drop%s%s",
			   cold_word(s->method), s->resident, s->checked,
			   s->by_device ? "; least device bytes per byte asked " : "", s->by_device ? part : "");
	} else {
		gate_number(g, s->least, GATE_FULL, "1");
		gate_basis(g, "device bytes, at least %s of those asked", part);
	}
	if (s->by_cache && s->worst > GATE_SHARE)
		gate_say(g, GATE_FAILS, "part of the range stayed in the host's cache");
	else if (s->by_device && s->least < GATE_FULL)
		gate_say(g, GATE_FAILS, "the device moved fewer bytes than were read: a cache served them");
	else if (s->blind)
		gate_say(g, GATE_FAILS, "%zu of its runs have no reading, so nothing shows that they were cold", s->blind);
	else
		g->state = GATE_HOLDS;
}

void gate_cold(struct gate_view *v)
{
	struct cold_sum s = { .method = COLD_NONE };
	size_t i, direct = 0;

	if (v->test->cache != CACHE_COLD)
		gate_say(v->g, GATE_NOT_APPLICABLE, "the test does not ask for a cold cache");
	else if (v->cell->spec.op != WORKLOAD_READ && v->cell->spec.op != WORKLOAD_MIXED)
		gate_say(v->g, GATE_NOT_APPLICABLE, "it reads nothing");
	else if (v->cell->pass > 1)
		gate_say(v->g, GATE_NOT_APPLICABLE, "it is a repeat read");
	else if (gate_is_simulated(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "its driver moves no data");
	if (v->g->reason)
		return;
	for (i = 0; i < v->res->n_runs; i++) {
		cold_run(v, gate_run(v, i), &s);
		direct += gate_run(v, i)->direct == 1;
	}
	if (s.by_cache || s.by_device)
		cold_result(v, &s);
	else if (direct == v->res->n_runs)
		gate_say(v->g, GATE_NOT_APPLICABLE, "direct I/O does not pass the host's cache");
	else
		gate_say(v->g, GATE_FAILS,
			 "neither the cache nor the device's counters could be read, so nothing shows that it was cold");
}

void gate_direct(struct gate_view *v)
{
	size_t i, asked = 0, known = 0, refused = 0;
	double least = NAN;
	char part[40];

	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double share = gate_device_share(v, r);

		asked += r->direct >= 0;
		refused += r->direct == 0;
		if (!isnan(share) && v->cell->spec.op != WORKLOAD_TRIM) {
			least = known++ ? fmin(least, share) : share;
			if (r->direct >= 0 && share < GATE_FULL)
				gate_blame(v->g, r);
		}
		if (r->direct == 0)
			gate_blame(v->g, r);
	}
	if (!asked && !gate_driver_has(v, "DIRECT")) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "direct I/O is not asked for");
		return;
	}
	num_sig(least, 3, part);
	gate_number(v->g, least, known ? GATE_FULL : NAN, "1");
	gate_basis(v->g, "O_DIRECT read back from the descriptor in %zu of %zu runs; %s%s", asked - refused,
		   v->res->n_runs, known ? "least device bytes per byte asked " : "no device counters",
		   known ? part : "");
	if (!asked || asked < v->res->n_runs)
		gate_say(v->g, refused ? GATE_FAILS : GATE_NOT_VERIFIABLE, "some runs have no reading");
	else if (refused)
		gate_say(v->g, GATE_FAILS, "direct I/O was not in force");
	else if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, "the device moved fewer bytes than were asked: a cache served them");
	else
		v->g->state = GATE_HOLDS;
}

void gate_written(struct gate_view *v)
{
	int64_t sampled = 0, weak = 0;
	bool known = false, sparse = false;
	double filled = NAN;
	size_t i;

	if (v->cell->spec.op != WORKLOAD_READ && v->cell->spec.op != WORKLOAD_MIXED)
		gate_say(v->g, GATE_NOT_APPLICABLE, "it reads nothing");
	else if (gate_is_simulated(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "its driver moves no data");
	for (i = 0; !v->g->reason && i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double in = r->allocated >= 0 && r->length ? (double)r->allocated / (double)r->length : NAN;
		bool bad = in < 1 || (r->sampled_blocks > 0 &&
				      (double)r->weak_blocks > GATE_SHARE * (double)r->sampled_blocks);

		known |= !isnan(in) || r->sampled_blocks > 0;
		sparse |= in < 1;
		filled = fmin(filled, in);
		sampled += r->sampled_blocks > 0 ? r->sampled_blocks : 0;
		weak += r->weak_blocks > 0 ? r->weak_blocks : 0;
		if (bad)
			gate_blame(v->g, r);
	}
	if (v->g->reason)
		return;
	if (!known) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "neither allocation nor content could be read");
		return;
	}
	gate_number(v->g, sampled ? (double)weak / (double)sampled : 1 - filled,
		    sampled ? GATE_SHARE : 0, "share");
	gate_basis(v->g, "%" PRId64 " blocks sampled, %" PRId64 " of them zero or compressible; %s", sampled,
		   weak, isnan(filled) ? "allocation not known" : sparse ? "sparse" : "all allocated");
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, sparse ? "part of what was read was never written"
						  : "what was read is zero or compressible");
	else
		v->g->state = GATE_HOLDS;
}

void gate_workers(struct gate_view *v)
{
	int64_t planned = 0, moved = 0;
	double worst = NAN;
	size_t i;

	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);

		if (r->workers <= 0 || r->workers_moved < 0)
			continue;
		planned += r->workers;
		moved += r->workers_moved;
		worst = fmin(worst, (double)r->workers_moved / (double)r->workers);
		if (r->workers_moved < r->workers)
			gate_blame(v->g, r);
	}
	if (!planned) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "the runs do not say how many jobs moved data");
		return;
	}
	gate_number(v->g, worst, 1, "share");
	gate_basis(v->g, "%" PRId64 " of %" PRId64 " jobs moved data, over all runs", moved, planned);
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, "a planned job moved no data");
	else
		v->g->state = GATE_HOLDS;
}

void gate_clock(struct gate_view *v)
{
	int64_t worst = -1;
	uint32_t source = 0;
	size_t i;

	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);

		source = r->clock_source ? r->clock_source : source;
		worst = r->clock_step_ns > worst ? r->clock_step_ns : worst;
		if (r->clock_step_ns > CLOCK_STEP_NS)
			gate_blame(v->g, r);
	}
	if (worst < 0) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "the clocks were not compared");
		return;
	}
	gate_number(v->g, (double)worst, CLOCK_STEP_NS, "ns");
	gate_basis(v->g, "%s; largest disagreement of real time and monotonic time over a run",
		   source == 1 ? "time stamp counter" : source == 2 ? "clock_gettime" : "source not named");
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, "a clock was stepped during a run");
	else
		v->g->state = GATE_HOLDS;
}

void gate_verify(struct gate_view *v)
{
	int64_t wrong = 0;
	size_t i, known = 0;

	if (!v->cell->spec.verify) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "the workload does not verify");
		return;
	}
	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);

		if (r->wrong_blocks < 0)
			continue;
		known++;
		wrong += r->wrong_blocks;
		if (r->wrong_blocks)
			gate_blame(v->g, r);
	}
	gate_number(v->g, known ? (double)wrong : NAN, 0, "blocks");
	gate_basis(v->g, "header and checksum of each block, %zu runs", known);
	if (wrong)
		gate_say(v->g, GATE_FAILS, "blocks came back wrong");
	else if (known < v->res->n_runs)
		gate_say(v->g, GATE_NOT_VERIFIABLE, "some runs do not say what they verified");
	else
		v->g->state = GATE_HOLDS;
}

/* Pooled over the cell's runs: a window is a short sample, and one journal commit in one of them,
 * scaled up to a run of seconds, says little of the load. */
void gate_foreign(struct gate_view *v)
{
	double foreign = 0, moved = 0, share;
	size_t i, known = 0;

	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double own = fmax((double)(r->dev_read_bytes + r->dev_write_bytes), (double)r->bytes);

		if (r->foreign_bytes < 0 || !(own > 0))
			continue;
		known++;
		foreign += (double)r->foreign_bytes;
		moved += own;
		if ((double)r->foreign_bytes > GATE_SHARE * own)
			gate_blame(v->g, r);
	}
	if (!known) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "no device with counters is behind it");
		return;
	}
	share = foreign / moved;
	gate_number(v->g, share, GATE_SHARE, "share");
	gate_basis(v->g, "device bytes in the idle windows, scaled to the runs, per byte of %zu runs; above the limit "
			 "in %zu of them", known, v->g->n_runs);
	if (share > GATE_SHARE)
		gate_say(v->g, GATE_FAILS, "others used the device");
	else
		v->g->state = GATE_HOLDS;
}

void gate_ceiling(struct gate_view *v)
{
	int64_t worst = -1;
	size_t i;

	if (gate_is_simulated(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "its driver moves no data");
	else if (gate_is_cached_read(v))
		gate_say(v->g, GATE_NOT_APPLICABLE, "the host's cache may serve its reads");
	if (v->g->reason)
		return;
	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);

		worst = r->ceiling_permille > worst ? r->ceiling_permille : worst;
		if ((double)r->ceiling_permille > CEILING_PERMILLE)
			gate_blame(v->g, r);
	}
	if (worst < 0) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "the program's own limit was not measured for this shape");
		return;
	}
	gate_number(v->g, (double)worst / 1000, CEILING_PERMILLE / 1000, "share");
	gate_basis(v->g, "I/O rate per rate of the null driver for the same shape");
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, "the program itself may have been the limit");
	else
		v->g->state = GATE_HOLDS;
}

void gate_window(struct gate_view *v)
{
	double worst = NAN, bound = NAN;
	char part[40];
	size_t i;

	if (v->cell->company != COMPANY_TOGETHER) {
		gate_say(v->g, GATE_NOT_APPLICABLE, "it ran alone");
		return;
	}
	for (i = 0; i < v->res->n_runs; i++) {
		const struct kept_run *r = gate_run(v, i);
		double in, off;

		if (r->window_ns < 0 || r->shortest_ns <= 0)
			continue;
		in = (double)r->window_ns / (double)r->shortest_ns;
		off = r->offset_bound_ns >= 0 ? (double)r->offset_bound_ns / fmax((double)r->window_ns, 1) : NAN;
		worst = fmin(worst, in);
		bound = fmax(bound, off);
		if (in < WINDOW_SHARE || off > OFFSET_SHARE)
			gate_blame(v->g, r);
	}
	if (isnan(worst)) {
		gate_say(v->g, GATE_NOT_VERIFIABLE, "the runs name no common window");
		return;
	}
	num_sig(bound, 3, part);
	gate_number(v->g, worst, WINDOW_SHARE, "share");
	gate_basis(v->g, "common window per shortest run; bound on the clock offset per window %s (limit 0.005)",
		   isnan(bound) ? "not known" : part);
	if (v->g->n_runs)
		gate_say(v->g, GATE_FAILS, worst < WINDOW_SHARE ? "the runs overlap too little"
								: "the clocks of the nodes are not known well enough");
	else
		v->g->state = GATE_HOLDS;
}
