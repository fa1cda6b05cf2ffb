/* SPDX-License-Identifier: MIT */
/*
 * wpv-history.h: the stack of what was seen: each zoom and each filter is pushed, and
 * can be taken back and done again.
 */
#ifndef WPV_HISTORY_H
#define WPV_HISTORY_H

#include "viewer/model/wpv-row-list.h"

G_BEGIN_DECLS

/* Older entries are dropped beyond this. */
#define WPV_HISTORY_MAX 1000

typedef struct {
	WpTime begin, end; /* visible, reference clock */
	WpvRowFilter filter;
	guint32 dimmed; /* a bit for each state */
} WpvView;

typedef enum {
	WPV_STEP_ALONE, /* an entry of its own */
	WPV_STEP_ZOOM, /* one of a row of small zooms, which are one entry */
	WPV_STEP_PAN /* one of a row of movements */
} WpvStep;

typedef struct WpvHistory WpvHistory;

void wpv_view_copy(WpvView *to, const WpvView *from);
void wpv_view_clear(WpvView *view);

/* The first view stays at the bottom. */
WpvHistory *wpv_history_new(const WpvView *first);
void wpv_history_free(WpvHistory *history);
/* The view has become this one; what had been taken back is forgotten. */
void wpv_history_push(WpvHistory *history, const WpvView *view, WpvStep step);
/* One back or forward; NULL at the end. Borrowed until the next push. */
const WpvView *wpv_history_undo(WpvHistory *history);
const WpvView *wpv_history_redo(WpvHistory *history);
/* Back to the last one that showed another stretch of time. */
const WpvView *wpv_history_zoom_back(WpvHistory *history);
gboolean wpv_history_can_undo(const WpvHistory *history);
gboolean wpv_history_can_redo(const WpvHistory *history);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvHistory, wpv_history_free)

G_END_DECLS

#endif
