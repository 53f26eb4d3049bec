/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/judge.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Was the missing of this run an outcome of the arm itself? */
static bool is_failure(uint32_t status)
{
	return status == RUN_FAILED || status == RUN_CRASHED || status == RUN_HUNG;
}

uint32_t judge_failures(const struct cell_result *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < RUN_STATUSES; i++)
		n += is_failure(i) ? c->status[i] : 0;
	return n;
}

static int by_block(const void *a, const void *b, void *ctx)
{
	const struct kept_run *runs = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (runs[x].block != runs[y].block)
		return runs[x].block < runs[y].block ? -1 : 1;
	return (x > y) - (x < y);
}

void judge_index(struct judge *j)
{
	size_t n_cells = j->b->cells.n_cells, n = j->b->n_runs, i;
	const struct kept_run *runs = j->b->runs;
	mem_auto uint32_t *next = mem_array(n_cells + 1, sizeof *next);

	j->first = mem_array(n_cells + 1, sizeof *j->first);
	j->order = mem_array(n + 1, sizeof *j->order);
	for (i = 0; i < n; i++)
		if (runs[i].cell < n_cells)
			j->first[runs[i].cell + 1]++;
	for (i = 0; i < n_cells; i++)
		j->first[i + 1] += j->first[i];
	memcpy(next, j->first, (n_cells + 1) * sizeof *next);
	for (i = 0; i < n; i++)
		if (runs[i].cell < n_cells)
			j->order[next[runs[i].cell]++] = (uint32_t)i;
	for (i = 0; i < n_cells; i++)
		qsort_r(j->order + j->first[i], j->first[i + 1] - j->first[i], sizeof *j->order,
			by_block, j->b->runs);
}

void judge_release(struct judge *j)
{
	free(j->first);
	free(j->order);
	free(j->test_cut_ns);
	free(j->test_cut_mser);
	free(j->first_pair);
	free(j->cell_void);
	free(j->test_void);
	memset(j, 0, sizeof *j);
}

const struct kept_run *judge_run(const struct judge *j, uint32_t number)
{
	const struct bundle *b = j->b;
	size_t lo = 0, hi = b->n_runs;

	while (lo < hi) { /* numbers rise: bundle_load refuses others */
		size_t mid = lo + (hi - lo) / 2;

		if (b->runs[mid].run < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < b->n_runs && b->runs[lo].run == number ? &b->runs[lo] : NULL;
}

static double value_after(const struct metric *m, const struct retained *k, double whole)
{
	double v = whole;

	if (strcmp(m->name, "throughput") == 0)
		v = (double)k->bytes * 1e9 / (double)k->ns;
	else if (strcmp(m->name, "iops") == 0)
		v = (double)k->ios * 1e9 / (double)k->ns;
	return isfinite(v) && v > 0 ? v : NAN;
}

double judge_value(const struct judge *j, const struct metric *m, uint32_t run, bool cut,
		   bool *too_few)
{
	double v = metric_value(m, &j->b->runs[run], too_few);
	const struct retained *all = j->r->retained;

	return cut && all && all[run].ns > 0 && isfinite(v) ? value_after(m, &all[run], v) : v;
}

double results_value(const struct results *r, const struct metric *m, uint32_t run)
{
	const struct judge j = { .r = (struct results *)(uintptr_t)r, .b = r->bundle };

	return judge_value(&j, m, run, true, NULL);
}

struct retained results_retained(const struct results *r, uint32_t run)
{
	const struct kept_run *x = &r->bundle->runs[run];

	if (r->retained && r->retained[run].ns > 0)
		return r->retained[run];
	return (struct retained){ x->bytes, x->ios, x->wall_ns };
}

/* ---- complete blocks ---- */

/* What became of one block: may it still be stood for by an appended one? */
enum block_state { BLOCK_OPEN, BLOCK_COMPLETE, BLOCK_FAILED };

struct seen {
	uint32_t block;
	enum block_state state;
};

static struct seen *seen_find(struct seen *s, size_t n, uint32_t block)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s[mid].block < block)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && s[lo].block == block ? &s[lo] : NULL;
}

/* Takes the entries of `block` from each cell's list; true when all cells have an ok run in it. */
static bool take_block(const struct judge *j, const uint32_t *cells, size_t k, uint32_t *pos,
		       uint32_t block, uint32_t *runs, bool *failed, uint32_t *replaces)
{
	size_t i, ok = 0;

	*failed = false;
	*replaces = 0;
	for (i = 0; i < k; i++) {
		uint32_t end = j->first[cells[i] + 1];
		bool have = false;

		for (; pos[i] < end && j->b->runs[j->order[pos[i]]].block == block; pos[i]++) {
			const struct kept_run *r = &j->b->runs[j->order[pos[i]]];

			*failed |= is_failure(r->status);
			if (r->replaces)
				*replaces = r->replaces;
			if (r->status == RUN_OK && !have) {
				runs[i] = j->order[pos[i]];
				have = true;
			}
		}
		ok += have;
	}
	return ok == k;
}

static bool next_block(const struct judge *j, const uint32_t *cells, size_t k, const uint32_t *pos,
		       uint32_t *block)
{
	bool any = false;
	size_t i;

	for (i = 0; i < k; i++) {
		uint32_t b;

		if (pos[i] >= j->first[cells[i] + 1])
			continue;
		b = j->b->runs[j->order[pos[i]]].block;
		if (!any || b < *block)
			*block = b;
		any = true;
	}
	return any;
}

/* Whether a complete block counts; marks the one that it stands for as done. */
static bool counts(struct seen *s, size_t n, uint32_t replaces)
{
	struct seen *old = replaces ? seen_find(s, n, replaces) : NULL;

	if (!old)
		return true;
	if (old->state != BLOCK_OPEN)
		return false;
	old->state = BLOCK_COMPLETE;
	return true;
}

void judge_tuples(const struct judge *j, const uint32_t *cells, size_t k, struct tuples *t)
{
	mem_auto uint32_t *pos = mem_array(k + 1, sizeof *pos);
	mem_auto struct seen *seen = NULL;
	uint32_t block = 0, replaces, planned;
	size_t n_seen = 0, i, most = 0;
	bool failed;

	memset(t, 0, sizeof *t);
	for (i = 0; i < k; i++) {
		pos[i] = j->first[cells[i]];
		if (i == 0 || j->first[cells[i] + 1] - pos[i] < most)
			most = j->first[cells[i] + 1] - pos[i];
	}
	t->at = mem_array(most + 1, sizeof *t->at);
	t->runs = mem_array((most + 1) * k + 1, sizeof *t->runs);
	while (next_block(j, cells, k, pos, &block)) {
		uint32_t *runs = t->runs + t->n * k;
		bool whole = take_block(j, cells, k, pos, block, runs, &failed, &replaces);
		struct seen *s = VEC_ADD(seen, n_seen);

		s->block = block;
		s->state = whole ? BLOCK_COMPLETE : failed ? BLOCK_FAILED : BLOCK_OPEN;
		if (whole && counts(seen, n_seen - 1, replaces))
			t->at[t->n++] = (struct tuple){ block, replaces != 0, runs };
	}
	planned = k ? j->b->cells.tests[j->b->cells.cells[cells[0]].test].blocks : 0;
	t->dropped = planned > t->n ? planned - (uint32_t)t->n : 0;
}

void tuples_release(struct tuples *t)
{
	free(t->at);
	free(t->runs);
	memset(t, 0, sizeof *t);
}
