/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_DIST_H
#define IOW_STATS_DIST_H

/* Distribution functions and their inverses. Pure, thread-safe, no error state: an argument
 * outside the domain gives NAN. Relative error below 1e-12 where a probability is above 1e-300,
 * checked against R; dist_nct is to 1e-12 absolute.
 *
 * Sources: incomplete beta by its continued fraction (DLMF 8.17.22, evaluated by Lentz's method);
 * log beta by Stirling's series (DLMF 5.11.1) where lgamma would cancel; t and F through the
 * incomplete beta (Abramowitz and Stegun 26.7.1, 26.6.2); starting values of inverses A&S 26.2.23
 * and 26.7.5, then Newton inside a bracket; noncentral t as a Poisson mixture of incomplete betas
 * (Lenth 1989, AS 243), summed outwards from its largest term (Benton and Krishnamoorthy 2003). */

double dist_norm_cdf(double z);
double dist_norm_upper(double z);    /* P(Z > z), exact in the tail */
double dist_norm_quantile(double p); /* 0 < p < 1 */

/* Regularised incomplete beta I_x(a, b), a, b > 0, 0 <= x <= 1, and its inverse in x. */
double dist_beta_cdf(double x, double a, double b);
double dist_beta_quantile(double p, double a, double b);

/* Student's t with df > 0 (any real): P(T <= t), P(|T| > |t|), and the inverses of both. */
double dist_t_cdf(double t, double df);
double dist_t_two_sided(double t, double df);
double dist_t_quantile(double p, double df);
double dist_t_critical(double alpha, double df); /* the t with P(|T| > t) = alpha; 0 < alpha <= 1 */

/* F with (d1, d2): P(F > f) and its inverse. */
double dist_f_upper(double f, double d1, double d2);
double dist_f_critical(double alpha, double d1, double d2);

/* P(T' <= t) for the noncentral t with df > 0 and noncentrality delta. */
double dist_nct_cdf(double t, double df, double delta);

/* ln B(a, b). */
double dist_log_beta(double a, double b);

#endif
