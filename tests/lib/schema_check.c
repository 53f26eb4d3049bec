/* SPDX-License-Identifier: Apache-2.0 */
/* schema_check SCHEMA FILE: is each JSON value in FILE (one, or one a line) valid? Exit code 1 when not. */
#include <stdio.h>

#include "lib/schema.h"

int main(int argc, char **argv)
{
	json_t *schema = argc == 3 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, NULL) : NULL, *v;
	FILE *f = argc == 3 ? fopen(argv[2], "re") : NULL;
	int n = 0, bad = 0;

	if (!schema || !f) {
		fprintf(stderr, "usage: schema_check SCHEMA FILE, both readable\n");
		return 2;
	}
	while ((v = json_loadf(f, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, NULL))) {
		n++;
		if (!schema_valid(schema, schema, v, true)) {
			fprintf(stderr, "%s: value %d is not valid\n", argv[2], n);
			bad++;
		}
		json_decref(v);
	}
	fclose(f);
	json_decref(schema);
	return bad || !n;
}
