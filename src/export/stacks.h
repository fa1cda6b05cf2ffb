/* SPDX-License-Identifier: MIT */
/*
 * stacks.h: time by stack, of one path or of two that are compared: what flame graphs are
 * drawn from. A stack is the chain of waits, from the task asked for down to the one that
 * the path is on, then its state: "client@hosta;server@hostb;running".
 */
#ifndef WP_EXPORT_STACKS_H
#define WP_EXPORT_STACKS_H

#include "path/path.h"

G_BEGIN_DECLS

#define WP_STACKS_SIDES 2u

typedef struct WpStacks WpStacks;

typedef struct {
	const gchar *stack; /* borrowed from the stacks */
	WpTime time[WP_STACKS_SIDES];
} WpStack;

/* Appends a frame and the semicolon behind it; data is the caller's. */
typedef void (*WpFrameFunc)(GString *stack, const WpTaskRef *task, gconstpointer data);

WpStacks *wp_stacks_new(void);
void wp_stacks_free(WpStacks *stacks);
/* "comm@host;", with no semicolon or line's end in the names. */
void wp_stack_append_frame(GString *stack, const gchar *comm, const gchar *host);
/* side is 0 or 1. */
void wp_stacks_add(WpStacks *stacks, guint side, const gchar *stack, WpTime time);
void wp_stacks_add_path(WpStacks *stacks, guint side, const WpGraph *graph, const WpPath *path);
/* Only the segments of the path are looked at; func knows what their tasks are called. */
void wp_stacks_add_segments(WpStacks *stacks, guint side, const WpPath *path, WpFrameFunc func,
			    gconstpointer data);
/* WpStack by text, so that those of one chain are together. Owned by the caller. */
GArray *wp_stacks_list(const WpStacks *stacks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpStacks, wp_stacks_free)

G_END_DECLS

#endif
