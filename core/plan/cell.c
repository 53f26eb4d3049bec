/* SPDX-License-Identifier: Apache-2.0 */
/* One cell: its values, what its driver can do, its key and its label. */
#include "base/vec.h"
#include "plan/matrix.h"
#include "plan/tables.h"
#include "plan/workload.h"

#define NONE UINT32_MAX

/* ---- values ---- */

/* Which value of dimension k combination `index` has: the last of sweep runs fastest, zip slowest. */
static size_t dim_index(const struct draft_test *t, size_t k, size_t index)
{
	size_t below = 1;

	for (size_t i = 0; i < t->n_dims; i++)
		if (!t->dims[i].zip && (i > k || t->dims[k].zip))
			below *= json_array_size(t->dims[i].values);
	return index / below % (t->dims[k].zip ? t->n_zip : json_array_size(t->dims[k].values));
}

/* A block size or an op says by itself what it is; other values need their key before them. */
static bool speaks_for_itself(const struct draft_dim *dim)
{
	return !dim->target && (strcmp(dim->key, "block") == 0 || strcmp(dim->key, "op") == 0 ||
				strcmp(dim->key, "pattern") == 0);
}

static void dim_text(const struct draft_dim *dim, const json_t *v, struct buf *b)
{
	const char *size;
	json_t *weight;

	if (!speaks_for_itself(dim)) {
		for (const char *c = dim->key; *c; c++)
			buf_putc(b, *c == '_' ? ' ' : *c);
		buf_putc(b, ' ');
	}
	if (!json_is_object(v)) {
		key_text(dim->type, v, b);
		return;
	}
	json_object_foreach((json_t *)v, size, weight) {
		json_t *bytes = json_integer(strtoll(size, NULL, 10));

		buf_puts(b, b->len ? " + " : "");
		key_text(dim->type, bytes, b);
		buf_printf(b, " (%lld)", (long long)json_integer_value(weight));
		json_decref(bytes);
	}
}

static void set_sweep(struct cell *cell, const struct draft_dim *dim, json_t *v)
{
	struct sweep_value *s = VEC_ADD(cell->sweep, cell->n_sweep);
	struct buf b = BUF_INIT;

	dim_text(dim, v, &b);
	s->dim = mem_strdup(dim->name);
	s->text = buf_take(&b);
	s->value = json_incref(v);
}

static void resolve_spec(struct cell *cell, const struct draft *d, const struct draft_test *t,
			 json_t *swept, struct problems *p)
{
	const struct draft_workload *w = &d->workloads[cell->workload];
	struct problems quiet;
	struct buf place = BUF_INIT;
	json_t *o = json_copy(w->given);
	bool many = json_object_size(swept) > 0;

	json_object_update(o, swept);
	buf_puts(&place, many ? t->at : "/workloads");
	if (!many)
		jsonx_pointer_add(&place, w->name);
	problems_init(&quiet);
	/* Times of the plan have units, those of a sweep are resolved: the plan's were checked before. */
	workload_resolve(&cell->spec, o, KEYS_PLAN | (many ? KEYS_SWEPT : 0), buf_str(&place),
			 w->bad ? &quiet : p);
	problems_release(&quiet);
	buf_release(&place);
	json_decref(o);
}

void cell_resolve(struct cell *cell, const struct draft *d, const struct draft_test *t, size_t index,
		  struct problems *p)
{
	json_t *workload = json_object();

	cell->target_keys = json_deep_copy(d->targets[cell->target].keys);
	for (size_t k = 0; k < t->n_dims; k++) {
		const struct draft_dim *dim = &t->dims[k];
		json_t *v = json_array_get(dim->values, dim_index(t, k, index));

		set_sweep(cell, dim, v);
		json_object_set(dim->target ? cell->target_keys : workload, dim->key, v);
	}
	resolve_spec(cell, d, t, workload, p);
	json_decref(workload);
}

/* ---- what the driver can do ---- */

static uint64_t caps_needed(const struct workload *w)
{
	static const uint64_t ops[] = {
		[WORKLOAD_READ] = IOW_CAP_READ,
		[WORKLOAD_WRITE] = IOW_CAP_WRITE,
		[WORKLOAD_MIXED] = IOW_CAP_READ | IOW_CAP_WRITE,
		[WORKLOAD_TRIM] = IOW_CAP_TRIM,
	};
	static const uint64_t durable[] = {
		[DURABILITY_NONE] = 0,
		[DURABILITY_DSYNC] = IOW_CAP_DSYNC,
		[DURABILITY_SYNC] = IOW_CAP_SYNC,
		[DURABILITY_FLUSH] = IOW_CAP_FLUSH,
	};

	return ops[w->op] | durable[w->durability] | (w->depth > 1 ? IOW_CAP_ASYNC : 0);
}

static void say_caps(const struct draft_driver *drv, uint64_t missing, const char *at, const char *target,
		     struct problems *p)
{
	json_t *names = caps_to_json(missing), *has = caps_to_json(drv->caps);
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < json_array_size(names); i++)
		buf_printf(&b, "%s%s", i ? ", " : "", json_string_value(json_array_get(names, i)));
	buf_puts(&b, " (it has ");
	for (size_t i = 0; i < json_array_size(has); i++)
		buf_printf(&b, "%s%s", i ? ", " : "", json_string_value(json_array_get(has, i)));
	problem_add(p, at, NULL, "target \"%s\": the workload needs what driver %s has not: %s)", target,
		    drv->name, buf_str(&b));
	buf_release(&b);
	json_decref(names);
	json_decref(has);
}

void cell_check(struct cell *cell, const struct draft *d, const struct draft_test *t, size_t place,
		struct problems *p)
{
	const struct draft_target *target = &d->targets[cell->target];
	const struct draft_workload *load = &d->workloads[cell->workload];
	struct workload *w = &cell->spec;
	mem_auto char *at = mem_printf("%s/targets/%zu", t->at, place);
	const struct draft_driver *drv;
	uint64_t missing;

	if (target->driver == NONE || load->bad)
		return;
	drv = &d->drivers[target->driver];
	missing = caps_needed(w) & ~drv->caps;
	if (missing)
		say_caps(drv, missing, at, target->name, p);
	if (!(drv->caps & IOW_CAP_FLUSH) && w->final_flush) {
		if (json_is_true(json_object_get(load->given, "final_flush")))
			say_caps(drv, IOW_CAP_FLUSH, at, target->name, p);
		w->final_flush = 0; /* it was derived: only where the driver can */
	}
	if ((drv->caps & IOW_CAP_NEEDS_DURABILITY) && w->durability == DURABILITY_NONE &&
	    (w->op == WORKLOAD_WRITE || w->op == WORKLOAD_MIXED))
		problem_add(p, at, NULL,
			    "target \"%s\": driver %s needs a \"durability\" in the workload: dsync, sync or flush",
			    target->name, drv->name);
	if ((drv->caps & IOW_CAP_NO_DATA) && w->verify)
		problem_add(p, at, NULL, "target \"%s\": driver %s moves no data to verify", target->name,
			    drv->name);
	if (drv->threads && w->jobs > drv->threads)
		problem_add(p, at, NULL, "target \"%s\": driver %s allows %lld jobs, the workload has %lld",
			    target->name, drv->name, (long long)drv->threads, (long long)w->jobs);
}

/* ---- names ---- */

static const char *variant_name(const struct plan_test *t, int32_t variant)
{
	return jsonx_str(json_array_get(t->variants, (size_t)variant), "name", "");
}

static void key_part(struct buf *b, const char *dim, const char *value)
{
	struct buf esc = BUF_INIT;

	jsonx_pointer_add(&esc, value);
	if (b->len)
		buf_putc(b, '/');
	if (dim)
		buf_printf(b, "%s=", dim);
	buf_puts(b, buf_str(&esc) + 1);
	buf_release(&esc);
}

static char *make_key(const struct cells *c, const struct cell *cell)
{
	const struct plan_test *t = &c->tests[cell->test];
	struct buf b = BUF_INIT;

	key_part(&b, NULL, t->name);
	key_part(&b, NULL, c->targets[cell->target].name);
	key_part(&b, NULL, c->workloads[cell->workload].name);
	for (size_t i = 0; i < cell->n_sweep; i++) {
		struct buf v = BUF_INIT;

		if (json_is_string(cell->sweep[i].value))
			buf_puts(&v, json_string_value(cell->sweep[i].value));
		else
			jsonx_write(&v, cell->sweep[i].value, 0);
		key_part(&b, cell->sweep[i].dim, buf_str(&v));
		buf_release(&v);
	}
	if (cell->variant >= 0)
		key_part(&b, "variant", variant_name(t, cell->variant));
	if (cell->company == COMPANY_TOGETHER)
		key_part(&b, "company", "together");
	if (cell->pass > 1)
		buf_printf(&b, "/pass=%u", cell->pass);
	if (cell->control)
		buf_puts(&b, "/control");
	return buf_take(&b);
}

static bool several_workloads(const struct cells *c, uint32_t test)
{
	uint32_t first = NONE;

	for (size_t i = 0; i < c->n_cells; i++) {
		if (c->cells[i].test != test)
			continue;
		if (first != NONE && c->cells[i].workload != first)
			return true;
		first = c->cells[i].workload;
	}
	return false;
}

static const char *repeat_word(const struct workload *w)
{
	return w->op == WORKLOAD_READ ? "repeat read" : w->op == WORKLOAD_WRITE ? "repeat write" : "repeat";
}

static char *make_label(const struct cells *c, const struct cell *cell, bool workload)
{
	const struct plan_test *t = &c->tests[cell->test];
	struct buf b = BUF_INIT;

	buf_puts(&b, c->targets[cell->target].name);
	if (workload)
		buf_printf(&b, ", %s", c->workloads[cell->workload].name);
	for (size_t i = 0; i < cell->n_sweep; i++)
		buf_printf(&b, ", %s", cell->sweep[i].text);
	if (cell->variant >= 0)
		buf_printf(&b, ", %s", variant_name(t, cell->variant));
	if (t->mode == MODE_SOLO_THEN_TOGETHER)
		buf_puts(&b, cell->company == COMPANY_TOGETHER ? ", together" : ", alone");
	if (cell->pass > 1)
		buf_printf(&b, ", %s", repeat_word(&cell->spec));
	if (cell->control)
		buf_puts(&b, ", control");
	return buf_take(&b);
}

static int by_label(const void *a, const void *b)
{
	const struct cell *x = *(struct cell *const *)a, *y = *(struct cell *const *)b;
	int order = x->test < y->test ? -1 : x->test > y->test;

	if (!order)
		order = strcmp(x->label, y->label);
	return order ? order : x->id < y->id ? -1 : 1;
}

/* Names of targets may themselves look like a label with a comma: those get a number. */
static bool number_same_labels(struct cells *c)
{
	struct cell **sorted = mem_array(c->n_cells ? c->n_cells : 1, sizeof *sorted);
	bool changed = false;

	for (size_t i = 0; i < c->n_cells; i++)
		sorted[i] = &c->cells[i];
	qsort(sorted, c->n_cells, sizeof *sorted, by_label);
	for (size_t i = 1; i < c->n_cells; i++) {
		size_t same = 1;

		while (i < c->n_cells && sorted[i]->test == sorted[i - same]->test &&
		       strcmp(sorted[i]->label, sorted[i - same]->label) == 0) {
			char *label = mem_printf("%s (%zu)", sorted[i]->label, ++same);

			free(sorted[i]->label);
			sorted[i++]->label = label;
			changed = true;
		}
	}
	free(sorted);
	return changed;
}

void cells_name(struct cells *c)
{
	uint32_t test = NONE;
	bool workload = false;

	for (size_t i = 0; i < c->n_cells; i++) {
		struct cell *cell = &c->cells[i];

		if (cell->test != test)
			workload = several_workloads(c, cell->test);
		test = cell->test;
		free(cell->key);
		free(cell->label);
		cell->key = make_key(c, cell);
		cell->label = make_label(c, cell, workload);
	}
	while (number_same_labels(c))
		;
}
