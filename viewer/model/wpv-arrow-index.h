/* SPDX-License-Identifier: MIT */
/*
 * wpv-arrow-index.h: who woke whom: the arrows of the timeline.
 *
 * The index holds every wait that a task or a packet ended, by time; what an arrow looks
 * like is found out when it is asked for. Immutable; made by a thread the first time
 * that other arrows than the path's are wanted.
 */
#ifndef WPV_ARROW_INDEX_H
#define WPV_ARROW_INDEX_H

#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

/* More are not drawn at a time. */
#define WPV_ARROWS_MAX 2000
/* Nor are more segments of a path looked through. */
#define WPV_ARROW_SEGMENTS_MAX 50000

typedef enum {
	WPV_ARROW_WAKE, /* a task woke another */
	WPV_ARROW_PACKET, /* a packet: from its sending to what it woke */
	WPV_ARROW_ENTER /* the path goes on there from where the wait began; nobody acted */
} WpvArrowKind;

typedef struct {
	WpTime from, to; /* reference clock */
	guint32 from_host, to_host;
	WpId from_task, to_task;
	WpvArrowKind kind;
} WpvArrow;

typedef struct WpvArrowIndex WpvArrowIndex;

/* Linear in the vertices. NULL with WP_ERROR_CANCELLED or _LIMIT. */
WpvArrowIndex *wpv_arrow_index_new(WpvDocument *document, GCancellable *cancellable,
				   GError **error);
void wpv_arrow_index_free(WpvArrowIndex *index);
guint64 wpv_arrow_index_get_n(const WpvArrowIndex *index);

/* Says whether an arrow is wanted; the index is asked for at most WPV_ARROWS_MAX that are. */
typedef gboolean (*WpvArrowFunc)(const WpvArrow *arrow, gpointer data);

/*
 * Appends to arrows (WpvArrow) those that touch [begin, end) and are wanted. FALSE when
 * there are more than WPV_ARROWS_MAX, or more than ten times that had to be looked at:
 * arrows then holds some of them.
 */
gboolean wpv_arrow_index_query(const WpvArrowIndex *index, WpTime begin, WpTime end,
			       WpvArrowFunc wanted, gpointer data, GArray *arrows);

/* What first leaves a task at or after a time; gives up after half a million other arrows. */
gboolean wpv_arrow_index_next(const WpvArrowIndex *index, guint32 host, WpId task, WpTime time,
			      WpvArrow *ret_arrow);
/* What ended the last wait of a task that ended at or before a time. */
gboolean wpv_arrow_find_cause(WpvDocument *document, guint32 host, WpId task, WpTime time,
			      WpvArrow *ret_arrow);

/*
 * Appends the hand-overs of a path that touch [begin, end). FALSE, and none, when more
 * than WPV_ARROW_SEGMENTS_MAX segments lie there; at most WPV_ARROWS_MAX are appended.
 */
gboolean wpv_arrows_of_path(WpvAnswer *answer, WpTime begin, WpTime end, GArray *arrows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvArrowIndex, wpv_arrow_index_free)

G_END_DECLS

#endif
