/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_FINDING_H
#define IOW_REPORTS_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/wording.h"
#include "stats/results.h"

/* One typed conclusion, in words: what the summary says and what every form of the report repeats
 * word for word. Made by a table of rules (rules.h), each a small function from results to findings. */

enum finding_kind {
	FINDING_COMPARISON, /* of a declared question */
	FINDING_ANSWER,     /* of a declared question of another kind: sensitivity, cache, steady, cpu, scaling */
	FINDING_EXPLORATORY,/* of a derived one: numbers, never a verdict word */
	FINDING_CLAIM,
	FINDING_LIMIT,
	FINDING_FAILURE,    /* runs that are missing, and why */
	FINDING_OPINION,    /* a diagnosis: basis, what would confirm and what would refute it */
	FINDING_CHANGE      /* between campaigns: before and after, or over an archive */
};
const char *finding_kind_name(enum finding_kind k);

struct finding {
	enum finding_kind kind;
	char *rule;         /* name of the rule that made it: "compare", "cached" */
	char *anchor;       /* stable: "q1-2", "claim1", "opinion-cached-3" */
	enum verdict_kind verdict;
	char *word;         /* tag: "SLOWER", "VOID"; NULL for exploratory and opinions */
	char *key;          /* the number that matters: "2.33x" */
	char *key_note;     /* "not 0.90"; or NULL */
	char *sentence;     /* with ratio, interval, n, design, verdict, margin */
	char *caveat;       /* or NULL */
	char *basis, *confirm, *refute; /* opinions */
	bool concluded;     /* false: belongs under "not concluded" */
	bool detail;        /* another finding's sentence stands for it in the summary */
	double weight;      /* larger is told first, within its group */
	int comparison, judgement; /* indexes into results, -1: none */
	uint32_t *runs; size_t n_runs; /* run numbers it rests on */
};

struct findings {
	struct finding *list;
	size_t n;
};

/* In the order in which a reader should meet them. Strings in the language of `w`. */
void findings_build(struct findings *f, const struct results *r, const struct wording *w);
void findings_release(struct findings *f);

/* Sorts them so; findings_build does it. */
void findings_sort(struct findings *f);

/* For rules: appends an empty finding with its name and anchor. */
struct finding *finding_add(struct findings *f, enum finding_kind kind, const char *rule, char *anchor_take);
void finding_run(struct finding *f, uint32_t run); /* once each, kept sorted at the end */
/* Appends a sentence to a caveat with a space between; takes it; NULL is nothing. */
void finding_caveat(struct finding *f, char *text_take);

#endif
