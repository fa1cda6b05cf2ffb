/* SPDX-License-Identifier: MIT */
/*
 * wpv-session.h: what the user looks at and has chosen: the task and its path, the
 * visible range of time, the selected range and item, markers, filters. All widgets
 * show the session and change nothing but the session; none knows another.
 *
 * Times are on the reference clock. There is always a visible range of at least
 * WPV_VISIBLE_MIN, inside the document's span.
 */
#ifndef WPV_SESSION_H
#define WPV_SESSION_H

#include "viewer/model/wpv-arrow-index.h"
#include "viewer/model/wpv-history.h"
#include "viewer/model/wpv-style.h"

G_BEGIN_DECLS

#define WPV_VISIBLE_MIN 20 /* ns */
#define WPV_ROW_HEIGHT_MIN 14
#define WPV_ROW_HEIGHT_MAX 80
#define WPV_ROW_HEIGHT_DEFAULT 24
#define WPV_BOOKMARKS_MAX 1000

typedef enum {
	WPV_CHANGED_DOCUMENT = 1 << 0,
	WPV_CHANGED_ANSWER = 1 << 1, /* another path, or none, or one is on its way */
	WPV_CHANGED_VISIBLE = 1 << 2,
	WPV_CHANGED_SELECTION = 1 << 3,
	WPV_CHANGED_ITEM = 1 << 4,
	WPV_CHANGED_MARKS = 1 << 5, /* markers, bookmarks */
	WPV_CHANGED_ROWS = 1 << 6, /* the rows or their height */
	WPV_CHANGED_FILTER = 1 << 7,
	WPV_CHANGED_ARROWS = 1 << 8,
	WPV_CHANGED_STYLE = 1 << 9,
	WPV_CHANGED_LODS = 1 << 10, /* a row can be drawn that could not be before */
	WPV_CHANGED_ALL = (1 << 11) - 1
} WpvChanged;

typedef enum { WPV_ARROWS_NONE, WPV_ARROWS_PATH, WPV_ARROWS_ALL } WpvArrows;

/* A segment that was chosen: of a row, of the path, or of both. */
typedef struct {
	WpvRowKey row; /* WPV_ROW_KEY_NONE: nothing is chosen */
	WpTime begin, end;
	gint64 index; /* of the row's series; -1: the row has no segment there */
	guint32 piece; /* of the path; WP_NONE: the path is elsewhere */
	guint8 state; /* of the piece, or else of the row; WP_SERIES_EMPTY */
} WpvItem;

typedef struct {
	WpTime time;
	gchar *name; /* owned */
} WpvBookmark;

#define WPV_TYPE_SESSION (wpv_session_get_type())
G_DECLARE_FINAL_TYPE(WpvSession, wpv_session, WPV, SESSION, GObject)

/*
 * Signals: "changed" with WpvChanged flags; "reveal" with a row's place in the list, when
 * something was chosen that may lie outside of what is scrolled to; "failed" with a
 * GError when a path can't be computed or the graph turns out to be damaged.
 */
WpvSession *wpv_session_new(void);

/* Never NULL. */
WpvStyle *wpv_session_get_style(WpvSession *session);
WpvRowList *wpv_session_get_rows(WpvSession *session);

/* NULL: nothing is open. */
WpvDocument *wpv_session_get_document(WpvSession *session);
void wpv_session_set_document(WpvSession *session, WpvDocument *document);

/* ---- the path ---- */

/* NULL until there is one. */
WpvAnswer *wpv_session_get_answer(WpvSession *session);
void wpv_session_set_answer(WpvSession *session, WpvAnswer *answer);
/* Grows whenever the document or the path is another: part of the key of what is cached. */
guint wpv_session_get_generation(WpvSession *session);
/* Computes the path by a thread; a request before it is dropped. */
void wpv_session_ask(WpvSession *session, const WpvQuestion *question);
gboolean wpv_session_is_asking(WpvSession *session);
/* The path of the task of a row over the selected range, or else over its life. FALSE: no task. */
gboolean wpv_session_follow_row(WpvSession *session, WpvRowKey row);

/* ---- time ---- */

/* What is shown now; while moving, on the way. */
void wpv_session_get_visible(WpvSession *session, WpTime *ret_begin, WpTime *ret_end);
/* Where the movement ends. */
void wpv_session_get_target(WpvSession *session, WpTime *ret_begin, WpTime *ret_end);
/* Clamped; recorded in the history. Moves there within the set time, unless a small step. */
void wpv_session_show(WpvSession *session, WpTime begin, WpTime end, WpvStep step);
/* factor > 1 shows more; centre stays where it is on the screen. */
void wpv_session_zoom(WpvSession *session, gdouble factor, WpTime centre, WpvStep step);
/* By a share of the visible range; positive: later. */
void wpv_session_pan(WpvSession *session, gdouble share, WpvStep step);
void wpv_session_show_all(WpvSession *session);
/* The path's window with a little room around it. */
void wpv_session_show_path(WpvSession *session);
gboolean wpv_session_show_selection(WpvSession *session);
gboolean wpv_session_zoom_back(WpvSession *session);
gboolean wpv_session_undo(WpvSession *session);
gboolean wpv_session_redo(WpvSession *session);
gboolean wpv_session_can_undo(WpvSession *session);
gboolean wpv_session_can_redo(WpvSession *session);
/* us that a jump takes; 0, the default: none. */
void wpv_session_set_motion_time(WpvSession *session, gint64 duration);
/* Moves on to a time of a monotonic clock, us. FALSE when there is no more to move. */
gboolean wpv_session_tick(WpvSession *session, gint64 now);

/* FALSE when nothing is selected. */
gboolean wpv_session_get_selection(WpvSession *session, WpTime *ret_begin, WpTime *ret_end);
/* In any order; equal: nothing. */
void wpv_session_set_selection(WpvSession *session, WpTime anchor, WpTime end);
/* Moves the end that was moved last. From nothing: from the cursor. */
void wpv_session_extend_selection(WpvSession *session, WpTime end);
/* To the next border of the selected row (direction 1 or -1), or a twentieth of what is visible. */
void wpv_session_step_selection(WpvSession *session, gint direction);
/* The border of a segment of the row that is nearest to time, if it is nearer than reach. */
WpTime wpv_session_snap(WpvSession *session, WpvRowKey row, WpTime time, WpTime reach);

/* Where things happen: the last click; the middle of what is visible before any. */
WpTime wpv_session_get_cursor(WpvSession *session);
void wpv_session_set_cursor(WpvSession *session, WpTime time);

/* ---- the item ---- */

const WpvItem *wpv_session_get_item(WpvSession *session);
/* What lies on a row at a time; also moves the cursor. */
void wpv_session_select_at(WpvSession *session, WpvRowKey row, WpTime time);
void wpv_session_select_piece(WpvSession *session, guint32 piece);
void wpv_session_select_none(WpvSession *session);
/* Moves the item's time into view, and asks for its row to be scrolled to. */
void wpv_session_reveal(WpvSession *session);
/* What would be selected there; row WPV_ROW_KEY_NONE: the path. */
WpvItem wpv_session_item_at(WpvSession *session, WpvRowKey row, WpTime time);
/* Each FALSE when there is no such thing; direction 1 or -1. */
gboolean wpv_session_step_segment(WpvSession *session, gint direction);
gboolean wpv_session_step_row(WpvSession *session, gint direction);
gboolean wpv_session_select_row(WpvSession *session, guint place);
gboolean wpv_session_step_path(WpvSession *session, gint direction);
/* To what the item woke (1), or to what ended the wait before it (-1). */
gboolean wpv_session_follow_arrow(WpvSession *session, gint direction);

/* ---- marks ---- */

/* which: 0 or 1. FALSE: not set. */
gboolean wpv_session_get_marker(WpvSession *session, guint which, WpTime *ret_time);
void wpv_session_set_marker(WpvSession *session, guint which, WpTime time);
void wpv_session_clear_markers(WpvSession *session);
const GArray *wpv_session_get_bookmarks(WpvSession *session); /* WpvBookmark, by time */
/* FALSE when there are WPV_BOOKMARKS_MAX. */
gboolean wpv_session_add_bookmark(WpvSession *session, WpTime time, const gchar *name);
void wpv_session_remove_bookmark(WpvSession *session, guint i);
/* The one nearest to a time, not farther from it than reach; WP_NONE. */
guint32 wpv_session_find_bookmark(WpvSession *session, WpTime time, WpTime reach);

/* ---- what is shown ---- */

const WpvRowFilter *wpv_session_get_filter(WpvSession *session);
void wpv_session_set_filter(WpvSession *session, const WpvRowFilter *filter);
/* A bit for each state that is dimmed. */
guint32 wpv_session_get_dimmed(WpvSession *session);
void wpv_session_set_dimmed(WpvSession *session, guint32 dimmed);
WpvArrows wpv_session_get_arrows(WpvSession *session);
void wpv_session_set_arrows(WpvSession *session, WpvArrows arrows);
/* NULL until all arrows are wanted and a thread has made it. */
const WpvArrowIndex *wpv_session_get_arrow_index(WpvSession *session);
/* Is what is not on the path drawn fainter? */
gboolean wpv_session_get_highlight(WpvSession *session);
void wpv_session_set_highlight(WpvSession *session, gboolean highlight);
gint wpv_session_get_row_height(WpvSession *session);
void wpv_session_set_row_height(WpvSession *session, gint height);

G_END_DECLS

#endif
