/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "bundle/bundle.h"
#include "bundle/derived.h"
#include "bundle/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check {
	int dir, problems;
	bundle_problem_fn *fn;
	void *ctx;
};

static void problem(struct check *c, const char *file, const char *what)
{
	c->problems++;
	c->fn(c->ctx, file, what);
}

/* One line of a list: 64 hexadecimal digits, two spaces, a name. */
static char *parse_entry(const char *line, size_t n, char hex[DIGEST_HEX])
{
	if (n < 67 || strspn(line, "0123456789abcdef") != 64 || memcmp(line + 64, "  ", 2) != 0)
		return NULL;
	if (memchr(line + 66, 0, n - 66))
		return NULL;
	memcpy(hex, line, 64);
	hex[64] = 0;
	return mem_strndup(line + 66, n - 66);
}

/* A list never leads out of the bundle: below it lie only the parts that it must list. */
static bool leads_away(const char *name, const char *const *must)
{
	if (!strchr(name, '/'))
		return false;
	while (*must && strcmp(*must, name) != 0)
		must++;
	return !*must;
}

static void check_entry(struct check *c, const char *name, const char *want)
{
	struct iow_error e = ERR_INIT;
	char hex[DIGEST_HEX];

	if (!format_exists(c->dir, name))
		problem(c, name, "is listed and not there");
	else if (digest_file_at(c->dir, name, hex, &e))
		problem(c, name, e.text);
	else if (strcmp(hex, want) != 0)
		problem(c, name, "was changed: its SHA-256 is not the listed one");
}

static bool contains(char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

#define LIST_MAX 64

/* Reads a list, checks each file of it; its *n names go to `names`, the caller frees them. False: it is
 * no list, so that what it lacks says nothing. */
static bool check_lines(struct check *c, const char *list, const char *head, const char *const *must,
			const struct buf *text, char *names[LIST_MAX], size_t *n)
{
	const char *p = buf_str(text), *nl;
	size_t head_len = strlen(head);

	if (strncmp(p, head, head_len) != 0 || p[head_len] != '\n') {
		problem(c, list, "its first line is not that of format version 1");
		return false;
	}
	for (p += head_len + 1; *p; p = nl + 1) {
		char hex[DIGEST_HEX], *name;

		nl = strchr(p, '\n');
		name = nl ? parse_entry(p, (size_t)(nl - p), hex) : NULL;
		if (!name || *n == LIST_MAX || leads_away(name, must) || contains(names, *n, name)) {
			problem(c, list, "has a line that is not \"SHA-256, two spaces, file name\", or one twice");
			free(name);
			break;
		}
		names[(*n)++] = name;
		check_entry(c, name, hex);
	}
	return true;
}

static void check_list(struct check *c, const char *list, const char *head, const char *const *must)
{
	struct iow_error e = ERR_INIT;
	struct buf text = BUF_INIT;
	char *names[LIST_MAX];
	bool is_list = false;
	size_t n = 0;

	if (file_read_at(c->dir, list, &text, 1 << 16, &e))
		problem(c, list, e.text);
	else
		is_list = check_lines(c, list, head, must, &text, names, &n);
	for (; is_list && *must; must++) {
		if (format_exists(c->dir, *must) && !contains(names, n, *must)) {
			mem_auto char *what = mem_printf("is there and not listed in %s", list);

			problem(c, *must, what);
		}
	}
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	buf_release(&text);
}

/* What cells.json says of the plan can be computed again. */
static void check_plan(struct check *c, const struct bundle *b)
{
	unsigned char md[32];
	char hex[DIGEST_HEX];
	struct buf text = BUF_INIT;

	digest_data(b->plan_text, b->plan_len, md);
	digest_hex(md, hex);
	if (strcmp(hex, b->cells.plan_sha256) != 0)
		problem(c, "cells.json", "plan_sha256 is not that of plan.json");
	buf_add(&text, b->plan_text, b->plan_len);
	for (size_t i = 0; i < b->cells.n_set; i++)
		buf_printf(&text, "\n--set %s=%s", b->cells.set[i].path, b->cells.set[i].value);
	/* the seed of a redacted bundle is that of the original, whose plan is not here */
	if (!bundle_redacted(b) && digest_seed(buf_str(&text), text.len) != b->cells.seed)
		problem(c, "cells.json", "the seed does not follow from the plan");
	buf_release(&text);
}

static void check_samples(struct check *c, const struct bundle *b)
{
	for (size_t i = 0; i < b->n_runs; i++) {
		struct iow_error e = ERR_INIT;
		json_t *s = bundle_samples(b, &b->runs[i], &e);

		if (!s && e.text[0])
			problem(c, "samples.jsonl", e.text);
		json_decref(s);
	}
}

/* What is sealed cannot be torn. */
static void check_end(struct check *c, const struct bundle *b)
{
	if (b->sealed && b->torn)
		problem(c, "runs.jsonl", "its last line is torn, though the bundle was sealed");
	if (b->sealed && !b->end_state)
		problem(c, "runs.jsonl", "has no end line, though the bundle was sealed");
}

static bool has_reports(int dir)
{
	for (const char *const *f = manifest_files + 1; *f; f++)
		if (format_exists(dir, *f))
			return true;
	return false;
}

static void check_lists(struct check *c, const char *const *evidence)
{
	bool sealed = format_exists(c->dir, "EVIDENCE");

	if (sealed)
		check_list(c, "EVIDENCE", EVIDENCE_HEAD, evidence);
	if (format_exists(c->dir, "MANIFEST"))
		check_list(c, "MANIFEST", MANIFEST_HEAD, sealed ? manifest_files : manifest_unsealed_files);
	else if (has_reports(c->dir))
		problem(c, "MANIFEST", "is missing, though there are results or reports");
}

int format_verify_lists(const char *dir, const char *const *evidence, bundle_problem_fn *fn, void *ctx,
			struct iow_error *e)
{
	struct check c = { open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, fn, ctx };

	if (c.dir < 0)
		return err_sys(e, errno, "%s", dir);
	check_lists(&c, evidence);
	close(c.dir);
	return c.problems;
}

void bundle_first_problem(void *ctx, const char *file, const char *what)
{
	struct iow_error *e = ctx;

	if (!e->text[0])
		err_set(e, EINVAL, "%s: %s", file, what);
}

int bundle_verify(const char *dir, bundle_problem_fn *fn, void *ctx, struct iow_error *e)
{
	struct check c = { open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, fn, ctx };
	struct iow_error why = ERR_INIT;
	struct bundle b;

	if (c.dir < 0)
		return err_sys(e, errno, "%s", dir);
	if (derived_kind_of(dir) != DERIVED_KINDS) {
		close(c.dir);
		return derived_verify(dir, fn, ctx, e);
	}
	if (!format_exists(c.dir, "runs.jsonl") && !format_exists(c.dir, "cells.json")) {
		close(c.dir);
		return err_set(e, ENOENT, "%s: not a bundle: no runs.jsonl, no cells.json", dir);
	}
	check_lists(&c, evidence_files);
	if (bundle_load(&b, dir, &why)) {
		size_t skip = strlen(dir) + 2;

		problem(&c, "bundle", strlen(why.text) > skip ? why.text + skip : why.text);
	} else {
		check_plan(&c, &b);
		check_end(&c, &b);
		check_samples(&c, &b);
		bundle_release(&b);
	}
	close(c.dir);
	return c.problems;
}
