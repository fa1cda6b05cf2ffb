/* SPDX-License-Identifier: MIT */
/*
 * series.c: series that are kept as an array of entries: those of a path.
 *
 * Neighbouring entries of nothing are one, so that in a stretch with two or more
 * entries there is always something to see.
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

static gboolean lies_on(const WpSegment *segment, guint32 host, WpId task)
{
	return host == WP_NONE ||
	       (segment->host == host && (task == WP_NONE || segment->task == task));
}

WpSeries *wp_series_new_path(const WpPath *path, guint32 host, WpId task)
{
	GArray *entries = g_array_new(FALSE, FALSE, sizeof(WpSeriesEntry));
	gboolean in_gap = FALSE;

	for (guint i = 0; i < path->segments->len; i++) {
		const WpSegment *segment = &g_array_index(path->segments, WpSegment, i);
		WpSeriesEntry entry = {segment->begin, i, MIN(segment->state, WP_STATE_UNKNOWN)};

		if (lies_on(segment, host, task)) {
			in_gap = FALSE;
		} else if (in_gap) {
			continue;
		} else {
			in_gap = TRUE;
			entry.item = WP_NONE;
			entry.state = WP_SERIES_EMPTY;
		}
		g_array_append_val(entries, entry);
	}
	return wp_series_new_entries(entries, path->end);
}
