/* SPDX-License-Identifier: MIT */
/* intmap.c: linear probing over a power of two of slots, at most 5/8 full. */
#include "config.h"

#include <string.h>

#include "base/intmap.h"

#define SLOTS_MIN 16u
/* Below, a map grows fourfold: it is moved half as often, and what that wastes is little. */
#define SLOTS_MANY 16384u

/* Finaliser of splitmix64: every bit of the key reaches the low bits. */
static inline guint32 slot_of(const WpIntMap *map, guint64 key)
{
	key = (key ^ (key >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	key = (key ^ (key >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return (guint32)(key ^ (key >> 31)) & map->mask;
}

void wp_intmap_init(WpIntMap *map)
{
	memset(map, 0, sizeof(*map));
}

void wp_intmap_clear(WpIntMap *map)
{
	g_free(map->keys);
	g_free(map->values);
	memset(map, 0, sizeof(*map));
}

/* The key's slot, or the free one where it would go. */
static guint32 probe(const WpIntMap *map, guint64 key)
{
	guint32 i = slot_of(map, key);

	while (map->values[i] != WP_NONE && map->keys[i] != key)
		i = (i + 1) & map->mask;
	return i;
}

static void rehash(WpIntMap *map, guint32 n_slots)
{
	WpIntMap old = *map;

	map->keys = g_new(guint64, n_slots);
	map->values = g_new(guint32, n_slots);
	map->mask = n_slots - 1;
	memset(map->values, 0xff, n_slots * sizeof(*map->values));
	for (guint32 i = 0; old.values && i <= old.mask; i++)
		if (old.values[i] != WP_NONE) {
			guint32 slot = probe(map, old.keys[i]);

			map->keys[slot] = old.keys[i];
			map->values[slot] = old.values[i];
		}
	g_free(old.keys);
	g_free(old.values);
}

guint32 wp_intmap_get(const WpIntMap *map, guint64 key)
{
	return map->n ? map->values[probe(map, key)] : WP_NONE;
}

/* Room for one more key. */
static void reserve(WpIntMap *map)
{
	if (!map->values)
		rehash(map, SLOTS_MIN);
	else if (map->n >= (map->mask + 1) / 8 * 5)
		rehash(map, (map->mask + 1) * (map->mask < SLOTS_MANY ? 4 : 2));
}

void wp_intmap_set(WpIntMap *map, guint64 key, guint32 value)
{
	g_return_if_fail(value != WP_NONE);
	reserve(map);

	guint32 i = probe(map, key);

	map->n += map->values[i] == WP_NONE;
	map->keys[i] = key;
	map->values[i] = value;
}

guint32 wp_intmap_add(WpIntMap *map, guint64 key, guint32 value)
{
	g_return_val_if_fail(value != WP_NONE, WP_NONE);
	reserve(map);

	guint32 i = probe(map, key);

	if (map->values[i] == WP_NONE) {
		map->keys[i] = key;
		map->values[i] = value;
		map->n++;
	}
	return map->values[i];
}

guint32 wp_intmap_remove(WpIntMap *map, guint64 key)
{
	if (!map->n)
		return WP_NONE;

	guint32 hole = probe(map, key);
	guint32 value = map->values[hole];

	if (value == WP_NONE)
		return WP_NONE;
	/* Move back what the hole would cut off from its own slot. */
	for (guint32 i = (hole + 1) & map->mask; map->values[i] != WP_NONE;
	     i = (i + 1) & map->mask) {
		guint32 home = slot_of(map, map->keys[i]);

		if (((i - home) & map->mask) >= ((i - hole) & map->mask)) {
			map->keys[hole] = map->keys[i];
			map->values[hole] = map->values[i];
			hole = i;
		}
	}
	map->values[hole] = WP_NONE;
	map->n--;
	return value;
}

gboolean wp_intmap_next(const WpIntMap *map, guint32 *iter, guint64 *ret_key, guint32 *ret_value)
{
	for (; map->n && *iter <= map->mask; (*iter)++)
		if (map->values[*iter] != WP_NONE) {
			*ret_key = map->keys[*iter];
			*ret_value = map->values[(*iter)++];
			return TRUE;
		}
	return FALSE;
}
