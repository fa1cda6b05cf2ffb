/* SPDX-License-Identifier: MIT */
/* report.h: what there is to say of a joined graph. */
#ifndef WP_SYNC_REPORT_H
#define WP_SYNC_REPORT_H

#include "sync/addresses.h"
#include "sync/clocks.h"
#include "sync/match.h"
#include "sync/sync.h"

G_BEGIN_DECLS

/*
 * Counts packets by pair. A match that is nothing but a guess and can't be, by the clocks,
 * is dropped, unless the clocks are the user's word. clocks is NULL when they come from a file. The caller owns the report.
 */
WpSyncReport *wp_sync_report_new(WpGraph *graph, WpMatcher *matcher, const WpAddresses *addresses,
				 const WpClocks *clocks);
/* Adds to the graph's findings what is odd. */
void wp_sync_report_findings(const WpSyncReport *report, WpGraph *graph, const WpClocks *clocks);

G_END_DECLS

#endif
