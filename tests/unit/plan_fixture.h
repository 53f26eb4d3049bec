/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TEST_PLAN_FIXTURE_H
#define IOW_TEST_PLAN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "plan/plan.h"

/* Drivers as an agent would describe them, without one. */
static const char *const fixture_drivers[][2] = {
	{ "posix", "{\"name\":\"posix\",\"threads\":0,\"caps\":[\"READ\",\"WRITE\",\"FLUSH\",\"DSYNC\",\"SYNC\","
		   "\"BUFFERED\"],\"keys\":[{\"name\":\"path\",\"type\":\"string\",\"flags\":[\"REQUIRED\","
		   "\"FILE\"],\"help\":\"the file\"},{\"name\":\"size\",\"type\":\"bytes\",\"flags\":[\"AXIS\"],"
		   "\"default\":null,\"min\":4096,\"max\":1099511627776,\"help\":\"its size\"}]}" },
	{ "direct", "{\"name\":\"direct\",\"threads\":0,\"caps\":[\"READ\",\"WRITE\",\"FLUSH\",\"DSYNC\","
		    "\"SYNC\",\"DIRECT\",\"ASYNC\"],\"keys\":[{\"name\":\"path\",\"type\":\"string\","
		    "\"flags\":[\"REQUIRED\",\"FILE\"],\"help\":\"the file\"},{\"name\":\"size\",\"type\":"
		    "\"bytes\",\"flags\":[\"AXIS\"],\"default\":null,\"help\":\"its size\"}]}" },
	{ "raw", "{\"name\":\"raw\",\"threads\":0,\"caps\":[\"READ\",\"WRITE\",\"FLUSH\",\"DIRECT\",\"ASYNC\"],"
		 "\"keys\":[{\"name\":\"path\",\"type\":\"string\",\"flags\":[\"REQUIRED\",\"DEVICE\"],"
		 "\"help\":\"the device\"}]}" },
	{ "null", "{\"name\":\"null\",\"threads\":0,\"caps\":[\"READ\",\"WRITE\",\"ASYNC\",\"NO_DATA\"],"
		  "\"keys\":[]}" },
	{ "sync", "{\"name\":\"sync\",\"threads\":1,\"caps\":[\"READ\",\"WRITE\",\"FLUSH\",\"DSYNC\",\"SYNC\","
		  "\"NEEDS_DURABILITY\"],\"keys\":[{\"name\":\"path\",\"type\":\"string\",\"flags\":"
		  "[\"REQUIRED\",\"FILE\"],\"help\":\"the file\"}]}" },
	{ "remote-node", "{\"name\":\"remote-node\",\"caps\":[\"CONNECT\"],\"keys\":[{\"name\":\"host\",\"type\":"
			 "\"string\",\"flags\":[\"REQUIRED\"],\"help\":\"the host\"}]}" },
};

static const char *const fixture_names[] = { "posix", "direct", "raw", "null", "sync", "remote-node", NULL };
static const char *const fixture_metrics[] = { "throughput", "iops", "p99", "mean", NULL };

static json_t *fixture_describe(void *ctx, const char *driver, struct iow_error *e)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof fixture_drivers / sizeof *fixture_drivers; i++)
		if (strcmp(fixture_drivers[i][0], driver) == 0)
			return json_loads(fixture_drivers[i][1], 0, NULL);
	err_set(e, 0, "no driver \"%s\" is installed", driver);
	return NULL;
}

static const struct plan_env fixture_env = {
	.describe = fixture_describe, .drivers = fixture_names, .metrics = fixture_metrics, .root = true
};

/* Cells of a plan that is good; the caller releases them. */
static inline void fixture_cells(struct cells *c, const char *text, const char *const *set, size_t n_set,
				 bool root)
{
	struct plan_env env = fixture_env;
	struct buf b = BUF_INIT;
	struct plan p;

	env.root = root;
	plan_init(&p);
	plan_parse(&p, "plan.json", text, strlen(text), set, n_set);
	if (plan_cells(&p, &env, c)) {
		plan_print_problems(&p, &b);
		print_error("%s", buf_str(&b));
		fail();
	}
	plan_release(&p);
}

/* What a plan's mistakes are, one line each; the caller frees it. */
static inline char *fixture_mistakes(const char *text, const char *const *set, size_t n_set)
{
	struct buf b = BUF_INIT;
	struct cells c;
	struct plan p;

	plan_init(&p);
	plan_parse(&p, "plan.json", text, strlen(text), set, n_set);
	if (plan_cells(&p, &fixture_env, &c) == 0)
		cells_release(&c);
	buf_puts(&b, "");
	plan_print_problems(&p, &b);
	plan_release(&p);
	return b.data ? buf_take(&b) : mem_strdup("");
}

static inline const struct cell *fixture_cell(const struct cells *c, const char *key)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (strcmp(c->cells[i].key, key) == 0)
			return &c->cells[i];
	for (size_t i = 0; i < c->n_cells; i++)
		print_error("  %s\n", c->cells[i].key);
	fail_msg("no cell %s", key);
	return NULL;
}

#endif
