/* SPDX-License-Identifier: MIT */
/*
 * lttng-index.h: the index files that LTTng writes beside its streams
 * (index/STREAM.idx). Packets are found without them; that one does not fit its
 * stream is worth telling, since other tools believe it.
 */
#ifndef WP_CTF_LTTNG_INDEX_H
#define WP_CTF_LTTNG_INDEX_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
	guint64 offset, size; /* bytes */
} WpCtfExtent;

typedef enum {
	WP_CTF_INDEX_NONE, /* there is none */
	WP_CTF_INDEX_FITS,
	WP_CTF_INDEX_STALE
} WpCtfIndexState;

/* Compares the index of a stream with where its packets (n extents, in order) are. */
WpCtfIndexState wp_ctf_lttng_index_check(const gchar *directory, const gchar *stream,
					 const WpCtfExtent *extents, guint n);

G_END_DECLS

#endif
