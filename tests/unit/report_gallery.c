/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the invented reports into a directory, to be looked at: report_gallery DIR [ROWS]. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "report_sample.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pdf.h"
#include "reports/text.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_out(const char *dir, const char *name, const char *form, struct buf *b, double since)
{
	mem_auto char *path = mem_printf("%s/%s.%s", dir, name, form);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(b->data, 1, b->len, f) != b->len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
	printf("%s %zu bytes %.3f s\n", path, b->len, now() - since);
	buf_release(b);
}

static void all_forms(const char *dir, const char *name, struct document *d)
{
	const char *src = getenv("IOW_SRC");
	mem_auto char *templates = mem_printf("%s/templates/report", src ? src : ".");
	const char *dirs[] = { templates };
	struct iow_error e = ERR_INIT;
	struct buf b = BUF_INIT;
	double t = now();

	if (html_render(d, &(struct html_options){ dirs, 1 }, &b, &e) < 0) {
		fprintf(stderr, "%s: %s\n", name, e.text);
		exit(1);
	}
	write_out(dir, name, "html", &b, t);
	t = now();
	if (pdf_render(d, &b, &e) < 0) {
		fprintf(stderr, "%s: %s\n", name, e.text);
		exit(1);
	}
	write_out(dir, name, "pdf", &b, t);
	t = now();
	text_render(d, &(struct text_options){ 0 }, &b, &e);
	write_out(dir, name, "txt", &b, t);
	markdown_render(d, &b, &e);
	write_out(dir, name, "md", &b, t);
	document_free(d);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	all_forms(argv[1], "report", sample_report());
	all_forms(argv[1], "hostile", sample_hostile());
	if (argc > 2)
		all_forms(argv[1], "large", sample_large((unsigned)atoi(argv[2])));
	return 0;
}
