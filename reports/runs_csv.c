/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/runs_csv.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/csv.h"

/* Members of a run that are printed as they are: unsigned 32, unsigned 64, or signed 64 with -1 for unknown. */
struct column {
	const char *name;
	size_t at;
	enum { C_U32, C_U64, C_I64 } type;
	bool device; /* only where the device's counters are known */
};
#define COL(member, type) { #member, offsetof(struct run, member), type, false }
#define DEV(member) { #member, offsetof(struct run, member), C_U64, true }

static const struct column before[] = {
	COL(block, C_U32), COL(position, C_U32), COL(step, C_U32), COL(pass, C_U32), COL(replaces, C_U32),
};
static const struct column after[] = {
	COL(wall_ns, C_I64), COL(bytes, C_U64), COL(ios, C_U64), COL(errors, C_U64), COL(read_bytes, C_U64),
	COL(write_bytes, C_U64), COL(offset, C_U64), COL(length, C_U64), COL(final_flush_ns, C_I64), COL(user_ns, C_I64),
	COL(sys_ns, C_I64), COL(wait_ns, C_I64), COL(busy_cpu_ns, C_I64), COL(busy_wait_ns, C_I64), DEV(dev_read_bytes),
	DEV(dev_write_bytes), DEV(dev_reads), DEV(dev_writes), COL(foreign_bytes, C_I64), COL(pressure_cpu_ns, C_I64),
	COL(pressure_io_ns, C_I64), COL(pressure_memory_ns, C_I64), COL(stopped_ns, C_I64),
};

static const struct {
	const char *name;
	size_t at;
} quantiles[] = {
	{ "mean", offsetof(struct latency, mean) }, { "p50", offsetof(struct latency, p50) },
	{ "p90", offsetof(struct latency, p90) },   { "p95", offsetof(struct latency, p95) },
	{ "p99", offsetof(struct latency, p99) },   { "p99.9", offsetof(struct latency, p999) },
	{ "p99.99", offsetof(struct latency, p9999) }, { "max", offsetof(struct latency, max) },
};

static void value_put(struct buf *out, const struct kept_run *r, const struct column *c)
{
	const char *p = (const char *)r + c->at;
	int64_t v;

	buf_putc(out, ',');
	if (c->device && !r->dev_known)
		return;
	if (c->type == C_U32) {
		buf_printf(out, "%" PRIu32, *(const uint32_t *)p);
	} else if (c->type == C_U64) {
		buf_printf(out, "%" PRIu64, *(const uint64_t *)p);
	} else {
		memcpy(&v, p, sizeof v);
		if (v >= 0)
			buf_printf(out, "%" PRId64, v);
	}
}

static void classes_find(const struct bundle *b, bool used[LAT_CLASSES])
{
	for (size_t i = 0; i < b->n_runs; i++)
		for (int k = 0; k < LAT_CLASSES; k++)
			used[k] |= run_latency(&b->runs[i], (enum latency_class)k)->count > 0;
}

static void head_put(struct buf *out, const bool used[LAT_CLASSES])
{
	buf_puts(out, "run,cell,label");
	for (size_t i = 0; i < ARRAY_LEN(before); i++)
		buf_printf(out, ",%s", before[i].name);
	buf_puts(out, ",status,why,start_utc,mb_per_s");
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		buf_printf(out, ",%s", after[i].name);
	for (int k = 0; k < LAT_CLASSES; k++) {
		if (!used[k])
			continue;
		buf_printf(out, ",%s_count", latency_class_name((enum latency_class)k));
		for (size_t i = 0; i < ARRAY_LEN(quantiles); i++)
			buf_printf(out, ",%s_%s_ns", latency_class_name((enum latency_class)k), quantiles[i].name);
	}
	buf_putc(out, '\n');
}

static void latency_put(struct buf *out, const struct latency *l)
{
	buf_putc(out, ',');
	if (l->count)
		buf_printf(out, "%" PRIu64, l->count);
	for (size_t i = 0; i < ARRAY_LEN(quantiles); i++) {
		buf_putc(out, ',');
		if (l->count)
			buf_printf(out, "%" PRId64, *(const int64_t *)((const char *)l + quantiles[i].at));
	}
}

static void run_put(struct buf *out, const struct bundle *b, const struct kept_run *r, const bool used[LAT_CLASSES])
{
	char s[40];

	buf_printf(out, "%" PRIu32 ",%" PRIu32 ",", r->run, r->cell);
	csv_text(out, r->cell < b->cells.n_cells ? b->cells.cells[r->cell].label : "");
	for (size_t i = 0; i < ARRAY_LEN(before); i++)
		value_put(out, r, &before[i]);
	buf_printf(out, ",%s,", run_status_name((enum run_status)r->status));
	csv_text(out, r->why);
	buf_putc(out, ',');
	if (r->start_utc_ns) {
		clock_format(r->start_utc_ns, s);
		buf_puts(out, s);
	}
	buf_putc(out, ',');
	if (r->wall_ns > 0) {
		num_real12((double)r->bytes / (double)r->wall_ns * 1e3, s);
		buf_puts(out, s);
	}
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		value_put(out, r, &after[i]);
	for (int k = 0; k < LAT_CLASSES; k++)
		if (used[k])
			latency_put(out, run_latency(r, (enum latency_class)k));
	buf_putc(out, '\n');
}

void runs_csv(const struct results *r, struct buf *out)
{
	bool used[LAT_CLASSES] = { false };

	classes_find(r->bundle, used);
	head_put(out, used);
	for (size_t i = 0; i < r->bundle->n_runs; i++)
		run_put(out, r->bundle, &r->bundle->runs[i], used);
}
