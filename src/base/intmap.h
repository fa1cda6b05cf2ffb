/* SPDX-License-Identifier: MIT */
/*
 * intmap.h: a map from 64-bit integer keys to 32-bit values: open addressing,
 * linear probing, one allocation, deletion by moving the cluster back.
 */
#ifndef WP_BASE_INTMAP_H
#define WP_BASE_INTMAP_H

#include "base/types.h"

G_BEGIN_DECLS

typedef struct {
	guint64 *keys; /* owned */
	guint32 *values; /* owned; WP_NONE marks a free slot */
	guint32 mask; /* slots minus one */
	guint32 n;
} WpIntMap;

void wp_intmap_init(WpIntMap *map);
void wp_intmap_clear(WpIntMap *map);
/* WP_NONE when absent. */
guint32 wp_intmap_get(const WpIntMap *map, guint64 key);
/* value must not be WP_NONE. */
void wp_intmap_set(WpIntMap *map, guint64 key, guint32 value);
/* The value that is there; where there is none, this one, which is not WP_NONE, is put there. */
guint32 wp_intmap_add(WpIntMap *map, guint64 key, guint32 value);
/* The value that was there, or WP_NONE. */
guint32 wp_intmap_remove(WpIntMap *map, guint64 key);
/* Iteration in slot order (arbitrary): start with *iter = 0, FALSE at the end. */
gboolean wp_intmap_next(const WpIntMap *map, guint32 *iter, guint64 *ret_key, guint32 *ret_value);

G_END_DECLS

#endif
