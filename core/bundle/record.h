/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_RECORD_H
#define IOW_BUNDLE_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#include <iowitness/driver.h>

/* Structures to JSON objects and back by one table for both directions. Every member is written and
 * must be there when read; unknown members are refused. */

enum record_type {
	REC_TEXT,    /* char * */
	REC_MAYBE,   /* char *; NULL is null */
	REC_HEX,     /* char[65], 64 digits; NUL-terminated */
	REC_U32,
	REC_I32,
	REC_I64,
	REC_BOOL,
	REC_REAL,    /* double; NaN is null */
	REC_JSON,    /* json_t *, any value; NULL is null */
	REC_NAME,    /* uint32_t, an index into `names` */
	REC_NUMBERS, /* uint32_t *, a VEC array with its count at `count` */
	REC_LIST,    /* structures of `record`, a VEC array with its count at `count` */
	REC_OWN      /* by `get` and `set` */
};

struct record_field {
	const char *name;
	enum record_type type;
	size_t offset, count;
	const char *const *names;    /* NULL-terminated */
	const struct record *record;
	json_t *(*get)(const void *p); /* new */
	int (*set)(void *p, const json_t *v, struct iow_error *e);
	bool later; /* came after the first writers of the format: absent when 0 or empty (REAL, U32, LIST) */
};

struct record {
	size_t size;
	const struct record_field *fields; /* ends with name NULL */
};

#define REC(type, s, f) { #f, type, offsetof(struct s, f), 0, NULL, NULL, NULL, NULL, false }
#define REC_NAMED(s, f, names) { #f, REC_NAME, offsetof(struct s, f), 0, names, NULL, NULL, NULL, false }
#define REC_COUNTED(type, s, f, n, record) { #f, type, offsetof(struct s, f), offsetof(struct s, n), NULL, record, NULL, NULL, false }
#define REC_OWNED(s, f, get, set) { #f, REC_OWN, offsetof(struct s, f), 0, NULL, NULL, get, set, false }
#define REC_LATER_REAL(s, f) { #f, REC_REAL, offsetof(struct s, f), 0, NULL, NULL, NULL, NULL, true }
#define REC_LATER_U32(s, f) { #f, REC_U32, offsetof(struct s, f), 0, NULL, NULL, NULL, NULL, true }
#define REC_LATER_LIST(s, f, n, record) { #f, REC_LIST, offsetof(struct s, f), offsetof(struct s, n), NULL, record, NULL, NULL, true }
#define REC_END { NULL, 0, 0, 0, NULL, NULL, NULL, NULL, false }

/* Adds the members of the structure at p to o. */
void record_get(const struct record *r, const void *p, json_t *o);
/* Fills the zeroed structure at p from o. On failure `path` (empty at the start) is the JSON pointer
 * of what is wrong; what was filled stays and is released as usual. Members that are not in the
 * table are left to the caller when `others` is set. */
int record_set(const struct record *r, void *p, const json_t *o, bool others, struct buf *path,
	       struct iow_error *e);

#endif
