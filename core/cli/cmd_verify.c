/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "bundle/derived.h"
#include "cli/opt.h"

static const char *allowed_signers;
static bool json;

static const struct opt opts[] = {
	{ "allowed-signers", 0, OPT_STRING, "FILE", &allowed_signers,
	  "the signature must be by a key of this file (see ssh-keygen(1), ALLOWED SIGNERS)" },
	{ "json", 0, OPT_FLAG, NULL, &json, "print the answer as JSON" },
	{ NULL, 0, OPT_FLAG, NULL, NULL, NULL },
};

static const struct opt_usage usage = {
	.synopsis = "verify BUNDLE [OPTION…]",
	.about = "Checks a bundle without the hardware that it was measured on: the format of each file, the SHA-256 of each "
		 "file against EVIDENCE and MANIFEST, that the resolved plan and the seed belong to the plan, and the "
		 "signature when there is one. It finds what was changed after it was sealed; it does not prove who "
		 "measured.",
	.opts = opts,
	.notes = "Exit status: 0 all is as it was sealed; 3 the campaign was cut off, nothing seals the bundle;\n"
		 "5 something was changed, is missing or is not of this format, or the signature does not hold;\n"
		 "1 not a bundle.\n",
	.min = 1,
	.max = 1,
};

struct sheet {
	json_t *problems; /* for --json */
	int n;
};

static void tell(void *ctx, const char *file, const char *what)
{
	struct sheet *s = ctx;

	json_t *o;

	s->n++;
	if (!json) {
		printf("problem  %s: %s\n", file, what);
		return;
	}
	o = json_object();
	jsonx_set_str(o, "file", file);
	jsonx_set_str(o, "what", what);
	json_array_append_new(s->problems, o);
}

/* Returns what to say about the signature (the caller frees it), a problem told. */
static char *check_signature(const char *dir, struct sheet *s)
{
	struct iow_error e = ERR_INIT;
	char *says = NULL;

	if (!allowed_signers && !bundle_signed(dir))
		return mem_strdup("none");
	if (bundle_signature(dir, allowed_signers, &says, &e) != 1) {
		const char *text = strncmp(e.text, "MANIFEST.sig: ", 14) == 0 ? e.text + 14 : e.text;

		tell(s, "MANIFEST.sig", text);
		return mem_strdup("does not hold");
	}
	return says;
}

/* What was loaded of either kind; `b` has no directory for a comparison or a history. */
struct loaded {
	bool is, derived, sealed;
	const char *id, *evidence;
	struct bundle b;
	struct derived d;
};

static void load(struct loaded *l, const char *dir)
{
	struct iow_error e = ERR_INIT; /* a failure was told as a problem */

	memset(l, 0, sizeof *l);
	l->derived = derived_kind_of(dir) != DERIVED_KINDS;
	l->is = (l->derived ? derived_load(&l->d, dir, &e) : bundle_load(&l->b, dir, &e)) == 0;
	l->id = l->derived ? l->d.id : l->b.id;
	l->evidence = l->derived ? l->d.evidence : l->b.evidence;
	l->sealed = l->derived ? l->d.sealed : l->b.sealed;
}

static void unload(struct loaded *l)
{
	if (l->is && l->derived)
		derived_release(&l->d);
	else if (l->is)
		bundle_release(&l->b);
}

static void say(const char *dir, const struct loaded *l, const char *signature, const struct sheet *s)
{
	const struct bundle *b = &l->b;

	if (l->is) {
		printf("id       %s\n", l->id);
		printf("evidence %s%s\n", l->evidence, l->sealed ? "" : " (computed: EVIDENCE is missing)");
	}
	if (l->is && !l->derived)
		printf("runs     %zu, %s%s\n", b->n_runs, b->end_state ? b->end_state : "cut off",
		       b->torn ? "; the last line was torn and is left out" : "");
	printf("signed   %s\n", signature);
	if (s->n)
		printf("%s: %d problem%s\n", dir, s->n, s->n == 1 ? "" : "s");
	else if (l->is && !l->sealed)
		printf("%s: not sealed: %s\n", dir, l->derived ? "EVIDENCE is missing" : "the campaign was cut off");
	else
		printf("%s: as it was sealed\n", dir);
}

static void say_json(const char *dir, const struct loaded *l, const char *signature, const struct sheet *s)
{
	json_t *o = json_object();
	struct buf out = BUF_INIT;

	jsonx_set_str(o, "bundle", dir);
	jsonx_set_str(o, "id", l->is ? l->id : NULL);
	jsonx_set_str(o, "evidence", l->is ? l->evidence : NULL);
	jsonx_set_bool(o, "sealed", l->is && l->sealed);
	jsonx_set_str(o, "end", l->is ? l->b.end_state : NULL);
	jsonx_set_bool(o, "torn", l->is && l->b.torn);
	jsonx_set_str(o, "signature", signature);
	jsonx_set_new(o, "problems", json_incref(s->problems));
	jsonx_write(&out, o, 1);
	puts(buf_str(&out));
	buf_release(&out);
	json_decref(o);
}

int cmd_verify(int argc, char **argv)
{
	struct iow_error e = ERR_INIT;
	struct sheet s = { NULL, 0 };
	struct loaded l;
	char *signature;
	int status = 0;

	if (opt_parse(&usage, argc, argv, &status) < 0)
		return status;
	s.problems = json_array();
	if (bundle_verify(argv[1], tell, &s, &e) < 0) {
		fprintf(stderr, "iowitness verify: %s\n", e.text);
		json_decref(s.problems);
		return EXIT_USAGE;
	}
	signature = check_signature(argv[1], &s);
	load(&l, argv[1]);
	(json ? say_json : say)(argv[1], &l, signature, &s);
	status = s.n ? EXIT_VOID : l.sealed ? EXIT_OK : EXIT_INCOMPLETE;
	unload(&l);
	free(signature);
	json_decref(s.problems);
	return status;
}
