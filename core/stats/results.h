/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_STATS_RESULTS_H
#define IOW_STATS_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle/bundle.h"
#include "stats/metric.h"

/* Everything that is computed from a bundle, and nothing that is words: reports turn it into
 * findings and a document. A pure function of the bundle. See METHODS in iowitness(1). */

/* One number with its uncertainty. has_ci false: n = 1, the value only. */
struct estimate {
	uint32_t n;
	bool has_ci;
	double mean, lo, hi;         /* mean ± t(.975, n-1)·s/√n */
	double geo, geo_lo, geo_hi;  /* the same on logs */
	double sd, cv, min, max;
};

enum verdict_kind {
	VERDICT_NONE,         /* exploratory: numbers only */
	VERDICT_INDICATIVE,   /* n < 5: numbers only, no verdict */
	VERDICT_VOID,
	VERDICT_EQUIVALENT,
	VERDICT_BETTER, VERDICT_WORSE, /* words by the metric: FASTER/SLOWER, LOWER/HIGHER, CHEAPER/DEARER */
	VERDICT_INCONCLUSIVE,
	VERDICT_NO_DATA,      /* no complete block */
	VERDICT_SUPPORTED, VERDICT_CONTRADICTED, VERDICT_NOT_DECIDABLE, /* claims */
	VERDICT_MET, VERDICT_NOT_MET, /* limits */
	/* judgements of the other questions */
	VERDICT_CACHED, VERDICT_NOT_CACHED,        /* cache */
	VERDICT_NEGLIGIBLE, VERDICT_MATTERS,       /* sensitivity; else NOT_DECIDABLE */
	VERDICT_STEADY, VERDICT_NOT_STEADY,        /* steady; else NOT_DECIDABLE */
	VERDICT_CPU_BOUND, VERDICT_NOT_CPU_BOUND,  /* cpu, leg 1: "consistent with"; else NOT_DECIDABLE */
	VERDICT_NOT_APPLICABLE
};
const char *verdict_name(enum verdict_kind v); /* "VOID", "EQUIVALENT", "BETTER", … */

/* One attribute in which the two cells of a comparison differ. */
struct difference {
	char *attribute;         /* "target", "direct I/O", "block", "depth", "read-ahead", … */
	char *subject, *against; /* values in words */
	bool named;              /* the one that the question is about */
};

/* A comparison of two cells over complete blocks. R = speed(subject)/speed(against): > 1 is better for
 * the subject whatever the metric's direction. */
struct comparison {
	uint32_t id, question, pair; /* indexes; question's pair */
	uint32_t subject, against;   /* cell ids */
	const struct metric *metric;
	bool declared, paired;       /* unpaired only for imports: "order effects not controlled" */
	uint32_t n;                  /* complete blocks used */
	double *d;                   /* ln R per block, n of them */
	uint32_t *blocks;            /* block numbers, n */
	uint32_t *subject_runs, *against_runs; /* run numbers, n each */
	double subject_mean, against_mean; /* geometric means in the metric's unit */
	double ratio;                /* exp(mean d) */
	double sd_log;               /* s_d */
	double lo, hi;               /* nominal 95% CI of R */
	double decide_level, decide_lo, decide_hi;  /* 1 - .05/m */
	double equiv_level, equiv_lo, equiv_hi;     /* 1 - .10/m */
	double p, holm_p, bh_p;      /* two-sided; Holm over the family, BH over the exploratory ones */
	double margin;
	uint32_t family;             /* m used */
	enum verdict_kind verdict;
	bool material;               /* wholly beyond the margin */
	bool resolved_inside;        /* EQUIVALENT, and the CI excludes 1 */
	bool negligible;             /* every block inside the margin as well */
	uint32_t n_needed;           /* blocks that a new campaign of this spread needs to see one margin with 80% power; 0: not known */
	double gamma, gamma_p;       /* order effect of d; NaN: not estimable */
	bool bimodal;                /* of either arm's runs */
	double unseen_mode;          /* upper bound on the share of an unseen slow mode */
	uint32_t dropped_blocks;     /* blocks with a run missing in either arm */
	int void_gate;               /* index into gates, -1: none */
	bool too_few;                /* a percentile with too few I/Os */
	double aa_floor;             /* |ln| below which no ratio is claimed (A/A caveat); 0: none */
	struct difference *diff; size_t n_diff;
	/* appended */
	bool withheld;               /* a verdict was reached but would favour an arm that itself failed */
	uint32_t subject_failures, against_failures; /* failed, crashed, hung runs of each arm */
	uint32_t replaced_blocks;    /* of the n: appended for a fault from outside */
	uint32_t n_needed_equivalence; /* … to show equivalence if the truth is 1 */
	int64_t cut_ns;              /* warm-up cut that both arms' values had, 0: none or as run */
	bool cut_by_mser;            /* found by MSER-5, else the plan's */
	uint32_t stall_intervals;    /* percentile above the median: fewest intervals of a run that hold what lies beyond it; 0: not known */
	double detectable;           /* effect (ratio - 1) that four of five such campaigns would see, from the sd that the plan states; NaN: none stated */
	bool favoured;               /* the subject is the one that the figures favour (ratio > 1) */
	uint32_t same_as;            /* first comparison of the same cells in the same metric: counted once in m; its own id if none */
};

enum gate_kind {
	GATE_COLD, GATE_DIRECT, GATE_WRITTEN, GATE_WORKERS, GATE_CLOCK, GATE_VERIFY, GATE_FOREIGN,
	GATE_CEILING, GATE_WINDOW, GATE_AA, /* VOID */
	GATE_DEVICE, GATE_DURABILITY, GATE_STEADY, GATE_ORDER, GATE_BIMODAL, GATE_SKEW, GATE_IMPLAUSIBLE, /* CAVEAT */
	GATES
};
const char *gate_name(enum gate_kind g);  /* "cold", "direct in force", … */
/* By key or name, '-', '_' and ' ' alike; -1: unknown. */
int gate_find(const char *name);
bool gate_voids(enum gate_kind g);        /* else a caveat */

enum gate_state { GATE_HOLDS, GATE_FAILS, GATE_NOT_APPLICABLE, GATE_NOT_VERIFIABLE };

/* One gate on one cell (or, cell UINT32_MAX, on one test). `number` is the worst over its runs. */
struct gate {
	enum gate_kind kind;
	enum gate_state state;
	uint32_t cell, test;
	double number, threshold; /* NaN: none */
	char *unit;               /* "share", "ns", "blocks", "1" */
	char *basis;              /* what was read, in words: "cachestat, 0 of 2048 pages resident" */
	char *reason;             /* why not applicable or what failed */
	bool waived;
	uint32_t *runs; size_t n_runs; /* run numbers of those that failed it */
	const struct metric *metric;   /* A/A, order: the metric it was judged on; NULL: all */
	double lo, hi;                 /* A/A: interval of the ratio; NaN: none */
};

/* Patterns within the runs of a cell, from their samples; of a cell with very many runs some are
 * looked at, spread over all blocks. A pattern is the cell's where more than half of its runs agree. */
struct cell_stall {          /* periodic stalls, runs of 30 s or more */
	uint32_t n, found;       /* runs looked at; that have stalls of the cell's period */
	uint32_t events;         /* stalls in these */
	double period_ns, length_ns, lost; /* medians over them; share of the work */
};
struct cell_cliff {          /* a fall for good, runs that write for 10 s or more */
	uint32_t n, found;
	double at_bytes, at_ns;  /* from the start of the run, medians */
	double before, after;    /* B/s */
};
struct cell_peaks {          /* separated modes of the main op's latency */
	uint32_t n, found;
	double fast_ns, slow_ns, slow_share; /* medians over these runs */
};

struct cell_result {
	uint32_t cell;
	uint32_t *runs; size_t n_runs;   /* indexes into bundle.runs of the ok ones, in block order */
	uint32_t status[RUN_STATUSES];   /* counts */
	struct estimate throughput, iops;      /* B/s, 1/s */
	struct estimate mean, p50, p95, p99, p999, max; /* service time of the cell's main op, ns */
	bool few50, few95, few99, few999;
	struct estimate cpu_per_gib;     /* ns of processor per GiB */
	double device_ratio;             /* device bytes / asked, mean; NaN unknown */
	uint64_t asked_bytes, device_bytes; /* sums over the ok runs */
	/* appended */
	const struct metric *main;       /* "throughput" unless nothing moves bytes */
	struct estimate p90, p9999;
	bool few90, few9999;
	struct estimate busy_share;      /* (CPU + run-queue wait) / wall of the busiest I/O thread */
	double wait_share;               /* run-queue wait / wall of it, mean; NaN unknown */
	bool bimodal;                    /* of ln throughput over runs; the two groups below */
	double gap, gap_threshold;       /* largest inner gap / range; NaN: n < 5 */
	double mode_lo, mode_hi;         /* geometric means of the two groups, metric's unit */
	uint32_t n_lo, n_hi;
	double trend, trend_p;           /* slope of ln throughput a block and its p; NaN: not estimable */
	int64_t cut_ns; bool cut_by_mser;
	/* steadiness within runs, from intervals; n_steady 0: not judged */
	uint32_t n_steady;
	double steady, steady_lo90, steady_hi90, steady_lo95, steady_hi95; /* e = slope·span/mean */
	enum verdict_kind steadiness;    /* STEADY, NOT_STEADY, NOT_DECIDABLE, NOT_APPLICABLE */
	bool snia; double snia_range, snia_excursion; /* beside it: window rule, over blocks */
	uint32_t few_ios_runs;           /* of p99: runs with too few I/Os */
	double gap_sure;                 /* threshold of the gap at the level that all judged cells share; NaN: not judged */
	struct cell_stall stall;
	struct cell_cliff cliff;
	struct cell_peaks peaks;
	double spread;                   /* of the rate within runs: (p95 - p5) / median of 100 bins, median over runs; NaN */
	double device_ops;               /* device operations / I/O, least over runs; NaN unknown */
	double machine_busy;             /* processors that the whole machine kept busy in the runs, mean; NaN unknown */
	double instrument;               /* standard uncertainty of throughput by the clock, as a share; NaN unknown */
	double combined_lo, combined_hi; /* throughput, 95%: spread over runs and clock combined (GUM); NaN: n < 2 */
};

/* One cell in a judgement (limit, steady, cpu). */
struct judged_cell {
	uint32_t cell, n;
	double value, lo, hi;      /* in the metric; steady: e; cpu: share (lo is the lower limit) */
	double p;                  /* of the limit's bound, one cell; NaN: none */
	double trend_p;            /* limit: of a trend over blocks */
	enum verdict_kind verdict;
	int void_gate;
	/* appended; cpu */
	enum verdict_kind leg1, leg2; /* by the busiest thread's share; by the capacity that a variant cuts */
	uint32_t cut_cell, n_cut;  /* the same cell under that variant, UINT32_MAX: none; complete blocks */
	double capacity;           /* that the variant leaves */
	double elasticity, elasticity_lo, elasticity_hi; /* ln(rate cut / rate full) / ln capacity, 95% */
};

enum cache_evidence { EVIDENCE_NONE, EVIDENCE_HOST_CACHE, EVIDENCE_ARRAY_CACHE };

/* Scaling of one step: E = X_together / sum of X_alone per block, rates over the common window. */
struct scaling {
	uint32_t question;
	uint32_t members, n;       /* cells that ran together; complete blocks */
	double efficiency, lo, hi; /* exp of mean ln E and its 95% CI; NaN: none */
	double decide_lo, decide_hi;
	double together, alone;    /* geometric means of the two sums, metric's unit */
	double jain, share_min, share_max; /* over members, of the mean rates together */
	enum verdict_kind verdict; /* WORSE: E < 1 decided; EQUIVALENT within margin; … */
	int void_gate;
};

/* Universal scalability law over load levels of one swept dimension. */
struct usl_result {
	uint32_t question, levels;
	char *dim;
	double sigma, kappa, lambda, peak; /* peak load; NaN: none */
	double *load, *rate;       /* levels of each, geometric means */
	double rms;                        /* of the residuals of ln rate */
};

/* Levels of one swept dimension, all else equal: where more of it gains nothing. */
struct plateau_result {
	uint32_t test, n;          /* complete blocks */
	char *dim;
	uint32_t *cells; size_t n_cells; /* levels, rising */
	bool flat;                 /* all levels are near the best; else there is a knee */
	uint32_t knee;             /* index into cells; flat: 0 */
	double gained;             /* rate at the knee / at the first level */
	double height, bound;      /* rate from the knee on; the best is at most `bound` times any of these */
	double margin;
};

/* A swept dimension of a test's cells; borrowed from them. */
struct test_dim {
	const char *dim, *text;    /* its value in the first cell that has it */
	bool differs;              /* in another */
};

/* All cells of a test over its blocks: mean of ln throughput, each cell less its own mean. */
struct test_result {
	uint32_t test, n;          /* blocks */
	double trend, trend_p;     /* slope a block, p; NaN: not estimable */
	double change;             /* from the first block to the last along that line, as a share */
	double smallest;           /* difference, as a share, that the planned blocks show with 80% power at
	                            * .05/m, from the test's stated or pilot's sd; NaN: there is none */
	uint32_t workload;         /* of its first cell */
	bool workloads_differ;     /* another cell has another */
	struct test_dim *dims; size_t n_dims;
};

/* Does what a claim says follow from the figures it quotes? Apart from the verdict, whatever was measured. */
enum arithmetic { ARITHMETIC_INCONSISTENT, ARITHMETIC_CONSISTENT, ARITHMETIC_DEPENDS /* on the reading of x% slower */ };
const char *arithmetic_name(enum arithmetic a); /* "inconsistent", … */

struct quote_result {
	const struct plan_quote *quote; /* borrowed */
	enum arithmetic state;
	bool two_readings;         /* "x% slower", "x% faster" */
	double lo, hi;             /* what follows from the figures as rounded; two readings: the ratio of speeds */
	double stated_lo, stated_hi;
	double time_lo, time_hi, stated_time_lo, stated_time_hi; /* the ratio of times; NaN: one reading */
};

/* A claim or limit judged over its cells. */
struct judgement {
	uint32_t question;
	enum verdict_kind verdict;
	uint32_t *comparisons; size_t n_comparisons; /* that it rests on */
	double value, lo, hi;      /* in the claim's region scale (R, or the metric of a limit) */
	enum verdict_kind by_time, by_speed; /* the two readings of "x% slower" */
	bool depends_on_reading;
	int void_gate;
	/* appended */
	struct judged_cell *cells; size_t n_cells; /* limit, steady, cpu */
	double at_least, at_most;  /* the region; NaN: open */
	double level;              /* of lo..hi */
	enum cache_evidence evidence;
	double device_share;       /* cache: device bytes / asked in the second pass; NaN unknown */
	double worst;              /* sensitivity: largest bound on |ln R| over pairs; cpu: least lower limit */
	char *why;                 /* short reason when not decided or void: "trend over blocks"; NULL: none */
	bool declared;
	double by_time_least, by_time_most; /* the region of R when "x% slower" is read as time; NaN: open, or one reading */
	struct quote_result *quotes; size_t n_quotes;
};

/* What a run's throughput and I/O rate are made of after the warm-up cut. ns 0: of the whole run. */
struct retained {
	uint64_t bytes, ios;
	int64_t ns;
};

struct results {
	const struct bundle *bundle; /* borrowed */
	struct cell_result *cells; size_t n_cells;          /* by cell id */
	struct comparison *comparisons; size_t n_comparisons;
	struct gate *gates; size_t n_gates;  /* by kind, then by cell or test */
	struct judgement *judgements; size_t n_judgements;
	uint32_t planned_runs, done_runs;  /* schedule; ok ones */
	bool incomplete;                   /* any run missing */
	/* appended */
	struct scaling *scalings; size_t n_scalings;
	struct usl_result *usls; size_t n_usls;
	struct retained *retained;         /* by index into bundle.runs; NULL: nothing was cut */
	uint32_t family;                   /* m used */
	uint32_t n_void, n_failed_runs;    /* declared comparisons that are void; runs failed, crashed or hung */
	struct plateau_result *plateaus; size_t n_plateaus;
	struct test_result *tests; size_t n_tests; /* by test */
	size_t first_gate[GATES + 1];      /* gates of kind k: gates[first_gate[k]] … gates[first_gate[k + 1] - 1] */
};

int results_build(struct results *r, const struct bundle *b, struct iow_error *e);
void results_release(struct results *r);
/* Value of a run (an index into bundle.runs) as cells and comparisons use it: throughput and I/O rate
 * after the cut, where there is one. NaN as metric_value. */
double results_value(const struct results *r, const struct metric *m, uint32_t run);
/* Bytes, I/Os and time that these rest on: those of the whole run where nothing was cut. */
struct retained results_retained(const struct results *r, uint32_t run);
/* The gate of this kind on a cell; NULL for a kind that is on whole tests. */
const struct gate *results_gate(const struct results *r, enum gate_kind kind, uint32_t cell);
/* Does a failed VOID gate that is not waived cover this cell, alone or with its whole test? */
bool results_is_void(const struct results *r, uint32_t cell);

#endif
