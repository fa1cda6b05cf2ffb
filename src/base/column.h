/* SPDX-License-Identifier: MIT */
/*
 * column.h: an append-only array of fixed-size elements that grows without
 * copying.
 *
 * A column is a directory of chunks of 2^20 elements. A chunk is anonymous
 * memory that is committed bit by bit as the column grows, and, when the limit is
 * reached, goes on in an unlinked file, so that the kernel can page it out; or it is a
 * part of a mapped file that is only read. Elements never move: pointers to them stay
 * good until the column is cleared.
 *
 * A chunk of a mapped file is verified when it is touched first. What does not
 * pass is replaced by blank elements, and the column remembers that it is damaged:
 * so no reader needs to mistrust an index that it finds in an element.
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
/* Bytes handed out so far, a little more than are used, and of these in the spill file. */
guint64 wp_memory_get_total(WpMemory *memory);
guint64 wp_memory_get_spilled(WpMemory *memory);
/*
 * From start to stop, a thread makes the memory ready that large columns are about to need, which
 * is a good part of what it costs to fill them. Both are called by one thread.
 */
void wp_memory_start_ahead(WpMemory *memory);
void wp_memory_stop_ahead(WpMemory *memory);

/*
 * Memory of a size that is known, for what is made of columns and is as long as they are: counted,
 * and put into the file beyond the limit, as chunks are. Zeroed.
 */
typedef struct {
	gpointer data; /* owned */
	gsize bytes; /* whole pages; 0: data is of the heap */
	gboolean spilled;
	WpMemory *memory; /* reference, NULL: plain anonymous memory */
} WpBlock;

/* FALSE with WP_ERROR_LIMIT or _FAILED when memory or disk is out; block is then untouched. */
gboolean wp_block_init(WpBlock *block, gsize bytes, WpMemory *memory, GError **error);
/*
 * The same, and returns data; where neither disk nor memory is left this ends the program, as
 * g_malloc() does.
 */
gpointer wp_block_need(WpBlock *block, gsize bytes, WpMemory *memory);
/* Also of a block that is all zero. */
void wp_block_clear(WpBlock *block);

/* How the chunks of a mapped column are verified; shared by all that need it. */
typedef struct {
	const void *blank; /* borrowed: an element that refers to nothing */
	/* TRUE when the n elements, numbered from first, hold nothing out of range. */
	gboolean (*check)(const void *elements, guint64 first, guint32 n, gconstpointer data);
	gconstpointer data; /* borrowed */
} WpColumnCheck;

typedef struct WpColumnMapping WpColumnMapping;

typedef struct {
	guint8 **chunks; /* owned; the chunks too unless mapped; NULL: not yet verified */
	guint64 n; /* elements in use */
	guint64 ready; /* elements that there is room for before more is to be made */
	guint8 *next; /* borrowed: where the next element goes while n < ready */
	guint32 n_chunks;
	guint32 element; /* bytes */
	WpColumnMapping *mapping; /* owned, NULL: chunks are this column's own memory */
	WpMemory *memory; /* reference, NULL: plain anonymous memory */
	guint64 committed; /* bytes, of all chunks: those before the last are full */
	guint64 anonymous; /* of these bytes in front of those in the spill file, if some are */
	gboolean spilled; /* the last bytes lie there, as all further ones will */
} WpColumn;

void wp_column_init(WpColumn *column, gsize element, WpMemory *memory);
void wp_column_clear(WpColumn *column);
/*
 * Makes a read-only column of n elements at data, which must outlive it, as must the
 * rest. sums: the wp_checksum() of each chunk; check may be NULL.
 */
void wp_column_init_mapped(WpColumn *column, gsize element, const void *data, guint64 n,
			   const guint64 *sums, const WpColumnCheck *check);
/* Verifies and returns a chunk, or its blank replacement. Thread-safe. */
guint8 *wp_column_load(const WpColumn *column, guint32 chunk);
/* Whether some chunk touched so far did not pass. */
gboolean wp_column_is_damaged(const WpColumn *column);
/* For integrity, not against forgery: 64 bits over n bytes. */
guint64 wp_checksum(const void *data, gsize n);
/* The same as wp_column_push(), where room is to be made first. */
gpointer wp_column_push_slow(WpColumn *column, GError **error);
/* n new elements at the end, all of whose bytes are that one. Fails as wp_column_push() does. */
gboolean wp_column_push_filled(WpColumn *column, guint64 n, guint8 byte, GError **error);

/* element: the column's own; where it is a constant the multiplication is none. */
static inline gpointer wp_column_at(const WpColumn *column, guint64 i, gsize element)
{
	guint8 *chunk = __atomic_load_n(&column->chunks[i >> WP_COLUMN_CHUNK_SHIFT],
					__ATOMIC_ACQUIRE);

	if (G_UNLIKELY(!chunk))
		chunk = wp_column_load(column, (guint32)(i >> WP_COLUMN_CHUNK_SHIFT));
	return chunk + (i & (WP_COLUMN_CHUNK_ELEMENTS - 1)) * element;
}

/*
 * The address of a new element at the end, zeroed. NULL with WP_ERROR_LIMIT or _FAILED when memory
 * or disk is out or the column is full (2^32 - 2 elements).
 */
static inline gpointer wp_column_push(WpColumn *column, GError **error)
{
	guint8 *element = column->next;

	if (G_UNLIKELY(column->n >= column->ready))
		return wp_column_push_slow(column, error);
	column->n++;
	column->next = element + column->element;
	return element;
}

/*
 * Of a column whose elements have a 32-bit number at an offset, and lie in its order: the first
 * that has this number or a higher one; the column's n when there is none.
 */
guint64 wp_column_find_number(const WpColumn *column, gsize offset, guint32 number);

/* Typed access: an lvalue. The caller checks the index. */
#define WP_AT(column, type, i) (*(type *)wp_column_at((column), (i), sizeof(type)))

G_END_DECLS

#endif
