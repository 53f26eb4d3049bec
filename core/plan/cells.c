/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/cells.h"
#include "base/jsonx.h"
#include "base/vec.h"

const char *const mode_names[] = { "each", "together", "solo-then-together", NULL };
const char *const cache_names[] = { "cold", "as-is", "warm", NULL };
const char *const region_names[] = { "fresh", "same", "whole", NULL };
const char *const layout_names[] = { "written", "new", "fallocated", NULL };
const char *const company_names[] = { "alone", "together", NULL };

void cells_init(struct cells *c)
{
	memset(c, 0, sizeof *c);
}

void plan_node_release(struct plan_node *n)
{
	free(n->name);
	free(n->driver);
	json_decref(n->keys);
}

void plan_target_release(struct plan_target *t)
{
	free(t->name);
	free(t->driver);
	json_decref(t->keys);
	json_decref(t->make);
	free(t->destroy_id);
}

void plan_workload_release(struct plan_workload *w)
{
	free(w->name);
	json_decref(w->keys);
}

static void release_plan_part(struct cells *c)
{
	for (size_t i = 0; i < c->n_set; i++) {
		free(c->set[i].path);
		free(c->set[i].value);
	}
	for (size_t i = 0; i < c->n_nodes; i++)
		plan_node_release(&c->nodes[i]);
	for (size_t i = 0; i < c->n_targets; i++)
		plan_target_release(&c->targets[i]);
	for (size_t i = 0; i < c->n_workloads; i++)
		plan_workload_release(&c->workloads[i]);
	for (size_t i = 0; i < c->n_skips; i++) {
		free(c->skips[i].what);
		free(c->skips[i].why);
	}
	for (size_t i = 0; i < c->n_tests; i++) {
		free(c->tests[i].name);
		json_decref(c->tests[i].waive);
		json_decref(c->tests[i].variants);
	}
}

void cell_release(struct cell *cell)
{
	free(cell->key);
	free(cell->label);
	for (size_t i = 0; i < cell->n_sweep; i++) {
		free(cell->sweep[i].dim);
		free(cell->sweep[i].text);
		json_decref(cell->sweep[i].value);
	}
	free(cell->sweep);
	json_decref(cell->target_keys);
}

void question_release(struct question *q)
{
	free(q->label);
	free(q->metric);
	free(q->named);
	free(q->pairs);
	free(q->cells);
	free(q->says);
	free(q->by);
	free(q->where);
	for (size_t i = 0; i < q->n_quotes; i++) {
		free(q->quotes[i].subject);
		free(q->quotes[i].against);
		free(q->quotes[i].says);
	}
	free(q->quotes);
}

double cell_capacity(const struct cells *c, const struct cell *cell)
{
	const json_t *variant = cell->variant < 0 ? NULL
		: json_array_get(c->tests[cell->test].variants, (size_t)cell->variant);

	return jsonx_real(variant, "capacity", 1);
}

void cells_release(struct cells *c)
{
	if (!c)
		return;
	free(c->title);
	json_decref(c->params);
	json_decref(c->report);
	release_plan_part(c);
	for (size_t i = 0; i < c->n_cells; i++)
		cell_release(&c->cells[i]);
	for (size_t i = 0; i < c->n_steps; i++)
		free(c->steps[i].cells);
	for (size_t i = 0; i < c->n_blocks; i++)
		free(c->blocks[i].steps);
	for (size_t i = 0; i < c->n_questions; i++)
		question_release(&c->questions[i]);
	free(c->set);
	free(c->nodes);
	free(c->targets);
	free(c->workloads);
	free(c->tests);
	free(c->cells);
	free(c->steps);
	free(c->blocks);
	free(c->questions);
	free(c->skips);
	cells_init(c);
}
