/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/vec.h"
#include "run/driver.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENV "IOWITNESS_PLUGIN_PATH"

static void add_dir(char ***dirs, size_t *n, char *dir_take)
{
	char **slot = VEC_ADD(*dirs, *n);

	*slot = dir_take;
}

/* DIR/plugins when the program lies in DIR and DIR/plugins is there: a build tree. */
static char *build_dir(void)
{
	mem_auto char *program = spawn_self_dir();
	char *dir = program ? mem_printf("%s/plugins", program) : NULL;

	if (dir && access(dir, R_OK | X_OK) == 0)
		return dir;
	free(dir);
	return NULL;
}

char **driver_dirs(void)
{
	char **dirs = NULL, *built = build_dir();
	const char *env = getenv(ENV);
	size_t n = 0;

	while (env && *env) {
		size_t len = strcspn(env, ":");

		if (len)
			add_dir(&dirs, &n, mem_strndup(env, len));
		env += len + (env[len] == ':');
	}
	if (built)
		add_dir(&dirs, &n, built);
	add_dir(&dirs, &n, mem_strdup(IOW_PLUGINDIR));
	add_dir(&dirs, &n, NULL);
	return dirs;
}

void driver_dirs_free(char **dirs)
{
	for (char **d = dirs; d && *d; d++)
		free(*d);
	free(dirs);
}

void driver_path_prepend(const char *path)
{
	const char *old = getenv(ENV);
	mem_auto char *both = old && *old ? mem_printf("%s:%s", path, old) : mem_strdup(path);

	setenv(ENV, both, 1);
}

static bool name_ok(const char *name)
{
	return *name && strlen(name) < 64 &&
	       name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == 0;
}

char *driver_find(const char *name, struct iow_error *e)
{
	struct buf where = BUF_INIT;
	char **dirs;
	char *file = NULL;

	if (!name_ok(name)) {
		err_set(e, 0, "\"%.64s\" is no name of a driver: letters, digits, - and _", name);
		return NULL;
	}
	dirs = driver_dirs();
	for (char **d = dirs; *d && !file; d++) {
		file = mem_printf("%s/%s.so", *d, name);
		if (access(file, F_OK) == 0)
			break;
		free(file);
		file = mem_printf("%s/%s/%s.so", *d, name, name);
		if (access(file, F_OK) == 0)
			break;
		free(file);
		file = NULL;
		buf_printf(&where, "%s%s", where.len ? ", " : "", *d);
	}
	if (!file)
		err_set(e, ENOENT, "no driver \"%s\" in %s", name, buf_str(&where));
	driver_dirs_free(dirs);
	buf_release(&where);
	return file;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "NAME.so" or a directory NAME that holds NAME.so */
static void scan(const char *dir, char ***names, size_t *n)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	while (d && (de = readdir(d))) {
		size_t len = strlen(de->d_name);
		bool so = len > 3 && strcmp(de->d_name + len - 3, ".so") == 0;
		char *name = mem_strndup(de->d_name, so ? len - 3 : len);
		mem_auto char *inner = mem_printf("%s/%s/%s.so", dir, name, name);
		char **slot;

		if (!name_ok(name) || (!so && access(inner, F_OK) != 0)) {
			free(name);
			continue;
		}
		slot = VEC_ADD(*names, *n);
		*slot = name;
	}
	if (d)
		closedir(d);
}

json_t *driver_names(void)
{
	json_t *out = json_array();
	char **dirs = driver_dirs(), **names = NULL;
	size_t n = 0;

	for (char **d = dirs; *d; d++)
		scan(*d, &names, &n);
	if (n)
		qsort(names, n, sizeof *names, by_name);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			json_array_append_new(out, json_string(names[i]));
	}
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	driver_dirs_free(dirs);
	return out;
}
