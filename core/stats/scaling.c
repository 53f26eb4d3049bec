/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/scaling.h"

#include <float.h>
#include <math.h>

int scaling_log_efficiency(double *log_e, const double *together, const double *alone,
			   size_t n_nodes, size_t n_blocks)
{
	for (size_t b = 0; b < n_blocks; b++) {
		double sum = 0;

		for (size_t i = 0; i < n_nodes; i++) {
			double rate = alone[b * n_nodes + i];

			if (!(rate > 0 && isfinite(rate)))
				return -1;
			sum += rate;
		}
		if (!(together[b] > 0 && isfinite(together[b])) || n_nodes == 0)
			return -1;
		log_e[b] = log(together[b]) - log(sum);
	}
	return 0;
}

double scaling_jain(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		squares += x[i] * x[i];
	}
	return squares > 0 ? sum * sum / ((double)n * squares) : NAN;
}

/* Parameters: ln lambda, sigma, kappa. */
#define P 3

struct problem {
	const double *level, *x;
	size_t n;
	bool on_logs;
};

/* Normal equations of one point: a += j j', g += j r. Returns the sum of squares, INFINITY where
 * the law's denominator is not positive. */
static double assemble(const struct problem *f, const double p[P], double a[P][P], double g[P])
{
	double ss = 0;

	for (int i = 0; i < P; i++)
		for (int k = g[i] = 0; k < P; k++)
			a[i][k] = 0;
	for (size_t i = 0; i < f->n; i++) {
		double n = f->level[i], den = 1 + p[1] * (n - 1) + p[2] * n * (n - 1), j[P], r, fit;

		if (!(den > 0))
			return INFINITY;
		fit = p[0] + log(n) - log(den);
		j[0] = 1;
		j[1] = -(n - 1) / den;
		j[2] = -n * (n - 1) / den;
		r = log(f->x[i]) - fit;
		if (!f->on_logs) {
			r = f->x[i] - exp(fit);
			for (int k = 0; k < P; k++)
				j[k] *= exp(fit);
		}
		ss += r * r;
		for (int k = 0; k < P; k++) {
			g[k] += j[k] * r;
			for (int l = 0; l < P; l++)
				a[k][l] += j[k] * j[l];
		}
	}
	return ss;
}

/* Solves a s = g by elimination with pivots; false when singular. a and g are used up. */
static bool solve(double a[P][P], double g[P], double s[P])
{
	for (int c = 0; c < P; c++) {
		int pivot = c;

		for (int r = c + 1; r < P; r++)
			if (fabs(a[r][c]) > fabs(a[pivot][c]))
				pivot = r;
		if (!(fabs(a[pivot][c]) > 0))
			return false;
		for (int k = 0; k <= P; k++) {
			double *u = k < P ? &a[c][k] : &g[c], *v = k < P ? &a[pivot][k] : &g[pivot];
			double t = *u;

			*u = *v;
			*v = t;
		}
		for (int r = c + 1; r < P; r++) {
			double by = a[r][c] / a[c][c];

			for (int k = c; k < P; k++)
				a[r][k] -= by * a[c][k];
			g[r] -= by * g[c];
		}
	}
	for (int c = P; c-- > 0;) {
		s[c] = g[c];
		for (int k = c + 1; k < P; k++)
			s[c] -= a[c][k] * s[k];
		s[c] /= a[c][c];
	}
	return true;
}

/* N / X = (1 + sigma (N-1) + kappa N (N-1)) / lambda is linear; weights make errors relative. */
static void linear_start(const struct problem *f, double p[P])
{
	double a[P][P] = { { 0 } }, g[P] = { 0 }, s[P];

	for (size_t i = 0; i < f->n; i++) {
		double n = f->level[i], w = f->x[i] / n;
		double j[P] = { w, w * (n - 1), w * n * (n - 1) };

		for (int k = 0; k < P; k++) {
			g[k] += j[k];
			for (int l = 0; l < P; l++)
				a[k][l] += j[k] * j[l];
		}
	}
	p[0] = log(f->x[0] / f->level[0]);
	p[1] = p[2] = 0;
	if (!solve(a, g, s) || !(s[0] > 0))
		return;
	p[0] = -log(s[0]);
	p[1] = s[1] / s[0];
	p[2] = s[2] / s[0];
}

/* One damped step from p; true when it lowers the sum of squares. */
static bool try_step(const struct problem *f, double p[P], double *ss, double damp, double *size)
{
	double a[P][P], g[P], s[P], q[P], next;

	assemble(f, p, a, g);
	for (int k = 0; k < P; k++)
		a[k][k] *= 1 + damp;
	*size = 0;
	if (!solve(a, g, s))
		return false;
	for (int k = 0; k < P; k++) {
		q[k] = p[k] + s[k];
		*size = fmax(*size, fabs(s[k]) / (fabs(q[k]) + 1e-12));
	}
	next = assemble(f, q, a, g);
	if (!(next <= *ss))
		return false;
	*ss = next;
	for (int k = 0; k < P; k++)
		p[k] = q[k];
	return true;
}

static size_t distinct(const double *level, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < i && level[j] != level[i])
			j++;
		count += j == i;
	}
	return count;
}

int scaling_fit_usl(struct scaling_usl *u, const double *level, const double *x, size_t n, bool on_logs)
{
	struct problem f = { level, x, n, on_logs };
	double p[P], a[P][P], g[P], ss, damp = 1e-3, size = 1;

	*u = (struct scaling_usl){ .peak = NAN };
	for (size_t i = 0; i < n; i++)
		if (!(level[i] > 0 && x[i] > 0 && isfinite(level[i]) && isfinite(x[i])))
			return -1;
	if (distinct(level, n) < SCALING_LEAST_LEVELS)
		return -1;
	linear_start(&f, p);
	ss = assemble(&f, p, a, g);
	if (isinf(ss)) {
		p[1] = p[2] = 0;
		ss = assemble(&f, p, a, g);
	}
	for (int i = 0; i < 500 && !u->is_converged; i++) {
		bool is_better = try_step(&f, p, &ss, damp, &size);

		damp = is_better ? fmax(damp / 10, 1e-15) : damp * 10;
		u->is_converged = size < 1e-12 || (!is_better && damp > 1e15);
	}
	u->lambda = exp(p[0]);
	u->sigma = p[1];
	u->kappa = p[2];
	u->rms = sqrt(ss / (double)n);
	if (u->kappa > 0 && u->sigma < 1)
		u->peak = sqrt((1 - u->sigma) / u->kappa);
	return 0;
}

double scaling_usl_at(const struct scaling_usl *u, double n)
{
	return u->lambda * n / (1 + u->sigma * (n - 1) + u->kappa * n * (n - 1));
}
