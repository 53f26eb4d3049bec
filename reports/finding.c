/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/finding.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/rules.h"

#include <stdlib.h>
#include <string.h>

struct rule {
	const char *name;
	rule_fn *find;
};

static const struct rule rules[] = {
	{ "compare", rule_compare },   { "answers", rule_answers },     { "many", rule_many },         { "claims", rule_claims },
	{ "failures", rule_failures },
	{ "cached", rule_cached },     { "cpu", rule_cpu },             { "bottleneck", rule_bottleneck },
	{ "order", rule_order },       { "modes", rule_modes },         { "amplified", rule_amplified },
	{ "unequal", rule_unequal },   { "stall", rule_stall },         { "cliff", rule_cliff },
	{ "latency", rule_latency },   { "drift", rule_drift },         { "plateau", rule_plateau },
	{ "capped", rule_capped },     { "split", rule_split },         { "remote", rule_remote },
	{ "implausible", rule_implausible }, { "usl", rule_usl },
};

const char *finding_kind_name(enum finding_kind k)
{
	static const char *const name[] = { "comparison", "answer", "exploratory", "claim", "limit", "failure", "opinion",
					    "change" };

	return name[k];
}

struct finding *finding_add(struct findings *f, enum finding_kind kind, const char *rule, char *anchor_take)
{
	struct finding *x = VEC_ADD(f->list, f->n);

	x->kind = kind;
	x->rule = mem_strdup(rule);
	x->anchor = anchor_take;
	x->comparison = x->judgement = -1;
	x->concluded = true;
	return x;
}

void finding_run(struct finding *f, uint32_t run)
{
	*VEC_ADD(f->runs, f->n_runs) = run;
}

void finding_caveat(struct finding *f, char *text_take)
{
	char *old = f->caveat;

	if (!text_take || !*text_take) {
		free(text_take);
		return;
	}
	f->caveat = old ? mem_printf("%s %s", old, text_take) : mem_strdup(text_take);
	free(old);
	free(text_take);
}

static int compare_runs(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_runs(struct finding *f)
{
	size_t kept = 0;

	if (!f->n_runs)
		return;
	qsort(f->runs, f->n_runs, sizeof *f->runs, compare_runs);
	for (size_t i = 0; i < f->n_runs; i++)
		if (!kept || f->runs[kept - 1] != f->runs[i])
			f->runs[kept++] = f->runs[i];
	f->n_runs = kept;
}

/* Contradicted claims and failed limits first, then decided, equivalent, the rest as it comes. */
static int group(const struct finding *f)
{
	if (f->kind == FINDING_OPINION)
		return 9;
	if (f->kind == FINDING_EXPLORATORY)
		return 8;
	if (f->kind == FINDING_FAILURE)
		return 0;
	switch (f->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
	case VERDICT_MATTERS:
	case VERDICT_CACHED:
	case VERDICT_NOT_CACHED:
	case VERDICT_CPU_BOUND:
	case VERDICT_NOT_CPU_BOUND:
	case VERDICT_NOT_STEADY:
		return 1;
	case VERDICT_CONTRADICTED:
	case VERDICT_NOT_MET:
		return 2;
	case VERDICT_SUPPORTED:
	case VERDICT_MET:
		return 3;
	case VERDICT_EQUIVALENT:
	case VERDICT_NEGLIGIBLE:
	case VERDICT_STEADY:
		return 4;
	case VERDICT_INCONCLUSIVE:
	case VERDICT_NOT_DECIDABLE:
		return 5;
	default:
		return 6;
	}
}

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int gx = group(x), gy = group(y);

	if (gx != gy)
		return gx - gy;
	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return strcmp(x->anchor, y->anchor);
}

void findings_sort(struct findings *f)
{
	if (f->n)
		qsort(f->list, f->n, sizeof *f->list, compare_findings);
}

void findings_build(struct findings *f, const struct results *r, const struct wording *w)
{
	memset(f, 0, sizeof *f);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		rules[i].find(f, r, w);
	for (size_t i = 0; i < f->n; i++)
		sort_runs(&f->list[i]);
	rules_waived(f, r, w);
	findings_sort(f);
}

void findings_release(struct findings *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++) {
		struct finding *x = &f->list[i];
		char *const owned[] = { x->rule, x->anchor, x->word, x->key, x->key_note, x->sentence, x->caveat,
					x->basis, x->confirm, x->refute, (char *)x->runs };

		for (size_t k = 0; k < ARRAY_LEN(owned); k++)
			free(owned[k]);
	}
	free(f->list);
	memset(f, 0, sizeof *f);
}
