/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_JSONX_H
#define IOW_BASE_JSONX_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#include <iowitness/driver.h>

/* A JSON file with its text kept, so that an error can name line and column of any value. */
struct jsonx_doc {
	char *name;  /* as shown in messages */
	char *text;
	size_t len;
	json_t *root; /* owned */
};

/* Duplicate keys are refused. The error text starts with "NAME:LINE:COLUMN: ". */
int jsonx_load(struct jsonx_doc *d, const char *path, struct iow_error *e);
int jsonx_parse(struct jsonx_doc *d, const char *name, const char *text, size_t len, struct iow_error *e);
void jsonx_release(struct jsonx_doc *d);

/* Line and column (from 1, in characters) of the value at a JSON pointer (RFC 6901), or of its key
 * when `key` is set. The deepest part that exists is found; false when that is the root only. */
bool jsonx_where(const struct jsonx_doc *d, const char *pointer, bool key, int *line, int *column);
/* The value at a pointer, borrowed; NULL when there is none. */
json_t *jsonx_at(json_t *root, const char *pointer);
/* Appends "/key" with ~ and / escaped. */
void jsonx_pointer_add(struct buf *b, const char *key);

/* Members of an object with a default for "absent or of another type". */
const char *jsonx_str(const json_t *o, const char *key, const char *def);
int64_t jsonx_int(const json_t *o, const char *key, int64_t def);
double jsonx_real(const json_t *o, const char *key, double def); /* integers too */
bool jsonx_bool(const json_t *o, const char *key, bool def);

/* Setting members; values are made and owned by the object. NaN and infinity become null. */
/* NULL becomes null. Bytes that are no UTF-8 (a sentence cut within a character, words of a driver) become
 * U+FFFD as in utf8_clean. */
void jsonx_set_str(json_t *o, const char *key, const char *v);
void jsonx_set_int(json_t *o, const char *key, int64_t v);
void jsonx_set_real(json_t *o, const char *key, double v);
void jsonx_set_bool(json_t *o, const char *key, bool v);
void jsonx_set_new(json_t *o, const char *key, json_t *v_take);
/* New values: a number (null where it is not finite), and two of them. */
json_t *jsonx_number(double v);
json_t *jsonx_pair(double lo, double hi);

/* Deterministic writer: insertion order, reals with 12 significant digits, UTF-8 as it is, control
 * characters escaped. `indent` 0 gives one line without spaces; else that many spaces a level, with
 * arrays of scalars kept on one line. No newline at the end. */
void jsonx_write(struct buf *b, const json_t *v, int indent);

#endif
