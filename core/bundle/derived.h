/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_DERIVED_H
#define IOW_BUNDLE_DERIVED_H

#include "bundle/bundle.h"

/* Evidence that is made of campaigns, in a directory like a bundle: a comparison of two (compare.json,
 * and copies of the evidence of both in before/ and after/) or the history of an archive (history.json,
 * with the figures of each). EVIDENCE and MANIFEST seal it. Format version 1, described in
 * iowitness-bundle(5). Nothing in it depends on when, where or by whom it was made. */

enum derived_kind { DERIVED_COMPARE, DERIVED_HISTORY, DERIVED_KINDS };

struct derived {
	char *dir;
	enum derived_kind kind;
	json_t *about;             /* root of compare.json or history.json */
	char evidence[DIGEST_HEX]; /* SHA-256 of EVIDENCE; of the files as they are when it is missing */
	char id[13];
	bool sealed;
};

/* Which it is by its file; DERIVED_KINDS: none of them. */
enum derived_kind derived_kind_of(const char *dir);
/* The head of its file: format and version, new. */
json_t *derived_head(enum derived_kind kind);
/* Makes the directory (refused if it exists and is not empty) with its file and, for a comparison, the
 * evidence of `before` and `after` (else NULL), and seals it. On failure nothing is left. */
int derived_create(const char *dir, enum derived_kind kind, const json_t *about, const char *before,
		   const char *after, struct iow_error *e);
int derived_load(struct derived *d, const char *dir, struct iow_error *e);
void derived_release(struct derived *d);
/* DIR/before or DIR/after; the caller's. */
char *derived_part(const char *dir, bool after);
/* Is it the bundle that compare.json names as that part? */
bool derived_is_part(const struct derived *d, bool after, const struct bundle *part);

/* bundle_verify calls this for such a directory. */
int derived_verify(const char *dir, bundle_problem_fn *fn, void *ctx, struct iow_error *e);

#endif
