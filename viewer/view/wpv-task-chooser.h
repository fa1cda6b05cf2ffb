/* SPDX-License-Identifier: MIT */
/* wpv-task-chooser.h: a popover to choose the task whose time is to be explained. */
#ifndef WPV_TASK_CHOOSER_H
#define WPV_TASK_CHOOSER_H

#include <gtk/gtk.h>

#include "viewer/model/wpv-session.h"
#include "viewer/model/wpv-task-list.h"

G_BEGIN_DECLS

/* list is shared. A chosen task is followed over its life, and its window shown. */
GtkWidget *wpv_task_chooser_new(WpvSession *session, WpvTaskList *list);

G_END_DECLS

#endif
