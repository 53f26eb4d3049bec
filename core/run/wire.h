/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_WIRE_H
#define IOW_RUN_WIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#include <iowitness/driver.h>

/* One protocol from coordinator to agent and from agent to child: frames of a 4-byte big-endian
 * length and that many bytes of JSON, an object with a member "type". At most 16 MiB a frame.
 *
 * Protocol 1. Requests carry "id" (an integer of the asker), answers repeat it.
 *
 *   HELLO    → {"protocol":1,"version":"0.1.0"}            ← {"protocol":1,"version":…,"node":…,"pid":…,"caps":[…]}
 *              {"ping":T0}                                  ← {"ping":T0,"mono":NS}      (clock offset; heartbeat)
 *   PREPARE  → {"id":I,"what":"host"}                       ← READY {"id":I,"facts":{…}}
 *              {"id":I,"what":"driver","driver":"posix"}    ← READY {"id":I,"driver":{"name","version","summary","file",
 *                                                              "sha256","threads","caps":["READ",…],"keys":[{"name","type",
 *                                                              "flags":[…],"default","min","max","choices","help"}]}}
 *              {"id":I,"what":"target","target":NAME,"driver":…,"keys":{…},"make":…,"write":bool,"layout":"written",
 *               "seed":"16 hex","destroy":[ids of --destroy],"destroy_id":…}
 *                                                           ← READY {"id":I,"bytes":…,"rdev":…,"align":…,"path":…,"facts":{…}}
 *              {"id":I,"what":"run","run":N,"target":NAME,"driver":…,"keys":{…},"workload":{…},"cache":"cold|as-is|warm",
 *               "pass":1,"offset":…,"length":…,"seed":"16 hex","write":bool,"rdev":…}
 *                                                           ← READY {"id":I,"run":N,"line":{members of a run known so far}}
 *   GO       → {"run":N,"at":NS}  on the receiver's CLOCK_MONOTONIC; 0: now
 *   PROGRESS                                                ← {"run":N,"bytes":…,"ios":…}  at most 4 a second
 *   STOP     → {"run":N}  finish early, RESULT follows;     {"all":true}: undo everything and end
 *   RESULT                                                  ← {"run":N,"line":{members of a run},"samples":{…}|null}
 *   FACT                                                    ← {"target":NAME,"name":…,"value":…}; {"log":LINE}
 *   ERROR                                                   ← {"id":I|"run":N,"class":"plan|refused|failed","errno":E,"text":…}
 *
 * A run that ends badly still gives RESULT: line.status says how ("failed", "crashed", "hung", …). */

#define WIRE_PROTOCOL 1
#define WIRE_MAX ((size_t)16 << 20)

/* Writes one frame to fd (blocking). */
int wire_send(int fd, const json_t *frame, struct iow_error *e);

/* Reader that keeps what came in parts. */
struct wire {
	int fd;
	struct buf in;
};
void wire_init(struct wire *w, int fd);
void wire_release(struct wire *w); /* does not close fd */
/* One read(2), then: 1 and a new frame in *out, 0 when more is needed (or EAGAIN), -1 with the error
 * set on end of stream (err 0), a frame that is too long, is not JSON, or has no "type". Call again
 * with `more` false to take further frames out of what was already read. */
int wire_next(struct wire *w, bool more, json_t **out, struct iow_error *e);
/* Blocks until a frame is there; timeout_ns -1: no limit; err ETIMEDOUT. */
int wire_recv(struct wire *w, json_t **out, int64_t timeout_ns, struct iow_error *e);

#endif
