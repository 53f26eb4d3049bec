/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/sim.h"

/* Without arguments: the short form, every cell within 5 sigma of what the long run found, on both
 * sides. "GROUP": only cells whose group has this text. "--long N": N experiments a cell, the bars,
 * and the table of SIMULATION.md on stdout. */

#define SHORT 2000
#define LONG 10000

static double share(size_t cell, unsigned experiments)
{
	const struct sim_cell *c = &sim_cells[cell];
	unsigned count = 0;
	struct rng r;

	rng_stream(&r, SIM_SEED, cell);
	for (unsigned i = 0; i < experiments; i++)
		count += c->event(c, &r);
	return (double)count / experiments;
}

static double monte_carlo(double p, double n)
{
	/* one event more either way, so that a share of 0 or 1 has an error as well */
	double q = (p * n + 1) / (n + 2);

	return sqrt(q * (1 - q) / n);
}

static int run_short(const char *only)
{
	int off = 0;

	for (size_t i = 0; i < sim_cell_count; i++) {
		const struct sim_cell *c = &sim_cells[i];
		unsigned n = SHORT / (c->slow ? c->slow : 1);
		double got, sigma;

		if (only && !strstr(c->group, only))
			continue;
		got = share(i, n);
		sigma = hypot(monte_carlo(c->expect, n), monte_carlo(c->expect, LONG));
		if (fabs(got - c->expect) <= 5 * sigma)
			continue;
		off++;
		printf("%s, %s, n = %zu, m = %zu: %.4f, expected %.4f +- %.4f\n", c->group, c->label,
		       c->n, c->m, got, c->expect, 5 * sigma);
	}
	return off;
}

static const char head[] =
	"# What the statistics do on campaigns whose truth is known\n\n"
	"Written by `make simulate`: %u experiments a cell, each judged by the product's own functions; the\n"
	"schedule too is the product's. Generator %s, seed %llu, a stream for each cell. \"error\" is the\n"
	"Monte Carlo standard error, in points. \"published\": no bar is set, or none can be met by any\n"
	"method, and the shortfall is shown. The short form (`make check`) repeats every cell with fewer\n"
	"experiments and must agree with this table within 5 sigma on either side.\n";

static int run_long(unsigned n)
{
	const char *group = "";
	int off = 0;

	printf(head, n, RNG_NAME, (unsigned long long)SIM_SEED);
	for (size_t i = 0; i < sim_cell_count; i++) {
		const struct sim_cell *c = &sim_cells[i];
		double got = share(i, n);
		int is_met = got >= c->at_least && got <= c->at_most;
		char bar[40] = "published";

		if (strcmp(group, c->group) != 0)
			printf("\n## %s\n\n| case | n | m | share %% | error | bar | |\n"
			       "|---|---|---|---|---|---|---|\n", c->group);
		group = c->group;
		if (c->at_most < 1)
			snprintf(bar, sizeof bar, "at most %.1f", 100 * c->at_most);
		else if (c->at_least > 0)
			snprintf(bar, sizeof bar, "at least %.1f", 100 * c->at_least);
		printf("| %s | %zu | %zu | %.2f | %.2f | %s | %s |\n", c->label, c->n, c->m, 100 * got,
		       100 * monte_carlo(got, n), bar,
		       c->at_most >= 1 && c->at_least <= 0 ? "" : is_met ? "met" : "**not met**");
		fflush(stdout);
		off += !is_met;
	}
	return off;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--long") == 0)
		return run_long(argc > 2 ? (unsigned)atoi(argv[2]) : LONG) ? 1 : 0;
	return run_short(argc > 1 ? argv[1] : NULL) ? 1 : 0;
}
