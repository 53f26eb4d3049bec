/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "reports/mustache.h"

#define T(f) cmocka_unit_test(f)

/* The behaviours that mustache's public specification asks for, each in a case of its own words. */
struct rule {
	const char *value, *text, *want;
};

static bool find_partial(void *data, const char *name, struct buf *out)
{
	const char *const *pairs = data;

	for (; pairs && *pairs; pairs += 2)
		if (strcmp(pairs[0], name) == 0) {
			buf_puts(out, pairs[1]);
			return true;
		}
	return false;
}

static void check(const struct rule *rules, size_t n, const char *const *partials)
{
	for (size_t i = 0; i < n; i++) {
		json_t *v = json_loads(rules[i].value, 0, NULL);
		struct iow_error e = ERR_INIT;
		struct buf b = BUF_INIT;
		assert_non_null(v);
		if (mustache_render("t", rules[i].text, v, find_partial, (void *)partials, &b, &e) < 0)
			fail_msg("%s: %s", rules[i].text, e.text);
		assert_string_equal(buf_str(&b), rules[i].want);
		buf_release(&b);
		json_decref(v);
	}
}

#define CHECK(rules, partials) check(rules, sizeof(rules) / sizeof *(rules), partials)

static void names_are_filled_in(void **state)
{
	static const struct rule rules[] = {
		{ "{}", "no tag at all\n", "no tag at all\n" },
		{ "{\"disk\":\"sda\"}", "reads of {{disk}} end", "reads of sda end" },
		{ "{\"x\":\"a & b \\\" < >\"}", "{{x}}", "a &amp; b &quot; &lt; &gt;" },
		{ "{\"x\":\"a & <b>\"}", "{{{x}}} {{&x}} {{& x }}", "a & <b> a & <b> a & <b>" },
		{ "{\"n\":85,\"r\":1.25,\"z\":null}", "{{n}} {{r}} ({{z}}) ({{none}})", "85 1.25 () ()" },
		{ "{\"a\":{\"b\":{\"c\":\"deep\"}}}", "{{a.b.c}} ({{a.x.c}})", "deep ()" },
		{ "{\"a\":{\"b\":{}},\"b\":{\"c\":\"wrong\"}}", "{{#a}}({{b.c}}){{/a}}", "()" },
		{ "{\"x\":\"v\"}", "| {{x}} |\n  {{ x }}\n{{\tx\n}}", "| v |\n  v\nv" },
		{ "[\"top\"]", "{{#.}}{{.}}{{/.}}", "top" },
	};

	CHECK(rules, NULL);
}

static void sections_repeat_and_test(void **state)
{
	static const struct rule rules[] = {
		{ "{\"on\":true,\"off\":false}", "{{#on}}yes{{/on}}{{#off}}no{{/off}}{{#none}}no{{/none}}", "yes" },
		{ "{\"run\":{\"id\":7}}", "{{#run}}run {{id}}{{/run}}", "run 7" },
		{ "{\"runs\":[{\"n\":1},{\"n\":2}],\"sep\":\"/\"}", "{{#runs}}{{n}}{{sep}}{{/runs}}", "1/2/" },
		{ "{\"v\":[1,\"<\",2.5]}", "{{#v}}({{.}}{{{.}}}){{/v}}", "(11)(&lt;<)(2.52.5)" },
		{ "{\"v\":[[1,2],[3]]}", "{{#v}}[{{#.}}{{.}}{{/.}}]{{/v}}", "[12][3]" },
		{ "{\"v\":[],\"s\":\"\"}", "{{#v}}x{{/v}}{{^v}}none{{/v}}{{^s}} empty{{/s}}", "none empty" },
		{ "{\"on\":true}", "{{^on}}x{{/on}}{{^off}}y{{/off}}", "y" },
		{ "{\"a\":{\"one\":1},\"b\":{\"two\":2}}", "{{#a}}{{#b}}{{one}}{{two}}{{/b}}{{/a}}", "12" },
		{ "{\"a\":{\"b\":true}}", "{{#a.b}}in{{/a.b}}{{^a.c}}out{{/a.c}}", "inout" },
		{ "{\"b\":true,\"c\":1}", "{{#b}}A{{#b}}B{{/b}}C{{/b}}", "ABC" },
	};

	CHECK(rules, NULL);
}

static void lonely_tags_take_their_line(void **state)
{
	static const struct rule rules[] = {
		{ "{\"on\":true}", "| this\n{{#on}}\n|\n{{/on}}\n| line", "| this\n|\n| line" },
		{ "{\"on\":true}", "a\n  {{#on}}  \nb\n\t{{/on}}\nc\n", "a\nb\nc\n" },
		{ "{\"on\":true}", "|\r\n{{#on}}\r\n{{/on}}\r\n|", "|\r\n|" },
		{ "{\"on\":true}", "{{#on}}\n/\n{{/on}}", "/\n" },
		{ "{\"on\":true}", " | {{#on}}\t|\t{{/on}} | ", " | \t|\t | " },
		{ "{\"on\":true}", "{{#on}}x{{/on}}\n{{#on}}y{{/on}}\n", "x\ny\n" },
		{ "{\"x\":\"v\"}", "  {{x}}\n", "  v\n" },
		{ "{}", "a{{! said in\npassing }}b\n{{! alone }}\nc", "ab\nc" },
		{ "{}", "a {{! x }}\nb", "a \nb" },
	};

	CHECK(rules, NULL);
}

static void delimiters_change(void **state)
{
	static const struct rule rules[] = {
		{ "{\"x\":1}", "{{=<% %>=}}(<%x%>) {{x}} <%={{ }}=%>{{x}}", "(1) {{x}} 1" },
		{ "{\"x\":1}", "{{=| |=}}\n|x|\n", "1\n" },
		{ "{\"on\":true,\"x\":\"<\"}", "{{= << >> =}}<<#on>>{{x}}<<x>><<&x>><</on>>", "{{x}}&lt;<" },
		{ "{\"x\":1}", "a\n  {{=@ @=}}\nb@x@", "a\nb1" },
	};

	CHECK(rules, NULL);
}

static void partials_are_put_in(void **state)
{
	static const char *const partials[] = { "row", "[{{x}}]", "two", "one\n{{{x}}}\ntwo\n", "tree",
		"{{x}}<{{#kids}}{{>tree}}{{/kids}}>", "delims", "{{x}}", NULL };
	static const struct rule rules[] = {
		{ "{\"x\":5}", "a {{>row}} b {{> row }} {{>none}}.", "a [5] b [5] ." },
		{ "{\"x\":\"v\\nw\"}", "\\\n  {{>two}}\n/\n", "\\\n  one\n  v\nw\n  two\n/\n" },
		{ "{\"x\":\"a\",\"kids\":[{\"x\":\"b\",\"kids\":[]}]}", "{{>tree}}", "a<b<>>" },
		{ "{\"x\":5}", "{{=| |=}}|>delims| |x|", "5 5" },
		{ "{\"x\":5}", "  {{>row}}  {{>row}}\n", "  [5]  [5]\n" },
	};

	CHECK(rules, partials);
}

static void mistakes_name_their_line(void **state)
{
	static const char *const cases[][2] = {
		{ "a\n{{x", "t:2: a tag is not closed" },
		{ "a\n\n{{#x}}\nb", "t:3: {{#x}} is not closed" },
		{ "{{#x}}\n{{#y}}\n{{/x}}", "t:3: {{/x}} does not close {{#y}} of line 2" },
		{ "a\n{{/x}}", "t:2: {{/x}} closes nothing" },
		{ "\n{{ }}", "t:2: a tag without a name" },
		{ "{{=x=}}", "t:1: delimiters" },
		{ "{{>self}}", "partials nest too deep" },
	};
	static const char *const self[] = { "self", "{{>self}}", NULL };
	json_t *v = json_object();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct iow_error e = ERR_INIT;
		struct buf b = BUF_INIT;
		assert_int_equal(mustache_render("t", cases[i][0], v, find_partial, (void *)self, &b, &e), -1);
		if (!strstr(e.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][1], e.text);
		buf_release(&b);
	}
	json_decref(v);
}

/* Any text ends, in a result or in a mistake, and never reads beyond its end. */
static void no_text_is_too_odd(void **state)
{
	static const char letters[] = "{}{}{}#^/!>&=. \nab";
	json_t *v = json_loads("{\"a\":[1,{\"b\":2}],\"b\":{\"a\":\"<\"}}", 0, NULL);
	static const char *const partials[] = { "a", "{{#b}}{{a}}{{/b}}", NULL };
	uint64_t seed = 1;

	for (int i = 0; i < 20000; i++) {
		struct iow_error e = ERR_INIT;
		struct buf b = BUF_INIT;
		char text[48];
		size_t n = (size_t)i % 47;
		for (size_t k = 0; k < n; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			text[k] = letters[(seed >> 33) % (sizeof letters - 1)];
		}
		text[n] = 0;
		mustache_render("t", text, v, find_partial, (void *)partials, &b, &e);
		buf_release(&b);
	}
	json_decref(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(names_are_filled_in), T(sections_repeat_and_test), T(lonely_tags_take_their_line),
		T(delimiters_change), T(partials_are_put_in), T(mistakes_name_their_line), T(no_text_is_too_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
