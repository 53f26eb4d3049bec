/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/err.h"
#include "base/jsonx.h"
#include "base/vec.h"
#include "run/node.h"

#include <errno.h>
#include <stdio.h>

#define PING_BATCH 4 /* more at once, and their answers would wait for each other */

/* ---- requests and their answers ---- */

void ask_answer(struct ask *a, json_t *take)
{
	if (a->answer)
		json_decref(take);
	else
		a->answer = take;
}

void ask_fail_all(struct nodes *ns, struct node *n)
{
	for (size_t i = 0; i < ns->n_asks; i++) {
		json_t *f;

		if (ns->asks[i]->node != n)
			continue;
		f = wire_frame("ERROR");
		jsonx_set_str(f, "class", "lost");
		jsonx_set_str(f, "text", n->why);
		ask_answer(ns->asks[i], f);
	}
}

struct ask *ask_find(struct nodes *ns, struct node *n, const json_t *f)
{
	int64_t id = jsonx_int(f, "id", 0);

	for (size_t i = 0; id && i < ns->n_asks; i++)
		if (ns->asks[i]->id == id && ns->asks[i]->node == n)
			return ns->asks[i];
	return NULL;
}

void ask_post(struct nodes *ns, struct ask *a, struct node *n, json_t *frame_take)
{
	*a = (struct ask){ .node = n, .id = ++ns->last_id };
	*VEC_ADD(ns->asks, ns->n_asks) = a;
	jsonx_set_int(frame_take, "id", a->id);
	if (n->state != NODE_UP) {
		json_decref(frame_take);
		ask_fail_all(ns, n);
		return;
	}
	node_send(ns, n, frame_take);
}

static void withdraw(struct nodes *ns, const struct ask *asks, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < ns->n_asks; i++)
		if (ns->asks[i] < asks || ns->asks[i] >= asks + n)
			ns->asks[kept++] = ns->asks[i];
	ns->n_asks = kept;
	if (!kept) {
		free(ns->asks);
		ns->asks = NULL;
	}
}

void ask_drop(struct nodes *ns, struct ask *a)
{
	withdraw(ns, a, 1);
	json_decref(a->answer);
	a->answer = NULL;
}

static bool all_answered(const struct ask *asks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!asks[i].answer)
			return false;
	return true;
}

int ask_wait(struct nodes *ns, struct ask *asks, size_t n, int64_t timeout_ns, struct iow_error *e)
{
	int64_t end = timeout_ns < 0 ? INT64_MAX : clock_mono_ns() + timeout_ns;
	int stop = ns->stop, rc = 0;

	while (!rc && !all_answered(asks, n)) {
		nodes_poll(ns, end);
		if (ns->stop != stop)
			rc = err_set(e, EINTR, "interrupted");
		else if (clock_mono_ns() >= end && !all_answered(asks, n))
			rc = err_set(e, ETIMEDOUT, "no answer in time");
	}
	withdraw(ns, asks, n);
	return rc;
}

json_t *node_ask(struct nodes *ns, struct node *n, json_t *frame_take, int64_t timeout_ns, char class[16],
		 struct iow_error *e)
{
	struct ask a;
	const char *c;

	if (class)
		strcpy(class, "failed");
	ask_post(ns, &a, n, frame_take);
	if (ask_wait(ns, &a, 1, timeout_ns, e)) {
		json_decref(a.answer);
		return NULL;
	}
	if (!strcmp(wire_type(a.answer), "READY"))
		return a.answer;
	c = jsonx_str(a.answer, "class", "failed");
	if (class)
		snprintf(class, 16, "%s", c);
	err_set(e, (int)jsonx_int(a.answer, "errno", 0), "%s", jsonx_str(a.answer, "text", "it failed"));
	json_decref(a.answer);
	return NULL;
}

/* ---- clocks and heartbeat ---- */

void node_ping(struct nodes *ns, struct node *n)
{
	json_t *f = wire_frame("HELLO");

	n->pinged_at = clock_mono_ns();
	jsonx_set_int(f, "ping", n->pinged_at);
	node_send(ns, n, f);
}

void node_pong(struct node *n, const json_t *f)
{
	int64_t now = clock_mono_ns(), t0 = jsonx_int(f, "ping", 0), mono = jsonx_int(f, "mono", -1), rtt = now - t0;

	if (t0 != n->pinged_at || mono < 0 || mono >= INT64_C(1) << 60)
		return;
	n->pongs++;
	if (n->best_rtt < 0 || rtt < n->best_rtt) {
		n->best_rtt = rtt;
		n->best_offset = mono - (t0 + rtt / 2);
	}
}

static bool has_own_clock(const struct node *n)
{
	return n->state == NODE_UP && !n->shares_clock;
}

/* One round for the nodes [from, to): a ping each, until all have answered or a second is over. */
static void ping_round(struct nodes *ns, size_t from, size_t to, uint32_t round)
{
	int64_t end = clock_mono_ns() + NS_PER_S;
	bool waiting = true;

	for (size_t i = from; i < to; i++)
		if (has_own_clock(&ns->v[i]))
			node_ping(ns, &ns->v[i]);
	while (waiting && clock_mono_ns() < end) {
		waiting = false;
		for (size_t i = from; i < to; i++)
			waiting |= has_own_clock(&ns->v[i]) && ns->v[i].pongs <= round;
		if (waiting)
			nodes_poll(ns, end);
	}
}

void nodes_measure_clocks(struct nodes *ns, int rounds)
{
	for (size_t i = 0; i < ns->n; i++) {
		ns->v[i].best_rtt = -1;
		ns->v[i].pongs = 0;
	}
	for (size_t from = 0; from < ns->n; from += PING_BATCH) {
		size_t to = from + PING_BATCH < ns->n ? from + PING_BATCH : ns->n;

		for (int r = 0; r < rounds; r++)
			ping_round(ns, from, to, (uint32_t)r);
	}
	for (size_t i = 0; i < ns->n; i++) {
		struct node *n = &ns->v[i];

		if (n->shares_clock)
			continue;
		n->bound = n->best_rtt < 0 ? -1 : n->best_rtt / 2 + 1; /* what was known before may have drifted */
		if (n->best_rtt >= 0)
			n->offset = n->best_offset;
	}
}
