/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_PSEUDONYM_IN_H
#define IOW_BASE_PSEUDONYM_IN_H

#include <stdint.h>

#include "base/pseudonym.h"

/* What the parts of base/pseudonym*.c share. */

enum pseudo_class {
	CLASS_WEAK,  /* replaced only where its form says what it is */
	CLASS_WORD,  /* replaced where no letter or digit is beside it */
	CLASS_STRONG /* distinctive: replaced within longer words too */
};

struct pseudo_term {
	char *from, *to;
	size_t len; /* of from */
	enum pseudo_kind kind;
	enum pseudo_class class;
	bool whole; /* made of other terms: not counted */
};

struct pseudo_number {
	enum pseudo_kind kind;
	unsigned long number;
};

struct pseudonyms {
	unsigned char *key;
	size_t n_key;
	bool learning;
	bool cuts; /* while a text is replaced that may have been cut */
	struct pseudo_term *terms; size_t n_terms; /* in order of first appearance */
	size_t *by_byte[256]; size_t n_by_byte[256]; /* indexes by the first byte in lower case, longest first */
	struct pseudo_number *taken; size_t n_taken;
	char **spared; size_t n_spared;
	unsigned long next[PSEUDO_KINDS];
};

/* ---- shapes ---- */

bool pseudo_is_alnum(char c); /* ASCII, whatever the locale */
bool pseudo_is_digit(char c);
bool pseudo_is_hex(char c);
char pseudo_lower(char c);
bool pseudo_equal(const char *a, const char *b, size_t n, bool fold);
/* A word of the program, of the kernel or of everyday storage, in any case. */
bool pseudo_is_vocabulary(const char *s, size_t n);
/* A directory that each Linux has, a device name that the kernel gives, a kernel image: reveals nothing. */
bool pseudo_is_system(const char *s, size_t n);
/* Digits with ".", ":", "-", "x", ranges and a unit: no name. */
bool pseudo_is_number(const char *s, size_t n);
bool pseudo_is_address(const char *s, size_t n); /* IPv4, IPv6, MAC */
bool pseudo_is_local(const char *s, size_t n);   /* localhost and its addresses */
bool pseudo_is_uuid(const char *s, size_t n);
bool pseudo_is_fqdn(const char *s, size_t n);
/* Bytes of an ending such as ".dat" that says nothing; 0: none. */
size_t pseudo_suffix(const char *s, size_t n);
enum pseudo_class pseudo_class_of(const char *s, size_t n);

/* ---- the table ---- */

/* The term of an original; made when it is not there and the table is learning. NULL: has none. */
const struct pseudo_term *pseudo_term(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n);
/* The same, never made. */
const struct pseudo_term *pseudo_term_known(const struct pseudonyms *p, const char *s, size_t n);
void pseudo_add_whole(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, const char *to);
/* The longest term that stands at s[i]; weak ones only with `path` (then it must end where a component ends). */
const struct pseudo_term *pseudo_at(const struct pseudonyms *p, const char *s, size_t i, bool path);
/* What was cut at the end of s (with "…", "[…]" or nothing behind it) and begins at s[i]; *n: its bytes. */
const struct pseudo_term *pseudo_cut(const struct pseudonyms *p, const char *s, size_t i, size_t *n);
/* Appends the pseudonym, or the original where it has none. */
void pseudo_put(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, struct buf *out);
void pseudo_put_host(struct pseudonyms *p, const char *s, size_t n, struct buf *out);

/* ---- texts ---- */

/* Learns what has a telling shape in a free text. */
void pseudo_look(struct pseudonyms *p, const char *s);
/* Known terms replaced; with `paths` the paths in it, too. */
void pseudo_put_text(struct pseudonyms *p, const char *s, bool paths, struct buf *out);
/* All of s is a path. */
void pseudo_put_path(struct pseudonyms *p, const char *s, size_t n, struct buf *out);
/* "${name}" stays, what stands beside it is a name. */
void pseudo_put_params(struct pseudonyms *p, enum pseudo_kind kind, const char *s, size_t n, struct buf *out);
void pseudo_put_form(struct pseudonyms *p, enum pseudo_form form, const char *s, struct buf *out);

#endif
