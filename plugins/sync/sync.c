/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of posix, for durable writes only: a plan that forgets to say how is refused. */
#include "lib/pfile.h"

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct pfile_conf),
	.name = "sync",
	.version = "1",
	.summary = "durable file writes through the page cache (O_DSYNC, O_SYNC or flush every N)",
	.keys = pfile_keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC |
		IOW_CAP_BUFFERED | IOW_CAP_NEEDS_DURABILITY,
	.open = pfile_open,
	.info = pfile_info,
	.close = pfile_close,
	.settle = pfile_settle,
	.queue_open = pfile_queue_open,
	.queue_close = pfile_queue_close,
	.io = pfile_io,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
