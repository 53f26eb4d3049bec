/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_FORMAT_H
#define IOW_BUNDLE_FORMAT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/digest.h"

#include <iowitness/driver.h>

/* What the writer and the reader of a bundle share. */

#define FORMAT_VERSION 1
#define RUN_LINE_MAX 1000     /* bytes of a line of runs.jsonl, its newline counted */
#define SAMPLES_INTERVALS 1024
#define LOG_HEAD "iowitness-log 1"
#define EVIDENCE_HEAD "# iowitness-evidence 1"
#define MANIFEST_HEAD "# iowitness-manifest 1"

/* NULL-terminated, in the order of their lists. */
extern const char *const evidence_files[]; /* plan.json … log.txt */
extern const char *const manifest_files[]; /* EVIDENCE, results.json, the reports */
/* What MANIFEST lists when there is no EVIDENCE, because the campaign was cut off: its files themselves. */
extern const char *const manifest_unsealed_files[];

/* The evidence of a comparison (with before/… and after/…) and of a history. */
extern const char *const compare_evidence_files[], *const history_evidence_files[];

/* {"format": "iowitness-NAME", "version": 1}, new. */
json_t *format_head(const char *name);
/* Is it that, perhaps with more members? The error does not name the file. */
int format_check(const json_t *o, const char *name, struct iow_error *e);

/* The JSON of one line, new; NULL: the error says what is wrong with it. */
json_t *format_parse(const char *line, size_t n, struct iow_error *e);

struct kept_run;
/* A run's whole line of samples.jsonl in the directory `dir`, new. */
json_t *samples_line(int dir, const struct kept_run *r, struct iow_error *e);
/* One line of samples.jsonl without its "run": unknown members, arrays of unequal length and more
 * than SAMPLES_INTERVALS intervals are refused. */
int samples_check(const json_t *o, struct iow_error *e);

/* The text of a list in sha256sum's form: `head`, then a line for each of `names` that is in dirfd. */
int format_list(int dirfd, const char *head, const char *const *names, struct buf *out,
		struct iow_error *e);
bool format_exists(int dirfd, const char *name);
/* Copies EVIDENCE and what it lists, as far as it is there, between two directories. A file that is in `to`
 * already is refused; after a failure the caller removes what was copied. */
int format_copy(int from, int to, struct iow_error *e);
/* In verify.c: checks EVIDENCE (which lists `evidence`) and MANIFEST of a directory, each problem told to fn
 * (a bundle_problem_fn); gives their number, -1: it cannot be opened. */
int format_verify_lists(const char *dir, const char *const *evidence,
			void (*fn)(void *ctx, const char *file, const char *what), void *ctx, struct iow_error *e);
/* SHA-256 of a list's text. */
void format_list_hash(const struct buf *list, char hex[DIGEST_HEX]);

/* Moves members of the line `o` (in a fixed order, latency last) to `more` until it fits
 * RUN_LINE_MAX with `reserve` bytes kept free; before that a long "why" is cut, with "…" at its end. */
void run_line_fit(json_t *o, json_t *more, size_t reserve);

#endif
