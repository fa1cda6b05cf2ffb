/* SPDX-License-Identifier: MIT */
/*
 * bt2-graph.h: a Babeltrace graph of one CTF trace whose streams are pulled one by
 * one: `source.ctf.fs` and a sink of our own, without the stock muxer (which asks all
 * streams for each message, and aborts on traces of old tracers).
 */
#ifndef WP_BT2_GRAPH_H
#define WP_BT2_GRAPH_H

#include <babeltrace2/babeltrace.h>

#include "base/types.h"

G_BEGIN_DECLS

typedef struct WpBt2Graph WpBt2Graph;

/* What one port gives. */
typedef struct {
	WpTime begin, end; /* of its packets; both 0 when Babeltrace can't tell */
} WpBt2Port;

/*
 * The graph of the trace in directory, for every n_shares-th of its ports, from share on: the others
 * can't be pulled. has_ranges: what the ports give is known, for which Babeltrace parses the metadata
 * once more. Must be freed on the thread that made it; may be pulled by any, one at a time.
 * WP_ERROR_FAILED with Babeltrace's own cause.
 */
WpBt2Graph *wp_bt2_graph_open(const gchar *directory, guint share, guint n_shares,
			      gboolean has_ranges, GError **error);
void wp_bt2_graph_free(WpBt2Graph *graph);

/* Of the trace, whatever the share. */
guint wp_bt2_graph_n_ports(const WpBt2Graph *graph);
/* Borrowed. */
const WpBt2Port *wp_bt2_graph_get_port(const WpBt2Graph *graph, guint port);

/*
 * The next messages of a port, none at its end. The caller owns the messages; the
 * array is good until the next pull of the same port. After an error (WP_ERROR_FAILED)
 * the port must not be pulled again, others may.
 */
gboolean wp_bt2_graph_pull(WpBt2Graph *graph, guint port, bt_message_array_const *ret_messages,
			   guint64 *ret_n, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpBt2Graph, wp_bt2_graph_free)

G_END_DECLS

#endif
