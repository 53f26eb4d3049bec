/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/derived.h"

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "bundle/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMBERS 12

static const struct {
	const char *file, *format;
	const char *const *evidence;
	const char *members[MEMBERS]; /* of version 1 */
} kinds[DERIVED_KINDS] = {
	{ "compare.json", "compare", compare_evidence_files,
	  { "format", "version", "title", "metric", "margin", "planned", "before", "after" } },
	{ "history.json", "history", history_evidence_files,
	  { "format", "version", "title", "metric", "report", "cells", "campaigns", "left_out" } },
};

static const char *const part_names[] = { "before", "after" };

enum derived_kind derived_kind_of(const char *dir)
{
	int k = 0;

	for (; k < DERIVED_KINDS; k++) {
		mem_auto char *path = file_join(dir, kinds[k].file);

		if (access(path, F_OK) == 0)
			break;
	}
	return (enum derived_kind)k;
}

json_t *derived_head(enum derived_kind kind)
{
	return format_head(kinds[kind].format);
}

char *derived_part(const char *dir, bool after)
{
	return file_join(dir, part_names[after]);
}

bool derived_is_part(const struct derived *d, bool after, const struct bundle *part)
{
	return strcmp(jsonx_str(json_object_get(d->about, part_names[after]), "evidence", ""), part->evidence) == 0;
}

/* ---- making ---- */

static int copy_part(int dir, const char *name, const char *bundle, struct iow_error *e)
{
	int from = open(bundle, O_RDONLY | O_DIRECTORY | O_CLOEXEC), to = -1, rc;

	if (from < 0)
		return err_sys(e, errno, "%s", bundle);
	if (mkdirat(dir, name, 0777) || (to = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		rc = err_sys(e, errno, "%s", name);
	else
		rc = format_copy(from, to, e);
	if (to >= 0)
		close(to);
	close(from);
	return rc;
}

static int put_about(int dir, enum derived_kind kind, const json_t *about, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	jsonx_write(&b, about, 1);
	buf_putc(&b, '\n');
	rc = file_replace_at(dir, kinds[kind].file, b.data, b.len, e);
	buf_release(&b);
	return rc;
}

static int seal(int dir, enum derived_kind kind, struct iow_error *e)
{
	struct buf list = BUF_INIT;
	int rc = format_list(dir, EVIDENCE_HEAD, kinds[kind].evidence, &list, e);

	if (!rc)
		rc = file_replace_at(dir, "EVIDENCE", list.data, list.len, e);
	buf_release(&list);
	return rc;
}

static void remove_all(int dir)
{
	for (int k = 0; k < DERIVED_KINDS; k++)
		for (const char *const *f = kinds[k].evidence; *f; f++)
			unlinkat(dir, *f, 0);
	unlinkat(dir, "EVIDENCE", 0);
	for (int i = 0; i < 2; i++)
		unlinkat(dir, part_names[i], AT_REMOVEDIR);
}

/* As bundle_create: the directory gets its name when it is whole. */
int derived_create(const char *dir, enum derived_kind kind, const json_t *about, const char *before,
		   const char *after, struct iow_error *e)
{
	mem_auto char *name = mem_strdup(dir), *tmp = NULL;
	mode_t mask = umask(0);
	int fd, rc;

	umask(mask);
	for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
		name[n - 1] = 0;
	tmp = mem_printf("%s.new-XXXXXX", name);
	if (!mkdtemp(tmp))
		return err_sys(e, errno, "%s", name);
	fd = open(tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = fd < 0 || fchmod(fd, 0777 & ~mask) ? err_sys(e, errno, "%s", tmp) : 0;
	if (!rc)
		rc = put_about(fd, kind, about, e);
	if (!rc && before)
		rc = copy_part(fd, part_names[0], before, e);
	if (!rc && after)
		rc = copy_part(fd, part_names[1], after, e);
	if (!rc)
		rc = seal(fd, kind, e);
	if (!rc && rename(tmp, name))
		rc = errno == ENOTEMPTY || errno == EEXIST
			     ? err_set(e, EEXIST, "%s: exists and is not empty; evidence is never written over", name)
			     : err_sys(e, errno, "%s", name);
	if (rc && fd >= 0)
		remove_all(fd);
	if (rc)
		rmdir(tmp);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* ---- reading ---- */

/* Version 1 has these members and no others; the error names the file. */
static int check_about(const struct derived *d, const json_t *root, struct iow_error *e)
{
	const char *const *known = kinds[d->kind].members, *name;
	json_t *v;

	if (format_check(root, kinds[d->kind].format, e))
		return err_in(e, "%s", kinds[d->kind].file);
	json_object_foreach((json_t *)(uintptr_t)root, name, v) {
		size_t i = 0;

		while (i < MEMBERS && known[i] && strcmp(known[i], name) != 0)
			i++;
		if (i == MEMBERS || !known[i])
			return err_set(e, EINVAL, "%s: unknown member \"%s\"; version 1 does not have it", kinds[d->kind].file,
				       name);
	}
	return 0;
}

static int load_about(struct derived *d, int dir, struct iow_error *e)
{
	const char *file = kinds[d->kind].file;
	struct buf text = BUF_INIT;
	struct jsonx_doc doc = { 0 };
	int rc = file_read_at(dir, file, &text, 0, e);

	if (!rc)
		rc = jsonx_parse(&doc, file, buf_str(&text), text.len, e);
	if (!rc)
		rc = check_about(d, doc.root, e);
	if (!rc)
		d->about = json_incref(doc.root);
	jsonx_release(&doc);
	buf_release(&text);
	return rc;
}

static int load_evidence(struct derived *d, int dir, struct iow_error *e)
{
	struct buf list = BUF_INIT;
	int rc;

	d->sealed = format_exists(dir, "EVIDENCE");
	rc = d->sealed ? file_read_at(dir, "EVIDENCE", &list, 1 << 16, e)
		       : format_list(dir, EVIDENCE_HEAD, kinds[d->kind].evidence, &list, e);
	if (!rc) {
		format_list_hash(&list, d->evidence);
		snprintf(d->id, sizeof d->id, "%.12s", d->evidence);
	}
	buf_release(&list);
	return rc;
}

int derived_load(struct derived *d, const char *dir, struct iow_error *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	memset(d, 0, sizeof *d);
	if (fd < 0)
		return err_sys(e, errno, "%s", dir);
	d->kind = derived_kind_of(dir);
	if (d->kind == DERIVED_KINDS) {
		close(fd);
		return err_set(e, ENOENT, "%s: neither a comparison nor a history: no compare.json, no history.json", dir);
	}
	d->dir = mem_strdup(dir);
	rc = load_about(d, fd, e) || load_evidence(d, fd, e);
	close(fd);
	if (!rc)
		return 0;
	derived_release(d);
	return err_in(e, "%s", dir);
}

void derived_release(struct derived *d)
{
	free(d->dir);
	json_decref(d->about);
	memset(d, 0, sizeof *d);
}

/* ---- checking ---- */

struct inner {
	const char *name;
	bundle_problem_fn *fn;
	void *ctx;
};

static void tell_inner(void *ctx, const char *file, const char *what)
{
	const struct inner *in = ctx;
	mem_auto char *path = mem_printf("%s/%s", in->name, file);

	in->fn(in->ctx, path, what);
}

/* The copy of a bundle: whole by itself, and the one that compare.json names. */
static int verify_part(const struct derived *d, bool after, bundle_problem_fn *fn, void *ctx)
{
	const char *name = part_names[after];
	mem_auto char *path = derived_part(d->dir, after);
	struct inner in = { name, fn, ctx };
	struct iow_error e = ERR_INIT;
	struct bundle b;
	int n = -1;

	if (derived_kind_of(path) != DERIVED_KINDS)
		err_set(&e, EINVAL, "is no bundle of a campaign");
	else
		n = bundle_verify(path, tell_inner, &in, &e);
	if (n < 0) {
		fn(ctx, name, e.text);
		return 1;
	}
	if (bundle_load(&b, path, &e))
		return n; /* told already */
	if (!derived_is_part(d, after, &b)) {
		fn(ctx, name, "is not the bundle that compare.json names");
		n++;
	}
	bundle_release(&b);
	return n;
}

int derived_verify(const char *dir, bundle_problem_fn *fn, void *ctx, struct iow_error *e)
{
	struct iow_error why = ERR_INIT;
	struct derived d;
	int n, k = derived_kind_of(dir);

	if (k == DERIVED_KINDS) /* what it was by is gone meanwhile */
		return err_set(e, ENOENT, "%s: no compare.json, no history.json", dir);
	n = format_verify_lists(dir, kinds[k].evidence, fn, ctx, e);
	if (n < 0)
		return -1;
	if (derived_load(&d, dir, &why)) {
		size_t skip = strlen(dir) + 2;

		fn(ctx, kinds[k].file, strlen(why.text) > skip ? why.text + skip : why.text);
		return n + 1;
	}
	for (int i = 0; i < 2 && d.kind == DERIVED_COMPARE; i++)
		n += verify_part(&d, i, fn, ctx);
	derived_release(&d);
	return n;
}
