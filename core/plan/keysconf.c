/* SPDX-License-Identifier: Apache-2.0 */
/* Keys between resolved JSON and a block of memory. */
#include "plan/keys.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"

#include <errno.h>

#define SECRET_MAX ((size_t)64 << 10)

static uint32_t choice_index(const struct iow_key *k, const json_t *v)
{
	const char *s = json_string_value(v);

	for (uint32_t i = 0; s && k->choices && k->choices[i]; i++)
		if (strcmp(k->choices[i], s) == 0)
			return i;
	return 0;
}

static void store(const struct iow_key *k, const json_t *v, void *conf)
{
	char *at = (char *)conf + k->offset;

	switch (k->type) {
	case IOW_KEY_BOOL:
		*(uint8_t *)at = json_is_true(v);
		break;
	case IOW_KEY_INT:
	case IOW_KEY_TIME:
		*(int64_t *)(void *)at = json_integer_value(v);
		break;
	case IOW_KEY_BYTES:
		*(uint64_t *)(void *)at = (uint64_t)json_integer_value(v);
		break;
	case IOW_KEY_REAL:
		*(double *)(void *)at = json_number_value(v);
		break;
	case IOW_KEY_CHOICE:
		*(uint32_t *)(void *)at = choice_index(k, v);
		break;
	default:
		break; /* texts and lists need an owner */
	}
}

void keys_store(const struct iow_key *keys, const json_t *resolved, void *conf)
{
	for (; keys->name; keys++)
		if (!(keys->flags & IOW_KEY_SECRET))
			store(keys, json_object_get(resolved, keys->name), conf);
}

static char *own(struct conf *c, char *s)
{
	*VEC_ADD(c->texts, c->n_texts) = s;
	return s;
}

static void store_list(struct conf *c, const struct iow_key *k, const json_t *v)
{
	size_t n = json_array_size(v);
	const char **list = mem_array(n + 1, sizeof *list);

	for (size_t i = 0; i < n; i++)
		list[i] = own(c, mem_strdup(json_string_value(json_array_get(v, i))));
	*VEC_ADD(c->lists, c->n_lists) = list;
	*(const char *const **)(void *)((char *)c->data + k->offset) = list;
}

static int store_secret(struct conf *c, const struct iow_key *k, const json_t *v, struct iow_error *e)
{
	const char *env = jsonx_str(v, "env", NULL), *file = jsonx_str(v, "file", NULL);
	struct buf b = BUF_INIT;

	if (!env && !file)
		return 0;
	if (env) {
		const char *value = getenv(env);

		if (!value)
			return err_set(e, ENOENT, "key \"%s\": no variable %s in the environment of this node",
				       k->name, env);
		buf_puts(&b, value);
	} else if (file_read(file, &b, SECRET_MAX, e)) {
		return err_in(e, "key \"%s\"", k->name);
	}
	while (b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = 0;
	*(const char **)(void *)((char *)c->data + k->offset) =
		own(c, b.data ? buf_take(&b) : mem_strdup(""));
	return 0;
}

static int fill_one(struct conf *c, const struct iow_key *k, const json_t *v, struct iow_error *e)
{
	if (k->flags & IOW_KEY_SECRET)
		return store_secret(c, k, v, e);
	if (k->type == IOW_KEY_STRING && json_is_string(v))
		*(const char **)(void *)((char *)c->data + k->offset) =
			own(c, mem_strdup(json_string_value(v)));
	else if (k->type == IOW_KEY_LIST && json_is_array(v))
		store_list(c, k, v);
	else if (!json_is_null(v))
		store(k, v, c->data);
	return 0;
}

static size_t key_bytes(uint32_t type)
{
	return type == IOW_KEY_BOOL ? 1 : type == IOW_KEY_CHOICE ? 4 : 8;
}

int conf_fill(struct conf *c, size_t size, const struct iow_key *keys, const json_t *o,
	      struct iow_error *e)
{
	struct problems p;
	json_t *resolved;
	int rc;

	memset(c, 0, sizeof *c);
	for (const struct iow_key *k = keys; k->name; k++)
		if (k->offset > size || size - k->offset < key_bytes(k->type))
			return err_set(e, EINVAL, "key \"%s\" lies outside the configuration of %zu bytes",
				       k->name, size);
	problems_init(&p);
	resolved = keys_resolve(keys, o, KEYS_RESOLVED, "", &p);
	rc = problems_error(&p, e);
	c->data = mem_alloc(size ? size : 1);
	c->size = size;
	for (const struct iow_key *k = keys; !rc && k->name; k++)
		rc = fill_one(c, k, json_object_get(resolved, k->name), e);
	if (rc)
		conf_release(c);
	json_decref(resolved);
	problems_release(&p);
	return rc;
}

void conf_release(struct conf *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_texts; i++) {
		explicit_bzero(c->texts[i], strlen(c->texts[i]));
		free(c->texts[i]);
	}
	for (size_t i = 0; i < c->n_lists; i++)
		free(c->lists[i]);
	free(c->texts);
	free(c->lists);
	free(c->data);
	memset(c, 0, sizeof *c);
}

static json_t *load_list(const char *const *list)
{
	json_t *a;

	if (!list)
		return json_null();
	a = json_array();
	for (; *list; list++)
		json_array_append_new(a, json_string(*list));
	return a;
}

static json_t *load(const struct iow_key *k, const void *conf)
{
	const char *at = (const char *)conf + k->offset;
	const char *s;

	if (k->flags & IOW_KEY_SECRET)
		return json_null();
	switch (k->type) {
	case IOW_KEY_STRING:
		s = *(const char *const *)(const void *)at;
		return s ? json_string(s) : json_null();
	case IOW_KEY_BOOL:
		return json_boolean(*(const uint8_t *)at);
	case IOW_KEY_INT:
	case IOW_KEY_TIME:
		return json_integer(*(const int64_t *)(const void *)at);
	case IOW_KEY_BYTES:
		return json_integer((json_int_t) * (const uint64_t *)(const void *)at);
	case IOW_KEY_REAL:
		return json_real(*(const double *)(const void *)at);
	case IOW_KEY_CHOICE:
		return json_string(k->choices[*(const uint32_t *)(const void *)at]);
	default:
		return load_list(*(const char *const *const *)(const void *)at);
	}
}

json_t *keys_load(const struct iow_key *keys, const void *conf)
{
	json_t *o = json_object();

	for (; keys->name; keys++)
		jsonx_set_new(o, keys->name, load(keys, conf));
	return o;
}
