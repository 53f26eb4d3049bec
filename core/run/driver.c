/* SPDX-License-Identifier: Apache-2.0 */
#include "run/driver.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "plan/tables.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a driver of the first version has at least: everything up to `reap`, and keys up to `help`. */
#define DRIVER_LEAST offsetof(struct iow_driver, explain)
#define KEY_LEAST sizeof(struct iow_key)

static bool all_zero(const void *p, size_t n)
{
	const unsigned char *c = p;

	for (size_t i = 0; i < n; i++)
		if (c[i])
			return false;
	return true;
}

/* Whoever may change the file or replace it in its directory would run code as us. */
static int check_trusted(const char *path, bool dir, struct iow_error *e)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_sys(e, errno, "%s", path);
	if (st.st_mode & S_IWOTH && !(dir && st.st_mode & S_ISVTX))
		return err_set(e, EPERM, "%s may be written by others (mode %03o): refused", path,
			       (unsigned)(st.st_mode & 0777));
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return err_set(e, EPERM, "%s belongs to user %u, neither root nor the user who runs this: refused",
			       path, (unsigned)st.st_uid);
	return 0;
}

static int check_file(const char *file, struct iow_error *e)
{
	mem_auto char *copy = mem_strdup(file);

	if (check_trusted(file, false, e) != 0)
		return -1;
	return check_trusted(dirname(copy), true, e);
}

static int copy_keys(struct driver *d, const struct iow_driver *from, struct iow_error *e)
{
	const size_t each = from->key_size < sizeof(struct iow_key) ? from->key_size : sizeof(struct iow_key);
	const char *p = (const char *)from->keys;

	if (from->key_size < KEY_LEAST)
		return err_set(e, 0, "its keys have %zu bytes, interface 1 has %zu", from->key_size, KEY_LEAST);
	if (!p)
		return err_set(e, 0, "it has no table of keys");
	for (;; p += from->key_size) {
		struct iow_key *k = VEC_ADD(d->keys, d->n_keys);

		memcpy(k, p, each);
		if (!k->name)
			break;
		if (!all_zero(p + each, from->key_size - each))
			return err_set(e, 0, "its key \"%s\" uses fields this version does not know", k->name);
		if (k->type < IOW_KEY_STRING || k->type > IOW_KEY_LIST)
			return err_set(e, 0, "its key \"%s\" has the unknown type %u", k->name, k->type);
		if (k->offset >= from->conf_size)
			return err_set(e, 0, "its key \"%s\" lies outside its configuration", k->name);
	}
	d->n_keys--;
	d->d.keys = d->keys;
	return 0;
}

static int check_calls(const struct iow_driver *d, struct iow_error *e)
{
	const bool sync = d->io, async = d->submit && d->reap;

	if (!d->name || !*d->name || !d->version || !d->summary)
		return err_set(e, 0, "it has no name, version or summary");
	if (!d->open || !d->close)
		return err_set(e, 0, "it has no open or no close");
	if (!d->submit != !d->reap)
		return err_set(e, 0, "it has one of submit and reap; both are needed");
	if (d->caps & ~caps_known())
		return err_set(e, 0, "it states capabilities this version does not know (%#llx)",
			       (unsigned long long)(d->caps & ~caps_known()));
	if (d->caps & IOW_CAP_CONNECT) {
		if (!d->connect)
			return err_set(e, 0, "it states CONNECT and has no connect");
		return 0;
	}
	if (!d->info || !d->queue_open || !d->queue_close || !(sync || async))
		return err_set(e, 0, "it lacks info, queue_open, queue_close, or io and submit with reap");
	if (d->caps & IOW_CAP_ASYNC && !async)
		return err_set(e, 0, "it states ASYNC and has no submit and reap");
	return 0;
}

/* Takes over the smaller size; what we would not see must be zero. */
static int adopt(struct driver *d, const struct iow_driver *from, struct iow_error *e)
{
	const size_t n = from->size < sizeof d->d ? from->size : sizeof d->d;

	if (from->abi != IOW_ABI)
		return err_set(e, 0, "it speaks driver interface %u, this program %u", from->abi, IOW_ABI);
	if (from->size < DRIVER_LEAST || from->size > 1 << 16)
		return err_set(e, 0, "its descriptor has %zu bytes, interface 1 has at least %zu", from->size,
			       (size_t)DRIVER_LEAST);
	if (!all_zero((const char *)from + n, from->size - n))
		return err_set(e, 0, "it was built for a newer version and uses what this one does not know");
	memcpy(&d->d, from, n);
	d->size = from->size;
	if (copy_keys(d, from, e) != 0)
		return -1;
	return check_calls(&d->d, e);
}

int driver_load(struct driver *d, const char *file, struct iow_error *e)
{
	iow_driver_fn *fn;
	const struct iow_driver *from;
	void *so;

	memset(d, 0, sizeof *d);
	if (check_file(file, e) != 0 || digest_file_at(AT_FDCWD, file, d->sha256, e) != 0)
		return -1;
	so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!so)
		return err_set(e, 0, "%s", dlerror());
	*(void **)&fn = dlsym(so, IOW_DRIVER_SYMBOL);
	if (!fn)
		return err_set(e, 0, "%s is no driver of interface 1: %s", file, dlerror());
	from = fn();
	if (!from)
		return err_set(e, 0, "%s: " IOW_DRIVER_SYMBOL " gave no descriptor", file);
	if (adopt(d, from, e) != 0) {
		driver_release(d);
		return err_in(e, "%s", file);
	}
	d->file = mem_strdup(file);
	return 0;
}

void driver_release(struct driver *d)
{
	if (!d)
		return;
	free(d->keys);
	free(d->file);
	memset(d, 0, sizeof *d);
}
