/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/wording.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_words(const struct jsonx_doc *d, struct iow_error *e)
{
	const char *key;
	json_t *v;

	if (!json_is_object(d->root))
		return err_set(e, EINVAL, "%s:1:1: not an object of key and words", d->name);
	json_object_foreach(d->root, key, v) {
		struct buf at = BUF_INIT;
		int line, column;

		if (json_is_string(v))
			continue;
		jsonx_pointer_add(&at, key);
		jsonx_where(d, buf_str(&at), false, &line, &column);
		err_set(e, EINVAL, "%s:%d:%d: %s: not a string", d->name, line, column, buf_str(&at));
		buf_release(&at);
		return -1;
	}
	return 0;
}

int wording_load(struct wording *w, const char *const *dirs, const char *language, struct iow_error *e)
{
	struct buf tried = BUF_INIT;
	int rc = -1;

	memset(w, 0, sizeof *w);
	if (!language || strspn(language, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") != strlen(language))
		return err_set(e, EINVAL, "\"%s\" is not the name of a language, such as \"en\"",
			       language ? language : "");
	for (; *dirs; dirs++) {
		mem_auto char *path = mem_printf("%s/report/wording/%s.json", *dirs, language);
		struct jsonx_doc d;

		if (access(path, R_OK)) {
			buf_printf(&tried, "%s%s", tried.len ? ", " : "", path);
			continue;
		}
		rc = jsonx_load(&d, path, e);
		if (!rc)
			rc = check_words(&d, e);
		if (!rc) {
			w->words = json_incref(d.root);
			w->language = mem_strdup(language);
		}
		jsonx_release(&d);
		buf_release(&tried);
		return rc;
	}
	err_set(e, ENOENT, "no wording for language \"%s\"; looked for %s", language, buf_str(&tried));
	buf_release(&tried);
	return -1;
}

void wording_release(struct wording *w)
{
	if (!w)
		return;
	json_decref(w->words);
	free(w->language);
	memset(w, 0, sizeof *w);
}

const char *wording_get(const struct wording *w, const char *key)
{
	const json_t *v = json_object_get(w->words, key);

	if (!v) {
		/* Remembered in the table itself, so that the words outlive this call. */
		mem_auto char *shown = mem_printf("[%s]", key);

		json_object_set_new(w->words, key, json_string(shown));
		v = json_object_get(w->words, key);
	}
	return json_string_value(v);
}

const char *wording_of(const struct wording *w, const char *prefix, const char *name)
{
	mem_auto char *key = mem_printf("%s.%s", prefix, name);

	return wording_get(w, key);
}

const char *wording_or(const struct wording *w, const char *prefix, const char *name)
{
	mem_auto char *key = mem_printf("%s.%s", prefix, name);
	const char *v = json_string_value(json_object_get(w->words, key));

	return v ? v : name;
}

static const char *value_of(va_list pairs, const char *name, size_t n)
{
	const char *k;

	while ((k = va_arg(pairs, const char *))) {
		const char *v = va_arg(pairs, const char *);

		if (strlen(k) == n && memcmp(k, name, n) == 0)
			return v;
	}
	return NULL;
}

static void fill(struct buf *b, const char *t, va_list pairs)
{
	while (*t) {
		size_t n = strcspn(t, "{");
		const char *end, *v = NULL;

		buf_add(b, t, n);
		t += n;
		end = strchr(t, '}');
		if (!*t || !end) {
			buf_puts(b, t);
			return;
		}
		va_list again;

		va_copy(again, pairs);
		v = value_of(again, t + 1, (size_t)(end - t - 1));
		va_end(again);
		if (v)
			buf_puts(b, v);
		else
			buf_add(b, t, (size_t)(end - t + 1));
		t = end + 1;
	}
}

char *wording_fill(const struct wording *w, const char *key, ...)
{
	struct buf b = BUF_INIT;
	va_list pairs;

	va_start(pairs, key);
	fill(&b, wording_get(w, key), pairs);
	va_end(pairs);
	return buf_take(&b);
}

char *wording_count(const struct wording *w, const char *key, unsigned long n)
{
	mem_auto char *full = mem_printf("%s.%s", key, n == 1 ? "one" : "many");
	mem_auto char *number = mem_printf("%lu", n);

	return wording_fill(w, full, "n", number, NULL);
}
