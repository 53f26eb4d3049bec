/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_DOCUMENT_H
#define IOW_REPORTS_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <iowitness/driver.h>

/* The document model: what a report says, in blocks, without how it looks. It is built with the
 * functions below, closed with document_finish() and given to a renderer (html.h, pdf.h, text.h,
 * markdown.h), which sees nothing else.
 *
 * Text. Whatever comes in through a format or a string is literal: nothing in it is ever read as
 * markup, in no renderer. It is cleaned once on its way in: invalid UTF-8 becomes U+FFFD; control
 * characters, invisible and direction-changing characters are shown as "[U+001B]"; a tab or a line
 * end becomes a space (except in a code block). Only doc_fill() reads marks, and only those of its
 * template, never those of the values.
 *
 * Ownership. The document owns everything in it; each function copies its strings. The pointers that
 * builders return are borrowed and stay valid until document_free(), but doc_column's and doc_item's
 * only until the next one. Builders do not fail; mistakes (an anchor twice, a reference to none) are
 * found by document_finish().
 *
 * Example:
 *	struct document *d = document_new("Shared raw reads against filesystem reads", "IOW-3f2a…");
 *	doc_section(d, "summary", "Summary");
 *	struct doc_finding *f = doc_finding(d, DOC_TAG_DECIDED, "SLOWER", "2.33x");
 *	doc_add(&f->say, "Shared raw reads ran 2.33x slower than %s …", name);
 *	doc_finding_evidence(f, "q1", "Evidence");
 *	struct doc_table *t = doc_table(d, "cells", "Throughput of each cell");
 *	doc_column(t, DOC_LEFT, "Cell"); doc_column(t, DOC_DECIMAL, "MB/s");
 *	struct doc_row *r = doc_row(t, 0);
 *	doc_cell(r, "%s", cell); doc_cell_num(r, 94.1, 1);
 */

struct chart; /* reports/chart.h */

/* ---- inline text: a list of runs ---- */

enum doc_mark { /* bits */
	DOC_STRONG = 1,
	DOC_EM = 2,
	DOC_CODE = 4,
	DOC_SUP = 8,    /* raised: footnote letters, exponents */
	DOC_SMALL = 16, /* smaller, in second ink: an addition to what stands before it */
	DOC_MUTED = 32, /* second ink */
	DOC_FAIL = 64,  /* inverted ink: a failed gate's number */
	DOC_STRUCK = 128, /* struck out: excluded */
	DOC_WARN = 256   /* framed: a gate's number that gives a caveat */
};

enum doc_run_kind {
	DOC_RUN_TEXT,
	DOC_RUN_LINK, /* text that leads to an anchor of this document */
	DOC_RUN_REF,  /* the same with its text made by document_finish(): "Table 9", "Figure 2", "section 9.2" */
	DOC_RUN_URL   /* text that leads to an http(s) or mailto address; any other scheme stays plain text */
};

struct doc_run {
	enum doc_run_kind kind;
	unsigned marks;
	bool page;    /* in print, ", page N" follows (links and references only) */
	char *text;   /* clean UTF-8 */
	char *target; /* anchor or address; NULL for plain text */
};

struct doc_text {
	struct doc_run *runs;
	size_t n;
};

/* Append to a text. `t` is a paragraph, a cell, a finding's sentence … */
void doc_add(struct doc_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_mark(struct doc_text *t, unsigned marks, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doc_link(struct doc_text *t, const char *anchor, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doc_ref(struct doc_text *t, const char *anchor);
void doc_ref_page(struct doc_text *t, const char *anchor); /* with the page number in print */
void doc_url(struct doc_text *t, const char *url, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Appends a template whose marks are read: **strong**, *emphasis*, `code`, ^raised^, [words](#anchor),
 * [words](https://…), [](#anchor) for an automatic reference, backslash before a mark for the mark itself. {name} inserts the
 * value of that name, literally. Pairs of name and value follow, then NULL; a name without a value is
 * shown as it stands. */
void doc_fill(struct doc_text *t, const char *tmpl, ... /* const char *name, const char *value, …, NULL */)
	__attribute__((sentinel));

/* Appends all of `src`. */
void doc_text_copy(struct doc_text *t, const struct doc_text *src);
/* The plain words, without marks; the caller owns the string. */
char *doc_text_plain(const struct doc_text *t);
/* Cleans one string as described above; `keep_lines` keeps line ends and expands tabs. The caller owns it. */
char *doc_clean(const char *s, bool keep_lines);
void doc_text_release(struct doc_text *t);

/* ---- blocks ---- */

enum doc_kind {
	DOC_B_SECTION,   /* numbered, in the contents */
	DOC_B_SUBHEAD,   /* level 2 numbered "9.1" unless `plain`; level 3 never numbered */
	DOC_B_PARA,
	DOC_B_NOTE,      /* small print in second ink over the whole column */
	DOC_B_DEF,       /* label and text side by side */
	DOC_B_FINDING,   /* consecutive ones form one list */
	DOC_B_TABLE,
	DOC_B_FIGURE,
	DOC_B_CALLOUT,
	DOC_B_LIST,
	DOC_B_CODE
};

/* What a tag looks like; the word in it is given beside it. */
enum doc_tag {
	DOC_TAG_NONE,
	DOC_TAG_DECIDED,    /* SLOWER, FASTER: accent, filled */
	DOC_TAG_EQUIVALENT, /* accent outline */
	DOC_TAG_OPEN,       /* INCONCLUSIVE, NOT DECIDABLE: dashed outline */
	DOC_TAG_VOID,       /* outline, hatched end; sentence in second ink */
	DOC_TAG_FAIL,       /* CONTRADICTED, gate FAIL, REGRESSION: inverted ink */
	DOC_TAG_MET         /* SUPPORTED, MET: ink outline */
};

enum doc_align {
	DOC_LEFT,
	DOC_RIGHT,
	DOC_CENTER,
	DOC_DECIMAL, /* right-aligned, points under each other */
	DOC_UNIT     /* narrow, second ink, close to the number before it ("x slower") */
};

struct doc_section {
	char *title;
	bool summary;     /* in print on a page of its own, set a little tighter */
	unsigned number;  /* by document_finish() */
};

struct doc_subhead {
	int level;        /* 2 or 3 */
	bool plain;       /* level 2 without a number ("Not concluded", "A. …") */
	char *title;
	unsigned section, number;
};

struct doc_def {
	char *label;
	bool opinion;     /* label in italics: a diagnosis */
	bool first;       /* begins a group: space above */
	struct doc_text text;
	char *code;       /* or NULL: a block of commands below the text, lines kept */
};

struct doc_finding {
	enum doc_tag tag;
	char *word;       /* in the tag; NULL: no tag */
	char *key;        /* the number that matters: "2.33x" */
	char *key_note;   /* beside it, small: "not 0.90"; or NULL */
	bool lead;        /* the most important one: large */
	struct doc_text say, caveat;
	char *evidence, *evidence_word; /* anchor and what to call it; printed as "→ Evidence 10.1, page 10" */
};

struct doc_column {
	enum doc_align align;
	char *head;       /* may hold one line end: two lines */
	bool strong;      /* bold body cells */
	bool nowrap;
};

enum doc_row_style { /* bits */
	DOC_ROW_STRONG = 1,
	DOC_ROW_MUTED = 2,
	DOC_ROW_STRUCK = 4,
	DOC_ROW_GROUP = 8 /* a heading inside the body; its first cell spans all columns */
};

struct doc_cell {
	struct doc_text text;
	enum doc_tag tag; /* then the text is the tag's word */
	unsigned span;    /* columns, at least 1 */
};

struct doc_row {
	unsigned style;
	struct doc_cell *cells;
	size_t n_cells, cap; /* cap: the table's columns when the row was made */
};

struct doc_group { /* a head over several columns */
	char *head;
	size_t first, count;
};

struct doc_table {
	struct doc_text caption;
	struct doc_column *columns;
	size_t n_columns;
	struct doc_group *groups;
	size_t n_groups;
	struct doc_row **rows;
	size_t n_rows;
	struct doc_text note;
	char **footnotes; /* lettered a, b, c … */
	size_t n_footnotes;
	bool fold;        /* raw data: folded in HTML, in full in print, a line in text and Markdown when it is long */
	bool dense;       /* many narrow columns: smaller type and gaps */
	bool fit;         /* as wide as its columns need, not the whole column */
	unsigned number;  /* by document_finish() */
};

struct doc_figure {
	struct doc_text caption, note;
	struct chart *chart; /* owned */
	char *alt;           /* what the figure shows, in words, for those who cannot see it */
	unsigned number;
};

struct doc_list {
	bool ordered;
	struct doc_text *items;
	size_t n;
};

struct doc_callout {
	char *label;      /* "Caveat", "Not in this version" */
	struct doc_text text;
};

struct doc_block {
	enum doc_kind kind;
	char *anchor;     /* [a-z0-9.-]+ or NULL; the same from run to run */
	union {
		struct doc_section section;
		struct doc_subhead subhead;
		struct doc_text para; /* PARA, NOTE */
		struct doc_def def;
		struct doc_finding finding;
		struct doc_table table;
		struct doc_figure figure;
		struct doc_callout callout;
		struct doc_list list;
		char *code;
	};
};

/* ---- the document ---- */

enum doc_paper { DOC_A4, DOC_LETTER };

/* Fixed words that the renderers add. English by default; document_word() sets another language's. */
enum doc_word {
	DOC_W_CONTENTS, DOC_W_COVER, DOC_W_TABLE, DOC_W_FIGURE, DOC_W_SECTION, DOC_W_PAGE, DOC_W_OF,
	DOC_W_CAVEAT, DOC_W_REPORT, DOC_W_CONTINUED, DOC_W_END, DOC_W_SKIP, DOC_W_ROWS, DOC_W_ATTACHED,
	DOC_W_LEFT_OUT, DOC_W_NOT_SHOWN,
	DOC_W_MAX
};

struct doc_fact { char *label, *value; bool code; };
struct doc_attachment { char *name, *mime, *about; char *data; size_t len; };

struct document {
	/* metadata: strings owned, cleaned; set through the functions below */
	char *title, *report_id;
	char *subtitle;            /* "For the vendor's support centre, case SR 3-123" */
	char *revision;            /* "revision 1, replaces none" */
	char *notice;              /* framed on the cover: "SPECIMEN: invented data"; or NULL */
	char *footer;              /* on every page: "Results relate only to the items tested." */
	char *language;            /* BCP 47: "en", "de" */
	char *generator;           /* "iowitness 0.1.0" */
	char *date;                /* of issue, "2026-11-18T08:40:00Z", for the PDF's metadata; or NULL */
	char **issuer; size_t n_issuer; /* first the name, then address lines */
	struct doc_fact *facts; size_t n_facts;
	struct doc_attachment *attachments; size_t n_attachments;
	char *logo; size_t logo_len; /* bytes of a PNG or JPEG file; NULL: none */
	char *logo_alt;
	char *accent;              /* "#0b4f86" form; NULL: the default */
	enum doc_paper paper;
	unsigned first_section;    /* number of the first section; 2, as the cover is 1 */
	char *words[DOC_W_MAX];

	struct doc_block **blocks;
	size_t n_blocks;
	bool finished;
	struct doc_index *index;   /* anchors, sorted; by document_finish() */
};

struct document *document_new(const char *title, const char *report_id);
void document_free(struct document *d);
/* Replaces one of the metadata strings: document_set(&d->subtitle, "…"). NULL removes it. */
void document_set(char **field, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void document_issuer(struct document *d, const char *line);
void document_fact(struct document *d, const char *label, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void document_word(struct document *d, enum doc_word w, const char *text);
/* `name` as pdfdetach shows it, `mime` "application/json", `about` a few words. Data is copied. */
void document_attach(struct document *d, const char *name, const char *mime, const char *about,
		     const void *data, size_t len);
void document_logo(struct document *d, const void *data, size_t len, const char *alt);
/* Numbers sections, tables and figures, resolves references. Errors: an anchor used twice, a
 * reference or evidence that leads nowhere, a row with more cells than columns. */
int document_finish(struct document *d, struct iow_error *e);
/* After finish: the block of an anchor or NULL; its name in words ("Table 9"; a section's "section
 * 9.2"), and its bare number ("9", "9.2", "" if it has none), both owned by the caller. */
const struct doc_block *document_find(const struct document *d, const char *anchor);
/* After finish: the index of the block of an anchor, n_blocks where there is none. */
size_t document_place(const struct document *d, const char *anchor);
char *document_label(const struct document *d, const struct doc_block *b);
char *document_number(const struct doc_block *b);
/* What a finding's link says: "Evidence 10.1", "Table 14"; NULL without evidence. Owned by the caller. */
char *document_evidence(const struct document *d, const struct doc_finding *f);
/* Anchors are folded to [a-z0-9.-], the same way where they are set and where they are used. */
char *document_anchor(const char *s);

/* Blocks, appended in order. `anchor` may be NULL where nothing refers to it. */
struct doc_section *doc_section(struct document *d, const char *anchor, const char *title);
struct doc_subhead *doc_subhead(struct document *d, int level, const char *anchor, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
struct doc_text *doc_para(struct document *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct doc_text *doc_note(struct document *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct doc_def *doc_def(struct document *d, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets a definition's commands or hashes, lines kept. */
void doc_def_code(struct doc_def *def, const char *lines);
struct doc_finding *doc_finding(struct document *d, enum doc_tag tag, const char *word, const char *key);
void doc_finding_evidence(struct doc_finding *f, const char *anchor, const char *word);
struct doc_callout *doc_callout(struct document *d, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct doc_list *doc_list(struct document *d, bool ordered);
struct doc_text *doc_item(struct doc_list *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_code(struct document *d, const char *lines);
/* Moving blocks about (a site's layout): appends one, taken; frees one that is in no document. */
void document_add_block(struct document *d, struct doc_block *b_take);
void document_free_block(struct doc_block *b);
/* Gives the block just appended an anchor (findings, definitions, paragraphs). */
void doc_anchor(struct document *d, const char *anchor);

/* Tables: first all columns, then the rows. The caption states the finding. */
struct doc_table *doc_table(struct document *d, const char *anchor, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct doc_column *doc_column(struct doc_table *t, enum doc_align align, const char *head);
void doc_group(struct doc_table *t, const char *head, size_t first, size_t count);
struct doc_row *doc_row(struct doc_table *t, unsigned style);
struct doc_text *doc_cell(struct doc_row *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_cell_num(struct doc_row *r, double x, int decimals); /* num_fixed */
void doc_cell_tag(struct doc_row *r, enum doc_tag tag, const char *word);
/* The last cell of the row spans `span` columns. */
void doc_span(struct doc_row *r, unsigned span);
/* Puts a raised letter after `at` and the text under the table; the same text keeps its letter. */
void doc_footnote(struct doc_table *t, struct doc_text *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A figure takes the chart. */
struct doc_figure *doc_figure(struct document *d, const char *anchor, struct chart *chart_take, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Does the alternative say more than the caption, so that a form without pictures should print it? */
bool doc_figure_alt_adds(const struct doc_figure *f);
void doc_figure_alt(struct doc_figure *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
