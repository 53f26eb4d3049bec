/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "base/num.h"
#include "reports/sections.h"

#include <math.h>

/* Claims and limits; apart from them, whether a claim follows from the figures it quotes. */

static char *span(const struct compose *x, double lo, double hi)
{
	char low[40], high[40];

	num_sig(lo, 3, low);
	num_sig(hi, 3, high);
	return wording_fill(x->w, "region.between", "low", low, "high", high, NULL);
}

static void quote_row(struct compose *x, struct doc_table *t, const struct question *q, const struct quote_result *r)
{
	static const enum doc_mark marks[] = { DOC_FAIL, DOC_STRONG, DOC_WARN };
	mem_auto char *follows = span(x, r->lo, r->hi), *stated = span(x, r->stated_lo, r->stated_hi);
	struct doc_row *row = doc_row(t, 0);

	doc_cell(row, "%s", q->says ? q->says : q->label);
	doc_cell(row, "%s", r->quote->subject);
	doc_cell(row, "%s", r->quote->against);
	doc_cell(row, "%s", r->quote->says);
	if (r->two_readings) {
		mem_auto char *time = span(x, r->time_lo, r->time_hi), *said = span(x, r->stated_time_lo, r->stated_time_hi);

		doc_cell(row, "%s; %s %s", follows, W(x, "arithmetic.astime"), time);
		doc_cell(row, "%s; %s %s", stated, W(x, "arithmetic.astime"), said);
	} else {
		doc_cell(row, "%s", follows);
		doc_cell(row, "%s", stated);
	}
	doc_mark(doc_cell(row, "%s", ""), marks[r->state], "%s", wording_of(x->w, "arithmetic", arithmetic_name(r->state)));
}

static struct doc_table *quote_table(struct compose *x)
{
	struct doc_table *t = doc_table(x->d, "arithmetic", "%s", W(x, "arithmetic.caption"));

	doc_column(t, DOC_LEFT, W(x, "arithmetic.claim"));
	doc_column(t, DOC_RIGHT, W(x, "arithmetic.subject"));
	doc_column(t, DOC_RIGHT, W(x, "arithmetic.against"));
	doc_column(t, DOC_LEFT, W(x, "arithmetic.says"));
	doc_column(t, DOC_RIGHT, W(x, "arithmetic.follows"));
	doc_column(t, DOC_RIGHT, W(x, "arithmetic.stated"));
	doc_column(t, DOC_LEFT, W(x, "arithmetic.result"));
	doc_add(&t->note, "%s", W(x, "arithmetic.note"));
	return t;
}

void section_claims(struct compose *x)
{
	struct doc_table *t = NULL;
	size_t n;

	doc_section(x->d, "claims", W(x, "claims.title"));
	n = compose_kind(x, FINDING_CLAIM) + compose_kind(x, FINDING_LIMIT);
	if (!n)
		compose_para(x, "claims.none", NULL);
	else
		doc_note(x->d, "%s", W(x, "claims.note"));
	doc_subhead(x->d, 2, "quoted", "%s", W(x, "arithmetic.title"));
	for (size_t i = 0; i < x->r->n_judgements; i++) {
		const struct judgement *j = &x->r->judgements[i];

		for (size_t k = 0; k < j->n_quotes; k++) {
			t = t ? t : quote_table(x);
			quote_row(x, t, &x->c->questions[j->question], &j->quotes[k]);
		}
	}
	if (!t)
		compose_para(x, "arithmetic.none", NULL);
}
