/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_PLAN_TABLES_H
#define IOW_PLAN_TABLES_H

#include <jansson.h>
#include <stdint.h>

#include <iowitness/driver.h>

/* The keys of each object of a plan; KEY_JSON (plan/keys.h) where a value is structured. They are the
 * source of parsing and of iowitness-plan(5); a driver's own keys stand beside those of node_keys and
 * target_keys. Offsets are 0: they serve keys_resolve only. */
extern const struct iow_key plan_keys[], report_keys[], node_keys[], target_keys[], make_keys[],
	test_keys[], variant_keys[], question_keys[], claim_keys[], quote_keys[];

/* All of them by the name of their object, as iowitness-plan(5) has its sections; ends with NULL. */
struct plan_table {
	const char *name;
	const struct iow_key *keys;
};
extern const struct plan_table plan_tables[];

/* Capabilities of a driver between bits and the names of the protocol: "READ", "WRITE", … */
uint64_t caps_from_json(const json_t *array);
json_t *caps_to_json(uint64_t caps); /* new */
uint64_t caps_known(void);          /* all bits that have a name */

#endif
