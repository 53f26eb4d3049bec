/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_TESTS_MADE_H
#define IOW_TESTS_MADE_H

/* For tests of results, after cmocka.h. */

#include <math.h>

#include "base/err.h"
#include "lib/truth.h"
#include "stats/results.h"

/* A bundle and what was made of it. */
struct made {
	struct bundle b;
	struct results r;
};

static inline void make(struct made *m, const struct truth *t)
{
	struct iow_error e = ERR_INIT;

	assert_int_equal(truth_fill(&m->b, t, &e), 0);
}

static inline void judge(struct made *m)
{
	struct iow_error e = ERR_INIT;

	assert_int_equal(results_build(&m->r, &m->b, &e), 0);
}

static inline void made_release(struct made *m)
{
	results_release(&m->r);
	bundle_release(&m->b);
}

static inline const struct comparison *first(const struct made *m)
{
	assert_true(m->r.n_comparisons > 0);
	return &m->r.comparisons[0];
}

static inline void near(double got, double want, double rel)
{
	if (!(fabs(got - want) <= rel * fabs(want)))
		print_error("got %.12g, want %.12g\n", got, want);
	assert_true(fabs(got - want) <= rel * fabs(want));
}

static inline const struct judgement *judgement_of(const struct made *m, uint32_t question)
{
	size_t i;

	for (i = 0; i < m->r.n_judgements; i++)
		if (m->r.judgements[i].question == question)
			return &m->r.judgements[i];
	fail_msg("no judgement of question %u", question);
	return NULL;
}

#endif
