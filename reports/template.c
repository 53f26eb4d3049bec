/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/template.h"

#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#define TEMPLATE_MOST (1u << 20)

int template_load(const char *const *dirs, size_t n, const char *name, struct buf *out, struct iow_error *e)
{
	struct buf searched = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		mem_auto char *path = file_join(dirs[i], name);
		if (access(path, F_OK) == 0) {
			buf_release(&searched);
			return file_read(path, out, TEMPLATE_MOST, e);
		}
		buf_printf(&searched, "%s%s", i ? ", " : "", dirs[i]);
	}
	err_set(e, 0, "template %s: in none of the directories searched (%s)", name, buf_str(&searched));
	buf_release(&searched);
	return -1;
}
