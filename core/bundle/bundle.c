/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle/bundle.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "bundle/cells.h"
#include "bundle/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* ---- the JSON files ---- */

/* Error of a value at `path` of a document, with its line and column. */
static int doc_error(const struct jsonx_doc *d, const struct buf *path, struct iow_error *e)
{
	int line, column;

	jsonx_where(d, buf_str(path), true, &line, &column);
	return err_in(e, "%s:%d:%d: %s%s", d->name, line, column, buf_str(path), path->len ? "" : "/");
}

static int load_doc(struct jsonx_doc *d, int dir, const char *name, struct iow_error *e)
{
	struct buf text = BUF_INIT;
	int rc = file_read_at(dir, name, &text, 0, e);

	memset(d, 0, sizeof *d);
	if (!rc)
		rc = jsonx_parse(d, name, buf_str(&text), text.len, e);
	buf_release(&text);
	return rc;
}

static int load_cells(struct bundle *b, int dir, struct iow_error *e)
{
	struct buf path = BUF_INIT;
	struct jsonx_doc d;
	int rc = load_doc(&d, dir, "cells.json", e);

	if (!rc) {
		rc = cells_from_json(&b->cells, d.root, &b->tool_version, &path, e);
		if (rc)
			doc_error(&d, &path, e);
	}
	buf_release(&path);
	jsonx_release(&d);
	return rc;
}

/* {"of": the original's EVIDENCE, "keyed", "replaced": {kind: number}, "withheld"}; see redact.h. */
static int check_redacted(const json_t *o, struct buf *path, struct iow_error *e)
{
	const json_t *mark = json_object_get(o, "redacted"), *replaced = json_object_get(mark, "replaced");
	const char *of = jsonx_str(mark, "of", ""), *name;
	json_t *v;

	if (!mark)
		return 0;
	jsonx_pointer_add(path, "redacted");
	if (json_object_size(mark) != 4 || strlen(of) != 64 || strspn(of, "0123456789abcdef") != 64 || !json_is_object(replaced) ||
	    !json_is_boolean(json_object_get(mark, "keyed")) || jsonx_int(mark, "withheld", -1) < 0)
		return err_set(e, EINVAL, "must have of (64 hexadecimal digits), keyed, replaced and withheld, nothing else");
	json_object_foreach((json_t *)(uintptr_t)replaced, name, v) {
		if (!json_is_integer(v) || json_integer_value(v) < 0)
			return err_set(e, EINVAL, "\"replaced\" must hold integers of 0 or more");
	}
	return 0;
}

static int check_host(const json_t *o, struct buf *path, struct iow_error *e)
{
	static const char *const known[] = { "format", "version", "nodes", "drivers", "targets", "campaign",
					     "lost", "redacted" };
	const char *name;
	json_t *v;

	if (format_check(o, "host", e))
		return -1;
	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		size_t i = 0;

		while (i < ARRAY_LEN(known) && strcmp(known[i], name) != 0)
			i++;
		if (i == ARRAY_LEN(known)) {
			jsonx_pointer_add(path, name);
			return err_set(e, EINVAL, "unknown member; version 1 does not have it");
		}
	}
	return check_redacted(o, path, e);
}

static int load_host(struct bundle *b, int dir, struct iow_error *e)
{
	struct buf path = BUF_INIT;
	struct jsonx_doc d;
	int rc;

	if (!format_exists(dir, "host.json")) { /* cut off before the nodes had answered */
		b->host = json_object();
		return 0;
	}
	rc = load_doc(&d, dir, "host.json", e);
	if (!rc) {
		rc = check_host(d.root, &path, e);
		if (rc)
			doc_error(&d, &path, e);
		else
			b->host = json_incref(d.root);
	}
	buf_release(&path);
	jsonx_release(&d);
	return rc;
}

/* ---- lines ---- */

/* Members that did not fit the run's line. */
static int add_more(struct run *r, int dir, struct iow_error *e)
{
	json_t *o = samples_line(dir, &(struct kept_run){ .run = r->run, .samples_at = r->samples_at,
							  .samples_len = r->samples_len }, e);
	int rc;

	if (!o)
		return -1;
	rc = run_from_json(r, json_object_get(o, "more"), e);
	json_decref(o);
	return rc;
}

static int add_run(struct bundle *b, int dir, json_t *o, struct iow_error *e)
{
	bool more = jsonx_bool(o, "more", false);
	struct run r;

	run_init(&r);
	json_object_del(o, "more");
	if (run_from_json(&r, o, e) || (more && add_more(&r, dir, e)))
		return -1;
	if (r.cell >= b->cells.n_cells)
		return err_set(e, EINVAL, "member \"cell\" refers to no cell of cells.json");
	if (r.run == 0 || (b->n_runs && r.run <= b->runs[b->n_runs - 1].run))
		return err_set(e, EINVAL, "run numbers must rise from 1");
	bundle_keep(b, &r);
	return 0;
}

static int add_end(struct bundle *b, const json_t *o, struct iow_error *e)
{
	const json_t *end = json_object_get(o, "end");
	const char *state = jsonx_str(end, "state", NULL);

	if (json_object_size(o) != 1 || json_object_size(end) != 2 || !state ||
	    !json_is_integer(json_object_get(end, "utc_ns")))
		return err_set(e, EINVAL, "the end line must have utc_ns and state, nothing else");
	b->end_state = mem_strdup(state);
	b->end_utc_ns = jsonx_int(end, "utc_ns", 0);
	return 0;
}

static int add_line(struct bundle *b, int dir, json_t *o, int number, struct iow_error *e)
{
	if (number == 1) {
		if (format_check(o, "runs", e))
			return -1;
		if (json_object_size(o) != 3 || !json_is_integer(json_object_get(o, "created_utc_ns")))
			return err_set(e, EINVAL, "the head must have format, version and created_utc_ns, nothing else");
		b->start_utc_ns = jsonx_int(o, "created_utc_ns", 0);
		return 0;
	}
	if (b->end_state)
		return err_set(e, EINVAL, "nothing may follow the end line");
	return json_object_get(o, "end") ? add_end(b, o, e) : add_run(b, dir, o, e);
}

static bool at_end(FILE *f)
{
	int c = getc(f);

	if (c != EOF)
		ungetc(c, f);
	return c == EOF;
}

/* One whole line, without its newline; a rest without newline is no line. */
static int read_line(struct bundle *b, int dir, FILE *f, const char *line, size_t n, int number,
		     struct iow_error *e)
{
	json_t *o = format_parse(line, n, e);
	int rc;

	/* A machine that lost power can leave a last line of the right length and no content. */
	if (!o && number > 1 && at_end(f)) {
		b->torn = true;
		return 0;
	}
	rc = o ? add_line(b, dir, o, number, e) : -1;
	json_decref(o);
	return rc ? err_in(e, "runs.jsonl:%d", number) : 0;
}

/* Line by line: the file of a long campaign is larger than what is kept of it. */
static int read_runs(struct bundle *b, int dir, FILE *f, struct iow_error *e)
{
	char *line = NULL;
	size_t size = 0;
	int number = 0, rc = 0;
	ssize_t n;

	while (!rc && !b->torn && (n = getline(&line, &size, f)) > 0) {
		if (line[n - 1] != '\n')
			b->torn = true;
		else
			rc = read_line(b, dir, f, line, (size_t)n - 1, ++number, e);
	}
	free(line);
	if (!rc && ferror(f))
		rc = err_sys(e, errno, "runs.jsonl");
	if (!rc && number == 0)
		rc = err_set(e, EINVAL, "runs.jsonl:1: the head is missing");
	return rc;
}

static int load_runs(struct bundle *b, int dir, struct iow_error *e)
{
	int fd = openat(dir, "runs.jsonl", O_RDONLY | O_CLOEXEC), rc;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f) {
		err_sys(e, errno, "runs.jsonl");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	rc = read_runs(b, dir, f, e);
	fclose(f);
	if (!rc && !b->end_state) {
		b->end_utc_ns = b->start_utc_ns;
		for (size_t i = 0; i < b->n_runs; i++) {
			int64_t t;

			if (!__builtin_add_overflow(b->runs[i].start_utc_ns, b->runs[i].wall_ns, &t) &&
			    t > b->end_utc_ns)
				b->end_utc_ns = t;
		}
	}
	return rc;
}

/* First line of a file that is only read when asked for. */
static int check_head_line(int dir, const char *name, const char *format, struct iow_error *e)
{
	char head[512];
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC), rc;
	ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head - 1, 0);
	json_t *o;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_sys(e, errno, "%s", name);
	head[n] = 0;
	head[strcspn(head, "\n")] = 0;
	if (!format) {
		rc = strcmp(head, LOG_HEAD) == 0 ? 0 : err_set(e, EINVAL, "the first line must be \"%s\"", LOG_HEAD);
	} else {
		o = format_parse(head, strlen(head), e);
		rc = o ? format_check(o, format, e) : -1;
		json_decref(o);
	}
	return rc ? err_in(e, "%s:1", name) : 0;
}

static int load_evidence(struct bundle *b, int dir, struct iow_error *e)
{
	struct buf list = BUF_INIT;
	int rc;

	b->sealed = format_exists(dir, "EVIDENCE");
	rc = b->sealed ? file_read_at(dir, "EVIDENCE", &list, 1 << 16, e)
		       : format_list(dir, EVIDENCE_HEAD, evidence_files, &list, e);
	if (!rc && strncmp(buf_str(&list), EVIDENCE_HEAD "\n", sizeof EVIDENCE_HEAD) != 0)
		rc = err_set(e, EINVAL, "EVIDENCE:1: the first line must be \"%s\"", EVIDENCE_HEAD);
	if (!rc) {
		format_list_hash(&list, b->evidence);
		snprintf(b->id, sizeof b->id, "%.12s", b->evidence);
	}
	buf_release(&list);
	return rc;
}

static int load_plan(struct bundle *b, int dir, struct iow_error *e)
{
	struct buf text = BUF_INIT;

	if (file_read_at(dir, "plan.json", &text, 0, e)) {
		buf_release(&text);
		return -1;
	}
	b->plan_len = text.len;
	b->plan_text = buf_take(&text);
	return 0;
}

int bundle_load(struct bundle *b, const char *dir, struct iow_error *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	memset(b, 0, sizeof *b);
	cells_init(&b->cells);
	if (fd < 0)
		return err_sys(e, errno, "%s", dir);
	b->dir = mem_strdup(dir);
	rc = load_plan(b, fd, e) || load_cells(b, fd, e) || load_host(b, fd, e) || load_runs(b, fd, e) ||
	     check_head_line(fd, "samples.jsonl", "samples", e) || check_head_line(fd, "log.txt", NULL, e) ||
	     load_evidence(b, fd, e);
	close(fd);
	if (!rc)
		return 0;
	bundle_release(b);
	return err_in(e, "%s", dir);
}

void bundle_release(struct bundle *b)
{
	if (!b)
		return;
	free(b->dir);
	free(b->plan_text);
	cells_release(&b->cells);
	json_decref(b->host);
	free(b->tool_version);
	free(b->runs);
	kept_release(&b->kept);
	free(b->end_state);
	memset(b, 0, sizeof *b);
	cells_init(&b->cells);
}

const json_t *bundle_target_facts(const struct bundle *b, const char *target)
{
	const json_t *o = json_object_get(json_object_get(b->host, "targets"), target);
	const json_t *facts = json_object_get(o, "facts");

	return json_is_object(facts) ? facts : o;
}

const char *bundle_fact(const json_t *facts, const char *name)
{
	const char *s = json_string_value(json_object_get(facts, name));

	return s && strncmp(s, FACT_UNREADABLE, sizeof FACT_UNREADABLE - 1) == 0 ? NULL : s;
}

const json_t *bundle_redacted(const struct bundle *b)
{
	const json_t *o = json_object_get(b->host, "redacted");

	return json_is_object(o) ? o : NULL;
}

char *bundle_read_log(const struct bundle *b)
{
	mem_auto char *path = file_join(b->dir, "log.txt");
	struct iow_error e = ERR_INIT;
	struct buf text = BUF_INIT;

	file_read(path, &text, 0, &e);
	return buf_take(&text);
}
