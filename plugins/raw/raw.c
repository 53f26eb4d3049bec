/* SPDX-License-Identifier: Apache-2.0 */
/* A block or character device with O_DIRECT through the kernel's asynchronous I/O. */
#include "lib/aio.h"
#include "lib/dpath.h"

static const struct iow_key keys[] = {
	{ .name = "path", .type = IOW_KEY_STRING, .flags = IOW_KEY_REQUIRED | IOW_KEY_DEVICE,
	  .offset = offsetof(struct dpath_conf, path), .help = "The block or character device" },
	DPATH_SIZE_KEY,
	{ .name = NULL },
};

static void *raw_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	return dpath_open(o, DPATH_DEVICES, e);
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct dpath_conf),
	.io_priv = AIO_PRIV,
	.name = "raw",
	.version = "1",
	.summary = "block and character devices past the page cache (O_DIRECT) through libaio's system calls",
	.keys = keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC |
		IOW_CAP_DIRECT | IOW_CAP_ASYNC,
	.open = raw_open,
	.info = dpath_info,
	.close = dpath_close,
	.settle = dpath_settle,
	.queue_open = aio_queue_open,
	.queue_close = aio_queue_close,
	.submit = aio_submit,
	.reap = aio_reap,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
