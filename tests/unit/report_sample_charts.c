/* SPDX-License-Identifier: Apache-2.0 */
#include "report_sample_charts.h"

#include <math.h>
#include <stdio.h>

#include "reports/chart.h"

double sample_noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

void sample_forest(struct document *d)
{
	static const struct chart_forest_row rows[] = {
		{ "Fabric volume : local volume", 0.4694, 0.455, 0.484, CHART_DECIDED, "2.13x slower", "SLOWER", 0, 0 },
		{ "Two hosts together : sum alone", 0.61, 0.602, 0.618, CHART_DECIDED, "1.64x slower", "SLOWER", 0, 0 },
		{ "Second read : first read", 11.9, 11.5, 12.4, CHART_DECIDED, "11.9x faster", "FASTER", 0, 0 },
		{ "Host b : host a", 0.994, 0.981, 1.007, CHART_EQUIVALENT, "at most 1.9%", "EQUIVALENT", 0, 0 },
		{ "Fabric volume : local volume, 1 MiB", 0.963, 0.913, 1.016, CHART_OPEN, "1.04x slower",
		  "INCONCLUSIVE", 0, 0 },
		{ "Fabric volume : backup volume", 0.391, 0.37, 0.413, CHART_VOID, "2.56x slower", "VOID", 0, 0 },
	};
	struct chart *c = chart_forest_new(0.95, 1 / 0.95, "slower", "faster");
	struct doc_figure *f;

	chart_forest_heads(c, "Question", "Ratio", "Verdict", "margin \u00b15%");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		chart_forest_add(c, &rows[i]);
	f = doc_figure(d, "fig-ratios", c, "Three of six questions are decided beyond the 5%% margin.");
	doc_figure_alt(f, "Ratios of six questions with their intervals: three lie beyond the 5%% margin, one inside "
			  "it, one is open, one is void.");
	doc_add(&f->note, "Throughput of the first named over the second; logarithmic axis, shaded: the margin. Filled "
			  "square: decided; filled circle: equivalent; hollow: inconclusive; cross: void. Arrow: off the "
			  "scale.");
}

void sample_dots(struct document *d)
{
	static const char *const names[] = { "Fabric volume", "Local volume", "Second read" };
	static const double means[] = { 102.7, 218.8, 2603 };
	struct chart *c = chart_dots_new("MB/s", "block");
	uint64_t seed = 7;

	for (size_t i = 0; i < 3; i++) {
		double y[8];
		bool out[8] = { 0 };
		char value[32];
		for (int k = 0; k < 8; k++)
			y[k] = means[i] * (1 + 0.05 * sample_noise(&seed));
		if (i == 0) {
			y[2] = means[i] * 0.93;
			out[2] = true;
		}
		snprintf(value, sizeof value, i == 2 ? "%.0f MB/s" : "%.1f MB/s", means[i]);
		chart_dots_add(c, &(struct chart_dots_panel){ names[i], value, means[i], means[i] * 0.985,
			means[i] * 1.015, y, out, 8, i == 0 ? CHART_SUBJECT : CHART_REFERENCE });
	}
	doc_add(&doc_figure(d, "fig-dots", c, "Runs scatter by 2%% about their mean; only block 3 of the fabric stands apart.")->note,
		"All runs in block order. Line and band: mean and its 95%% interval; crossed: excluded. All panels span the "
		"same share of their mean.");
}

void sample_time_series(struct document *d)
{
	struct chart *c = chart_lines_new(&(struct chart_axis){ NULL, "s", CHART_LINEAR, 0, 0 },
					  &(struct chart_axis){ NULL, "MB/s", CHART_LINEAR, 0, 0 });
	static const double level[] = { 102.7, 218.8 };
	uint64_t seed = 11;
	double x[80], y[80];

	for (int cell = 0; cell < 2; cell++) {
		for (int run = 0; run < 5; run++) {
			for (int i = 0; i < 80; i++) {
				x[i] = (i + 1) * 0.5;
				y[i] = level[cell] * (1 - 0.4 * exp(-x[i] / 0.8)) * (1 + 0.06 * sample_noise(&seed));
				if (cell == 0 && run == 2 && x[i] > 20 && x[i] < 23)
					y[i] = 4;
			}
			chart_lines_add(c, &(struct chart_line){ .x = x, .y = y, .n = 80, .thin = true,
				.excluded = cell == 0 && run == 2 });
		}
		chart_lines_add(c, &(struct chart_line){ .label = cell ? "Local volume" : "Fabric volume",
			.sub = cell ? "218.8 MB/s" : "102.7 MB/s", .x = (double[]){ 2.5, 40 },
			.y = (double[]){ level[cell], level[cell] }, .n = 2,
			.style = cell ? CHART_REFERENCE : CHART_SUBJECT });
	}
	chart_lines_cut(c, 2.5, "warm-up, 2.5 s, cut from every run");
	doc_add(&doc_figure(d, "fig-time", c, "After 2.5 s both volumes hold their level; in block 3 a path failed.")->note,
		"Throughput in steps of 0.5 s, five runs of each; heavy: the mean of what is kept. Dashed: excluded.");
}

void sample_latency(struct document *d)
{
	struct chart *c = chart_lines_new(&(struct chart_axis){ "share of reads at or below the line", NULL, CHART_NINES, 0, 0 },
					  &(struct chart_axis){ NULL, "ms", CHART_LOG, 0, 0 });
	double x[81], a[81], b[81];

	for (int i = 0; i < 81; i++) {
		double z = i / 80.0 * 4.0;
		x[i] = 1 - pow(10, -z);
		a[i] = 0.55 + 0.05 * z + 2.4 * exp(1.6 * (z - 4.0));
		b[i] = x[i] < 0.75 ? 0.012 : 0.28 + 0.04 * z + 1.1 * exp(1.9 * (z - 4.0));
	}
	chart_lines_add(c, &(struct chart_line){ .label = "Fabric volume", .x = x, .y = a, .n = 81 });
	chart_lines_add(c, &(struct chart_line){ .label = "Fabric, host b", .x = x, .y = (double *)({
		static double v[81]; for (int i = 0; i < 81; i++) v[i] = a[i] * 1.06; v; }), .n = 81,
		.style = CHART_VARIANT });
	chart_lines_add(c, &(struct chart_line){ .label = "Local volume", .x = x, .y = b, .n = 81,
		.style = CHART_REFERENCE });
	doc_add(&doc_figure(d, "fig-latency", c, "Three of four local reads take 12 \u00b5s, the fourth 0.3 ms; of the fabric 99 "
			"of 100 take 0.56 ms.")->note, "Both axes logarithmic. Mean of eight runs each.");
}

void sample_sweep(struct document *d)
{
	static const char *const labels[] = { "4", "8", "16", "32", "64", "128", "256", "512", "1024" };
	static const double raw[] = { 17, 33, 59, 92, 130, 162, 187, 203, 212 };
	struct chart *c = chart_lines_new(&(struct chart_axis){ "block size", "KiB", CHART_LOG2, 0, 0 },
					  &(struct chart_axis){ NULL, "MB/s", CHART_LINEAR, 0, 0 });
	double x[9], file[9], lo[9], hi[9], flo[9], fhi[9];

	for (int i = 0; i < 9; i++) {
		x[i] = 4096.0 * (1 << i);
		file[i] = 217 + 2.5 * sin(i);
		lo[i] = raw[i] * 0.97;
		hi[i] = raw[i] * 1.03;
		flo[i] = file[i] - 4;
		fhi[i] = file[i] + 4;
	}
	chart_lines_add(c, &(struct chart_line){ .label = "Local volume", .sub = "219 MB/s at 1 MiB", .x = x, .y = file,
		.lo = flo, .hi = fhi, .n = 9, .style = CHART_REFERENCE, .marks = true, .x_labels = labels });
	chart_lines_add(c, &(struct chart_line){ .label = "Fabric volume", .sub = "212 MB/s at 1 MiB", .x = x, .y = raw,
		.lo = lo, .hi = hi, .n = 9, .marks = true });
	chart_lines_point(c, x[5], raw[5], "the knee: beyond 128 KiB little is gained");
	chart_lines_under(c, "times slower", x, (const char *const[]){ "12.8x", "6.6x", "3.7x", "2.4x", "1.7x", "1.3x",
		"1.2x", "1.1x", "\u2013" }, 9);
	doc_add(&doc_figure(d, "fig-sweep", c, "The larger the block, the smaller the gap: 12.8x at 4 KiB, no decision at 1 MiB.")->note,
		"Means of eight blocks with 95%% intervals as bands; block size on a logarithmic axis.");
}

void sample_together(struct document *d)
{
	static const char *const alone[] = { "host a 206", "host b 199" };
	static const char *const both[] = { "host a 125", "host b 122" };
	struct chart *c = chart_bars_new("MB/s", 405, "ideal: the sum of each alone, 405 MB/s");

	chart_bars_add(c, &(struct chart_bar){ "Alone", "one after the other", alone, (double[]){ 206, 199 }, 2, NAN, NAN,
		NULL, NULL });
	chart_bars_add(c, &(struct chart_bar){ "Together", "the same 30 s", both, (double[]){ 125, 122 }, 2, 243, 251,
		"247 MB/s: 61.0% of ideal", "95% CI 60.2 to 61.8%" });
	doc_add(&doc_figure(d, "fig-together", c, "Two hosts together read 247 MB/s, a fifth more than one alone.")->note,
		"Reads of 1 MiB, eight blocks. Total over the window common to both.");
}

void sample_slope(struct document *d)
{
	struct chart *c = chart_slope_new("MB/s", "before, firmware 3.1", "after, firmware 3.2");
	static const struct chart_slope_row rows[] = {
		{ "Fabric volume, 64 KiB", 102.7, 151.2, "102.7", "151.2: 1.47x faster", CHART_DECIDED },
		{ "Local volume, 64 KiB", 218.8, 217.9, "218.8", "217.9: within 1.1%", CHART_EQUIVALENT },
		{ "Local volume, 1 MiB", 221.0, 219.5, "221.0", "219.5: inconclusive", CHART_OPEN },
		{ "Fabric volume, 1 MiB", 212.4, 158.3, "212.4", "158.3: 1.34x slower", CHART_DECIDED },
		{ "Backup volume", 262.9, 190.1, "262.9", "190.1: void", CHART_VOID },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		chart_slope_add(c, &rows[i]);
	doc_add(&doc_figure(d, "fig-slope", c, "Firmware 3.2 speeds small reads up and slows large ones down.")->note,
		"Mean of eight blocks each. Heavy: decided; grey: within the margin or open; dashed: void.");
}

void sample_history(struct document *d)
{
	static const char *const weeks[] = { "W31", "W32", "W33", "W34", "W35", "W36", "W37", "W38", "W39", "W40", "W41", "W42" };
	struct chart *c = chart_lines_new(&(struct chart_axis){ "campaign", NULL, CHART_LINEAR, 0, 0 },
					  &(struct chart_axis){ NULL, "MB/s", CHART_LINEAR, 0, 0 });
	double x[12], y[12], lo[12], hi[12];
	uint64_t seed = 5;

	for (int i = 0; i < 12; i++) {
		x[i] = i;
		y[i] = (i < 8 ? 218 : 187) + 5 * sample_noise(&seed);
		lo[i] = y[i] - 4;
		hi[i] = y[i] + 4;
	}
	chart_lines_add(c, &(struct chart_line){ .label = "Fabric volume", .sub = "187 MB/s since W39", .x = x, .y = y,
		.lo = lo, .hi = hi, .n = 12, .marks = true, .x_labels = weeks });
	chart_lines_add(c, &(struct chart_line){ .x = (double[]){ 0, 7 }, .y = (double[]){ 218, 218 }, .n = 2, .fitted = true });
	chart_lines_add(c, &(struct chart_line){ .x = (double[]){ 8, 11 }, .y = (double[]){ 187, 187 }, .n = 2, .fitted = true });
	chart_lines_cut(c, 7.5, "candidate: between W38 and W39, 14% slower");
	doc_add(&doc_figure(d, "fig-history", c, "Reads lost 14%% between week 38 and week 39.")->note,
		"Each campaign's mean with its interval; dashed: the level before and after the candidate.");
}
