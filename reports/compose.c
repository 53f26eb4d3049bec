/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/compose.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/sections.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static section_fn *const sections[] = {
	section_cover,    section_summary,     section_attestation, section_items,     section_platform,
	section_method,   section_deviations,  section_gates,       section_results,   section_comparisons,
	section_claims,   section_diagnoses,   section_open,        section_history,   section_appendices,
};

const char *W(const struct compose *x, const char *key)
{
	return wording_get(x->w, key);
}

/* Pairs go through a small array, since two callees walk them. */
static char *fill_pairs(const struct compose *x, const char *key, va_list ap)
{
	const char *p[17] = { NULL };
	size_t n = 0;

	while (n < 16 && (p[n] = va_arg(ap, const char *)))
		n++;
	p[n] = NULL;
	return wording_fill(x->w, key, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11],
			    p[12], p[13], p[14], p[15], NULL);
}

void compose_para(struct compose *x, const char *key, ...)
{
	va_list ap;
	mem_auto char *s = NULL;

	va_start(ap, key);
	s = fill_pairs(x, key, ap);
	va_end(ap);
	doc_para(x->d, "%s", s);
}

struct doc_def *compose_def(struct compose *x, const char *prefix, ...)
{
	va_list ap;
	mem_auto char *s = NULL, *label = mem_printf("%s.label", prefix);

	va_start(ap, prefix);
	s = fill_pairs(x, prefix, ap);
	va_end(ap);
	return doc_def(x->d, W(x, label), "%s", s);
}

enum doc_tag compose_tag(enum verdict_kind v)
{
	switch (v) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
	case VERDICT_CACHED:
	case VERDICT_NOT_CACHED:
	case VERDICT_MATTERS:
	case VERDICT_CPU_BOUND:
	case VERDICT_NOT_CPU_BOUND:
		return DOC_TAG_DECIDED;
	case VERDICT_EQUIVALENT:
	case VERDICT_NEGLIGIBLE:
	case VERDICT_STEADY:
		return DOC_TAG_EQUIVALENT;
	case VERDICT_VOID:
		return DOC_TAG_VOID;
	case VERDICT_CONTRADICTED:
	case VERDICT_NOT_MET:
	case VERDICT_NOT_STEADY:
		return DOC_TAG_FAIL;
	case VERDICT_SUPPORTED:
	case VERDICT_MET:
		return DOC_TAG_MET;
	default:
		return DOC_TAG_OPEN;
	}
}

const char *compose_evidence(const struct finding *f)
{
	switch (f->kind) {
	case FINDING_CLAIM:
	case FINDING_LIMIT:
		return f->anchor;
	case FINDING_FAILURE:
		return "deviations";
	case FINDING_OPINION:
		return "diagnoses";
	case FINDING_COMPARISON:
		return f->verdict == VERDICT_VOID ? "gates" : "declared-questions";
	case FINDING_ANSWER:
		return f->verdict == VERDICT_VOID ? "gates" : f->anchor;
	case FINDING_CHANGE:
		if (strcmp(f->rule, "history") == 0)
			return "history";
		return f->verdict == VERDICT_VOID ? "gates" : "comparisons";
	default:
		return f->verdict == VERDICT_VOID ? "gates" : "comparisons";
	}
}

void compose_finding(struct compose *x, const struct finding *f, bool lead, const char *evidence)
{
	struct doc_finding *b;

	bool bad = f->kind == FINDING_FAILURE || (f->kind == FINDING_CHANGE && f->verdict == VERDICT_WORSE);

	b = doc_finding(x->d, bad ? DOC_TAG_FAIL : f->word ? compose_tag(f->verdict) : DOC_TAG_NONE,
			f->word, f->key);
	b->lead = lead;
	if (f->key_note)
		b->key_note = doc_clean(f->key_note, false);
	doc_add(&b->say, "%s", f->sentence);
	if (f->caveat)
		doc_add(&b->caveat, "%s", f->caveat);
	if (evidence)
		doc_finding_evidence(b, evidence, W(x, "evidence"));
}

const char *compose_report_key(const struct compose *x, const char *key)
{
	const char *s = jsonx_str(x->c->report, key, NULL);

	return s && *s ? s : NULL;
}

char *compose_span(const struct compose *x, double lo, double hi, double divide, int decimals)
{
	char a[40], b[40];

	if (!isfinite(lo) || !isfinite(hi))
		return mem_strdup("–");
	num_fixed(lo / divide, decimals, a);
	num_fixed(hi / divide, decimals, b);
	return mem_printf("%s %s %s", a, W(x, "to"), b);
}

struct document *compose_sections(struct compose *x, const char *title, const char *id, section_fn *const *make, size_t n,
				  struct iow_error *e)
{
	x->d = document_new(title, id);
	for (size_t i = 0; i < n; i++)
		make[i](x);
	if (document_finish(x->d, e)) {
		document_free(x->d);
		return NULL;
	}
	return x->d;
}

struct document *compose_report(const struct results *r, const struct findings *f, const struct wording *w,
				const struct compose_options *o, struct iow_error *e)
{
	mem_auto char *id = mem_printf("IOW-%s", r->bundle->id);
	struct compose x = { .r = r, .b = r->bundle, .c = &r->bundle->cells, .f = f, .w = w, .o = o };

	return compose_sections(&x, x.c->title, id, sections, ARRAY_LEN(sections), e);
}

bool compose_asks(const struct compose *x)
{
	for (size_t i = 0; i < x->c->n_questions; i++)
		if (x->c->questions[i].declared)
			return true;
	return false;
}
