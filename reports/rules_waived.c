/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "reports/rules.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Which cell each run is of, by run number; and of each cell and kind the first gate that fails and is waived. */
struct waived {
	struct run_of {
		uint32_t run, cell;
	} *runs;
	size_t n_runs;
	uint32_t *first; /* [cell * GATES + kind]; NONE: no such gate */
};

static int by_run(const void *a, const void *b)
{
	const struct run_of *x = a, *y = b;

	return x->run != y->run ? (x->run > y->run) - (x->run < y->run) : (x->cell > y->cell) - (x->cell < y->cell);
}

static bool is_waived(const struct gate *g)
{
	return g->waived && g->state == GATE_FAILS && gate_voids(g->kind);
}

static uint32_t *no_gates(size_t n)
{
	uint32_t *first = mem_array(n * GATES + 1, sizeof *first);

	memset(first, 0xff, n * GATES * sizeof *first);
	return first;
}

/* A gate on a whole test counts for each of its cells. */
static void gates_init(struct waived *v, const struct results *r)
{
	const struct cells *cs = &r->bundle->cells;
	mem_auto uint32_t *of_test = no_gates(cs->n_tests);

	v->first = no_gates(r->n_cells);
	for (uint32_t i = 0; i < r->n_gates; i++) {
		const struct gate *g = &r->gates[i];
		uint32_t *first = g->cell < r->n_cells	? &v->first[(size_t)g->cell * GATES + g->kind]
				  : g->test < cs->n_tests ? &of_test[(size_t)g->test * GATES + g->kind]
							  : NULL;

		if (first && *first == NONE && is_waived(g))
			*first = i;
	}
	for (size_t c = 0; c < r->n_cells; c++) {
		for (size_t kind = 0; kind < GATES; kind++) {
			uint32_t *own = &v->first[c * GATES + kind], whole = of_test[cs->cells[c].test * GATES + kind];

			*own = whole < *own ? whole : *own;
		}
	}
}

static void waived_init(struct waived *v, const struct results *r)
{
	size_t n = 0;

	for (size_t c = 0; c < r->n_cells; c++)
		n += r->cells[c].n_runs;
	v->runs = mem_array(n + 1, sizeof *v->runs);
	v->n_runs = 0;
	for (uint32_t c = 0; c < r->n_cells; c++)
		for (size_t i = 0; i < r->cells[c].n_runs; i++)
			v->runs[v->n_runs++] = (struct run_of){ r->bundle->runs[r->cells[c].runs[i]].run, c };
	qsort(v->runs, v->n_runs, sizeof *v->runs, by_run);
	gates_init(v, r);
}

static void waived_release(struct waived *v)
{
	free(v->runs);
	free(v->first);
}

/* The first of the entries of a run; n_runs where there is none at or after it. */
static size_t entry_of(const struct waived *v, uint32_t run)
{
	size_t lo = 0, hi = v->n_runs;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v->runs[mid].run < run)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void caveats(struct finding *f, const struct waived *v, const struct results *r, const struct wording *w)
{
	uint32_t first[GATES];

	memset(first, 0xff, sizeof first);
	for (size_t i = 0; i < f->n_runs; i++) {
		for (size_t k = entry_of(v, f->runs[i]); k < v->n_runs && v->runs[k].run == f->runs[i]; k++) {
			const uint32_t *of = &v->first[(size_t)v->runs[k].cell * GATES];

			for (int kind = 0; kind < GATES; kind++)
				if (of[kind] < first[kind])
					first[kind] = of[kind];
		}
	}
	for (int kind = 0; kind < GATES; kind++) {
		mem_auto char *reason = first[kind] == NONE ? NULL : rules_gate_reason(r, w, (int)first[kind]);

		if (first[kind] != NONE)
			finding_caveat(f, wording_fill(w, "caveat.waived", "reason", reason ? reason : "", NULL));
	}
}

void rules_waived(struct findings *f, const struct results *r, const struct wording *w)
{
	struct waived v;
	bool any = false;

	for (size_t i = 0; i < r->n_gates && !any; i++)
		any = is_waived(&r->gates[i]);
	if (!any)
		return;
	waived_init(&v, r);
	for (size_t i = 0; i < f->n; i++) {
		struct finding *x = &f->list[i];

		if (x->kind != FINDING_OPINION && x->kind != FINDING_FAILURE && x->verdict != VERDICT_VOID)
			caveats(x, &v, r, w);
	}
	waived_release(&v);
}
