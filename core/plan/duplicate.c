/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that an object of the text has twice. The JSON library can refuse such a text but not say all
 * of its places; this walks a text that is known to be valid. */
#include "base/vec.h"
#include "plan/source.h"

struct level {
	json_t *seen; /* keys of the object so far; NULL in an array */
	size_t index; /* element of the array */
	size_t path;  /* length of the pointer that leads here */
};

struct walk {
	const char *p;
	int line, column; /* of p */
	struct level *levels;
	size_t n;
	struct buf path;
	struct problems *problems;
};

static void forward(struct walk *w, const char *to)
{
	for (; w->p < to; w->p++) {
		if (*w->p == '\n')
			w->line++, w->column = 1;
		else if ((*w->p & 0xc0) != 0x80)
			w->column++;
	}
}

static const char *string_end(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

static void cut_path(struct walk *w, size_t len)
{
	w->path.len = len;
	if (w->path.data)
		w->path.data[len] = 0;
}

static void say(struct walk *w, const char *key)
{
	mem_auto char *text = mem_printf("key \"%s\" is there twice; only one is allowed", key);

	problem_add_at(w->problems, buf_str(&w->path), w->line, w->column, text);
}

/* At the key of a member: looks at it and goes to its value. */
static void member(struct walk *w, struct level *top, const char *end)
{
	json_t *key = json_loadb(w->p, (size_t)(end - w->p), JSON_DECODE_ANY, NULL);
	const char *name = json_string_value(key);

	cut_path(w, top->path);
	if (name) {
		jsonx_pointer_add(&w->path, name);
		if (json_object_get(top->seen, name))
			say(w, name);
		json_object_set_new(top->seen, name, json_true());
	}
	json_decref(key);
	forward(w, end);
	forward(w, w->p + strcspn(w->p, ":") + 1);
}

static void element(struct walk *w, struct level *top)
{
	char number[24];

	cut_path(w, top->path);
	snprintf(number, sizeof number, "%zu", top->index);
	jsonx_pointer_add(&w->path, number);
}

static void enter(struct walk *w, bool object)
{
	struct level *l = VEC_ADD(w->levels, w->n);

	l->seen = object ? json_object() : NULL;
	l->path = w->path.len;
	forward(w, w->p + 1);
	if (!object)
		element(w, l);
}

static void leave(struct walk *w)
{
	json_decref(w->levels[--w->n].seen);
	cut_path(w, w->levels[w->n].path);
	forward(w, w->p + 1);
}

void source_find_duplicates(const char *text, struct problems *p)
{
	struct walk w = { .p = text, .line = 1, .column = 1, .problems = p };
	bool want_key = false;

	while (*w.p) {
		struct level *top = w.n ? &w.levels[w.n - 1] : NULL;
		char c = *w.p;

		if (c == '"' && want_key) {
			member(&w, top, string_end(w.p));
			want_key = false;
		} else if (c == '"') {
			forward(&w, string_end(w.p));
		} else if (c == '{' || c == '[') {
			enter(&w, c == '{');
			want_key = c == '{';
		} else if (top && (c == '}' || c == ']')) {
			leave(&w);
			want_key = false;
		} else if (top && c == ',') {
			want_key = top->seen != NULL;
			if (!top->seen) {
				top->index++;
				element(&w, top);
			}
			forward(&w, w.p + 1);
		} else {
			forward(&w, w.p + 1);
		}
	}
	free(w.levels);
	buf_release(&w.path);
}
