/* SPDX-License-Identifier: Apache-2.0 */
/* iowitness-plan(5) and the schema say of each key what its table says. Run with --print or --schema,
 * it prints what they should have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "plan/keys.h"
#include "plan/schema.h"
#include "plan/tables.h"

static void add_roff(struct buf *b, const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			buf_putc(b, '\\');
		buf_putc(b, *text);
	}
}

static void add_kind(struct buf *b, const struct iow_key *k)
{
	struct buf kind = BUF_INIT;

	if (k->type == KEY_JSON) {
		buf_puts(b, "Structured");
	} else {
		key_allowed(k, &kind);
		kind.data[0] = (char)(kind.data[0] >= 'a' && kind.data[0] <= 'z' ? kind.data[0] - 32 : kind.data[0]);
		add_roff(b, buf_str(&kind));
	}
	if (k->flags & IOW_KEY_REQUIRED)
		buf_puts(b, "; required");
	else if (k->def && *k->def && strcmp(k->def, "0") != 0)
		buf_puts(b, "; default "), add_roff(b, k->def);
	if (k->flags & IOW_KEY_AXIS)
		buf_puts(b, "; may be swept");
	buf_puts(b, ".\n");
	buf_release(&kind);
}

/* What the manual has for one key. */
static void add_key(struct buf *b, const struct iow_key *k)
{
	char first = k->help[0];

	buf_puts(b, ".TP\n.B ");
	add_roff(b, k->name);
	buf_putc(b, '\n');
	buf_putc(b, first >= 'a' && first <= 'z' ? (char)(first - 32) : first);
	add_roff(b, k->help + 1);
	buf_puts(b, k->help[strlen(k->help) - 1] == '?' ? "\n" : ".\n");
	add_kind(b, k);
}

/* The part of the manual between ".SS NAME" and the next heading; new. */
static char *section(const char *manual, const char *name)
{
	mem_auto char *head = mem_printf("\n.SS %s\n", name);
	const char *from = strstr(manual, head), *to, *other;

	if (!from)
		fail_msg("no section \"%s\"", name);
	from += strlen(head);
	to = strstr(from, "\n.SS ");
	other = strstr(from, "\n.SH ");
	if (!to || (other && other < to))
		to = other;
	return to ? mem_strndup(from, (size_t)(to - from) + 1) : mem_strdup(from);
}

static size_t count_entries(const char *text)
{
	size_t n = 0;

	for (; (text = strstr(text, ".TP\n")); text++)
		n++;
	return n;
}

static void the_manual_has_every_key(void **state)
{
	const char *src = getenv("IOW_SRC");
	mem_auto char *path = mem_printf("%s/core/man/iowitness-plan.5", src ? src : ".");
	struct iow_error e = ERR_INIT;
	struct buf manual = BUF_INIT;

	(void)state;
	if (file_read(path, &manual, 0, &e))
		fail_msg("%s", e.text);
	for (const struct plan_table *t = plan_tables; t->name; t++) {
		char *text = section(buf_str(&manual), t->name);
		size_t n = 0;

		for (const struct iow_key *k = t->keys; k->name; k++, n++) {
			struct buf b = BUF_INIT;

			add_key(&b, k);
			if (!strstr(text, buf_str(&b)))
				fail_msg("section \"%s\" lacks:\n%s", t->name, buf_str(&b));
			buf_release(&b);
		}
		assert_int_equal(count_entries(text), n);
		free(text);
	}
	buf_release(&manual);
}

static void the_schema_file_is_what_the_tables_say(void **state)
{
	const char *src = getenv("IOW_SRC");
	mem_auto char *path = mem_printf("%s/templates/schema/plan.schema.json", src ? src : ".");
	struct iow_error e = ERR_INIT;
	struct buf file = BUF_INIT, want = BUF_INIT;
	json_t *schema = plan_schema();

	(void)state;
	if (file_read(path, &file, 0, &e))
		fail_msg("%s", e.text);
	jsonx_write(&want, schema, 1);
	buf_putc(&want, '\n');
	assert_string_equal(buf_str(&file), buf_str(&want));
	buf_release(&file);
	buf_release(&want);
	json_decref(schema);
}

static int print_schema(void)
{
	struct buf b = BUF_INIT;
	json_t *schema = plan_schema();

	jsonx_write(&b, schema, 1);
	puts(buf_str(&b));
	buf_release(&b);
	json_decref(schema);
	return 0;
}

static int print(void)
{
	for (const struct plan_table *t = plan_tables; t->name; t++) {
		struct buf b = BUF_INIT;

		for (const struct iow_key *k = t->keys; k->name; k++)
			add_key(&b, k);
		printf(".SS %s\n%s", t->name, buf_str(&b));
		buf_release(&b);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manual_has_every_key),
		cmocka_unit_test(the_schema_file_is_what_the_tables_say),
	};

	if (argc > 1 && strcmp(argv[1], "--print") == 0)
		return print();
	if (argc > 1 && strcmp(argv[1], "--schema") == 0)
		return print_schema();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
