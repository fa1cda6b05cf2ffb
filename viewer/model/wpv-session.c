/* SPDX-License-Identifier: MIT */
/*
 * wpv-session.c: the document, its path, time and filters. Items are in
 * wpv-session-item.c.
 */
#include "config.h"

#include <math.h>

#include "base/error.h"
#include "viewer/model/wpv-session-private.h"

G_DEFINE_FINAL_TYPE(WpvSession, wpv_session, G_TYPE_OBJECT)

static void bookmark_clear(gpointer data)
{
	g_free(((WpvBookmark *)data)->name);
}

static void cancel(GCancellable **cancellable)
{
	if (*cancellable)
		g_cancellable_cancel(*cancellable);
	g_clear_object(cancellable);
}

static void on_style_changed(WpvSession *session)
{
	wpv_session_changed(session, WPV_CHANGED_STYLE);
}

static void on_rows_changed(WpvSession *session)
{
	wpv_session_changed(session, WPV_CHANGED_ROWS);
}

static void on_lod_ready(WpvSession *session)
{
	wpv_session_changed(session, WPV_CHANGED_LODS);
}

static void on_damaged(WpvSession *session, const GError *error)
{
	g_signal_emit_by_name(session, "failed", error);
}

static void wpv_session_dispose(GObject *object)
{
	WpvSession *session = WPV_SESSION(object);

	cancel(&session->asking);
	cancel(&session->indexing);
	if (session->document)
		g_signal_handlers_disconnect_by_data(session->document, session);
	g_clear_pointer(&session->arrow_index, wpv_arrow_index_free);
	g_clear_object(&session->answer);
	g_clear_object(&session->document);
	G_OBJECT_CLASS(wpv_session_parent_class)->dispose(object);
}

static void wpv_session_finalize(GObject *object)
{
	WpvSession *session = WPV_SESSION(object);

	g_signal_handlers_disconnect_by_data(session->style, session);
	g_signal_handlers_disconnect_by_data(session->rows, session);
	g_object_unref(session->style);
	g_object_unref(session->rows);
	wpv_history_free(session->history);
	wpv_row_filter_clear(&session->filter);
	g_array_unref(session->bookmarks);
	G_OBJECT_CLASS(wpv_session_parent_class)->finalize(object);
}

static void wpv_session_class_init(WpvSessionClass *klass)
{
	GType type = G_TYPE_FROM_CLASS(klass);

	G_OBJECT_CLASS(klass)->dispose = wpv_session_dispose;
	G_OBJECT_CLASS(klass)->finalize = wpv_session_finalize;
	g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		     G_TYPE_UINT);
	g_signal_new("reveal", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		     G_TYPE_UINT);
	g_signal_new("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
		     G_TYPE_ERROR);
}

static void wpv_session_init(WpvSession *session)
{
	session->style = wpv_style_new();
	session->rows = wpv_row_list_new();
	session->bookmarks = g_array_new(FALSE, FALSE, sizeof(WpvBookmark));
	g_array_set_clear_func(session->bookmarks, bookmark_clear);
	session->end = session->to_end = WPV_VISIBLE_MIN;
	session->cursor = WP_TIME_MIN;
	session->item.row = WPV_ROW_KEY_NONE;
	session->arrows = WPV_ARROWS_PATH;
	session->highlight = TRUE;
	session->row_height = WPV_ROW_HEIGHT_DEFAULT;
	g_signal_connect_swapped(session->style, "changed", G_CALLBACK(on_style_changed), session);
	g_signal_connect_swapped(session->rows, "changed", G_CALLBACK(on_rows_changed), session);
}

WpvSession *wpv_session_new(void)
{
	return g_object_new(WPV_TYPE_SESSION, NULL);
}

void wpv_session_changed(WpvSession *session, WpvChanged what)
{
	g_signal_emit_by_name(session, "changed", (guint)what);
}

WpvStyle *wpv_session_get_style(WpvSession *session)
{
	return session->style;
}

WpvRowList *wpv_session_get_rows(WpvSession *session)
{
	return session->rows;
}

WpvDocument *wpv_session_get_document(WpvSession *session)
{
	return session->document;
}

static void reset_time(WpvSession *session)
{
	WpvView first = {0};

	wpv_document_get_span(session->document, &session->begin, &session->end);
	session->to_begin = session->begin;
	session->to_end = session->end;
	session->moving = FALSE;
	wpv_view_copy(&first,
		      &(WpvView){session->begin, session->end, session->filter, session->dimmed});
	wpv_history_free(session->history);
	session->history = wpv_history_new(&first);
	wpv_view_clear(&first);
	wpv_row_list_set_window(session->rows, session->begin, session->end);
}

void wpv_session_set_document(WpvSession *session, WpvDocument *document)
{
	if (session->document == document)
		return;
	cancel(&session->asking);
	cancel(&session->indexing);
	if (session->document)
		g_signal_handlers_disconnect_by_data(session->document, session);
	g_clear_pointer(&session->arrow_index, wpv_arrow_index_free);
	g_clear_object(&session->answer);
	g_set_object(&session->document, document);
	session->generation++;
	session->has_selection = FALSE;
	session->cursor = WP_TIME_MIN;
	session->item = (WpvItem){.row = WPV_ROW_KEY_NONE};
	session->has_marker[0] = session->has_marker[1] = FALSE;
	g_array_set_size(session->bookmarks, 0);
	if (document) {
		g_signal_connect_swapped(document, "lod-ready", G_CALLBACK(on_lod_ready), session);
		g_signal_connect_swapped(document, "damaged", G_CALLBACK(on_damaged), session);
		reset_time(session);
	}
	wpv_row_list_set_content(session->rows, document, NULL);
	wpv_session_changed(session, WPV_CHANGED_ALL);
}

/* ---- the path ---- */

WpvAnswer *wpv_session_get_answer(WpvSession *session)
{
	return session->answer;
}

void wpv_session_set_answer(WpvSession *session, WpvAnswer *answer)
{
	cancel(&session->asking);
	g_set_object(&session->answer, answer);
	session->generation++;
	/* A piece of another path means nothing any more. */
	session->item.piece = WP_NONE;
	wpv_row_list_set_content(session->rows, session->document, answer);
	wpv_session_changed(session, WPV_CHANGED_ANSWER | WPV_CHANGED_ITEM);
}

guint wpv_session_get_generation(WpvSession *session)
{
	return session->generation;
}

static void answer_done(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvSession) session = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(WpvAnswer) answer = wpv_answer_new_finish(result, &error);

	/* Not the latest: somebody has asked for another one since. */
	if (g_task_get_cancellable(G_TASK(result)) != session->asking)
		return;
	if (answer) {
		wpv_session_set_answer(session, answer);
		return;
	}
	cancel(&session->asking);
	g_signal_emit_by_name(session, "failed", error);
	wpv_session_changed(session, WPV_CHANGED_ANSWER);
}

void wpv_session_ask(WpvSession *session, const WpvQuestion *question)
{
	g_return_if_fail(session->document != NULL);
	cancel(&session->asking);
	session->asking = g_cancellable_new();
	wpv_answer_new_async(session->document, question, session->asking, answer_done,
			     g_object_ref(session));
	wpv_session_changed(session, WPV_CHANGED_ANSWER);
}

gboolean wpv_session_is_asking(WpvSession *session)
{
	return session->asking != NULL;
}

gboolean wpv_session_follow_row(WpvSession *session, WpvRowKey row)
{
	WpvQuestion question;

	if (!session->document || wpv_row_key_is_none(row) ||
	    wpv_document_get_row_task(session->document, row) == WP_NONE)
		return FALSE;
	question = wpv_document_get_life(session->document, row);
	if (session->answer)
		question.mode = wpv_answer_get_question(session->answer)->mode;
	if (wpv_session_get_selection(session, &question.begin, &question.end))
		wpv_session_set_selection(session, question.begin, question.begin);
	wpv_session_ask(session, &question);
	return TRUE;
}

/* ---- visible time ---- */

void wpv_session_get_visible(WpvSession *session, WpTime *ret_begin, WpTime *ret_end)
{
	*ret_begin = session->begin;
	*ret_end = session->end;
}

void wpv_session_get_target(WpvSession *session, WpTime *ret_begin, WpTime *ret_end)
{
	*ret_begin = session->moving ? session->to_begin : session->begin;
	*ret_end = session->moving ? session->to_end : session->end;
}

/* Keeps the width if it can, and stays inside of the document. */
static void clamp_range(WpvSession *session, WpTime *begin, WpTime *end)
{
	WpTime first, last, width;

	wpv_document_get_span(session->document, &first, &last);
	width = CLAMP(*end - *begin, MIN(WPV_VISIBLE_MIN, last - first), last - first);
	*begin = CLAMP(*begin, first, last - width);
	*end = *begin + width;
}

static void set_visible(WpvSession *session, WpTime begin, WpTime end)
{
	if (session->begin == begin && session->end == end)
		return;
	session->begin = begin;
	session->end = end;
	wpv_session_changed(session, WPV_CHANGED_VISIBLE);
}

static void move_to(WpvSession *session, WpTime begin, WpTime end, gboolean at_once)
{
	if (at_once || session->motion_time == 0) {
		session->moving = FALSE;
		set_visible(session, begin, end);
	} else {
		session->from_begin = session->begin;
		session->from_end = session->end;
		session->to_begin = begin;
		session->to_end = end;
		session->motion_start = -1;
		session->moving = TRUE;
		wpv_session_changed(session, WPV_CHANGED_VISIBLE);
	}
	wpv_row_list_set_window(session->rows, begin, end);
}

/* Before anybody is told, so that they find the history as it is. */
static void record(WpvSession *session, WpTime begin, WpTime end, WpvStep step)
{
	WpvView view = {begin, end, session->filter, session->dimmed};

	wpv_history_push(session->history, &view, step);
}

void wpv_session_show(WpvSession *session, WpTime begin, WpTime end, WpvStep step)
{
	WpTime now_begin, now_end;

	if (!session->document)
		return;
	clamp_range(session, &begin, &end);
	wpv_session_get_target(session, &now_begin, &now_end);
	if (begin == now_begin && end == now_end)
		return;
	record(session, begin, end, step);
	move_to(session, begin, end, step != WPV_STEP_ALONE);
}

void wpv_session_zoom(WpvSession *session, gdouble factor, WpTime centre, WpvStep step)
{
	WpTime begin, end;

	wpv_session_get_target(session, &begin, &end);
	centre = CLAMP(centre, begin, end);
	wpv_session_show(session, centre - (WpTime)llround((gdouble)(centre - begin) * factor),
			 centre + (WpTime)llround((gdouble)(end - centre) * factor), step);
}

void wpv_session_pan(WpvSession *session, gdouble share, WpvStep step)
{
	WpTime begin, end, by;

	wpv_session_get_target(session, &begin, &end);
	by = (WpTime)llround((gdouble)(end - begin) * share);
	/* At least a nanosecond, or the smallest windows could not be moved. */
	if (by == 0)
		by = share > 0 ? 1 : -1;
	wpv_session_show(session, begin + by, end + by, step);
}

void wpv_session_show_all(WpvSession *session)
{
	WpTime begin, end;

	if (!session->document)
		return;
	wpv_document_get_span(session->document, &begin, &end);
	wpv_session_show(session, begin, end, WPV_STEP_ALONE);
}

void wpv_session_show_path(WpvSession *session)
{
	const WpPath *path;
	WpTime room;

	if (!session->answer)
		return;
	path = wpv_answer_get_path(session->answer);
	room = (path->end - path->begin) / 100;
	wpv_session_show(session, path->begin - room, path->end + room, WPV_STEP_ALONE);
}

gboolean wpv_session_show_selection(WpvSession *session)
{
	WpTime begin, end;

	if (!wpv_session_get_selection(session, &begin, &end))
		return FALSE;
	wpv_session_show(session, begin, end, WPV_STEP_ALONE);
	return TRUE;
}

void wpv_session_show_around(WpvSession *session, WpTime begin, WpTime end)
{
	WpTime first, last, width;

	wpv_session_get_target(session, &first, &last);
	width = last - first;
	if (begin >= first && MIN(end, begin + width / 4) <= last)
		return;
	if (end - begin > width)
		wpv_session_show(session, begin - width / 4, begin - width / 4 + width,
				 WPV_STEP_ALONE);
	else
		wpv_session_show(session, (begin + end) / 2 - width / 2,
				 (begin + end) / 2 - width / 2 + width, WPV_STEP_ALONE);
}

static gboolean take_view(WpvSession *session, const WpvView *view)
{
	if (!view)
		return FALSE;
	move_to(session, view->begin, view->end, FALSE);
	session->dimmed = view->dimmed;
	wpv_row_filter_copy(&session->filter, &view->filter);
	wpv_row_list_set_filter(session->rows, &session->filter);
	wpv_session_changed(session, WPV_CHANGED_FILTER);
	return TRUE;
}

gboolean wpv_session_zoom_back(WpvSession *session)
{
	return session->document && take_view(session, wpv_history_zoom_back(session->history));
}

gboolean wpv_session_undo(WpvSession *session)
{
	return session->document && take_view(session, wpv_history_undo(session->history));
}

gboolean wpv_session_redo(WpvSession *session)
{
	return session->document && take_view(session, wpv_history_redo(session->history));
}

gboolean wpv_session_can_undo(WpvSession *session)
{
	return session->document && wpv_history_can_undo(session->history);
}

gboolean wpv_session_can_redo(WpvSession *session)
{
	return session->document && wpv_history_can_redo(session->history);
}

void wpv_session_set_motion_time(WpvSession *session, gint64 duration)
{
	session->motion_time = duration;
}

static WpTime between(WpTime from, WpTime to, gdouble part)
{
	return from + (WpTime)llround((gdouble)(to - from) * part);
}

gboolean wpv_session_tick(WpvSession *session, gint64 now)
{
	gdouble part, rest;

	if (!session->moving)
		return FALSE;
	if (session->motion_start < 0)
		session->motion_start = now;
	part = session->motion_time > 0
		       ? (gdouble)(now - session->motion_start) / (gdouble)session->motion_time
		       : 1;
	if (part >= 1) {
		session->moving = FALSE;
		set_visible(session, session->to_begin, session->to_end);
		return FALSE;
	}
	/* Quick at first, then slower. */
	rest = 1 - CLAMP(part, 0, 1);
	part = 1 - rest * rest * rest;
	set_visible(session, between(session->from_begin, session->to_begin, part),
		    MAX(between(session->from_end, session->to_end, part),
			between(session->from_begin, session->to_begin, part) + 1));
	return TRUE;
}

/* ---- selected time ---- */

gboolean wpv_session_get_selection(WpvSession *session, WpTime *ret_begin, WpTime *ret_end)
{
	if (!session->has_selection)
		return FALSE;
	*ret_begin = MIN(session->anchor, session->selection_end);
	*ret_end = MAX(session->anchor, session->selection_end);
	return TRUE;
}

void wpv_session_set_selection(WpvSession *session, WpTime anchor, WpTime end)
{
	gboolean has = anchor != end;

	if (!session->document || (!has && !session->has_selection))
		return;
	session->has_selection = has;
	session->anchor = anchor;
	session->selection_end = end;
	wpv_session_changed(session, WPV_CHANGED_SELECTION);
}

void wpv_session_extend_selection(WpvSession *session, WpTime end)
{
	wpv_session_set_selection(
		session, session->has_selection ? session->anchor : wpv_session_get_cursor(session),
		end);
}

WpTime wpv_session_get_cursor(WpvSession *session)
{
	if (session->cursor != WP_TIME_MIN)
		return session->cursor;
	return session->begin + (session->end - session->begin) / 2;
}

void wpv_session_set_cursor(WpvSession *session, WpTime time)
{
	session->cursor = time;
}

/* ---- marks ---- */

gboolean wpv_session_get_marker(WpvSession *session, guint which, WpTime *ret_time)
{
	g_return_val_if_fail(which < 2, FALSE);
	if (session->has_marker[which])
		*ret_time = session->markers[which];
	return session->has_marker[which];
}

void wpv_session_set_marker(WpvSession *session, guint which, WpTime time)
{
	g_return_if_fail(which < 2);
	session->has_marker[which] = TRUE;
	session->markers[which] = time;
	wpv_session_changed(session, WPV_CHANGED_MARKS);
}

void wpv_session_clear_markers(WpvSession *session)
{
	session->has_marker[0] = session->has_marker[1] = FALSE;
	wpv_session_changed(session, WPV_CHANGED_MARKS);
}

const GArray *wpv_session_get_bookmarks(WpvSession *session)
{
	return session->bookmarks;
}

static gint compare_bookmarks(gconstpointer a, gconstpointer b)
{
	const WpvBookmark *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

gboolean wpv_session_add_bookmark(WpvSession *session, WpTime time, const gchar *name)
{
	WpvBookmark bookmark = {time, g_strdup(name)};

	if (session->bookmarks->len >= WPV_BOOKMARKS_MAX) {
		g_free(bookmark.name);
		return FALSE;
	}
	g_array_append_val(session->bookmarks, bookmark);
	g_array_sort(session->bookmarks, compare_bookmarks);
	wpv_session_changed(session, WPV_CHANGED_MARKS);
	return TRUE;
}

void wpv_session_remove_bookmark(WpvSession *session, guint i)
{
	g_return_if_fail(i < session->bookmarks->len);
	g_array_remove_index(session->bookmarks, i);
	wpv_session_changed(session, WPV_CHANGED_MARKS);
}

guint32 wpv_session_find_bookmark(WpvSession *session, WpTime time, WpTime reach)
{
	guint32 found = WP_NONE;

	for (guint i = 0; i < session->bookmarks->len; i++) {
		WpTime at = g_array_index(session->bookmarks, WpvBookmark, i).time;

		if (ABS(at - time) > reach)
			continue;
		reach = ABS(at - time);
		found = i;
	}
	return found;
}

/* ---- what is shown ---- */

const WpvRowFilter *wpv_session_get_filter(WpvSession *session)
{
	return &session->filter;
}

static void record_filter(WpvSession *session)
{
	WpTime begin, end;

	wpv_session_get_target(session, &begin, &end);
	if (session->document)
		record(session, begin, end, WPV_STEP_ALONE);
}

void wpv_session_set_filter(WpvSession *session, const WpvRowFilter *filter)
{
	if (wpv_row_filter_equal(&session->filter, filter))
		return;
	wpv_row_filter_copy(&session->filter, filter);
	record_filter(session);
	wpv_row_list_set_filter(session->rows, filter);
	wpv_session_changed(session, WPV_CHANGED_FILTER);
}

guint32 wpv_session_get_dimmed(WpvSession *session)
{
	return session->dimmed;
}

void wpv_session_set_dimmed(WpvSession *session, guint32 dimmed)
{
	if (session->dimmed == dimmed)
		return;
	session->dimmed = dimmed;
	record_filter(session);
	wpv_session_changed(session, WPV_CHANGED_FILTER);
}

static void index_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	WpvArrowIndex *index = wpv_arrow_index_new(WPV_DOCUMENT(source), cancellable, &error);

	if (index)
		g_task_return_pointer(task, index, (GDestroyNotify)wpv_arrow_index_free);
	else
		g_task_return_error(task, g_steal_pointer(&error));
}

static void index_done(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvSession) session = data;
	g_autoptr(GError) error = NULL;
	WpvArrowIndex *index = g_task_propagate_pointer(G_TASK(result), &error);

	if (g_task_get_cancellable(G_TASK(result)) != session->indexing) {
		wpv_arrow_index_free(index);
		return;
	}
	g_clear_object(&session->indexing);
	session->arrow_index = index;
	if (!index)
		g_signal_emit_by_name(session, "failed", error);
	wpv_session_changed(session, WPV_CHANGED_ARROWS);
}

static void want_index(WpvSession *session)
{
	g_autoptr(GTask) task = NULL;

	if (!session->document || session->arrow_index || session->indexing)
		return;
	session->indexing = g_cancellable_new();
	task = g_task_new(session->document, session->indexing, index_done, g_object_ref(session));
	g_task_run_in_thread(task, index_thread);
}

WpvArrows wpv_session_get_arrows(WpvSession *session)
{
	return session->arrows;
}

void wpv_session_set_arrows(WpvSession *session, WpvArrows arrows)
{
	session->arrows = arrows;
	if (arrows == WPV_ARROWS_ALL)
		want_index(session);
	wpv_session_changed(session, WPV_CHANGED_ARROWS);
}

const WpvArrowIndex *wpv_session_get_arrow_index(WpvSession *session)
{
	if (session->arrows == WPV_ARROWS_ALL)
		want_index(session);
	return session->arrow_index;
}

gboolean wpv_session_get_highlight(WpvSession *session)
{
	return session->highlight;
}

void wpv_session_set_highlight(WpvSession *session, gboolean highlight)
{
	session->highlight = !!highlight;
	wpv_session_changed(session, WPV_CHANGED_STYLE);
}

gint wpv_session_get_row_height(WpvSession *session)
{
	return session->row_height;
}

void wpv_session_set_row_height(WpvSession *session, gint height)
{
	height = CLAMP(height, WPV_ROW_HEIGHT_MIN, WPV_ROW_HEIGHT_MAX);
	if (session->row_height == height)
		return;
	session->row_height = height;
	wpv_session_changed(session, WPV_CHANGED_ROWS);
}
