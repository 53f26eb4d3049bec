/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_PROBLEMS_H
#define IOW_PLAN_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/jsonx.h"

/* Everything that is wrong with a plan, collected, so that a user sees all of it in one go. */
struct problem {
	char *path; /* JSON pointer of what is wrong */
	bool key;   /* the key itself is wrong, not its value */
	char *text; /* what is wrong, and what is allowed */
	int line, column; /* its place in the text; 0: to be found by its path */
};

struct problems {
	struct problem *list;
	size_t n;
};

void problems_init(struct problems *p);
void problems_release(struct problems *p);

/* Adds one at pointer `at`, or at its member `key` (may be NULL). `p` may not be NULL. */
void problem_add(struct problems *p, const char *at, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same about a key that should not be there. */
void problem_add_key(struct problems *p, const char *at, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same at a place of the text that its path does not lead to; line -1: the text says it all. */
void problem_add_at(struct problems *p, const char *path, int line, int column, const char *text);

/* One line each, "FILE:LINE:COLUMN: /json/path: text\n", in the order of the file, no line twice. */
void problems_print(const struct problems *p, const struct jsonx_doc *d, struct buf *out);
/* The first, as an error "/json/path: text"; 0 when there is none, else -1. */
int problems_error(const struct problems *p, struct iow_error *e);

/* The name of the NULL-terminated list that is so near to `name` that it was probably meant
 * (optimal string alignment distance at most a third of the longer one's length); NULL: none. */
const char *name_nearest(const char *name, const char *const *names);
/* What to say about a name that does not exist: `; did you mean "x"?` or `; allowed: a, b, c`. */
void name_hint(struct buf *b, const char *name, const char *const *names);

#endif
