/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/truth.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/num.h"

#include <stdio.h>
#include <string.h>

/* Writes a bundle whose truth is known: make_bundle --kind two-way --ratio 0.43 -o DIR. */

int64_t __wrap_clock_utc_ns(void);

/* The same bundle each time: its clock shows the time of what is written (linked with --wrap). */
int64_t __wrap_clock_utc_ns(void)
{
	return truth_now;
}

enum option_type { REAL, COUNT, TEXT, OFF };

static struct truth truth = TRUTH_INIT;
static const char *out;

static const struct {
	const char *name;
	enum option_type type;
	void *to;
} options[] = {
	{ "--kind", TEXT, &truth.kind },     { "--title", TEXT, &truth.title },	  { "--gate", TEXT, &truth.gate },
	{ "--ratio", REAL, &truth.ratio },   { "--sd", REAL, &truth.sd },	  { "--block-sd", REAL, &truth.block_sd },
	{ "--drift", REAL, &truth.drift },   { "--margin", REAL, &truth.margin }, { "--warm", REAL, &truth.warm },
	{ "--blocks", COUNT, &truth.blocks }, { "--cells", COUNT, &truth.cells },  { "--fail", COUNT, &truth.fail },
	{ "--kill", COUNT, &truth.kill },    { "--seed", COUNT, &truth.seed },	  { "--week", COUNT, &truth.week },
	{ "--against", REAL, &truth.against }, { "--kernel", TEXT, &truth.kernel },
	{ "--no-samples", OFF, &truth.samples },
	{ "-o", TEXT, &out },
};

static int usage(void)
{
	size_t i;

	printf("make_bundle --kind KIND [--ratio R] [--sd S] [--blocks N] [--gate KEY] … -o DIR\n");
	for (i = 0; truth_kinds[i].name; i++)
		printf("  %-14s %s\n", truth_kinds[i].name, truth_kinds[i].help);
	return 1;
}

static int set_option(size_t i, const char *value, struct iow_error *e)
{
	int64_t n;

	switch (options[i].type) {
	case REAL:
		return num_parse_real(value, options[i].to, e);
	case COUNT:
		if (num_parse_int(value, &n, e) < 0)
			return -1;
		if (options[i].to == &truth.seed)
			truth.seed = (uint64_t)n;
		else
			*(uint32_t *)options[i].to = (uint32_t)n;
		return 0;
	default:
		*(const char **)options[i].to = value;
		return 0;
	}
}

/* A kind's own values come first, what the command line says replaces them. */
static void kind_defaults(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--kind") != 0)
			continue;
		if (strcmp(argv[i + 1], "inconclusive") == 0) {
			truth.ratio = 1.02;
			truth.sd = 0.06;
		} else if (strcmp(argv[i + 1], "equivalent") == 0) {
			truth.ratio = 1;
		} else if (strcmp(argv[i + 1], "cpu") == 0) {
			truth.ratio = 0.52;
		} else if (strcmp(argv[i + 1], "void") == 0) {
			truth.gate = "cold";
		} else if (strcmp(argv[i + 1], "drift") == 0) {
			truth.drift = 0.5;
		} else if (strcmp(argv[i + 1], "capped") == 0 || strcmp(argv[i + 1], "paced") == 0) {
			truth.sd = truth.block_sd = 0.002; /* what a limit sets does not vary */
		}
	}
}

int main(int argc, char **argv)
{
	struct iow_error e = ERR_INIT;
	size_t k;
	int i;

	kind_defaults(argc, argv);
	for (i = 1; i < argc; i++) {
		for (k = 0; k < sizeof options / sizeof *options && strcmp(options[k].name, argv[i]) != 0; k++)
			;
		if (k == sizeof options / sizeof *options)
			return usage();
		if (options[k].type == OFF) {
			*(bool *)options[k].to = false;
			continue;
		}
		if (i + 1 == argc)
			return usage();
		if (set_option(k, argv[++i], &e) < 0)
			goto fail;
	}
	if (!out)
		return usage();
	if (truth_write(&truth, out, &e) == 0)
		return 0;
fail:
	fprintf(stderr, "make_bundle: %s\n", e.text);
	return 1;
}
