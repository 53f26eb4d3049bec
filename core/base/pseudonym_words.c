/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pseudonym_in.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Words of this program, of kernels' options and of everyday storage: nothing is betrayed by them, and much
 * would be lost without them. Lower case, sorted. */
static const char *const vocabulary[] = {
	"about", "accounting", "acl", "action", "active", "adaptive", "addr", "address", "advice", "after", "agent",
	"alias", "align", "all", "allowed", "alone", "always", "amd_iommu", "amount", "and", "any", "any-local",
	"apic", "apparmor", "appended", "april", "archive", "arm", "array", "arrays", "arrival", "as", "as-is",
	"async", "asynchronous", "at", "atomic", "attestation", "audit", "august", "auto", "auto_da_alloc",
	"automatic", "average", "background", "backup", "backups", "bandwidth", "bar", "barrier", "base", "baseline",
	"batch", "before", "below", "bench", "benchmark", "benchmarks", "bfq", "bg", "big", "bin", "binary", "bind",
	"biosdevname", "block", "blocks", "bool", "boot", "bootp", "both", "bound", "bucket", "buffer", "buffered",
	"buffers", "bulk", "bus", "busy", "by", "bytes", "cache", "cached", "caches", "cachestat", "calibration",
	"campaign", "campaigns", "cancelled", "case", "cell", "cells", "cgroup_enable", "cgroup_memory", "change",
	"changed", "cheaper", "check", "chunk", "claim", "claims", "class", "client", "clientaddr", "clock",
	"clock_gettime", "clocksource", "close", "closed", "cloud", "cluster", "cold", "command", "commands",
	"comment", "commit", "common", "company", "compare", "compared", "complete", "compressible", "compression",
	"conf", "config", "configuration", "connect", "console", "consoleblank", "constant", "consumer", "container",
	"content", "continue", "control", "controller", "copy", "core", "cores", "count", "cpu", "cpus", "crashed",
	"crashkernel", "create", "crypt", "csv", "current", "dat", "data", "database", "databases", "dataset",
	"datasets", "date", "datei", "daten", "day", "days", "db", "deadline", "dearer", "debug", "december", "deep",
	"default", "default_hugepagesz", "defaults", "delay", "delayed", "delta", "depth", "desc", "destroy",
	"device", "devices", "dhcp", "dhcp6", "dir", "direct", "directory", "dirs", "dirty", "disable", "disabled",
	"discard", "disk", "disks", "dm", "dm_mod.use_blk_mq", "dns", "docker", "domain", "done", "down", "draft",
	"drive", "driver", "drivers", "drives", "dsync", "duplicate", "durability", "duration", "each", "earlycon",
	"earlyprintk", "echo", "elevator", "empty", "enable", "enabled", "end", "engine", "enp", "ens", "ephemeral",
	"equivalent", "error", "errors", "eth0", "eth1", "ether", "ethernet", "eui", "event", "events", "evidence",
	"example", "examples", "exclusive", "exec", "exfat", "experiment", "export", "exports", "ext2", "ext3",
	"ext4", "external", "failed", "fallocated", "false", "fast", "faster", "fat", "fc", "fdatasync", "february",
	"fedora", "fiber", "fibre", "field", "fifo", "file", "files", "filesystem", "filesystems", "fill", "final",
	"final_flush", "first", "flash", "flush", "flush_every", "folder", "for", "force", "force_on", "foreign",
	"format", "fresh", "friday", "from", "fs", "fsync", "full", "gate", "gates", "generic", "get", "gfs2",
	"glusterfs", "good", "gpfs", "group", "groups", "grpquota", "guest", "gzip", "halt", "hard", "hdd", "hdds",
	"head", "high", "higher", "history", "home", "host", "hosts", "hot", "hot-cold", "hot_region", "hot_share",
	"hotcold", "hour", "html", "huge", "hugepages", "hugepagesz", "hugetlbfs", "hung", "hwp_only", "hybrid",
	"ibft", "id", "identity", "idle", "ids", "ignore_dlm", "image", "images", "img", "inconclusive", "index",
	"infiniband", "init", "initrd", "inode", "inode32", "inode64", "input", "install", "instance", "intel",
	"intel_idle", "intel_iommu", "interactive", "interface", "internal", "interval", "into", "intr", "io",
	"iommu", "iops", "ios", "iow", "iowitness", "ip", "ipv4", "ipv6", "iscsi", "iso", "isolcpus", "it", "item",
	"january", "job", "jobs", "journal", "journaled", "json", "july", "jump", "june", "kernel", "key", "keys",
	"killed", "krb5", "krb5i", "krb5p", "kubectl", "kubernetes", "kvm", "kyber", "label", "lane", "large",
	"latency", "latest", "laufwerk", "layer", "layers", "layout", "lazy", "lazytime", "leaf", "least", "left",
	"legacy", "level", "levels", "lib", "limit", "limits", "line", "linear", "lines", "link", "linux", "list",
	"live", "load", "local", "local_lock", "lock", "log", "logbsize", "logbufs", "logical", "logs", "long",
	"lookupcache", "loop", "loopback", "low", "lower", "lun", "lustre", "lv", "lvm", "lz4", "lzo", "machine",
	"machines", "made", "madvise", "mail", "main", "make", "managed_irq", "manifest", "many", "map", "mapper",
	"mapping", "march", "margin", "master", "max", "maximum", "md", "mean", "measure", "measured", "measurement",
	"memory", "messung", "met", "metadata", "method", "metric", "metrics", "min", "mincore", "minimum",
	"minorversion", "minute", "mirror", "mitigations", "mixed", "mode", "model", "modern", "module", "monday",
	"monitor", "month", "mount", "mountaddr", "mounts", "mq", "mq-deadline", "multipath", "multiple", "name",
	"names", "namespace", "namlen", "nas", "nbd", "nconnect", "net.ifnames", "network", "never", "new", "next",
	"nfs", "nfs4", "nfsvers", "night", "nis", "no", "no_guest_guest", "no_guest_host", "noacl", "noatime",
	"nobarrier", "node", "nodes", "nodev", "nodiratime", "noexec", "noforce", "nohz_full", "nointr", "nomodeset",
	"nomodule", "none", "nopti", "noquota", "noresume", "normal", "nosmt", "nosuid", "not", "nothing", "notify",
	"november", "ntfs", "null", "numa", "number", "nvme", "nvme_core.default_ps_max_latency_us",
	"nvme_core.multipath", "nvmeof", "object", "october", "off", "offset", "old", "on", "once", "one", "only",
	"op", "open", "operation", "option", "options", "oracle", "order", "ordered", "other", "out", "output",
	"overlay", "overlayfs", "own", "page", "pages", "pair", "panic", "parallel", "param", "params", "part",
	"partition", "partlabel", "partn", "partuuid", "pass", "passes", "path", "paths", "pattern", "payload",
	"pcie_aspm", "pdf", "percent", "performance", "persistent", "phase", "physical", "pilot", "place", "plain",
	"plan", "plans", "platte", "plugin", "plugins", "poisson", "poll", "pool", "pools", "port", "posix", "post",
	"poweroff", "pre", "prefer", "preferred", "prefix", "prepare", "primary", "private", "prjquota", "probe",
	"process", "prod", "production", "profile", "profiles", "program", "project", "projects", "promise", "proto",
	"protocol", "proxy", "psi", "pt", "public", "push", "qcow2", "qemu", "qos", "quality", "question",
	"questions", "queue", "queues", "quick", "quiet", "quota", "quotas", "raid", "raid0", "raid1", "raid10",
	"raid5", "raid6", "ram", "random", "randomly", "rate", "ratio", "raw", "rcu_nocbs", "rdma", "reachable",
	"read", "read_percent", "readable", "reads", "ready", "real", "reboot", "record", "recovery", "redo",
	"redundant", "ref", "region", "regression", "regular", "relatime", "relative", "release", "remote",
	"remote-node", "remount", "remount-ro", "removable", "repeat", "replacement", "report", "reports", "request",
	"reservation", "reserved", "reset", "response", "restricted", "result", "results", "resume", "retrans",
	"retry", "reuse", "rhgb", "right", "ro", "root", "rootdelay", "rootflags", "rootfstype", "rootwait",
	"rotational", "round", "router", "rsize", "run", "runs", "runtime", "rw", "same", "sample", "samples", "san",
	"sas", "sata", "scale", "scan", "scans", "scheduler", "schema", "scratch", "script", "scsi",
	"scsi_mod.use_blk_mq", "sd", "sec", "seclabel", "second", "secondary", "seconds", "section", "seed", "self",
	"selinux", "september", "sequential", "sequentially", "serial", "server", "servers", "service", "set",
	"setup", "several", "share", "shared", "shares", "short", "show", "simple", "single", "site", "size", "skip",
	"slow", "slower", "small", "smoke", "snapshot", "snapshots", "so", "socket", "soft", "software", "solo",
	"solo-then-together", "source", "spare", "spec", "special", "spectre_v2", "speed", "speicher", "splash",
	"split", "srun", "ssd", "ssds", "ssh", "stable", "stack", "staging", "standard", "standby", "start", "state",
	"static", "steady", "step", "steps", "stopped", "storage", "store", "strategy", "stream", "streams", "strict",
	"stride", "strided", "stripe", "strong", "style", "sub", "subject", "subvol", "subvolid", "sudo", "suite",
	"summary", "supported", "swap", "swapaccount", "sweep", "swiotlb", "sync", "synth", "synthetic", "sys",
	"system", "systemd.unified_cgroup_hierarchy", "systems", "table", "tables", "tablespace", "tag", "tank",
	"target", "targets", "task", "tcp", "temp", "template", "templates", "temporary", "test", "testbed",
	"testfile", "testing", "tests", "text", "the", "theta", "thin", "thread", "threads", "throughput", "thursday",
	"tier", "tiered", "tiers", "time", "timeo", "timeout", "tiny", "title", "tmpfs", "to", "together", "tool",
	"tools", "top", "total", "trace", "transaction", "transfer", "transparent", "transparent_hugepage",
	"transport", "trim", "true", "tsc", "tty0", "tty1", "ttys0", "tuesday", "tune", "tuned", "txt", "type", "udp",
	"unit", "unknown", "unlimited", "unused", "up", "update", "upper", "uri", "uring", "url", "usage", "usb",
	"use", "used", "user", "user_xattr", "users", "usrquota", "uuid", "validate", "value", "values", "variant",
	"variants", "vary", "vdev", "vdevs", "vendor", "vergleich", "verify", "vers", "version", "versions", "vfat",
	"vhd", "via", "view", "virtio", "virtual", "vm", "vms", "void", "vol", "volume", "volumes", "wait", "waive",
	"wakeup", "wal", "warm", "warmup", "was", "wear", "wednesday", "week", "weekly", "whole", "wide", "window",
	"with", "without", "witness", "wizard", "word", "words", "work", "worker", "workers", "workload", "workloads",
	"workspace", "world", "write", "writeback", "writes", "writethrough", "written", "wrong", "wsize", "wwn",
	"x86_64", "xattr", "xfs", "year", "yes", "zero", "zeros", "zfs", "zipf", "zone", "zoned", "zpool", "zstd",
};

/* Names that paths have on every Linux, and the program's own files. Lower case, sorted. */
static const char *const systems[] = {
	"available_clocksource", "bash", "bin", "block", "boot", "bus", "by-diskseq", "by-id", "by-label",
	"by-partlabel", "by-partuuid", "by-path", "by-uuid", "cache", "cells.json", "class", "clocksource",
	"clocksource0", "cmdline", "cpu", "cpu0", "cpufreq", "cpuinfo", "current_clocksource", "dev", "device",
	"devices", "direct", "direct.so", "disk", "docker", "drivers", "enabled", "env", "etc", "fs", "fstab", "full",
	"home", "host.json", "hostname", "hosts", "hwmon", "iowitness", "iowitness-agent", "isolated", "kernel",
	"kubectl", "lib", "lib32", "lib64", "libexec", "loadavg", "local", "log", "log.txt", "loop-control",
	"machine-id", "mapper", "media", "meminfo", "mm", "mnt", "mountinfo", "mounts", "nbd", "nbd.so", "node",
	"null", "null.so", "online", "opt", "os-release", "partitions", "pci", "pci_bus", "plan.json", "plugins",
	"posix", "posix.so", "possible", "present", "proc", "queue", "random", "raw", "raw.so", "remote-node",
	"remote-node.so", "report.html", "report.pdf", "results.json", "root", "run", "runs.jsonl", "samples.jsonl",
	"sbin", "scaling_governor", "self", "sh", "share", "shm", "spool", "srun", "srv", "ssh", "stat", "sudo",
	"swaps", "sync", "sync.so", "synth", "synth.so", "sys", "system", "templates", "tmp", "transparent_hugepage",
	"uptime", "urandom", "uring", "uring.so", "usr", "var", "version", "vg", "virtual", "zero",
};

#define WORD_MAX 48

static int by_word(const void *key, const void *word)
{
	return strcmp(key, *(const char *const *)word);
}

static bool has_word(const char *const *words, size_t n_words, const char *s, size_t n)
{
	char low[WORD_MAX];

	if (n >= sizeof low)
		return false;
	for (size_t i = 0; i < n; i++)
		low[i] = pseudo_lower(s[i]);
	low[n] = 0;
	return bsearch(low, words, n_words, sizeof *words, by_word);
}

bool pseudo_is_vocabulary(const char *s, size_t n)
{
	return has_word(vocabulary, ARRAY_LEN(vocabulary), s, n);
}

/* A name of a block device that the kernel gives by its kind and count. */
static bool is_device(const char *s, size_t n)
{
	static const char *const counted[] = { "nvme", "loop", "dm-", "md", "ram", "zram", "nbd", "sr", "mmcblk", "pmem", "sg", "tty", "vport" };
	static const char *const lettered[] = { "sd", "vd", "xvd", "hd" };

	for (size_t i = 0; i < ARRAY_LEN(counted); i++) {
		size_t k = strlen(counted[i]);

		/* nvme0n1p2, loop7p1, mmcblk0p1: digits, and letters that count parts */
		if (n <= k || memcmp(s, counted[i], k) != 0 || !pseudo_is_digit(s[k]))
			continue;
		while (k < n && (pseudo_is_digit(s[k]) || (strchr("npc", s[k]) && k + 1 < n && pseudo_is_digit(s[k + 1]))))
			k++;
		if (k == n)
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(lettered); i++) {
		size_t k = strlen(lettered[i]), letters = 0;

		if (n <= k || memcmp(s, lettered[i], k) != 0)
			continue;
		for (; k < n && s[k] >= 'a' && s[k] <= 'z'; k++)
			letters++;
		while (k < n && pseudo_is_digit(s[k]))
			k++;
		if (k == n && letters >= 1 && letters <= 3)
			return true;
	}
	return false;
}

bool pseudo_is_system(const char *s, size_t n)
{
	static const char *const kernels[] = { "vmlinuz-", "initrd.img-", "initramfs-", "vmlinuz", "initrd.img" };

	if (has_word(systems, ARRAY_LEN(systems), s, n) || is_device(s, n))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(kernels); i++)
		if (n >= strlen(kernels[i]) && memcmp(s, kernels[i], strlen(kernels[i])) == 0)
			return true;
	return false;
}
