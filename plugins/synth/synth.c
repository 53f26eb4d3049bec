/* SPDX-License-Identifier: Apache-2.0 */
/* Storage whose truth is known: service times are drawn, so that statistics and reports can be tested.
 * Time is virtual (a run of an hour takes a moment) or real. */
#include "lib/fail.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct conf {
	uint64_t size, bandwidth;
	int64_t service, stall, stall_every;
	double ratio, sigma, run_sigma, slow_share, slow_factor, mode_share, mode_factor, drift;
	int64_t fail_at, short_at, crash_at, hang_at;
	uint8_t real;
};

struct target {
	struct conf c;
	uint64_t seed;
	double run_factor; /* of this run's service times: run-to-run spread and hidden mode */
};

struct queue {
	const struct target *t;
	uint64_t rng;
	uint64_t n;       /* I/Os so far */
	double now, next_stall;
};

#define KEY_TIME(field, d, h)                                                                               \
	{ .name = #field, .type = IOW_KEY_TIME, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, field), \
	  .def = d, .min = 0, .max = INT64_C(86400000000000), .help = h }
#define KEY_REAL(field, d, lo, hi, h)                                                                       \
	{ .name = #field, .type = IOW_KEY_REAL, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, field), \
	  .def = d, .rmin = lo, .rmax = hi, .help = h }
#define KEY_AT(field, h)                                                                    \
	{ .name = #field, .type = IOW_KEY_INT, .flags = 0, .offset = offsetof(struct conf, field), \
	  .def = "0", .min = 0, .max = INT64_MAX, .help = h }

static const struct iow_key keys[] = {
	{ .name = "size", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, size),
	  .def = "1TiB", .min = 4096, .max = INT64_MAX, .help = "Bytes that may be addressed" },
	KEY_TIME(service, "100us", "Median service time of one I/O"),
	{ .name = "bandwidth", .type = IOW_KEY_BYTES, .flags = IOW_KEY_AXIS, .offset = offsetof(struct conf, bandwidth),
	  .def = "0", .min = 0, .max = INT64_MAX, .help = "Bytes a second: adds length / bandwidth; 0: size does not matter" },
	KEY_REAL(ratio, "1", 1e-6, 1e6, "All times are divided by it: a target of 2 is twice as fast"),
	KEY_REAL(sigma, "0", 0, 5, "Standard deviation of the logarithm of service times; 0: constant"),
	KEY_REAL(run_sigma, "0", 0, 5, "Standard deviation of the logarithm of each run's own factor"),
	KEY_REAL(slow_share, "0", 0, 1, "Share of the I/Os that are slow"),
	KEY_REAL(slow_factor, "10", 1, 1e6, "How many times as long a slow I/O takes"),
	KEY_REAL(mode_share, "0", 0, 1, "Share of the runs that are slow as a whole"),
	KEY_REAL(mode_factor, "1.5", 1e-3, 1e6, "How many times as long all I/Os of a slow run take"),
	KEY_REAL(drift, "0", -1, 1e6, "Growth of service times in each second of a run"),
	KEY_TIME(stall, "0", "Added to one I/O every stall_every"),
	KEY_TIME(stall_every, "1s", "Busy time from one stall to the next"),
	KEY_AT(fail_at, "The I/O with this number in its job fails with EIO; 0: none"),
	KEY_AT(short_at, "The I/O with this number moves half; 0: none"),
	KEY_AT(crash_at, "The I/O with this number ends the process with SIGSEGV; 0: none"),
	KEY_AT(hang_at, "The I/O with this number never returns; 0: none"),
	{ .name = "real", .type = IOW_KEY_BOOL, .flags = 0, .offset = offsetof(struct conf, real), .def = "false",
	  .help = "Each I/O also takes its time on the clock" },
	{ .name = NULL },
};

static uint64_t next(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static double unit(uint64_t *x)
{
	return (double)(next(x) >> 11) * 0x1p-53;
}

/* Box and Muller 1958. */
static double normal(uint64_t *x)
{
	double u = 1 - unit(x), v = unit(x);

	return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

static void *synth_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	struct target *t = calloc(1, sizeof *t);
	uint64_t x = o->seed;

	if (!t) {
		fail(e, ENOMEM, "synth");
		return NULL;
	}
	t->c = *(const struct conf *)o->conf;
	t->run_factor = exp(t->c.run_sigma * normal(&x)) / t->c.ratio;
	if (unit(&x) < t->c.mode_share)
		t->run_factor *= t->c.mode_factor;
	t->seed = next(&x);
	return t;
}

static int synth_info(void *target, struct iow_info *i, struct iow_error *e)
{
	const struct target *t = target;

	i->bytes = t->c.size;
	i->offset_align = i->buffer_align = i->max_depth = 1;
	i->ops = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH;
	i->fd = -1;
	strcpy(i->path, "synth");
	return 0;
}

static void synth_close(void *target)
{
	free(target);
}

static int synth_settle(void *target, const struct iow_settle *s, struct iow_residency *r, struct iow_error *e)
{
	r->method = 3;
	r->pages = s->length / 4096;
	strcpy(r->how, "synth has no cache");
	return 0;
}

static void *synth_queue_open(void *target, const struct iow_queue *q, struct iow_error *e)
{
	const struct target *t = target;
	struct queue *s = calloc(1, sizeof *s);

	if (!s) {
		fail(e, ENOMEM, "synth");
		return NULL;
	}
	s->t = t;
	s->rng = t->seed + q->job * UINT64_C(0xd1342543de82ef95);
	s->next_stall = (double)t->c.stall_every;
	return s;
}

static void synth_queue_close(void *queue)
{
	free(queue);
}

static double draw(struct queue *q, const struct iow_io *io)
{
	const struct conf *c = &q->t->c;
	double ns = (double)c->service;

	if (c->bandwidth)
		ns += (double)io->len * 1e9 / (double)c->bandwidth;
	if (c->sigma > 0)
		ns *= exp(c->sigma * normal(&q->rng));
	if (c->slow_share > 0 && unit(&q->rng) < c->slow_share)
		ns *= c->slow_factor;
	if (c->drift != 0)
		ns *= fmax(1e-3, 1 + c->drift * q->now * 1e-9);
	ns *= q->t->run_factor;
	if (c->stall && q->now >= q->next_stall) {
		ns += (double)c->stall;
		q->next_stall += (double)c->stall_every;
	}
	return fmax(1, ns);
}

static void misbehave(struct queue *q, struct iow_io *io)
{
	const struct conf *c = &q->t->c;
	const int64_t n = (int64_t)q->n;

	if (n == c->fail_at)
		io->res = -EIO;
	if (n == c->short_at)
		io->res = io->len / 2;
	if (n == c->crash_at)
		raise(SIGSEGV);
	while (n == c->hang_at)
		nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
}

static void synth_io(void *queue, struct iow_io *io)
{
	struct queue *q = queue;
	const double ns = draw(q, io);

	q->n++;
	q->now += ns;
	io->res = io->len;
	io->self_ns = (int64_t)(ns + 0.5);
	misbehave(q, io);
	if (q->t->c.real)
		nanosleep(&(struct timespec){ .tv_sec = io->self_ns / 1000000000, .tv_nsec = io->self_ns % 1000000000 },
			  NULL);
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct conf),
	.name = "synth",
	.version = "1",
	.summary = "simulated storage with known service times, for tests of methods and reports",
	.keys = keys,
	.caps = IOW_CAP_READ | IOW_CAP_WRITE | IOW_CAP_TRIM | IOW_CAP_FLUSH | IOW_CAP_DSYNC | IOW_CAP_SYNC |
		IOW_CAP_SELF_TIMED | IOW_CAP_VIRTUAL_TIME | IOW_CAP_NO_DATA,
	.open = synth_open,
	.info = synth_info,
	.close = synth_close,
	.settle = synth_settle,
	.queue_open = synth_queue_open,
	.queue_close = synth_queue_close,
	.io = synth_io,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
