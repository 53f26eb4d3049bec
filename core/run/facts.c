/* SPDX-License-Identifier: Apache-2.0 */
#include "run/facts.h"

#include "base/err.h"
#include "base/file.h"
#include "base/jsonx.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/utf8.h"

#include <errno.h>
#include <string.h>

#define FACT_MAX 2000

void fact_text(json_t *o, const char *name, const char *text, const char *why)
{
	mem_auto char *clean = utf8_clean(text, FACT_MAX), *absent = NULL;
	size_t n = strlen(clean), skip = strspn(clean, " ");

	while (n > skip && clean[n - 1] == ' ')
		clean[--n] = 0;
	if (n > skip) {
		jsonx_set_str(o, name, clean + skip);
		return;
	}
	absent = mem_printf(FACT_UNREADABLE "%s", why);
	jsonx_set_str(o, name, absent);
}

void fact_file(json_t *o, const char *name, const char *path)
{
	mem_auto char *why = NULL;
	char line[FACT_MAX];

	errno = 0;
	if (file_line(path, line, sizeof line)) {
		why = mem_printf("%s: %s", path, err_name(errno));
		*line = 0;
	}
	fact_text(o, name, line, why ? why : "it is empty");
}

void fact_bytes(json_t *o, const char *name, uint64_t bytes)
{
	char text[40];
	mem_auto char *both = NULL;

	num_bytes(bytes, text);
	both = mem_printf("%s (%llu bytes)", text, (unsigned long long)bytes);
	jsonx_set_str(o, name, both);
}
