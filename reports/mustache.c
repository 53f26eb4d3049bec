/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/mustache.h"

#include <string.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "reports/html_escape.h"
#include "reports/mustache_parse.h"

#define DEPTH_MOST 64 /* of values and of partials: one that includes itself forever ends here */

struct render {
	const json_t *stack[DEPTH_MOST];
	size_t depth;
	int partials;
	mustache_partial partial;
	void *data;
	struct buf *out;
	struct iow_error *e;
};

/* "a.b.c": `a` is looked up from the innermost value outwards, the rest inside it only. */
static const json_t *look_up(const struct render *r, const char *name)
{
	size_t n = strcspn(name, ".");
	const json_t *v = NULL;

	if (strcmp(name, ".") == 0)
		return r->stack[r->depth - 1];
	for (size_t i = r->depth; i-- > 0 && !v;)
		v = json_is_object(r->stack[i]) ? json_object_getn(r->stack[i], name, n) : NULL;
	while (v && name[n]) {
		name += n + 1;
		n = strcspn(name, ".");
		v = json_is_object(v) ? json_object_getn(v, name, n) : NULL;
	}
	return v;
}

static bool is_empty(const json_t *v)
{
	return !v || json_is_null(v) || json_is_false(v) || (json_is_array(v) && !json_array_size(v)) ||
	       (json_is_string(v) && !json_string_length(v));
}

static void value_put(struct render *r, const json_t *v, bool escaped)
{
	struct buf b = BUF_INIT;

	if (json_is_string(v))
		buf_puts(&b, json_string_value(v));
	else if (v && !json_is_null(v))
		jsonx_write(&b, v, 0);
	if (escaped)
		html_escape(r->out, buf_str(&b));
	else
		buf_add(r->out, buf_str(&b), b.len);
	buf_release(&b);
}

static int tokens_put(struct render *r, const char *name, const struct tokens *t, size_t from, size_t to);

static int inner_put(struct render *r, const char *name, const struct tokens *t, size_t at, const json_t *v)
{
	int rc;

	if (r->depth == DEPTH_MOST)
		return err_set(r->e, 0, "%s:%d: sections nest too deep", name, t->v[at].line);
	r->stack[r->depth++] = v;
	rc = tokens_put(r, name, t, at + 1, t->v[at].end);
	r->depth--;
	return rc;
}

static int section_put(struct render *r, const char *name, const struct tokens *t, size_t at)
{
	const json_t *v = look_up(r, t->v[at].name);
	size_t i;
	json_t *x;

	if (t->v[at].kind == TK_INVERTED)
		return is_empty(v) ? tokens_put(r, name, t, at + 1, t->v[at].end) : 0;
	if (is_empty(v))
		return 0;
	if (!json_is_array(v))
		return inner_put(r, name, t, at, v);
	json_array_foreach(v, i, x)
		if (inner_put(r, name, t, at, x) < 0)
			return -1;
	return 0;
}

/* A partial alone on an indented line has each of its lines indented as much. */
static void indent_put(struct buf *out, const char *text, const char *indent)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		n += text[n] == '\n';
		buf_puts(out, indent);
		buf_add(out, text, n);
		text += n;
	}
}

static int partial_put(struct render *r, const char *name, const struct token *k)
{
	struct buf raw = BUF_INIT, text = BUF_INIT;
	struct tokens t;
	int rc = 0;

	if (r->partials == DEPTH_MOST)
		return err_set(r->e, 0, "%s:%d: partials nest too deep", name, k->line);
	if (r->partial && r->partial(r->data, k->name, &raw)) {
		indent_put(&text, buf_str(&raw), k->indent ? k->indent : "");
		rc = tokens_parse(&t, k->name, buf_str(&text), r->e);
		r->partials++;
		if (rc == 0) {
			rc = tokens_put(r, k->name, &t, 0, t.n);
			tokens_release(&t);
		}
		r->partials--;
	}
	buf_release(&raw);
	buf_release(&text);
	return rc;
}

static int tokens_put(struct render *r, const char *name, const struct tokens *t, size_t from, size_t to)
{
	int rc = 0;

	for (size_t i = from; i < to && rc == 0; i++) {
		const struct token *k = &t->v[i];
		switch (k->kind) {
		case TK_TEXT: buf_add(r->out, k->text, k->len); break;
		case TK_ESCAPED:
		case TK_RAW: value_put(r, look_up(r, k->name), k->kind == TK_ESCAPED); break;
		case TK_SECTION:
		case TK_INVERTED:
			rc = section_put(r, name, t, i);
			i = k->end;
			break;
		case TK_PARTIAL: rc = partial_put(r, name, k); break;
		case TK_END: break;
		}
	}
	return rc;
}

int mustache_render(const char *name, const char *text, const json_t *value, mustache_partial partial, void *data,
		    struct buf *out, struct iow_error *e)
{
	struct render r = { .stack = { value }, .depth = 1, .partial = partial, .data = data, .out = out, .e = e };
	struct tokens t;
	int rc;

	if (tokens_parse(&t, name, text, e) < 0)
		return -1;
	rc = tokens_put(&r, name, &t, 0, t.n);
	tokens_release(&t);
	return rc;
}
