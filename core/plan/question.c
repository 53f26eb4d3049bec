/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/question.h"
#include "base/err.h"
#include "base/num.h"
#include "base/vec.h"
#include "plan/quote.h"
#include "plan/select.h"
#include "plan/tables.h"

#include <math.h>

/* One object of the plan while it is read. */
struct asked {
	struct cells *c;
	const struct draft *d;
	struct problems *p;
	const json_t *o;
	json_t *conf; /* resolved question_keys or claim_keys */
	char *at;
	bool claim;
	uint32_t kind;
	const char *key; /* of the kind: "compare" */
	const char *metric, *test, *label;
	double at_least, at_most;
	struct plan_quote *quotes; /* texts of `conf` */
	size_t n_quotes;
};

static const struct {
	const char *key;
	uint32_t kind;
	bool claim; /* a claim may be of this kind */
} kinds[] = {
	{ "compare", QUESTION_COMPARE, true },
	{ "sensitivity", QUESTION_SENSITIVITY, false },
	{ "cache", QUESTION_CACHE, false },
	{ "scaling", QUESTION_SCALING, true },
	{ "limit", QUESTION_LIMIT, true },
	{ "steady", QUESTION_STEADY, false },
	{ "cpu", QUESTION_CPU, false },
};

struct question *question_add(struct cells *c, uint32_t kind, bool declared, const char *metric,
			      double margin, char *label_take)
{
	struct question *q = VEC_ADD(c->questions, c->n_questions);

	q->id = (uint32_t)(c->n_questions - 1);
	q->kind = kind;
	q->declared = declared;
	q->metric = mem_strdup(metric);
	q->margin = margin;
	q->label = label_take;
	q->at_least = q->at_most = NAN;
	return q;
}

static struct question *ask(struct asked *a, char *label_take)
{
	char *label = a->label ? mem_strdup(a->label) : label_take;
	struct question *q = question_add(a->c, a->kind, true, a->metric,
					  jsonx_real(a->conf, "margin", QUESTION_MARGIN), label);

	if (a->label)
		free(label_take);
	q->claim = a->claim;
	q->at_least = a->at_least;
	q->at_most = a->at_most;
	q->where = mem_strdup(a->at);
	q->says = mem_strdup(jsonx_str(a->conf, "says", NULL));
	q->by = mem_strdup(jsonx_str(a->conf, "by", NULL));
	for (size_t i = 0; i < a->n_quotes; i++)
		*VEC_ADD(q->quotes, q->n_quotes) = (struct plan_quote){ mem_strdup(a->quotes[i].subject),
			mem_strdup(a->quotes[i].against), mem_strdup(a->quotes[i].says) };
	return q;
}

/* ---- compare ---- */

static char *place_of(const struct asked *a, const char *key, size_t i)
{
	return mem_printf("%s/%s/%zu", a->at, key, i);
}

/* Each subject is a question of its own; a claim is one over all of them. */
static void ask_compare(struct asked *a)
{
	const json_t *list = json_object_get(a->o, "compare"), *other = json_object_get(a->o, "against");
	mem_auto char *against_at = mem_printf("%s/against", a->at);
	struct question *q = NULL;
	struct selector against;
	bool one = !json_is_array(list);

	if (!other) {
		problem_add(a->p, a->at, NULL, "\"compare\" needs \"against\", a selector");
		return;
	}
	if (!one && !json_array_size(list))
		problem_add(a->p, a->at, "compare", "\"compare\" is a selector or an array of at least one");
	selector_read(&against, a->d, other, against_at, a->p);
	for (size_t i = 0; i < (one ? 1 : json_array_size(list)); i++) {
		mem_auto char *at = one ? mem_printf("%s/compare", a->at) : place_of(a, "compare", i);
		struct selector subject;
		int rc = selector_read(&subject, a->d, one ? list : json_array_get(list, i), at, a->p);

		if (!q || !a->claim)
			q = ask(a, mem_printf("%s : %s", subject.text, against.text));
		if (!rc && !against.bad)
			pairs_compare(q, a->c, a->d, &subject, &against, a->test, at, a->p);
		selector_release(&subject);
	}
	selector_release(&against);
}

/* ---- sensitivity and cache ---- */

static void say_nothing_matches(struct asked *a, const char *key, const char *what)
{
	if (!a->d->broken)
		problem_add(a->p, a->at, key, "%s", what);
}

static void ask_sensitivity(struct asked *a)
{
	const json_t *narrow = json_object_get(a->o, "of");
	mem_auto char *at = mem_printf("%s/of", a->at);
	const char *dim = jsonx_str(a->conf, "sensitivity", "");
	struct selector of;
	struct question *q;
	bool bad = false;

	if (narrow)
		bad = selector_read(&of, a->d, narrow, at, a->p) != 0;
	q = ask(a, narrow ? mem_printf("%s, sensitivity to %s", of.text, dim)
			  : mem_printf("sensitivity to %s", dim));
	if (!bad)
		pairs_levels(q, a->c, narrow ? &of : NULL, dim, a->test);
	if (!bad && !q->n_pairs)
		say_nothing_matches(a, "sensitivity", "no test has two cells that differ in this key alone");
	if (narrow)
		selector_release(&of);
}

static void ask_cache(struct asked *a, const struct selector *s)
{
	struct question *q = ask(a, mem_printf("%s, second pass : first", s->text));

	pairs_levels(q, a->c, s, "pass", a->test);
	if (!q->n_pairs)
		say_nothing_matches(a, "cache", "no test with \"passes\": 2 has such cells");
}

/* ---- scaling ---- */

static bool but_company(const void *ctx, const char *dim)
{
	(void)ctx;
	return strcmp(dim, "company") == 0;
}

static bool but_target(const void *ctx, const char *dim)
{
	(void)ctx;
	return strcmp(dim, "target") == 0 || strcmp(dim, "node") == 0;
}

/* The cells that run together with `first` (in q->cells), then the same alone; pairs of both. */
static void fill_scaling(struct question *q, const struct cells *c, uint32_t first, const bool *chosen)
{
	uint32_t *alone = NULL;
	size_t n_alone = 0;

	for (uint32_t i = first; i < c->n_cells; i++) {
		if (!chosen[i] || c->cells[i].company != COMPANY_TOGETHER ||
		    !cells_equal_but(&c->cells[first], &c->cells[i], but_target, NULL))
			continue;
		for (uint32_t k = 0; k < c->n_cells; k++) {
			if (c->cells[k].company != COMPANY_ALONE || c->cells[k].control ||
			    !cells_equal_but(&c->cells[i], &c->cells[k], but_company, NULL))
				continue;
			struct pair *p = VEC_ADD(q->pairs, q->n_pairs);

			p->subject = i;
			p->against = k;
			*VEC_ADD(q->cells, q->n_cells) = i;
			*VEC_ADD(alone, n_alone) = k;
		}
	}
	for (size_t i = 0; i < n_alone; i++)
		*VEC_ADD(q->cells, q->n_cells) = alone[i];
	q->named = mem_strdup("company");
	free(alone);
}

static char *scaling_label(const struct cells *c, uint32_t first)
{
	const struct cell *cell = &c->cells[first];
	struct buf b = BUF_INIT;

	buf_puts(&b, "together : alone");
	for (size_t i = 0; i < cell->n_sweep; i++)
		buf_printf(&b, ", %s", cell->sweep[i].text);
	if (cell->pass > 1)
		buf_puts(&b, ", repeat");
	return buf_take(&b);
}

/* Is cell i the first of those that run together? */
static bool leads(const struct cells *c, uint32_t i, const bool *chosen)
{
	const struct plan_test *t = &c->tests[c->cells[i].test];

	if (!chosen[i] || c->cells[i].company != COMPANY_TOGETHER || t->mode != MODE_SOLO_THEN_TOGETHER)
		return false;
	for (uint32_t k = 0; k < i; k++)
		if (chosen[k] && c->cells[k].company == COMPANY_TOGETHER &&
		    cells_equal_but(&c->cells[k], &c->cells[i], but_target, NULL))
			return false;
	return true;
}

static bool *choose(const struct cells *c, const struct selector *s, const char *test)
{
	bool *chosen = mem_array(c->n_cells + 1, sizeof *chosen);

	for (uint32_t i = 0; i < c->n_cells; i++)
		chosen[i] = !c->cells[i].control && (!s || selector_matches(s, c, &c->cells[i])) &&
			    (!test || strcmp(c->tests[c->cells[i].test].name, test) == 0);
	return chosen;
}

static void ask_scaling(struct asked *a, const struct selector *s)
{
	bool *chosen = choose(a->c, s, a->test), any = false;

	for (uint32_t i = 0; i < a->c->n_cells; i++) {
		if (!leads(a->c, i, chosen))
			continue;
		fill_scaling(ask(a, scaling_label(a->c, i)), a->c, i, chosen);
		any = true;
	}
	if (!any)
		say_nothing_matches(a, "scaling", "no test of mode solo-then-together has such cells");
	free(chosen);
}

void questions_derive_scaling(struct cells *c, uint32_t test)
{
	bool *chosen = choose(c, NULL, c->tests[test].name);

	for (uint32_t i = 0; i < c->n_cells; i++) {
		struct question *q;

		if (!leads(c, i, chosen))
			continue;
		q = question_add(c, QUESTION_SCALING, false, "throughput", QUESTION_MARGIN,
				 scaling_label(c, i));
		q->where = mem_strdup("");
		fill_scaling(q, c, i, chosen);
	}
	free(chosen);
}

/* ---- limit, steady, cpu ---- */

static void ask_cells(struct asked *a, const struct selector *s)
{
	bool *chosen = choose(a->c, s, a->test);
	struct question *q = ask(a, mem_strdup(s->text));

	for (uint32_t i = 0; i < a->c->n_cells; i++)
		if (chosen[i])
			*VEC_ADD(q->cells, q->n_cells) = i;
	if (!q->n_cells)
		say_nothing_matches(a, a->key, "the selector matches no cell");
	free(chosen);
}

static void ask_selected(struct asked *a)
{
	mem_auto char *at = mem_printf("%s/%s", a->at, a->key);
	struct selector s;

	if (selector_read(&s, a->d, json_object_get(a->o, a->key), at, a->p) == 0) {
		if (a->kind == QUESTION_CACHE)
			ask_cache(a, &s);
		else if (a->kind == QUESTION_SCALING)
			ask_scaling(a, &s);
		else
			ask_cells(a, &s);
	}
	selector_release(&s);
}

/* ---- reading one object ---- */

/* "100MiB/s", "5ms" or a number, in the unit of the metric's values. */
static int bound(const json_t *v, double *out)
{
	const char *s = json_string_value(v);
	size_t n = s ? strlen(s) : 0;
	uint64_t bytes;
	int64_t ns;
	int rc = -1;

	if (json_is_number(v)) {
		*out = json_number_value(v);
		return 0;
	}
	if (n > 2 && strcmp(s + n - 2, "/s") == 0) {
		mem_auto char *front = mem_strndup(s, n - 2);

		rc = num_parse_bytes(front, &bytes, NULL);
		*out = (double)bytes;
	} else if (s && (rc = num_parse_time(s, &ns, NULL)) == 0) {
		*out = (double)ns;
	}
	return rc;
}

/* The texts belong to the plan, which outlives what is read of it. */
static void read_quotes(struct asked *a)
{
	const json_t *list = json_object_get(a->o, "quotes");
	mem_auto char *at = mem_printf("%s/quotes", a->at);

	if (list && !json_array_size(list))
		problem_add(a->p, at, NULL, "\"quotes\" is an array of at least one object");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);
		mem_auto char *place = mem_printf("%s/%zu", at, i);
		struct plan_quote given = { (char *)(uintptr_t)jsonx_str(o, "subject", NULL),
					    (char *)(uintptr_t)jsonx_str(o, "against", NULL),
					    (char *)(uintptr_t)jsonx_str(o, "says", NULL) };
		size_t before = a->p->n;
		struct iow_error e = ERR_INIT;
		struct quote q;

		if (json_is_object(o))
			json_decref(keys_resolve(quote_keys, o, KEYS_PLAN, place, a->p));
		else
			problem_add(a->p, place, NULL, "a quote is an object");
		if (a->p->n != before)
			continue;
		if (quote_read(&q, &given, &e))
			problem_add(a->p, place, NULL, "%s", e.text);
		else
			*VEC_ADD(a->quotes, a->n_quotes) = given;
	}
}

static void read_bounds(struct asked *a)
{
	static const char *const keys[] = { "at_least", "at_most" };
	double *out[] = { &a->at_least, &a->at_most };

	for (size_t i = 0; i < 2; i++) {
		const json_t *v = json_object_get(a->o, keys[i]);

		*out[i] = NAN;
		if (v && bound(v, out[i]))
			problem_add(a->p, a->at, keys[i],
				    "\"%s\" is a number, or a text such as \"100MiB/s\" or \"5ms\"", keys[i]);
		else if (v && !a->claim && a->kind != QUESTION_LIMIT)
			problem_add_key(a->p, a->at, keys[i], "\"%s\" belongs to a limit or a claim",
					keys[i]);
	}
	if ((a->claim || a->kind == QUESTION_LIMIT) && !json_object_get(a->o, "at_least") &&
	    !json_object_get(a->o, "at_most"))
		problem_add(a->p, a->at, NULL, "a %s needs \"at_least\" or \"at_most\"",
			    a->claim ? "claim" : "limit");
	if (a->at_least > a->at_most)
		problem_add(a->p, a->at, "at_least", "\"at_least\" is above \"at_most\"");
}

static bool read_kind(struct asked *a)
{
	struct buf allowed = BUF_INIT;
	size_t found = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (a->claim && !kinds[i].claim)
			continue;
		buf_printf(&allowed, "%s%s", allowed.len ? ", " : "", kinds[i].key);
		if (!json_object_get(a->o, kinds[i].key))
			continue;
		a->kind = kinds[i].kind;
		a->key = kinds[i].key;
		found++;
	}
	if (found != 1)
		problem_add(a->p, a->at, NULL, "a %s has exactly one of %s",
			    a->claim ? "claim" : "question", buf_str(&allowed));
	buf_release(&allowed);
	return found == 1;
}

static void check_names(struct asked *a, const char *const *metrics)
{
	struct buf hint = BUF_INIT;
	bool found = !metrics;

	for (size_t i = 0; metrics && metrics[i]; i++)
		found |= strcmp(metrics[i], a->metric) == 0;
	if (!found) {
		name_hint(&hint, a->metric, metrics);
		problem_add(a->p, a->at, "metric", "no metric \"%s\"%s", a->metric, buf_str(&hint));
	}
	found = !a->test;
	for (size_t i = 0; a->test && i < a->d->n_tests; i++)
		found |= a->d->tests[i].name && strcmp(a->d->tests[i].name, a->test) == 0;
	if (!found)
		problem_add(a->p, a->at, "test", "no test \"%s\"", a->test);
	buf_release(&hint);
}

static void read_asked(struct asked *a, const char *const *metrics)
{
	if (!json_is_object(a->o)) {
		problem_add(a->p, a->at, NULL, "a %s is an object", a->claim ? "claim" : "question");
		return;
	}
	a->conf = keys_resolve(a->claim ? claim_keys : question_keys, a->o, KEYS_PLAN, a->at, a->p);
	a->metric = jsonx_str(a->conf, "metric", "throughput");
	a->test = jsonx_str(a->conf, "test", NULL);
	a->label = jsonx_str(a->conf, "label", NULL);
	check_names(a, metrics);
	if (a->claim)
		read_quotes(a);
	if (read_kind(a)) {
		read_bounds(a);
		if (a->kind == QUESTION_COMPARE)
			ask_compare(a);
		else if (a->kind == QUESTION_SENSITIVITY)
			ask_sensitivity(a);
		else
			ask_selected(a);
	}
	json_decref(a->conf);
}

static void read_list(struct cells *c, const struct draft *d, const char *part, const char *const *metrics,
		      struct problems *p)
{
	const json_t *list = json_object_get(d->plan->root, part);
	mem_auto char *at = mem_printf("/%s", part);

	if (list && !json_is_array(list))
		problem_add(p, at, NULL, "\"%s\" is an array", part);
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct asked a = { .c = c, .d = d, .p = p, .o = json_array_get(list, i) };

		a.claim = strcmp(part, "claims") == 0;
		a.at = mem_printf("%s/%zu", at, i);
		read_asked(&a, metrics);
		free(a.at);
		free(a.quotes);
	}
}

void questions_build(struct cells *c, const struct draft *d, const char *const *metrics,
		     struct problems *p)
{
	read_list(c, d, "questions", metrics, p);
	read_list(c, d, "claims", metrics, p);
}
