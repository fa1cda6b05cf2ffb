/* SPDX-License-Identifier: MIT */
/*
 * sync.h: joins the hosts of a graph: matches packets, finds the relation of the
 * clocks from them, and says how sure it is.
 *
 * Hull and extreme lines after Poirier (LTTV) and Jabbarifar; the envelope with a
 * bound on the drift rate, and the closure over many hosts by difference
 * constraints, are this project's own (doc/HACKING.md).
 */
#ifndef WP_SYNC_SYNC_H
#define WP_SYNC_SYNC_H

#include "base/cancel.h"
#include "base/out.h"
#include "graph/graph.h"

G_BEGIN_DECLS

typedef struct {
	guint reference; /* host index */
	/* Per host: offset (reference minus host, ns) given by the user, or G_MININT64. NULL: none. */
	const gint64 *offsets;
	const gchar *sync_file; /* saved report to reuse instead of the packets, or NULL */
} WpSyncOptions;

typedef enum {
	WP_PAIR_BOTH_WAYS,
	WP_PAIR_ONE_WAY,
	WP_PAIR_NONE,
	WP_PAIR_CONTRADICTORY
} WpPairQuality;

typedef struct {
	guint a, b; /* hosts, a < b */
	guint64 a_to_b, b_to_a; /* matched packets */
	guint64 unmatched; /* sends between addresses of the two that were not received, and receives not sent */
	guint hull_a_to_b, hull_b_to_a; /* points */
	guint64 inversions_before, inversions_after;
	gdouble fit_ppm,
		bound_ppm; /* residual drift rates used for the estimate and for the bound */
	WpPairQuality quality;
} WpPairReport;

/* A drift that may be wrong by more than this is not worth a figure: clocks drift by less. */
#define WP_DRIFT_UNKNOWN_PPM 100

typedef struct {
	guint host;
	gboolean connected; /* to the reference */
	WpTime offset; /* reference minus host at the middle of the host's trace */
	gdouble drift_ppm; /* mean rate of the reference clock against the host's, minus one */
	/* The true mean rate lies within +- this; infinite: nothing is known of it. */
	gdouble drift_bound_ppm;
	WpTime bound_min, bound_median, bound_max;
} WpHostReport;

typedef struct {
	guint reference;
	guint n_hosts;
	WpHostReport *hosts; /* owned */
	GArray *pairs; /* owned: WpPairReport, those with packets, addresses or contradictions in common */
	/* Sends from a traced host that no traced host received, by peer address: text -> count. */
	GHashTable *not_traced; /* owned: gchar * -> guint64 * */
} WpSyncReport;

/*
 * Matches, synchronises, and fills graph->joins, ->reference, ->pair_bound and
 * ->findings. *ret_report (may be NULL) is the caller's. Fails only on a sync file
 * that can't be read or cancellation; what can't be joined is in the report.
 */
gboolean wp_sync_join(WpGraph *graph, const WpSyncOptions *options, WpSyncReport **ret_report,
		      WpCancel *cancellable, GError **error);
void wp_sync_report_free(WpSyncReport *report);
const gchar *wp_pair_quality_key(WpPairQuality quality);

/* The report and the clock maps of a joined graph as JSON (schema waitpath-sync/1). */
void wp_sync_write(WpOut *out, const WpGraph *graph, const WpSyncReport *report);
/* Saves the clock maps of a joined graph as JSON (schema waitpath-sync/1), for options.sync_file. */
gboolean wp_sync_save(const WpGraph *graph, const WpSyncReport *report, const gchar *path,
		      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpSyncReport, wp_sync_report_free)

G_END_DECLS

#endif
