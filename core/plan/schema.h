/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_SCHEMA_H
#define IOW_PLAN_SCHEMA_H

#include <jansson.h>

/* JSON Schema (2020-12) of a plan, made of the tables of its keys: what editors complete from. The
 * keys of drivers are not in it: they are allowed, and checked by the program. templates/schema/
 * plan.schema.json is its text. New. */
json_t *plan_schema(void);

#endif
