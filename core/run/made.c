/* SPDX-License-Identifier: Apache-2.0 */
#include "run/made.h"

#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

struct made_file {
	char *path;
	uint64_t dev, ino;
};

struct made_device {
	uint64_t rdev;
	int fd; /* O_EXCL when it is written */
	bool claimed;
};

struct made_target {
	char *name;
	uint64_t rdev; /* of the device that is held for it; 0: none */
	json_t *same;  /* dev and ino of its file, or NULL */
	int pin;       /* keeps that inode number from being given to another file; -1: another target's does */
	json_t *set;   /* keys that the made device fills in, or NULL */
};

struct made {
	struct made_file *files; size_t n_files;
	struct made_device *devices; size_t n_devices;
	struct made_target *targets; size_t n_targets;
};

struct made *made_new(void)
{
	return mem_alloc(sizeof(struct made));
}

/* ---- undo ---- */

static bool is_inode(const json_t *o, uint64_t dev, uint64_t ino)
{
	return (uint64_t)jsonx_int(o, "dev", 0) == dev && (uint64_t)jsonx_int(o, "ino", 0) == ino;
}

/* NFS would keep a file that is open under another name. */
static void unpin(struct made *m, uint64_t dev, uint64_t ino)
{
	for (size_t i = 0; i < m->n_targets; i++) {
		struct made_target *t = &m->targets[i];

		if (t->pin < 0 || !is_inode(t->same, dev, ino))
			continue;
		close(t->pin);
		t->pin = -1;
	}
}

/* The name may belong to another file by now. */
static void remove_file(struct made *m, const struct made_file *f, void (*log)(void *ctx, const char *line), void *ctx)
{
	bool there = false;
	struct stat st;
	int err = 0;

	if (lstat(f->path, &st))
		err = errno;
	else
		there = st.st_dev == f->dev && st.st_ino == f->ino;
	unpin(m, f->dev, f->ino);
	if (there && unlink(f->path))
		err = errno;
	if (err || !there) {
		mem_auto char *line = mem_printf("the test file %s was not removed: %s", f->path,
						 err ? err_name(err) : "another file has its name now");

		log(ctx, line);
	}
}

static void target_release_made(struct made_target *t)
{
	if (t->pin >= 0)
		close(t->pin);
	free(t->name);
	json_decref(t->set);
	json_decref(t->same);
}

void made_undo(struct made *m, void (*log)(void *ctx, const char *line), void *ctx)
{
	if (!m)
		return;
	for (size_t i = m->n_files; i > 0; i--) {
		remove_file(m, &m->files[i - 1], log, ctx);
		free(m->files[i - 1].path);
	}
	for (size_t i = m->n_devices; i > 0; i--)
		close(m->devices[i - 1].fd);
	for (size_t i = 0; i < m->n_targets; i++)
		target_release_made(&m->targets[i]);
	free(m->files);
	free(m->devices);
	free(m->targets);
	free(m);
}

/* ---- what is there ---- */

static struct made_device *device_find(const struct made *m, uint64_t rdev)
{
	for (size_t i = 0; i < m->n_devices; i++)
		if (m->devices[i].rdev == rdev)
			return &m->devices[i];
	return NULL;
}

/* Another agent of this campaign on this kernel holds it for writing. */
static bool claimed_elsewhere(const json_t *ask, uint64_t rdev)
{
	const json_t *list = json_object_get(ask, "claimed");

	for (size_t i = 0; i < json_array_size(list); i++)
		if ((uint64_t)json_integer_value(json_array_get(list, i)) == rdev)
			return true;
	return false;
}

json_t *made_ask(const struct made *m, const json_t *ask)
{
	json_t *o = json_deep_copy(ask), *files = json_array(), *held = json_array();
	json_t *elsewhere = json_object_get(ask, "claimed");

	for (size_t i = 0; i < m->n_files; i++)
		json_array_append_new(files, json_pack("{s:s, s:I, s:I}", "file", m->files[i].path, "dev",
						       (json_int_t)m->files[i].dev, "ino", (json_int_t)m->files[i].ino));
	for (size_t i = 0; i < m->n_devices; i++)
		if (m->devices[i].claimed)
			json_array_append_new(held, json_integer((json_int_t)m->devices[i].rdev));
	if (json_is_array(elsewhere))
		json_array_extend(held, elsewhere);
	jsonx_set_new(o, "made", files);
	jsonx_set_new(o, "held", held);
	return o;
}

void made_note(struct made *m, const json_t *undo)
{
	const char *path = jsonx_str(undo, "file", NULL);
	struct made_file *f;

	if (!path)
		return;
	f = VEC_ADD(m->files, m->n_files);
	f->path = mem_strdup(path);
	f->dev = (uint64_t)jsonx_int(undo, "dev", 0);
	f->ino = (uint64_t)jsonx_int(undo, "ino", 0);
}

/* ---- devices ---- */

/* A loop device that this agent's child just made: nobody else knows it, nothing is on it. */
static int claim_loop(const char *path, bool write, struct iow_error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | (write ? O_EXCL : 0));

	return fd < 0 ? err_sys(e, errno, "%s", path) : fd;
}

static int claim_device(const json_t *ask, const char *path, struct guard_answer *a, struct iow_error *e)
{
	const json_t *list = json_object_get(ask, "destroy");
	size_t n = json_array_size(list);
	const char **ids = mem_array(n + 1, sizeof *ids);
	int fd;

	for (size_t i = 0; i < n; i++) {
		ids[i] = json_string_value(json_array_get(list, i));
		if (!ids[i])
			ids[i] = "";
	}
	fd = guard_hold(path, jsonx_str(ask, "destroy_id", NULL), ids, n, a, e);
	free(ids);
	return fd;
}

int made_look(const json_t *ask, const char *path, struct guard_answer *a, struct iow_error *e)
{
	int fd = claim_device(ask, path, a, e);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int hold(struct made *m, const json_t *ask, const json_t *h, struct made_target *t, struct iow_error *e)
{
	const char *path = jsonx_str(h, "path", "");
	bool write = jsonx_bool(h, "write", false), loop = jsonx_bool(h, "loop", false);
	struct guard_answer a;
	struct made_device *d;
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		return err_set(e, ENODEV, "%s: no block device", path);
	t->rdev = st.st_rdev;
	d = device_find(m, st.st_rdev);
	if (d && (d->claimed || !write))
		return 0;
	if (claimed_elsewhere(ask, st.st_rdev))
		fd = claim_loop(path, false, e);
	else
		fd = loop ? claim_loop(path, write, e) : claim_device(ask, path, &a, e);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || st.st_rdev != t->rdev) {
		close(fd);
		return err_set(e, EPERM, "%s became another device while it was looked at", path);
	}
	d = VEC_ADD(m->devices, m->n_devices);
	*d = (struct made_device){ st.st_rdev, fd, write };
	return 0;
}

static struct made_target *target_get(struct made *m, const char *name)
{
	struct made_target *t;

	for (size_t i = 0; i < m->n_targets; i++)
		if (!strcmp(m->targets[i].name, name))
			return &m->targets[i];
	t = VEC_ADD(m->targets, m->n_targets);
	t->name = mem_strdup(name);
	t->pin = -1;
	return t;
}

static bool is_pinned(const struct made *m, uint64_t dev, uint64_t ino)
{
	for (size_t i = 0; i < m->n_targets; i++)
		if (m->targets[i].pin >= 0 && is_inode(m->targets[i].same, dev, ino))
			return true;
	return false;
}

static int pin_file(struct made *m, struct made_target *t, json_t *same, struct iow_error *e)
{
	const char *path = jsonx_str(same, "file", "");
	uint64_t dev = (uint64_t)jsonx_int(same, "dev", 0), ino = (uint64_t)jsonx_int(same, "ino", 0);
	struct stat st;
	int fd = -1;

	if (*path && !is_pinned(m, dev, ino)) {
		fd = open(path, O_PATH | O_CLOEXEC);
		if (fd < 0)
			return err_sys(e, errno, "%s", path);
		if (fstat(fd, &st) || st.st_dev != dev || st.st_ino != ino) {
			close(fd);
			return err_set(e, ESTALE, "%s was replaced while it was prepared", path);
		}
	}
	if (t->pin >= 0)
		close(t->pin);
	json_decref(t->same);
	t->same = json_incref(same);
	t->pin = fd;
	return 0;
}

int made_ready(struct made *m, const json_t *ask, json_t *ready, struct iow_error *e)
{
	struct made_target *t = target_get(m, jsonx_str(ask, "target", ""));
	const json_t *h = json_object_get(ready, "hold");
	json_t *set = json_object_get(ready, "set");
	json_t *same = json_object_get(ready, "same");
	int rc = h ? hold(m, ask, h, t, e) : 0;

	if (rc == 0 && json_is_object(same))
		rc = pin_file(m, t, same, e);

	if (json_is_object(set)) {
		json_decref(t->set);
		t->set = json_incref(set);
	}
	json_object_del(ready, "hold");
	json_object_del(ready, "set");
	return rc;
}

json_t *made_run(const struct made *m, const json_t *ask)
{
	const char *name = jsonx_str(ask, "target", "");
	json_t *o = json_deep_copy(ask);

	json_object_del(o, "guarded");
	json_object_del(o, "same");
	for (size_t i = 0; i < m->n_targets; i++) {
		const struct made_target *t = &m->targets[i];
		const struct made_device *d = t->rdev ? device_find(m, t->rdev) : NULL;

		if (strcmp(t->name, name))
			continue;
		if (t->set && json_is_object(json_object_get(o, "keys")))
			json_object_update(json_object_get(o, "keys"), t->set);
		if (t->same)
			json_object_set(o, "same", t->same);
		for (size_t k = 0; d && k < m->n_devices; k++)
			if (m->devices[k].rdev == t->rdev && m->devices[k].claimed)
				jsonx_set_int(o, "guarded", (json_int_t)t->rdev);
	}
	return o;
}
