/* SPDX-License-Identifier: Apache-2.0 */
/* Broken plans of all kinds: each is refused with a place, or gives cells that hold together. */
#include "tests/unit/plan_fixture.h"

#include "base/rng.h"
#include "base/vec.h"

#define ROUNDS 1500

static const char *const seeds[] = {
	"{\"iowitness\":1,\"title\":\"t\",\"params\":{\"d\":\"/a\",\"n\":8},\"report\":{\"paper\":\"A4\"},"
	"\"nodes\":{\"n2\":{\"driver\":\"remote-node\",\"host\":\"h\"}},"
	"\"targets\":{\"a\":{\"driver\":\"direct\",\"path\":\"${d}\",\"size\":\"1GiB\"},"
	"\"b\":{\"driver\":\"posix\",\"path\":\"/b\",\"size\":4096},\"r\":{\"driver\":\"raw\",\"make\":"
	"{\"loop\":\"64MiB\"},\"needs\":\"root\"},\"m\":{\"driver\":\"null\",\"node\":\"n2\"}},"
	"\"workloads\":{\"s\":{\"block\":\"32KiB\",\"duration\":\"5s\"},\"w\":{\"op\":\"write\",\"block\":"
	"{\"4KiB\":70,\"8KiB\":30},\"duration\":\"1s\"}},"
	"\"tests\":[{\"name\":\"x\",\"targets\":[\"a\",\"b\",\"r\"],\"workloads\":[\"s\"],\"passes\":2,"
	"\"sweep\":{\"workload.block\":[4096,\"64KiB\"],\"workload.op\":[\"read\"]},"
	"\"zip\":{\"workload.jobs\":[1,2],\"workload.pattern\":[\"random\",\"sequential\"]},\"blocks\":\"${n}\"},"
	"{\"name\":\"y\",\"targets\":[\"a\",\"m\"],\"workloads\":[\"s\",\"w\"],\"mode\":\"solo-then-together\","
	"\"variants\":[{\"name\":\"on\",\"apply\":[\"x\"]},{\"name\":\"off\"}],\"waive\":[\"cold\"]}],"
	"\"questions\":[{\"compare\":[\"a\"],\"against\":\"b\",\"test\":\"x\"},"
	"{\"compare\":{\"target\":\"r\",\"pass\":1},\"against\":{\"target\":\"a\",\"pass\":1}},{\"scaling\":{}},"
	"{\"cache\":\"a\"},{\"sensitivity\":\"workload.block\",\"of\":{\"target\":[\"a\",\"b\"]}},"
	"{\"limit\":\"a\",\"metric\":\"p99\",\"at_most\":\"5ms\"},{\"cpu\":\"a\"},{\"steady\":{\"test\":\"y\"}}],"
	"\"claims\":[{\"says\":\"s\",\"compare\":[\"a\"],\"against\":\"b\",\"at_least\":0.9}]}",
};

static const char *const values[] = {
	"null", "true", "0", "-1", "1", "2", "1e300", "\"\"", "\"a\"", "\"b\"", "\"${n}\"", "\"${\"", "\"5s\"",
	"\"4KiB\"", "[]", "{}", "[1,2]", "[\"a\",\"b\"]", "{\"a\":1}", "\"workload.block\"", "[[]]", "9007199254740993",
	"\"together\"", "\"x\"", "{\"driver\":\"posix\"}", "{\"driver\":\"raw\"}", "[{}]", "\"\\u0001\"",
};

static const char *const names[] = { "a", "b", "driver", "block", "op", "targets", "workload.block", "pass", "a/b~c" };

/* A random value inside v, with its parent. */
static json_t *descend(struct rng *r, json_t *v, json_t **parent, const char **key, size_t *index)
{
	for (;;) {
		size_t n = json_is_object(v) ? json_object_size(v) : json_array_size(v), i;
		void *at;

		if (!n || (*parent && rng_below(r, 4) == 0))
			return v;
		i = rng_below(r, n);
		*parent = v;
		*index = i;
		if (json_is_array(v)) {
			v = json_array_get(v, i);
			continue;
		}
		for (at = json_object_iter(v); i; i--)
			at = json_object_iter_next(v, at);
		*key = json_object_iter_key(at);
		v = json_object_iter_value(at);
	}
}

static void mutate(struct rng *r, json_t *root)
{
	json_t *parent = NULL, *v, *new = json_loads(values[rng_below(r, ARRAY_LEN(values))], JSON_DECODE_ANY, NULL);
	const char *key = NULL;
	size_t index = 0;
	mem_auto char *name = NULL;

	v = descend(r, root, &parent, &key, &index);
	if (rng_below(r, 3) == 0)
		new = (json_decref(new), json_deep_copy(v));
	if (!parent || !new) {
		json_decref(new);
	} else if (json_is_array(parent)) {
		if (rng_below(r, 4) == 0)
			json_array_remove(parent, index), json_decref(new);
		else if (rng_below(r, 4) == 0)
			json_array_append_new(parent, new);
		else
			json_array_set_new(parent, index, new);
	} else {
		name = mem_strdup(rng_below(r, 3) ? key : names[rng_below(r, ARRAY_LEN(names))]);
		if (rng_below(r, 5) == 0)
			json_object_del(parent, name), json_decref(new);
		else
			json_object_set_new(parent, name, new);
	}
}

/* Indexes that point outside would crash whatever works with the cells. */
static void check_cells(const struct cells *c)
{
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cell *x = &c->cells[i];

		assert_int_equal(x->id, i);
		assert_true(x->test < c->n_tests && x->target < c->n_targets && x->workload < c->n_workloads);
		assert_true(x->spec.n_blocks >= 1 && x->spec.block[0] >= 512);
		assert_non_null(x->label);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(x->key, c->cells[k].key);
	}
	for (size_t i = 0; i < c->n_steps; i++)
		for (size_t k = 0; k < c->steps[i].n_cells; k++)
			assert_true(c->steps[i].cells[k] < c->n_cells);
	for (size_t i = 0; i < c->n_blocks; i++)
		for (size_t k = 0; k < c->blocks[i].n_steps; k++)
			assert_true(c->blocks[i].steps[k] < c->n_steps);
	for (size_t i = 0; i < c->n_questions; i++) {
		const struct question *q = &c->questions[i];

		assert_true(q->n_pairs || q->n_cells);
		assert_non_null(q->label);
		for (size_t k = 0; k < q->n_pairs; k++)
			assert_true(q->pairs[k].subject < c->n_cells && q->pairs[k].against < c->n_cells);
		for (size_t k = 0; k < q->n_cells; k++)
			assert_true(q->cells[k] < c->n_cells);
	}
}

static bool try_plan(const char *text, size_t len, bool root)
{
	struct plan_env env = fixture_env;
	struct buf b = BUF_INIT;
	struct cells c;
	struct plan p;
	bool good;

	env.root = root;
	plan_init(&p);
	plan_parse(&p, "p", text, len, NULL, 0);
	good = plan_cells(&p, &env, &c) == 0;
	if (good)
		check_cells(&c);
	cells_release(&c);
	plan_print_problems(&p, &b);
	assert_true(good ? b.len == 0 : strncmp(buf_str(&b), "p:", 2) == 0);
	buf_release(&b);
	plan_release(&p);
	return good;
}

static void changed_values(void **state)
{
	uint32_t good = 0;
	struct rng r;

	(void)state;
	rng_seed(&r, 1);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		json_t *root = json_loads(seeds[0], 0, NULL);
		struct buf b = BUF_INIT;

		for (uint64_t n = rng_below(&r, 3); n + 1 > 0; n--)
			mutate(&r, root);
		jsonx_write(&b, root, 1);
		good += try_plan(buf_str(&b), b.len, i & 1);
		buf_release(&b);
		json_decref(root);
	}
	assert_true(good > ROUNDS / 50 && good < ROUNDS / 2);
}

static void changed_bytes(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 2);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		size_t len = strlen(seeds[0]);
		mem_auto char *text = mem_strdup(seeds[0]);

		for (uint64_t n = rng_below(&r, 3); n + 1 > 0; n--)
			text[rng_below(&r, len)] = (char)(32 + rng_below(&r, 96));
		if (rng_below(&r, 8) == 0)
			len = rng_below(&r, len);
		try_plan(text, len, true);
	}
}

static void the_seed_is_good(void **state)
{
	(void)state;
	assert_true(try_plan(seeds[0], strlen(seeds[0]), true));
	assert_true(try_plan(seeds[0], strlen(seeds[0]), false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_seed_is_good),
		cmocka_unit_test(changed_values),
		cmocka_unit_test(changed_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
