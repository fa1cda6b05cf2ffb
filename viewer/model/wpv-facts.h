/* SPDX-License-Identifier: MIT */
/*
 * wpv-facts.h: what is told about a segment: in the details pane as facts, some of which
 * lead elsewhere, and in one tooltip.
 */
#ifndef WPV_FACTS_H
#define WPV_FACTS_H

#include "viewer/model/wpv-session.h"

G_BEGIN_DECLS

typedef enum {
	WPV_LINK_NONE,
	WPV_LINK_PIECE, /* a segment of the path */
	WPV_LINK_ROW /* a row at a time */
} WpvLinkKind;

typedef struct {
	gchar *label; /* owned: "Why" */
	gchar *text; /* owned */
	WpvLinkKind link;
	guint32 piece;
	WpvRowKey row;
	WpTime time;
} WpvFact;

/* The segment that an item is: of the path, or of its row. FALSE: the row shows nothing there. */
gboolean wpv_item_get_segment(WpvSession *session, const WpvItem *item, WpSegment *ret_segment);
/* Owned array of owned WpvFact; empty when nothing is chosen. */
GPtrArray *wpv_facts_of_item(WpvSession *session, const WpvItem *item);
/* Follows a fact's link. */
void wpv_fact_follow(WpvSession *session, const WpvFact *fact);

/*
 * Name, state, cause, begin, end, duration, share of the path; of the whole of what lies
 * in [begin, end) of the row when that is more than one segment. NULL: nothing there.
 * Owned by the caller.
 */
gchar *wpv_tooltip_text(WpvSession *session, WpvRowKey row, WpTime begin, WpTime end);
/* One line for a screen reader: "running, 56.0 ms, back 305 on hostc, on the path". Owned. */
gchar *wpv_item_dup_words(WpvSession *session, const WpvItem *item);

G_END_DECLS

#endif
