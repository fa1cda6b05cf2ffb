/* SPDX-License-Identifier: MIT */
/*
 * recent.h: small tables that stand in front of a hash table which is asked for every event.
 *
 * A key, an address, has one slot by a hash of it; the slot holds what was found there last,
 * which knows its key. Who takes entries out of the hash table empties the slots.
 */
#ifndef WP_BASE_RECENT_H
#define WP_BASE_RECENT_H

#include <glib.h>

G_BEGIN_DECLS

#define WP_RECENT_BITS 6
#define WP_RECENT_N (1u << WP_RECENT_BITS)

/* The upper bits of a product are the slot of a key (after Knuth, volume 3, 6.4). */
static inline guint64 wp_recent_mix(guint64 key)
{
	return key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
}

static inline guint64 wp_recent_hash(gconstpointer address)
{
	return wp_recent_mix((guintptr)address);
}

static inline guint wp_recent_slot(gconstpointer address)
{
	return (guint)(wp_recent_hash(address) >> (64 - WP_RECENT_BITS));
}

G_END_DECLS

#endif
