/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/matrix.h"
#include "base/vec.h"
#include "plan/tables.h"

#define SILENCE_USUAL INT64_C(30000000000) /* the default of node_silence */
#define CONTROL_BLOCKS 8 /* from so many blocks on a control arm is there by default */

/* ---- the parts of a plan as they are kept ---- */

static void take_report(struct cells *c, const struct draft *d)
{
	const json_t *root = d->plan->root, *report = json_object_get(root, "report");
	struct problems said;

	problems_init(&said);
	c->title = mem_strdup(jsonx_str(root, "title", ""));
	c->stop_when_lost = conf_choice(d->conf, plan_keys, "on_node_lost", 0);
	c->silence_ms = (uint32_t)(jsonx_int(d->conf, "node_silence", SILENCE_USUAL) / 1000000);
	if (c->silence_ms == SILENCE_USUAL / 1000000)
		c->silence_ms = 0;
	c->params = json_deep_copy(json_object_get(root, "params"));
	if (!json_is_object(c->params)) {
		json_decref(c->params);
		c->params = json_object();
	}
	c->report = keys_resolve(report_keys, json_is_object(report) ? report : NULL, KEYS_PLAN, "", &said);
	problems_release(&said);
}

static void take_parts(struct cells *c, const struct draft *d)
{
	for (size_t i = 0; i < d->n_nodes; i++) {
		struct plan_node *n = VEC_ADD(c->nodes, c->n_nodes);

		n->name = mem_strdup(d->nodes[i].name);
		if (d->nodes[i].driver != UINT32_MAX)
			n->driver = mem_strdup(d->drivers[d->nodes[i].driver].name);
		n->keys = json_incref(d->nodes[i].keys);
	}
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct draft_target *from = &d->targets[i];
		struct plan_target *t = VEC_ADD(c->targets, c->n_targets);

		t->name = mem_strdup(from->name);
		t->node = from->node;
		t->driver = mem_strdup(from->driver == UINT32_MAX ? "" : d->drivers[from->driver].name);
		t->keys = json_incref(from->keys);
		t->make = json_incref(from->make);
		t->destroy_id = mem_strdup(jsonx_str(from->conf, "destroy", NULL));
		t->destroy = t->destroy_id != NULL;
	}
	for (size_t i = 0; i < d->n_workloads; i++) {
		struct plan_workload *w = VEC_ADD(c->workloads, c->n_workloads);

		w->name = mem_strdup(d->workloads[i].name);
		w->keys = json_incref(d->workloads[i].given);
	}
}

static json_t *take_array(const json_t *conf, const char *key)
{
	json_t *v = json_object_get(conf, key);

	return json_array_size(v) ? json_incref(v) : NULL;
}

static json_t *take_variants(const json_t *conf)
{
	json_t *list = json_object_get(conf, "variants"), *out, *v;
	struct problems said;
	size_t i;

	if (!json_array_size(list))
		return NULL;
	problems_init(&said);
	out = json_array();
	json_array_foreach(list, i, v)
		json_array_append_new(out, keys_resolve(variant_keys, v, KEYS_PLAN, "", &said));
	problems_release(&said);
	return out;
}

/* ---- steps ---- */

struct builder {
	struct cells *c;
	const struct draft *d;
	const struct draft_test *t;
	struct problems *p;
	uint32_t test, workload;
	size_t combination;
	int32_t variant;
};

static struct step *add_step(struct cells *c, uint32_t test)
{
	struct step *s = VEC_ADD(c->steps, c->n_steps);

	s->id = (uint32_t)(c->n_steps - 1);
	s->test = test;
	return s;
}

static void add_cell(struct builder *b, size_t place, uint32_t pass, uint32_t company)
{
	struct cells *c = b->c;
	struct cell *cell = VEC_ADD(c->cells, c->n_cells);
	struct step *step = &c->steps[c->n_steps - 1];

	cell->id = (uint32_t)(c->n_cells - 1);
	cell->test = b->test;
	cell->target = b->t->targets[place];
	cell->workload = b->workload;
	cell->variant = b->variant;
	cell->pass = pass;
	cell->company = company;
	cell_resolve(cell, b->d, b->t, b->combination, b->p);
	cell_check(cell, b->d, b->t, place, b->p);
	*VEC_ADD(step->cells, step->n_cells) = cell->id;
	if (company == COMPANY_TOGETHER && !cell->spec.duration_ns)
		problem_add(b->p, b->t->at, "mode",
			    "what runs together needs a \"duration\" in workload \"%s\"",
			    b->d->workloads[b->workload].name);
}

/* All steps of one workload, combination and variant. */
static void add_steps(struct builder *b)
{
	const struct plan_test *test = &b->c->tests[b->test];

	for (size_t i = 0; test->mode != MODE_TOGETHER && i < b->t->n_targets; i++) {
		add_step(b->c, b->test);
		for (uint32_t pass = 1; pass <= test->passes; pass++)
			add_cell(b, i, pass, COMPANY_ALONE);
	}
	if (test->mode == MODE_EACH)
		return;
	add_step(b->c, b->test);
	for (uint32_t pass = 1; pass <= test->passes; pass++)
		for (size_t i = 0; i < b->t->n_targets; i++)
			add_cell(b, i, pass, COMPANY_TOGETHER);
}

static bool reads(const struct cells *c, uint32_t test)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test && (c->cells[i].spec.op == WORKLOAD_READ ||
						 c->cells[i].spec.op == WORKLOAD_MIXED))
			return true;
	return false;
}

static void take_test(struct plan_test *t, const struct draft_test *from)
{
	const json_t *conf = from->conf;

	t->name = mem_strdup(from->name ? from->name : "");
	t->mode = conf_choice(conf, test_keys, "mode", MODE_EACH);
	t->layout = conf_choice(conf, test_keys, "layout", LAYOUT_WRITTEN);
	t->blocks = (uint32_t)jsonx_int(conf, "blocks", 8);
	t->passes = (uint32_t)jsonx_int(conf, "passes", 1);
	t->warmup_ns = jsonx_int(conf, "warmup", 0);
	t->pause_ns = jsonx_int(conf, "pause", 0);
	t->control_repeat = jsonx_bool(conf, "control_repeat", false);
	t->control = jsonx_bool(conf, "control", t->blocks >= CONTROL_BLOCKS);
	t->waive = take_array(conf, "waive");
	t->variants = take_variants(conf);
	t->sd = jsonx_real(conf, "sd", 0);
	t->blocks_most = (uint32_t)jsonx_int(conf, "blocks_most", 0);
}

static void build_test(struct builder *b)
{
	struct plan_test *t = VEC_ADD(b->c->tests, b->c->n_tests);
	int32_t variants;

	take_test(t, b->t);
	b->test = (uint32_t)(b->c->n_tests - 1);
	variants = (int32_t)json_array_size(t->variants);
	for (size_t w = 0; w < b->t->n_workloads; w++)
		for (b->combination = 0; b->combination < b->t->combinations; b->combination++)
			for (int32_t v = variants ? 0 : -1; v < variants; v++) {
				b->workload = b->t->workloads[w];
				b->variant = v;
				add_steps(b);
			}
	t = &b->c->tests[b->test];
	t->cache = conf_choice(b->t->conf, test_keys, "cache",
			       reads(b->c, b->test) ? CACHE_COLD : CACHE_ASIS);
	t->region = conf_choice(b->t->conf, test_keys, "region",
				t->cache == CACHE_COLD ? REGION_FRESH : REGION_SAME);
}

void matrix_build(struct cells *c, const struct draft *d, struct problems *p)
{
	struct builder b = { .c = c, .d = d, .p = p };

	take_report(c, d);
	take_parts(c, d);
	for (size_t i = 0; i < d->n_tests; i++) {
		b.t = &d->tests[i];
		build_test(&b);
	}
	cells_name(c);
}

/* ---- the control arm ---- */

static size_t count_steps(const struct cells *c, uint32_t test)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_steps; i++)
		n += c->steps[i].test == test;
	return n;
}

/* A cell of what the test's first declared comparison compares against. */
static const struct cell *baseline_cell(const struct cells *c, uint32_t test)
{
	for (size_t i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		for (size_t k = 0; q->kind == QUESTION_COMPARE && k < q->n_pairs; k++)
			if (c->cells[q->pairs[k].against].test == test)
				return &c->cells[q->pairs[k].against];
	}
	for (size_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test)
			return &c->cells[i];
	return NULL;
}

/* The step in which a cell runs alone. */
static const struct step *step_of(const struct cells *c, uint32_t cell)
{
	for (size_t i = 0; i < c->n_steps; i++)
		for (size_t k = 0; k < c->steps[i].n_cells; k++)
			if (c->steps[i].cells[k] == cell)
				return &c->steps[i];
	return NULL;
}

static void copy_cell(struct cells *c, uint32_t from)
{
	struct cell *to = VEC_ADD(c->cells, c->n_cells);
	const struct cell *source = &c->cells[from];

	*to = *source;
	to->id = (uint32_t)(c->n_cells - 1);
	to->control = true;
	to->key = to->label = NULL;
	to->sweep = NULL;
	to->n_sweep = 0;
	to->target_keys = json_incref(source->target_keys);
	for (size_t i = 0; i < source->n_sweep; i++) {
		struct sweep_value *s = VEC_ADD(to->sweep, to->n_sweep);

		s->dim = mem_strdup(source->sweep[i].dim);
		s->text = mem_strdup(source->sweep[i].text);
		s->value = json_incref(source->sweep[i].value);
	}
}

static void add_control(struct cells *c, uint32_t test)
{
	const struct cell *base = baseline_cell(c, test);
	const struct step *step = base ? step_of(c, base->id) : NULL;
	size_t from = step ? (size_t)(step - c->steps) : 0, n = step ? step->n_cells : 0;

	if (!n || base->company != COMPANY_ALONE) {
		c->tests[test].control = false;
		return;
	}
	add_step(c, test);
	for (size_t i = 0; i < n; i++) {
		struct step *new = &c->steps[c->n_steps - 1];

		copy_cell(c, c->steps[from].cells[i]);
		*VEC_ADD(new->cells, new->n_cells) = (uint32_t)(c->n_cells - 1);
	}
}

void matrix_add_controls(struct cells *c)
{
	for (uint32_t i = 0; i < c->n_tests; i++) {
		struct plan_test *t = &c->tests[i];

		t->control = t->control && t->mode != MODE_TOGETHER && count_steps(c, i) >= 2;
		if (t->control)
			add_control(c, i);
	}
	cells_name(c);
}
