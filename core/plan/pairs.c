/* SPDX-License-Identifier: Apache-2.0 */
/* Which cell is compared with which. */
#include "base/vec.h"
#include "plan/question.h"
#include "plan/select.h"

static bool same_sweep(const struct cell *a, const struct cell *b, except_fn *except, const void *ctx)
{
	if (a->n_sweep != b->n_sweep)
		return false;
	for (size_t i = 0; i < a->n_sweep; i++)
		if (!json_equal(a->sweep[i].value, b->sweep[i].value) && !except(ctx, a->sweep[i].dim))
			return false;
	return true;
}

bool cells_equal_but(const struct cell *a, const struct cell *b, except_fn *except, const void *ctx)
{
	/* A target is on one node: who names the node means its targets. */
	if (a->target != b->target && !except(ctx, "target") && !except(ctx, "node"))
		return false;
	if (a->workload != b->workload && !except(ctx, "workload"))
		return false;
	if (a->pass != b->pass && !except(ctx, "pass"))
		return false;
	if (a->company != b->company && !except(ctx, "company"))
		return false;
	if (a->variant != b->variant && !except(ctx, "variant"))
		return false;
	return a->test == b->test && same_sweep(a, b, except, ctx);
}

void question_pair(struct question *q, uint32_t subject, uint32_t against)
{
	struct pair *p = VEC_ADD(q->pairs, q->n_pairs);

	p->subject = subject;
	p->against = against;
}

/* ---- compare ---- */

struct sides {
	const struct selector *subject, *against;
};

static bool named_by_a_side(const void *ctx, const char *dim)
{
	const struct sides *s = ctx;

	return selector_names(s->subject, dim) || selector_names(s->against, dim);
}

static bool in_test(const struct cells *c, const struct cell *cell, const char *test)
{
	return !cell->control && (!test || strcmp(c->tests[cell->test].name, test) == 0);
}

/* Cells of one test that a selector matches: ids, *n of them; free(). */
static uint32_t *matches(const struct cells *c, const struct selector *s, uint32_t test, size_t *n)
{
	uint32_t *ids = NULL;

	*n = 0;
	for (uint32_t i = 0; i < c->n_cells; i++)
		if (c->cells[i].test == test && !c->cells[i].control &&
		    selector_matches(s, c, &c->cells[i]))
			*VEC_ADD(ids, *n) = i;
	return ids;
}

struct match {
	struct question *q;
	const struct cells *c;
	struct sides sides;
	const char *at;
	struct problems *p; /* NULL: say nothing */
};

/* Adds the pairs of one test; false when the sides do not match one to one. */
static bool match_test(struct match *m, uint32_t test)
{
	size_t n_s, n_a;
	uint32_t *s = matches(m->c, m->sides.subject, test, &n_s);
	uint32_t *a = matches(m->c, m->sides.against, test, &n_a);
	uint32_t *used = mem_array(n_a + 1, sizeof *used);
	bool good = true;

	for (size_t i = 0; i < n_s && n_a && good; i++) {
		size_t found = 0, which = 0;

		for (size_t k = 0; k < n_a; k++)
			if (a[k] != s[i] && cells_equal_but(&m->c->cells[s[i]], &m->c->cells[a[k]],
							    named_by_a_side, &m->sides))
				found++, which = k;
		good = found == 1 && !used[which]++;
		if (good)
			question_pair(m->q, s[i], a[which]);
		else if (m->p)
			problem_add(m->p, m->at, NULL,
				    "test \"%s\": \"%s\" has %zu counterparts in \"%s\", and one to one is "
				    "needed; name more dimensions",
				    m->c->tests[test].name, m->c->cells[s[i]].label, found,
				    m->sides.against->text);
	}
	for (size_t k = 0; k < n_a && n_s && good; k++) {
		good = used[k] == 1;
		if (!good && m->p)
			problem_add(m->p, m->at, NULL,
				    "test \"%s\": \"%s\" has no counterpart in \"%s\", and one to one is needed; "
				    "name more dimensions",
				    m->c->tests[test].name, m->c->cells[a[k]].label, m->sides.subject->text);
	}
	free(s);
	free(a);
	free(used);
	return good;
}

static void add_word(struct buf *b, const char *word)
{
	buf_printf(b, "%s%s", b->len ? "," : "", word);
}

/* The named dimensions in which the two cells of the first pair differ. */
static char *named_dims(const struct question *q, const struct cells *c, const struct sides *sides)
{
	const struct cell *s = &c->cells[q->pairs[0].subject], *a = &c->cells[q->pairs[0].against];
	struct buf b = BUF_INIT;

	for (size_t i = 0; cell_dims[i]; i++) {
		json_t *x = cell_value(c, s, cell_dims[i]), *y = cell_value(c, a, cell_dims[i]);

		if (named_by_a_side(sides, cell_dims[i]) && x && y && !json_equal(x, y))
			add_word(&b, cell_dims[i]);
		json_decref(x);
		json_decref(y);
	}
	for (size_t i = 0; i < s->n_sweep; i++)
		if (!json_equal(s->sweep[i].value, a->sweep[i].value))
			add_word(&b, s->sweep[i].dim);
	return b.data ? buf_take(&b) : mem_strdup("target");
}

void pairs_compare(struct question *q, const struct cells *c, const struct draft *d,
		   const struct selector *subject, const struct selector *against, const char *test,
		   const char *at, struct problems *p)
{
	struct match m = { q, c, { subject, against }, at, d->broken ? NULL : p };
	bool good = true;

	for (uint32_t i = 0; i < c->n_tests; i++)
		if (!test || strcmp(c->tests[i].name, test) == 0)
			good &= match_test(&m, i);
	if (good && !q->n_pairs && !d->broken)
		problem_add(p, at, NULL, "no test%s%s%s has cells of both \"%s\" and \"%s\"",
			    test ? " \"" : "", test ? test : "", test ? "\"" : "", subject->text,
			    against->text);
	if (q->n_pairs && !q->named)
		q->named = named_dims(q, c, &m.sides);
}

/* ---- levels of one dimension ---- */

static bool is_dim(const void *ctx, const char *dim)
{
	return strcmp(ctx, dim) == 0;
}

static bool wanted(const struct cells *c, const struct cell *cell, const struct selector *of,
		   const char *test)
{
	return in_test(c, cell, test) && (!of || selector_matches(of, c, cell));
}

static bool has_dim(const struct cells *c, const struct cell *cell, const char *dim)
{
	json_t *v = cell_value(c, cell, dim);

	json_decref(v);
	return v != NULL;
}

void pairs_levels(struct question *q, const struct cells *c, const struct selector *of, const char *dim,
		  const char *test)
{
	for (uint32_t i = 0; i < c->n_cells; i++) {
		if (!wanted(c, &c->cells[i], of, test) || !has_dim(c, &c->cells[i], dim))
			continue;
		for (uint32_t k = i + 1; k < c->n_cells; k++)
			if (c->cells[k].test == c->cells[i].test && wanted(c, &c->cells[k], of, test) &&
			    cells_equal_but(&c->cells[i], &c->cells[k], is_dim, dim))
				question_pair(q, k, i);
	}
	if (q->n_pairs && !q->named)
		q->named = mem_strdup(dim);
}
