/* SPDX-License-Identifier: MIT */
/*
 * file.h: graphs saved to a file and mapped from it.
 *
 * A file holds hosts, each in its own clock and with its packets, not their join: so
 * hosts of several files can be put together and joined as if their traces had been
 * analysed at once. doc/graph-file.md describes the format.
 */
#ifndef WP_GRAPH_FILE_H
#define WP_GRAPH_FILE_H

#include "base/cancel.h"
#include "graph/host.h"

G_BEGIN_DECLS

/* Whether the file begins like a saved graph. FALSE also when it can't be read. */
gboolean wp_graph_file_probe(const gchar *path);

/*
 * Saves the hosts. The file appears under its name only when it is complete; on failure
 * nothing is left behind.
 */
gboolean wp_graph_file_save(WpHost *const *hosts, guint n_hosts, const gchar *path,
			    WpCancel *cancellable, GError **error);

/*
 * The hosts of a saved graph: an array of owned WpHost, ready for wp_graph_new(). The tables
 * are the mapped file; a chunk of them is verified when it is used first (wp_host_is_damaged()).
 * Fails when the file is cut, of another version, of a machine with another byte order, or
 * its directory is damaged.
 */
GPtrArray *wp_graph_file_open(const gchar *path, GError **error);

G_END_DECLS

#endif
