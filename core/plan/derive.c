/* SPDX-License-Identifier: Apache-2.0 */
/* The questions of a plan that asks none. */
#include "base/vec.h"
#include "plan/question.h"

static struct question *add(struct cells *c, uint32_t kind, const char *named, char *label_take)
{
	struct question *q = question_add(c, kind, false, "throughput", QUESTION_MARGIN, label_take);

	q->named = mem_strdup(named);
	q->where = mem_strdup("");
	return q;
}

static bool is_dim(const void *ctx, const char *dim)
{
	return strcmp(ctx, dim) == 0;
}

/* All pairs of a test's cells that are equal but for `dim`, the subjects being those of target
 * `subject` and the others those of `against` (UINT32_MAX: any). */
static size_t fill(struct question *q, const struct cells *c, uint32_t test, const char *dim,
		   uint32_t subject, uint32_t against)
{
	for (uint32_t i = 0; i < c->n_cells; i++)
		for (uint32_t k = 0; k < c->n_cells; k++) {
			const struct cell *s = &c->cells[i], *a = &c->cells[k];

			if (s->test != test || a->test != test || s->control || a->control)
				continue;
			if (subject == UINT32_MAX ? i <= k : s->target != subject || a->target != against)
				continue;
			if (!cells_equal_but(s, a, is_dim, dim))
				continue;
			question_pair(q, i, k);
		}
	return q->n_pairs;
}

static uint32_t first_target(const struct cells *c, uint32_t test)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test)
			return c->cells[i].target;
	return UINT32_MAX;
}

static bool in_test(const struct cells *c, uint32_t test, uint32_t target)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test && c->cells[i].target == target)
			return true;
	return false;
}

static void drop_last_if_empty(struct cells *c)
{
	struct question *q = &c->questions[c->n_questions - 1];

	if (q->n_pairs)
		return;
	question_release(q);
	memset(q, 0, sizeof *q);
	c->n_questions--;
}

static void derive_targets(struct cells *c, uint32_t test, uint32_t first)
{
	for (uint32_t t = 0; t < c->n_targets; t++) {
		if (t == first || !in_test(c, test, t))
			continue;
		fill(add(c, QUESTION_COMPARE, "target",
			 mem_printf("%s : %s", c->targets[t].name, c->targets[first].name)),
		     c, test, "target", t, first);
		drop_last_if_empty(c);
	}
}

static void derive_dim(struct cells *c, uint32_t test, uint32_t kind, const char *dim, const char *label)
{
	fill(add(c, kind, dim, mem_printf("%s, %s", c->tests[test].name, label)), c, test, dim, UINT32_MAX,
	     UINT32_MAX);
	drop_last_if_empty(c);
}

/* With one target the swept keys are what a test is about. */
static void derive_sweeps(struct cells *c, uint32_t test, uint32_t first)
{
	const struct cell *cell = NULL;

	for (size_t i = 0; i < c->n_cells && !cell; i++)
		if (c->cells[i].test == test)
			cell = &c->cells[i];
	for (uint32_t t = 0; t < c->n_targets; t++)
		if (t != first && in_test(c, test, t))
			return;
	for (size_t i = 0; cell && i < cell->n_sweep; i++) {
		mem_auto char *label = mem_printf("sensitivity to %s", cell->sweep[i].dim);

		derive_dim(c, test, QUESTION_SENSITIVITY, cell->sweep[i].dim, label);
	}
}

void questions_derive(struct cells *c)
{
	for (uint32_t test = 0; test < c->n_tests; test++) {
		uint32_t first = first_target(c, test);

		if (first == UINT32_MAX)
			continue;
		derive_targets(c, test, first);
		derive_dim(c, test, QUESTION_CACHE, "pass", "second pass : first");
		if (c->tests[test].mode == MODE_SOLO_THEN_TOGETHER)
			questions_derive_scaling(c, test);
		derive_sweeps(c, test, first);
	}
}
