/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spawn.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int place(int from, int to)
{
	int fd = from < 0 ? open("/dev/null", (to == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC) : from;

	if (fd < 0)
		return -1;
	return fd == to ? fcntl(fd, F_SETFD, 0) : dup2(fd, to);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the new process: only calls that are safe after fork. Returns when something failed. */
static void become(const struct spawn *s, pid_t parent)
{
	const int from[3] = { s->in, s->out, s->err };

	reset_signals();
	if (s->session)
		setsid();
	if (s->dies_with_parent) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL))
			return;
		if (getppid() != parent) /* it ended before the line above */
			_exit(0);
	}
	for (int i = 0; i < 3; i++)
		if (place(from[i], i) < 0)
			return;
	if (s->keep >= 0 && fcntl(s->keep, F_SETFD, 0))
		return;
	if (s->file)
		execv(s->file, (char *const *)s->argv);
	else
		execvp(s->argv[0], (char *const *)s->argv);
}

/* Descriptors that become 0, 1, 2 must not be overwritten before their turn: those below 3 are moved
 * out of the way by the caller of place() in this copy. */
static int lift(int fd, int *lifted)
{
	*lifted = fd;
	if (fd < 0 || fd > 2)
		return 0;
	*lifted = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return *lifted < 0 ? -1 : 0;
}

static void in_child(const struct spawn *s, pid_t parent, int report)
{
	struct spawn c = *s;
	int err;

	if (!lift(s->in, &c.in) && !lift(s->out, &c.out) && !lift(s->err, &c.err))
		become(&c, parent);
	err = errno;
	while (write(report, &err, sizeof err) < 0 && errno == EINTR)
		;
	_exit(127);
}

int spawn_start(const struct spawn *s, pid_t *pid, struct iow_error *e)
{
	int report[2], err = 0;
	pid_t parent = getpid();
	ssize_t n;

	*pid = -1;
	if (pipe2(report, O_CLOEXEC))
		return err_sys(e, errno, "pipe");
	*pid = fork();
	if (*pid == 0)
		in_child(s, parent, report[1]);
	if (*pid < 0)
		err = errno;
	close(report[1]);
	if (err) {
		close(report[0]);
		return err_sys(e, err, "fork");
	}
	do
		n = read(report[0], &err, sizeof err);
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n <= 0)
		return 0;
	while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		;
	*pid = -1;
	return err_sys(e, err, "%s", s->argv[0]);
}

char *spawn_self_dir(void)
{
	char path[PATH_MAX], *slash;
	ssize_t n = readlink(SPAWN_SELF, path, sizeof path);

	if (n <= 0 || (size_t)n == sizeof path)
		return NULL;
	path[n] = 0;
	slash = strrchr(path, '/');
	return slash ? mem_strndup(path, (size_t)(slash - path)) : NULL;
}

const char *spawn_signal_name(int sig, char out[24])
{
	const char *abbrev = sigabbrev_np(sig);

	if (abbrev)
		snprintf(out, 24, "SIG%s", abbrev);
	else
		snprintf(out, 24, "signal %d", sig);
	return out;
}

void spawn_describe(int status, char *out, size_t size)
{
	char name[24];

	if (WIFSIGNALED(status))
		snprintf(out, size, "signal %d (%s)", WTERMSIG(status), spawn_signal_name(WTERMSIG(status), name));
	else
		snprintf(out, size, "exit code %d", WEXITSTATUS(status));
}
