/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_REDACT_IN_H
#define IOW_BUNDLE_REDACT_IN_H

#include <jansson.h>
#include <stdbool.h>

#include "base/pseudonym.h"

/* One pass over the JSON of a bundle: what each member's text is follows from its name and place. */

enum redact_place {
	PLACE_OTHER,
	PLACE_KEYS,  /* what a driver is told: a text that is no word of the program is a name */
	PLACE_FACTS, /* of host.json */
	PLACE_NODE,  /* an element of "nodes" in cells.json */
	PLACE_SET    /* an element of "set" in cells.json */
};

struct redact_pass {
	struct pseudonyms *p;
	bool learning;    /* the first passes: what is returned is a copy */
	bool members;     /* the very first: only what a member's name tells, so that its kind is right */
	bool host;        /* host.json: "nodes" and "targets" hold facts, not keys */
	const char *clash; /* a name in the plan that would become the same as another; NULL: none */
	const char *left; /* an original that the second pass left; NULL: none */
};

/* The value of the member `name` (may be NULL) with all that is in it; new. */
json_t *redact_value(struct redact_pass *r, enum redact_place place, const char *name, const json_t *v);
/* A text outside of JSON; the caller owns it. */
char *redact_text(struct redact_pass *r, enum pseudo_form form, const char *s);

#endif
