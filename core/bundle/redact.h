/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_BUNDLE_REDACT_H
#define IOW_BUNDLE_REDACT_H

#include "base/pseudonym.h"
#include "bundle/bundle.h"

/* A copy of a bundle in which names of hosts, users, disks and files are pseudonyms, for evidence that goes
 * outside. All numbers, indexes and the schedule stay as they are. See iowitness-bundle(5), REDACTED. */

/* Writes the evidence of `b` into the empty directory `to`; `p` is new and knows afterwards what was
 * replaced. host.json gets the member "redacted", which names `b`'s evidence. EVIDENCE is written when `b`
 * has one. A bundle that is redacted already is copied as it is. Refused when an original would be left. */
int bundle_redact(const struct bundle *b, const char *to, struct pseudonyms *p, bool keyed, struct iow_error *e);

#endif
