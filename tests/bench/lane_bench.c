/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the engine in this process, for tests/bench/bench.sh and for profilers:
 *
 *     lane_bench DRIVER KEYS WORKLOAD
 *     lane_bench --spin THREADS
 *
 * KEYS and WORKLOAD are JSON objects. Prints one JSON object: rate, latencies, processor time an I/O.
 * --spin counts for a second in so many threads, each on a processor of its own: what the machine itself
 * scales to. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/jsonx.h"
#include "run/lanes.h"
#include "run/target.h"

static void host_fact(void *ctx, const char *name, const char *value)
{
	fprintf(stderr, "%s: %s\n", name, value);
}

static void host_log(void *ctx, const char *line)
{
	fprintf(stderr, "%s\n", line);
}

static int die(const struct iow_error *e)
{
	fprintf(stderr, "lane_bench: %s\n", e->text);
	return 1;
}

static void print(const struct run *r)
{
	const struct latency *l = &r->lat[r->lat[LAT_READ].count ? LAT_READ : LAT_WRITE];
	json_t *o = json_object();
	struct buf b = BUF_INIT;
	struct rusage u;

	jsonx_set_real(o, "iops", (double)r->ios * 1e9 / (double)r->wall_ns);
	jsonx_set_real(o, "mib_s", (double)r->bytes * 1e9 / (double)r->wall_ns / 1048576);
	jsonx_set_int(o, "p50_ns", l->p50);
	jsonx_set_int(o, "p99_ns", l->p99);
	jsonx_set_int(o, "mean_ns", l->mean);
	jsonx_set_real(o, "cpu_ns", (double)(r->user_ns + r->sys_ns) / (double)r->ios);
	jsonx_set_int(o, "ios", (int64_t)r->ios);
	jsonx_set_real(o, "switches", (double)(r->ctx_voluntary + r->ctx_involuntary) / (double)r->ios);
	getrusage(RUSAGE_SELF, &u);
	jsonx_set_int(o, "rss_kib", u.ru_maxrss);
	jsonx_set_str(o, "status", run_status_name(r->status));
	if (*r->why)
		jsonx_set_str(o, "why", r->why);
	jsonx_write(&b, o, 0);
	puts(buf_str(&b));
	buf_release(&b);
	json_decref(o);
}

/* ---- two loops that do nothing but count ---- */

static atomic_bool spin_go, spin_stop;

static void *spin(void *arg)
{
	uint64_t *count = arg, n = 0;

	while (!atomic_load(&spin_go))
		;
	while (!atomic_load_explicit(&spin_stop, memory_order_relaxed))
		n++;
	*count = n;
	return NULL;
}

static int spin_all(unsigned threads)
{
	pthread_t t[64];
	uint64_t count[64] = { 0 }, sum = 0;

	if (threads < 1 || threads > 64)
		return 1;
	for (unsigned i = 0; i < threads; i++) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(i, &one);
		pthread_create(&t[i], NULL, spin, &count[i]);
		pthread_setaffinity_np(t[i], sizeof one, &one);
	}
	atomic_store(&spin_go, true);
	usleep(1000000);
	atomic_store(&spin_stop, true);
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(t[i], NULL);
		sum += count[i];
	}
	printf("{\"iops\":%llu}\n", (unsigned long long)sum);
	return 0;
}

static int one_run(const char *driver, json_t *keys, json_t *work)
{
	static const struct iow_host host = { .size = sizeof host, .abi = IOW_ABI, .fact = host_fact, .log = host_log };
	struct iow_error e = ERR_INIT;
	struct workload w;
	struct target t;
	static struct lanes lanes;
	uint32_t flags;
	struct run r;
	json_t *samples;

	if (workload_from_json(&w, work, &e) || target_load(&t, driver, keys, &e) || target_flags(&t, &w, &flags, &e) ||
	    target_open(&t, &host, flags, (uint32_t)w.jobs, 1, &e))
		return die(&e);
	lanes.c = (struct lane_common){ .w = &w, .drv = &t.driver.d, .target = t.handle, .info = t.info, .seed = 1 };
	if (target_fits(&t, &w, 0, &lanes.c.length, &e) || lanes_start(&lanes, &e))
		return die(&e);
	run_init(&r);
	lanes_go(&lanes, 0);
	while (!lanes_done(&lanes))
		usleep(20000);
	lanes_result(&lanes, NULL, &r, &samples);
	print(&r);
	json_decref(samples);
	lanes_release(&lanes);
	target_release(&t);
	return r.status != RUN_OK;
}

int main(int argc, char **argv)
{
	json_t *keys = argc == 4 ? json_loads(argv[2], 0, NULL) : NULL;
	json_t *work = argc == 4 ? json_loads(argv[3], 0, NULL) : NULL;
	int rc = 1;

	if (argc == 3 && strcmp(argv[1], "--spin") == 0)
		rc = spin_all((unsigned)atoi(argv[2]));
	else if (keys && work)
		rc = one_run(argv[1], keys, work);
	else
		fprintf(stderr, "usage: lane_bench DRIVER KEYS WORKLOAD | --spin THREADS\n");
	json_decref(keys);
	json_decref(work);
	return rc;
}
