/* SPDX-License-Identifier: MIT */
/*
 * series.c: series that are kept as an array of entries: those of a path.
 */
#include "config.h"

#include "timeline/series.h"

typedef struct {
	WpSeries head;
	GArray *entries; /* owned: WpSeriesEntry */
} EntrySeries;

static void entries_read(const WpSeries *series, guint64 first, guint n, WpTime *times,
			 guint8 *states)
{
	const EntrySeries *self = (const EntrySeries *)series;
	const WpSeriesEntry *entry = &g_array_index(self->entries, WpSeriesEntry, first);

	for (guint i = 0; i < n; i++) {
		times[i] = entry[i].time;
		states[i] = entry[i].state;
	}
}

static WpId entries_item(const WpSeries *series, guint64 i)
{
	const EntrySeries *self = (const EntrySeries *)series;

	return g_array_index(self->entries, WpSeriesEntry, i).item;
}

static void entries_free(WpSeries *series)
{
	EntrySeries *self = (EntrySeries *)series;

	g_array_unref(self->entries);
	g_free(self);
}

static const WpSeriesClass entries_class = {entries_read, entries_item, entries_free};

void wp_series_free(WpSeries *series)
{
	if (series)
		series->klass->free(series);
}

WpSeries *wp_series_new_entries(GArray *entries, WpTime end)
{
	EntrySeries *self = g_new0(EntrySeries, 1);

	self->head.klass = &entries_class;
	self->head.n = entries->len;
	self->head.end = end;
	self->entries = entries;
	return &self->head;
}

WpSeries *wp_series_new_path(const WpPath *path, const guint32 *pieces, guint n)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(WpSeriesEntry));
	WpTime end = path->begin;

	for (guint i = 0; i < (pieces ? n : path->segments.n); i++) {
		guint32 piece = pieces ? pieces[i] : i;
		const WpSegment *segment = wp_path_segment(path, piece);
		WpSeriesEntry gap = {end, WP_NONE, WP_SERIES_EMPTY};
		WpSeriesEntry entry = {segment->begin, piece,
				       MIN(segment->state, WP_STATE_UNKNOWN)};

		if (segment->begin > end)
			g_array_append_val(entries, gap);
		g_array_append_val(entries, entry);
		end = segment->end;
	}
	return wp_series_new_entries(entries, end);
}
