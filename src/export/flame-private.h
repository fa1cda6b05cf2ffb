/* SPDX-License-Identifier: MIT */
/* flame-private.h: a flame graph as a tree of boxes, drawn the same for a path and a comparison. */
#ifndef WP_EXPORT_FLAME_PRIVATE_H
#define WP_EXPORT_FLAME_PRIVATE_H

#include "export/stacks.h"
#include "export/svg-private.h"

G_BEGIN_DECLS

typedef struct WpFlameBox WpFlameBox;

struct WpFlameBox {
	gchar *name; /* owned */
	WpState state; /* WP_STATE_N: a task */
	WpTime time[WP_STACKS_SIDES];
	WpTime width; /* in time: of a leaf the longer side, else the sum of its children */
	GHashTable *children; /* owned: name (of the child) to owned WpFlameBox; NULL: none */
};

/* How a box looks. */
typedef struct {
	/* Writes "#rrggbb". */
	void (*colour)(const WpFlameBox *box, gchar buffer[8]);
	/* What stands in it, and in the tooltip. Both owned by the caller. */
	gchar *(*words)(const WpFlameBox *box);
	gchar *(*tooltip)(const WpFlameBox *box, const WpFlameBox *root);
} WpFlameLook;

/* A box for nobody, whose children are the first frames. */
WpFlameBox *wp_flame_new(void);
void wp_flame_free(WpFlameBox *root);
/* The child of this name, made when there is none; a frame's state is WP_STATE_N. */
WpFlameBox *wp_flame_child(WpFlameBox *box, const gchar *name, WpState state);
/* Gives all boxes their widths; to be called once, when all times are there. */
void wp_flame_measure(WpFlameBox *root);
guint wp_flame_levels(const WpFlameBox *root);
/* Draws it below the title; returns the states that occur, a bit each. */
guint32 wp_flame_draw(WpXml *xml, const WpFlameBox *root, const WpFlameLook *look);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFlameBox, wp_flame_free)

G_END_DECLS

#endif
