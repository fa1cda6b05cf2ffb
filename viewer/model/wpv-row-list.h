/* SPDX-License-Identifier: MIT */
/*
 * wpv-row-list.h: which rows the timeline shows, in their order: hosts, their
 * processes, their threads; kernel threads, CPUs and interrupts when they are wanted.
 *
 * At first only tasks on the path are there. A tree, kept flat: what is collapsed is
 * left out. Rebuilt as a whole when anything that it depends on changes, which takes a
 * millisecond for ten thousand tasks.
 */
#ifndef WPV_ROW_LIST_H
#define WPV_ROW_LIST_H

#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

typedef enum {
	WPV_SORT_SHARE, /* of the path, the most first */
	WPV_SORT_APPEARANCE, /* on the path */
	WPV_SORT_NAME,
	WPV_SORT_ID,
	WPV_SORT_N
} WpvSort;

typedef struct {
	gboolean all_tasks; /* not only those on the path */
	gboolean kernel; /* kernel threads that are not on the path */
	gboolean cpus;
	gboolean interrupts;
	gboolean hide_empty; /* tasks that do not live in the window */
	gboolean only_active; /* and those that stay in one state through all of it */
	WpvSort sort;
	gchar *text; /* owned: names must contain it; NULL or "": any */
} WpvRowFilter;

void wpv_row_filter_copy(WpvRowFilter *to, const WpvRowFilter *from);
void wpv_row_filter_clear(WpvRowFilter *filter);
gboolean wpv_row_filter_equal(const WpvRowFilter *a, const WpvRowFilter *b);
/* "share", "appearance", "name", "id". */
const gchar *wpv_sort_key(WpvSort sort);
/* WPV_SORT_N when the key names none. */
WpvSort wpv_sort_from_key(const gchar *key);

typedef struct {
	WpvRowKey key;
	WpTime time; /* of the path on it */
	guint8 depth;
	gboolean expandable, expanded, pinned;
} WpvRow;

#define WPV_TYPE_ROW_LIST (wpv_row_list_get_type())
G_DECLARE_FINAL_TYPE(WpvRowList, wpv_row_list, WPV, ROW_LIST, GObject)

/* Signal "changed": the rows are others. */
WpvRowList *wpv_row_list_new(void);

/* document and answer may be NULL. The window (reference clock) matters to the filter only. */
void wpv_row_list_set_content(WpvRowList *list, WpvDocument *document, WpvAnswer *answer);
void wpv_row_list_set_filter(WpvRowList *list, const WpvRowFilter *filter);
void wpv_row_list_set_window(WpvRowList *list, WpTime begin, WpTime end);

guint wpv_row_list_get_n(WpvRowList *list);
/* Borrowed until the next "changed". */
const WpvRow *wpv_row_list_get(WpvRowList *list, guint i);
/* WP_NONE when it is not shown. Of a pinned row the place in the tree. */
guint32 wpv_row_list_find(WpvRowList *list, WpvRowKey key);
/* The same, or where the row would be if nothing were collapsed: its process, its host. */
guint32 wpv_row_list_find_nearest(WpvRowList *list, WpvRowKey key);

void wpv_row_list_set_expanded(WpvRowList *list, WpvRowKey key, gboolean expanded);
void wpv_row_list_expand_all(WpvRowList *list);
void wpv_row_list_set_pinned(WpvRowList *list, WpvRowKey key, gboolean pinned);
gboolean wpv_row_list_is_pinned(WpvRowList *list, WpvRowKey key);
/* How many of the first rows are pinned ones. */
guint wpv_row_list_get_n_pinned(WpvRowList *list);
/* The pinned rows' keys (WpvRowKey), borrowed. */
const GArray *wpv_row_list_get_pinned(WpvRowList *list);

G_END_DECLS

#endif
