/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/facts.h"
#include "run/sysfs.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <inttypes.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"

/* ---- small files of "name: value" lines ---- */

/* Value of the first line of `path` that starts with `name`, after `sep`. */
static int lookup(const char *path, const char *name, char sep, char *out, size_t size)
{
	size_t n = strlen(name);
	char line[4096];
	FILE *f = fopen(path, "re");
	int rc = -1;

	while (f && rc && fgets(line, sizeof line, f)) {
		char *at = strncmp(line, name, n) ? NULL : strchr(line, sep);

		if (!at || strspn(line + n, " \t") != (size_t)(at - line) - n)
			continue;
		at += 1 + strspn(at + 1, " \t\"");
		at[strcspn(at, "\"\n")] = 0;
		snprintf(out, size, "%s", at);
		rc = 0;
	}
	if (f)
		fclose(f);
	return rc;
}

static void fact_lookup(json_t *o, const char *name, const char *path, const char *key, char sep)
{
	mem_auto char *why = mem_printf("%s names no %s", path, key);
	char value[1024] = "";

	lookup(path, key, sep, value, sizeof value);
	fact_text(o, name, value, why);
}

/* ---- machine and processor ---- */

static void machine(json_t *o)
{
	char vendor[256] = "", product[256] = "", both[520];

	if (!file_line("/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor) &&
	    !file_line("/sys/class/dmi/id/product_name", product, sizeof product)) {
		snprintf(both, sizeof both, "%s %s", vendor, product);
		fact_text(o, "machine", both, "the firmware says nothing");
	} else if (!file_line("/proc/device-tree/model", product, sizeof product)) {
		fact_text(o, "machine", product, "the device tree says nothing");
	} else {
		fact_text(o, "machine", "", "neither DMI nor a device tree is there");
	}
}

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

static void hypervisor(char out[64])
{
	unsigned eax, r[3] = { 0, 0, 0 };

	*out = 0;
	if (!__get_cpuid(1, &eax, &r[0], &r[1], &r[2]) || !(r[1] & 1u << 31))
		return;
	__cpuid(0x40000000, eax, r[0], r[1], r[2]);
	snprintf(out, 64, "%.12s", (const char *)r);
	if (!*out)
		snprintf(out, 64, "unnamed");
}
#else
static void hypervisor(char out[64])
{
	if (file_line("/sys/hypervisor/type", out, 64))
		*out = 0;
}
#endif

static void virtualisation(json_t *o)
{
	char name[64], container[128] = "", text[300];

	hypervisor(name);
	if (file_line("/run/systemd/container", container, sizeof container) && access("/.dockerenv", F_OK) == 0)
		snprintf(container, sizeof container, "docker");
	snprintf(text, sizeof text, "%s%s%s%s%s", *name ? "virtual machine (hypervisor " : "none found", name, *name ? ")" : "",
		 *container ? ", in a container: " : "", container);
	jsonx_set_str(o, "virtualisation", text);
}

/* How many different values `attribute` of the processors' topology has. */
static int distinct(const char *attribute, long cpus)
{
	char **seen = mem_array((size_t)cpus + 1, sizeof *seen);
	int n = 0;

	for (long i = 0; i < cpus; i++) {
		mem_auto char *path = mem_printf("/sys/devices/system/cpu/cpu%ld/topology/%s", i, attribute);
		char value[256];
		int k = 0;

		if (file_line(path, value, sizeof value))
			continue;
		while (k < n && strcmp(seen[k], value))
			k++;
		if (k == n)
			seen[n++] = mem_strdup(value);
	}
	for (int i = 0; i < n; i++)
		free(seen[i]);
	free(seen);
	return n;
}

static void processor(json_t *o)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	int sockets = distinct("physical_package_id", configured), cores = distinct("core_cpus_list", configured);
	char text[200], low[32], high[32];

	fact_lookup(o, "cpu", "/proc/cpuinfo", "model name", ':');
	snprintf(text, sizeof text, "%d socket%s, %d core%s, %ld thread%s of which %ld online", sockets,
		 sockets == 1 ? "" : "s", cores, cores == 1 ? "" : "s", configured, configured == 1 ? "" : "s", online);
	jsonx_set_str(o, "cores", text);
	fact_file(o, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	if (!file_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq", low, sizeof low) &&
	    !file_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", high, sizeof high)) {
		snprintf(text, sizeof text, "%ld to %ld MHz", strtol(low, NULL, 10) / 1000, strtol(high, NULL, 10) / 1000);
		jsonx_set_str(o, "frequency", text);
	}
	fact_file(o, "isolated_cpus", "/sys/devices/system/cpu/isolated");
	if (strncmp(jsonx_str(o, "isolated_cpus", ""), FACT_UNREADABLE, sizeof FACT_UNREADABLE - 1) == 0)
		json_object_del(o, "isolated_cpus"); /* none */
}

/* ---- memory ---- */

static void memory(json_t *o)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	char **nodes;
	size_t n, n_nodes = 0;
	char text[64];

	fact_bytes(o, "memory", (uint64_t)pages * (uint64_t)page);
	nodes = sysfs_list("devices/system/node", &n);
	for (size_t i = 0; i < n; i++)
		n_nodes += strncmp(nodes[i], "node", 4) == 0 && nodes[i][4] >= '0' && nodes[i][4] <= '9';
	sysfs_list_free(nodes, n);
	snprintf(text, sizeof text, "%zu node%s", n_nodes, n_nodes == 1 ? "" : "s");
	fact_text(o, "numa", n_nodes ? text : "", "the kernel knows no NUMA nodes");
	fact_file(o, "huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
}

#define COPY_BYTES ((size_t)16 << 20)
#define COPIES 6

/* What all processors together could copy, from one that does: an upper bound for what I/O can move. */
static void memory_speed(json_t *o)
{
	char *from = mem_alloc(COPY_BYTES), *to = mem_alloc(COPY_BYTES);
	int64_t best = INT64_MAX;

	memset(from, 1, COPY_BYTES);
	for (int i = 0; i < COPIES; i++) {
		int64_t t = clock_mono_ns();

		memcpy(to, from, COPY_BYTES);
		__asm__ volatile("" : : "r"(to) : "memory");
		t = clock_mono_ns() - t;
		best = t < best ? t : best;
	}
	free(from);
	free(to);
	if (best > 0)
		jsonx_set_int(o, "memory_bytes_per_s", (int64_t)((double)COPY_BYTES / (double)best * 1e9) *
			      sysconf(_SC_NPROCESSORS_ONLN));
}

/* ---- system ---- */

static void kernel(json_t *o)
{
	struct utsname u;
	char text[512];

	if (uname(&u) == 0) {
		snprintf(text, sizeof text, "%s %s %s %s", u.sysname, u.release, u.machine, u.version);
		fact_text(o, "kernel", text, "it has no name");
	}
	fact_file(o, "command_line", "/proc/cmdline");
	fact_lookup(o, "os", "/etc/os-release", "PRETTY_NAME", '=');
}

static void clocks(json_t *o)
{
	struct timex t = { .modes = 0 };
	char text[128];
	int state = adjtimex(&t);

	fact_file(o, "clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (state < 0)
		snprintf(text, sizeof text, FACT_UNREADABLE "%s", err_name(errno));
	else
		snprintf(text, sizeof text, "%s, estimated error %ld us",
			 t.status & STA_UNSYNC ? "not synchronised" : "synchronised", t.esterror);
	jsonx_set_str(o, "clock_state", text);
}

static void load(json_t *o)
{
	char text[128] = "", up[64] = "", days[40];

	file_line("/proc/loadavg", text, sizeof text);
	text[strcspn(text, "/")] = 0; /* averages and running tasks; what follows counts processes */
	if (strrchr(text, ' '))
		*strrchr(text, ' ') = 0;
	fact_text(o, "load_at_start", text, "/proc/loadavg");
	if (!file_line("/proc/uptime", up, sizeof up)) {
		num_fixed(strtoll(up, NULL, 10) / 86400.0, 1, days);
		snprintf(text, sizeof text, "%s days", days);
		jsonx_set_str(o, "up_for", text);
	}
}

static void pressure(json_t *o)
{
	char line[256];

	fact_text(o, "pressure_stall", file_line("/proc/pressure/io", line, sizeof line) ? "" : "counted, with every run",
		  "/proc/pressure is not there or is closed: the kernel is without CONFIG_PSI, or it starts without psi=1");
}

/* ---- adapters ---- */

static void add_adapter(json_t *list, const char *kind, const char *dir, const char *name, const char *const *attributes)
{
	struct buf b = BUF_INIT;
	json_t *o = json_object();
	bool any = false;

	buf_printf(&b, "%s %s:", name, kind);
	for (; *attributes; attributes++) {
		mem_auto char *path = mem_printf("/sys/class/%s/%s/%s", dir, name, *attributes);
		char value[256];

		if (file_line(path, value, sizeof value) || !*value || strcmp(value, "(null)") == 0)
			continue;
		buf_printf(&b, " %s", value);
		any = true;
	}
	if (any) {
		fact_text(o, "it", buf_str(&b), "");
		json_array_append(list, json_object_get(o, "it"));
	}
	json_decref(o);
	buf_release(&b);
}

static void adapters(json_t *o)
{
	static const struct { const char *kind, *dir, *attributes[5]; } classes[] = {
		{ "NVMe", "nvme", { "model", "firmware_rev", "transport", NULL } },
		{ "SCSI host", "scsi_host", { "proc_name", "model_name", "fw_version", "driver_version", NULL } },
		{ "Fibre Channel", "fc_host", { "symbolic_name", "speed", "port_state", NULL } },
		{ "InfiniBand", "infiniband", { "hca_type", "fw_ver", NULL } },
	};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		mem_auto char *dir = mem_printf("class/%s", classes[i].dir);
		size_t n;
		char **names = sysfs_list(dir, &n);

		for (size_t k = 0; k < n; k++)
			add_adapter(list, classes[i].kind, classes[i].dir, names[k], classes[i].attributes);
		sysfs_list_free(names, n);
	}
	if (json_array_size(list))
		json_object_set(o, "adapters", list);
	else
		jsonx_set_str(o, "adapters", "none of NVMe, SCSI, Fibre Channel or InfiniBand");
	json_decref(list);
}

static void versions(json_t *o)
{
	const char *blkid = NULL, *mount = NULL;
	char text[300];

	blkid_get_library_version(&blkid, NULL);
	mnt_get_library_version(&mount);
	snprintf(text, sizeof text, "iowitness %s, jansson %s, libblkid %s, libmount %s", PACKAGE_VERSION, jansson_version_str(),
		 blkid ? blkid : "?", mount ? mount : "?");
	fact_text(o, "versions", text, "?");
}

json_t *facts_host(void)
{
	json_t *o = json_object();
	char host[128] = "";

	gethostname(host, sizeof host - 1);
	fact_text(o, "host_name", host, "it has none");
	machine(o);
	virtualisation(o);
	processor(o);
	memory(o);
	memory_speed(o);
	kernel(o);
	clocks(o);
	load(o);
	pressure(o);
	adapters(o);
	versions(o);
	return o;
}
