/* SPDX-License-Identifier: MIT */
/*
 * text-sync.c: the clocks for people: a verdict, a line and a small plot for each
 * host, a line for each pair.
 *
 * The plot shows how far a host's offset is off the straight line from its first to its last
 * value, over the time of its trace, with the bound around it.
 */
#include "config.h"

#include "export/text-private.h"

#define PLOT_COLUMNS 60u
#define PLOT_ROWS 9u

/* What a column of the plot shows: ns. */
typedef struct {
	gdouble residue, bound;
} Point;

static const gchar *quality_words(WpPairQuality quality)
{
	switch (quality) {
	case WP_PAIR_BOTH_WAYS:
		return "packets both ways";
	case WP_PAIR_ONE_WAY:
		return "packets one way only: the offset is bounded on one side";
	case WP_PAIR_CONTRADICTORY:
		return "packets contradict each other: a clock was stepped, or addresses are not "
		       "what they seem";
	case WP_PAIR_NONE:
		break;
	}
	return "no packets in common";
}

static void put_verdict(WpOut *out, const WpTextStyle *style, const WpSyncView *report)
{
	const WpSyncReport *sync = report->sync;
	guint n_apart = 0;
	WpTime worst = 0;
	WpText text;

	for (guint i = 0; i < sync->n_hosts; i++) {
		n_apart += sync->hosts[i].connected ? 0 : 1;
		if (sync->hosts[i].connected)
			worst = MAX(worst, sync->hosts[i].bound_max);
	}
	if (sync->n_hosts == 1)
		wp_text_heading(out, style, "One host: there is nothing to relate.");
	else if (n_apart > 0)
		wp_text_heading(out, style, "%u of %u hosts can't be related to %s.", n_apart,
				sync->n_hosts, report->graph->hosts[sync->reference]->name);
	else
		wp_text_heading(out, style,
				"The clocks of %u hosts are known to +-%s at every moment.",
				sync->n_hosts, wp_duration_text(&text, worst));
}

static void sample(const WpClockMap *map, WpTime begin, WpTime end, Point points[PLOT_COLUMNS])
{
	WpTime first = wp_clock_map_apply(map, begin) - begin;
	gdouble total = (gdouble)(wp_clock_map_apply(map, end) - end - first);

	for (guint i = 0; i < PLOT_COLUMNS; i++) {
		WpTime time = begin + (end - begin) / (WpTime)(PLOT_COLUMNS - 1) * (WpTime)i;

		points[i].residue = (gdouble)(wp_clock_map_apply(map, time) - time - first) -
				    total * i / (PLOT_COLUMNS - 1);
		points[i].bound = (gdouble)wp_clock_map_bound(map, time);
	}
}

/* The row of a value, 0 at the top for +reach. */
static gint row_of(gdouble value, gdouble reach)
{
	gdouble row = (reach - value) / (2 * reach) * (PLOT_ROWS - 1) + 0.5;

	return CLAMP((gint)row, 0, (gint)PLOT_ROWS - 1);
}

static void put_plot(WpOut *out, const WpTextStyle *style, const WpGraph *graph, guint host)
{
	const WpHost *h = graph->hosts[host];
	Point points[PLOT_COLUMNS];
	gdouble reach = 1.0;
	WpText text;

	if (h->end - h->begin < (WpTime)PLOT_COLUMNS)
		return;
	sample(graph->joins[host].map, h->begin, h->end, points);
	for (guint i = 0; i < PLOT_COLUMNS; i++)
		reach = MAX(reach, ABS(points[i].residue) + points[i].bound);
	for (gint row = 0; row < (gint)PLOT_ROWS; row++) {
		if (row == 0 || row == PLOT_ROWS - 1)
			wp_out_printf(
				out, "  %8s ",
				wp_duration_text(&text, row == 0 ? (WpTime)reach : (WpTime)-reach));
		else
			wp_out_printf(out, "  %8s ", row == PLOT_ROWS / 2 ? "0" : "");
		wp_out_put(out, style->utf8 ? "│" : "|");
		for (guint i = 0; i < PLOT_COLUMNS; i++) {
			gint middle = row_of(points[i].residue, reach);
			gint high = row_of(points[i].residue + points[i].bound, reach);
			gint low = row_of(points[i].residue - points[i].bound, reach);

			wp_out_put(out, row == middle               ? "*"
					: row >= high && row <= low ? style->utf8 ? "░" : ":"
								    : " ");
		}
		wp_out_putc(out, '\n');
	}
}

static void put_host(WpOut *out, const WpTextStyle *style, const WpSyncView *report,
		     const WpHostReport *host)
{
	const WpGraph *graph = report->graph;
	const gchar *name = graph->hosts[host->host]->name;
	WpText offset, drift, low, median, high;

	wp_out_putc(out, '\n');
	if (host->host == report->sync->reference) {
		wp_text_heading(out, style, "%s: the reference", name);
		return;
	}
	if (!host->connected) {
		wp_text_heading(out, style, "%s: not connected", name);
		return;
	}
	wp_text_heading(out, style, "%s: add %s s in the middle of its trace", name,
			wp_offset_text(&offset, host->offset));
	wp_out_printf(out, "  %s; error bound %s at best, %s mostly, %s at worst\n",
		      wp_drift_text(&drift, host), wp_duration_text(&low, host->bound_min),
		      wp_duration_text(&median, host->bound_median),
		      wp_duration_text(&high, host->bound_max));
	wp_out_put(out, "  how far the offset is off a straight line (*), and its bound, over the "
			"trace:\n");
	put_plot(out, style, graph, host->host);
}

static void put_pair(WpOut *out, const WpGraph *graph, const WpPairReport *pair)
{
	const gchar *a = graph->hosts[pair->a]->name, *b = graph->hosts[pair->b]->name;
	WpText there, back;

	wp_out_printf(out, "  %s and %s: %s\n", a, b, quality_words(pair->quality));
	wp_out_printf(out, "    packets matched: %s there, %s back",
		      wp_count_text(&there, pair->a_to_b), wp_count_text(&back, pair->b_to_a));
	wp_out_printf(out, "; not matched: %s\n", wp_count_text(&there, pair->unmatched));
	wp_out_printf(out,
		      "    received before they were sent: %s by the clocks as they are, %s as "
		      "related here\n",
		      wp_count_text(&there, pair->inversions_before),
		      wp_count_text(&back, pair->inversions_after));
}

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const gchar *const *)a, *(const gchar *const *)b);
}

/* Whom the hosts also spoke with, as far as it is not traced. */
static void put_not_traced(WpOut *out, const WpTextStyle *style, const WpSyncReport *sync)
{
	guint n = sync->not_traced ? g_hash_table_size(sync->not_traced) : 0;
	WpText count;

	if (n == 0 || style->verbose == 0)
		return;

	g_autofree gpointer *keys = g_hash_table_get_keys_as_array(sync->not_traced, NULL);

	qsort(keys, n, sizeof(*keys), compare_addresses);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Peers that are not traced");
	for (guint i = 0; i < n; i++) {
		const guint64 *packets = g_hash_table_lookup(sync->not_traced, keys[i]);

		wp_out_printf(out, "  %s: %s packets\n", (const gchar *)keys[i],
			      wp_count_text(&count, *packets));
	}
}

void wp_text_write_sync(WpOut *out, const WpSyncView *report, const WpTextStyle *style)
{
	const WpSyncReport *sync = report->sync;

	put_verdict(out, style, report);
	for (guint i = 0; i < sync->n_hosts && sync->n_hosts > 1; i++)
		put_host(out, style, report, &sync->hosts[i]);
	if (sync->pairs->len > 0) {
		wp_out_putc(out, '\n');
		wp_text_heading(out, style, "Pairs");
	}
	for (guint i = 0; i < sync->pairs->len; i++)
		put_pair(out, report->graph, &g_array_index(sync->pairs, WpPairReport, i));
	put_not_traced(out, style, sync);
	if (!style->quiet)
		wp_text_findings(out, style, report->findings);
}
