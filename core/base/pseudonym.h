/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BASE_PSEUDONYM_H
#define IOW_BASE_PSEUDONYM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Names of hosts, users, disks and files in texts, replaced by pseudonyms: equal ones stay equal, different
 * ones stay different. Two passes over all texts: the first learns what there is to hide, the second
 * replaces it, so that a name is also found where it stands before the place that tells what it is.
 *
 * A name is weak when it is too short (below 3 bytes, a number below 8 digits) or a word of the program
 * or of everyday storage ("scan", "data"): replacing it everywhere would spoil the text, so it is replaced
 * only where its form says that it is a name. pseudonyms_list tells those. */

enum pseudo_kind {
	PSEUDO_HOST, PSEUDO_DOMAIN, PSEUDO_USER, PSEUDO_ADDRESS,
	PSEUDO_SERIAL, /* serial numbers */
	PSEUDO_ID,     /* UUIDs, WWNs and other ids of devices and machines, labels */
	PSEUDO_PATH,   /* one component of a path */
	PSEUDO_NAME,   /* anything else that a driver is told: a bucket, a container */
	PSEUDO_KINDS
};
const char *pseudo_kind_name(enum pseudo_kind k); /* "host", … */

/* What a text is. All of them are searched for what is known; TEXT and SAID also for what has the shape of a path,
 * an address, an id or a host with its domain. */
enum pseudo_form {
	PSEUDO_AS_TEXT,
	PSEUDO_AS_SAID,    /* TEXT that may have been cut at its end, within a name: errors, lines of a log */
	PSEUDO_AS_WORDS,   /* only what is known is replaced: versions, keys of cells */
	PSEUDO_AS_HOST,    /* [user@]host[:port], several with commas between */
	PSEUDO_AS_USER,
	PSEUDO_AS_PATH,    /* each component is a name, spaces and all; also host:/path and URLs */
	PSEUDO_AS_SERIAL,  /* several with ", " between */
	PSEUDO_AS_ID,      /* several with ", " between; the prefix of a stable id stays */
	PSEUDO_AS_NAME,    /* the whole, unless it is a number or a word of the program; a path as a path */
	PSEUDO_AS_LAYER,   /* "dm-0: LVM volume (NAME, uuid ID)", "loop0: loop device (FILE)" */
	PSEUDO_AS_OPTIONS  /* name=value, with commas or spaces between: values that no kernel knows are names */
};

struct pseudonyms; /* opaque */

/* With a secret key pseudonyms follow from HMAC-SHA256(key, kind and original): the same in each bundle
 * that is redacted with this key, and nobody without it can try out a guess. Without (NULL) they are
 * numbered by first appearance, which says nothing of the original. */
struct pseudonyms *pseudonyms_new(const void *key, size_t n);
void pseudonyms_free(struct pseudonyms *p);

/* To be called with all texts before the first is learnt: a pseudonym that they contain is not given. */
void pseudonyms_avoid(struct pseudonyms *p, const char *text);
/* A word that says nothing here (the name of a driver): as weak as those of the program. Before learning. */
void pseudonyms_spare(struct pseudonyms *p, const char *word);
void pseudonyms_learn(struct pseudonyms *p, enum pseudo_form form, const char *text);
/* A name that may hold slashes (of a target, say) and stands whole in other texts, also as a part of a JSON
 * pointer. */
void pseudonyms_learn_whole(struct pseudonyms *p, const char *name);
/* The text with pseudonyms; the caller owns it. Appends to `out` instead with the second. */
char *pseudonyms_replace(struct pseudonyms *p, enum pseudo_form form, const char *text);

/* How many different originals of a kind have a pseudonym. */
size_t pseudonyms_count(const struct pseudonyms *p, enum pseudo_kind k);
/* An original that is not weak and stands in the text; NULL: none. `plain` false leaves out those that are
 * plain words or numbers, which a text may have for another reason. */
const char *pseudonyms_left(const struct pseudonyms *p, const char *text, bool plain);
/* "original TAB pseudonym" a line, in order of first appearance. With `weak` only those that are weak and no
 * part of a path: what a reader of the result should look for himself. */
void pseudonyms_list(const struct pseudonyms *p, bool weak, struct buf *out);

#endif
