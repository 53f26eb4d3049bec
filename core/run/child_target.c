/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a target ready for a campaign: a test file that is not there is made new, a loop device is made,
 * a device that will be written is looked at. What must be undone is told to the agent. */
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/child.h"
#include "run/facts.h"
#include "run/guard.h"
#include "run/layout.h"
#include "run/loop.h"
#include "run/made.h"
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct preparing {
	struct child *c;
	struct target t;
	bool write, made;
	json_t *facts;
	json_t *hold, *set; /* for the agent: the device to claim, the keys that a made device fills in */
	char loop[64];      /* node of the loop device that was made */
	int loop_fd;
};

static void set_fact(struct preparing *p, const char *name, const char *value)
{
	jsonx_set_str(p->facts, name, value);
}

/* ---- a device that the program makes ---- */

/* Name of the key that names the driver's device; NULL: it has none. */
static char *device_key(const char *driver, struct iow_error *e)
{
	mem_auto char *file = driver_find(driver, e);
	struct driver d;
	char *name = NULL;

	if (!file || driver_load(&d, file, e))
		return NULL;
	for (const struct iow_key *k = d.keys; k->name && !name; k++)
		if (k->flags & IOW_KEY_DEVICE)
			name = mem_strdup(k->name);
	driver_release(&d);
	if (!name)
		err_set(e, EINVAL, "driver %s uses no device, so there is none to make", driver);
	return name;
}

static const char *temporary_directory(const json_t *make)
{
	const char *dir = jsonx_str(make, "dir", NULL), *tmp = getenv("TMPDIR");

	return dir ? dir : tmp && *tmp ? tmp : "/var/tmp";
}

static int attach(struct preparing *p, int file, struct iow_error *e)
{
	struct iow_error why = ERR_INIT;

	p->loop_fd = loop_attach(file, true, p->loop, &why);
	set_fact(p, "loop_direct", p->loop_fd >= 0 ? "on" : "off: the filesystem of its file does not allow it");
	if (p->loop_fd < 0)
		p->loop_fd = loop_attach(file, false, p->loop, e);
	return p->loop_fd < 0 ? -1 : 0;
}

static int check_place(const char *dir, struct iow_error *e)
{
	char filesystem[32];

	layout_filesystem(dir, filesystem);
	if (!layout_hides_device(filesystem))
		return 0;
	return err_set(e, ENOTSUP, "%s is on %s, which has no device of its own to measure: give \"dir\" on a disk's "
		       "filesystem", dir, filesystem);
}

static int make_device(struct preparing *p, const json_t *make, struct iow_error *e)
{
	mem_auto char *key = device_key(jsonx_str(p->c->ask, "driver", ""), e);
	const char *dir = temporary_directory(make);
	int64_t bytes = jsonx_int(make, "loop", 0);
	int file, rc;

	if (!key)
		return -1;
	if (check_place(dir, e))
		return -1;
	file = layout_make_unnamed(dir, (uint64_t)(bytes > 0 ? bytes : 0), "written",
				   strtoull(jsonx_str(p->c->ask, "seed", "0"), NULL, 16), e);
	if (file < 0)
		return -1;
	rc = attach(p, file, e);
	close(file);
	if (rc)
		return -1;
	set_fact(p, "made_as", "a loop device on a file without a name, gone at the end of the campaign");
	set_fact(p, "made_in", dir);
	p->made = true;
	p->set = json_object();
	jsonx_set_str(p->set, key, p->loop);
	return json_object_update(json_object_get(p->c->ask, "keys"), p->set);
}

/* ---- a test file ---- */

static void note_file(void *ctx, const char *path, uint64_t dev, uint64_t ino)
{
	struct preparing *p = ctx;
	json_t *f = wire_frame("FACT");

	jsonx_set_new(f, "undo", json_pack("{s:s, s:I, s:I}", "file", path, "dev", (json_int_t)dev, "ino", (json_int_t)ino));
	child_send(p->c, f);
}

/* Was it made by this campaign, for another target? */
static bool is_ours(const struct preparing *p, const struct stat *st)
{
	const json_t *list = json_object_get(p->c->ask, "made");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);

		if (jsonx_int(o, "dev", -1) == (int64_t)st->st_dev && jsonx_int(o, "ino", -1) == (int64_t)st->st_ino)
			return true;
	}
	return false;
}

/* A driver of devices alone is never given a file that was made where a device was meant to be. */
static bool takes_files(const struct target *t)
{
	for (const struct iow_key *k = t->driver.keys; k->name; k++)
		if (k->flags & IOW_KEY_FILE)
			return true;
	return false;
}

static const char *make_new(struct preparing *p, uint64_t bytes, struct iow_error *e)
{
	const json_t *ask = p->c->ask;

	if (!takes_files(&p->t))
		return err_set(e, ENOENT, "%s: there is no such device", p->t.file), "plan";
	if (!bytes)
		return err_set(e, ENOENT, "%s is not there; with a \"size\" it would be made", p->t.file), "plan";
	if (layout_make(p->t.file, bytes, jsonx_str(ask, "layout", "written"), strtoull(jsonx_str(ask, "seed", "0"), NULL, 16),
			note_file, p, e))
		return "failed";
	p->made = true;
	return NULL;
}

static const char *use_file(struct preparing *p, const struct stat *st, uint64_t bytes, struct iow_error *e)
{
	const json_t *ask = p->c->ask;

	if (is_ours(p, st)) {
		p->made = true;
		if (bytes <= (uint64_t)st->st_size)
			return NULL;
		return layout_extend(p->t.file, bytes, jsonx_str(ask, "layout", "written"),
				     strtoull(jsonx_str(ask, "seed", "0"), NULL, 16), e) ? "failed" : NULL;
	}
	if (!p->write)
		return NULL;
	err_set(e, EPERM, "%s is not written: it was there before this campaign. Needed: another path, where a new file "
		"can be made; nothing overrides this", p->t.file);
	return "refused";
}

/* ---- a device that is there ---- */

static bool is_held(const struct preparing *p, uint64_t rdev)
{
	const json_t *list = json_object_get(p->c->ask, "held");

	for (size_t i = 0; i < json_array_size(list); i++)
		if ((uint64_t)json_integer_value(json_array_get(list, i)) == rdev)
			return true;
	return false;
}

/* The agent decides by its own look; this one keeps it from waiting on a device that hangs. */
static const char *use_device(struct preparing *p, const struct stat *st, struct iow_error *e)
{
	struct guard_answer a;

	if (p->write && !*p->loop && !is_held(p, st->st_rdev)) {
		guard_look(p->t.file, &a);
		if (a.state == GUARD_NEVER) {
			err_set(e, EPERM, "%s is not written: %s. Needed: %s", p->t.file, a.reason, a.needed);
			return "refused";
		}
	}
	if (p->write || *p->loop)
		p->hold = json_pack("{s:s, s:b, s:b}", "path", p->t.file, "write", p->write, "loop", *p->loop != 0);
	return NULL;
}

/* ---- all of it ---- */

static const char *use_path(struct preparing *p, struct iow_error *e)
{
	const json_t *size = json_object_get(json_object_get(p->c->ask, "keys"), "size");
	const uint64_t bytes = (uint64_t)json_integer_value(size);
	struct stat st;

	if (!*p->t.file)
		return NULL;
	if (stat(p->t.file, &st)) {
		if (errno != ENOENT || lstat(p->t.file, &st) == 0)
			return err_sys(e, errno, "%s", p->t.file), "plan";
		return make_new(p, bytes, e);
	}
	if (S_ISREG(st.st_mode))
		return use_file(p, &st, bytes, e);
	if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && p->write))
		return use_device(p, &st, e);
	return S_ISCHR(st.st_mode) ? NULL : (err_set(e, EINVAL, "%s is no file and no device", p->t.file), "plan");
}

/* Memory filesystems take O_DIRECT and cache all the same: nothing there is cold or direct. A file that is
 * not there yet lies where its directory does. */
static const char *check_filesystem(struct preparing *p, struct iow_error *e)
{
	const int64_t bytes = jsonx_int(json_object_get(p->c->ask, "keys"), "size", 0);
	bool cold = jsonx_bool(p->c->ask, "cold", false), direct = p->t.driver.d.caps & IOW_CAP_DIRECT;
	mem_auto char *copy = mem_strdup(p->t.file);
	char filesystem[32];
	struct stat st;
	bool there = stat(p->t.file, &st) == 0;

	if (!*p->t.file || !(cold || direct) || (there && (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode))))
		return NULL;
	if (!there && (bytes <= 0 || !takes_files(&p->t)))
		return NULL; /* it is missing, which is told next */
	layout_filesystem(there ? p->t.file : dirname(copy), filesystem);
	if (!layout_hides_device(filesystem))
		return NULL;
	err_set(e, ENOTSUP, "%s %s on %s, where nothing is read %s: a %s on a disk's filesystem is needed", p->t.file,
		there ? "is" : "would be", filesystem, cold ? "cold" : "past the page cache", there ? "file" : "directory");
	return "plan";
}

/* ---- a look: what would be done ---- */

static const char *look_at_path(struct preparing *p, char *says, size_t size, struct iow_error *e)
{
	const int64_t bytes = jsonx_int(json_object_get(p->c->ask, "keys"), "size", 0);
	const char *file = p->t.file, *class;
	struct guard_answer a;
	struct stat st;
	char length[40];

	if (!*file) {
		snprintf(says, size, "it has neither file nor device");
		return NULL;
	}
	if (stat(file, &st)) {
		if (errno != ENOENT)
			return err_sys(e, errno, "%s", file), "plan";
		if (bytes <= 0 || !takes_files(&p->t))
			return make_new(p, 0, e);
		num_bytes((uint64_t)bytes, length);
		snprintf(says, size, "%s would be made new (%s) and removed at the end", file, length);
		class = check_filesystem(p, e);
		return class ? class : layout_room(file, (uint64_t)bytes, e) ? "failed" : NULL;
	}
	if (S_ISREG(st.st_mode)) {
		snprintf(says, size, "%s is there: it would be read, never written or removed", file);
		class = use_file(p, &st, 0, e);
		return class ? class : check_filesystem(p, e);
	}
	snprintf(says, size, "the device %s would be read", file);
	if (!p->write)
		return NULL;
	if (made_look(p->c->ask, file, &a, e))
		return "refused";
	snprintf(says, size, "THE DEVICE %s WOULD BE WRITTEN OVER (%s)", file, *a.id ? a.id : "no stable id");
	return NULL;
}

static const char *look(struct preparing *p, char *says, size_t size, struct iow_error *e)
{
	const json_t *make = json_object_get(p->c->ask, "make");
	char length[40];

	if (json_is_object(make)) {
		const char *dir = temporary_directory(make);
		mem_auto char *file = mem_printf("%s/loop", dir);

		num_bytes((uint64_t)jsonx_int(make, "loop", 0), length);
		snprintf(says, size, "a loop device of %s would be made on a file in %s, and removed at the end", length, dir);
		return check_place(dir, e) || layout_room(file, (uint64_t)jsonx_int(make, "loop", 0), e) ? "failed" : NULL;
	}
	if (target_load(&p->t, jsonx_str(p->c->ask, "driver", ""), json_object_get(p->c->ask, "keys"), e))
		return "plan";
	return look_at_path(p, says, size, e);
}

static const char *prepare(struct preparing *p, struct iow_error *e)
{
	const json_t *make = json_object_get(p->c->ask, "make");
	uint32_t flags = IOW_OPEN_READ;
	const char *class;

	if (json_is_object(make) && make_device(p, make, e))
		return "failed";
	if (target_load(&p->t, jsonx_str(p->c->ask, "driver", ""), json_object_get(p->c->ask, "keys"), e))
		return "plan";
	if (p->t.driver.d.caps & IOW_CAP_DIRECT)
		flags |= IOW_OPEN_DIRECT;
	if ((class = check_filesystem(p, e)) || (class = use_path(p, e)))
		return class;
	if (target_open(&p->t, &p->c->host, flags, 1, 0, e))
		return "failed";
	if (*p->t.file || p->t.info.rdev)
		facts_target(p->facts, p->t.file, p->t.info.rdev);
	return NULL;
}

/* For the agent: a run must find this file, not another one of that name. */
static json_t *identity(const struct target *t)
{
	struct stat st;

	if (!target_file(t, &st))
		return json_null();
	return json_pack("{s:s, s:I, s:I}", "file", t->file, "dev", (json_int_t)st.st_dev, "ino", (json_int_t)st.st_ino);
}

/* For the coordinator, which must know it again on another node: the id of the device itself, not of the
 * disks below it. Empty: it has none. NULL: it is no device. New. */
static json_t *device_name(const struct target *t)
{
	uint64_t rdev = *t->file ? 0 : t->info.rdev;
	char id[320] = "";
	struct stat st;

	if (*t->file && stat(t->file, &st) == 0 && S_ISBLK(st.st_mode))
		rdev = st.st_rdev;
	if (!rdev)
		return NULL;
	device_id(rdev, id, sizeof id);
	return json_string(id);
}

static json_t *ready(const struct preparing *p, const char *says)
{
	json_t *f = wire_frame("READY"), *device = device_name(&p->t);

	if (device && !*says)
		jsonx_set_new(f, "device_id", device);
	else
		json_decref(device);
	json_object_set(f, "id", json_object_get(p->c->ask, "id"));
	if (*says) {
		jsonx_set_str(f, "says", says);
		return f;
	}
	jsonx_set_int(f, "bytes", (int64_t)p->t.info.bytes);
	jsonx_set_int(f, "rdev", (int64_t)p->t.info.rdev);
	jsonx_set_int(f, "align", p->t.info.offset_align ? p->t.info.offset_align : 1);
	jsonx_set_str(f, "path", p->t.info.path);
	jsonx_set_bool(f, "made", p->made);
	jsonx_set_new(f, "same", identity(&p->t));
	if (p->hold)
		json_object_set(f, "hold", p->hold);
	if (p->set)
		json_object_set(f, "set", p->set);
	jsonx_set_new(f, "facts", json_incref(p->facts));
	return f;
}

/* A made loop device is gone with its last user: this process stays until the agent has opened it, and
 * it always says so. */
static void wait_for_agent(struct child *c)
{
	struct iow_error e = ERR_INIT;
	json_t *f;

	if (wire_recv(&c->wire, &f, -1, &e) == 0)
		json_decref(f);
}

static void hung(void *ctx, const char *why)
{
	struct preparing *p = ctx;
	struct iow_error e = ERR_INIT;

	err_set(&e, ETIMEDOUT, "%s", why);
	child_error(p->c, "failed", &e);
	_exit(1);
}

static void moved(void *ctx)
{
	struct preparing *p = ctx;
	json_t *f = wire_frame("PROGRESS");

	json_object_set(f, "id", json_object_get(p->c->ask, "id"));
	child_send(p->c, f);
}

/* As of a run, but no target is called dead after less than three seconds. */
static int64_t deadline_of(const json_t *ask)
{
	const int64_t ns = jsonx_int(ask, "deadline", 60 * NS_PER_S), least = 300 * NS_PER_MS;

	return ns > least ? ns : least;
}

int child_target(struct child *c)
{
	struct iow_error e = ERR_INIT;
	struct preparing p = { .c = c, .write = jsonx_bool(c->ask, "write", false), .loop_fd = -1 };
	struct patience *watcher;
	const char *class;
	char says[1024] = "";
	int rc = 0;

	memset(&p.t, 0, sizeof p.t);
	p.t.info.fd = -1;
	p.facts = json_object();
	watcher = patience_new(&p.t, deadline_of(c->ask), hung, moved, &p);
	class = jsonx_bool(c->ask, "look", false) ? look(&p, says, sizeof says, &e) : prepare(&p, &e);
	patience_free(watcher);
	if (class) {
		rc = child_error(c, class, &e);
	} else {
		child_send(c, ready(&p, says));
		wait_for_agent(c);
	}
	if (p.t.driver.file)
		target_release(&p.t);
	if (p.loop_fd >= 0)
		close(p.loop_fd);
	json_decref(p.facts);
	json_decref(p.hold);
	json_decref(p.set);
	return rc;
}
