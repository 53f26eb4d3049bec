/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered file I/O: one pread or pwrite an I/O, through the page cache. */
#include "lib/pfile.h"

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct pfile_conf),
	.name = "posix",
	.version = "1",
	.summary = "buffered file I/O through the page cache (pread, pwrite, fdatasync)",
	.keys = pfile_keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC |
		IOW_CAP_BUFFERED,
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
