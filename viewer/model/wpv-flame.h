/* SPDX-License-Identifier: MIT */
/*
 * wpv-flame.h: the chain of waits as a tree: who waited for whom, and what the last one
 * did. A frame is a task (or, at the tips, a state); its time is that of the path on it
 * and on all those that it waited for.
 */
#ifndef WPV_FLAME_H
#define WPV_FLAME_H

#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

/* Chains are cut at this depth. */
#define WPV_FLAME_DEPTH_MAX 128

typedef struct {
	guint32 host;
	WpId task;
	guint8 state; /* of a tip; WP_SERIES_EMPTY: the frame is a task */
	guint16 depth; /* 0: the task asked for */
	guint32 parent; /* index, WP_NONE */
	WpTime begin; /* where it lies when frames are put side by side, from 0 */
	WpTime time;
	WpTime first; /* reference clock: the first moment of the path on it */
} WpvFrame;

typedef struct {
	GArray *frames; /* owned: WpvFrame; parents before children, by depth then begin */
	WpTime time; /* of all */
	guint n_levels;
} WpvFlame;

/* Linear in the path's segments. Of children the one with most time comes first. */
WpvFlame *wpv_flame_new(const WpPath *path);
/* The same by a thread, of the part of an answer's path in [begin, end). */
void wpv_flame_new_async(WpvAnswer *answer, WpTime begin, WpTime end, GCancellable *cancellable,
			 GAsyncReadyCallback callback, gpointer data);
/* NULL when cancelled, or when none of the path lies there. */
WpvFlame *wpv_flame_new_finish(GAsyncResult *result);
void wpv_flame_free(WpvFlame *flame);
/* The frame of a depth that lies at a place (0 <= at < time), WP_NONE. */
guint32 wpv_flame_find(const WpvFlame *flame, guint depth, WpTime at);
/* "back@hostc" or "running"; owned by the caller. */
gchar *wpv_flame_dup_name(const WpvFlame *flame, guint32 frame, WpGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpvFlame, wpv_flame_free)

G_END_DECLS

#endif
