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
 *   HELLO    → {"protocol":1,"version":"0.1.0","silence_ms":30000}  ← {"protocol":1,"version":…,"node":…,"boot":…,"root":…,"pid":…,"caps":[…]}
 *              {"ping":T0}                                  ← {"ping":T0,"mono":NS}      (clock offset; heartbeat)
 *   PREPARE  → {"id":I,"what":"host"}                       ← READY {"id":I,"facts":{…}}
 *              {"id":I,"what":"driver","driver":"posix"}    ← READY {"id":I,"driver":{"name","version","summary","file",
 *                                                              "sha256","threads","caps":["READ",…],"keys":[{"name","type",
 *                                                              "flags":[…],"default","min","max","choices","help"}]}}
 *                                                              (type "string" … "list"; flags "REQUIRED" "AXIS" "DEVICE"
 *                                                              "SECRET" "FILE"; default as a plan writes it)
 *              {"id":I,"what":"target","target":NAME,"driver":…,"keys":{…},"make":…,"write":bool,"cold":bool,
 *               "deadline":NS,"layout":"written","seed":"16 hex","destroy":[ids of --destroy],"destroy_id":…,
 *               "look":true (only say what would be done)}       ← READY {"id":I,"says":TEXT}; else
 *                                                           ← READY {"id":I,"bytes":…,"rdev":…,"device_id":…,"align":…,"path":…,"facts":{…}}
 *              {"id":I,"what":"run","run":N,"target":NAME,"driver":…,"keys":{…},"workload":{…},"cache":"cold|as-is|warm",
 *               "pass":1,"offset":…,"length":…,"seed":"16 hex","write":bool,"rdev":…}
 *                                                           ← READY {"id":I,"run":N,"line":{members of a run known so far}}
 *   GO       → {"run":N,"at":NS}  on the receiver's CLOCK_MONOTONIC; 0: now
 *   PROGRESS                                                ← {"run":N,"bytes":…,"ios":…}  at most 4 a second;
 *                from a child to its agent {"id":I}: the file of a target is still being written
 *                In the line of the RESULT, "skew_ns" is how late after it the first I/O was.
 *   STOP     → {"run":N}  finish early, RESULT follows;     {"all":true}: undo everything and end
 *   RESULT                                                  ← {"run":N,"line":{members of a run},"samples":{…}|null}
 *   FACT                                                    ← {"target":NAME,"name":…,"value":…}; {"log":LINE}
 *   ERROR                                                   ← {"id":I|"run":N,"class":"plan|refused|failed","errno":E,"text":…}
 *
 * Agent and child speak the same. `iowitness child FD` serves one PREPARE ("driver", "target", "run",
 * "connect") and ends: describing and writing a layout are children too, so that a driver that crashes
 * or hangs in them costs one answer. The agent adds to the child's PREPARE: "rdev" of the target and
 * "guarded", the device that it claimed for writing; for a target "made" and "held", what is there already (run/made.h).
 * The child's FACT "undo" and the members "hold" and "set" of its READY stay with the agent, which then
 * says STOP. The plugin path comes in the environment. The child's stdout and stderr are the agent's pipe; its descriptor FD is a
 * socket whose end of file means: stop at once, the agent is gone. STOP: end early and send RESULT.
 * "connect" (→ "driver","keys","node","drivers","timeout_ns"; ← READY, or ERROR and the end): after READY
 * the child passes bytes both ways between FD and the link.
 *
 * A run that ends badly still gives RESULT: line.status says how ("failed", "crashed", "hung", …). */

#define WIRE_PROTOCOL 1
#define WIRE_MAX ((size_t)16 << 20)
#define WIRE_VALUES 2000000         /* JSON values in one frame: bounds the memory that parsing takes */
#define WIRE_DEPTH 64               /* nesting of one frame */
#define WIRE_OUT_MAX ((size_t)64 << 20) /* bytes queued for a peer that does not read */

/* Writes one frame to fd, waiting as long as it takes. EPIPE when the peer is gone (never a signal on
 * a socket). */
int wire_send(int fd, const json_t *frame, struct iow_error *e);

/* Reader that keeps what came in parts, and a queue of what is to be written. */
struct wire {
	int fd, out_fd; /* the same unless the caller sets out_fd after wire_init */
	struct buf in, out;
	size_t taken, sent; /* of in.data, of out.data */
};
void wire_init(struct wire *w, int fd);
void wire_release(struct wire *w); /* does not close fd */
/* A frame that was read already, else one read(2), then: 1 and a new frame in *out, 0 when more is needed (or EAGAIN), -1 with the error
 * set on end of stream (err 0), a frame that is too long, is not JSON, or has no "type". Call again
 * with `more` false to take further frames out of what was already read. After -1 the stream is
 * useless. */
int wire_next(struct wire *w, bool more, json_t **out, struct iow_error *e);
/* Blocks until a frame is there; timeout_ns -1: no limit; err ETIMEDOUT. */
int wire_recv(struct wire *w, json_t **out, int64_t timeout_ns, struct iow_error *e);

/* For event loops: queues a frame (ENOBUFS when the peer has not read WIRE_OUT_MAX bytes), and writes
 * what the peer takes now; the descriptor should be non-blocking or a socket. */
int wire_queue(struct wire *w, const json_t *frame, struct iow_error *e);
int wire_flush(struct wire *w, struct iow_error *e);
bool wire_pending(const struct wire *w); /* something is queued: poll for POLLOUT, then flush */

/* The type of a frame, never NULL, and a new frame of that type. */
const char *wire_type(const json_t *frame);
json_t *wire_frame(const char *type);

#endif
