/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_SCALING_H
#define IOW_STATS_SCALING_H

#include <stdbool.h>
#include <stddef.h>

/* Alone against together, METHODS (h). */

/* ln E_b = ln(together[b] / sum of alone[b * n_nodes + i]) per block, rates over the common window;
 * paired t follows (inference_mean). -1 when a rate is not positive. */
int scaling_log_efficiency(double *log_e, const double *together, const double *alone,
			   size_t n_nodes, size_t n_blocks);

/* Jain's fairness (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe, DEC TR-301, 1984): 1 = all equal,
 * 1/n = one has all. NAN when n = 0 or all are 0. */
double scaling_jain(const double *x, size_t n);

/* Gunther's universal scalability law X = lambda N / (1 + sigma (N-1) + kappa N (N-1)), fitted by
 * Levenberg-Marquardt (Marquardt 1963) from the linearised fit of N / X: deterministic. */
#define SCALING_LEAST_LEVELS 4

struct scaling_usl {
	bool is_converged;
	double lambda, sigma, kappa;
	double peak;      /* sqrt((1 - sigma) / kappa), the N of the largest X; NAN where there is none */
	double rms;       /* of the residuals: of ln X, or of X */
};

/* On ln X (relative errors alike at every level: what reports use), or on X (for comparison with
 * others' fits). n levels, all > 0, at least four different; -1 otherwise. */
int scaling_fit_usl(struct scaling_usl *u, const double *level, const double *x, size_t n, bool on_logs);

/* X of the law at a level. */
double scaling_usl_at(const struct scaling_usl *u, double level);

#endif
