/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rules about what happens within runs: from intervals and histograms. */

static bool most(uint32_t found, uint32_t n)
{
	return n && 2 * found > n;
}

static double clear_stall(const struct results *r, uint32_t cell)
{
	const struct cell_stall *s = &r->cells[cell].stall;

	/* Gaps of one short run could be equal by chance. */
	return most(s->found, s->n) && s->events >= s->found + 8 ? s->lost : 0;
}

static double clear_cliff(const struct results *r, uint32_t cell)
{
	const struct cell_cliff *c = &r->cells[cell].cliff;

	return most(c->found, c->n) ? log(c->before / c->after) : 0;
}

static double clear_peaks(const struct results *r, uint32_t cell)
{
	const struct cell_peaks *p = &r->cells[cell].peaks;

	return most(p->found, p->n) ? log(p->slow_ns / p->fast_ns) : 0;
}

/* "250 ms", "5.01 s", "90 µs": three digits. */
static char *say_time(double ns)
{
	static const struct { double from, by; const char *name; } units[] = {
		{ 1e9, 1e9, "s" }, { 1e6, 1e6, "ms" }, { 0, 1e3, "µs" },
	};
	char number[40];
	int i = 0;

	while (ns < units[i].from)
		i++;
	num_sig(ns / units[i].by, 3, number);
	return mem_printf("%s %s", number, units[i].name);
}

static char *say_runs_of(const struct wording *w, uint32_t found, uint32_t n)
{
	mem_auto char *all = mem_printf("%u", n), *some = mem_printf("%u", found);

	return wording_fill(w, "opinion.runs", "found", some, "n", all, NULL);
}

static char *basis_stall(const struct results *r, const struct wording *w, uint32_t cell)
{
	const struct cell_stall *s = &r->cells[cell].stall;
	mem_auto char *period = say_time(s->period_ns), *length = say_time(s->length_ns);
	mem_auto char *runs = say_runs_of(w, s->found, s->n), *events = mem_printf("%u", s->events);
	char lost[40];

	say_percent(s->lost, lost);
	return wording_fill(w, "opinion.stall.basis", "period", period, "length", length, "events", events, "runs", runs,
			    "lost", lost, NULL);
}

static char *basis_cliff(const struct results *r, const struct wording *w, uint32_t cell)
{
	const struct cell_cliff *c = &r->cells[cell].cliff;
	const struct metric *m = metric_find("throughput");
	mem_auto char *mb = say_mb(c->at_bytes), *time = say_time(c->at_ns), *runs = say_runs_of(w, c->found, c->n);
	mem_auto char *before = say_value(m, c->before), *after = say_value(m, c->after);
	char share[40];

	say_percent(1 - c->after / c->before, share);
	return wording_fill(w, "opinion.cliff.basis", "mb", mb, "time", time, "before", before, "after", after, "share",
			    share, "runs", runs, NULL);
}

static char *basis_peaks(const struct results *r, const struct wording *w, uint32_t cell)
{
	const struct cell_peaks *p = &r->cells[cell].peaks;
	mem_auto char *fast = say_time(p->fast_ns), *slow = say_time(p->slow_ns);
	mem_auto char *runs = say_runs_of(w, p->found, p->n);
	char share[40], factor[40];

	say_percent(p->slow_share, share);
	num_sig(p->slow_ns / p->fast_ns, 3, factor);
	return wording_fill(w, "opinion.latency.basis", "fast", fast, "slow", slow, "share", share, "factor", factor,
			    "runs", runs, NULL);
}

void rule_stall(struct findings *f, const struct results *r, const struct wording *w)
{
	rules_by_target(f, r, w, "stall", clear_stall, basis_stall);
}

void rule_cliff(struct findings *f, const struct results *r, const struct wording *w)
{
	rules_by_target(f, r, w, "cliff", clear_cliff, basis_cliff);
}

void rule_latency(struct findings *f, const struct results *r, const struct wording *w)
{
	rules_by_target(f, r, w, "latency", clear_peaks, basis_peaks);
}
