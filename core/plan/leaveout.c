/* SPDX-License-Identifier: Apache-2.0 */
/* What this campaign cannot do or does not use goes, and everything is counted anew. */
#include "base/vec.h"
#include "plan/matrix.h"

#define GONE UINT32_MAX

/* New ids of the kept elements, GONE for the others; free(). */
static uint32_t *renumber(const bool *keep, size_t n)
{
	uint32_t *map = mem_array(n ? n : 1, sizeof *map), next = 0;

	for (size_t i = 0; i < n; i++)
		map[i] = keep[i] ? next++ : GONE;
	return map;
}

static void skip(struct cells *c, const char *kind, const char *name, const char *why)
{
	struct plan_skip *s = VEC_ADD(c->skips, c->n_skips);

	s->what = mem_printf("%s \"%s\"", kind, name);
	s->why = mem_strdup(why);
}

/* ---- cells and steps ---- */

static void keep_ids(uint32_t *ids, size_t *n, const uint32_t *map)
{
	size_t to = 0;

	for (size_t i = 0; i < *n; i++)
		if (map[ids[i]] != GONE)
			ids[to++] = map[ids[i]];
	*n = to;
}

static void compact_steps(struct cells *c, const uint32_t *map)
{
	size_t to = 0;

	for (size_t i = 0; i < c->n_steps; i++) {
		struct step *s = &c->steps[i];

		keep_ids(s->cells, &s->n_cells, map);
		if (!s->n_cells) {
			free(s->cells);
			continue;
		}
		s->id = (uint32_t)to;
		c->steps[to++] = *s;
	}
	c->n_steps = to;
}

static void compact_questions(struct cells *c, const uint32_t *map)
{
	size_t to = 0;

	for (size_t i = 0; i < c->n_questions; i++) {
		struct question *q = &c->questions[i];
		size_t pairs = 0, had = q->n_pairs + q->n_cells;

		for (size_t k = 0; k < q->n_pairs; k++) {
			struct pair p = q->pairs[k];

			if (map[p.subject] == GONE || map[p.against] == GONE)
				continue;
			q->pairs[pairs].subject = map[p.subject];
			q->pairs[pairs++].against = map[p.against];
		}
		q->n_pairs = pairs;
		keep_ids(q->cells, &q->n_cells, map);
		if (had && !q->n_pairs && !q->n_cells) {
			skip(c, "question", q->label, "all that it is about is left out");
			question_release(q);
			continue;
		}
		q->id = (uint32_t)to;
		c->questions[to++] = *q;
	}
	c->n_questions = to;
}

static void drop_cells(struct cells *c, const bool *keep)
{
	uint32_t *map = renumber(keep, c->n_cells);
	size_t to = 0;

	compact_steps(c, map);
	compact_questions(c, map);
	for (size_t i = 0; i < c->n_cells; i++) {
		if (!keep[i]) {
			cell_release(&c->cells[i]);
			continue;
		}
		c->cells[to] = c->cells[i];
		c->cells[to].id = (uint32_t)to;
		to++;
	}
	c->n_cells = to;
	free(map);
}

/* ---- targets, workloads and nodes that no cell uses ---- */

static void drop_targets(struct cells *c)
{
	bool *keep = mem_array(c->n_targets + 1, sizeof *keep);
	uint32_t *map;
	size_t to = 0;

	for (size_t i = 0; i < c->n_cells; i++)
		keep[c->cells[i].target] = true;
	map = renumber(keep, c->n_targets);
	for (size_t i = 0; i < c->n_cells; i++)
		c->cells[i].target = map[c->cells[i].target];
	for (size_t i = 0; i < c->n_targets; i++) {
		if (keep[i])
			c->targets[to++] = c->targets[i];
		else
			plan_target_release(&c->targets[i]);
	}
	c->n_targets = to;
	free(map);
	free(keep);
}

static void drop_workloads(struct cells *c)
{
	bool *keep = mem_array(c->n_workloads + 1, sizeof *keep);
	uint32_t *map;
	size_t to = 0;

	for (size_t i = 0; i < c->n_cells; i++)
		keep[c->cells[i].workload] = true;
	map = renumber(keep, c->n_workloads);
	for (size_t i = 0; i < c->n_cells; i++)
		c->cells[i].workload = map[c->cells[i].workload];
	for (size_t i = 0; i < c->n_workloads; i++) {
		if (keep[i])
			c->workloads[to++] = c->workloads[i];
		else
			plan_workload_release(&c->workloads[i]);
	}
	c->n_workloads = to;
	free(map);
	free(keep);
}

static void drop_nodes(struct cells *c)
{
	bool *keep = mem_array(c->n_nodes + 1, sizeof *keep);
	uint32_t *map;
	size_t to = 0;

	keep[0] = true;
	for (size_t i = 0; i < c->n_targets; i++)
		keep[c->targets[i].node] = true;
	map = renumber(keep, c->n_nodes);
	for (size_t i = 0; i < c->n_targets; i++)
		c->targets[i].node = map[c->targets[i].node];
	for (size_t i = 0; i < c->n_nodes; i++) {
		if (keep[i])
			c->nodes[to++] = c->nodes[i];
		else
			plan_node_release(&c->nodes[i]);
	}
	c->n_nodes = to;
	free(map);
	free(keep);
}

/* ---- what needs root ---- */

/* A step of several targets means something else without one of them: the whole test goes. */
static bool test_stays(const struct cells *c, const struct draft *d, uint32_t test)
{
	if (c->tests[test].mode == MODE_EACH)
		return true;
	for (size_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test && d->targets[c->cells[i].target].needs_root)
			return false;
	return true;
}

static void leave_out_root(struct cells *c, const struct draft *d, bool *keep)
{
	bool *left = mem_array(c->n_tests + 1, sizeof *left);

	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cell *cell = &c->cells[i];

		keep[i] = !d->targets[cell->target].needs_root && test_stays(c, d, cell->test);
		left[cell->test] |= keep[i];
	}
	for (size_t i = 0; i < d->n_targets; i++)
		if (d->targets[i].needs_root)
			skip(c, "target", d->targets[i].name, "needs root");
	for (size_t i = 0; i < c->n_tests; i++)
		if (!left[i])
			skip(c, "test", c->tests[i].name, "needs a target that needs root");
	free(left);
}

void matrix_leave_out(struct cells *c, const struct draft *d, bool root)
{
	bool *keep = mem_array(c->n_cells + 1, sizeof *keep);

	for (size_t i = 0; i < c->n_cells; i++)
		keep[i] = true;
	if (!root)
		leave_out_root(c, d, keep);
	drop_cells(c, keep);
	drop_targets(c);
	drop_workloads(c);
	drop_nodes(c);
	free(keep);
}
