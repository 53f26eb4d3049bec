/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/num.h"
#include "base/vec.h"
#include "run/layout.h"

static void ask_filesystem(struct doctor_answer *a, const char *dir)
{
	char type[32];

	if (access(dir, F_OK) < 0) {
		doctor_bad(a, "name another folder with --dir", "%s: %s", dir, strerror(errno));
		return;
	}
	layout_filesystem(dir, type);
	if (layout_hides_device(type))
		doctor_bad(a, "name a folder on a disk with --dir", "%s lies on %s: %s", dir, type,
			   strcmp(type, "overlay") == 0 ? "the layer below answers for it" : "it is memory");
	else
		doctor_good(a, "%s lies on %s", dir, type);
}

static void ask_room(struct doctor_answer *a, const char *dir)
{
	struct statvfs s;
	char text[40];
	uint64_t room;

	if (statvfs(dir, &s) < 0) {
		doctor_bad(a, "name another folder with --dir", "%s: %s", dir, strerror(errno));
		return;
	}
	room = (uint64_t)s.f_bavail * s.f_frsize;
	num_bytes(room, text);
	if (access(dir, W_OK | X_OK) < 0)
		doctor_bad(a, "name a folder that you may write with --dir", "%s: %s", dir, strerror(errno));
	else if (room < (2ull << 30))
		doctor_limited(a, "name a folder with room with --dir",
			       "%s free; the quick plan wants about 1 GiB", text);
	else
		doctor_good(a, "%s free", text);
}

/* An unnamed file, so that nothing can be left behind. */
static int open_unnamed(const char *dir, int flags)
{
	return open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);
}

static void ask_direct(struct doctor_answer *a, const char *dir)
{
	static const size_t sizes[] = { 512, 1024, 2048, 4096 };
	void *block = NULL;
	size_t smallest = 0;
	int fd = open_unnamed(dir, O_DIRECT);

	if (fd < 0 || posix_memalign(&block, 4096, 4096) != 0) {
		doctor_limited(a, "use the posix driver here, or name another folder with --dir",
			       "no file can be opened for direct I/O in %s (%s)", dir, strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	memset(block, 0x5a, 4096);
	for (size_t i = 0; i < ARRAY_LEN(sizes) && !smallest; i++)
		if (pwrite(fd, block, sizes[i], 0) == (ssize_t)sizes[i])
			smallest = sizes[i];
	if (smallest)
		doctor_good(a, "direct I/O works here, from %zu bytes", smallest);
	else
		doctor_limited(a, "use the posix driver here, or name another folder with --dir",
			       "direct writes are refused in %s (%s)", dir, strerror(errno));
	free(block);
	close(fd);
}

const struct doctor_probe doctor_folder[] = {
	{ "filesystem", ask_filesystem },
	{ "room", ask_room },
	{ "direct I/O", ask_direct },
	{ NULL, NULL },
};
