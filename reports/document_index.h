/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IOW_REPORTS_DOCUMENT_INDEX_H
#define IOW_REPORTS_DOCUMENT_INDEX_H

#include <stddef.h>

struct document;

/* The anchors of a document, sorted, for document_finish() and document_find(). */
struct doc_index {
	struct doc_index_entry {
		const char *anchor; /* borrowed from the block */
		size_t block;
	} *entries;
	size_t n;
};

#endif
