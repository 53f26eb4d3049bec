/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/results.h"

#include "base/err.h"
#include "base/vec.h"
#include "stats/gates.h"
#include "stats/judge.h"

#include <string.h>

const char *verdict_name(enum verdict_kind v)
{
	static const char *const names[] = {
		[VERDICT_NONE] = "NONE",
		[VERDICT_INDICATIVE] = "INDICATIVE",
		[VERDICT_VOID] = "VOID",
		[VERDICT_EQUIVALENT] = "EQUIVALENT",
		[VERDICT_BETTER] = "BETTER",
		[VERDICT_WORSE] = "WORSE",
		[VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
		[VERDICT_NO_DATA] = "NO DATA",
		[VERDICT_SUPPORTED] = "SUPPORTED",
		[VERDICT_CONTRADICTED] = "CONTRADICTED",
		[VERDICT_NOT_DECIDABLE] = "NOT DECIDABLE",
		[VERDICT_MET] = "MET",
		[VERDICT_NOT_MET] = "NOT MET",
		[VERDICT_CACHED] = "CACHED",
		[VERDICT_NOT_CACHED] = "NOT CACHED",
		[VERDICT_NEGLIGIBLE] = "NEGLIGIBLE",
		[VERDICT_MATTERS] = "MATTERS",
		[VERDICT_STEADY] = "STEADY",
		[VERDICT_NOT_STEADY] = "NOT STEADY",
		[VERDICT_CPU_BOUND] = "CPU-BOUND",
		[VERDICT_NOT_CPU_BOUND] = "NOT CPU-BOUND",
		[VERDICT_NOT_APPLICABLE] = "NOT APPLICABLE",
	};

	return (size_t)v < ARRAY_LEN(names) ? names[v] : "NONE";
}

const char *arithmetic_name(enum arithmetic a)
{
	static const char *const names[] = { "inconsistent", "consistent", "depends on the reading" };

	return names[a];
}

static int check_metrics(const struct cells *c, struct iow_error *e)
{
	size_t i;

	for (i = 0; i < c->n_questions; i++)
		if (!metric_find(c->questions[i].metric))
			return err_set(e, 0, "cells.json: question %zu names the metric \"%s\", which is unknown",
				       i, c->questions[i].metric ? c->questions[i].metric : "");
	for (i = 0; i < c->n_questions; i++)
		if (c->questions[i].id != i)
			return err_set(e, 0, "cells.json: question %zu is not in its place", i);
	for (i = 0; i < c->n_cells; i++)
		if (c->cells[i].test >= c->n_tests || c->cells[i].target >= c->n_targets)
			return err_set(e, 0, "cells.json: cell %zu has no test or no target", i);
	return 0;
}

static uint32_t count_planned(const struct cells *c)
{
	uint64_t n = 0;
	size_t i, k;

	for (i = 0; i < c->n_blocks; i++)
		for (k = 0; k < c->blocks[i].n_steps; k++)
			if (c->blocks[i].steps[k] < c->n_steps)
				n += c->steps[c->blocks[i].steps[k]].n_cells;
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Has each cell as many complete blocks as were planned, appended ones included? */
static bool blocks_are_made_good(const struct judge *j)
{
	for (uint32_t c = 0; c < j->b->cells.n_cells; c++) {
		struct tuples t;
		bool whole;

		judge_tuples(j, &c, 1, &t);
		whole = !t.dropped;
		tuples_release(&t);
		if (!whole)
			return false;
	}
	return true;
}

static void count_runs(struct results *r, const struct judge *j)
{
	bool not_ok = false;
	size_t i, k;

	r->planned_runs = count_planned(&r->bundle->cells);
	for (i = 0; i < r->n_cells; i++) {
		r->done_runs += r->cells[i].status[RUN_OK];
		for (k = RUN_OK + 1; k < RUN_STATUSES; k++)
			not_ok |= r->cells[i].status[k] > 0;
		r->n_failed_runs += judge_failures(&r->cells[i]);
	}
	r->incomplete = r->done_runs < r->planned_runs || (not_ok && !blocks_are_made_good(j));
}

int results_build(struct results *r, const struct bundle *b, struct iow_error *e)
{
	struct judge j = { .r = r, .b = b };
	size_t i;

	memset(r, 0, sizeof *r);
	if (check_metrics(&b->cells, e) < 0)
		return -1;
	r->bundle = b;
	r->family = b->cells.family ? b->cells.family : 1;
	r->n_cells = b->cells.n_cells;
	r->cells = mem_array(r->n_cells + 1, sizeof *r->cells);
	judge_index(&j);
	if (judge_cut(&j, e) < 0) {
		judge_release(&j);
		results_release(r);
		return -1;
	}
	judge_gates(&j);
	judge_comparisons(&j);
	for (i = 0; i < b->cells.n_tests; i++)
		gate_order(&j, (uint32_t)i);
	judge_questions(&j);
	judge_patterns(&j);
	judge_plateaus(&j);
	count_runs(r, &j);
	judge_release(&j);
	return 0;
}

static void comparison_release(struct comparison *c)
{
	size_t i;

	free(c->d);
	free(c->blocks);
	free(c->subject_runs);
	free(c->against_runs);
	for (i = 0; i < c->n_diff; i++) {
		free(c->diff[i].attribute);
		free(c->diff[i].subject);
		free(c->diff[i].against);
	}
	free(c->diff);
}

void results_release(struct results *r)
{
	size_t i;

	for (i = 0; r->cells && i < r->n_cells; i++)
		free(r->cells[i].runs);
	for (i = 0; i < r->n_comparisons; i++)
		comparison_release(&r->comparisons[i]);
	for (i = 0; i < r->n_gates; i++) {
		free(r->gates[i].unit);
		free(r->gates[i].basis);
		free(r->gates[i].reason);
		free(r->gates[i].runs);
	}
	for (i = 0; i < r->n_judgements; i++) {
		free(r->judgements[i].comparisons);
		free(r->judgements[i].cells);
		free(r->judgements[i].why);
		free(r->judgements[i].quotes);
	}
	for (i = 0; i < r->n_usls; i++) {
		free(r->usls[i].dim);
		free(r->usls[i].load);
		free(r->usls[i].rate);
	}
	for (i = 0; i < r->n_plateaus; i++) {
		free(r->plateaus[i].dim);
		free(r->plateaus[i].cells);
	}
	free(r->plateaus);
	for (i = 0; i < r->n_tests; i++)
		free(r->tests[i].dims);
	free(r->tests);
	free(r->cells);
	free(r->comparisons);
	free(r->gates);
	free(r->judgements);
	free(r->retained);
	free(r->scalings);
	free(r->usls);
	memset(r, 0, sizeof *r);
}
