/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLUGIN_LIB_AIO_H
#define PLUGIN_LIB_AIO_H

#include <linux/aio_abi.h>

#include "lib/node.h"

/* Kernel asynchronous I/O (io_submit) on one node: what direct and raw share. Completions are taken from
 * the ring that the kernel shows to the process; the system call only waits. */

#define AIO_PRIV sizeof(struct iocb)

/* `target` is a struct node. */
void *aio_queue_open(void *target, const struct iow_queue *q, struct iow_error *e);
void aio_queue_close(void *queue);
int aio_submit(void *queue, struct iow_io *const *ios, uint32_t n);
int aio_reap(void *queue, struct iow_io **done, uint32_t min, uint32_t max, int64_t timeout_ns);

#endif
