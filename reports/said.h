/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_SAID_H
#define IOW_REPORTS_SAID_H

#include "stats/results.h"
#include "reports/wording.h"

/* What a bundle records and what the statistics say in English ("others used the device", "not
 * readable: …", "file, repeat read"), in the language of the report. A table holds the shapes of these
 * texts, each with the key of its words; a mark {name} stands for whatever is there, which is said in
 * turn. A mark with a unit, {n:us} or {n:bytes}, takes digits only and is written with a unit that
 * suits. A text of no known shape (an error of the system, a name) is given as it is. */
struct said_shape {
	const char *key;   /* without "said." */
	const char *shape;
};
extern const struct said_shape said_shapes[]; /* up to a NULL key */

/* The caller owns it; NULL gives "". */
char *said(const struct wording *w, const char *text);

/* The labels of cells and the labels of questions, which a plan's resolution made: replaced in place. */
void said_labels(struct cells *c, const struct wording *w);

#endif
