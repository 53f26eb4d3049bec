/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_BUNDLE_H
#define IOW_BUNDLE_BUNDLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "bundle/run.h"
#include "plan/cells.h"

/* The evidence of one campaign, a directory: the seam between measuring and judging. Format version 1,
 * described in iowitness-bundle(5). */

/* ---- writing: append-only, each line fsync'd; an open file that is killed loses one line at most ---- */

struct bundle_writer; /* opaque */

/* Makes the directory (refused if it exists and is not empty), writes plan.json byte for byte,
 * cells.json, the heads of runs.jsonl, samples.jsonl and log.txt, all fsync'd. */
struct bundle_writer *bundle_create(const char *dir, const char *plan_text, size_t plan_len,
				    const struct cells *c, struct iow_error *e);
/* {"nodes": {"local": {facts…}}, "drivers": […], "targets": {…}}; may be called again to replace it. */
int bundle_put_host(struct bundle_writer *w, const json_t *host, struct iow_error *e);
/* Appends the samples (may be NULL) first, then the run's line with the place of its samples. */
int bundle_put_run(struct bundle_writer *w, struct run *r, const json_t *samples, struct iow_error *e);
/* One line to log.txt with the time before it. Never fails; from one thread. */
void bundle_log(struct bundle_writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Writes the end line of runs.jsonl ("complete", "interrupted", "stopped: …") and EVIDENCE. */
int bundle_seal(struct bundle_writer *w, const char *state, struct iow_error *e);
void bundle_writer_free(struct bundle_writer *w);

/* Writes a file that is not evidence (results.json, report.*), then bundle_manifest seals them. */
int bundle_put_file(const char *dir, const char *name, const void *data, size_t n, struct iow_error *e);
/* MANIFEST: EVIDENCE, results.json and the reports that are there. */
int bundle_manifest(const char *dir, struct iow_error *e);

/* ---- reading ---- */

/* What the runs of a bundle point to. */
struct kept_texts {
	struct latency **chunks; size_t n_chunks, used; /* of the last one */
	char **whys; size_t n_whys;
};

struct bundle {
	char *dir;
	char *plan_text; size_t plan_len;
	struct cells cells;
	json_t *host;           /* of host.json: its root */
	char *tool_version;     /* that measured */
	struct kept_run *runs; size_t n_runs; /* by bundle_keep */
	struct kept_texts kept;
	char *end_state;        /* of the end line; NULL: the campaign was cut off */
	int64_t start_utc_ns, end_utc_ns; /* created; end line, else end of the last run */
	bool torn;              /* the last line was incomplete and left out */
	char evidence[DIGEST_HEX]; /* SHA-256 of EVIDENCE; of the files as they are when it is missing */
	bool sealed;            /* EVIDENCE exists */
	char id[13];            /* first 12 digits of `evidence` */
};

int bundle_load(struct bundle *b, const char *dir, struct iow_error *e);
void bundle_release(struct bundle *b);
/* Appends a run; what is returned stays until the next one. */
struct kept_run *bundle_keep(struct bundle *b, const struct run *r);
void kept_release(struct kept_texts *k);
/* Samples of one run (see iowitness-bundle(5)), new; NULL when there are none or on error. */
json_t *bundle_samples(const struct bundle *b, const struct kept_run *r, struct iow_error *e);
/* The same for calculations: plain arrays, about ten times as fast as the tree. */
struct sample_numbers { const int64_t *v; size_t n; };
struct samples {
	int64_t start_ns, width_ns;
	struct sample_numbers bytes, ios, errors, min_ns, max_ns; /* of the intervals, all as long; n 0: none */
	struct { struct sample_numbers index, count; } hist[LAT_CLASSES];
	int64_t *all; /* what they point into */
};
/* 1: read, to be released; 0: the run has none; -1: error. Refuses exactly what bundle_samples() refuses. */
int bundle_numbers(const struct bundle *b, const struct kept_run *r, struct samples *s, struct iow_error *e);
void samples_release(struct samples *s);
/* Facts of a target from host.json; NULL: none. Of a fact its words; NULL: none, or it could not be read. */
const json_t *bundle_target_facts(const struct bundle *b, const char *target);
const char *bundle_fact(const json_t *facts, const char *name);
#define FACT_UNREADABLE "not readable: " /* and why: a fact that could not be read */
/* The member "redacted" of host.json, see bundle/redact.h; NULL: the bundle is not redacted. */
const json_t *bundle_redacted(const struct bundle *b);
/* Text of log.txt; the caller frees it. */
char *bundle_read_log(const struct bundle *b);

/* One problem found by bundle_verify. */
typedef void bundle_problem_fn(void *ctx, const char *file, const char *what);
/* One of those, for whom the first is enough: ctx is a struct iow_error without text, which keeps it. */
void bundle_first_problem(void *ctx, const char *file, const char *what);
/* Checks the formats of all files, the hashes of EVIDENCE and MANIFEST, that both list what they must,
 * and that cells.json belongs to plan.json (hash and seed). Returns the number of problems, each told
 * to fn; -1 when `dir` is no bundle. A bundle without EVIDENCE is no problem here: see bundle.sealed. */
int bundle_verify(const char *dir, bundle_problem_fn *fn, void *ctx, struct iow_error *e);
/* Asks ssh-keygen(1) whether MANIFEST.sig is a signature of MANIFEST: with `allowed_signers`, by one of
 * that file; without (NULL), by any key. Returns 1 and ssh-keygen's words in `says` (the caller frees
 * them), 0 when it is not, with the reason in e, -1 when that cannot be found out. */
int bundle_signature(const char *dir, const char *allowed_signers, char **says, struct iow_error *e);
/* Is there a MANIFEST.sig? */
bool bundle_signed(const char *dir);

#endif
