/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "plan/matrix.h"
#include "plan/question.h"
#include "plan/schedule.h"
#include "plan/source.h"

#define PLAN_MAX ((size_t)16 << 20)

void plan_init(struct plan *p)
{
	memset(p, 0, sizeof *p);
}

void plan_release(struct plan *p)
{
	if (!p)
		return;
	jsonx_release(&p->doc);
	json_decref(p->root);
	for (size_t i = 0; i < p->n_set; i++) {
		free(p->set[i].path);
		free(p->set[i].value);
	}
	free(p->set);
	problems_release(&p->problems);
	plan_init(p);
}

/* The document keeps its text even when that is no JSON: a message names a place in it. */
static int parse_text(struct plan *p, const char *name, const char *text, size_t len)
{
	json_error_t je;

	p->doc.name = mem_strdup(name);
	p->doc.text = mem_alloc(len + 1);
	memcpy(p->doc.text, text, len);
	p->doc.len = len;
	p->doc.root = json_loadb(text, len, 0, &je);
	if (!p->doc.root) {
		mem_auto char *why = mem_printf("not valid JSON: %s", je.text);

		problem_add_at(&p->problems, "", je.line > 0 ? je.line : 1,
			       je.column > 0 ? je.column : 1, why);
		return -1;
	}
	if (!json_is_object(p->doc.root)) {
		problem_add(&p->problems, "", NULL, "a plan is an object: {\"iowitness\": 1, ...}");
		return -1;
	}
	source_find_duplicates(p->doc.text, &p->problems);
	return 0;
}

int plan_parse(struct plan *p, const char *name, const char *text, size_t len, const char *const *set,
	       size_t n_set)
{
	if (parse_text(p, name, text, len))
		return -1;
	p->root = json_deep_copy(p->doc.root);
	for (size_t i = 0; i < n_set; i++)
		source_set(p, set[i]);
	source_substitute(p);
	return p->problems.n ? -1 : 0;
}

int plan_load(struct plan *p, const char *path, const char *const *set, size_t n_set)
{
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	int rc;

	if (file_read(path, &b, PLAN_MAX, &e)) {
		p->doc.name = mem_strdup(path);
		p->doc.text = mem_strdup("");
		problem_add_at(&p->problems, "", -1, 0, e.text);
		buf_release(&b);
		return -1;
	}
	rc = plan_parse(p, path, buf_str(&b), b.len, set, n_set);
	buf_release(&b);
	return rc;
}

static void take_source(const struct plan *p, struct cells *c)
{
	unsigned char sum[32];
	struct buf b = BUF_INIT;

	digest_data(p->doc.text, p->doc.len, sum);
	digest_hex(sum, c->plan_sha256);
	buf_add(&b, p->doc.text, p->doc.len);
	for (size_t i = 0; i < p->n_set; i++) {
		struct plan_set *s = VEC_ADD(c->set, c->n_set);

		s->path = mem_strdup(p->set[i].path);
		s->value = mem_strdup(p->set[i].value);
		buf_printf(&b, "\n--set %s=%s", s->path, s->value);
	}
	c->seed = digest_seed(buf_str(&b), b.len);
	buf_release(&b);
}

int plan_cells(struct plan *p, const struct plan_env *env, struct cells *c)
{
	struct draft d;

	cells_init(c);
	if (!p->root)
		return -1;
	take_source(p, c);
	draft_build(&d, p, env);
	matrix_build(c, &d, &p->problems);
	questions_build(c, &d, env->metrics, &p->problems);
	if (!p->problems.n) {
		matrix_leave_out(c, &d, env->root);
		if (!json_array_size(json_object_get(p->root, "questions")))
			questions_derive(c);
		matrix_add_controls(c);
		questions_count(c);
		schedule_build(c);
	}
	draft_release(&d);
	if (!p->problems.n)
		return 0;
	cells_release(c);
	return -1;
}

void plan_print_problems(const struct plan *p, struct buf *out)
{
	problems_print(&p->problems, &p->doc, out);
}
