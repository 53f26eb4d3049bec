/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/cells.h"
#include "base/vec.h"

void cells_init(struct cells *c)
{
	memset(c, 0, sizeof *c);
}

static void release_plan_part(struct cells *c)
{
	for (size_t i = 0; i < c->n_set; i++) {
		free(c->set[i].path);
		free(c->set[i].value);
	}
	for (size_t i = 0; i < c->n_nodes; i++) {
		free(c->nodes[i].name);
		free(c->nodes[i].driver);
		json_decref(c->nodes[i].keys);
	}
	for (size_t i = 0; i < c->n_targets; i++) {
		free(c->targets[i].name);
		free(c->targets[i].driver);
		json_decref(c->targets[i].keys);
		json_decref(c->targets[i].make);
		free(c->targets[i].destroy_id);
	}
	for (size_t i = 0; i < c->n_workloads; i++) {
		free(c->workloads[i].name);
		json_decref(c->workloads[i].keys);
	}
	for (size_t i = 0; i < c->n_tests; i++) {
		free(c->tests[i].name);
		json_decref(c->tests[i].waive);
		json_decref(c->tests[i].variants);
	}
}

static void release_cell(struct cell *cell)
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

static void release_question(struct question *q)
{
	free(q->label);
	free(q->metric);
	free(q->named);
	free(q->pairs);
	free(q->cells);
	free(q->says);
	free(q->by);
	free(q->where);
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
		release_cell(&c->cells[i]);
	for (size_t i = 0; i < c->n_steps; i++)
		free(c->steps[i].cells);
	for (size_t i = 0; i < c->n_blocks; i++)
		free(c->blocks[i].steps);
	for (size_t i = 0; i < c->n_questions; i++)
		release_question(&c->questions[i]);
	free(c->set);
	free(c->nodes);
	free(c->targets);
	free(c->workloads);
	free(c->tests);
	free(c->cells);
	free(c->steps);
	free(c->blocks);
	free(c->questions);
	cells_init(c);
}
