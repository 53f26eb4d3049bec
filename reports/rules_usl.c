/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/rules.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>

#define FOLLOWS 0.05 /* rms of the residuals of the logs: beyond it the law says nothing */

/* Rates that follow the universal scalability law over the levels of a load. */
void rule_usl(struct findings *f, const struct results *r, const struct wording *w)
{
	for (size_t i = 0; i < r->n_usls; i++) {
		const struct usl_result *u = &r->usls[i];
		const struct question *q = &r->bundle->cells.questions[u->question];
		mem_auto char *lambda = say_value(metric_find(q->metric), u->lambda), *levels = mem_printf("%u", u->levels);
		char sigma[40], kappa[40], at[40], rms[40];
		struct finding *x;

		if (!(u->rms <= FOLLOWS))
			continue;
		num_sig(u->sigma, 3, sigma);
		num_sig(u->kappa, 3, kappa);
		num_sig(u->peak, 3, at);
		say_percent(u->rms, rms);
		mem_auto char *peak = wording_fill(w, isfinite(u->peak) ? "opinion.usl.peak" : "opinion.usl.nopeak", "at", at, NULL);
		x = rules_opinion(f, r, w, "usl", UINT32_MAX, q->label);
		free(x->anchor);
		x->anchor = mem_printf("opinion-usl-%zu", i + 1);
		free(x->sentence);
		x->sentence = wording_fill(w, "opinion.usl.say", "cell", q->label, "levels", levels, "dimension",
					   wording_or(w, "dimension", u->dim), NULL);
		say_capital(x->sentence);
		x->basis = wording_fill(w, "opinion.usl.basis", "lambda", lambda, "sigma", sigma, "kappa", kappa, "peak", peak,
					"rms", rms, NULL);
		for (size_t k = 0; k < q->n_pairs; k++) {
			rules_runs_of_cell(x, r, q->pairs[k].subject);
			rules_runs_of_cell(x, r, q->pairs[k].against);
		}
		x->weight = u->sigma;
	}
}
