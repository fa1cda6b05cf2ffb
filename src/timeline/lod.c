/* SPDX-License-Identifier: MIT */
/*
 * lod.c: checkpoints over a series.
 *
 * A checkpoint has a time and, for each state that the row ever has (a *slot*; most
 * rows have four or five), the sum of the time in it so far; slots are found while
 * building, and a new one widens what is there. A query walks the column bounds with
 * a *place*: a segment and the sums at its begin. Bounds inside the same segment cost
 * nothing, in the same block a scan, else a search over the checkpoint times and one
 * block.
 *
 * A row's vertices lie scattered among those of all others, one cache miss each. So
 * that a block is read with three of them and not with thirty, each segment is kept
 * here in 5 bytes more: its slot, and its distance from the checkpoint. Blocks that last
 * longer than 32 bits of nanoseconds are few by nature and are read from the series.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "timeline/lod.h"

#define NO_SLOT 0xff

/* A block's segments. */
typedef struct {
	guint32 offsets[WP_LOD_BLOCK]; /* ns from the block's begin, junk in a long block */
	guint8 slots[WP_LOD_BLOCK];
} Packed;

struct WpLod {
	WpSeries *series; /* owned */
	guint64 n_blocks;
	WpTime *times; /* owned: of each block's first segment */
	guint64 *sums; /* owned: n_blocks rows of n_slots */
	Packed *packed; /* owned: one a block */
	guint n_slots;
	guint8 slot[WP_SERIES_STATES]; /* of each state, NO_SLOT */
	guint8 state[WP_SERIES_STATES]; /* of each slot */
};

/* A block's segments, read. */
typedef struct {
	guint64 block; /* G_MAXUINT64: none yet */
	guint n;
	WpTime times[WP_LOD_BLOCK + 1]; /* the last one: the end of the block */
	guint8 slots[WP_LOD_BLOCK];
} Block;

/* Where a bound lies. */
typedef struct {
	gint64 segment; /* -1 before the first, n at or behind the end */
	WpTime begin, end; /* of the segment; before and behind it goes on for ever */
	guint8 slot; /* NO_SLOT before and behind */
	guint64 sums[WP_SERIES_STATES]; /* per slot, until begin */
} Place;

static WpTime block_end(const WpLod *lod, guint64 block)
{
	return block + 1 < lod->n_blocks ? lod->times[block + 1] : lod->series->end;
}

static guint block_length(const WpLod *lod, guint64 block)
{
	return (guint)MIN(lod->series->n - block * WP_LOD_BLOCK, WP_LOD_BLOCK);
}

static gboolean is_long(const WpLod *lod, guint64 block)
{
	return block_end(lod, block) - lod->times[block] > (WpTime)G_MAXUINT32;
}

static gboolean out_of_memory(const WpLod *lod, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
		    "Out of memory for the timeline of a row of %" G_GUINT64_FORMAT " segments.",
		    lod->series->n);
	return FALSE;
}

/* Gives a state a slot; the checkpoints until then have spent no time in it. */
static gboolean add_slot(WpLod *lod, guint8 state, guint64 n_filled, GError **error)
{
	guint old = lod->n_slots, wide = old + 1;
	guint64 *sums = g_try_new0(guint64, lod->n_blocks * wide);

	if (!sums)
		return out_of_memory(lod, error);
	for (guint64 i = 0; i < n_filled; i++)
		memcpy(sums + i * wide, lod->sums + i * old, old * sizeof(*sums));
	g_free(lod->sums);
	lod->sums = sums;
	lod->n_slots = wide;
	lod->slot[state] = (guint8)old;
	lod->state[old] = state;
	return TRUE;
}

/* A block's segments get their slots and places. */
static gboolean pack(WpLod *lod, guint64 block, const WpTime *times, const guint8 *states, guint n,
		     GError **error)
{
	Packed *packed = &lod->packed[block];

	lod->times[block] = times[0];
	for (guint i = 0; i < n; i++) {
		if (lod->slot[states[i]] == NO_SLOT && !add_slot(lod, states[i], block, error))
			return FALSE;
		packed->offsets[i] = (guint32)(times[i] - times[0]);
		packed->slots[i] = lod->slot[states[i]];
	}
	return TRUE;
}

static gboolean build(WpLod *lod, WpCancel *cancellable, GError **error)
{
	guint64 sums[WP_SERIES_STATES] = {0};
	WpTime times[WP_LOD_BLOCK], last = 0;
	guint8 states[WP_LOD_BLOCK], last_slot = NO_SLOT;

	for (guint64 block = 0; block < lod->n_blocks; block++) {
		guint n = block_length(lod, block);

		if ((block & 4095) == 0 && wp_cancel_is_cancelled(cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Cancelled.");
			return FALSE;
		}
		wp_series_read(lod->series, block * WP_LOD_BLOCK, n, times, states);
		if (!pack(lod, block, times, states, n, error))
			return FALSE;
		if (last_slot != NO_SLOT)
			sums[last_slot] += (guint64)(times[0] - last);
		memcpy(lod->sums + block * lod->n_slots, sums, lod->n_slots * sizeof(*sums));
		for (guint i = 0; i + 1 < n; i++)
			sums[lod->packed[block].slots[i]] += (guint64)(times[i + 1] - times[i]);
		last = times[n - 1];
		last_slot = lod->packed[block].slots[n - 1];
	}
	return TRUE;
}

WpLod *wp_lod_new(WpSeries *series, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpLod) lod = g_new0(WpLod, 1);

	lod->series = series;
	lod->n_blocks = (series->n + WP_LOD_BLOCK - 1) / WP_LOD_BLOCK;
	memset(lod->slot, NO_SLOT, sizeof(lod->slot));
	if (lod->n_blocks == 0)
		return g_steal_pointer(&lod);
	lod->times = g_try_new(WpTime, lod->n_blocks);
	lod->packed = g_try_new(Packed, lod->n_blocks);
	if (!lod->times || !lod->packed) {
		out_of_memory(lod, error);
		return NULL;
	}
	return build(lod, cancellable, error) ? g_steal_pointer(&lod) : NULL;
}

void wp_lod_free(WpLod *lod)
{
	if (!lod)
		return;
	wp_series_free(lod->series);
	g_free(lod->times);
	g_free(lod->packed);
	g_free(lod->sums);
	g_free(lod);
}

const WpSeries *wp_lod_get_series(const WpLod *lod)
{
	return lod->series;
}

gsize wp_lod_get_size(const WpLod *lod)
{
	return lod->n_blocks *
	       (sizeof(*lod->times) + lod->n_slots * sizeof(*lod->sums) + sizeof(*lod->packed));
}

WpTime wp_lod_bound(WpTime begin, WpTime end, guint n, guint i)
{
	return begin + (WpTime)((__int128)(end - begin) * i / n);
}

static void read_long_block(const WpLod *lod, Block *block)
{
	guint8 states[WP_LOD_BLOCK];

	wp_series_read(lod->series, block->block * WP_LOD_BLOCK, block->n, block->times, states);
	for (guint i = 0; i < block->n; i++)
		block->slots[i] = lod->slot[states[i]];
}

static void read_block(const WpLod *lod, guint64 number, Block *block, WpLodCost *cost)
{
	const Packed *packed = &lod->packed[number];

	if (block->block == number)
		return;
	block->block = number;
	block->n = block_length(lod, number);
	block->times[block->n] = block_end(lod, number);
	cost->blocks_read++;
	if (is_long(lod, number)) {
		read_long_block(lod, block);
		return;
	}
	for (guint i = 0; i < block->n; i++)
		block->times[i] = lod->times[number] + packed->offsets[i];
	memcpy(block->slots, packed->slots, block->n);
}

/* The last block that begins at or before time; steps out from hint in doubling strides. */
static guint64 find_block(const WpLod *lod, WpTime time, guint64 hint, WpLodCost *cost)
{
	guint64 low = lod->times[hint] <= time ? hint : 0, high = low + 1, stride = 1;

	while (high < lod->n_blocks && lod->times[high] <= time) {
		low = high;
		high += stride;
		stride *= 2;
		cost->steps++;
	}
	high = MIN(high, lod->n_blocks);
	while (high - low > 1) {
		guint64 middle = low + (high - low) / 2;

		if (lod->times[middle] <= time)
			low = middle;
		else
			high = middle;
		cost->steps++;
	}
	return low;
}

static void place_before(const WpLod *lod, Place *place)
{
	place->segment = -1;
	place->begin = WP_TIME_MIN;
	place->end = lod->n_blocks ? lod->times[0] : WP_TIME_MAX;
	place->slot = NO_SLOT;
	memset(place->sums, 0, sizeof(place->sums));
}

static void place_at_block(const WpLod *lod, const Block *block, Place *place)
{
	place->segment = (gint64)(block->block * WP_LOD_BLOCK);
	place->begin = block->times[0];
	place->end = block->times[1];
	place->slot = block->slots[0];
	memcpy(place->sums, lod->sums + block->block * lod->n_slots,
	       lod->n_slots * sizeof(*place->sums));
}

/* From the end of the last segment on there is nothing. */
static void place_behind(const WpLod *lod, Place *place)
{
	if (place->slot != NO_SLOT)
		place->sums[place->slot] += (guint64)(place->end - place->begin);
	place->segment = (gint64)lod->series->n;
	place->begin = lod->series->end;
	place->end = WP_TIME_MAX;
	place->slot = NO_SLOT;
}

/*
 * Moves a place forward to the segment that holds time, which is not before place->begin.
 * hint: a block to search from, that begins at or before time or is 0.
 */
static void place_move(const WpLod *lod, Place *place, Block *block, WpTime time, guint64 hint,
		       WpLodCost *cost)
{
	if (time < place->end || place->end == WP_TIME_MAX)
		return;

	guint64 here = place->segment < 0 ? 0 : (guint64)place->segment / WP_LOD_BLOCK;

	if (place->segment < 0 || block->block != here || time >= block->times[block->n]) {
		here = find_block(lod, time, MAX(hint, here), cost);
		read_block(lod, here, block, cost);
		place_at_block(lod, block, place);
	}
	guint i = (guint)((guint64)place->segment - here * WP_LOD_BLOCK);

	while (i + 1 < block->n && block->times[i + 1] <= time) {
		place->sums[block->slots[i]] += (guint64)(block->times[i + 1] - block->times[i]);
		i++;
	}
	place->segment = (gint64)(here * WP_LOD_BLOCK + i);
	place->begin = block->times[i];
	place->end = block->times[i + 1];
	place->slot = block->slots[i];
	if (time >= place->end)
		place_behind(lod, place);
}

/* Time per slot until a time inside the place's segment. */
static void place_totals(const WpLod *lod, const Place *place, WpTime time, guint64 *totals)
{
	memcpy(totals, place->sums, lod->n_slots * sizeof(*totals));
	if (place->slot != NO_SLOT)
		totals[place->slot] += (guint64)(time - place->begin);
}

static guint8 place_state(const WpLod *lod, const Place *place)
{
	return place->slot == NO_SLOT ? WP_SERIES_EMPTY : lod->state[place->slot];
}

/* The looks of a column in which the time per slot grew from one set of totals to another. */
static WpLodColumn judge(const WpLod *lod, const guint64 *from, const guint64 *to)
{
	WpLodColumn column = {WP_SERIES_EMPTY, 0};
	guint64 most = 0;
	guint n_states = 0;

	for (guint slot = 0; slot < lod->n_slots; slot++) {
		guint64 time = to[slot] - from[slot];
		guint8 state = lod->state[slot];

		if (time == 0 || state == WP_SERIES_EMPTY)
			continue;
		n_states++;
		if (time > most || (time == most && state < column.state)) {
			most = time;
			column.state = state;
		}
	}
	if (n_states > 1)
		column.flags |= WP_LOD_MIXED;
	return column;
}

/*
 * The blocks of the next bounds, fetched ahead: all misses of a batch are on their way
 * together, which more than halves the time of a row that is seen as a whole.
 */
static void fetch_blocks(const WpLod *lod, const WpTime *bounds, guint n, guint64 *blocks,
			 WpLodCost *cost)
{
	guint64 hint = blocks[0];

	for (guint i = 0; i < n; i++) {
		if (bounds[i] < lod->times[0]) {
			blocks[i] = 0;
			continue;
		}
		hint = blocks[i] = find_block(lod, bounds[i], hint, cost);
		__builtin_prefetch(lod->packed[hint].offsets);
		__builtin_prefetch(lod->packed[hint].offsets + 16);
		__builtin_prefetch(lod->packed[hint].slots);
		__builtin_prefetch(lod->sums + hint * lod->n_slots);
	}
}

void wp_lod_query(const WpLod *lod, const WpTime *bounds, guint n, WpLodColumn *columns,
		  WpLodCost *cost)
{
	enum { BATCH = 64 };
	WpLodCost ignored = {0};
	Block block = {.block = G_MAXUINT64};
	guint64 totals[2][WP_SERIES_STATES], blocks[BATCH] = {0};
	Place place;

	cost = cost ? cost : &ignored;
	place_before(lod, &place);
	place_move(lod, &place, &block, bounds[0], 0, cost);
	place_totals(lod, &place, bounds[0], totals[0]);
	for (guint i = 0; i < n; i++) {
		guint64 *from = totals[i & 1], *to = totals[(i + 1) & 1];
		gint64 segment = place.segment;
		guint8 state = place_state(lod, &place);

		if (i % BATCH == 0 && lod->n_blocks)
			fetch_blocks(lod, bounds + i + 1, MIN(n - i, BATCH), blocks, cost);
		place_move(lod, &place, &block, bounds[i + 1], blocks[i % BATCH], cost);
		place_totals(lod, &place, bounds[i + 1], to);
		if (place.segment == segment || bounds[i] == bounds[i + 1]) {
			columns[i] = (WpLodColumn){state, 0};
			continue;
		}
		columns[i] = judge(lod, from, to);
		if (place.segment - segment >= 3)
			columns[i].flags |= WP_LOD_DENSE;
	}
}

guint wp_lod_join(const WpLodColumn *columns, guint n, WpLodRun *runs)
{
	guint n_runs = 0;

	for (guint i = 0; i < n; i++) {
		if (n_runs && runs[n_runs - 1].state == columns[i].state &&
		    runs[n_runs - 1].flags == columns[i].flags)
			runs[n_runs - 1].end = i + 1;
		else
			runs[n_runs++] = (WpLodRun){i, i + 1, columns[i].state, columns[i].flags};
	}
	return n_runs;
}

guint64 wp_lod_times(const WpLod *lod, WpTime begin, WpTime end,
		     guint64 ret_times[WP_SERIES_STATES])
{
	WpLodCost cost = {0};
	Block block = {.block = G_MAXUINT64};
	guint64 from[WP_SERIES_STATES], to[WP_SERIES_STATES], shown = 0;
	gint64 first, last;
	Place place;

	place_before(lod, &place);
	place_move(lod, &place, &block, begin, 0, &cost);
	place_totals(lod, &place, begin, from);
	first = MAX(place.segment, 0);
	/* A segment that begins at the end of the stretch does not touch it. */
	place_move(lod, &place, &block, MAX(begin, end - 1), 0, &cost);
	last = MIN(place.segment, (gint64)lod->series->n - 1);
	place_move(lod, &place, &block, end, 0, &cost);
	place_totals(lod, &place, end, to);

	memset(ret_times, 0, WP_SERIES_STATES * sizeof(*ret_times));
	for (guint slot = 0; slot < lod->n_slots; slot++) {
		ret_times[lod->state[slot]] = to[slot] - from[slot];
		shown += to[slot] - from[slot];
	}
	ret_times[WP_SERIES_EMPTY] += (guint64)(end - begin) - shown;
	return last < first ? 0 : (guint64)(last - first + 1);
}

gint64 wp_lod_find(const WpLod *lod, WpTime time)
{
	WpLodCost cost = {0};
	Block block = {.block = G_MAXUINT64};
	Place place;

	place_before(lod, &place);
	place_move(lod, &place, &block, time, 0, &cost);
	return place.segment;
}

void wp_lod_segment(const WpLod *lod, guint64 i, WpTime *ret_begin, WpTime *ret_end,
		    guint8 *ret_state)
{
	WpTime times[2];
	guint8 states[2];
	guint n = i + 1 < lod->series->n ? 2 : 1;

	wp_series_read(lod->series, i, n, times, states);
	*ret_begin = times[0];
	*ret_end = n == 2 ? times[1] : lod->series->end;
	*ret_state = states[0];
}
