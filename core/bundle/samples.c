/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/jsonx.h"
#include "bundle/format.h"
#include "bundle/run.h"

#include <errno.h>
#include <string.h>

static bool one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static int known_members(const json_t *o, const char *what, const char *const *names, struct iow_error *e)
{
	const char *name;
	json_t *v;

	if (!json_is_object(o))
		return err_set(e, EINVAL, "samples: \"%s\" must be an object", what);
	json_object_foreach((json_t *)(uintptr_t)o, name, v) {
		if (!one_of(name, names))
			return err_set(e, EINVAL, "samples: \"%s\" has the unknown member \"%s\"", what, name);
	}
	return 0;
}

/* An array of n integers that are not below `least`. */
static int integers(const json_t *a, size_t n, int64_t least, const char *what, struct iow_error *e)
{
	size_t i;
	json_t *v;

	if (!json_is_array(a) || json_array_size(a) != n)
		return err_set(e, EINVAL, "samples: \"%s\" must be an array of %zu", what, n);
	json_array_foreach((json_t *)(uintptr_t)a, i, v) {
		if (!json_is_integer(v) || json_integer_value(v) < least)
			return err_set(e, EINVAL, "samples: \"%s\" must hold integers of %lld or more", what, (long long)least);
	}
	return 0;
}

static int intervals_check(const json_t *o, struct iow_error *e)
{
	static const char *const names[] = { "start_ns", "width_ns", "bytes", "ios", "errors", "min_ns", "max_ns", NULL };
	size_t n = json_array_size(json_object_get(o, "bytes"));

	if (known_members(o, "intervals", names, e))
		return -1;
	if (n > SAMPLES_INTERVALS)
		return err_set(e, EINVAL, "samples: %zu intervals; at most %d are allowed", n, SAMPLES_INTERVALS);
	if (!json_is_integer(json_object_get(o, "start_ns")) || jsonx_int(o, "width_ns", 0) <= 0)
		return err_set(e, EINVAL, "samples: \"intervals\" must have start_ns and a width_ns above 0");
	for (size_t i = 2; names[i]; i++)
		if (integers(json_object_get(o, names[i]), n, strchr(names[i], '_') ? -1 : 0, names[i], e))
			return -1;
	return 0;
}

static int histogram_check(const json_t *o, const char *cls, struct iow_error *e)
{
	static const char *const names[] = { "index", "count", NULL };
	const json_t *index = json_object_get(o, "index");
	size_t n = json_array_size(index);

	if (known_members(o, cls, names, e) || integers(index, n, 0, "index", e) ||
	    integers(json_object_get(o, "count"), n, 1, "count", e))
		return -1;
	for (size_t i = 1; i < n; i++)
		if (json_integer_value(json_array_get(index, i)) <= json_integer_value(json_array_get(index, i - 1)))
			return err_set(e, EINVAL, "samples: \"index\" of \"%s\" must rise", cls);
	return 0;
}

static int histograms_check(json_t *o, struct iow_error *e)
{
	const char *name;
	json_t *v;

	if (!json_is_object(o))
		return err_set(e, EINVAL, "samples: \"hist\" must be an object");
	json_object_foreach(o, name, v) {
		int c = 0;

		while (c < LAT_CLASSES && strcmp(latency_class_name((enum latency_class)c), name) != 0)
			c++;
		if (c == LAT_CLASSES)
			return err_set(e, EINVAL, "samples: \"hist\" has the unknown class \"%s\"", name);
		if (histogram_check(v, name, e))
			return -1;
	}
	return 0;
}

int samples_check(const json_t *o, struct iow_error *e)
{
	static const char *const names[] = { "intervals", "hist", "slow", "reap", "wrong", NULL };
	json_t *part, *v;
	size_t i;

	if (known_members(o, "the line", names, e))
		return -1;
	if ((part = json_object_get(o, "intervals")) && intervals_check(part, e))
		return -1;
	if ((part = json_object_get(o, "hist")) && histograms_check(part, e))
		return -1;
	if ((part = json_object_get(o, "reap")) && !json_is_object(part))
		return err_set(e, EINVAL, "samples: \"reap\" must be an object");
	if ((part = json_object_get(o, "wrong")) && !json_is_array(part))
		return err_set(e, EINVAL, "samples: \"wrong\" must be an array");
	part = json_object_get(o, "slow");
	if (part && !json_is_array(part))
		return err_set(e, EINVAL, "samples: \"slow\" must be an array");
	json_array_foreach(part, i, v) {
		if (integers(v, 3, 0, "slow", e))
			return -1;
	}
	return 0;
}
