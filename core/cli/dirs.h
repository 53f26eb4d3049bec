/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_CLI_DIRS_H
#define IOW_CLI_DIRS_H

#include <stddef.h>

/* Where templates (plans, report, schema) are searched, first match wins: `option` (--templates,
 * may be NULL), $IOWITNESS_TEMPLATES, $XDG_CONFIG_HOME/iowitness/templates (else ~/.config/…), the
 * templates beside the program when it runs from its build tree, the installed ones.
 * NULL-terminated; `below` ("/report" or "") is added to each. Free with dirs_free. */
char **dirs_templates(const char *option, const char *below, size_t *n);
void dirs_free(char **dirs);

/* Where a campaign's bundle goes when nothing else is said: "20261130T201005Z-the-title.iow". The caller's. */
char *dirs_bundle(const char *title);

#endif
