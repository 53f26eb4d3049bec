/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "reports/history.h"
#include "reports/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The history of an archive in words. */

void history_day(const struct archive *a, uint32_t campaign, char out[16])
{
	char at[32];

	clock_format(a->campaigns[campaign].start_utc_ns, at);
	memcpy(out, at, 10);
	out[10] = 0;
}

bool history_has(const struct course *k)
{
	return k->watch || k->n_changes;
}

const char *history_word(const struct wording *w, const struct course *k)
{
	return wording_get(w, k->watch ? "history.word.watch" : k->n_changes ? "history.word.candidate" :
			   k->judged   ? "history.word.expected" : "history.word.unjudged");
}

/* How far the newest lies from the middle of what was expected, in logs. */
static double distance(const struct course *k)
{
	return fabs(log(k->points[k->n - 1].value) - log(k->predicted_lo * k->predicted_hi) / 2);
}

/* Larger is told first. */
static double rank(const struct archive *a, const struct course *k)
{
	double x = 0;

	if (k->watch)
		x += (k->watch_worse ? 1e6 : 1e3) + distance(k);
	if (k->n_changes)
		x += (archive_is_slower(a, k) ? 1e5 : 1e2) + fabs(log(archive_ratio(a, &k->changes[k->n_changes - 1])));
	return x;
}

struct place {
	double rank;
	size_t at;
};

static int by_rank(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

size_t *history_order(const struct archive *a)
{
	mem_auto struct place *p = mem_array(a->n_courses + 1, sizeof *p);
	size_t *order = mem_array(a->n_courses + 1, sizeof *order);

	for (size_t i = 0; i < a->n_courses; i++)
		p[i] = (struct place){ rank(a, &a->courses[i]), i };
	qsort(p, a->n_courses, sizeof *p, by_rank);
	for (size_t i = 0; i < a->n_courses; i++)
		order[i] = p[i].at;
	return order;
}

struct tally {
	uint32_t judged, watch, slow, candidates, slower, sought; /* courses; candidates: changes */
};

static struct tally count(const struct archive *a)
{
	struct tally t = { 0 };

	for (size_t i = 0; i < a->n_courses; i++) {
		const struct course *k = &a->courses[i];

		t.judged += k->judged;
		t.watch += k->watch;
		t.slow += k->watch_worse;
		t.candidates += (uint32_t)k->n_changes;
		t.slower += archive_is_slower(a, k);
		t.sought += k->n >= HISTORY_LEAST_CHANGE;
	}
	return t;
}

static void headline(struct findings *out, const struct archive *a, const struct wording *w)
{
	struct finding *f = finding_add(out, FINDING_CHANGE, "history", mem_strdup("headline"));
	struct tally t = count(a);
	mem_auto char *cells = wording_count(w, "cells", t.judged), *campaigns = wording_count(w, "campaigns", a->n);
	mem_auto char *watch = mem_printf("%u", t.watch), *slow = mem_printf("%u", t.slow);
	mem_auto char *candidates = wording_count(w, "history.candidates", t.candidates);
	mem_auto char *sought = wording_fill(w, !t.sought ? "history.headline.unsought" : t.candidates ? "history.headline.sought" :
					     "history.headline.none", "campaigns", campaigns, "candidates", candidates, NULL);
	char day[16];

	history_day(a, (uint32_t)a->n - 1, day);
	f->sentence = wording_fill(w, !t.judged ? "history.headline.unjudged" : t.watch ? "history.headline" : "history.headline.expected",
				   "watch", watch, "cells", cells, "slow", slow, "day", day, "campaigns", campaigns, "sought",
				   sought, "metric", wording_of(w, "metric", a->metric->name), NULL);
	f->verdict = t.slow || t.slower ? VERDICT_WORSE : t.watch || t.candidates ? VERDICT_BETTER :
		     t.judged ? VERDICT_EQUIVALENT : VERDICT_INCONCLUSIVE;
	f->word = mem_strdup(wording_get(w, t.watch ? "history.word.watch" : t.candidates ? "history.word.candidate" :
					 t.judged   ? "history.word.expected" : "history.word.unjudged"));
	f->key = mem_printf("%u + %u", t.watch, t.candidates);
	f->key_note = wording_fill(w, "history.key", NULL);
	if ((t.watch || t.candidates) && t.judged > 1)
		f->caveat = wording_fill(w, "history.caveat.chance", "cells", cells, NULL);
	f->weight = HUGE_VAL;
}

static void watch(struct findings *out, const struct archive *a, const struct wording *w, const struct course *k, size_t i)
{
	const struct course_point *p = &k->points[k->n - 1];
	struct finding *f = finding_add(out, FINDING_CHANGE, "history", mem_printf("watch-%zu", i + 1));
	mem_auto char *value = say_value(a->metric, p->value), *lo = say_value(a->metric, k->predicted_lo);
	mem_auto char *hi = say_value(a->metric, k->predicted_hi), *n = wording_count(w, "campaigns", k->n - 1);
	char day[16];

	history_day(a, p->campaign, day);
	f->verdict = k->watch_worse ? VERDICT_WORSE : VERDICT_BETTER;
	f->word = mem_strdup(wording_get(w, "history.word.watch"));
	f->key = mem_strdup(value);
	f->sentence = wording_fill(w, "history.say.watch", "cell", k->label, "metric", wording_of(w, "metric", a->metric->name),
				   "value", value, "day", day, "lo", lo, "hi", hi, "campaigns", n, "side",
				   wording_get(w, k->watch_worse ? "history.side.slow" : "history.side.fast"), "verdict", f->word,
				   NULL);
	say_capital(f->sentence);
	f->weight = (k->watch_worse ? 1e6 : 1e3) + distance(k);
}

/* What the campaigns recorded as changed where a candidate is: "Node local, Kernel; Driver posix, Version". */
static char *changed_words(const struct archive *a, const struct wording *w, uint32_t before, uint32_t at)
{
	struct buf b = BUF_INIT;
	size_t n = 0;

	for (uint32_t c = before + 1; c <= at; c++)
		for (size_t i = 0; i < a->campaigns[c].n_changed; i++) {
			mem_auto char *where = change_where(w, a->campaigns[c].changed[i].where);

			if (n++ < 6)
				buf_printf(&b, "%s%s, %s", b.len ? "; " : "", where, change_what(w, a->campaigns[c].changed[i].what));
		}
	if (!n)
		return mem_strdup(wording_get(w, "history.nothing"));
	char *list = buf_take(&b), *text;
	mem_auto char *number = mem_printf("%zu", n);

	text = wording_fill(w, n > 6 ? "history.changed.more" : "history.changed", "list", list, "n", number, NULL);
	free(list);
	return text;
}

static void candidate(struct findings *out, const struct archive *a, const struct wording *w, const struct course *k,
		      size_t i, size_t c)
{
	const struct history_change *h = &k->changes[c];
	uint32_t at = k->points[h->at].campaign, before = k->points[h->at - 1].campaign;
	struct finding *f = finding_add(out, FINDING_CHANGE, "history", mem_printf("candidate-%zu-%zu", i + 1, c + 1));
	bool ran = strcmp(a->metric->noun, "ran") == 0, last = c + 1 == k->n_changes;
	double ratio = archive_ratio(a, h);
	mem_auto char *number = mem_printf("%u", at + 1), *changed = changed_words(a, w, before, at);
	mem_auto char *total = mem_printf("%zu", a->n);
	struct say_ratio s;
	char p[40], day[16];

	say_ratio(&s, w, a->metric, ratio, NAN, NAN);
	say_p(h->p, p);
	history_day(a, at, day);
	f->verdict = ratio < 1 ? VERDICT_WORSE : VERDICT_BETTER;
	f->word = mem_strdup(wording_get(w, "history.word.candidate"));
	f->key = mem_printf("%sx", s.factor);
	f->sentence = wording_fill(w, ran ? "history.say.candidate" : "history.say.candidate.was", "cell", k->label, "metric",
				   wording_of(w, "metric", a->metric->name), "number", number, "total", total, "day", day,
				   "ratio", s.factor, "word", s.word, "p", p, "verdict", f->word, NULL);
	say_capital(f->sentence);
	f->caveat = wording_fill(w, "history.caveat.candidate", "changed", changed, NULL);
	f->weight = fabs(log(ratio)) + (ratio < 1 && last ? 1e5 : 0);
}

static void unjudged(struct findings *out, const struct wording *w, const struct course *k, size_t i)
{
	struct finding *f = finding_add(out, FINDING_CHANGE, "history", mem_printf("unjudged-%zu", i + 1));
	mem_auto char *n = wording_count(w, "campaigns", k->newest ? k->n - 1 : k->n);
	mem_auto char *least = mem_printf("%d", HISTORY_LEAST_WATCH);

	f->verdict = VERDICT_INCONCLUSIVE;
	f->word = mem_strdup(wording_get(w, "history.word.unjudged"));
	f->key = mem_printf("%zu", k->n);
	f->sentence = wording_fill(w, k->newest ? "history.say.unjudged" : "history.say.absent", "cell", k->label, "campaigns", n,
				   "least", least, NULL);
	say_capital(f->sentence);
	f->concluded = false;
}

void history_findings(struct findings *f, const struct archive *a, const struct wording *w)
{
	memset(f, 0, sizeof *f);
	headline(f, a, w);
	for (size_t i = 0; i < a->n_courses; i++) {
		const struct course *k = &a->courses[i];

		if (k->watch)
			watch(f, a, w, k, i);
		for (size_t c = 0; c < k->n_changes; c++)
			candidate(f, a, w, k, i, c);
		if (!k->judged)
			unjudged(f, w, k, i);
	}
	findings_sort(f);
}
