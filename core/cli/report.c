/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/dirs.h"
#include "reports/compose.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pdf.h"
#include "reports/results_json.h"
#include "reports/runs_csv.h"
#include "reports/said.h"
#include "reports/template.h"
#include "reports/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hpdf_version.h>

#include "config.h"

#define TOOL "iowitness " PACKAGE_VERSION

int report_options_check(const struct report_options *o, struct iow_error *e)
{
	struct wording w = { 0 };
	size_t n;
	char **dirs = dirs_templates(o->templates, "", &n);
	int rc = wording_load(&w, (const char *const *)dirs, o->language ? o->language : "en", e);

	if (rc == 0)
		wording_release(&w);
	dirs_free(dirs);
	return rc;
}

static int open_words(struct report *r, const struct report_options *o, struct iow_error *e)
{
	const char *language = o->language ? o->language : jsonx_str(report_plan(r), "language", "en");
	char **dirs = dirs_templates(o->templates, "", &r->n_templates);
	int rc = wording_load(&r->wording, (const char *const *)dirs, language, e);

	dirs_free(dirs);
	r->templates = dirs_templates(o->templates, "/report", &r->n_templates);
	return rc;
}

/* What the site's templates say of issuer, logo, colour, paper and the order of sections. */
static int site_apply(struct report *r, struct iow_error *e)
{
	struct template_dirs t = { (const char *const *)r->templates, r->n_templates };
	const json_t *plan = report_plan(r);

	if (template_brand(&t, r->document, jsonx_str(plan, "issuer", NULL), jsonx_str(plan, "paper", NULL), e) < 0)
		return -1;
	return template_layout(&t, r->document, e);
}

static int campaign_compose(struct report *r, const struct compose_options *c, struct iow_error *e)
{
	if (results_build(&r->results, &r->bundle, e))
		return -1;
	said_labels(&r->bundle.cells, &r->wording);
	findings_build(&r->findings, &r->results, &r->wording);
	r->document = compose_report(&r->results, &r->findings, &r->wording, c, e);
	return r->document ? 0 : -1;
}

int report_open(struct report *r, const char *dir, const struct report_options *o, struct iow_error *e)
{
	mem_auto char *libraries = mem_printf("libharu %s, Jansson %s", HPDF_VERSION_TEXT, jansson_version_str());
	struct compose_options c = { .tool = TOOL, .libraries = libraries };
	bool derived;

	memset(r, 0, sizeof *r);
	r->kind = derived_kind_of(dir);
	derived = r->kind != DERIVED_KINDS;
	if (derived ? report_derived_open(r, dir, e) : bundle_load(&r->bundle, dir, e))
		return -1;
	r->dir = mem_strdup(dir);
	if (!open_words(r, o, e) && !(derived ? report_derived_compose : campaign_compose)(r, &c, e) && !site_apply(r, e))
		return 0;
	report_close(r);
	return -1;
}

void report_close(struct report *r)
{
	document_free(r->document);
	report_derived_close(r);
	free(r->dir);
	findings_release(&r->findings);
	results_release(&r->results);
	wording_release(&r->wording);
	bundle_release(&r->bundle);
	dirs_free(r->templates);
	memset(r, 0, sizeof *r);
}

/* ---- forms ---- */

static int form_html(const struct report *r, struct buf *out, struct iow_error *e)
{
	struct html_options o = { .templates = (const char *const *)r->templates, .n_templates = r->n_templates };

	return html_render(r->document, &o, out, e);
}

static int form_pdf(const struct report *r, struct buf *out, struct iow_error *e)
{
	return pdf_render(r->document, out, e);
}

static int form_text(const struct report *r, struct buf *out, struct iow_error *e)
{
	struct text_options o = { .color = r->color, .width = r->width };

	return text_render(r->document, &o, out, e);
}

static int form_markdown(const struct report *r, struct buf *out, struct iow_error *e)
{
	return markdown_render(r->document, out, e);
}

static int form_ticket(const struct report *r, struct buf *out, struct iow_error *e)
{
	return markdown_ticket(r->document, out, e);
}

static int form_json(const struct report *r, struct buf *out, struct iow_error *e)
{
	json_t *o = r->kind == DERIVED_KINDS ? results_json(&r->results, &r->findings, TOOL) : report_derived_json(r, TOOL);

	(void)e;
	jsonx_write(out, o, 1);
	buf_putc(out, '\n');
	json_decref(o);
	return 0;
}

static int form_csv(const struct report *r, struct buf *out, struct iow_error *e)
{
	(void)e;
	if (r->kind == DERIVED_KINDS)
		runs_csv(&r->results, out);
	else
		report_derived_csv(r, out);
	return 0;
}

struct form {
	const char *name;
	const char *file; /* in the bundle; NULL: only on demand */
	int (*render)(const struct report *, struct buf *, struct iow_error *);
};

static const struct form forms[] = {
	{ "json", "results.json", form_json },
	{ "html", "report.html", form_html },
	{ "pdf", "report.pdf", form_pdf },
	{ "text", NULL, form_text },
	{ "markdown", NULL, form_markdown },
	{ "ticket", NULL, form_ticket },
	{ "csv", NULL, form_csv },
};

int report_render(const struct report *r, const char *format, struct buf *out, struct iow_error *e)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (strcmp(forms[i].name, format) == 0)
			return forms[i].render(r, out, e);
	return err_set(e, EINVAL, "no format \"%s\"; there are html, pdf, text, markdown, ticket, json and csv", format);
}

int report_write(const struct report *r, struct iow_error *e)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		struct buf b = BUF_INIT;
		int rc = 0;

		if (!forms[i].file)
			continue;
		rc = forms[i].render(r, &b, e);
		if (!rc)
			rc = bundle_put_file(r->dir, forms[i].file, buf_str(&b), b.len, e);
		buf_release(&b);
		if (rc)
			return rc;
	}
	return bundle_manifest(r->dir, e);
}

int report_exit(const struct report *r, bool claims)
{
	bool voided = false, limit = false;

	if (r->kind != DERIVED_KINDS)
		return report_derived_exit(r);

	if (r->results.incomplete || !r->bundle.end_state || strcmp(r->bundle.end_state, "complete") != 0)
		return EXIT_INCOMPLETE;
	for (size_t i = 0; i < r->findings.n; i++) {
		const struct finding *f = &r->findings.list[i];

		voided |= f->verdict == VERDICT_VOID && f->kind != FINDING_EXPLORATORY;
		limit |= f->verdict == VERDICT_NOT_MET || (claims && f->verdict == VERDICT_CONTRADICTED);
	}
	return voided ? EXIT_VOID : limit ? EXIT_LIMIT : EXIT_OK;
}

/* Columns that a UTF-8 text takes, as far as its characters are one wide each. */
static int width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void report_print(const struct report *r)
{
	for (size_t i = 0; i < r->findings.n; i++) {
		const struct finding *f = &r->findings.list[i];

		if (f->kind == FINDING_OPINION || f->detail)
			continue;
		const char *key = f->key ? f->key : "";
		int pad = 10 - width(key);

		printf("%s%*s %s\n", key, pad > 0 ? pad : 0, "", f->sentence);
		if (f->caveat)
			printf("%-10s %s: %s\n", "", wording_get(&r->wording, "doc.caveat"), f->caveat);
	}
}
