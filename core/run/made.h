/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_MADE_H
#define IOW_RUN_MADE_H

#include <jansson.h>
#include <stdbool.h>

#include "run/guard.h"

#include <iowitness/driver.h>

/* What an agent keeps for a campaign and undoes at its end: test files and loop devices that its
 * children made, and claims on devices that are written.
 *
 *     PREPARE target ── made_ask ──► child ── FACT "undo" ── made_note
 *                                          └─ READY ── made_ready ──► coordinator
 *     PREPARE run ── made_run ──► child                    … made_undo
 */
struct made; /* opaque */

struct made *made_new(void);
/* Removes the files that are still the ones that were made, lets go of devices (a loop device is gone
 * with its last user) and frees it. `log` gets a line for what could not be undone. */
void made_undo(struct made *m, void (*log)(void *ctx, const char *line), void *ctx);

/* A copy of the request for the child, with what is there: members "made" and "held". New. */
json_t *made_ask(const struct made *m, const json_t *ask);
/* The member "undo" of a child's FACT: {"file", "dev", "ino"}. */
void made_note(struct made *m, const json_t *undo);
/* A child's READY for a target: claims the device of its member "hold" ({"path", "loop", "write"}), takes
 * that member and "set" off it. -1: refused, the text has reason and remedy. */
int made_ready(struct made *m, const json_t *ask, json_t *ready, struct iow_error *e);
/* Would the device be claimed for this request? Asks the guard and lets go again; 0 or -1 as made_ready. */
int made_look(const json_t *ask, const char *path, struct guard_answer *a, struct iow_error *e);
/* A copy of a run's request with the keys that a made device fills in, and with "guarded" when the
 * device of its target is claimed. New. */
json_t *made_run(const struct made *m, const json_t *ask);

#endif
