/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pilot.h"

#include "base/digest.h"
#include "base/num.h"
#include "base/vec.h"
#include "plan/schedule.h"
#include "stats/power.h"

#include <math.h>
#include <string.h>

#define MOST_OF_BLOCKS 4 /* where the plan does not say */
#define BLOCKS_MAX 10000

void pilot_release(struct pilot *p)
{
	free(p->tests);
	free(p->declared);
	free(p->dir);
	memset(p, 0, sizeof *p);
}

char *pilot_dir_new(const char *dir)
{
	size_t n = strlen(dir), end = n > 4 && strcmp(dir + n - 4, ".iow") == 0 ? n - 4 : n;

	while (end > 1 && dir[end - 1] == '/')
		end--;
	return mem_printf("%.*s-pilot%s", (int)end, dir, end < n && dir[end] == '.' ? ".iow" : "");
}

static void own_seed(struct cells *c, const char *text, size_t len)
{
	struct plan_set *s = VEC_ADD(c->set, c->n_set);
	struct buf b = BUF_INIT;

	s->path = mem_strdup("pilot");
	s->value = mem_printf("%d", PILOT_BLOCKS);
	buf_add(&b, text, len);
	for (size_t i = 0; i < c->n_set; i++)
		buf_printf(&b, "\n--set %s=%s", c->set[i].path, c->set[i].value);
	c->seed = digest_seed(buf_str(&b), b.len);
	buf_release(&b);
}

void pilot_shorten(struct pilot *p, struct cells *c, const char *text, size_t len)
{
	char *title = c->title;

	p->n_tests = c->n_tests;
	p->tests = mem_array(c->n_tests + 1, sizeof *p->tests);
	p->declared = mem_array(c->n_questions + 1, sizeof *p->declared);
	p->family = c->family;
	for (size_t i = 0; i < c->n_questions; i++) {
		p->declared[i] = c->questions[i].declared;
		c->questions[i].declared = false;
	}
	c->family = 0;
	for (size_t i = 0; i < c->n_tests; i++)
		c->tests[i].blocks = PILOT_BLOCKS;
	c->title = mem_printf("%s (pilot)", title);
	free(title);
	own_seed(c, text, len);
	schedule_build(c);
}

static double alpha_of(const struct pilot *p)
{
	return .05 / (p->family ? p->family : 1);
}

static void learn(struct pilot *p, const struct cells *c, const struct results *r)
{
	for (size_t i = 0; i < r->n_comparisons; i++) {
		const struct comparison *k = &r->comparisons[i];
		struct pilot_test *t = &p->tests[c->cells[k->subject].test];
		size_t n;

		if ((p->family && !p->declared[k->question]) || k->n < 2 || !(k->sd_log > 0))
			continue;
		n = power_stein(k->n, k->sd_log, log1p(k->margin), alpha_of(p), 2);
		t->sd = fmax(t->sd, k->sd_log);
		if (!n || n > t->needed) {
			t->needed = n ? (uint32_t)n : UINT32_MAX;
			t->n = k->n;
		}
		if (!n)
			break;
	}
}

int pilot_learn(struct pilot *p, const char *dir, struct iow_error *e)
{
	struct results r;
	struct bundle b;
	int rc;

	if (bundle_load(&b, dir, e))
		return -1;
	rc = results_build(&r, &b, e);
	if (rc == 0) {
		learn(p, &b.cells, &r);
		results_release(&r);
		p->dir = mem_strdup(dir);
		memcpy(p->id, b.id, sizeof p->id);
	}
	bundle_release(&b);
	return rc;
}

static void apply_test(const struct pilot *p, const struct pilot_test *t, struct plan_test *to, struct buf *say)
{
	uint64_t most = to->blocks_most ? to->blocks_most : (uint64_t)to->blocks * MOST_OF_BLOCKS;
	char sd[40], effect[40], needed[24];

	if (!t->n) {
		buf_printf(say, "pilot: test \"%s\": no comparison was complete; %u blocks as in the plan\n", to->name,
			   to->blocks);
		return;
	}
	most = most > BLOCKS_MAX ? BLOCKS_MAX : most < to->blocks ? to->blocks : most;
	if (t->needed > to->blocks)
		to->blocks = t->needed < most ? t->needed : (uint32_t)most;
	to->sd = t->sd;
	to->pilot_blocks = t->n;
	num_fixed(100 * t->sd, 2, sd);
	num_fixed(100 * expm1(power_smallest(to->blocks, alpha_of(p)) * t->sd), 1, effect);
	snprintf(needed, sizeof needed, t->needed == UINT32_MAX ? "more than %u" : "%u",
		 t->needed == UINT32_MAX ? POWER_MOST_BLOCKS : t->needed);
	buf_printf(say, "pilot: test \"%s\": standard deviation %s%% of a block's ratio over %u blocks; needed %s, "
		   "measured %u; smallest effect seen in four of five campaigns: %s%%\n", to->name, sd, t->n, needed,
		   to->blocks, effect);
}

void pilot_apply(const struct pilot *p, struct cells *c, struct buf *say)
{
	if (p->dir)
		buf_printf(say, "pilot: bundle %s, id %s; its data are not used again\n", p->dir, p->id);
	for (size_t i = 0; i < c->n_tests && i < p->n_tests; i++)
		apply_test(p, &p->tests[i], &c->tests[i], say);
	schedule_build(c);
}
