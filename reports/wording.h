/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_WORDING_H
#define IOW_REPORTS_WORDING_H

#include <jansson.h>

#include <iowitness/driver.h>

/* The words of a report in one language: a JSON object of key → template, in
 * templates/report/wording/LANGUAGE.json. A template holds {name} marks that are replaced by values,
 * literally. Every word that a reader sees comes from here; the C code holds keys only. */
struct wording {
	json_t *words;
	char *language;
};

/* Searches `dirs` (NULL-terminated, each a templates directory) for report/wording/LANGUAGE.json. One
 * that lacks a key of the last directory's en.json, which came with the program, is refused. */
int wording_load(struct wording *w, const char *const *dirs, const char *language, struct iow_error *e);
void wording_release(struct wording *w);

/* The words of a key; one that no language has is shown as "[?]", which a test looks for. Borrowed. */
const char *wording_get(const struct wording *w, const char *key);
/* The same for "prefix.name". */
const char *wording_of(const struct wording *w, const char *prefix, const char *name);

/* The same, or `name` itself where the language has no word for it (facts, attributes, drivers). */
const char *wording_or(const struct wording *w, const char *prefix, const char *name);

/* A filled template; pairs of name and value, then NULL. The caller owns it. */
char *wording_fill(const struct wording *w, const char *key, ...) __attribute__((sentinel));
/* One of two keys by count: "key.one" and "key.many", with {n} filled in. The caller owns it. */
char *wording_count(const struct wording *w, const char *key, unsigned long n);

#endif
