/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_NODE_H
#define IOW_RUN_NODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/wire.h"

/* The coordinator's side of the agents: one event loop over all nodes. What an agent sends is never
 * trusted: it is bounded in size, in number and in the time it may take, and a node that breaks the
 * protocol is lost, nothing more. */

#define NODE_SILENCE (30 * INT64_C(1000000000)) /* unless the plan says otherwise */

enum node_state { NODE_OFF, NODE_UP, NODE_LOST };

struct node {
	char *name;     /* as in the plan; "local" */
	enum node_state state;
	char why[300];  /* LOST: a sentence */
	struct wire wire;
	pid_t pid;      /* of the agent, or of the child that carries the stream; 0: reaped */
	int err_fd;     /* its stderr, for the log; -1 closed */
	struct buf err;
	char last_words[200]; /* the last line of err */
	size_t logged;  /* bytes it put into the log */
	int64_t heard_at, pinged_at; /* CLOCK_MONOTONIC here */
	uint64_t frames; /* since frames_at: a flood is a breach of the protocol */
	int64_t frames_at;
	char host[65], version[33], boot[40]; /* of its HELLO; boot: the same for nodes of one kernel */
	bool misplanned; /* LOST, because its keys in the plan cannot be right */
	bool greeted, root; /* root: its agent may do all */
	int64_t offset, bound; /* its CLOCK_MONOTONIC minus ours, and how wrong that may be; bound -1: unknown */
	int64_t best_rtt, best_offset;
	uint32_t pongs;
	bool shares_clock; /* this machine: offset 0, exactly */
};

struct ask {
	struct node *node;
	int64_t id;
	json_t *answer; /* READY or ERROR (a node that was lost: an ERROR made here); NULL: still open */
};

struct nodes {
	struct node *v; size_t n;
	struct ask **asks; size_t n_asks;
	int64_t last_id;
	int signals;   /* SIGINT, SIGTERM, SIGHUP, SIGCHLD come through here */
	int64_t silence_ns; /* after which a node is lost: see nodes_expect */
	int64_t announced_ns; /* told to the agents that are started from now on */
	int stop;      /* how often somebody asked to stop */
	void *ctx;
	/* PROGRESS and RESULT of runs, ERROR that carries a run; borrowed. */
	void (*on_frame)(void *ctx, struct node *n, const json_t *f);
	void (*on_fact)(void *ctx, struct node *n, const json_t *f);
	void (*on_log)(void *ctx, struct node *n, const char *line);
	void (*on_lost)(void *ctx, struct node *n);
};

/* Blocks the signals above in this process; they are read in nodes_poll. `count` nodes, not started. */
int nodes_open(struct nodes *ns, size_t count, struct iow_error *e);
/* More nodes behind those that are there; pointers into v are void afterwards. */
void nodes_grow(struct nodes *ns, size_t count);
/* Ends the agents: STOP, then end of file, then SIGKILL after 10 s. */
void nodes_close(struct nodes *ns);

/* Starts the agent of this machine. Single-threaded callers only. */
int node_start_local(struct nodes *ns, struct node *n, const char *name, struct iow_error *e);
/* Starts the child that reaches the agent of another node through a CONNECT driver. `needs`: names of
 * the drivers that its targets use, for a node where nothing is installed. Both are borrowed. */
int node_start_remote(struct nodes *ns, struct node *n, const char *name, const char *driver, const json_t *keys,
		      const json_t *needs, int64_t timeout_ns, struct iow_error *e);
/* Waits for the HELLO of a node that was started. */
int node_greet(struct nodes *ns, struct node *n, int64_t timeout_ns, struct iow_error *e);

/* From now on each node answers within that time. Before a campaign begins NODE_SILENCE holds: an agent
 * that reads the facts of a busy machine may take longer than the plan allows later. */
void nodes_expect(struct nodes *ns, int64_t silence_ns);

/* One round of the loop, at most until that instant. */
void nodes_poll(struct nodes *ns, int64_t until);
void node_send(struct nodes *ns, struct node *n, json_t *frame_take);
void node_lose(struct nodes *ns, struct node *n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A request: posts `frame` with a fresh id; the answer comes while the loop runs. */
void ask_post(struct nodes *ns, struct ask *a, struct node *n, json_t *frame_take);
/* Runs the loop until all are answered or somebody asks to stop (-1, err EINTR). timeout_ns -1: none
 * besides the heartbeat. Asks that stay open are withdrawn. */
int ask_wait(struct nodes *ns, struct ask *asks, size_t n, int64_t timeout_ns, struct iow_error *e);
/* Forgets one that may be open; releases its answer. For callers that run the loop themselves. */
void ask_drop(struct nodes *ns, struct ask *a);
/* One request and its READY (new); NULL with the error of the answer; *class (may be NULL) is its class. */
json_t *node_ask(struct nodes *ns, struct node *n, json_t *frame_take, int64_t timeout_ns, char class[16],
		 struct iow_error *e);

/* Estimates offset and bound of each node that is up, by `rounds` pings one after the other, a few
 * nodes at once. The bound is half the best round trip. */
void nodes_measure_clocks(struct nodes *ns, int rounds);

/* ---- between node.c and ask.c ---- */

void ask_answer(struct ask *a, json_t *take);
void ask_fail_all(struct nodes *ns, struct node *n); /* a lost node answers what is open */
struct ask *ask_find(struct nodes *ns, struct node *n, const json_t *f); /* by the frame's id */
void node_ping(struct nodes *ns, struct node *n);
void node_pong(struct node *n, const json_t *f);

#endif
