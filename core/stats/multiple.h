/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_MULTIPLE_H
#define IOW_STATS_MULTIPLE_H

#include <stddef.h>

/* Adjusted p-values of a family. A p that is NAN (void, or no figure) counts as 1 and the family
 * never shrinks. `out` must not overlap `p`. Allocates an index of m entries for the sort. */

/* Holm 1979 (Scandinavian Journal of Statistics 6, 65-70): max over j <= i of (m - j + 1) p_(j). */
void multiple_holm(double *out, const double *p, size_t m);

/* Benjamini and Hochberg 1995 (JRSS B 57, 289-300): min over j >= i of m p_(j) / j. */
void multiple_bh(double *out, const double *p, size_t m);

#endif
