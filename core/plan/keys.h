/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_KEYS_H
#define IOW_PLAN_KEYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "plan/problems.h"

#include <iowitness/driver.h>

/* Typed keys. A table of struct iow_key (it ends with a key without a name) is the one source for
 * parsing, help, manual and schema, for drivers, workloads and tests alike.
 *
 *     plan's object ── keys_resolve ──► resolved object ── conf_fill ──► block of memory for `open`
 *
 * A resolved object has every key of the table in the table's order: bytes and nanoseconds as integers,
 * a choice as its text, null for "not set", a SECRET still as {"env": NAME} or {"file": PATH}.
 * Resolving it again gives the same object. */

/* A plan's text: a time must have its unit, null is no value. */
#define KEYS_PLAN 0u
/* A resolved object: integers of a TIME key are nanoseconds, null is "not set". */
#define KEYS_RESOLVED 1u
/* With it: the object came out of a sweep; a key that is idle in one of its cells is no mistake. */
#define KEYS_SWEPT 2u
/* With it: only the values by themselves, not whether they go together. */
#define KEYS_VALUES 4u

/* A type of a plan's own tables: something structured that its owner checks, copied as it is. */
#define KEY_JSON 100u

/* New resolved object, complete as far as it could be made. What is wrong is added to `p` at JSON
 * pointer `at`: unknown keys, wrong types, values out of range, required keys that are missing. */
json_t *keys_resolve(const struct iow_key *keys, const json_t *o, unsigned mode, const char *at,
		     struct problems *p);

/* One value alone, as a sweep needs it: new resolved value, or NULL with a problem added at `at`. */
json_t *key_resolve(const struct iow_key *key, const json_t *v, unsigned mode, const char *at,
		    struct problems *p);

const struct iow_key *key_find(const struct iow_key *keys, const char *name);
/* "an integer from 1 to 64", for messages and manuals. */
void key_allowed(const struct iow_key *key, struct buf *b);
/* A resolved value for people: "4 KiB", "5 s", "read". */
void key_text(const struct iow_key *key, const json_t *v, struct buf *b);
const char *key_type_name(uint32_t type); /* "bytes" */

/* A configuration laid out as its keys say, and the memory of its texts and lists. */
struct conf {
	void *data; /* `size` bytes, zeroed before it is filled */
	size_t size;
	char **texts;
	size_t n_texts;
	void **lists;
	size_t n_lists;
};

/* Fills a new block of `size` bytes from a plan's or a resolved object (KEYS_RESOLVED rules). SECRET
 * keys are read here, from this process' environment or file, and are nowhere else. On failure `c`
 * is empty. */
int conf_fill(struct conf *c, size_t size, const struct iow_key *keys, const json_t *o,
	      struct iow_error *e);
void conf_release(struct conf *c); /* overwrites the texts before it frees them */
/* Stores resolved values into `conf` (without SECRET, STRING and LIST keys, which need an owner). */
void keys_store(const struct iow_key *keys, const json_t *resolved, void *conf);
/* The reverse of keys_store and conf_fill for a block of memory: new resolved object. SECRET gives null. */
json_t *keys_load(const struct iow_key *keys, const void *conf);

/* A table as JSON, as the protocol carries it: [{"name","type","flags":[…],"default","min","max",
 * "choices","help"}]; and back. Offsets of a rebuilt table are 0: it serves keys_resolve only. */
json_t *keys_to_json(const struct iow_key *keys);
struct keys_table {
	struct iow_key *keys; /* n and the end; owned with all texts */
	size_t n;
};
int keys_from_json(struct keys_table *t, const json_t *array, struct iow_error *e);
void keys_table_release(struct keys_table *t);

#endif
