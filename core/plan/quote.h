/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_QUOTE_H
#define IOW_PLAN_QUOTE_H

#include <stdbool.h>

#include "plan/cells.h"

/* Figures that a claim quotes, and what it says of them: "19.7 s", "1.3 s", "15x". A number stands for
 * all that round to it: "19.7" for 19.65 to 19.75. */

enum figure_kind { FIGURE_PLAIN, FIGURE_TIME, FIGURE_BYTES, FIGURE_BYTE_RATE, FIGURE_IO_RATE };

struct figure {
	double value, unit;    /* ns, bytes, bytes or I/Os a second; `unit` is that of its last digit */
	enum figure_kind kind;
};

enum quote_sense {
	QUOTE_OF,     /* "15x", "43%": the subject's figure in terms of the other's */
	QUOTE_MORE,   /* higher, longer … : by the figures as they are */
	QUOTE_LESS,
	QUOTE_FASTER, /* by speed, whatever the figures measure */
	QUOTE_SLOWER,
};

struct quote {
	struct figure subject, against; /* of one kind, both above 0 */
	double stated, unit;            /* factor, or share where percent */
	bool percent;
	enum quote_sense sense;
};

/* -1 with what is wrong: no number, an unknown unit or word, two kinds, or "slower" of figures that
 * are neither times nor rates. */
int quote_read(struct quote *q, const struct plan_quote *given, struct iow_error *e);

#endif
