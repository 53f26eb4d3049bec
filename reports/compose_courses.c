/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "reports/chart.h"
#include "reports/history.h"
#include "reports/sections_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* History of an archive: the courses of its cells, candidates, what changed around them, appendices. */

#define FOLD 40
#define CHARTS 12 /* courses that are drawn; the table has all */

static double scale_of(const struct archive *a, const char **unit)
{
	double largest = 0, divide = 1;

	for (size_t i = 0; i < a->n_courses; i++)
		for (size_t p = 0; p < a->courses[i].n; p++)
			largest = fmax(largest, a->courses[i].points[p].value);
	*unit = say_scale(a->metric, largest, &divide);
	return divide;
}

/* ---- one course as a figure ---- */

struct drawn {
	double *x, *y, *lo, *hi;
	double least, most;
};

static void drawn_fill(struct drawn *d, const struct course *k, double divide)
{
	d->x = mem_array(k->n * 4, sizeof *d->x);
	d->y = d->x + k->n;
	d->lo = d->y + k->n;
	d->hi = d->lo + k->n;
	d->least = INFINITY;
	d->most = 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct course_point *p = &k->points[i];

		d->x[i] = p->campaign + 1;
		d->y[i] = p->value / divide;
		d->lo[i] = isfinite(p->lo) ? p->lo / divide : d->y[i];
		d->hi[i] = isfinite(p->hi) ? p->hi / divide : d->y[i];
		d->least = fmin(d->least, d->lo[i]);
		d->most = fmax(d->most, d->hi[i]);
	}
	if (k->judged) {
		d->least = fmin(d->least, k->predicted_lo / divide);
		d->most = fmax(d->most, k->predicted_hi / divide);
	}
}

/* The level of each stretch between candidates, as a fitted line. */
static void levels_add(struct chart *chart, const struct course *k, const struct drawn *d)
{
	for (size_t s = 0; s <= k->n_changes; s++) {
		size_t from = s ? k->changes[s - 1].at : 0, to = s < k->n_changes ? k->changes[s].at : k->n;
		double sum = 0;

		for (size_t i = from; i < to; i++)
			sum += log(d->y[i]) / (double)(to - from);
		chart_lines_add(chart, &(struct chart_line){ .x = (double[]){ d->x[from], d->x[to - 1] },
			.y = (double[]){ exp(sum), exp(sum) }, .n = 2, .fitted = true });
	}
}

static void cuts_add(struct compose *x, struct chart *chart, const struct course *k, const struct drawn *d)
{
	for (size_t c = 0; c < k->n_changes; c++) {
		const struct history_change *h = &k->changes[c];
		struct say_ratio s;

		say_ratio(&s, x->w, x->archive->metric, archive_ratio(x->archive, h), NAN, NAN);
		mem_auto char *label = wording_fill(x->w, "history.cut.label", "ratio", s.factor, "word", s.word, NULL);
		chart_lines_cut(chart, d->x[h->at] - 0.5, label);
	}
}

static struct chart *course_chart(struct compose *x, const struct course *k)
{
	double divide = 1, largest = 0;
	const char *unit;
	struct chart *chart;
	struct drawn d;

	for (size_t p = 0; p < k->n; p++)
		largest = fmax(largest, k->points[p].value);
	unit = say_scale(x->archive->metric, largest, &divide);
	drawn_fill(&d, k, divide);
	double room = 0.1 * (d.most - d.least) + 0.01 * d.most;
	mem_auto char *last = say_value(x->archive->metric, k->points[k->n - 1].value);
	chart = chart_lines_new(&(struct chart_axis){ W(x, "history.axis"), NULL, CHART_LINEAR, 1, (double)x->archive->n + 0.5 },
				&(struct chart_axis){ NULL, unit, CHART_LINEAR, fmax(0, d.least - room), d.most + room });
	if (k->judged) { /* the band of what is expected of the newest, left of its point */
		double at = d.x[k->n - 1], lo = k->predicted_lo / divide, hi = k->predicted_hi / divide, mid = sqrt(lo * hi);

		chart_lines_add(chart, &(struct chart_line){ .x = (double[]){ at - 0.5, at + 0.5 }, .y = (double[]){ mid, mid },
			.lo = (double[]){ lo, lo }, .hi = (double[]){ hi, hi }, .n = 2, .style = CHART_OTHER });
	}
	chart_lines_add(chart, &(struct chart_line){ .label = last, .x = d.x, .y = d.y, .lo = d.lo, .hi = d.hi, .n = k->n,
		.marks = true });
	levels_add(chart, k, &d);
	cuts_add(x, chart, k, &d);
	if (k->watch)
		chart_lines_point(chart, d.x[k->n - 1], d.y[k->n - 1], history_word(x->w, k));
	free(d.x);
	return chart;
}

bool compose_course(struct compose *x, const struct course *k, const char *anchor)
{
	struct doc_figure *figure;

	if (k->n < 2)
		return false;
	mem_auto char *n = wording_count(x->w, "campaigns", k->n), *candidates = wording_count(x->w, "history.candidates", k->n_changes);
	mem_auto char *caption = wording_fill(x->w, k->n_changes ? "history.figure" : "history.figure.none", "cell", k->label, "metric",
					      wording_of(x->w, "metric", x->archive->metric->name), "campaigns", n, "word",
					      history_word(x->w, k), "candidates", candidates, NULL);
	say_capital(caption);
	figure = doc_figure(x->d, anchor, course_chart(x, k), "%s", caption);
	doc_add(&figure->note, "%s", W(x, k->judged ? "history.figure.note" : "history.figure.note.unjudged"));
	doc_figure_alt(figure, "%s", W(x, "history.figure.alt"));
	return true;
}

/* ---- results ---- */

static enum doc_tag tag_of(const struct archive *a, const struct course *k)
{
	if (k->watch ? k->watch_worse : archive_is_slower(a, k))
		return DOC_TAG_FAIL;
	return history_has(k) ? DOC_TAG_DECIDED : k->judged ? DOC_TAG_EQUIVALENT : DOC_TAG_OPEN;
}

static void course_row(struct compose *x, struct doc_table *t, const struct course *k, double divide)
{
	const struct course_point *p = &k->points[k->n ? k->n - 1 : 0];
	struct doc_row *row = doc_row(t, 0);
	int decimals = k->n ? num_sig_decimals(p->value / divide, 4) : 0;

	doc_cell(row, "%s", k->label);
	doc_cell_tag(row, tag_of(x->archive, k), history_word(x->w, k));
	doc_cell(row, "%zu", k->n);
	if (!k->newest) {
		doc_cell(row, "–");
		doc_cell(row, "–");
	} else {
		mem_auto char *span = compose_span(x, p->lo, p->hi, divide, decimals);

		doc_cell_num(row, p->value / divide, decimals);
		doc_cell(row, "%s", span);
	}
	mem_auto char *predicted = compose_span(x, k->predicted_lo, k->predicted_hi, divide, decimals);
	doc_cell(row, "%s", predicted);
	doc_cell(row, "%zu", k->n_changes);
}

void history_results(struct compose *x)
{
	const struct archive *a = x->archive;
	mem_auto size_t *order = history_order(a);
	const char *unit;
	double divide = scale_of(a, &unit);
	struct doc_table *t;

	doc_section(x->d, "results", W(x, "results.title"));
	mem_auto char *caption = wording_fill(x->w, "history.table", "metric", wording_of(x->w, "metric", a->metric->name), "unit",
					      unit, NULL);
	say_capital(caption);
	t = doc_table(x->d, "courses", "%s", caption);
	t->fold = a->n_courses > FOLD;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_LEFT, W(x, "change.state"));
	doc_column(t, DOC_RIGHT, W(x, "history.table.n"));
	doc_column(t, DOC_DECIMAL, W(x, "history.table.newest"))->strong = true;
	doc_column(t, DOC_RIGHT, W(x, "results.ci"));
	doc_column(t, DOC_RIGHT, W(x, "history.table.predicted"));
	doc_column(t, DOC_RIGHT, W(x, "history.table.candidates"));
	for (size_t i = 0; i < a->n_courses; i++)
		course_row(x, t, &a->courses[order[i]], divide);
	doc_add(&t->note, "%s", W(x, "history.table.note"));
}

static void elsewhere(struct compose *x, const char *anchor, const char *title, const char *key)
{
	doc_section(x->d, anchor, W(x, title));
	compose_para(x, key, NULL);
}

void history_comparisons(struct compose *x)
{
	elsewhere(x, "comparisons", "compare.title", "history.comparisons");
}

void history_claims(struct compose *x)
{
	elsewhere(x, "claims", "claims.title", "history.claims");
}

void history_diagnoses(struct compose *x)
{
	elsewhere(x, "diagnoses", "diagnoses.title", "history.diagnoses");
}

void history_open(struct compose *x)
{
	size_t n = 0;

	doc_section(x->d, "open", W(x, "open.title"));
	for (size_t i = 0; i < x->f->n; i++) {
		if (x->f->list[i].concluded)
			continue;
		compose_finding(x, &x->f->list[i], false, "courses");
		n++;
	}
	if (!n)
		compose_para(x, "history.alljudged", NULL);
	compose_para(x, "history.open", NULL);
}

/* ---- history ---- */

static void candidate_rows(struct compose *x, struct doc_table *t, const struct course *k)
{
	for (size_t c = 0; c < k->n_changes; c++) {
		const struct history_change *h = &k->changes[c];
		struct doc_row *row = doc_row(t, 0);
		struct say_ratio s;
		char p[40], rho[40], day[16];

		say_ratio(&s, x->w, x->archive->metric, archive_ratio(x->archive, h), NAN, NAN);
		say_p(h->p, p);
		num_fixed(h->rho, 2, rho);
		history_day(x->archive, k->points[h->at].campaign, day);
		doc_cell(row, "%s", k->label);
		doc_cell(row, "%u", k->points[h->at].campaign + 1);
		doc_cell(row, "%s", day);
		doc_cell(row, "%s", s.factor);
		doc_cell(row, "x %s", s.word);
		doc_cell(row, "%s", rho);
		doc_cell(row, "%s", p);
	}
}

static void candidates_table(struct compose *x)
{
	const struct archive *a = x->archive;
	mem_auto size_t *order = history_order(a);
	struct doc_table *t = NULL;

	for (size_t i = 0; i < a->n_courses; i++) {
		const struct course *k = &a->courses[order[i]];

		if (!k->n_changes)
			continue;
		if (!t) {
			t = doc_table(x->d, "candidates", "%s", W(x, "history.candidates.caption"));
			doc_column(t, DOC_LEFT, W(x, "cell"));
			doc_column(t, DOC_RIGHT, W(x, "history.first"));
			doc_column(t, DOC_LEFT, "UTC")->nowrap = true;
			doc_column(t, DOC_DECIMAL, W(x, "compare.ratio"))->strong = true;
			doc_column(t, DOC_UNIT, "");
			doc_column(t, DOC_RIGHT, W(x, "history.rho"));
			doc_column(t, DOC_RIGHT, "p");
			doc_add(&t->note, "%s", W(x, "history.candidates.note"));
		}
		candidate_rows(x, t, k);
	}
	if (!t)
		compose_para(x, "history.nocandidates", NULL);
	compose_para(x, "history.proof", NULL);
}

static bool has_candidate(const struct archive *a, uint32_t campaign)
{
	for (size_t i = 0; i < a->n_courses; i++)
		for (size_t c = 0; c < a->courses[i].n_changes; c++)
			if (a->courses[i].points[a->courses[i].changes[c].at].campaign == campaign)
				return true;
	return false;
}

static void changed_table(struct compose *x)
{
	const struct archive *a = x->archive;
	struct doc_table *t = NULL;

	for (uint32_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < a->campaigns[i].n_changed; k++) {
			const struct confounder *v = &a->campaigns[i].changed[k];
			struct doc_row *row;
			char day[16];

			if (!t) {
				t = doc_table(x->d, "changed", "%s", W(x, "history.changed.caption"));
				doc_column(t, DOC_RIGHT, W(x, "history.first"));
				doc_column(t, DOC_LEFT, "UTC")->nowrap = true;
				doc_column(t, DOC_LEFT, W(x, "change.where"));
				doc_column(t, DOC_LEFT, W(x, "change.what"));
				doc_column(t, DOC_LEFT, W(x, "change.before"));
				doc_column(t, DOC_LEFT, W(x, "change.after"));
				doc_add(&t->note, "%s", W(x, "history.changed.note"));
			}
			row = doc_row(t, has_candidate(a, i) ? DOC_ROW_STRONG : 0);
			history_day(a, i, day);
			doc_cell(row, "%u", i + 1);
			doc_cell(row, "%s", day);
			compose_where(x, row, v->where, v->what);
			doc_cell(row, "%s", v->before);
			doc_cell(row, "%s", v->after);
		}
	}
	if (!t)
		compose_para(x, "history.nochanged", NULL);
	else
		t->fold = t->n_rows > FOLD;
}

void history_history(struct compose *x)
{
	const struct archive *a = x->archive;
	mem_auto size_t *order = history_order(a);
	size_t drawn = 0;

	doc_section(x->d, "history", W(x, "history.title"));
	candidates_table(x);
	changed_table(x);
	compose_words(x, SUMMARY_SEEN);
	for (size_t i = 1; i < a->n_courses && drawn + 1 < CHARTS; i++) {
		mem_auto char *anchor = mem_printf("course-%zu", order[i] + 1);

		drawn += compose_course(x, &a->courses[order[i]], anchor);
	}
	compose_para(x, a->n_courses > CHARTS ? "history.figures.some" : "history.figures.all", NULL);
}

/* ---- appendices ---- */

#define FIGURES_LISTED 4000

static void figures_table(struct compose *x)
{
	const struct archive *a = x->archive;
	const char *unit;
	double divide = scale_of(a, &unit);
	struct doc_table *t;
	size_t n = 0;

	doc_subhead(x->d, 2, "all-figures", "%s", W(x, "history.allfigures"))->plain = true;
	for (size_t i = 0; i < a->n_courses; i++)
		n += a->courses[i].n;
	if (!n || n > FIGURES_LISTED)
		return compose_para(x, "history.figuresfile", NULL);
	t = doc_table(x->d, "figures", "%s", W(x, "history.allfigures.caption"));
	t->fold = t->dense = true;
	doc_column(t, DOC_LEFT, W(x, "cell"));
	doc_column(t, DOC_RIGHT, W(x, "history.number"));
	doc_column(t, DOC_LEFT, "UTC");
	doc_column(t, DOC_RIGHT, W(x, "appendix.runs"));
	doc_column(t, DOC_DECIMAL, unit);
	doc_column(t, DOC_RIGHT, W(x, "results.ci"));
	for (size_t i = 0; i < a->n_courses; i++)
		for (size_t p = 0; p < a->courses[i].n; p++) {
			const struct course_point *v = &a->courses[i].points[p];
			int decimals = num_sig_decimals(v->value / divide, 5);
			mem_auto char *span = compose_span(x, v->lo, v->hi, divide, decimals);
			struct doc_row *row = doc_row(t, 0);
			char day[16];

			history_day(a, v->campaign, day);
			doc_cell(row, "%s", a->courses[i].label);
			doc_cell(row, "%u", v->campaign + 1);
			doc_cell(row, "%s", day);
			doc_cell(row, "%u", v->n);
			doc_cell_num(row, v->value / divide, decimals);
			doc_cell(row, "%s", span);
		}
}

void history_appendices(struct compose *x)
{
	static const char *const terms[] = { "campaign", "watch", "candidate", "prediction", "cell", "run", "ci", "gate", "void", "glyph", NULL };

	doc_section(x->d, "appendices", W(x, "appendix.title"));
	doc_subhead(x->d, 2, "derivation", "%s", W(x, "appendix.derivation"))->plain = true;
	compose_para(x, "history.derivation", NULL);
	figures_table(x);
	compose_glossary(x, "history.glossary", terms);
	compose_attach(x, x->about->dir, "EVIDENCE", "EVIDENCE", "text/plain", "attach.evidence", 1 << 20);
	compose_attach(x, x->about->dir, "history.json", "history.json", "application/json", "attach.history", 64 << 20);
}
