/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_ORACLE_H
#define IOW_ORACLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/vec.h"

/* Relative (absolute where the expected value is 0) with both figures in the message. */
static inline void close_to(double got, double want, double tol, const char *what, const char *file,
			    int line)
{
	double off = fabs(got - want) / (want != 0 ? fabs(want) : 1);

	if (off <= tol || (isnan(got) && isnan(want)) || got == want)
		return;
	print_error("%s = %.15g, expected %.15g, off by %.2g (allowed %.2g)\n", what, got, want, off,
		    tol);
	_fail(file, line);
}

#define assert_close(got, want, tol) close_to((got), (want), (tol), #got, __FILE__, __LINE__)

#define ORACLE 1e-9 /* the tolerance of METHODS unless said */

#endif
