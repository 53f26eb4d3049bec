/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_POWER_H
#define IOW_STATS_POWER_H

#include <stddef.h>

/* How many blocks. sd is the standard deviation of the log ratio over blocks, from a pilot or stated
 * by the plan: never from the campaign that is being judged. Effects are log ratios, > 0. alpha is
 * the two-sided level already divided by the family size m. */

#define POWER_WANTED 0.80
#define POWER_MOST_BLOCKS 100000

/* Power of the paired t at n blocks for a true effect: both tails of the noncentral t with
 * delta = effect / sd * sqrt(n) (Johnson and Kotz, Continuous Univariate Distributions 2, 31). */
double power_difference(double effect, double sd, size_t n, double alpha);

/* Power to show equivalence within +-band when the true log ratio is `truth`, by two one-sided tests
 * at alpha_side each (Schuirmann 1987): the sum of the two one-sided powers less 1, a lower bound
 * that is exact to 1e-4 where the power is above .8. */
double power_equivalence(double band, double truth, double sd, size_t n, double alpha_side);

/* Smallest effect seen with POWER_WANTED, in units of sd; NAN when n < 2. */
double power_smallest(size_t n, double alpha);

/* Fewest blocks for POWER_WANTED (and at least `least`); 0 when POWER_MOST_BLOCKS do not do. */
size_t power_blocks_difference(double effect, double sd, double alpha, size_t least);
size_t power_blocks_equivalence(double band, double truth, double sd, double alpha_side, size_t least);

/* Stein's two-stage rule (Annals of Mathematical Statistics 16, 1945, 243-258), used once: blocks of
 * the campaign from a pilot of n0 blocks with standard deviation s, such that an effect is seen with
 * POWER_WANTED whatever the true sd: (s (t(1-alpha/2) + t(.8)) / effect)^2, both t with n0 - 1 df, plus
 * z(1-alpha/2)^2 / 2 (Guenther 1981) because the campaign is judged by its own sd and not by the
 * pilot's; rounded up, at least `least`. The pilot's blocks are not reused. 0 when n0 < 2 or above
 * POWER_MOST_BLOCKS. */
size_t power_stein(size_t n0, double s, double effect, double alpha, size_t least);

#endif
