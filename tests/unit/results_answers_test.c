/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/made.h"
#include "plan/quote.h"

static const struct judged_cell *processor(struct made *m, struct truth *t, double ratio)
{
	t->kind = "cpu";
	t->ratio = ratio;
	make(m, t);
	judge(m);
	assert_int_equal(judgement_of(m, 0)->n_cells, 1); /* the halved cell is the other side */
	return &judgement_of(m, 0)->cells[0];
}

static void a_cut_of_the_processor_decides(void **state)
{
	static const struct {
		double ratio;
		enum verdict_kind leg2;
	} cases[] = {
		{ 0.50, VERDICT_CPU_BOUND }, { 0.58, VERDICT_CPU_BOUND }, { 0.70, VERDICT_NOT_DECIDABLE },
		{ 0.90, VERDICT_NOT_CPU_BOUND }, { 1.00, VERDICT_NOT_CPU_BOUND },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct truth t = TRUTH_INIT;
		struct made m;
		const struct judged_cell *k = processor(&m, &t, cases[i].ratio);

		assert_int_equal(k->leg1, VERDICT_CPU_BOUND);
		assert_int_equal(k->leg2, cases[i].leg2);
		assert_int_equal(judgement_of(&m, 0)->verdict, cases[i].leg2);
		assert_int_equal(k->n_cut, 8);
		near(k->capacity, 0.5, 0);
		assert_true(fabs(k->elasticity - log(cases[i].ratio) / log(0.5)) < 0.05);
		assert_true(k->elasticity_lo < k->elasticity && k->elasticity < k->elasticity_hi);
		made_release(&m);
	}
}

static void a_cut_needs_its_runs(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	const struct judged_cell *k;

	(void)state;
	t.blocks = 4;
	k = processor(&m, &t, 0.5);
	assert_int_equal(k->verdict, VERDICT_INDICATIVE);
	made_release(&m);
	t.blocks = 8;
	t.fail = 1; /* of the halved cell: nobody knows what it would have reached */
	k = processor(&m, &t, 0.5);
	assert_int_equal(k->verdict, VERDICT_NOT_DECIDABLE);
	made_release(&m);
	t.fail = 0;
	t.gate = "clock"; /* fails on the halved cell alone */
	k = processor(&m, &t, 0.5);
	assert_int_equal(k->verdict, VERDICT_VOID);
	assert_int_equal(judgement_of(&m, 0)->verdict, VERDICT_VOID);
	made_release(&m);
}

static void one_comparison_counts_once(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;

	(void)state;
	t.kind = "quotes";
	make(&m, &t);
	assert_int_equal(m.b.cells.family, 1);
	/* The other way round it is the same one; another metric is not. */
	m.b.cells.questions[1].pairs[0] = (struct pair){ 1, 0 };
	judge(&m);
	assert_int_equal(m.r.n_comparisons, 2);
	assert_int_equal(m.r.comparisons[1].same_as, 0);
	near(m.r.comparisons[0].decide_level, 0.95, 1e-12);
	near(m.r.comparisons[0].holm_p, m.r.comparisons[0].p, 1e-12);
	near(m.r.comparisons[1].holm_p, m.r.comparisons[0].p, 1e-12);
	results_release(&m.r);
	free(m.b.cells.questions[1].metric);
	m.b.cells.questions[1].metric = strdup("iops");
	judge(&m);
	assert_int_equal(m.r.comparisons[1].same_as, 1);
	made_release(&m);
}

static enum arithmetic of(const char *subject, const char *against, const char *says)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	enum arithmetic state;
	struct plan_quote *q;

	t.kind = "quotes";
	t.blocks = 1; /* whatever was measured */
	make(&m, &t);
	q = &m.b.cells.questions[1].quotes[0];
	free(q->subject);
	free(q->against);
	free(q->says);
	*q = (struct plan_quote){ strdup(subject), strdup(against), strdup(says) };
	judge(&m);
	assert_int_equal(judgement_of(&m, 1)->n_quotes, 3);
	state = judgement_of(&m, 1)->quotes[0].state;
	made_release(&m);
	return state;
}

static void quoted_figures_are_checked(void **state)
{
	static const struct {
		const char *subject, *against, *says;
		enum arithmetic is;
	} cases[] = {
		{ "19.7 s", "1.3 s", "15x", ARITHMETIC_CONSISTENT },
		{ "19.7 s", "1.3 s", "15x slower", ARITHMETIC_CONSISTENT },
		{ "19.7 s", "1.3 s", "15x faster", ARITHMETIC_INCONSISTENT },
		{ "19.7 s", "1.3 s", "16x", ARITHMETIC_CONSISTENT }, /* 15.8 is the largest that rounding allows */
		{ "19.7 s", "1.3 s", "17x", ARITHMETIC_INCONSISTENT },
		{ "1300 ms", "19.7 s", "15.2x faster", ARITHMETIC_CONSISTENT },
		{ "53 MB/s", "123 MB/s", "2.3x slower", ARITHMETIC_CONSISTENT },
		{ "53 MB/s", "123 MB/s", "2.3x lower", ARITHMETIC_CONSISTENT },
		{ "53 MB/s", "123 MB/s", "2.3x higher", ARITHMETIC_INCONSISTENT },
		{ "53 MB/s", "123 MB/s", "43%", ARITHMETIC_CONSISTENT },
		{ "53 MB/s", "123 MB/s", "57% lower", ARITHMETIC_CONSISTENT },
		{ "53 MB/s", "123 MB/s", "57% slower", ARITHMETIC_DEPENDS },  /* of the speed, not of the time */
		{ "53 MB/s", "123 MB/s", "132% slower", ARITHMETIC_DEPENDS }, /* the other way */
		{ "120 s", "100 s", "20% slower", ARITHMETIC_DEPENDS },
		{ "101 s", "100 s", "1% slower", ARITHMETIC_CONSISTENT },
		{ "150 IOPS", "100 IOPS", "50% faster", ARITHMETIC_DEPENDS },
		{ "1 GiB", "512 MiB", "2x more", ARITHMETIC_CONSISTENT },
		{ "120 s", "100 s", "20% longer", ARITHMETIC_CONSISTENT },
		{ "120 s", "100 s", "25% longer", ARITHMETIC_INCONSISTENT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (of(cases[i].subject, cases[i].against, cases[i].says) != cases[i].is)
			fail_msg("%s, %s, %s is not %s", cases[i].subject, cases[i].against, cases[i].says,
				 arithmetic_name(cases[i].is));
}

static void what_cannot_be_checked_is_refused(void **state)
{
	static const char *const bad[][3] = {
		{ "fast", "1 s", "2x" },   { "0 s", "1 s", "2x" },     { "1 s", "1 MB/s", "2x" },
		{ "1 s", "1 s", "2" },	   { "1 s", "1 s", "2x nicer" }, { "1 parsec", "1 s", "2x" },
		{ "2", "1", "2x slower" }, { "1. s", "1 s", "2x" },    { "-1 s", "1 s", "2x" },
		{ "1/s", "1/s", "2x" },	   { "2 MB", "1 MB", "2x faster" }, { "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct plan_quote given = { strdup(bad[i][0]), strdup(bad[i][1]), strdup(bad[i][2]) };
		struct iow_error e = ERR_INIT;
		struct quote q;

		assert_int_equal(quote_read(&q, &given, &e), -1);
		free(given.subject);
		free(given.against);
		free(given.says);
		assert_true(strlen(e.text) > 10);
	}
}

/* Levels from three tests that one question names, and one alone: the law's own constants. */
static void tests_of_several_sizes_are_one_law(void **state)
{
	struct truth t = TRUTH_INIT;
	struct made m;
	const struct usl_result *u;

	(void)state;
	t.kind = "members";
	t.sd = t.block_sd = 1e-4;
	make(&m, &t);
	judge(&m);
	assert_int_equal(m.r.n_scalings, 3);
	assert_int_equal(m.r.n_usls, 1);
	u = &m.r.usls[0];
	assert_int_equal(u->levels, 4);
	assert_string_equal(u->dim, "members");
	near(u->lambda, 200e6, 0.02);
	near(u->sigma, 0.05, 0.1);
	near(u->kappa, 0.01, 0.1);
	near(u->load[0], 1, 0);
	near(u->rate[0], 200e6, 0.02);
	results_release(&m.r);
	/* Asked one by one they are no levels of one law. */
	free(m.b.cells.questions[2].where);
	m.b.cells.questions[2].where = strdup("/questions/1");
	judge(&m);
	assert_int_equal(m.r.n_usls, 0);
	made_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_of_the_processor_decides),
		cmocka_unit_test(a_cut_needs_its_runs),
		cmocka_unit_test(one_comparison_counts_once),
		cmocka_unit_test(quoted_figures_are_checked),
		cmocka_unit_test(what_cannot_be_checked_is_refused),
		cmocka_unit_test(tests_of_several_sizes_are_one_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
