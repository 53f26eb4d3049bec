/* SPDX-License-Identifier: Apache-2.0 */
/* What the lanes of a run kept, added up: members of its line and its samples. */
#include "base/clock.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "run/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_up_work(const struct lanes *l, struct run *r)
{
	r->workers = l->n;
	r->workers_moved = 0;
	r->wrong_blocks = l->c.w->verify ? 0 : -1;
	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *a = &l->lane[i];

		r->bytes += a->total_bytes;
		r->ios += a->total_ios;
		r->errors += a->errors;
		r->read_bytes += a->op_bytes[IOW_OP_READ];
		r->write_bytes += a->op_bytes[IOW_OP_WRITE];
		r->workers_moved += a->total_ios > 0;
		if (a->final_flush_ns > r->final_flush_ns)
			r->final_flush_ns = a->final_flush_ns;
		if (l->c.w->rate > 0)
			r->backlog = (r->backlog < 0 ? 0 : r->backlog) + (int64_t)a->backlog_max;
		if (a->verify)
			r->wrong_blocks += (int64_t)a->verify->wrong;
	}
}

static void add_up_cpu(const struct lanes *l, struct run *r)
{
	struct usage u = { 0 };
	int64_t busiest = -1;

	for (uint32_t i = 0; i < l->n; i++) {
		const struct usage *a = &l->lane[i].usage;

		usage_add(&u, a);
		if (a->user_ns + a->sys_ns > busiest) {
			busiest = a->user_ns + a->sys_ns;
			r->busy_wait_ns = a->wait_ns;
		}
	}
	r->user_ns = u.user_ns;
	r->sys_ns = u.sys_ns;
	r->wait_ns = u.wait_ns;
	r->busy_cpu_ns = busiest;
	r->ctx_voluntary = u.ctx_voluntary;
	r->ctx_involuntary = u.ctx_involuntary;
	r->major_faults = u.major_faults;
}

/* By how much realtime was set against monotonic time during the run: what is surely more than the error of
 * the two readings. */
static int64_t wall_step(const struct lanes *l)
{
	int64_t error, moved = llabs(clock_offset_ns(&error) - l->wall_offset_ns);

	error += l->wall_error_ns;
	return moved > error ? moved - error : 0;
}

static void add_up_time(struct lanes *l, struct run *r)
{
	int64_t first = INT64_MAX, last_start = INT64_MIN, last = INT64_MIN;
	const int64_t step = wall_step(l);
	const bool virtual = l->c.drv->caps & IOW_CAP_VIRTUAL_TIME;
	const int64_t error = virtual ? 0 : tick_refine(&l->c.tick);

	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *a = &l->lane[i];
		const struct tick *k = virtual ? &a->tick : &l->c.tick;
		const int64_t begin = tick_mono(k, a->first), end = tick_mono(k, a->last);

		if (begin < first)
			first = begin;
		if (begin > last_start)
			last_start = begin;
		if (end > last)
			last = end;
	}
	r->start_utc_ns = l->wall_offset_ns + first;
	r->wall_ns = last > first ? last - first : 0;
	r->clock_source = tick_source(&l->c.tick);
	r->clock_step_ns = step > error ? step : error;
	r->skew_ns = last_start - l->asked_ns - l->c.w->warmup_ns;
}

static json_t *add_up_histograms(const struct lanes *l, struct run *r)
{
	json_t *hist = json_object();
	struct lathist *sum = lathist_new();

	for (int k = 0; k < LAT_CLASSES; k++) {
		lathist_clear(sum);
		for (uint32_t i = 0; i < l->n; i++)
			if (l->lane[i].lat[k])
				lathist_merge(sum, l->lane[i].lat[k]);
		lathist_summary(sum, &r->lat[k]);
		if (r->lat[k].count)
			jsonx_set_new(hist, latency_class_name((enum latency_class)k), lathist_to_json(sum));
	}
	free(sum);
	return hist;
}

static void reap_windows(const struct lanes *l, json_t *o)
{
	uint64_t reaps = 0, wait = 0, most = 0, submit = 0;
	json_t *w = json_object();

	for (uint32_t i = 0; i < l->n; i++) {
		const struct lane *a = &l->lane[i];

		reaps += a->reaps;
		wait += tick_ns(a->mult, a->reap_ticks);
		submit += tick_ns(a->mult, a->submit_ticks);
		if (tick_ns(a->mult, a->reap_max) > most)
			most = tick_ns(a->mult, a->reap_max);
	}
	if (reaps) {
		jsonx_set_int(w, "reaps", (int64_t)reaps);
		jsonx_set_int(w, "mean_ns", (int64_t)(wait / reaps));
		jsonx_set_int(w, "max_ns", (int64_t)most);
		jsonx_set_int(w, "submit_ns", (int64_t)submit);
		json_object_set(o, "reap", w);
	}
	json_decref(w);
}

static json_t *make_samples(const struct lanes *l, struct run *r)
{
	json_t *o = json_object(), *in = json_object(), *wrong = json_array();
	struct series *sum = mem_alloc(sizeof *sum);
	struct slow *slow = mem_alloc(sizeof *slow);

	series_init(sum, l->lane[0].series.width_ns);
	for (uint32_t i = 0; i < l->n; i++) {
		series_merge(sum, &l->lane[i].series);
		slow_merge(slow, &l->lane[i].slow);
		if (l->lane[i].verify) {
			json_t *a = verify_to_json(l->lane[i].verify);

			json_array_extend(wrong, a);
			json_decref(a);
		}
	}
	jsonx_set_int(in, "start_ns", l->c.w->warmup_ns);
	series_to_json(sum, in);
	jsonx_set_new(o, "intervals", in);
	jsonx_set_new(o, "hist", add_up_histograms(l, r));
	jsonx_set_new(o, "slow", slow_to_json(slow));
	reap_windows(l, o);
	if (json_array_size(wrong))
		json_object_set(o, "wrong", wrong);
	json_decref(wrong);
	free(sum);
	free(slow);
	return o;
}

static void set_status(const struct lanes *l, const char *hung, struct run *r)
{
	for (uint32_t i = 0; i < l->n && r->status == RUN_OK; i++) {
		const struct lane *a = &l->lane[i];

		if (a->ended == LANE_OK)
			continue;
		r->status = a->ended == LANE_HUNG ? RUN_HUNG : RUN_FAILED;
		snprintf(r->why, sizeof r->why, "%.127s", a->why);
	}
	if (hung) {
		r->status = RUN_HUNG;
		snprintf(r->why, sizeof r->why, "%s", hung);
	}
}

void lanes_result(struct lanes *l, const char *hung, struct run *r, json_t **samples)
{
	r->offset = l->c.offset;
	r->length = l->c.length;
	add_up_work(l, r);
	add_up_cpu(l, r);
	add_up_time(l, r);
	*samples = make_samples(l, r);
	set_status(l, hung, r);
}
