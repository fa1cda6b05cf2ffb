/* SPDX-License-Identifier: MIT */
/*
 * sync.c: the joining of a graph's hosts: matching, clocks, report.
 *
 * What is doubtful in the matching is settled by the clocks, and what is settled may tell
 * more about the clocks; so the two take turns, a few times at most.
 */
#include "config.h"

#include "base/error.h"
#include "base/phase.h"
#include "sync/clocks.h"
#include "sync/report.h"
#include "sync/sync-file.h"

#define ROUNDS_MAX 3u
/* More packets for the clocks are worth another round when they are one in so many. */
#define WORTH_SHARE 32u

/* Rounds of matching and clocks; the maps are set at the end. */
static gboolean find_clocks(WpGraph *graph, WpMatcher *matcher, WpClocks *clocks,
			    const WpSyncOptions *options, WpCancel *cancellable, GError **error)
{
	guint64 n_before = 0, n_known = 0;
	WP_PHASE(WP_PHASE_SYNC);

	for (guint round = 0; round < ROUNDS_MAX; round++) {
		if (!wp_clocks_solve(clocks, graph, matcher, options->reference, options->offsets,
				     cancellable, error))
			return FALSE;
		wp_clocks_apply(clocks, graph);
		if (!wp_matcher_resolve(matcher, FALSE, &n_before, cancellable, error))
			return FALSE;
		if (n_before <= n_known + clocks->n_points / WORTH_SHARE)
			break;
		n_known = n_before;
	}
	return wp_matcher_resolve(matcher, TRUE, &n_before, cancellable, error);
}

static void set_pair_bound(WpGraph *graph, WpClocks *clocks)
{
	graph->pair_bound = clocks ? wp_clocks_bound : NULL;
	graph->pair_data = clocks;
	graph->pair_free = clocks ? (GDestroyNotify)wp_clocks_free : NULL;
}

/*
 * Received packets that match no send, though their sender is traced: that host may have lost the
 * event, which the path is to know.
 */
static void note_lost_sends(WpGraph *graph, const WpAddresses *addresses)
{
	gboolean any = FALSE;

	for (guint h = 0; h < graph->n_hosts; h++)
		any = any || graph->hosts[h]->losses.n > 0;
	for (guint h = 0; any && h < graph->n_hosts; h++) {
		WpHost *host = graph->hosts[h];

		for (guint64 i = 0; i < graph->joins[h].matches.n; i++) {
			WpMatch *match = &WP_AT(&graph->joins[h].matches, WpMatch, i);
			const WpPacket *packet = wp_host_packet(host, i);
			guint32 sender;

			if (match->host != WP_NONE || (packet->flags & WP_PACKET_SEND) ||
			    packet->flow >= host->flows.n)
				continue;
			sender = wp_addresses_owner(addresses,
						    wp_host_flow(host, packet->flow)->src);
			if (sender < graph->n_hosts && graph->hosts[sender]->losses.n)
				match->host = sender;
		}
	}
}

gboolean wp_sync_join(WpGraph *graph, const WpSyncOptions *options, WpSyncReport **ret_report,
		      WpCancel *cancellable, GError **error)
{
	g_autoptr(WpAddresses) addresses = wp_addresses_new(graph);
	g_autoptr(WpMatcher) matcher = wp_matcher_new(graph, addresses, 0);
	g_autoptr(WpSyncReport) report = NULL;
	WpClocks *clocks = NULL;
	guint64 n_before;
	WP_PHASE(WP_PHASE_JOIN);

	g_return_val_if_fail(options->reference < graph->n_hosts, FALSE);
	if (graph->pair_free)
		graph->pair_free(graph->pair_data);
	set_pair_bound(graph, NULL);
	graph->reference = options->reference;
	if (!wp_matcher_run(matcher, cancellable, error))
		return FALSE;
	if (options->sync_file) {
		if (!wp_sync_file_load(graph, options->sync_file, options->reference, error) ||
		    !wp_matcher_resolve(matcher, TRUE, &n_before, cancellable, error))
			return FALSE;
	} else {
		/* The matcher asks the graph for bounds while the clocks are being found. */
		clocks = wp_clocks_new(graph->n_hosts);
		set_pair_bound(graph, clocks);
		if (!find_clocks(graph, matcher, clocks, options, cancellable, error)) {
			wp_clocks_free(clocks);
			set_pair_bound(graph, NULL);
			return FALSE;
		}
	}
	report = wp_sync_report_new(graph, matcher, addresses, clocks);
	wp_sync_report_findings(report, graph, clocks);
	note_lost_sends(graph, addresses);
	if (ret_report)
		*ret_report = g_steal_pointer(&report);
	return TRUE;
}
