/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "reports/sections_change.h"

#include <stdlib.h>
#include <string.h>

/* Attestation: the evidence's hash, who signs, with what it was made, how to verify and to repeat it. */

/* Targets that a driver served, by name. The caller's. */
static char *driver_use(const struct compose *x, const char *driver)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < x->c->n_targets; i++)
		if (x->c->targets[i].driver && strcmp(x->c->targets[i].driver, driver) == 0)
			buf_printf(&b, "%s%s", b.len ? ", " : "", x->c->targets[i].name);
	for (size_t i = 0; i < x->c->n_nodes; i++)
		if (x->c->nodes[i].driver && strcmp(x->c->nodes[i].driver, driver) == 0)
			buf_printf(&b, "%s%s", b.len ? ", " : "", x->c->nodes[i].name);
	if (!b.len)
		buf_puts(&b, W(x, "none"));
	return buf_take(&b);
}

static void drivers_table(struct compose *x)
{
	const json_t *drivers = json_object_get(x->b->host, "drivers"), *drv;
	struct doc_table *t;
	size_t i;

	if (!json_is_array(drivers) || !json_array_size(drivers)) {
		compose_para(x, "attest.nodrivers", NULL);
		return;
	}
	mem_auto char *n = mem_printf("%zu", json_array_size(drivers));
	mem_auto char *caption = wording_fill(x->w, "attest.drivers", "n", n, NULL);
	t = doc_table(x->d, "drivers", "%s", caption);
	doc_column(t, DOC_LEFT, W(x, "attest.driver"));
	doc_column(t, DOC_LEFT, W(x, "attest.version"));
	doc_column(t, DOC_LEFT, W(x, "attest.use"));
	doc_column(t, DOC_LEFT, W(x, "attest.file"));
	json_array_foreach(drivers, i, drv) {
		struct doc_row *row = doc_row(t, 0);
		const char *file = jsonx_str(drv, "file", "–"), *base = strrchr(file, '/');

		doc_cell(row, "%s", jsonx_str(drv, "name", "–"));
		mem_auto char *use = driver_use(x, jsonx_str(drv, "name", ""));
		doc_cell(row, "%s", jsonx_str(drv, "version", "–"));
		doc_cell(row, "%s", use);
		struct doc_text *cell = doc_cell(row, "%s ", base ? base + 1 : file);
		doc_mark(cell, DOC_CODE, "%s", jsonx_str(drv, "sha256", "–"));
	}
}

/* As one word of a shell, whatever it holds. */
void compose_quote(struct buf *out, const char *s)
{
	buf_putc(out, '\'');
	for (; *s; s++)
		buf_puts(out, *s == '\'' ? "'\\''" : (char[]){ *s, 0 });
	buf_putc(out, '\'');
}

char *compose_hash(const char *hex)
{
	char *grouped = mem_alloc(80);
	size_t n = 0;

	for (size_t i = 0; hex[i] && n < 79; i++) {
		if (i && i % 8 == 0)
			grouped[n++] = ' ';
		grouped[n++] = hex[i];
	}
	return grouped;
}

/* With its name before it. */
static void def_hash(struct doc_def *def, const char *hex)
{
	mem_auto char *grouped = compose_hash(hex), *hash = mem_printf("sha256 %s", grouped);

	doc_def_code(def, hash);
}

/* What was replaced, how often, and of what this is a copy. */
static void attest_redacted(struct compose *x, const json_t *mark)
{
	const char *of = jsonx_str(mark, "of", ""), *kind;
	mem_auto char *id = mem_printf("%.12s", of);
	struct buf list = BUF_INIT;
	json_t *v;

	json_object_foreach(json_object_get(mark, "replaced"), kind, v) {
		mem_auto char *key = mem_printf("attest.redacted.%s", kind);
		mem_auto char *n = mem_printf("%lld", (long long)json_integer_value(v));
		mem_auto char *text = wording_fill(x->w, key, "n", n, NULL);

		if (json_integer_value(v) > 0)
			buf_printf(&list, "%s%s", list.len ? "; " : "", text);
	}
	def_hash(compose_def(x, "attest.redacted", "replaced", list.len ? buf_str(&list) : W(x, "attest.redacted.none"), "id", id, NULL),
		 of);
	buf_release(&list);
	if (jsonx_int(mark, "withheld", 0) > 0) {
		mem_auto char *n = mem_printf("%lld", (long long)jsonx_int(mark, "withheld", 0));

		compose_def(x, "attest.withheld", "n", n, NULL);
	}
}

void compose_verify_def(struct compose *x)
{
	const char *signer = compose_report_key(x, "signer");
	struct buf word = BUF_INIT;

	if (signer && *signer)
		compose_quote(&word, signer);
	else
		buf_puts(&word, W(x, "attest.verify.signer"));
	mem_auto char *commands = wording_fill(x->w, "attest.verify.commands", "signer", buf_str(&word), NULL);
	doc_def_code(compose_def(x, "attest.verify", NULL), commands);
	buf_release(&word);
}

static void attest_repeat(struct compose *x)
{
	struct buf again = BUF_INIT;

	if (bundle_redacted(x->b)) { /* the plan names no target that is there */
		compose_def(x, "attest.norepeat", NULL);
		return;
	}
	buf_puts(&again, "iowitness run plan.json");
	for (size_t i = 0; i < x->c->n_set; i++) {
		mem_auto char *set = mem_printf("%s=%s", x->c->set[i].path, x->c->set[i].value);

		buf_puts(&again, " --set ");
		compose_quote(&again, set);
	}
	doc_def_code(compose_def(x, "attest.repeat", NULL), buf_str(&again));
	buf_release(&again);
}

void section_attestation(struct compose *x)
{
	const char *conflict = compose_report_key(x, "conflict"), *permission = compose_report_key(x, "permission");

	doc_section(x->d, "attestation", W(x, "attest.title"));
	def_hash(compose_def(x, "attest.evidence", NULL), x->b->evidence);
	if (!x->b->sealed)
		compose_def(x, "attest.unsealed", NULL);
	if (bundle_redacted(x->b))
		attest_redacted(x, bundle_redacted(x->b));
	compose_def(x, "attest.signer", "signer", compose_report_key(x, "signer") ? compose_report_key(x, "signer")
									   : W(x, "attest.nosigner"), NULL);
	compose_def(x, "attest.tool", "measured", x->b->tool_version ? x->b->tool_version : "?", "tool", x->o->tool,
		    "libraries", x->o->libraries, NULL);
	compose_verify_def(x);
	attest_repeat(x);
	const json_t *ledger = json_object_get(x->b->host, "campaign");
	if (json_is_integer(ledger)) {
		mem_auto char *k = mem_printf("%lld", (long long)json_integer_value(ledger));

		compose_def(x, "attest.campaign", "k", k, NULL);
	} else {
		compose_def(x, "attest.nocampaign", NULL);
	}
	compose_def(x, "attest.conflict", "text", conflict ? conflict : W(x, "attest.notstated"), NULL);
	compose_def(x, "attest.permission", "text", permission ? permission : W(x, "attest.notstated"), NULL);
	drivers_table(x);
	doc_note(x->d, "%s", W(x, "attest.tamper"));
}
