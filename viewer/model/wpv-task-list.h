/* SPDX-License-Identifier: MIT */
/*
 * wpv-task-list.h: the tasks that a path may be asked for, as a list model: those whose
 * path lies mostly on others first. Narrowed by a text.
 */
#ifndef WPV_TASK_LIST_H
#define WPV_TASK_LIST_H

#include "path/prefix.h"
#include "viewer/model/wpv-document.h"

G_BEGIN_DECLS

/* An item: made when it is asked for. */
#define WPV_TYPE_TASK_ITEM (wpv_task_item_get_type())
G_DECLARE_FINAL_TYPE(WpvTaskItem, wpv_task_item, WPV, TASK_ITEM, GObject)

WpvRowKey wpv_task_item_get_row(WpvTaskItem *item);
/* "client (183) @ hosta"; owned by the caller. */
gchar *wpv_task_item_dup_name(WpvTaskItem *item);
/* Its life in the trace and what of its path lies on others, ns. */
WpTime wpv_task_item_get_time(WpvTaskItem *item);
WpTime wpv_task_item_get_others(WpvTaskItem *item);

#define WPV_TYPE_TASK_LIST (wpv_task_list_get_type())
G_DECLARE_FINAL_TYPE(WpvTaskList, wpv_task_list, WPV, TASK_LIST, GObject)

/* Empty until the document has been looked through. */
WpvTaskList *wpv_task_list_new(void);
/* Looks through the document by a thread; NULL empties the list. */
void wpv_task_list_set_document(WpvTaskList *list, WpvDocument *document);
/* Signal "ready" when it has been. */
gboolean wpv_task_list_is_ready(WpvTaskList *list);
/* Names, hosts and tids must contain it; NULL: any. */
void wpv_task_list_set_text(WpvTaskList *list, const gchar *text);
/*
 * The task that a user may want most: of user space, with most of its path on others.
 * FALSE when there is none.
 */
gboolean wpv_task_list_guess(WpvTaskList *list, WpvRowKey *ret_row);

/* "client (183) @ hosta"; owned by the caller. */
gchar *wpv_document_dup_task_name(WpvDocument *document, guint32 host, WpId task);

G_END_DECLS

#endif
