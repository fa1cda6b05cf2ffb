/* SPDX-License-Identifier: MIT */
/*
 * followed.c: times by (holder, set) in a hash table with open addressing. When it has grown to
 * its limit it is dealt out to times by (waiter, holder) and begun anew.
 */
#include "config.h"

#include <string.h>

#include "path/followed.h"

#define ENTRIES_FIRST 1024u
#define ENTRIES_MAX (1u << 18)

typedef struct {
	WpTime time;
	guint32 holder; /* WP_NONE: free */
	guint32 next; /* when they are dealt out: the next one of this holder, WP_NONE */
} Entry;

struct WpFollowed {
	guint n_words; /* of a set */
	guint n; /* bits in use */
	guint32 n_rows;
	guint32 *hints; /* owned: by row, the entry that it used last as a holder */
	guint32 rows[WP_FOLLOWED_MAX]; /* of the bits */
	Entry *entries; /* owned */
	guint64 *entry_sets; /* owned: by entry */
	guint32 mask, n_entries;
	guint n_deals;
	GArray *times; /* owned: WpFollowedTime */
};

static void make_entries(WpFollowed *followed, guint32 n)
{
	followed->entries = g_new(Entry, n);
	followed->entry_sets = g_new(guint64, (gsize)n * followed->n_words);
	followed->mask = n - 1;
	followed->n_entries = 0;
	for (guint32 i = 0; i < n; i++)
		followed->entries[i].holder = WP_NONE;
}

WpFollowed *wp_followed_new(guint32 n_rows, const guint32 *rows, guint n)
{
	WpFollowed *followed = g_new0(WpFollowed, 1);

	followed->n = MIN(n, WP_FOLLOWED_MAX);
	followed->n_words = wp_followed_n_words(followed->n);
	followed->n_rows = n_rows;
	followed->hints = g_try_new0(guint32, n_rows);
	followed->times = g_array_new(FALSE, FALSE, sizeof(WpFollowedTime));
	make_entries(followed, ENTRIES_FIRST);
	if (n_rows && !followed->hints) {
		wp_followed_free(followed);
		return NULL;
	}
	for (guint i = 0; i < followed->n; i++)
		followed->rows[i] = rows[i];
	return followed;
}

void wp_followed_free(WpFollowed *followed)
{
	if (!followed)
		return;
	g_free(followed->hints);
	g_free(followed->entries);
	g_free(followed->entry_sets);
	g_array_unref(followed->times);
	g_free(followed);
}

guint wp_followed_n_words(guint n_followed)
{
	return MAX(1, (n_followed + 63) / 64);
}

/* ---- putting down ---- */

static guint32 hash(const WpFollowed *followed, guint32 holder, const guint64 *set)
{
	guint64 h = holder;

	for (guint i = 0; i < followed->n_words; i++)
		h = (h ^ set[i]) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return (guint32)(h >> 32);
}

static guint64 *set_of(const WpFollowed *followed, guint32 entry)
{
	return &followed->entry_sets[(gsize)entry * followed->n_words];
}

static gboolean fits(const WpFollowed *followed, guint32 entry, guint32 holder, const guint64 *set)
{
	const guint64 *words = set_of(followed, entry);

	if (followed->entries[entry].holder != holder)
		return FALSE;
	for (guint i = 0; i < followed->n_words; i++)
		if (words[i] != set[i])
			return FALSE;
	return TRUE;
}

/* The entry of a key, or the free one where it goes. */
static guint32 find_entry(const WpFollowed *followed, guint32 holder, const guint64 *set)
{
	guint32 i = hash(followed, holder, set) & followed->mask;

	while (followed->entries[i].holder != WP_NONE && !fits(followed, i, holder, set))
		i = (i + 1) & followed->mask;
	return i;
}

/* All that rested on one holder, from its first entry on, to times by waiter. */
static void deal_out_holder(WpFollowed *followed, guint32 entry)
{
	const guint32 holder = followed->entries[entry].holder;
	WpTime sums[WP_FOLLOWED_MAX];

	memset(sums, 0, followed->n * sizeof(*sums));
	for (; entry != WP_NONE; entry = followed->entries[entry].next)
		for (guint w = 0; w < followed->n_words; w++)
			for (guint64 bits = set_of(followed, entry)[w]; bits; bits &= bits - 1)
				sums[64 * w + (guint)__builtin_ctzll(bits)] +=
					followed->entries[entry].time;
	for (guint i = 0; i < followed->n; i++) {
		WpFollowedTime time = {sums[i], holder, i};

		/* On itself it does not wait. */
		if (sums[i] != 0 && followed->rows[i] != holder)
			g_array_append_val(followed->times, time);
	}
}

static void deal_out(WpFollowed *followed)
{
	/* The hints become heads of lists. */
	for (guint32 i = 0; i < followed->n_rows; i++)
		followed->hints[i] = WP_NONE;
	for (guint32 i = 0; i <= followed->mask; i++) {
		Entry *entry = &followed->entries[i];

		if (entry->holder == WP_NONE)
			continue;
		entry->next = followed->hints[entry->holder];
		followed->hints[entry->holder] = i;
	}
	for (guint32 i = 0; i < followed->n_rows; i++)
		if (followed->hints[i] != WP_NONE)
			deal_out_holder(followed, followed->hints[i]);
	for (guint32 i = 0; i < followed->n_rows; i++)
		followed->hints[i] = 0;
	followed->n_deals++;
}

/* Makes room for another entry. */
static void grow(WpFollowed *followed)
{
	g_autofree Entry *old = followed->entries;
	g_autofree guint64 *old_sets = followed->entry_sets;
	guint32 n = followed->mask + 1;

	if (n == ENTRIES_MAX)
		deal_out(followed);
	make_entries(followed, MIN(2 * n, ENTRIES_MAX));
	for (guint32 i = 0; n < ENTRIES_MAX && i < n; i++) {
		const guint64 *set = &old_sets[(gsize)i * followed->n_words];

		if (old[i].holder == WP_NONE)
			continue;
		guint32 at = find_entry(followed, old[i].holder, set);
		followed->entries[at] = old[i];
		memcpy(set_of(followed, at), set, followed->n_words * sizeof(*set));
		followed->n_entries++;
	}
}

void wp_followed_rest(WpFollowed *followed, const guint64 *set, guint32 holder, WpTime time)
{
	guint32 *hint = &followed->hints[holder];

	if (*hint > followed->mask || !fits(followed, *hint, holder, set)) {
		if (followed->n_entries >= followed->mask / 4 * 3)
			grow(followed);
		*hint = find_entry(followed, holder, set);
	}

	Entry *entry = &followed->entries[*hint];

	if (entry->holder == WP_NONE) {
		*entry = (Entry){.holder = holder};
		memcpy(set_of(followed, *hint), set, followed->n_words * sizeof(*set));
		followed->n_entries++;
	}
	entry->time += time;
}

/* ---- in order ---- */

typedef enum { BY_TIME, BY_NUMBER, BY_NUMBER_AND_HOLDER } Order;

static guint64 key_of(const WpFollowedTime *time, Order order)
{
	switch (order) {
	case BY_TIME:
		return ~(guint64)time->time;
	case BY_NUMBER:
		return time->number;
	case BY_NUMBER_AND_HOLDER:
		break;
	}
	return (guint64)time->number << 32 | time->holder;
}

/* A radix sort: stable, and for so short keys several times quicker than by comparing. */
static void sort(GArray *times, Order order)
{
	const guint n = times->len;
	WpFollowedTime *from = (WpFollowedTime *)(gpointer)times->data;
	g_autofree WpFollowedTime *other = g_new(WpFollowedTime, n);
	WpFollowedTime *to = other;
	guint64 differ = 0; /* bits that are not the same in all keys */

	for (guint i = 1; i < n; i++)
		differ |= key_of(&from[i], order) ^ key_of(&from[0], order);
	for (guint shift = 0; shift < 64; shift += 8) {
		guint place[256] = {0}, sum = 0;

		if (!(differ >> shift & 0xff))
			continue;
		for (guint i = 0; i < n; i++)
			place[key_of(&from[i], order) >> shift & 0xff]++;
		for (guint i = 0; i < G_N_ELEMENTS(place); i++) {
			guint count = place[i];

			place[i] = sum;
			sum += count;
		}
		for (guint i = 0; i < n; i++)
			to[place[key_of(&from[i], order) >> shift & 0xff]++] = from[i];

		WpFollowedTime *sorted = to;

		to = from;
		from = sorted;
	}
	if (n && from == other)
		memcpy(to, from, n * sizeof(*to));
}

/* What was dealt out several times, into one. */
static void unite(GArray *times)
{
	WpFollowedTime *time = (WpFollowedTime *)(gpointer)times->data;
	guint n = 0;

	sort(times, BY_NUMBER_AND_HOLDER);
	for (guint i = 0; i < times->len; i++)
		if (n && time[n - 1].number == time[i].number &&
		    time[n - 1].holder == time[i].holder)
			time[n - 1].time += time[i].time;
		else
			time[n++] = time[i];
	g_array_set_size(times, n);
}

GArray *wp_followed_finish(WpFollowed *followed)
{
	deal_out(followed);
	if (followed->n_deals > 1)
		unite(followed->times);
	sort(followed->times, BY_TIME);
	sort(followed->times, BY_NUMBER);
	return g_array_ref(followed->times);
}
