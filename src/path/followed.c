/* SPDX-License-Identifier: MIT */
/*
 * followed.c: times by (holder, set) in a hash table with open addressing. When it has grown to
 * its limit it is dealt out to times by (waiter, holder) and begun anew.
 */
#include "config.h"

#include <string.h>

#include "base/intmap.h"
#include "path/followed.h"

#define ENTRIES_FIRST 1024u
#define ENTRIES_MAX (1u << 18)

typedef struct {
	WpFollowedSet set;
	WpTime time;
	guint32 holder; /* WP_NONE: free */
} Entry;

struct WpFollowed {
	WpFollowedSet *sets; /* owned: by row */
	guint32 *numbers; /* owned: by row, its bit, WP_NONE: not followed */
	guint32 *hints; /* owned: by row, the entry that it used last as a holder */
	guint32 rows[WP_FOLLOWED_MAX]; /* of the bits */
	guint32 n; /* bits in use */
	Entry *entries; /* owned */
	guint32 mask, n_entries;
	WpIntMap index; /* bit << 32 | holder -> place in times */
	GArray *times; /* owned: WpFollowedTime */
};

static void make_entries(WpFollowed *followed, guint32 n)
{
	followed->entries = g_new(Entry, n);
	followed->mask = n - 1;
	followed->n_entries = 0;
	for (guint32 i = 0; i < n; i++)
		followed->entries[i].holder = WP_NONE;
}

WpFollowed *wp_followed_new(guint32 n_rows)
{
	WpFollowed *followed = g_new0(WpFollowed, 1);

	followed->sets = g_try_new0(WpFollowedSet, n_rows);
	followed->numbers = g_try_new(guint32, n_rows);
	followed->hints = g_try_new0(guint32, n_rows);
	followed->times = g_array_new(FALSE, FALSE, sizeof(WpFollowedTime));
	wp_intmap_init(&followed->index);
	make_entries(followed, ENTRIES_FIRST);
	if (n_rows && (!followed->sets || !followed->numbers || !followed->hints)) {
		wp_followed_free(followed);
		return NULL;
	}
	for (guint32 i = 0; i < n_rows; i++)
		followed->numbers[i] = WP_NONE;
	return followed;
}

void wp_followed_free(WpFollowed *followed)
{
	if (!followed)
		return;
	g_free(followed->sets);
	g_free(followed->numbers);
	g_free(followed->hints);
	g_free(followed->entries);
	wp_intmap_clear(&followed->index);
	g_array_unref(followed->times);
	g_free(followed);
}

gboolean wp_followed_has(const WpFollowed *followed, guint32 row)
{
	return followed->numbers[row] != WP_NONE;
}

gboolean wp_followed_add(WpFollowed *followed, guint32 row)
{
	guint32 number = followed->n;

	if (wp_followed_has(followed, row))
		return TRUE;
	if (number == WP_FOLLOWED_MAX)
		return FALSE;
	followed->n++;
	followed->rows[number] = row;
	followed->numbers[row] = number;
	followed->sets[row].words[number / 64] |= G_GUINT64_CONSTANT(1) << number % 64;
	return TRUE;
}

const WpFollowedSet *wp_followed_get(const WpFollowed *followed, guint32 row)
{
	return &followed->sets[row];
}

void wp_followed_flip(WpFollowed *followed, guint32 row, const WpFollowedSet *set)
{
	for (guint i = 0; i < WP_FOLLOWED_WORDS; i++)
		followed->sets[row].words[i] ^= set->words[i];
}

/* ---- putting down ---- */

static guint32 hash(guint32 holder, const WpFollowedSet *set)
{
	guint64 h = holder;

	for (guint i = 0; i < WP_FOLLOWED_WORDS; i++)
		h = (h ^ set->words[i]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return (guint32)(h >> 32);
}

static gboolean fits(const Entry *entry, guint32 holder, const WpFollowedSet *set)
{
	return entry->holder == holder && memcmp(&entry->set, set, sizeof(*set)) == 0;
}

/* The entry of a key, or the free one where it goes. */
static guint32 find_entry(const WpFollowed *followed, guint32 holder, const WpFollowedSet *set)
{
	guint32 i = hash(holder, set) & followed->mask;

	while (followed->entries[i].holder != WP_NONE && !fits(&followed->entries[i], holder, set))
		i = (i + 1) & followed->mask;
	return i;
}

static void deal_out_bit(WpFollowed *followed, guint32 number, guint32 holder, WpTime time)
{
	guint64 key = (guint64)number << 32 | holder;
	guint32 at = wp_intmap_get(&followed->index, key);

	if (at == WP_NONE) {
		WpFollowedTime new = {followed->rows[number], holder, 0};

		at = followed->times->len;
		g_array_append_val(followed->times, new);
		wp_intmap_set(&followed->index, key, at);
	}
	g_array_index(followed->times, WpFollowedTime, at).time += time;
}

static void deal_out(WpFollowed *followed)
{
	for (guint32 i = 0; i <= followed->mask; i++) {
		const Entry *entry = &followed->entries[i];

		if (entry->holder == WP_NONE)
			continue;
		for (guint w = 0; w < WP_FOLLOWED_WORDS; w++)
			for (guint64 bits = entry->set.words[w]; bits; bits &= bits - 1) {
				guint32 number = 64 * w + (guint32)__builtin_ctzll(bits);

				/* On itself it does not wait. */
				if (followed->rows[number] != entry->holder)
					deal_out_bit(followed, number, entry->holder, entry->time);
			}
	}
}

/* Makes room for another entry. */
static void grow(WpFollowed *followed)
{
	Entry *old = followed->entries;
	guint32 n = followed->mask + 1;

	if (n == ENTRIES_MAX)
		deal_out(followed);
	make_entries(followed, MIN(2 * n, ENTRIES_MAX));
	for (guint32 i = 0; n < ENTRIES_MAX && i < n; i++)
		if (old[i].holder != WP_NONE) {
			followed->entries[find_entry(followed, old[i].holder, &old[i].set)] =
				old[i];
			followed->n_entries++;
		}
	g_free(old);
}

/* Nobody but the holder itself. */
static gboolean is_alone(const WpFollowed *followed, guint32 holder, const WpFollowedSet *set)
{
	guint32 number = followed->numbers[holder]; /* WP_NONE is no bit of any word */

	for (guint i = 0; i < WP_FOLLOWED_WORDS; i++)
		if (set->words[i] != (number / 64 == i ? G_GUINT64_CONSTANT(1) << number % 64 : 0))
			return FALSE;
	return TRUE;
}

void wp_followed_rest(WpFollowed *followed, guint32 row, guint32 holder, WpTime time)
{
	const WpFollowedSet *set = &followed->sets[row];
	guint32 *hint = &followed->hints[holder];

	if (time == 0 || is_alone(followed, holder, set))
		return;
	if (*hint > followed->mask || !fits(&followed->entries[*hint], holder, set)) {
		if (followed->n_entries >= followed->mask / 4 * 3)
			grow(followed);
		*hint = find_entry(followed, holder, set);
	}

	Entry *entry = &followed->entries[*hint];

	if (entry->holder == WP_NONE) {
		*entry = (Entry){.set = *set, .holder = holder};
		followed->n_entries++;
	}
	entry->time += time;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const WpFollowedTime *x = a, *y = b;

	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->holder < y->holder ? -1 : x->holder > y->holder;
}

GArray *wp_followed_finish(WpFollowed *followed)
{
	deal_out(followed);
	g_free(followed->entries);
	make_entries(followed, ENTRIES_FIRST);
	if (followed->times->len)
		g_array_sort(followed->times, compare_times);
	return g_array_ref(followed->times);
}
