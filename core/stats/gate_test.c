/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/gates.h"

#include "base/num.h"
#include "base/vec.h"
#include "stats/compare.h"
#include "stats/control.h"

#include <math.h>
#include <string.h>

#define ORDER_ALPHA 0.05

static bool same_sweep(const struct cell *a, const struct cell *b)
{
	size_t i;

	if (a->n_sweep != b->n_sweep)
		return false;
	for (i = 0; i < a->n_sweep; i++)
		if (strcmp(a->sweep[i].dim, b->sweep[i].dim) != 0 ||
		    !json_equal(a->sweep[i].value, b->sweep[i].value))
			return false;
	return true;
}

/* The arm that a control arm duplicates; UINT32_MAX: none. */
static uint32_t twin_of(const struct cells *c, uint32_t control)
{
	const struct cell *a = &c->cells[control];
	uint32_t i;

	for (i = 0; i < c->n_cells; i++) {
		const struct cell *b = &c->cells[i];

		if (!b->control && b->test == a->test && b->target == a->target &&
		    b->workload == a->workload && b->pass == a->pass && b->company == a->company &&
		    b->variant == a->variant && same_sweep(a, b))
			return i;
	}
	return UINT32_MAX;
}

/* Metrics that questions within a test are about, with the smallest margin of each. */
struct asked {
	const struct metric *metric;
	double margin;
};

/* ln (control / twin) over complete blocks. */
static void identical_arms(const struct judge *j, uint32_t control, uint32_t twin, const struct asked *a,
			   struct control *out)
{
	uint32_t cells[2] = { control, twin };
	struct tuples t;
	mem_auto double *d = NULL;
	size_t i, n = 0;

	judge_tuples(j, cells, 2, &t);
	d = mem_array(t.n + 1, sizeof *d);
	for (i = 0; i < t.n; i++) {
		double x = judge_value(j, a->metric, t.at[i].runs[0], true, NULL);
		double y = judge_value(j, a->metric, t.at[i].runs[1], true, NULL);

		n += compare_log_ratios(&d[n], a->metric->higher_is_better ? &x : &y,
					a->metric->higher_is_better ? &y : &x, 1) == 0;
	}
	control_judge(out, d, n, a->margin);
	tuples_release(&t);
}

static void aa_result(struct gate *g, const struct control *c, double margin)
{
	char part[40], seen[40];

	num_fixed(100 * expm1(fabs(log(c->ratio))), 1, part);
	num_fixed(100 * c->smallest, 1, seen);
	gate_number(g, c->ratio, 1 + margin / 2, "1");
	g->lo = c->ci99.lo;
	g->hi = c->ci99.hi;
	gate_basis(g, "identical arms, %zu blocks; a difference of %s%% would be seen in four of five", c->log.n,
		   seen);
	if (c->state == CONTROL_NONE)
		gate_say(g, GATE_NOT_VERIFIABLE, "fewer than 2 complete blocks");
	else if (c->state == CONTROL_VOID)
		gate_say(g, GATE_FAILS, "identical arms differ by %s%%", part);
	else if (c->state == CONTROL_CAVEAT)
		gate_say(g, GATE_HOLDS, "identical arms differ by %s%%; no ratio nearer to 1 is claimed", part);
	else
		g->state = GATE_HOLDS;
}

static void add_asked(struct asked **a, size_t *n, const struct metric *m, double margin)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if ((*a)[i].metric == m) {
			(*a)[i].margin = fmin((*a)[i].margin, margin);
			return;
		}
	*VEC_ADD(*a, *n) = (struct asked){ m, margin };
}

static struct asked *find_asked(const struct cells *c, uint32_t test, size_t *n)
{
	struct asked *a = NULL;
	size_t i, k;

	*n = 0;
	for (i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		for (k = 0; k < q->n_pairs; k++)
			if (q->pairs[k].subject < c->n_cells && c->cells[q->pairs[k].subject].test == test)
				break;
		if (k < q->n_pairs)
			add_asked(&a, n, metric_find(q->metric), q->margin > 0 ? q->margin : 0.05);
	}
	if (!*n)
		add_asked(&a, n, metric_find("throughput"), 0.05);
	return a;
}

void gate_aa(struct judge *j, uint32_t test)
{
	const struct cells *c = &j->b->cells;
	mem_auto uint32_t *controls = NULL;
	size_t n_controls = 0, n_asked, i, k;
	mem_auto struct asked *asked = find_asked(c, test, &n_asked);
	uint32_t cell;

	for (cell = 0; cell < c->n_cells; cell++)
		if (c->cells[cell].test == test && c->cells[cell].control)
			*VEC_ADD(controls, n_controls) = cell;
	if (!n_controls)
		gate_say(gate_new(j, GATE_AA, UINT32_MAX, test), GATE_NOT_APPLICABLE,
			 "the test has no control arm");
	for (i = 0; i < n_controls; i++) {
		uint32_t twin = twin_of(c, controls[i]);

		for (k = 0; k < n_asked; k++) {
			struct gate *g = gate_new(j, GATE_AA, UINT32_MAX, test);
			struct control out;

			g->metric = asked[k].metric;
			if (twin == UINT32_MAX) {
				gate_say(g, GATE_NOT_VERIFIABLE, "the control arm has no twin");
				continue;
			}
			identical_arms(j, controls[i], twin, &asked[k], &out);
			aa_result(g, &out, asked[k].margin);
		}
	}
}

double gate_aa_floor(const struct judge *j, uint32_t test, const struct metric *m)
{
	double floor = 0;
	size_t i;

	for (i = j->r->first_gate[GATE_AA]; i < j->r->first_gate[GATE_AA + 1]; i++) {
		const struct gate *g = &j->r->gates[i];

		if (g->state != GATE_FAILS && g->test == test && g->metric == m && g->reason &&
		    (g->lo > 1 || g->hi < 1))
			floor = fmax(floor, fabs(log(g->number)));
	}
	return floor;
}

void gate_order(struct judge *j, uint32_t test)
{
	const struct cells *c = &j->b->cells;
	const struct comparison *worst = NULL;
	struct gate *g = &j->r->gates[j->r->first_gate[GATE_ORDER] + test];
	size_t i, n = 0;
	char part[40];

	for (i = 0; i < j->r->n_comparisons; i++) {
		const struct comparison *k = &j->r->comparisons[i];

		if (c->cells[k->subject].test != test || isnan(k->gamma_p))
			continue;
		n++;
		if (!worst || k->gamma_p < worst->gamma_p)
			worst = k;
	}
	if (!n) {
		gate_say(g, GATE_NOT_APPLICABLE, "no comparison whose arms took turns in being first");
		return;
	}
	g->metric = worst->metric;
	num_fixed(100 * expm1(2 * fabs(worst->gamma)), 1, part);
	gate_number(g, fmin(1, worst->gamma_p * (double)n), ORDER_ALPHA, "p");
	gate_basis(g, "effect of being first on the ratio, strongest of %zu comparisons: %s%%", n, part);
	if (g->number < ORDER_ALPHA)
		gate_say(g, GATE_FAILS, "the arm that runs first is favoured or hampered by %s%%", part);
	else
		g->state = GATE_HOLDS;
}
