/* SPDX-License-Identifier: Apache-2.0 */
#include "report_sample.h"
#include "report_sample_charts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "reports/chart.h"

static struct document *finish(struct document *d)
{
	struct iow_error e = ERR_INIT;

	if (document_finish(d, &e) < 0) {
		fprintf(stderr, "sample: %s\n", e.text);
		abort();
	}
	return d;
}

static void cover(struct document *d)
{
	document_issuer(d, "Block Storage Group, Sample Institute");
	document_issuer(d, "Hall 4, 99999 Nowhere");
	document_set(&d->subtitle, "For the support desk of Sample Networks, ticket 0042");
	document_set(&d->revision, "revision 1, replaces none");
	document_set(&d->footer, "Results relate only to the items tested.");
	document_set(&d->notice, "SAMPLE: invented data");
	document_set(&d->generator, "iowitness 0.1.0");
	document_set(&d->date, "2026-03-05T10:00:00Z");
	document_fact(d, "Tested", "2026-03-04, 13:10 to 14:02 UTC");
	document_fact(d, "Issued", "2026-03-05");
	document_fact(d, "Plan", "fabric-vs-local, 77ab01c4");
	document_fact(d, "Authorised by", "Head of the group");
}

static void summary(struct document *d)
{
	struct doc_finding *f;

	doc_section(d, "summary", "Summary")->summary = true;
	f = doc_finding(d, DOC_TAG_DECIDED, "SLOWER", "2.13x");
	f->lead = true;
	doc_add(&f->say, "Reads of the fabric volume ran 2.13x slower than of the local volume (95%% CI 2.07 to 2.20, 8 "
			 "blocks, paired): SLOWER, beyond the 5%% margin.");
	doc_add(&f->caveat, "64 KiB, one read at a time, caches dropped before each run. Block 3 is left out, as a path "
			    "failed in it; with it 2.15x, the same verdict.");
	doc_finding_evidence(f, "comparisons", "Evidence");
	f = doc_finding(d, DOC_TAG_FAIL, "CONTRADICTED", "0.469");
	document_set(&f->key_note, "not 0.90");
	doc_add(&f->say, "\u201cThe fabric costs a tenth at most\u201d (vendor): it reached 0.469 of the local volume's "
			 "throughput (95%% CI 0.455 to 0.484, 7 blocks, paired), below the 0.90 claimed: CONTRADICTED.");
	doc_finding_evidence(f, "claims", "Evidence");
	f = doc_finding(d, DOC_TAG_DECIDED, "FASTER", "11.9x");
	doc_add(&f->say, "The second read ran 11.9x faster than the first (95%% CI 11.5 to 12.4, 8 blocks, paired): "
			 "FASTER, beyond the 5%% margin; the device moved 0 of 2147 MB: served from the page cache.");
	doc_finding_evidence(f, "comparisons", "Evidence");
	f = doc_finding(d, DOC_TAG_EQUIVALENT, "EQUIVALENT", "\u2264 1.9%");
	doc_add(&f->say, "Host b differs from host a by at most 1.9%% (95%% upper limit, 8 blocks): EQUIVALENT within "
			 "the 5%% margin.");
	doc_finding_evidence(f, "comparisons", "Evidence");
	sample_forest(d);
	doc_subhead(d, 2, "open", "Not concluded")->plain = true;
	f = doc_finding(d, DOC_TAG_OPEN, "INCONCLUSIVE", "1.04x");
	doc_add(&f->say, "At 1 MiB: 1.04x slower (95%% CI from 1.10x slower to 1.02x faster, 8 blocks, paired): "
			 "INCONCLUSIVE.");
	doc_add(&f->caveat, "Thirteen blocks would decide it, if the ratio seen is the true one.");
	doc_finding_evidence(f, "not-concluded", "Evidence");
	f = doc_finding(d, DOC_TAG_VOID, "VOID", "2.56x");
	doc_add(&f->say, "Against the backup volume: 2.56x slower (95%% CI 2.42 to 2.70, 8 blocks, paired): VOID, because "
			 "the backup volume was still being written by another host.");
	doc_finding_evidence(f, "gates", "Evidence");
}

static void attestation(struct document *d)
{
	struct doc_table *t;
	struct doc_def *def;
	static const char *const drivers[][4] = {
		{ "direct", "1.0.0", "fabric volume, local volume", "sha256 77ab01c4 0e9d1b22 \u2026" },
		{ "posix", "1.0.0", "second read", "sha256 51c0d5aa 93b7e100 \u2026" },
	};

	doc_section(d, "attestation", "Attestation");
	doc_def_code(doc_def(d, "EVIDENCE", ""), "sha256 4be1d0a2 7c9955f0 13a08d61 e2b7c4f8 905a1d3e 66f0b7c2 8d14e95a 0c3b72f1");
	def = doc_def(d, "To verify", "The bundle is tamper-evident; its hash is printed above.");
	doc_def_code(def, "iowitness verify fabric-vs-local.iow\ncd fabric-vs-local.iow && sha256sum -c MANIFEST");
	doc_def_code(doc_def(d, "To repeat", ""), "iowitness run plan.json --set /params/volume=/dev/disk/by-id/wwn-0x5000");
	def = doc_def(d, "Tool", "iowitness 0.1.0; see ");
	doc_ref_page(&def->text, "fig-time");
	doc_add(&def->text, " and ");
	doc_url(&def->text, "https://example.org/iowitness?a=1&b=2", "the tool's page");
	doc_add(&def->text, ".");
	t = doc_table(d, "drivers", "Two drivers did all I/O; their files are sealed with the evidence.");
	t->fit = true;
	doc_column(t, DOC_LEFT, "Driver");
	doc_column(t, DOC_LEFT, "Version");
	doc_column(t, DOC_LEFT, "Used for");
	doc_column(t, DOC_LEFT, "File");
	for (size_t i = 0; i < 2; i++) {
		struct doc_row *r = doc_row(t, 0);
		for (int k = 0; k < 3; k++)
			doc_cell(r, "%s", drivers[i][k]);
		doc_mark(doc_cell(r, ""), DOC_CODE, "%s", drivers[i][3]);
	}
}

static void method(struct document *d)
{
	struct doc_text *p;
	struct doc_list *l;

	doc_section(d, "method", "Method");
	doc_def(d, "Design", "Two tests of eight blocks. Within a block each cell is run once, in a random order drawn "
			     "from the seed 20260304; the run is the unit of replication, and ratios are taken within "
			     "blocks, on logarithms.");
	p = &doc_def(d, "Warm-up", "")->text;
	doc_fill(p, "The first **{cut} s** of each run are cut by *MSER-5*; at most half of a run. See `{key}` in the plan "
		    "and 10^6^ bytes to the MB.", "cut", "2.5", "key", "tests[0].warmup", NULL);
	doc_callout(d, "Not in this version", "Coordinated open-loop arrivals are not part of this version.");
	l = doc_list(d, false);
	doc_item(l, "Caches were dropped before each run, and emptiness was checked.");
	doc_item(l, "Regions are written before the first block, with data that do not compress.");
	doc_para(d, "Nothing else ran on either host: the load average at the start was 0.04 and 0.07, and the device "
		    "counters moved by less than 0.1%% beyond what the runs asked for.");
}

static void gates(struct document *d)
{
	static const char *const rows[][5] = {
		{ "Device bytes against bytes asked", "100.0%", "100.1%", "100.0%", "100.0%" },
		{ "Cache empty after the drop, pages", "n/a", "n/a", "0", "0" },
		{ "Direct I/O in force", "yes", "yes", "yes", "n/a" },
		{ "Foreign load on the device, limit 1%", "37.2%", "0.0%", "0.1%", "0.0%" },
		{ "Slope within a run, limit 5%", "0.4%", "\u22120.2%", "0.0%", "0.3%" },
	};
	static const char *const heads[] = { "Gate", "Backup", "Fabric", "Local", "Second read" };
	struct doc_table *t;
	struct chart *c = chart_steady_new(0.05, "limit \u00b15%");
	const struct chart_steady_row steady[] = {
		{ "Fabric volume", -0.002, -0.008, 0.003, true, "STEADY" },
		{ "Local volume", 0.0, -0.006, 0.006, true, "STEADY" },
		{ "Second read", 0.003, -0.004, 0.01, true, "STEADY" },
		{ "Backup volume", -0.083, -0.097, -0.069, false, "NOT STEADY" },
	};

	doc_section(d, "gates", "Validity gates");
	doc_mark(doc_para(d, "Five gates were put to every cell. One fails: "), DOC_STRONG,
		 "another host wrote to the backup volume.");
	t = doc_table(d, "gate-table", "All gates hold or do not apply, but foreign load on the backup volume.");
	for (int i = 0; i < 5; i++)
		doc_column(t, i ? DOC_RIGHT : DOC_LEFT, heads[i]);
	for (size_t i = 0; i < 5; i++) {
		struct doc_row *r = doc_row(t, i == 3 ? DOC_ROW_STRONG : 0);
		for (int k = 0; k < 5; k++) {
			struct doc_text *x = doc_cell(r, "");
			doc_mark(x, i == 3 && k == 1 ? DOC_FAIL : rows[i][k][0] == 'n' ? DOC_MUTED : 0, "%s%s",
				 i == 3 && k == 1 ? "FAIL " : "", rows[i][k]);
			if (rows[i][k][0] == 'n')
				doc_footnote(t, x, "%s", i == 1 ? "direct I/O has no cache to drop" : "buffered by plan");
		}
	}
	for (size_t i = 0; i < 4; i++)
		chart_steady_add(c, &steady[i]);
	doc_add(&doc_figure(d, "fig-steady", c, "The backup volume slowed by 8.3%% within a run; all others hold level.")->note,
		"Slope times span over mean, pooled over eight runs, 90%% intervals.");
}

static void results_table(struct document *d)
{
	static const struct { const char *cell; double mean, lo, hi, mib, iops, cv; } rows[] = {
		{ "Fabric volume", 102.7, 100.9, 104.5, 97.9, 1567, 1.8 },
		{ "Local volume", 218.8, 216.0, 221.6, 208.7, 3339, 1.4 },
		{ "Backup volume", 262.9, 257.1, 268.7, 250.7, 4012, 2.4 },
		{ "Second read", 2603, 2551, 2655, 2482, 39719, 1.1 },
	};
	struct doc_table *t = doc_table(d, "cells", "The second read alone runs at the speed of memory.");

	doc_column(t, DOC_LEFT, "Cell");
	doc_column(t, DOC_RIGHT, "n");
	doc_column(t, DOC_DECIMAL, "mean")->strong = true;
	doc_column(t, DOC_RIGHT, "95% CI");
	doc_column(t, DOC_DECIMAL, "MiB/s");
	doc_column(t, DOC_RIGHT, "IOPS");
	doc_column(t, DOC_DECIMAL, "CV");
	doc_group(t, "MB/s", 2, 2);
	for (size_t i = 0; i < 4; i++) {
		struct doc_row *r = doc_row(t, i == 2 ? DOC_ROW_MUTED : 0);
		int decimals = rows[i].mean < 1000;
		struct doc_text *x = doc_cell(r, "%s", rows[i].cell);
		if (i == 2)
			doc_mark(x, DOC_SMALL, " foreign load");
		doc_cell(r, "%d", i == 0 ? 7 : 8);
		doc_cell_num(r, rows[i].mean, decimals);
		doc_cell(r, "%.*f to %.*f", decimals, rows[i].lo, decimals, rows[i].hi);
		doc_cell_num(r, rows[i].mib, decimals);
		doc_cell_num(r, rows[i].iops, 0);
		doc_cell(r, "%.1f%%", rows[i].cv);
	}
	doc_add(&t->note, "Retained bytes over retained seconds of each run; mean and t interval over runs. MB = 10");
	doc_mark(&t->note, DOC_SUP, "6");
	doc_add(&t->note, " bytes, MiB = 1 048 576 bytes.");
}

static void comparisons(struct document *d)
{
	struct doc_table *t;
	struct doc_row *r;

	doc_section(d, "comparisons", "Comparisons");
	doc_subhead(d, 2, "declared", "Declared: the questions of the plan");
	t = doc_table(d, "questions", "The questions of the plan and their verdicts.");
	doc_column(t, DOC_LEFT, "Question");
	doc_column(t, DOC_LEFT, "Verdict");
	doc_column(t, DOC_DECIMAL, "Ratio")->strong = true;
	doc_column(t, DOC_UNIT, "");
	doc_column(t, DOC_RIGHT, "95% CI");
	doc_column(t, DOC_RIGHT, "n");
	doc_column(t, DOC_RIGHT, "p (Holm)");
	r = doc_row(t, 0);
	doc_cell(r, "Fabric : local");
	doc_cell_tag(r, DOC_TAG_DECIDED, "SLOWER");
	doc_cell(r, "2.13");
	doc_cell(r, "x slower");
	doc_cell(r, "2.07 to 2.20");
	doc_cell(r, "7");
	doc_cell(r, "<0.0001");
	r = doc_row(t, 0);
	doc_cell(r, "Second read : first read");
	doc_cell_tag(r, DOC_TAG_DECIDED, "FASTER");
	doc_cell(r, "11.9");
	doc_cell(r, "x faster");
	doc_cell(r, "11.5 to 12.4");
	doc_cell(r, "8");
	doc_cell(r, "<0.0001");
	r = doc_row(t, 0);
	doc_cell(r, "Host b : host a");
	doc_cell_tag(r, DOC_TAG_EQUIVALENT, "EQUIVALENT");
	doc_cell(r, "");
	doc_cell(r, "");
	doc_cell(r, "at most 1.9%%");
	doc_cell(r, "8");
	doc_cell(r, "0.37");
	r = doc_row(t, 0);
	doc_cell(r, "Fabric : local, 1 MiB");
	doc_cell_tag(r, DOC_TAG_OPEN, "INCONCLUSIVE");
	doc_cell(r, "1.04");
	doc_cell(r, "x slower");
	doc_cell(r, "1.10 slower to 1.02 faster");
	doc_cell(r, "8");
	doc_cell(r, "0.14");
	r = doc_row(t, DOC_ROW_MUTED);
	doc_cell(r, "Fabric : backup");
	doc_cell_tag(r, DOC_TAG_VOID, "VOID");
	doc_cell(r, "2.56");
	doc_cell(r, "x slower");
	doc_cell(r, "2.42 to 2.70");
	doc_cell(r, "8");
	doc_cell(r, "1");
	doc_add(&t->note, "Paired t on log ratios over blocks. A void question keeps its place with p = 1.");
}

static void claims(struct document *d)
{
	struct doc_finding *f;
	struct doc_text *p;

	doc_section(d, "claims", "Claims and limits checked");
	f = doc_finding(d, DOC_TAG_FAIL, "CONTRADICTED", "0.469");
	document_set(&f->key_note, "not at least 0.900");
	doc_add(&f->say, "The vendor, in ticket 0042: \u201cThe fabric costs a tenth at most.\u201d");
	doc_add(&f->caveat, "The claim names no block size; at 512 KiB the ratio is 0.93.");
	f = doc_finding(d, DOC_TAG_MET, "MET", "0.51");
	document_set(&f->key_note, "ms");
	doc_add(&f->say, "Service contract: median service time of the fabric of at most 1 ms at 64 KiB.");
	doc_section(d, "diagnoses", "Diagnoses");
	doc_fill(doc_para(d, ""), "*Opinion.* What follows interprets the measurements; it is not itself measured.", NULL);
	for (int i = 1; i <= 2; i++) {
		struct doc_def *def = doc_def(d, i == 1 ? "Opinion 1" : "Opinion 2", "");
		def->opinion = def->first = true;
		doc_mark(&def->text, DOC_STRONG, "%s", i == 1 ? "Each fabric read waits for the one before it"
							     : "The second read comes from memory");
		p = &doc_def(d, "Basis", "")->text;
		doc_add(p, "Time per read rises by a constant 0.44 ms at every block size (");
		doc_ref(p, "fig-sweep");
		doc_add(p, ").");
		doc_def(d, "Would confirm", "Reads at depth 4 reach 200 MB/s or more.");
		doc_def(d, "Would refute", "Depth makes no difference.");
	}
	doc_section(d, "not-concluded", "Not concluded");
	doc_para(d, "Whether writes behave alike: the plan holds none.");
	doc_section(d, "history", "Before and after, history");
	sample_slope(d);
	sample_history(d);
}

static void runs(struct document *d, unsigned rows)
{
	static const char *const cells[] = { "Fabric volume", "Local volume", "Backup volume", "Second read" };
	struct doc_table *t;
	uint64_t seed = 3;

	doc_subhead(d, 2, "raw", "B. Raw runs")->plain = true;
	t = doc_table(d, "runs", "Every run in its order.");
	t->fold = true;
	doc_column(t, DOC_RIGHT, "Run");
	doc_column(t, DOC_RIGHT, "Block");
	doc_column(t, DOC_LEFT, "Cell");
	doc_column(t, DOC_LEFT, "Start, UTC");
	doc_column(t, DOC_RIGHT, "Bytes");
	doc_column(t, DOC_DECIMAL, "Seconds");
	doc_column(t, DOC_DECIMAL, "MB/s");
	doc_column(t, DOC_LEFT, "Note");
	for (unsigned i = 0; i < rows; i++) {
		double s = 10 + 4 * sample_noise(&seed);
		struct doc_row *r = doc_row(t, i == 9 ? DOC_ROW_STRUCK : 0);
		doc_cell(r, "%u", i + 1);
		doc_cell(r, "%u", i / 4 + 1);
		doc_cell(r, "%s", cells[i % 4]);
		doc_cell(r, "13:%02u:%02u", 10 + i / 60 % 50, i % 60);
		doc_cell(r, "%.0f", 2147483648.0);
		doc_cell_num(r, s, 3);
		doc_cell_num(r, 2147.483648 / s, 2);
		doc_cell(r, "%s", i == 9 ? "path failed" : "");
	}
	doc_add(&t->note, "Struck out: excluded, see section 3.");
}

static void appendix(struct document *d, unsigned rows)
{
	doc_section(d, "appendices", "Appendices");
	doc_subhead(d, 2, "derivation", "A. How a number comes about")->plain = true;
	doc_para(d, "Run 1, fabric: 2 147 483 648 bytes in 20.913 s = 102.69 MB/s. Run 2, local: 2 147 483 648 bytes in "
		    "9.815 s = 218.80 MB/s. d = ln(102.69 / 218.80) = \u22120.7565.");
	doc_code(d, "{\n  \"iowitness\": 1,\n  \"title\": \"Fabric volume against local volume\"\n}");
	runs(d, rows);
}

struct document *sample_report(void)
{
	struct document *d = document_new("Fabric volume against local volume", "IOW-4be1d0a27c99");

	cover(d);
	summary(d);
	attestation(d);
	method(d);
	gates(d);
	doc_section(d, "results", "Results");
	doc_subhead(d, 2, "scan", "Scan: 64 KiB, one read at a time");
	results_table(d);
	sample_dots(d);
	sample_time_series(d);
	doc_subhead(d, 2, "service", "Service time");
	sample_latency(d);
	doc_subhead(d, 2, "blocks", "Block size");
	sample_sweep(d);
	doc_subhead(d, 2, "together", "Alone, then together");
	sample_together(d);
	comparisons(d);
	claims(d);
	appendix(d, 64);
	document_attach(d, "plan.json", "application/json", "the plan as given", "{ \"iowitness\": 1 }\n", 19);
	document_attach(d, "EVIDENCE", "text/plain", "SHA-256 of the bundle's files", "4be1d0a2  plan.json\n", 20);
	return finish(d);
}

struct document *sample_large(unsigned rows)
{
	struct document *d = document_new("A large bundle", "IOW-000000000000");

	cover(d);
	summary(d);
	doc_section(d, "comparisons", "Comparisons");
	doc_section(d, "claims", "Claims");
	doc_section(d, "gates", "Gates");
	doc_section(d, "not-concluded", "Not concluded");
	appendix(d, rows);
	return finish(d);
}

static void wide(struct document *d)
{
	struct doc_table *t = doc_table(d, "wide", "Thirty columns");

	doc_column(t, DOC_LEFT, "Cell");
	for (int i = 1; i < 30; i++) {
		char head[32];
		snprintf(head, sizeof head, "column %d", i);
		doc_column(t, i % 3 ? DOC_DECIMAL : DOC_RIGHT, head);
	}
	doc_group(t, "a group of four", 9, 4);
	for (int i = 0; i < 4; i++) {
		struct doc_row *r = doc_row(t, 0);
		doc_cell(r, "row %d", i + 1);
		for (int k = 1; k < 30; k++)
			doc_cell_num(r, k * 1000.0 + i, k % 3);
	}
	doc_add(&t->note, "The note stands once, under the last part.");
}

/* A cell and a sentence longer than a page. */
static void tall(struct document *d)
{
	struct doc_table *t = doc_table(d, "tall", "A row taller than a page");
	struct doc_finding *f = doc_finding(d, DOC_TAG_MET, "MET", "1");
	struct doc_row *r;
	struct doc_text *x;

	doc_column(t, DOC_LEFT, "What");
	doc_column(t, DOC_LEFT, "Words");
	r = doc_row(t, 0);
	doc_cell(r, "before");
	doc_cell(r, "short");
	r = doc_row(t, 0);
	doc_cell(r, "long");
	x = doc_cell(r, "first");
	for (int i = 0; i < 2500; i++) {
		doc_add(x, " word%d", i);
		doc_add(&f->say, "word%d ", i);
	}
	doc_add(x, " lastofcell");
	doc_add(&f->say, "lastofsentence");
	r = doc_row(t, 0);
	doc_cell(r, "after");
	doc_cell(r, "short");
}

static void empty_charts(struct document *d, const char *nasty)
{
	doc_figure(d, "none", chart_lines_new(&(struct chart_axis){ 0 }, &(struct chart_axis){ 0 }), "No lines");
	doc_figure(d, "bars", chart_bars_new(NULL, NAN, NULL), "No bars");
	doc_figure(d, "dots", chart_dots_new(NULL, NULL), "No dots");
	doc_figure(d, "steady", chart_steady_new(0, NULL), "No rows");
	doc_figure(d, "slope", chart_slope_new(NULL, NULL, nasty), "No slopes");
}

struct document *sample_hostile(void)
{
	static const char nasty[] = "<script>alert('x')</script> {{{mustache}}} **md** |pipe| `tick` \x1b[31m\x07 "
				    "\u0395\u03bb\u03bb\u03b7\u03bd\u03b9\u03ba\u03ac \u041a\u0438\u0440\u0438\u043b\u043b "
				    "\u65e5\u672c\u8a9e \U0001F600 \u202eevil \xff\xfe Stra\u00dfe &amp; \"q\" \\( \u0627\u0644";
	char word[301];
	struct document *d = document_new(nasty, nasty);
	struct doc_table *t;
	struct doc_finding *f;
	struct doc_text *p;
	struct chart *c = chart_forest_new(0.95, 1.05, nasty, nasty);

	for (int i = 0; i < 300; i++)
		word[i] = (char)('a' + i % 26);
	word[300] = 0;
	document_issuer(d, nasty);
	document_issuer(d, word);
	document_set(&d->subtitle, "%s %s", nasty, word);
	document_set(&d->footer, "%s", nasty);
	document_set(&d->notice, "%s", nasty);
	document_fact(d, nasty, "%s", word);
	document_fact(d, word, "%s", nasty);
	doc_section(d, "a", nasty)->summary = true;
	f = doc_finding(d, DOC_TAG_DECIDED, nasty, word);
	doc_add(&f->say, "%s %s", nasty, word);
	doc_add(&f->caveat, "%s", nasty);
	doc_finding_evidence(f, "t", nasty);
	doc_subhead(d, 2, "s", "%s %s", nasty, word);
	p = doc_para(d, "%s %s ", nasty, word);
	doc_mark(p, DOC_CODE | DOC_STRONG | DOC_EM, "%s", nasty);
	doc_url(p, "javascript:alert(1)", "%s", nasty);
	doc_url(p, "https://example.org/\"><script>", "%s", nasty);
	doc_def_code(doc_def(d, word, "%s", nasty), nasty);
	doc_callout(d, nasty, "%s", word);
	doc_code(d, word);
	t = doc_table(d, "t", "%s %s", nasty, word);
	doc_column(t, DOC_LEFT, nasty);
	doc_column(t, DOC_DECIMAL, nasty);
	doc_column(t, DOC_LEFT, word);
	for (int i = 0; i < 3; i++) {
		struct doc_row *r = doc_row(t, i ? DOC_ROW_STRUCK | DOC_ROW_STRONG : 0);
		doc_cell(r, "%s", i ? word : nasty);
		doc_cell_num(r, i == 1 ? NAN : 1e300, 2);
		doc_cell(r, "%s", nasty);
	}
	doc_footnote(t, &t->caption, "%s", nasty);
	chart_forest_heads(c, nasty, nasty, nasty, nasty);
	chart_forest_add(c, &(struct chart_forest_row){ nasty, NAN, 0, INFINITY, CHART_OPEN, nasty, nasty, 0, 0 });
	chart_forest_add(c, &(struct chart_forest_row){ word, 1e-9, 0, INFINITY, CHART_VOID, word, word, 0, 0 });
	chart_forest_add(c, &(struct chart_forest_row){ "plain", 1.01, 0.99, 1.03, CHART_DECIDED, NULL, NULL, 0, 0 });
	doc_figure(d, "f", c, "%s", nasty);
	wide(d);
	tall(d);
	t = doc_table(d, "empty", "No rows");
	doc_column(t, DOC_LEFT, "Nothing");
	empty_charts(d, nasty);
	document_attach(d, nasty, "text/plain", nasty, "x", 1);
	return finish(d);
}
