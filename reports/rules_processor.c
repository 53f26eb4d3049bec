/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>

/* Runs that are consistent with CPU-bound, leg 1, where no question has decided it. */

/* Has a question answered it by an experiment? Then a mere sign of it is no news. */
static bool is_decided(const struct results *r, uint32_t cell)
{
	for (size_t i = 0; i < r->n_judgements; i++)
		for (size_t k = 0; k < r->judgements[i].n_cells; k++) {
			const struct judged_cell *c = &r->judgements[i].cells[k];

			if (c->cell == cell && (c->leg2 == VERDICT_CPU_BOUND || c->leg2 == VERDICT_NOT_CPU_BOUND))
				return true;
		}
	return false;
}

/* Leg 1: (CPU + run-queue wait) / wall of the busiest I/O thread, the least over the runs of the cell;
 * 0: below the limit, or not to be judged. */
static double busy_always(const struct results *r, uint32_t cell)
{
	const struct cells *cs = &r->bundle->cells;
	const struct cell_result *c = &r->cells[cell];
	double least = INFINITY;

	if (cs->cells[cell].spec.poll || c->n_runs < 5 || cell_capacity(cs, &cs->cells[cell]) < 1)
		return 0;
	for (size_t i = 0; i < c->n_runs; i++) {
		const struct kept_run *run = &r->bundle->runs[c->runs[i]];

		if (run->busy_cpu_ns < 0 || run->wall_ns <= 0 || run->busy_wait_ns < 0)
			return 0;
		least = fmin(least, (double)(run->busy_cpu_ns + run->busy_wait_ns) / (double)run->wall_ns);
	}
	return least >= .95 && !is_decided(r, cell) ? least : 0;
}

char *rules_machine(const struct results *r, const struct wording *w, uint32_t cell)
{
	char busy[40];

	if (!isfinite(r->cells[cell].machine_busy))
		return NULL;
	num_fixed(r->cells[cell].machine_busy, 1, busy);
	return wording_fill(w, "cpu.machine", "busy", busy, NULL);
}

static char *basis_cpu(const struct results *r, const struct wording *w, uint32_t cell)
{
	char share[40], waited[40];

	num_fixed(fmin(busy_always(r, cell), 1), 2, share);
	say_percent(r->cells[cell].wait_share, waited);
	mem_auto char *basis = wording_fill(w, "opinion.cpu.basis", "share", share, "wait", waited, NULL);
	mem_auto char *machine = rules_machine(r, w, cell);

	return mem_printf("%s%s%s", basis, machine ? " " : "", machine ? machine : "");
}

void rule_cpu(struct findings *f, const struct results *r, const struct wording *w)
{
	rules_by_target(f, r, w, "cpu", busy_always, basis_cpu);
}
