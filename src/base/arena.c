/* SPDX-License-Identifier: MIT */
/* arena.c: chunks in a list; what is too large for the rest of one begins a new one. */
#include "config.h"

#include <string.h>

#include "base/arena.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

/* Under ASan each thing is a chunk of its own, so that it sees what reads beyond it. */
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_ASAN)
#define CHUNK_BYTES 0u
#else
#define CHUNK_BYTES (16384u - 4 * sizeof(gpointer)) /* whole pages with what malloc() adds */
#endif

struct WpArenaChunk {
	WpArenaChunk *next; /* owned */
	gsize room; /* bytes of data */
	guint64 data[]; /* of the alignment that is promised */
};

static void free_chunks(WpArenaChunk *chunk)
{
	while (chunk) {
		WpArenaChunk *next = chunk->next;

		g_free(chunk);
		chunk = next;
	}
}

void wp_arena_clear(WpArena *arena)
{
	free_chunks(arena->chunks);
	*arena = (WpArena){NULL};
}

void wp_arena_reset(WpArena *arena)
{
	WpArenaChunk *chunk = arena->chunks;

	/* One that was made for a single large thing would be kept for ever. */
	if (!chunk || chunk->room > CHUNK_BYTES) {
		wp_arena_clear(arena);
		return;
	}
	free_chunks(chunk->next);
	chunk->next = NULL;
	arena->at = (guint8 *)chunk->data;
}

/* A chunk that has room for size bytes, whatever is left of the one before. */
static void add_chunk(WpArena *arena, gsize size)
{
	const gsize room = MAX(size, CHUNK_BYTES);
	WpArenaChunk *chunk = g_malloc(sizeof(*chunk) + room);

	chunk->next = arena->chunks;
	chunk->room = room;
	arena->chunks = chunk;
	arena->at = (guint8 *)chunk->data;
	arena->end = arena->at + room;
}

gpointer wp_arena_take(WpArena *arena, gsize size)
{
	const gsize aligned = (size + sizeof(guint64) - 1) & ~(sizeof(guint64) - 1);
	guint8 *taken;

	if (!arena->at || size > (gsize)(arena->end - arena->at))
		add_chunk(arena, size);
	taken = arena->at;
	arena->at += MIN(aligned, (gsize)(arena->end - taken));
	return taken;
}

gpointer wp_arena_alloc0(WpArena *arena, gsize size)
{
	return memset(wp_arena_take(arena, size), 0, size);
}

gpointer wp_arena_copy(WpArena *arena, gconstpointer data, gsize size)
{
	return size ? memcpy(wp_arena_take(arena, size), data, size) : NULL;
}

gchar *wp_arena_copy_text(WpArena *arena, const gchar *text, gsize length)
{
	gchar *copy = wp_arena_take(arena, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}
