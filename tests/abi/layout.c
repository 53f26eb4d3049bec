/* SPDX-License-Identifier: Apache-2.0 */
/* The layout that drivers were built with. A change here breaks every driver that exists: fields are
 * only appended, which changes no line below. LP64. */
#include <iowitness/driver.h>

#define AT(type, field, offset) \
	_Static_assert(offsetof(struct type, field) == (offset), #type "." #field " moved")
#define LEAST(type, size) _Static_assert(sizeof(struct type) >= (size), #type " shrank")
#define IS(name, value) _Static_assert((name) == (value), #name " changed")

AT(iow_error, size, 0);
AT(iow_error, err, 4);
AT(iow_error, text, 8);
_Static_assert(sizeof(struct iow_error) == 1024, "iow_error changed");

AT(iow_key, name, 0);
AT(iow_key, type, 8);
AT(iow_key, flags, 12);
AT(iow_key, offset, 16);
AT(iow_key, def, 24);
AT(iow_key, min, 32);
AT(iow_key, max, 40);
AT(iow_key, rmin, 48);
AT(iow_key, rmax, 56);
AT(iow_key, choices, 64);
AT(iow_key, help, 72);
LEAST(iow_key, 80);

AT(iow_host, size, 0);
AT(iow_host, abi, 8);
AT(iow_host, ctx, 16);
AT(iow_host, fact, 24);
AT(iow_host, log, 32);
LEAST(iow_host, 40);

AT(iow_open, conf, 8);
AT(iow_open, flags, 16);
AT(iow_open, jobs, 20);
AT(iow_open, seed, 24);
LEAST(iow_open, 32);

AT(iow_info, rdev, 8);
AT(iow_info, bytes, 16);
AT(iow_info, offset_align, 24);
AT(iow_info, buffer_align, 28);
AT(iow_info, max_io, 32);
AT(iow_info, max_depth, 36);
AT(iow_info, ops, 40);
AT(iow_info, open_flags, 48);
AT(iow_info, fd, 56);
AT(iow_info, path, 64);
LEAST(iow_info, 576);

AT(iow_settle, flags, 8);
AT(iow_settle, offset, 16);
AT(iow_settle, length, 24);
AT(iow_residency, pages, 8);
AT(iow_residency, resident, 16);
AT(iow_residency, method, 24);
AT(iow_residency, how, 32);

AT(iow_queue, depth, 8);
AT(iow_queue, job, 12);
AT(iow_queue, buffers, 16);
AT(iow_queue, buffers_len, 24);
AT(iow_queue, batch, 32);
AT(iow_queue, flags, 36);

AT(iow_io, buf, 0);
AT(iow_io, offset, 8);
AT(iow_io, len, 16);
AT(iow_io, op, 20);
AT(iow_io, res, 24);
AT(iow_io, self_ns, 32);
AT(iow_io, tag, 40);
AT(iow_io, priv, 48);
_Static_assert(sizeof(struct iow_io) == 56, "iow_io has no size field: it never changes in this major");

AT(iow_connect, argv, 8);
AT(iow_connect, node, 16);
AT(iow_connect, timeout_ns, 24);
AT(iow_link, in, 8);
AT(iow_link, out, 12);
AT(iow_link, err, 16);
AT(iow_link, pid, 20);

AT(iow_driver, abi, 0);
AT(iow_driver, threads, 4);
AT(iow_driver, size, 8);
AT(iow_driver, key_size, 16);
AT(iow_driver, conf_size, 24);
AT(iow_driver, io_priv, 32);
AT(iow_driver, name, 40);
AT(iow_driver, version, 48);
AT(iow_driver, summary, 56);
AT(iow_driver, keys, 64);
AT(iow_driver, caps, 72);
AT(iow_driver, open, 80);
AT(iow_driver, info, 88);
AT(iow_driver, close, 96);
AT(iow_driver, settle, 104);
AT(iow_driver, queue_open, 112);
AT(iow_driver, queue_close, 120);
AT(iow_driver, io, 128);
AT(iow_driver, submit, 136);
AT(iow_driver, reap, 144);
AT(iow_driver, explain, 152);
AT(iow_driver, connect, 160);
LEAST(iow_driver, 168);

IS(IOW_ABI, 1);
IS(IOW_KEY_STRING, 1);
IS(IOW_KEY_LIST, 8);
IS(IOW_KEY_REQUIRED, 1);
IS(IOW_KEY_FILE, 16);
IS(IOW_CAP_READ, 1);
IS(IOW_CAP_FLUSH, 8);
IS(IOW_CAP_ASYNC, 256);
IS(IOW_CAP_NO_DATA, 16384);
IS(IOW_OPEN_CREATE, 4);
IS(IOW_OPEN_SYNC, 32);
IS(IOW_SETTLE_DROP, 2);
IS(IOW_OP_READ, 0);
IS(IOW_OP_WRITE, 1);
IS(IOW_OP_TRIM, 2);
IS(IOW_OP_FLUSH, 3);
