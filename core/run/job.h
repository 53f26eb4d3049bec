/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_JOB_H
#define IOW_RUN_JOB_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run/wire.h"

/* One child of the agent and what it was asked. The agent's loop polls its descriptors and calls
 * these functions; what the coordinator must know goes through `tell`. */

enum job_kind { JOB_DRIVER, JOB_TARGET, JOB_RUN };

struct job_io; /* device counters around a run: run/jobio.h */

/* What the jobs of one agent share. */
struct job_host {
	void *ctx;
	void (*tell)(void *ctx, const json_t *frame);                        /* to the coordinator */
	/* A target was prepared; -1: the agent refuses it. What is the agent's own goes off `ready`. */
	int (*target_ready)(void *ctx, const json_t *ask, json_t *ready, struct iow_error *e);
	void (*undo)(void *ctx, const json_t *what); /* a child made something: see run/made.h */
	void (*quarantine)(void *ctx, const char *target, uint64_t rdev, const char *why);
};

struct job {
	const struct job_host *host;
	enum job_kind kind;
	int64_t id, run; /* of the request; run -1 unless a run */
	char *target, *driver;
	uint64_t rdev;
	json_t *ask;     /* the PREPARE frame */
	pid_t pid;       /* 0: reaped or abandoned */
	int status;      /* of wait(2), once reaped */
	struct wire wire;
	int log_fd;      /* -1: closed */
	struct buf log;
	size_t logged;
	bool answered;   /* READY or ERROR was sent */
	bool finished;   /* its last frame came or is out of the question */
	json_t *held;    /* RESULT, told when the process is gone */
	bool going;
	int64_t at;      /* shortly before the instant of GO: the idle window ends; 0: it has ended */
	uint64_t last_bytes, last_ios; /* of PROGRESS */
	int64_t progress_at;
	int64_t stop_at; /* when the child was told to stop; 0: not */
	int64_t held_at; /* since when a signal holds the child; 0: none does */
	int64_t held_ns; /* for how long one did before */
	int64_t kill_at; /* when SIGKILL was sent; 0: not */
	char *kill_why;  /* sentence for the run's line; NULL: its result came */
	uint32_t kill_status; /* enum run_status */
	struct job_io *io;
};

/* Starts the child and sends it its PREPARE. On failure the coordinator gets the ERROR or RESULT and
 * the job is finished at once. `ask` is borrowed. Never NULL. */
struct job *job_start(const struct job_host *h, const json_t *ask, uint64_t rdev);
void job_free(struct job *j); /* kills and does not wait */

void job_go(struct job *j, int64_t at);
void job_stop(struct job *j);
/* SIGKILL; `why` is what the run's line will say. */
void job_kill(struct job *j, uint32_t run_status, const char *why);

/* Events. */
void job_readable(struct job *j);    /* frames of the child */
void job_log_readable(struct job *j);
void job_log_end(struct job *j);     /* what is left without a newline */
void job_exited(struct job *j, int status);
void job_held(struct job *j, bool held, int signal); /* a signal stopped the child, or let it go on */
/* Deadlines; returns the next instant at which it wants to be called, INT64_MAX: none. */
int64_t job_tick(struct job *j, int64_t now);

#endif
