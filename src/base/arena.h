/* SPDX-License-Identifier: MIT */
/*
 * arena.h: memory for many small things that live and die together: taken from large
 * chunks one behind the other, and given back all at once. Not thread-safe.
 */
#ifndef WP_BASE_ARENA_H
#define WP_BASE_ARENA_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpArenaChunk WpArenaChunk;

/* All zeros are an empty arena. */
typedef struct {
	WpArenaChunk *chunks; /* owned: the latest first */
	guint8 *at, *end; /* borrowed: what is free of the latest */
} WpArena;

/* Gives all memory back; the arena is empty then. */
void wp_arena_clear(WpArena *arena);
/* The same, but the memory of the latest chunk is kept for what comes next. */
void wp_arena_reset(WpArena *arena);
/* Bytes of any value, aligned for any number or pointer, good until the arena is cleared or reset. */
gpointer wp_arena_take(WpArena *arena, gsize size);
/* The same, zeroed. */
gpointer wp_arena_alloc0(WpArena *arena, gsize size);
/* A copy of size bytes; NULL when size is 0. */
gpointer wp_arena_copy(WpArena *arena, gconstpointer data, gsize size);
/* A copy of length bytes of text, with a NUL behind them. */
gchar *wp_arena_copy_text(WpArena *arena, const gchar *text, gsize length);

#define wp_arena_new0(arena, type) ((type *)wp_arena_alloc0((arena), sizeof(type)))

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WpArena, wp_arena_clear)

G_END_DECLS

#endif
