/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a campaign when a node is lost. */
#include "base/err.h"
#include "base/jsonx.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool made_on(const struct campaign *k, size_t prepared, size_t node)
{
	const struct prepared *p = &k->prepared[prepared];

	return p->same && k->c->targets[p->target].node == node;
}

/* Targets may share a test file. */
static bool told_before(const struct campaign *k, size_t prepared, size_t node)
{
	for (size_t i = 0; i < prepared; i++)
		if (made_on(k, i, node) && json_equal(k->prepared[i].same, k->prepared[prepared].same))
			return true;
	return false;
}

/* The test file of a target, where the name still means the file that was made; for files of this machine. */
static const char *still_there(const struct prepared *p)
{
	const char *file = jsonx_str(p->same, "file", "");
	struct stat st;

	if (lstat(file, &st) || (int64_t)st.st_dev != jsonx_int(p->same, "dev", 0) ||
	    (int64_t)st.st_ino != jsonx_int(p->same, "ino", 0))
		return NULL;
	return file;
}

/* At once, as long as nobody can have put another file in its place. */
static json_t *files_left(struct campaign *k, size_t node)
{
	json_t *files = json_array();

	for (size_t i = 0; i < k->n_prepared; i++) {
		const struct prepared *p = &k->prepared[i];
		const char *file = jsonx_str(p->same, "file", "");

		if (!made_on(k, i, node) || told_before(k, i, node))
			continue;
		if (node == 0) {
			file = still_there(p);
			if (file && unlink(file) == 0) {
				campaign_log(k, "the test file %s was removed, since its agent can't", file);
				file = NULL;
			}
		}
		if (file)
			json_array_append_new(files, json_string(file));
	}
	return files;
}

static void note(struct campaign *k, const struct node *n, json_t *files_take)
{
	json_t *list = json_object_get(k->host, "lost");

	if (!list) {
		list = json_array();
		jsonx_set_new(k->host, "lost", list);
	}
	json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "node", n->name, "why", n->why, "files", files_take));
}

void campaign_on_lost(void *ctx, struct node *n)
{
	struct campaign *k = ctx;
	json_t *files = files_left(k, (size_t)(n - k->nodes->v)), *v;
	size_t i;

	k->incomplete = true;
	campaign_log(k, "node %s was lost: %s", n->name, n->why);
	campaign_say(k, "node %s was lost: %s", n->name, n->why);
	json_array_foreach(files, i, v) {
		campaign_log(k, "node %s may still have the test file %s", n->name, json_string_value(v));
		campaign_say(k, "node %s may still have the test file %.400s", n->name, json_string_value(v));
	}
	note(k, n, files);
	if (k->c->stop_when_lost && !k->stopped[0])
		snprintf(k->stopped, sizeof k->stopped, "node %.40s was lost: %.120s", n->name, n->why);
}

void campaign_leftovers(struct campaign *k)
{
	for (size_t i = 0; i < k->n_prepared; i++) {
		const char *file;

		if (!made_on(k, i, 0) || told_before(k, i, 0))
			continue;
		file = still_there(&k->prepared[i]);
		if (file)
			campaign_say(k, "the test file %.400s was not removed", file);
	}
}
