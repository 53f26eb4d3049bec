/* SPDX-License-Identifier: Apache-2.0 */
/* Leads to another node: starts the agent there through a program that the site already uses and
 * hands over its standard streams. What the program says when it fails is told by the harness. */
#include <iowitness/driver.h>

#include "lib/fail.h"
#include "remote-node/push.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum via { VIA_SSH, VIA_SRUN, VIA_KUBECTL, VIA_DOCKER, VIA_SUDO, VIA_COMMAND };

struct conf {
	const char *host, *user, *identity, *jump, *program, *plugin_path, *space, *container;
	const char *const *options, *const *command;
	uint32_t via;
	int64_t port, timeout;
	uint8_t reuse, push;
};

struct target {
	const struct conf *c;
};

#define AT(m) .offset = offsetof(struct conf, m)
static const char *const vias[] = { "ssh", "srun", "kubectl", "docker", "sudo", "command", NULL };

static const struct iow_key keys[] = {
	{ .name = "host", .type = IOW_KEY_STRING, AT(host),
	  .help = "Host, pod or container, as the launcher calls it; not given: the node's name in the plan" },
	{ .name = "via", .type = IOW_KEY_CHOICE, AT(via), .def = "ssh", .choices = vias,
	  .help = "Program that carries the stream: ssh, srun of Slurm, kubectl exec, docker exec, sudo, or the command key" },
	{ .name = "user", .type = IOW_KEY_STRING, AT(user), .help = "User there (ssh, sudo)" },
	{ .name = "port", .type = IOW_KEY_INT, AT(port), .def = "0", .max = 65535, .help = "Port (ssh); 0: as ssh is configured" },
	{ .name = "identity", .type = IOW_KEY_STRING, AT(identity), .help = "File of the key to log in with (ssh)" },
	{ .name = "jump", .type = IOW_KEY_STRING, AT(jump), .help = "Host to go through (ssh -J)" },
	{ .name = "reuse", .type = IOW_KEY_BOOL, AT(reuse), .def = "false",
	  .help = "Share one connection with other sessions to that host (ssh ControlMaster)" },
	{ .name = "namespace", .type = IOW_KEY_STRING, AT(space), .help = "Namespace (kubectl)" },
	{ .name = "container", .type = IOW_KEY_STRING, AT(container), .help = "Container of the pod (kubectl)" },
	{ .name = "options", .type = IOW_KEY_LIST, .flags = IOW_KEY_COMMAND, AT(options),
	  .help = "Further arguments of the launcher, before the host" },
	{ .name = "command", .type = IOW_KEY_LIST, .flags = IOW_KEY_COMMAND, AT(command),
	  .help = "A launcher of your own: {host} becomes the host, {agent} the quoted command line of the agent, "
		  "which is else added at the end" },
	{ .name = "program", .type = IOW_KEY_STRING, .flags = IOW_KEY_COMMAND, AT(program), .def = "iowitness",
	  .help = "Program of the agent there" },
	{ .name = "plugin_path", .type = IOW_KEY_STRING, .flags = IOW_KEY_COMMAND, AT(plugin_path),
	  .help = "Directories of drivers there, looked in first" },
	{ .name = "push", .type = IOW_KEY_BOOL, AT(push), .def = "false",
	  .help = "Carry the program and the drivers there, into a directory that is removed at the end" },
	{ .name = "timeout", .type = IOW_KEY_TIME, AT(timeout), .def = "15s", .min = 1000000000, .max = 3600000000000,
	  .help = "Longest time to connect" },
	{ .name = NULL },
};

/* ---- argument lists ---- */

#define ARGS_MAX 128

struct args {
	const char *v[ARGS_MAX + 1];
	char *owned[ARGS_MAX];
	unsigned n, n_owned;
	int full;
};

static void add(struct args *a, const char *s)
{
	if (a->n == ARGS_MAX || !s)
		a->full = 1;
	else
		a->v[a->n++] = s;
}

static void add_own(struct args *a, char *s)
{
	if (!s || a->n_owned == ARGS_MAX) {
		a->full = 1;
		free(s);
		return;
	}
	a->owned[a->n_owned++] = s;
	add(a, s);
}

static void addf(struct args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void addf(struct args *a, const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	add_own(a, s);
}

static void add_list(struct args *a, const char *const *list)
{
	for (; list && *list; list++)
		add(a, *list);
}

/* One word for a shell at the other end. */
static char *quoted(const char *const *argv)
{
	size_t n = 1, at = 0;
	char *s;

	for (const char *const *p = argv; *p; p++)
		n += 4 * strlen(*p) + 3;
	s = malloc(n);
	if (!s)
		return NULL;
	for (const char *const *p = argv; *p; p++) {
		if (p != argv)
			s[at++] = ' ';
		s[at++] = '\'';
		for (const char *c = *p; *c; c++) {
			if (*c == '\'') {
				memcpy(s + at, "'\\''", 4);
				at += 4;
			} else {
				s[at++] = *c;
			}
		}
		s[at++] = '\'';
	}
	s[at] = 0;
	return s;
}

static char *replace(const char *s, const char *word, const char *by)
{
	const char *p = strstr(s, word);
	char *out = NULL;

	if (!p)
		return strdup(s);
	if (asprintf(&out, "%.*s%s%s", (int)(p - s), s, by, p + strlen(word)) < 0)
		return NULL;
	return out;
}

/* ---- launchers ---- */

static void by_ssh(struct args *a, const struct conf *c, const char *host, const char *const *agent)
{
	/* BatchMode: nobody is there to type a password. Host keys are checked as the site has set it. */
	add(a, "ssh");
	add(a, "-T");
	add(a, "-oBatchMode=yes");
	addf(a, "-oConnectTimeout=%lld", (long long)((c->timeout + 999999999) / 1000000000));
	add(a, "-oServerAliveInterval=10");
	add(a, "-oServerAliveCountMax=3");
	add(a, "-oClearAllForwardings=yes");
	if (c->reuse) {
		add(a, "-oControlMaster=auto");
		add(a, "-oControlPersist=60");
		add(a, "-oControlPath=~/.ssh/iowitness-%C");
	}
	if (c->port)
		addf(a, "-p%lld", (long long)c->port);
	if (c->identity)
		addf(a, "-i%s", c->identity);
	if (c->jump)
		addf(a, "-J%s", c->jump);
	if (c->user)
		addf(a, "-l%s", c->user);
	add_list(a, c->options);
	add(a, "--");
	add(a, host);
	add_own(a, quoted(agent));
}

static void by_exec(struct args *a, const struct conf *c, const char *host, const char *const *agent)
{
	switch (c->via) {
	case VIA_SRUN:
		add(a, "srun");
		add(a, "--nodes=1");
		add(a, "--ntasks=1");
		add(a, "--overlap");
		add(a, "--unbuffered");
		addf(a, "--nodelist=%s", host);
		add_list(a, c->options);
		break;
	case VIA_KUBECTL:
		add(a, "kubectl");
		add(a, "exec");
		add(a, "-i");
		if (c->space)
			addf(a, "--namespace=%s", c->space);
		if (c->container)
			addf(a, "--container=%s", c->container);
		add_list(a, c->options);
		add(a, host);
		add(a, "--");
		break;
	case VIA_DOCKER:
		add(a, "docker");
		add(a, "exec");
		add(a, "-i");
		add_list(a, c->options);
		add(a, host);
		break;
	default:
		add(a, "sudo");
		add(a, "-n");
		if (c->user)
			addf(a, "--user=%s", c->user);
		add_list(a, c->options);
		add(a, "--");
	}
	add_list(a, agent);
}

static void by_command(struct args *a, const struct conf *c, const char *host, const char *const *agent)
{
	int placed = 0;

	for (const char *const *p = c->command; *p; p++) {
		char *with_host = replace(*p, "{host}", host), *word;

		if (with_host && strstr(with_host, "{agent}")) {
			char *line = quoted(agent);

			word = line ? replace(with_host, "{agent}", line) : NULL;
			placed = 1;
			free(line);
			free(with_host);
		} else {
			word = with_host;
		}
		add_own(a, word);
	}
	if (!placed)
		add_list(a, agent);
}

/* ---- calls ---- */

static void *node_open(const struct iow_host *h, const struct iow_open *o, struct iow_error *e)
{
	const struct conf *c = o->conf;
	struct target *t;

	if (c->via == VIA_COMMAND && (!c->command || !*c->command)) {
		fail(e, EINVAL, "via \"command\" needs the key \"command\"");
		return NULL;
	}
	t = calloc(1, sizeof *t);
	if (t)
		t->c = c;
	else
		fail(e, ENOMEM, "remote-node");
	return t;
}

static void node_close(void *target)
{
	free(target);
}

static int start(const struct args *a, struct iow_link *l, struct iow_error *e)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 }, rc;
	posix_spawn_file_actions_t fa;
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) {
		rc = errno;
	} else {
		posix_spawn_file_actions_init(&fa);
		posix_spawn_file_actions_adddup2(&fa, in[0], 0);
		posix_spawn_file_actions_adddup2(&fa, out[1], 1);
		posix_spawn_file_actions_adddup2(&fa, err[1], 2);
		rc = posix_spawnp(&pid, a->v[0], &fa, NULL, (char *const *)a->v, environ);
		posix_spawn_file_actions_destroy(&fa);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	if (rc) {
		close(in[1]);
		close(out[0]);
		close(err[0]);
		return fail(e, rc, "%s cannot be started", a->v[0]);
	}
	l->in = out[0];
	l->out = in[1];
	l->err = err[0];
	l->pid = pid;
	return 0;
}

static void launcher(struct args *a, const struct conf *c, const char *host, const char *const *agent)
{
	if (c->command && *c->command)
		by_command(a, c, host, agent);
	else if (c->via == VIA_SSH)
		by_ssh(a, c, host, agent);
	else
		by_exec(a, c, host, agent);
}

static void release(struct args *a)
{
	for (unsigned i = 0; i < a->n_owned; i++)
		free(a->owned[i]);
}

/* The agent's command line there: installed, or out of what is pushed. */
static void agent_line(struct args *agent, const struct conf *c, const struct iow_connect *n, const struct push *p)
{
	if (p->script) {
		add(agent, "sh");
		add(agent, "-c");
		add(agent, p->script);
		return;
	}
	add(agent, c->program);
	for (const char *const *w = n->argv + 1; *w; w++)
		add(agent, *w);
	if (c->plugin_path)
		addf(agent, "--plugin-path=%s", c->plugin_path);
}

static void stop(struct iow_link *l)
{
	close(l->in);
	close(l->out);
	close(l->err);
	l->in = l->out = l->err = -1;
}

static int node_connect(void *target, const struct iow_connect *n, struct iow_link *l, struct iow_error *e)
{
	const struct conf *c = ((struct target *)target)->c;
	const char *host = c->host ? c->host : n->node;
	struct args a = { .n = 0 }, agent = { .n = 0 };
	struct push p = { .n = 0 };
	int rc;

	if (host[0] == '-')
		return fail(e, EINVAL, "host \"%s\" would be taken as an option", host);
	if (c->push && n->size <= offsetof(struct iow_connect, files))
		return fail(e, ENOTSUP, "this program does not say what to push");
	if (c->push && push_make(&p, n->files, e))
		return -1;
	agent_line(&agent, c, n, &p);
	launcher(&a, c, host, agent.v);
	rc = a.full || agent.full ? fail(e, E2BIG, "the command line of the launcher is too long") : start(&a, l, e);
	if (!rc && c->push && push_send(&p, l->out, n->timeout_ns > c->timeout ? n->timeout_ns : c->timeout, e)) {
		stop(l);
		rc = -1;
	}
	push_release(&p);
	release(&a);
	release(&agent);
	return rc;
}

static const struct iow_driver driver = {
	.abi = IOW_ABI,
	.size = sizeof(struct iow_driver),
	.key_size = sizeof(struct iow_key),
	.conf_size = sizeof(struct conf),
	.name = "remote-node",
	.version = "1",
	.summary = "leads to another node through ssh, srun, kubectl, docker, sudo or a command of your own",
	.keys = keys,
	.caps = IOW_CAP_CONNECT,
	.open = node_open,
	.close = node_close,
	.connect = node_connect,
};

const struct iow_driver *iow_driver_1(void)
{
	return &driver;
}
