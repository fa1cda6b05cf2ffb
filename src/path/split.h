/* SPDX-License-Identifier: MIT */
/* split.h: where requests begin and end; what their paths are is no matter here. */
#ifndef WP_PATH_SPLIT_H
#define WP_PATH_SPLIT_H

#include "path/requests.h"

G_BEGIN_DECLS

/* Requests found so far. */
typedef struct {
	const WpGraph *graph; /* borrowed */
	const WpRequestsOptions *options; /* borrowed */
	GArray *requests; /* borrowed: WpRequest */
	guint64 n_unfinished;
	gboolean is_full; /* there were more than may be looked at together */
} WpSplit;

/* As many requests, and as many packets and waits that tasks say and hear something by. */
#define WP_SPLIT_REQUESTS_MAX 4000000u
#define WP_SPLIT_MOVES_MAX (1u << 25)

/* Tells which of a host's tasks are asked for; owned by the caller, one for each task. */
guint8 *wp_split_selected(const WpSplit *split, guint host);
/*
 * Adds a request (host times) if it lies in the window and takes time, unless there are too many;
 * flow and marker (for its id; NULL) as it has them.
 */
void wp_split_add(WpSplit *split, guint host, WpId task, WpTime begin, WpTime end, WpId flow,
		  const WpMarker *marker);

void wp_split_by_markers(WpSplit *split, guint host);
/* Both kinds of requests over the network, after options->rule. */
void wp_split_by_packets(WpSplit *split, guint host);

G_END_DECLS

#endif
