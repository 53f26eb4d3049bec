/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_RUN_LEDGER_H
#define IOW_RUN_LEDGER_H

#include <stdint.h>

#include <iowitness/driver.h>

/* The list of campaigns started on this host, so that a report can say "campaign 3 of this plan": who
 * measures until the figures please leaves a trace. One line a campaign, only ever appended, fsync'd:
 *
 *     UTC<TAB>SHA-256 of the plan<TAB>bundle directory
 *
 * in $XDG_STATE_HOME/iowitness, else $HOME/.local/state/iowitness, as root /var/lib/iowitness.
 * IOWITNESS_LEDGER names another file. */

/* Appends a campaign; *number is how many campaigns of that plan the ledger now has. -1 with the error
 * when there is no place for it or it cannot be written: the campaign may go on without a number. */
int ledger_add(const char *plan_sha256, const char *bundle_dir, int64_t utc_ns, int64_t *number,
	       struct iow_error *e);

#endif
