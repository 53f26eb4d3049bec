/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/template.h"

#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#define TEMPLATE_MOST (4u << 20)

int template_load(const struct template_dirs *t, const char *name, struct buf *out, char **path, struct iow_error *e)
{
	struct buf searched = BUF_INIT;

	for (size_t i = 0; i < t->n; i++) {
		mem_auto char *here = file_join(t->dirs[i], name);
		if (access(here, F_OK) == 0) {
			buf_release(&searched);
			if (path)
				*path = mem_strdup(here);
			return file_read(here, out, TEMPLATE_MOST, e);
		}
		buf_printf(&searched, "%s%s", i ? ", " : "", t->dirs[i]);
	}
	err_set(e, 0, "template %s: in none of the directories searched (%s)", name, buf_str(&searched));
	buf_release(&searched);
	return -1;
}
