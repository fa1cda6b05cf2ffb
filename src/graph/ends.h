/* SPDX-License-Identifier: MIT */
/*
 * ends.h: what is asked of a host's vertices from the earliest to the latest, when the links between
 * them go back only: when a wait ends, and which segments somebody made begin.
 *
 * A wait ends when its cause acts: at that cause's time. Only those are listed that end at another
 * one, as waits for a packet do, which was received before. So what is listed is little, and the
 * model that makes the vertices knows it without looking for it.
 */
#ifndef WP_GRAPH_ENDS_H
#define WP_GRAPH_ENDS_H

#include "graph/host.h"

G_BEGIN_DECLS

/* A wait that has a cause, and ends at another time. */
typedef struct {
	WpTime time; /* host clock: of the task's next vertex, or of the host's end */
	WpId vertex;
	guint32 unused;
} WpWaitEnd;

struct WpHostEnds {
	WpColumn waits; /* WpWaitEnd, by vertex */
	/*
	 * WpId, in order: all vertices whose cause is of kind WP_CAUSE_WORKQUEUE or WP_CAUSE_FORK and
	 * that are no waits. There may be others, and some twice.
	 */
	WpColumn begins;
	guint32 wait_kinds; /* a bit, 1 << WpCauseKind, for each that a listed wait's cause is of */
};

void wp_host_ends_init(WpHostEnds *ends, WpMemory *memory);
void wp_host_ends_clear(WpHostEnds *ends);
/* Adds one, in any order. FALSE with an error when memory is out. */
gboolean wp_host_ends_add_wait(WpHostEnds *ends, WpId vertex, WpCauseKind kind, WpTime time,
			       GError **error);
gboolean wp_host_ends_add_begin(WpHostEnds *ends, WpId vertex, GError **error);
/* Puts all in order. FALSE with an error when memory is out. */
gboolean wp_host_ends_sort(WpHostEnds *ends, GError **error);
/* Finds them all (ends is empty) by going through the vertices. FALSE when memory is out. */
gboolean wp_host_ends_find(WpHostEnds *ends, const WpHost *host, GError **error);
/* Whether two say the same of a host's vertices; both in order. */
gboolean wp_host_ends_agree(const WpHostEnds *a, const WpHostEnds *b, const WpHost *host);
/* Where waits of such causes are listed: when this one ends; otherwise: its cause's time. */
WpTime wp_host_ends_look_up(const WpHostEnds *ends, WpId vertex, WpTime otherwise);

/* When the wait with this number ends, host clock. */
static inline WpTime wp_host_ends_of(const WpHostEnds *ends, WpId vertex, const WpCause *cause)
{
	return G_LIKELY(!(ends->wait_kinds >> cause->kind & 1u))
		       ? cause->time
		       : wp_host_ends_look_up(ends, vertex, cause->time);
}

G_END_DECLS

#endif
