/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/redact.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/vec.h"
#include "bundle/derived.h"
#include "bundle/format.h"
#include "bundle/redact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_LEAST 16 /* bytes: nobody tries them all */
#define KEY_MOST 65536

/* ---- what must hold before ---- */

/* The copy names the original's hashes, so these must be true. */
static int check_original(const char *bundle, struct iow_error *e)
{
	struct iow_error first = ERR_INIT;
	int n;

	if (derived_kind_of(bundle) != DERIVED_KINDS)
		return err_set(e, EINVAL, "%s: is made of campaigns; redact each of them with the same key, and make it anew from those",
			       bundle);
	n = bundle_verify(bundle, bundle_first_problem, &first, e);
	if (n > 0)
		return err_set(e, EINVAL, "%s: %s; only a bundle in which \"iowitness verify\" finds nothing can be redacted",
			       bundle, first.text);
	return n;
}

static int read_key(const char *path, struct buf *key, struct iow_error *e)
{
	if (file_read(path, key, KEY_MOST, e))
		return -1;
	if (key->len < KEY_LEAST)
		return err_set(e, EINVAL, "%s: a key has at least %d bytes, this file has %zu; head -c 32 /dev/urandom > FILE makes one",
			       path, KEY_LEAST, key->len);
	return 0;
}

/* ---- names ---- */

static char *without_slashes(const char *path)
{
	char *s = mem_strdup(path);

	for (size_t n = strlen(s); n > 1 && s[n - 1] == '/'; n--)
		s[n - 1] = 0;
	return s;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The directory that a path is in, with its slash; "" for the working directory. */
static char *parent_of(const char *path)
{
	return mem_strndup(path, (size_t)(base_of(path) - path));
}

/* Names of bundles are made from titles, and titles name hosts. */
static char *name_for(const char *bundle, struct pseudonyms *p)
{
	mem_auto char *path = without_slashes(bundle), *parent = NULL, *name = NULL;
	size_t n = strlen(path);

	if (strcmp(base_of(path), ".") == 0 || strcmp(base_of(path), "..") == 0) {
		char *real = realpath(path, NULL);

		free(path);
		path = real ? real : mem_strdup(bundle);
		n = strlen(path);
	}
	if (n > 4 && strcmp(path + n - 4, ".iow") == 0)
		path[n - 4] = 0;
	parent = parent_of(path);
	name = pseudonyms_replace(p, PSEUDO_AS_WORDS, base_of(path));
	return mem_printf("%s%s-redacted.iow", parent, name);
}

static int check_name(const char *path, const struct pseudonyms *p, struct iow_error *e)
{
	const char *left = pseudonyms_left(p, base_of(path), false);
	struct stat st;

	if (left)
		return err_set(e, EINVAL, "%s: this name says \"%s\", which is replaced in the bundle; give another with -o", path, left);
	if (lstat(path, &st) == 0)
		return err_set(e, EEXIST, "%s: exists; a bundle is never written over", path);
	return 0;
}

/* ---- the new bundle ---- */

static void remove_dir(const char *dir)
{
	DIR *d = opendir(dir);

	for (struct dirent *x = d ? readdir(d) : NULL; x; x = readdir(d))
		if (x->d_name[0] != '.')
			unlinkat(dirfd(d), x->d_name, 0);
	if (d)
		closedir(d);
	rmdir(dir);
}

static char *make_dir(const char *beside, struct iow_error *e)
{
	mem_auto char *path = without_slashes(beside), *parent = parent_of(path);
	char *tmp = mem_printf("%s.redacted-XXXXXX", parent);
	mode_t mask = umask(0);

	umask(mask);
	if (mkdtemp(tmp) && chmod(tmp, 0777 & ~mask) == 0)
		return tmp;
	err_sys(e, errno, "%s", tmp);
	free(tmp);
	return NULL;
}

/* Once more, in what people will read. A plain word may be one of the report's own. The PDF says the same
 * words in its fonts' codes, its attachments are the evidence that bundle_redact has looked through. */
static int check_reports(const struct report *r, const struct pseudonyms *p, struct iow_error *e)
{
	static const char *const forms[] = { "html", "text", "markdown", "json", "csv" };

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		struct buf b = BUF_INIT;
		const char *left = NULL;
		int rc = report_render(r, forms[i], &b, e);

		if (!rc && (left = pseudonyms_left(p, buf_str(&b), false)))
			rc = err_set(e, EINVAL, "\"%s\" would be left in the %s report; do the site's templates say it?", left, forms[i]);
		buf_release(&b);
		if (rc)
			return rc;
	}
	return 0;
}

static int write_map(const char *path, const struct pseudonyms *p, struct iow_error *e)
{
	struct buf b = BUF_INIT;
	int rc;

	pseudonyms_list(p, false, &b);
	rc = file_create(path, 0600, buf_str(&b), b.len, e);
	buf_release(&b);
	if (rc && e->err == EEXIST)
		return err_set(e, EEXIST, "%s: exists; a map is never written over", path);
	return rc ? err_in(e, "%s", path) : 0;
}

static void say(const struct pseudonyms *p, struct buf *said)
{
	struct buf weak = BUF_INIT;
	const char *c;

	for (int k = 0; k < PSEUDO_KINDS; k++) {
		size_t n = pseudonyms_count(p, (enum pseudo_kind)k);

		if (n)
			buf_printf(said, "%s%s: %zu", said->len ? ", " : "replaced: ", pseudo_kind_name((enum pseudo_kind)k), n);
	}
	buf_puts(said, said->len ? "\n" : "nothing was found to replace\n");
	pseudonyms_list(p, true, &weak);
	for (c = buf_str(&weak); *c; c = strchr(c, '\n') + 1) {
		size_t n = strcspn(c, "\t");

		buf_printf(said, "look for \"%.*s\" yourself: it is short or a common word, and was replaced only where it is a name\n",
			   (int)n, c);
	}
	buf_putc(said, '\n');
	buf_release(&weak);
}

/* All that is done under the name that nobody sees. */
static int fill(const struct bundle *b, const char *tmp, const struct redact_options *o, bool keyed, struct pseudonyms *p,
		struct report *r, struct iow_error *e)
{
	if (bundle_redact(b, tmp, p, keyed, e) || report_open(r, tmp, &o->report, e))
		return -1;
	if (!report_write(r, e) && !check_reports(r, p, e)) {
		struct iow_error first = ERR_INIT;
		int n = bundle_verify(tmp, bundle_first_problem, &first, e);

		if (n == 0)
			return 0;
		if (n > 0)
			err_set(e, EINVAL, "the redacted bundle is not sound: %s; this is a fault of the program", first.text);
	}
	report_close(r);
	return -1;
}

static int give_name(const char *tmp, const char *name, const struct redact_options *o, const struct pseudonyms *p,
		     struct iow_error *e)
{
	if (check_name(name, p, e) || (o->map && write_map(o->map, p, e)))
		return -1;
	if (rename(tmp, name) == 0)
		return 0;
	err_sys(e, errno, "%s", name);
	if (o->map)
		unlink(o->map);
	return -1;
}

static int make(const struct bundle *b, const struct redact_options *o, struct pseudonyms *p, bool keyed, struct report *r,
		char **made, struct iow_error *e)
{
	mem_auto char *tmp = make_dir(o->output ? o->output : b->dir, e);

	if (!tmp)
		return -1;
	if (fill(b, tmp, o, keyed, p, r, e)) {
		remove_dir(tmp);
		return -1;
	}
	*made = o->output ? without_slashes(o->output) : name_for(b->dir, p);
	if (give_name(tmp, *made, o, p, e) == 0)
		return 0;
	report_close(r);
	remove_dir(tmp);
	return -1;
}

int redact_bundle(const char *bundle, const struct redact_options *o, struct report *r, char **made, struct buf *said,
		  struct iow_error *e)
{
	struct buf key = BUF_INIT;
	struct pseudonyms *p = NULL;
	struct bundle b;
	int rc = -1;

	if (check_original(bundle, e) || (o->key && read_key(o->key, &key, e)))
		goto out;
	if (bundle_load(&b, bundle, e))
		goto out;
	p = pseudonyms_new(o->key ? key.data : NULL, key.len);
	if (!o->output || check_name(o->output, p, e) == 0)
		rc = make(&b, o, p, o->key != NULL, r, made, e);
	if (!rc)
		say(p, said);
	bundle_release(&b);
out:
	pseudonyms_free(p);
	buf_release(&key);
	return rc;
}
