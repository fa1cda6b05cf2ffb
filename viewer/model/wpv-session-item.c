/* SPDX-License-Identifier: MIT */
/*
 * wpv-session-item.c: what lies where, and the ways from one segment to another.
 *
 * On a row there may be a segment of its own series (in the host's clock) and a piece
 * of the path. The piece wins: it is what the answer is made of. Both are kept, so that
 * a step along the row goes by the row's segments and a step along the path by pieces.
 */
#include "config.h"

#include "viewer/model/wpv-session-private.h"

static const WpvItem no_item = {.row = {WP_NONE, WP_NONE, WPV_ROW_KIND_N},
				.index = -1,
				.piece = WP_NONE,
				.state = WP_SERIES_EMPTY};

static const WpClockMap *row_clock(WpvSession *session, WpvRowKey row)
{
	return wpv_document_get_graph(session->document)->joins[row.host].map;
}

static gboolean is_row(WpvSession *session, WpvRowKey row)
{
	return session->document && !wpv_row_key_is_none(row) &&
	       row.host < wpv_document_get_graph(session->document)->n_hosts;
}

/* The row of the task that a piece lies on. */
static WpvRowKey piece_row(WpvSession *session, guint32 piece)
{
	const WpSegment *segment = wpv_answer_get_segment(session->answer, piece);

	return wpv_row_key_thread(segment->host, segment->task);
}

/* Gives the item the segment i of the row's own series. */
static void take_segment(WpvSession *session, WpvItem *item, const WpLod *lod, gint64 i)
{
	const WpClockMap *map = row_clock(session, item->row);
	WpTime begin, end;

	wp_lod_segment(lod, (guint64)i, &begin, &end, &item->state);
	item->index = i;
	item->begin = wp_clock_map_apply(map, begin);
	item->end = wp_clock_map_apply(map, end);
}

static void take_piece(WpvSession *session, WpvItem *item, guint32 piece)
{
	const WpSegment *segment = wpv_answer_get_segment(session->answer, piece);

	item->piece = piece;
	item->begin = segment->begin;
	item->end = segment->end;
	item->state = segment->state;
}

/* The piece of the path that a row shows at a time. */
static guint32 piece_at(WpvSession *session, WpvRowKey row, WpTime time)
{
	WpLod *lod = session->answer ? wpv_answer_get_lod(session->answer, row) : NULL;
	const WpSeries *series;
	gint64 i;

	if (!lod)
		return WP_NONE;
	series = wp_lod_get_series(lod);
	i = wp_lod_find(lod, time);
	return i < 0 || (guint64)i >= series->n ? WP_NONE : wp_series_item(series, (guint64)i);
}

WpvItem wpv_session_item_at(WpvSession *session, WpvRowKey row, WpTime time)
{
	WpvItem item = no_item;
	WpLod *lod;
	guint32 piece;

	if (session->answer && wpv_row_key_is_none(row)) {
		piece = wpv_answer_find(session->answer, time);
		if (piece == WP_NONE)
			return item;
		row = piece_row(session, piece);
	}
	if (!is_row(session, row))
		return item;
	item.row = row;
	item.begin = item.end = time;
	/* A long row may not be there yet; the pointer does not wait for it. */
	lod = wpv_document_get_lod(session->document, row, FALSE);
	if (lod) {
		gint64 i = wp_lod_find(lod, wp_clock_map_invert(row_clock(session, row), time));

		if (i >= 0 && (guint64)i < wp_lod_get_series(lod)->n)
			take_segment(session, &item, lod, i);
	}
	piece = piece_at(session, row, time);
	if (piece != WP_NONE)
		take_piece(session, &item, piece);
	return item;
}

const WpvItem *wpv_session_get_item(WpvSession *session)
{
	return &session->item;
}

static void select_item(WpvSession *session, const WpvItem *item)
{
	session->item = *item;
	wpv_session_changed(session, WPV_CHANGED_ITEM);
}

void wpv_session_reveal(WpvSession *session)
{
	guint32 place;

	if (wpv_row_key_is_none(session->item.row))
		return;
	place = wpv_row_list_find_nearest(session->rows, session->item.row);
	wpv_session_show_around(session, session->item.begin, session->item.end);
	if (place != WP_NONE)
		g_signal_emit_by_name(session, "reveal", place);
}

void wpv_session_select_at(WpvSession *session, WpvRowKey row, WpTime time)
{
	WpvItem item = wpv_session_item_at(session, row, time);

	session->cursor = time;
	select_item(session, &item);
}

void wpv_session_select_piece(WpvSession *session, guint32 piece)
{
	WpvItem item;

	g_return_if_fail(session->answer && piece < wpv_answer_get_n_segments(session->answer));
	item = wpv_session_item_at(session, piece_row(session, piece),
				   wpv_answer_get_segment(session->answer, piece)->begin);
	/* Two clocks may put its begin a nanosecond into the segment before. */
	take_piece(session, &item, piece);
	session->cursor = item.begin;
	select_item(session, &item);
	wpv_session_reveal(session);
}

void wpv_session_select_none(WpvSession *session)
{
	select_item(session, &no_item);
}

/* Where a step along the row starts when no segment is chosen there. */
static gint64 index_at_cursor(WpvSession *session, const WpLod *lod)
{
	return wp_lod_find(lod, wp_clock_map_invert(row_clock(session, session->item.row),
						    wpv_session_get_cursor(session)));
}

gboolean wpv_session_step_segment(WpvSession *session, gint direction)
{
	WpvItem item = session->item;
	guint32 piece;
	gint64 i, n;
	WpLod *lod;

	if (!is_row(session, item.row))
		return FALSE;
	lod = wpv_document_get_lod(session->document, item.row, TRUE);
	if (!lod)
		return FALSE;
	n = (gint64)wp_lod_get_series(lod)->n;
	i = item.index >= 0 ? item.index : index_at_cursor(session, lod);
	item.piece = WP_NONE;
	do {
		i += direction;
		if (i < 0 || i >= n)
			return FALSE;
		take_segment(session, &item, lod, i);
	} while (item.state == WP_SERIES_EMPTY || item.begin == item.end);
	piece = piece_at(session, item.row, item.begin);
	if (piece != WP_NONE)
		take_piece(session, &item, piece);
	session->cursor = item.begin;
	select_item(session, &item);
	wpv_session_reveal(session);
	return TRUE;
}

gboolean wpv_session_select_row(WpvSession *session, guint place)
{
	WpvItem item;

	if (place >= wpv_row_list_get_n(session->rows))
		return FALSE;
	item = wpv_session_item_at(session, wpv_row_list_get(session->rows, place)->key,
				   wpv_session_get_cursor(session));
	select_item(session, &item);
	g_signal_emit_by_name(session, "reveal", place);
	return TRUE;
}

gboolean wpv_session_step_row(WpvSession *session, gint direction)
{
	guint32 place = wpv_row_list_find_nearest(session->rows, session->item.row);
	gint64 next = place == WP_NONE ? 0 : (gint64)place + direction;

	return next >= 0 && wpv_session_select_row(session, (guint)next);
}

gboolean wpv_session_step_path(WpvSession *session, gint direction)
{
	guint32 piece = session->item.piece;
	guint n;

	if (!session->answer)
		return FALSE;
	n = wpv_answer_get_n_segments(session->answer);
	if (piece == WP_NONE) {
		/* Onto the path first: where the cursor is, or at its begin. */
		piece = wpv_answer_find(session->answer, wpv_session_get_cursor(session));
		if (piece == WP_NONE)
			piece = direction > 0 ? 0 : n - 1;
	} else if ((direction < 0 && piece == 0) || (direction > 0 && piece + 1 >= n)) {
		return FALSE;
	} else {
		piece += (guint32)direction;
	}
	wpv_session_select_piece(session, piece);
	return TRUE;
}

gboolean wpv_session_follow_arrow(WpvSession *session, gint direction)
{
	WpvArrow arrow;
	WpvRowKey row;
	gboolean found;
	WpId task;

	if (!is_row(session, session->item.row))
		return FALSE;
	row = session->item.row;
	task = wpv_document_get_row_task(session->document, row);
	if (task == WP_NONE)
		return FALSE;
	if (direction < 0) {
		found = wpv_arrow_find_cause(session->document, row.host, task, session->item.end,
					     &arrow);
	} else {
		const WpvArrowIndex *index = wpv_session_get_arrow_index(session);

		found = index &&
			wpv_arrow_index_next(index, row.host, task, session->item.begin, &arrow);
	}
	if (!found)
		return FALSE;
	if (direction < 0)
		wpv_session_select_at(session, wpv_row_key_thread(arrow.from_host, arrow.from_task),
				      arrow.from);
	else
		wpv_session_select_at(session, wpv_row_key_thread(arrow.to_host, arrow.to_task),
				      arrow.to);
	wpv_session_reveal(session);
	return TRUE;
}

/* ---- borders ---- */

/* The borders of the row's segment that holds time; FALSE when there is none. */
static gboolean find_borders(WpvSession *session, WpvRowKey row, WpTime time, WpTime *ret_begin,
			     WpTime *ret_end)
{
	WpvItem item = wpv_session_item_at(session, row, time);

	*ret_begin = item.begin;
	*ret_end = item.end;
	return item.begin < item.end;
}

WpTime wpv_session_snap(WpvSession *session, WpvRowKey row, WpTime time, WpTime reach)
{
	WpTime begin, end, nearest;

	if (!find_borders(session, row, time, &begin, &end))
		return time;
	nearest = time - begin <= end - time ? begin : end;
	return ABS(time - nearest) <= reach ? nearest : time;
}

void wpv_session_step_selection(WpvSession *session, gint direction)
{
	WpTime from = session->has_selection ? session->selection_end
					     : wpv_session_get_cursor(session);
	WpTime begin, end, to;

	if (find_borders(session, session->item.row, direction > 0 ? from : from - 1, &begin, &end))
		to = direction > 0 ? end : begin;
	else
		to = from + direction * MAX((session->end - session->begin) / 20, 1);
	wpv_session_extend_selection(session, to);
	wpv_session_show_around(session, to, to);
}
