/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SAY_H
#define IOW_REPORTS_SAY_H

#include "base/buf.h"
#include "reports/wording.h"
#include "stats/results.h"

/* Numbers in words, one way for all sentences and tables. Strings are the caller's. */

/* R of a comparison as a reader says it: factor ≥ 1 with its direction. */
struct say_ratio {
	char factor[40];       /* "2.33" */
	char lo[40], hi[40];   /* of the factor, the smaller first; same decimals */
	char span[160];        /* "2.30 to 2.36", or "1.06x slower to 1.01x faster" when it crosses 1 */
	const char *word;      /* "slower", borrowed from the metric's words */
};
/* Decimals for x: three significant digits, more (at most 6) where an interval that excludes 1 would read as if it
 * began or ended at 1. */
int say_decimals(double x, double lo, double hi);

/* lo and hi as R; NaN: no interval. */
void say_ratio(struct say_ratio *s, const struct wording *w, const struct metric *m, double ratio,
	       double lo, double hi);
/* The word of a metric's direction: better or worse, in the report's language. */
const char *say_direction(const struct wording *w, const struct metric *m, bool better);
/* A verdict's tag: "SLOWER", "EQUIVALENT", "VOID" … */
char *say_verdict(const struct wording *w, const struct metric *m, enum verdict_kind v);

/* "2.7%" from .027, three significant digits below 10%. */
void say_percent(double share, char out[40]);
/* A confidence level: "95%", "97.5%", "99.38%". */
void say_level(double level, char out[40]);
/* Signed percent with U+2212. */
void say_signed_percent(double share, char out[48]);
/* The ends of an interval of R as signed differences of the metric itself, subject against other: where less
 * is better R is a ratio of speeds, and its reciprocal is what the metric did. */
void say_differences(const struct metric *m, double lo, double hi, char low[48], char high[48]);
/* Value of a metric with its unit: "94.1 MB/s", "0.477 ms". */
char *say_value(const struct metric *m, double v);
/* Value scaled for tables: factor to divide by and the unit's name, from the largest value. */
const char *say_scale(const struct metric *m, double largest, double *divide);
/* "4295 MB" (10⁶) of bytes, and "4.00 GiB". */
char *say_mb(double bytes);
/* "640 MiB (671 MB)": a size in both kinds of units, "512 B" where they are the same. */
char *say_size(uint64_t bytes);
/* "1.6 GB/s (1.49 GiB/s)". */
char *say_rate(double bytes_per_s);
/* "{n} blocks" in the language. */
char *say_blocks(const struct wording *w, uint32_t n);
/* p as "0.058", below .001 "< 0.001". */
void say_p(double p, char out[40]);
/* A gate's number or its threshold in the gate's unit: "59%", "1.04", "yes". */
char *say_gate(const struct wording *w, const struct gate *g, double value);
/* First letter in upper case (ASCII letters; others stay, and so does "p99"). In place. */
void say_capital(char *s);
/* "is it steady?: the rate …" becomes "Is it steady? The rate …": a label that asks takes no colon. In place. */
void say_asked(char *s);

/* A cell as the subject or object of a sentence: "shared raw reads", "repeat reads of file". `named`
 * is the dimension the question is about. */
char *say_cell(const struct wording *w, const struct cells *c, const struct cell *cell, const char *named);
/* What the two cells share and others of the test do not: "4 KiB, depth 8"; empty if nothing. */
char *say_context(const struct results *r, const struct cell *subject, const struct cell *against,
		  const char *named);

#endif
