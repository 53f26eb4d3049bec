/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void run_view_init(struct run_view *v, bool quiet)
{
	const char *term = getenv("TERM");

	memset(v, 0, sizeof *v);
	v->quiet = quiet;
	v->terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

static int width(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1 : 79;
}

void run_view_close(struct run_view *v)
{
	if (v->open)
		fprintf(stderr, "\r\033[K");
	v->open = false;
	fflush(stderr);
}

static void plain(struct run_view *v, const struct campaign_progress *p)
{
	char line[256];

	if (!progress_due(&v->pace, p))
		return;
	progress_text(p, 200, line, sizeof line);
	fprintf(stderr, "%s\n", line);
}

void run_view_progress(void *ctx, const struct campaign_progress *p)
{
	struct run_view *v = ctx;
	char line[256];

	if (v->quiet)
		return;
	if (!v->terminal) {
		plain(v, p);
		return;
	}
	progress_text(p, width(), line, sizeof line);
	if (v->open && !strcmp(line, v->last))
		return;
	strcpy(v->last, line);
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
	v->open = true;
}

void run_view_say(void *ctx, const char *line)
{
	struct run_view *v = ctx;

	run_view_close(v);
	fprintf(stderr, "iowitness: %s\n", line);
}
