/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_SOURCE_H
#define IOW_PLAN_SOURCE_H

#include "plan/plan.h"

/* What is done to a plan's text before anything in it is looked at. */

/* Applies one "/json/path=VALUE" to p->root and records it. VALUE is JSON where it can be, else a
 * text. Objects on the way are made; an element of an array must exist, or be "-" to append. */
void source_set(struct plan *p, const char *text);

/* Replaces "${name}" in all texts of p->root (not in keys, not in params): a text that is nothing
 * else becomes the parameter's value with its type; "$${" stands for "${". */
void source_substitute(struct plan *p);

/* Adds each key that its object has already, at its second place. `text` is valid JSON. */
void source_find_duplicates(const char *text, struct problems *p);

#endif
