/* SPDX-License-Identifier: MIT */
/* wpv-session-private.h: the session's members, for the files that make it up. */
#ifndef WPV_SESSION_PRIVATE_H
#define WPV_SESSION_PRIVATE_H

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

struct _WpvSession {
	GObject parent;
	WpvStyle *style; /* reference */
	WpvRowList *rows; /* reference */
	WpvDocument *document; /* reference, NULL */
	WpvAnswer *answer; /* reference, NULL */
	guint generation;
	GCancellable *asking; /* reference: of the path that is on its way, NULL */

	WpTime begin, end; /* shown now */
	WpTime from_begin, from_end, to_begin, to_end; /* of a movement */
	gint64 motion_time, motion_start; /* us; start -1: begins with the next tick */
	gboolean moving;
	WpvHistory *history; /* owned, NULL without document */

	gboolean has_selection;
	WpTime anchor, selection_end; /* the end is what moves */
	WpTime cursor; /* WP_TIME_MIN: nothing was clicked yet */
	WpvItem item;
	gboolean has_marker[2];
	WpTime markers[2];
	GArray *bookmarks; /* owned: WpvBookmark */

	WpvRowFilter filter;
	guint32 dimmed;
	WpvArrows arrows;
	WpvArrowIndex *arrow_index; /* owned, NULL */
	GCancellable *indexing; /* reference: of the index that is being made, NULL */
	gboolean highlight;
	gint row_height;
};

void wpv_session_changed(WpvSession *session, WpvChanged what);
/* Moves the visible range, if it must, so that [begin, end) or its begin is well inside. */
void wpv_session_show_around(WpvSession *session, WpTime begin, WpTime end);

G_END_DECLS

#endif
