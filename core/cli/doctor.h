/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_DOCTOR_H
#define IOW_CLI_DOCTOR_H

#include <stddef.h>

#include "base/buf.h"

#include <iowitness/driver.h>

#include <stdbool.h>

/* What `iowitness doctor` asks of this machine. A probe opens, reads and asks; it leaves nothing
 * changed (the folder's probe makes one file without a name, which is gone when it is closed). */

enum doctor_state {
	DOCTOR_GOOD,
	DOCTOR_LIMITED, /* something will be measured in a weaker way, or not at all */
	DOCTOR_BAD      /* nothing can be measured before this is mended */
};

struct doctor_answer {
	enum doctor_state state;
	struct buf says; /* what was found */
	struct buf mend; /* what to do about it; empty when GOOD */
};

struct doctor_probe {
	const char *name;
	void (*ask)(struct doctor_answer *a, const char *dir); /* dir: where test files would lie */
};

/* Each table ends with a name of NULL. */
extern const struct doctor_probe doctor_host[];
extern const struct doctor_probe doctor_folder[];

/* Asks other nodes: names of nodes of the plan at `plan_path` (may be NULL), or hosts for ssh. Each
 * answer goes to `add` under "NODE PROBE". `commands`: a launcher that the plan names may be started. -1: the plan cannot be read. */
typedef void doctor_add_fn(void *ctx, const char *name, const struct doctor_answer *a);
int doctor_nodes(char **names, size_t n, const char *plan_path, bool commands, doctor_add_fn *add, void *ctx,
		 struct iow_error *e);

/* Give an answer; each probe calls one of these once. The mend may be NULL for "nothing to do". */
void doctor_good(struct doctor_answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doctor_limited(struct doctor_answer *a, const char *mend, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void doctor_bad(struct doctor_answer *a, const char *mend, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
