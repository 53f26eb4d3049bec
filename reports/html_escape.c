/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/html_escape.h"

#include <string.h>

void html_escape(struct buf *out, const char *s)
{
	static const char special[] = "&<>\"'";
	static const char *const refs[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };

	while (*s) {
		size_t n = strcspn(s, special);
		buf_add(out, s, n);
		s += n;
		if (*s)
			buf_puts(out, refs[strchr(special, *s++) - special]);
	}
}
