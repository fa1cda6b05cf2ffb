/* SPDX-License-Identifier: MIT */
/*
 * column.h: an append-only array of fixed-size elements that grows without
 * copying.
 *
 * A column is a directory of chunks of 2^20 elements. A chunk is anonymous
 * memory that the kernel commits page by page, or, when a spill directory is
 * set, a piece of an unlinked file there, so that the kernel can page it out;
 * or a part of a mapped file that is only read. Elements never move: pointers
 * to them stay good until the column is cleared.
 */
#ifndef WP_BASE_COLUMN_H
#define WP_BASE_COLUMN_H

#include <glib.h>

G_BEGIN_DECLS

#define WP_COLUMN_CHUNK_SHIFT 20
#define WP_COLUMN_CHUNK_ELEMENTS (1u << WP_COLUMN_CHUNK_SHIFT)

/* Where columns get their memory: shared by all columns of one analysis. */
typedef struct WpMemory WpMemory;

/*
 * limit: bytes of anonymous memory that all columns together may take before
 * further chunks go to an unlinked file in spill_dir (NULL: the user's cache
 * directory). 0 means no limit. Thread-safe. Owned by the caller.
 */
WpMemory *wp_memory_new(guint64 limit, const gchar *spill_dir);
WpMemory *wp_memory_ref(WpMemory *memory);
void wp_memory_unref(WpMemory *memory);
/* Bytes handed out so far (of chunks' full size), and of these in the spill file. */
guint64 wp_memory_get_total(WpMemory *memory);
guint64 wp_memory_get_spilled(WpMemory *memory);

typedef struct {
	guint8 **chunks; /* owned; the chunks too unless mapped */
	guint64 n; /* elements in use */
	guint32 n_chunks;
	guint32 element; /* bytes */
	gboolean mapped; /* chunks lie in a read-only mapping of somebody else's */
	WpMemory *memory; /* reference, NULL: plain anonymous memory */
} WpColumn;

void wp_column_init(WpColumn *column, gsize element, WpMemory *memory);
void wp_column_clear(WpColumn *column);
/* Makes a read-only column of n elements at data, which must outlive it. */
void wp_column_init_mapped(WpColumn *column, gsize element, const void *data, guint64 n);
/*
 * Makes room for the next element. FALSE with WP_ERROR_LIMIT or _FAILED when memory or disk
 * is out or the column is full (2^32 - 2 elements).
 */
gboolean wp_column_grow(WpColumn *column, GError **error);

static inline gpointer wp_column_at(const WpColumn *column, guint64 i)
{
	return column->chunks[i >> WP_COLUMN_CHUNK_SHIFT] +
	       (i & (WP_COLUMN_CHUNK_ELEMENTS - 1)) * column->element;
}

/* The address of a new element at the end, zeroed; NULL with an error. */
static inline gpointer wp_column_push(WpColumn *column, GError **error)
{
	if (G_UNLIKELY((column->n >> WP_COLUMN_CHUNK_SHIFT) >= column->n_chunks) &&
	    !wp_column_grow(column, error))
		return NULL;
	return wp_column_at(column, column->n++);
}

/* Typed access: an lvalue. The caller checks the index. */
#define WP_AT(column, type, i) (*(type *)wp_column_at((column), (i)))

G_END_DECLS

#endif
