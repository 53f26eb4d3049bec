/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "bundle/bundle.h"
#include "bundle/cells.h"
#include "bundle/format.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that only grows; `size` is what is known to be whole lines. */
struct lines {
	int fd;
	const char *name;
	off_t size;
};

struct bundle_writer {
	int dir;
	struct lines runs, samples, log;
	bool sealed;
};

/* Appends one line and a newline; what a failed write left is cut off again. */
static int lines_add(struct lines *l, const char *text, size_t n, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	buf_add(&b, text, n);
	buf_putc(&b, '\n');
	rc = file_write_all(l->fd, b.data, b.len, e);
	if (rc) {
		if (ftruncate(l->fd, l->size))
			err_in(e, "a torn line stays");
		err_in(e, "%s", l->name);
	} else {
		l->size += (off_t)b.len;
	}
	buf_release(&b);
	return rc;
}

static int lines_sync(const struct lines *l, struct iow_error *e)
{
	return fdatasync(l->fd) ? err_sys(e, errno, "%s", l->name) : 0;
}

static int lines_add_json(struct lines *l, const json_t *o, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	jsonx_write(&b, o, 0);
	rc = lines_add(l, b.data, b.len, e);
	if (!rc)
		rc = lines_sync(l, e);
	buf_release(&b);
	return rc;
}

static int lines_create(struct lines *l, int dir, const char *name, const char *head, struct iow_error *e)
{
	l->name = name;
	l->fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	if (l->fd < 0)
		return err_sys(e, errno, "%s", name);
	if (lines_add(l, head, strlen(head), e) || lines_sync(l, e))
		return -1;
	return 0;
}

static int lines_create_json(struct lines *l, int dir, const char *name, json_t *head_take, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	jsonx_write(&b, head_take, 0);
	json_decref(head_take);
	rc = lines_create(l, dir, name, buf_str(&b), e);
	buf_release(&b);
	return rc;
}

static int put_json(int dir, const char *name, const json_t *o, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	jsonx_write(&b, o, 1);
	buf_putc(&b, '\n');
	rc = file_replace_at(dir, name, b.data, b.len, e);
	buf_release(&b);
	return rc;
}

static int fill(struct bundle_writer *w, const char *plan_text, size_t plan_len, const struct cells *c,
		struct iow_error *e)
{
	json_t *cells = cells_to_json(c), *head = format_head("runs");
	int rc = file_replace_at(w->dir, "plan.json", plan_text, plan_len, e);

	if (!rc)
		rc = put_json(w->dir, "cells.json", cells, e);
	json_decref(cells);
	jsonx_set_int(head, "created_utc_ns", clock_utc_ns());
	if (rc) {
		json_decref(head);
		return rc;
	}
	if (lines_create_json(&w->runs, w->dir, "runs.jsonl", head, e) ||
	    lines_create_json(&w->samples, w->dir, "samples.jsonl", format_head("samples"), e) ||
	    lines_create(&w->log, w->dir, "log.txt", LOG_HEAD, e))
		return -1;
	return fsync(w->dir) ? err_sys(e, errno, "fsync") : 0;
}

static void sync_parent(const char *dir)
{
	mem_auto char *copy = mem_strdup(dir);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

static void remove_files(int dir)
{
	for (const char *const *f = evidence_files; *f; f++)
		unlinkat(dir, *f, 0);
}

/* The directory gets its name when all of it is there, so that a bundle that exists can be opened,
 * whenever the program was killed. rename() replaces an empty directory and refuses another. */
struct bundle_writer *bundle_create(const char *dir, const char *plan_text, size_t plan_len,
				    const struct cells *c, struct iow_error *e)
{
	struct bundle_writer *w = mem_alloc(sizeof *w);
	mem_auto char *name = mem_strdup(dir), *tmp = NULL;
	mode_t mask = umask(0);

	umask(mask);
	w->dir = w->runs.fd = w->samples.fd = w->log.fd = -1;
	for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
		name[n - 1] = 0;
	tmp = mem_printf("%s.new-XXXXXX", name);
	if (!mkdtemp(tmp)) {
		err_sys(e, errno, "%s", name);
		goto fail;
	}
	w->dir = open(tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->dir < 0 || fchmod(w->dir, 0777 & ~mask)) {
		err_sys(e, errno, "%s", tmp);
		goto remove;
	}
	if (fill(w, plan_text, plan_len, c, e))
		goto remove;
	if (rename(tmp, name)) {
		if (errno == ENOTEMPTY || errno == EEXIST)
			err_set(e, EEXIST, "%s: exists and is not empty; a bundle is never written over", name);
		else
			err_sys(e, errno, "%s", name);
		goto remove;
	}
	sync_parent(name);
	return w;
remove:
	if (w->dir >= 0)
		remove_files(w->dir);
	rmdir(tmp);
fail:
	bundle_writer_free(w);
	return NULL;
}

int bundle_put_host(struct bundle_writer *w, const json_t *host, struct iow_error *e)
{
	json_t *o = format_head("host");
	const char *name;
	json_t *v;
	int rc;

	json_object_foreach((json_t *)(uintptr_t)host, name, v) {
		jsonx_set_new(o, name, json_incref(v));
	}
	rc = put_json(w->dir, "host.json", o, e);
	json_decref(o);
	return rc;
}

static int put_samples(struct bundle_writer *w, struct run *r, const json_t *samples, const json_t *more,
		       struct iow_error *e)
{
	json_t *o = json_object();
	const char *name;
	json_t *v;
	int rc;

	jsonx_set_int(o, "run", r->run);
	json_object_foreach((json_t *)(uintptr_t)samples, name, v) {
		jsonx_set_new(o, name, json_incref(v));
	}
	if (json_object_size(more))
		jsonx_set_new(o, "more", json_incref((json_t *)(uintptr_t)more));
	r->samples_at = (uint64_t)w->samples.size;
	rc = lines_add_json(&w->samples, o, e);
	json_decref(o);
	if (!rc)
		r->samples_len = (uint64_t)w->samples.size - r->samples_at;
	return rc;
}

/* Room for "more":true and the place of the samples, which is known only after they are written. */
#define RESERVE (sizeof ",\"more\":true,\"samples\":[9223372036854775807,9223372036854775807]" - 1)

int bundle_put_run(struct bundle_writer *w, struct run *r, const json_t *samples, struct iow_error *e)
{
	json_t *line, *more = json_object();
	int rc = 0;

	if (samples && !json_object_size(samples))
		samples = NULL;
	r->samples_at = r->samples_len = 0;
	if (samples)
		rc = samples_check(samples, e);
	line = run_to_json(r);
	run_line_fit(line, more, RESERVE);
	if (!rc && (samples || json_object_size(more)))
		rc = put_samples(w, r, samples, more, e);
	if (!rc) {
		if (json_object_size(more))
			jsonx_set_bool(line, "more", true);
		if (r->samples_len)
			jsonx_set_new(line, "samples", json_pack("[I,I]", (json_int_t)r->samples_at, (json_int_t)r->samples_len));
		rc = lines_add_json(&w->runs, line, e);
	}
	json_decref(line);
	json_decref(more);
	return rc;
}

void bundle_log(struct bundle_writer *w, const char *fmt, ...)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct iow_error e = ERR_INIT;
	int64_t now = clock_utc_ns();
	char *clean, at[32];
	va_list ap;

	if (w->sealed)
		return;
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	clean = utf8_clean(buf_str(&text), 4096);
	clock_format(now, at);
	buf_printf(&line, "%.19s.%03dZ %s", at, (int)(now / NS_PER_MS % 1000), clean);
	lines_add(&w->log, line.data, line.len, &e);
	free(clean);
	buf_release(&text);
	buf_release(&line);
}

int bundle_seal(struct bundle_writer *w, const char *state, struct iow_error *e)
{
	json_t *o = json_object(), *end = json_object();
	struct buf list = BUF_INIT;
	int rc;

	jsonx_set_int(end, "utc_ns", clock_utc_ns());
	jsonx_set_str(end, "state", state);
	jsonx_set_new(o, "end", end);
	rc = lines_add_json(&w->runs, o, e);
	json_decref(o);
	if (!rc)
		rc = lines_sync(&w->log, e);
	w->sealed = true;
	if (!rc)
		rc = format_list(w->dir, EVIDENCE_HEAD, evidence_files, &list, e);
	if (!rc)
		rc = file_replace_at(w->dir, "EVIDENCE", list.data, list.len, e);
	buf_release(&list);
	return rc;
}

void bundle_writer_free(struct bundle_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < 4; i++) {
		int fd = (int[]){ w->runs.fd, w->samples.fd, w->log.fd, w->dir }[i];

		if (fd >= 0)
			close(fd);
	}
	free(w);
}

static int open_dir(const char *dir, struct iow_error *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? err_sys(e, errno, "%s", dir) : fd;
}

int bundle_put_file(const char *dir, const char *name, const void *data, size_t n, struct iow_error *e)
{
	int fd = open_dir(dir, e), rc;

	if (fd < 0)
		return -1;
	rc = file_replace_at(fd, name, data, n, e);
	close(fd);
	return rc;
}

int bundle_manifest(const char *dir, struct iow_error *e)
{
	struct buf list = BUF_INIT;
	int fd = open_dir(dir, e), rc;

	if (fd < 0)
		return -1;
	rc = format_list(fd, MANIFEST_HEAD, format_exists(fd, "EVIDENCE") ? manifest_files : manifest_unsealed_files,
			 &list, e);
	if (!rc)
		rc = file_replace_at(fd, "MANIFEST", list.data, list.len, e);
	buf_release(&list);
	close(fd);
	return rc;
}
