/* SPDX-License-Identifier: MIT */
/*
 * wpv-segment-list.h: the segments of the path, or of a row, in a range of time, as a
 * list model whose items are made when they are asked for.
 */
#ifndef WPV_SEGMENT_LIST_H
#define WPV_SEGMENT_LIST_H

#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

/*
 * Segment i of a row's own series as one of a path: times on the reference clock, the
 * cause and CPU of its vertex, depth 0. FALSE where the row shows nothing.
 */
gboolean wpv_document_get_segment(WpvDocument *document, WpvRowKey row, guint64 i,
				  WpSegment *ret_segment);

typedef enum {
	WPV_COLUMN_BEGIN, /* from the begin of the path, or of the trace */
	WPV_COLUMN_DURATION,
	WPV_COLUMN_STATE,
	WPV_COLUMN_TASK,
	WPV_COLUMN_HOST,
	WPV_COLUMN_CPU,
	WPV_COLUMN_CAUSE,
	WPV_COLUMN_N
} WpvColumn;

const gchar *wpv_column_title(WpvColumn column);

#define WPV_TYPE_SEGMENT_ITEM (wpv_segment_item_get_type())
G_DECLARE_FINAL_TYPE(WpvSegmentItem, wpv_segment_item, WPV, SEGMENT_ITEM, GObject)

/* Of the path, or of the row's series. */
guint32 wpv_segment_item_get_index(WpvSegmentItem *item);
/* WP_SERIES_EMPTY: the row shows nothing there. */
guint8 wpv_segment_item_get_state(WpvSegmentItem *item);
WpTime wpv_segment_item_get_begin(WpvSegmentItem *item);
/* Owned by the caller. */
gchar *wpv_segment_item_dup_text(WpvSegmentItem *item, WpvColumn column);

#define WPV_TYPE_SEGMENT_LIST (wpv_segment_list_get_type())
G_DECLARE_FINAL_TYPE(WpvSegmentList, wpv_segment_list, WPV, SEGMENT_LIST, GObject)

WpvSegmentList *wpv_segment_list_new(void);
/*
 * Those that touch [begin, end): of the path, or, with a row, of its series. NULL for
 * document, or for answer without a row: none.
 */
void wpv_segment_list_set(WpvSegmentList *list, WpvDocument *document, WpvAnswer *answer,
			  WpvRowKey row, WpTime begin, WpTime end);
/* The place of a segment in the list; WP_NONE when it is not in it. */
guint32 wpv_segment_list_find(WpvSegmentList *list, guint32 index);
/* All of it as text, tab-separated, at most max lines; owned by the caller. */
gchar *wpv_segment_list_dup_text(WpvSegmentList *list, guint max);

G_END_DECLS

#endif
