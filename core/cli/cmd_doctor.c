/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonx.h"
#include "cli/doctor.h"
#include "cli/opt.h"

static const char *const state_names[] = { "good", "limited", "bad" };

static void answer(struct doctor_answer *a, enum doctor_state state, const char *mend,
		   const char *fmt, va_list ap)
{
	a->state = state;
	buf_vprintf(&a->says, fmt, ap);
	if (mend)
		buf_puts(&a->mend, mend);
}

void doctor_good(struct doctor_answer *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	answer(a, DOCTOR_GOOD, NULL, fmt, ap);
	va_end(ap);
}

void doctor_limited(struct doctor_answer *a, const char *mend, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	answer(a, DOCTOR_LIMITED, mend, fmt, ap);
	va_end(ap);
}

void doctor_bad(struct doctor_answer *a, const char *mend, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	answer(a, DOCTOR_BAD, mend, fmt, ap);
	va_end(ap);
}

/* Where the answers go: lines for people at once, or a JSON array at the end. */
struct sheet {
	json_t *answers; /* NULL: lines */
	enum doctor_state worst;
	int counts[3];
};

static void sheet_add(struct sheet *s, const char *name, const struct doctor_answer *a)
{
	s->counts[a->state]++;
	if (a->state > s->worst)
		s->worst = a->state;
	if (s->answers) {
		json_t *o = json_object();
		jsonx_set_str(o, "probe", name);
		jsonx_set_str(o, "state", state_names[a->state]);
		jsonx_set_str(o, "says", buf_str(&a->says));
		jsonx_set_str(o, "mend", a->mend.len ? buf_str(&a->mend) : NULL);
		json_array_append_new(s->answers, o);
		return;
	}
	printf("%-8s %-15s %s\n", state_names[a->state], name, buf_str(&a->says));
	if (a->mend.len)
		printf("%24s → %s\n", "", buf_str(&a->mend));
}

static void add_answer(void *ctx, const char *name, const struct doctor_answer *a)
{
	sheet_add(ctx, name, a);
}

static void ask_all(struct sheet *s, const struct doctor_probe *p, const char *dir)
{
	for (; p->name; p++) {
		struct doctor_answer a = { .state = DOCTOR_GOOD };
		buf_init(&a.says);
		buf_init(&a.mend);
		p->ask(&a, dir);
		sheet_add(s, p->name, &a);
		buf_release(&a.says);
		buf_release(&a.mend);
	}
}

static void sheet_end(const struct sheet *s)
{
	struct buf b;

	if (!s->answers) {
		printf("\n%d good, %d limited, %d bad: %s\n", s->counts[DOCTOR_GOOD],
		       s->counts[DOCTOR_LIMITED], s->counts[DOCTOR_BAD],
		       s->worst == DOCTOR_BAD ? "mend what is bad before you measure here"
					      : "this machine can measure");
		return;
	}
	buf_init(&b);
	jsonx_write(&b, s->answers, 1);
	printf("%s\n", buf_str(&b));
	buf_release(&b);
}

/* "iowitness doctor /u01" is meant as a folder, not as a host. */
static bool has_folder(char **names, int n)
{
	for (int i = 0; i < n; i++) {
		if (!strchr(names[i], '/') || strstr(names[i], "://"))
			continue;
		fprintf(stderr, "iowitness doctor: %s is no host; for a folder: iowitness doctor --dir %s\n", names[i],
			names[i]);
		return true;
	}
	return false;
}

int cmd_doctor(int argc, char **argv)
{
	const char *dir = ".", *plan = NULL;
	bool json = false, commands = false;
	const struct opt opts[] = {
		{ "dir", 0, OPT_STRING, "DIR", &dir, "the folder where test files would lie (default: this one)" },
		{ "plan", 0, OPT_STRING, "PLAN", &plan, "the nodes are those of this plan, reached as it says" },
		{ "allow-commands", 0, OPT_FLAG, NULL, &commands, "start the launchers that the plan names" },
		{ "json", 0, OPT_FLAG, NULL, &json, "print the answers as JSON" },
		{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
	};
	const struct opt_usage usage = {
		"doctor [NODE…] [OPTION…]",
		"Says what this machine can measure, what stands in the way, and how to mend it; of other nodes "
		"(names in --plan, else hosts for ssh) whether they are reached, version, drivers, clock and "
		"privileges. Exits 2 when something stands in the way. Changes nothing.",
		opts, NULL, 0, -1
	};
	struct iow_error e = { .size = sizeof e };
	struct sheet s = { NULL, DOCTOR_GOOD, { 0, 0, 0 } };
	int status, n = opt_parse(&usage, argc, argv, &status);

	if (n < 0)
		return status;
	if (!plan && has_folder(argv + 1, n))
		return EXIT_USAGE;
	if (json)
		s.answers = json_array();
	if (!n) {
		ask_all(&s, doctor_host, dir);
		ask_all(&s, doctor_folder, dir);
	} else if (doctor_nodes(argv + 1, (size_t)n, plan, commands, add_answer, &s, &e)) {
		fprintf(stderr, "iowitness doctor: %s\n", e.text);
		json_decref(s.answers);
		return EXIT_USAGE;
	}
	sheet_end(&s);
	json_decref(s.answers);
	return s.worst == DOCTOR_BAD ? EXIT_LIMIT : EXIT_OK;
}
