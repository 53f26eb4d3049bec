/* SPDX-License-Identifier: Apache-2.0
 *
 * iowitness driver interface, major 1.
 *
 * This is the only header a driver needs. A driver of any license may include it: using the
 * definitions below does not make a driver a derived work of iowitness.
 *
 * A driver is a shared object that exports one symbol, `iow_driver_1`, a function that returns a
 * const descriptor (struct iow_driver). The harness owns timing, buffers, offsets, order and
 * durability; the driver owns I/O.
 *
 * Life cycle of one run (all calls in one process; one child process per run):
 *
 *     open ── info ── settle ──┬── queue_open ── io | submit/reap … ── queue_close ──┬── close
 *                              └── (one queue per job, each used by one thread only) ┘
 *
 * Threads: `open`, `info`, `settle` and `close` are called from one thread, never while a queue
 * exists except `info`. Each queue is opened, used and closed by one thread; several queues of one
 * target may be in use at once when `threads` allows it.
 *
 * Errors: a cold call that fails fills `struct iow_error` and returns NULL or -1, with no side
 * effect left behind. An I/O that fails says so in `iow_io.res` as -errno.
 *
 * Growth: `size` fields say how many bytes of a structure its maker knew. Fields are only appended.
 * The harness copies the smaller size and refuses a driver whose unknown tail is not all zero.
 * A changed meaning is a new major with a new symbol.
 */
#ifndef IOWITNESS_DRIVER_H
#define IOWITNESS_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IOW_ABI 1u /* major that this header describes */

/* Text of an error. The caller owns it and sets `size` to sizeof; `err` is an errno or 0.
 * `text` is UTF-8, ends with NUL, names the place and what to do; no newline at its end. */
struct iow_error {
	uint32_t size;
	int32_t err;
	char text[1016];
};

/* ---- keys: the configuration of a target, typed ---- */

enum iow_key_type {
	IOW_KEY_STRING = 1, /* const char * */
	IOW_KEY_BOOL = 2,   /* uint8_t 0 or 1 */
	IOW_KEY_INT = 3,    /* int64_t */
	IOW_KEY_BYTES = 4,  /* uint64_t; a plan may say "64KiB" */
	IOW_KEY_TIME = 5,   /* int64_t nanoseconds; a plan may say "5ms" */
	IOW_KEY_REAL = 6,   /* double */
	IOW_KEY_CHOICE = 7, /* uint32_t, index into `choices` */
	IOW_KEY_LIST = 8    /* const char *const *, NULL-terminated */
};

#define IOW_KEY_REQUIRED (1u << 0) /* no default: a plan must give it */
#define IOW_KEY_AXIS (1u << 1)     /* makes sense to sweep */
#define IOW_KEY_DEVICE (1u << 2)   /* names a block or character device: guarded before any write */
#define IOW_KEY_SECRET (1u << 3)   /* never written to a bundle, log or report */
#define IOW_KEY_FILE (1u << 4)     /* names a regular test file that the harness may make and remove */
#define IOW_KEY_COMMAND (1u << 5)  /* run as a command or a part of one: given only with --allow-commands */

/* One key. `offset` is where its value goes in the configuration that `open` gets, a block of
 * `conf_size` bytes. `min` and `max` bound INT, BYTES and TIME (both 0: no bound); `rmin`, `rmax` REAL.
 * `def` is the default as a plan would write it, NULL for "not set" (0, NULL). */
struct iow_key {
	const char *name;
	uint32_t type, flags;
	size_t offset;
	const char *def;
	int64_t min, max;
	double rmin, rmax;
	const char *const *choices; /* NULL-terminated, CHOICE only */
	const char *help;           /* one sentence, no full stop needed */
};

/* ---- capabilities ---- */

#define IOW_CAP_READ (1ull << 0)
#define IOW_CAP_WRITE (1ull << 1)
#define IOW_CAP_TRIM (1ull << 2)
#define IOW_CAP_FLUSH (1ull << 3)       /* honours the FLUSH op: returns when data is durable */
#define IOW_CAP_DSYNC (1ull << 4)       /* can open so that each write is durable (data) */
#define IOW_CAP_SYNC (1ull << 5)        /* … data and metadata */
#define IOW_CAP_DIRECT (1ull << 6)      /* always bypasses the host's page cache */
#define IOW_CAP_BUFFERED (1ull << 7)    /* goes through the host's page cache */
#define IOW_CAP_ASYNC (1ull << 8)       /* submit and reap; more than one I/O in flight a queue */
#define IOW_CAP_CONNECT (1ull << 9)     /* leads to another node; no I/O of its own */
#define IOW_CAP_FOREIGN_HOT (1ull << 10) /* hot ops allocate, lock or call an interpreter: stated in the report */
#define IOW_CAP_SELF_TIMED (1ull << 11) /* sets iow_io.self_ns; the harness uses it and the report says so */
#define IOW_CAP_VIRTUAL_TIME (1ull << 12) /* self-timed and returns at once: simulated I/O */
#define IOW_CAP_NEEDS_DURABILITY (1ull << 13) /* refuses a workload whose durability is none */
#define IOW_CAP_NO_DATA (1ull << 14)    /* moves no bytes (null): fills and checks make no sense */

/* ---- what the harness gives ---- */

/* Functions of the harness, valid for the life of the process. `fact` stores one named fact about
 * the target (UTF-8, shown in the report); `log` one line in the bundle's log. Both may be called
 * from any thread, from cold calls only. Never print: stdout and stderr go to the log. */
struct iow_host {
	size_t size;
	uint32_t abi;
	uint32_t pad;
	void *ctx;
	void (*fact)(void *ctx, const char *name, const char *value);
	void (*log)(void *ctx, const char *line);
};

#define IOW_OPEN_READ (1u << 0)
#define IOW_OPEN_WRITE (1u << 1)
#define IOW_OPEN_CREATE (1u << 2) /* make the file new (O_EXCL), sized as the keys say */
#define IOW_OPEN_DIRECT (1u << 3)
#define IOW_OPEN_DSYNC (1u << 4)
#define IOW_OPEN_SYNC (1u << 5)

/* Argument of `open`. `conf` is laid out by the keys table, borrowed for the target's life. */
struct iow_open {
	size_t size;
	const void *conf;
	uint32_t flags, jobs; /* jobs: how many queues will be opened */
	uint64_t seed;        /* for drivers that draw random numbers */
};

/* What an opened target is. Zero means "unknown". */
struct iow_info {
	size_t size;
	uint64_t rdev;         /* st_rdev of the device I/O goes to; for a file st_dev's; 0: none */
	uint64_t bytes;        /* bytes that may be addressed */
	uint32_t offset_align; /* required alignment of offsets and lengths */
	uint32_t buffer_align; /* required alignment of memory */
	uint32_t max_io;       /* largest single I/O in bytes */
	uint32_t max_depth;    /* of one queue */
	uint64_t ops;          /* IOW_CAP_READ … FLUSH that this target can do now */
	uint64_t open_flags;   /* IOW_OPEN_* really in force, read back (F_GETFL), not assumed */
	int32_t fd;            /* a descriptor the harness may fstat, never read or write; -1: none */
	uint32_t pad;
	char path[512];
};

/* `settle`: bring caches to a known state before a run.
 * range: bytes [offset, offset + length) of the target; length 0: all of it. */
#define IOW_SETTLE_FLUSH (1u << 0) /* write back what is dirty */
#define IOW_SETTLE_DROP (1u << 1)  /* drop what is cached of the range */
struct iow_settle {
	size_t size;
	uint32_t flags, pad;
	uint64_t offset, length;
};

/* What stayed in the host's cache after `settle`. `method`: 0 not verifiable, 1 cachestat, 2 mincore,
 * 3 the driver's own knowledge (text in `how`). */
struct iow_residency {
	size_t size;
	uint64_t pages, resident; /* of 4 KiB */
	uint32_t method, pad;
	char how[120];
};

/* Argument of `queue_open`. `buffers` is the harness's memory for all I/Os of this queue, for
 * drivers that register buffers; every iow_io.buf lies in it. */
struct iow_queue {
	size_t size;
	uint32_t depth, job; /* at most `depth` I/Os in flight; job number from 0 */
	void *buffers;
	uint64_t buffers_len;
	uint32_t batch, flags; /* the harness submits at most `batch` at once; flags 0 */
};

enum iow_op { IOW_OP_READ = 0, IOW_OP_WRITE = 1, IOW_OP_TRIM = 2, IOW_OP_FLUSH = 3, IOW_OPS = 4 };

/* One I/O. The harness owns it and fills op, buf, offset, len, tag; the driver sets res (bytes moved
 * or -errno) and, when SELF_TIMED, self_ns (its own service time). `priv` points to io_priv bytes of
 * the driver's own, zeroed once per queue, kept from I/O to I/O. */
struct iow_io {
	void *buf;
	uint64_t offset;
	uint32_t len, op;
	int64_t res;
	int64_t self_ns;
	uint64_t tag;
	void *priv;
};

/* `connect`: argv in; descriptors and pid out. `argv` is the agent's command to run there. */
struct iow_connect {
	size_t size;
	const char *const *argv; /* NULL-terminated: the agent and its arguments */
	const char *node;        /* name of the node in the plan */
	int64_t timeout_ns;
	const char *const *files; /* NULL-terminated: what the agent there would need, its program first, then
	                           * drivers; for a driver that carries them to a node without them */
};

struct iow_link {
	size_t size;
	int32_t in, out, err; /* read the agent's frames from `in`, write to `out`; its stderr */
	int32_t pid;          /* local process that carries the stream; the harness reaps it */
};

/* The descriptor. `abi` IOW_ABI; `threads` how many queues may be in use at once (0: any number);
 * `size`, `key_size` sizes of this structure and of struct iow_key in the driver's eyes; `conf_size`
 * of its configuration; `io_priv` bytes of private state an I/O. */
struct iow_driver {
	uint32_t abi, threads;
	size_t size, key_size, conf_size, io_priv;
	const char *name, *version, *summary;
	const struct iow_key *keys; /* ends with a key whose name is NULL */
	uint64_t caps;

	/* Opens the target. If a flag cannot be honoured (O_DIRECT refused) it fails: no fallback. */
	void *(*open)(const struct iow_host *, const struct iow_open *, struct iow_error *);
	/* Fills what is known; 0, or -1 with the error set. */
	int (*info)(void *target, struct iow_info *, struct iow_error *);
	void (*close)(void *target);
	/* Optional. 0, or -1 with the error set. Residency is measured after the drop. */
	int (*settle)(void *target, const struct iow_settle *, struct iow_residency *, struct iow_error *);

	void *(*queue_open)(void *target, const struct iow_queue *, struct iow_error *);
	/* Never called with an I/O in flight. */
	void (*queue_close)(void *queue);

	/* Hot. A driver has `io` (synchronous), or `submit` and `reap`, or all three. Hot ops do not
	 * allocate, lock, log or read the clock unless caps say FOREIGN_HOT or SELF_TIMED. */
	void (*io)(void *queue, struct iow_io *);
	/* Takes the first 0..n of `ios`; 0 means full, never negative. An accepted I/O comes back from
	 * `reap` exactly once; one that is refused by the system too, with res = -errno. */
	int (*submit)(void *queue, struct iow_io *const *ios, uint32_t n);
	/* Waits until `min` are done or `timeout_ns` is over (-1: no limit; min 0: just looks); fills
	 * `done` with at most `max`. Returns how many, or -errno when the queue itself is broken. */
	int (*reap)(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns);
	/* Optional, cold: says in words what the failure of an I/O with res < 0 means here. */
	void (*explain)(void *queue, const struct iow_io *, struct iow_error *);
	/* CONNECT only. */
	int (*connect)(void *target, const struct iow_connect *, struct iow_link *, struct iow_error *);
};

/* The exported symbol. */
typedef const struct iow_driver *iow_driver_fn(void);
#define IOW_DRIVER_SYMBOL "iow_driver_1"
#define IOW_EXPORT __attribute__((visibility("default")))
IOW_EXPORT const struct iow_driver *iow_driver_1(void);

#ifdef __cplusplus
}
#endif
#endif
