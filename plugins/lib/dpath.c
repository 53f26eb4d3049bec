/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/dpath.h"
#include "lib/fail.h"
#include "lib/node.h"

#include <errno.h>
#include <stdlib.h>

void *dpath_open(const struct iow_open *o, enum dpath_kind kind, struct iow_error *e)
{
	const struct dpath_conf *c = o->conf;
	struct node *n = calloc(1, sizeof *n);

	if (!n) {
		fail(e, ENOMEM, "%s", c->path);
		return NULL;
	}
	if (node_open(n, c->path, c->size, o->flags | IOW_OPEN_DIRECT, e) != 0)
		goto out;
	if (kind == DPATH_DEVICES && n->regular) {
		fail(e, ENOTBLK, "%s is a regular file: the driver direct reads and writes files", c->path);
		goto out_close;
	}
	if (kind == DPATH_FILES && !n->regular && o->flags & IOW_OPEN_WRITE) {
		fail(e, ENOTSUP, "%s is no regular file: devices are written by the driver raw only", c->path);
		goto out_close;
	}
	return n;
out_close:
	node_close(n);
out:
	free(n);
	return NULL;
}

int dpath_info(void *target, struct iow_info *i, struct iow_error *e)
{
	node_info(target, i);
	i->max_depth = 4096;
	return 0;
}

void dpath_close(void *target)
{
	node_close(target);
	free(target);
}

int dpath_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	return node_settle(target, s, r, e);
}
