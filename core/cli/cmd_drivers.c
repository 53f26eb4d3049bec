/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "run/driver.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>

static struct {
	const char *plugins;
	bool json;
} o;

static const struct opt opts[] = {
	{ "plugin-path", 0, OPT_STRING, "DIRS", &o.plugins, "look for drivers in these directories first" },
	{ "json", 0, OPT_FLAG, NULL, &o.json, "print JSON" },
	{ NULL, 0, 0, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	.synopsis = "drivers [NAME] [OPTION…]",
	.about = "Lists the drivers that are found, or one with its capabilities and keys. Each is opened in a process "
		 "of its own: one that crashes costs its own line.",
	.opts = opts,
	.min = 0,
	.max = 1,
};

/* "READ WRITE FLUSH" */
static void words(const json_t *array, char *out, size_t size)
{
	size_t at = 0;

	*out = 0;
	for (size_t i = 0; i < json_array_size(array) && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "",
				       json_string_value(json_array_get(array, i)));
}

static void print_limits(const json_t *k)
{
	const json_t *choices = json_object_get(k, "choices");
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < json_array_size(choices); i++)
		buf_printf(&b, "%s%s", i ? ", " : "one of ", json_string_value(json_array_get(choices, i)));
	if (json_object_get(k, "min")) {
		buf_puts(&b, "from ");
		jsonx_write(&b, json_object_get(k, "min"), 0);
		buf_puts(&b, " to ");
		jsonx_write(&b, json_object_get(k, "max"), 0);
	}
	if (b.len)
		printf("      %s\n", buf_str(&b));
	buf_release(&b);
}

static void print_key(const json_t *k)
{
	const char *def = jsonx_str(k, "default", NULL);
	char flags[120];

	words(json_object_get(k, "flags"), flags, sizeof flags);
	printf("  %-14s %-7s", jsonx_str(k, "name", ""), jsonx_str(k, "type", ""));
	if (def)
		printf(" default %s", def);
	printf("%s%s\n      %s\n", *flags ? "  " : "", flags, jsonx_str(k, "help", ""));
	print_limits(k);
}

static void print_full(const json_t *d)
{
	const json_t *keys = json_object_get(d, "keys");
	char caps[300];

	words(json_object_get(d, "caps"), caps, sizeof caps);
	printf("%s %s: %s\n", jsonx_str(d, "name", ""), jsonx_str(d, "version", ""), jsonx_str(d, "summary", ""));
	printf("file     %s\nsha256   %s\ncan      %s\n", jsonx_str(d, "file", ""), jsonx_str(d, "sha256", ""), caps);
	if (jsonx_int(d, "threads", 0))
		printf("jobs     at most %lld\n", (long long)jsonx_int(d, "threads", 0));
	printf("keys\n");
	for (size_t i = 0; i < json_array_size(keys); i++)
		print_key(json_array_get(keys, i));
}

static int one(struct nodes *ns, const char *name, json_t *all, bool full)
{
	struct iow_error e = ERR_INIT;
	json_t *d = node_describe(ns, &ns->v[0], name, &e);

	if (!d) {
		if (full)
			fprintf(stderr, "iowitness drivers: %s\n", e.text);
		else if (!all)
			printf("%-12s cannot be used: %s\n", name, e.text);
		return full ? EXIT_USAGE : EXIT_OK;
	}
	if (all)
		json_array_append(all, d);
	else if (full)
		print_full(d);
	else
		printf("%-12s %s\n", name, jsonx_str(d, "summary", ""));
	json_decref(d);
	return EXIT_OK;
}

static int describe(struct nodes *ns, const char *name)
{
	json_t *names = name ? json_pack("[s]", name) : driver_names(), *all = o.json ? json_array() : NULL;
	struct buf b = BUF_INIT;
	int status = EXIT_OK;

	if (json_array_size(names) == 0) {
		fprintf(stderr, "iowitness drivers: none where they are looked for; name their directory with --plugin-path\n");
		status = EXIT_USAGE;
	}
	for (size_t i = 0; i < json_array_size(names) && status == EXIT_OK; i++)
		status = one(ns, json_string_value(json_array_get(names, i)), all, name != NULL);
	if (all && status == EXIT_OK) {
		jsonx_write(&b, all, 2);
		printf("%s\n", buf_str(&b));
	}
	buf_release(&b);
	json_decref(names);
	json_decref(all);
	return status;
}

static int with_agent(const char *name)
{
	struct iow_error e = ERR_INIT;
	struct nodes ns = { 0 };
	int status = EXIT_USAGE;

	if (nodes_open(&ns, 1, &e) == 0 && node_start_local(&ns, &ns.v[0], "local", &e) == 0 &&
	    node_greet(&ns, &ns.v[0], 10 * NS_PER_S, &e) == 0)
		status = describe(&ns, name);
	else
		fprintf(stderr, "iowitness drivers: %s\n", e.text);
	nodes_close(&ns);
	return status;
}

int cmd_drivers(int argc, char **argv)
{
	int status = 0, operands = opt_parse(&usage, argc, argv, &status);

	if (operands < 0)
		return status;
	if (o.plugins)
		driver_path_prepend(o.plugins);
	return with_agent(operands ? argv[1] : NULL);
}
