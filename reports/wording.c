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

/* The words that came with the program: the last directory's English. NULL when there is none. */
static json_t *reference(const char *const *dirs)
{
	json_t *words = NULL;
	size_t n = 0;

	while (dirs[n])
		n++;
	while (n-- && !words) {
		mem_auto char *path = mem_printf("%s/report/wording/en.json", dirs[n]);
		struct jsonx_doc d;

		if (access(path, R_OK) || jsonx_load(&d, path, NULL))
			continue;
		words = json_incref(d.root);
		jsonx_release(&d);
	}
	return words;
}

/* A language is whole or it is refused: half a report in another one would be no report. */
static int check_whole(const json_t *words, const char *path, const char *const *dirs, struct iow_error *e)
{
	json_t *all = reference(dirs), *v;
	const char *key, *missing = NULL;
	size_t n = 0;
	int rc = 0;

	json_object_foreach(all, key, v) {
		if (json_object_get(words, key))
			continue;
		missing = missing ? missing : key;
		n++;
	}
	if (n)
		rc = err_set(e, EINVAL, "%s: no words for \"%s\"%s; a language has every key of en.json", path, missing,
			     n > 1 ? " and others" : "");
	json_decref(all);
	return rc;
}

static int load_file(struct wording *w, const char *path, const char *language, const char *const *dirs, struct iow_error *e)
{
	struct jsonx_doc d;
	int rc = jsonx_load(&d, path, e);

	if (!rc)
		rc = check_words(&d, e);
	if (!rc)
		rc = check_whole(d.root, path, dirs, e);
	if (!rc) {
		w->words = json_incref(d.root);
		w->language = mem_strdup(language);
	}
	jsonx_release(&d);
	return rc;
}

int wording_load(struct wording *w, const char *const *dirs, const char *language, struct iow_error *e)
{
	struct buf tried = BUF_INIT;
	int rc;

	memset(w, 0, sizeof *w);
	if (!language || strspn(language, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-") != strlen(language))
		return err_set(e, EINVAL, "\"%s\" is not the name of a language, such as \"en\"",
			       language ? language : "");
	for (const char *const *dir = dirs; *dir; dir++) {
		mem_auto char *path = mem_printf("%s/report/wording/%s.json", *dir, language);

		if (access(path, R_OK)) {
			buf_printf(&tried, "%s%s", tried.len ? ", " : "", path);
			continue;
		}
		rc = load_file(w, path, language, dirs, e);
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
	const char *v = json_string_value(json_object_get(w->words, key));

	return v ? v : "[?]";
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
