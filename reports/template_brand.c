/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/template.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "reports/color.h"

#define LOGO_MOST (1u << 20)

static int at_error(const struct jsonx_doc *j, const char *pointer, struct iow_error *e, const char *what)
{
	int line = 1, column = 1;

	jsonx_where(j, pointer, false, &line, &column);
	return err_set(e, 0, "%s:%d:%d: %s: %s", j->name, line, column, pointer, what);
}

static int keys_check(const struct jsonx_doc *j, struct iow_error *e)
{
	static const char *const known[] = { "issuer", "logo", "logo_alt", "accent", "paper" };
	const char *key;
	json_t *v;

	if (!json_is_object(j->root))
		return at_error(j, "", e, "branding is an object");
	json_object_foreach(j->root, key, v) {
		mem_auto char *pointer = mem_printf("/%s", key);
		size_t i;
		for (i = 0; i < ARRAY_LEN(known) && strcmp(known[i], key) != 0; i++)
			;
		if (i == ARRAY_LEN(known))
			return at_error(j, pointer, e, "there are issuer, logo, logo_alt, accent and paper");
		if (!json_is_null(v) && (i ? !json_is_string(v) : !json_is_array(v)))
			return at_error(j, pointer, e, i ? "a text is expected" : "a list of lines is expected");
	}
	return 0;
}

/* The plan's name stays first; the other lines are the site's. */
static int issuer_put(const struct jsonx_doc *j, struct document *d, bool given, struct iow_error *e)
{
	const json_t *lines = json_object_get(j->root, "issuer");
	size_t i;
	json_t *line;

	if (!json_array_size(lines))
		return 0;
	json_array_foreach(lines, i, line)
		if (!json_is_string(line))
			return at_error(j, "/issuer", e, "a list of lines is expected");
	for (i = given ? 1 : 0; i < d->n_issuer; i++)
		free(d->issuer[i]);
	d->n_issuer = given && d->n_issuer ? 1 : 0;
	if (!d->n_issuer) {
		free(d->issuer);
		d->issuer = NULL;
	}
	for (i = d->n_issuer; i < json_array_size(lines); i++)
		document_issuer(d, json_string_value(json_array_get(lines, i)));
	return 0;
}

static int logo_put(const struct jsonx_doc *j, struct document *d, struct iow_error *e)
{
	const char *name = jsonx_str(j->root, "logo", NULL), *slash = strrchr(j->name, '/');
	mem_auto char *dir = slash ? mem_strndup(j->name, (size_t)(slash - j->name)) : mem_strdup(".");
	mem_auto char *path = name ? file_join(dir, name) : NULL;
	struct buf b = BUF_INIT;
	int rc = 0;

	if (!name)
		return 0;
	if (strchr(name, '/'))
		return at_error(j, "/logo", e, "a file beside branding.json is named, without a folder");
	rc = file_read(path, &b, LOGO_MOST, e);
	if (rc == 0 && !(b.len > 8 && (memcmp(b.data, "\x89PNG", 4) == 0 || memcmp(b.data, "\xff\xd8\xff", 3) == 0)))
		rc = at_error(j, "/logo", e, "neither a PNG nor a JPEG file");
	if (rc == 0)
		document_logo(d, b.data, b.len, jsonx_str(j->root, "logo_alt", ""));
	buf_release(&b);
	return rc;
}

static int look_put(const struct jsonx_doc *j, struct document *d, bool paper_given, struct iow_error *e)
{
	const char *accent = jsonx_str(j->root, "accent", NULL), *paper = jsonx_str(j->root, "paper", "A4");
	struct iow_error why = ERR_INIT;
	struct color c;

	if (accent && color_parse(accent, &c, &why) < 0)
		return at_error(j, "/accent", e, why.text);
	if (accent)
		document_set(&d->accent, "%s", accent);
	if (strcmp(paper, "A4") != 0 && strcmp(paper, "Letter") != 0)
		return at_error(j, "/paper", e, "there are A4 and Letter");
	if (!paper_given)
		d->paper = strcmp(paper, "Letter") == 0 ? DOC_LETTER : DOC_A4;
	return 0;
}

int template_brand(const struct template_dirs *t, struct document *d, bool issuer_given, bool paper_given,
		   struct iow_error *e)
{
	struct buf text = BUF_INIT;
	mem_auto char *path = NULL;
	struct jsonx_doc j;
	int rc = template_load(t, "branding.json", &text, &path, e);

	if (rc == 0)
		rc = jsonx_parse(&j, path, buf_str(&text), text.len, e);
	if (rc == 0) {
		rc = keys_check(&j, e);
		if (rc == 0)
			rc = issuer_put(&j, d, issuer_given, e);
		if (rc == 0)
			rc = logo_put(&j, d, e);
		if (rc == 0)
			rc = look_put(&j, d, paper_given, e);
		jsonx_release(&j);
	}
	buf_release(&text);
	return rc;
}
