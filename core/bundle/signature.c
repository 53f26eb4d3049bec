/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/vec.h"
#include "bundle/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMESPACE "iowitness"

bool bundle_signed(const char *dir)
{
	mem_auto char *sig = file_join(dir, "MANIFEST.sig");

	return access(sig, F_OK) == 0;
}

/* Runs ssh-keygen with MANIFEST as its input; its words, without the last newline, to `out`.
 * Returns its exit code. */
static int ask(const char *const *argv, const char *manifest, struct buf *out, struct iow_error *e)
{
	int fds[2], status = 0, in = open(manifest, O_RDONLY | O_CLOEXEC), rc;
	struct spawn s = SPAWN_INIT;
	char chunk[4096];
	ssize_t n;
	pid_t pid;

	if (in < 0)
		return err_sys(e, errno, "%s", manifest);
	if (pipe2(fds, O_CLOEXEC)) {
		close(in);
		return err_sys(e, errno, "pipe");
	}
	s.argv = argv;
	s.in = in;
	s.out = s.err = fds[1];
	rc = spawn_start(&s, &pid, e);
	close(in);
	close(fds[1]);
	while (!rc && ((n = read(fds[0], chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0 && out->len < sizeof chunk)
			buf_add(out, chunk, (size_t)n);
	close(fds[0]);
	if (rc)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_sys(e, errno, "%s: its end", argv[0]);
	while (out->len && out->data[out->len - 1] == '\n')
		out->data[--out->len] = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* The name in allowed_signers whose key made the signature, by ssh-keygen's own look-up. */
static int find_principal(const char *allowed, const char *sig, const char *manifest, struct buf *name,
			  struct iow_error *e)
{
	const char *const argv[] = { "ssh-keygen", "-Y", "find-principals", "-s", sig, "-f", allowed, NULL };
	int rc = ask(argv, manifest, name, e);

	if (rc == 0 && name->len) {
		name->data[strcspn(name->data, "\n")] = 0;
		return 1;
	}
	return rc < 0 ? -1 : (err_set(e, EACCES, "MANIFEST.sig: not by a signer of %s (%s)", allowed, buf_str(name)), 0);
}

int bundle_signature(const char *dir, const char *allowed_signers, char **says, struct iow_error *e)
{
	mem_auto char *sig = file_join(dir, "MANIFEST.sig"), *manifest = file_join(dir, "MANIFEST");
	struct buf name = BUF_INIT, out = BUF_INIT;
	int rc = 1;

	*says = NULL;
	if (!bundle_signed(dir))
		return err_set(e, ENOENT, "MANIFEST.sig: not there; the bundle is not signed"), 0;
	if (allowed_signers && access(allowed_signers, R_OK))
		return err_sys(e, errno, "%s", allowed_signers);
	if (allowed_signers)
		rc = find_principal(allowed_signers, sig, manifest, &name, e);
	if (rc == 1) {
		const char *const by[] = { "ssh-keygen", "-Y", "verify", "-n", NAMESPACE, "-s", sig, "-f",
					   allowed_signers, "-I", buf_str(&name), NULL };
		const char *const any[] = { "ssh-keygen", "-Y", "check-novalidate", "-n", NAMESPACE, "-s", sig, NULL };

		rc = ask(allowed_signers ? by : any, manifest, &out, e);
		if (rc == 0)
			*says = buf_take(&out);
		else if (rc > 0)
			err_set(e, EBADMSG, "MANIFEST.sig: %s", out.len ? out.data : "no signature of MANIFEST");
		rc = rc < 0 ? -1 : rc == 0;
	}
	buf_release(&name);
	buf_release(&out);
	return rc;
}
