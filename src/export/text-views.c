/* SPDX-License-Identifier: MIT */
/*
 * text-views.c: requests, comparisons and blockers for people: the answer first, in a
 * sentence, then a table, the largest first.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "export/describe.h"
#include "export/text-private.h"

#define ROWS_DEFAULT 20
#define REASONS_SHOWN 8
#define SLOWEST_SHOWN 5

static guint rows_shown(const WpTextStyle *style, guint n)
{
	return MIN(n, style->top ? style->top : ROWS_DEFAULT);
}

static void put_more(WpOut *out, const WpTextStyle *style, guint shown, guint n)
{
	if (shown < n && !style->quiet)
		wp_out_printf(out, "  and %u more (--top N lists N)\n", n - shown);
}

/* "+21.7 ms": what sets the sides apart, with its sign. */
static void put_difference(WpOut *out, WpTime difference)
{
	WpText text;
	g_autofree gchar *signed_text = g_strdup_printf("%c%s", difference < 0 ? '-' : '+',
							wp_duration_text(&text, ABS(difference)));

	wp_out_printf(out, "%9s", signed_text);
}

/* "srv-rpc @ hostb, running", and the cause where there is one. Owned by the caller. */
static gchar *dup_reason(const gchar *host, const gchar *comm, WpState state, const gchar *cause)
{
	g_autofree gchar *name = wp_text_dup_safe(comm);
	g_autofree gchar *why = wp_text_dup_safe(cause);

	return g_strdup_printf("%s @ %s, %s%s%s", name, host, wp_state_words(state),
			       *why ? ": " : "", why);
}

/* ---- requests ---- */

static void put_distribution(WpOut *out, const WpDistribution *d)
{
	WpText a, b, c, e, f, g;

	wp_out_printf(out, "  least %s, median %s, 90 %% %s, 99 %% %s, most %s, mean %s\n",
		      wp_duration_text(&a, d->min), wp_duration_text(&b, d->p50),
		      wp_duration_text(&c, d->p90), wp_duration_text(&e, d->p99),
		      wp_duration_text(&f, d->max), wp_duration_text(&g, llround(d->mean)));
}

static void put_reasons(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	const WpReasons *reasons = report->reasons;
	WpText split, difference, low, high, share;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style,
			"%" G_GUINT64_FORMAT " slow ones, longer than %s, take %s more than the "
			"%" G_GUINT64_FORMAT " others",
			reasons->n_slow, wp_duration_text(&split, reasons->split),
			wp_duration_text(&difference, llround(reasons->difference)),
			reasons->n_fast);
	for (guint i = 0; i < MIN(reasons->reasons->len, REASONS_SHOWN); i++) {
		const WpReason *reason = &g_array_index(reasons->reasons, WpReason, i);
		const WpBreakdownGroup *group = wp_breakdown_group(report->requests->breakdown,
								   reason->group);
		g_autofree gchar *text = dup_reason(group->host, group->comm, group->state,
						    group->cause);

		wp_out_put(out, "  ");
		put_difference(out, llround(reason->difference));
		wp_out_printf(out, "  %s%s  %s  (95 %% between %s%s and %s%s)\n",
			      reason->difference < 0 ? "-" : " ",
			      wp_share_text(&share, llround(fabs(reason->difference)),
					    llround(reasons->difference)),
			      text, reason->low < 0 ? "-" : "",
			      wp_duration_text(&low, llround(fabs(reason->low))),
			      reason->high < 0 ? "-" : "",
			      wp_duration_text(&high, llround(fabs(reason->high))));
	}
}

static gint compare_slowest(gconstpointer a, gconstpointer b)
{
	const WpRequest *x = *(const WpRequest *const *)a, *y = *(const WpRequest *const *)b;
	WpTime dx = wp_request_duration(x), dy = wp_request_duration(y);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The slowest ones, with the window to give to `waitpath path`. */
static void put_slowest(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	const GArray *requests = report->requests->requests;
	guint shown = MIN(requests->len, style->top ? style->top : SLOWEST_SHOWN);
	g_autofree const WpRequest **order = g_new(const WpRequest *, requests->len);
	WpText text;

	for (guint i = 0; i < requests->len; i++)
		order[i] = &g_array_index(requests, WpRequest, i);
	if (requests->len)
		qsort(order, requests->len, sizeof(*order), compare_slowest);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "The slowest");
	for (guint i = 0; i < shown; i++) {
		const WpHost *host = report->graph->hosts[order[i]->host];

		wp_out_printf(
			out,
			"  %9s  waitpath path --reference %s -t %s:%d --begin %" G_GINT64_FORMAT
			" --end %" G_GINT64_FORMAT "\n",
			wp_duration_text(&text, wp_request_duration(order[i])),
			report->graph->hosts[report->graph->reference]->name, host->name,
			wp_host_task(host, order[i]->task)->tid, order[i]->begin, order[i]->end);
	}
}

void wp_text_write_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	const WpRequests *requests = report->requests;
	WpText count;

	wp_text_heading(out, style, "%s requests.", wp_count_text(&count, requests->requests->len));
	if (requests->requests->len) {
		put_distribution(out, &requests->distribution);
		if (report->reasons)
			put_reasons(out, report, style);
		put_slowest(out, report, style);
	}
	if (style->quiet)
		return;
	if (requests->n_unfinished)
		wp_out_printf(out, "\n%s began and had no end in the window.\n",
			      wp_count_text(&count, requests->n_unfinished));
	wp_text_findings(out, style, report->findings);
}

/* ---- compare ---- */

void wp_text_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style)
{
	const WpComparison *comparison = report->comparison;
	guint shown = rows_shown(style, comparison->rows->len);
	WpTime difference = comparison->b - comparison->a;
	WpText a, b, d;

	wp_text_heading(out, style, "%s took %s, %s %s: %s %s.", report->a,
			wp_duration_text(&a, comparison->a), report->b,
			wp_duration_text(&b, comparison->b), wp_duration_text(&d, ABS(difference)),
			difference < 0 ? "less" : "more");
	wp_out_printf(out, "\n  %9s  %9s  %9s\n", "a", "b", "b - a");
	for (guint i = 0; i < shown; i++) {
		const WpComparisonRow *row = &g_array_index(comparison->rows, WpComparisonRow, i);
		g_autofree gchar *text = dup_reason(row->host, row->comm, row->state, row->cause);

		wp_out_printf(out, "  %9s  %9s  ", wp_duration_text(&a, row->a),
			      wp_duration_text(&b, row->b));
		put_difference(out, row->b - row->a);
		wp_out_printf(out, "  %s\n", text);
	}
	put_more(out, style, shown, comparison->rows->len);
}

/* ---- blockers ---- */

static void put_holders(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *holders = report->blockers->holders;
	guint shown = rows_shown(style, holders->len);
	WpText text;

	wp_text_heading(out, style, "Whom everybody waits for, directly or through others");
	for (guint i = 0; i < shown; i++) {
		const WpBlockHolder *holder = &g_array_index(holders, WpBlockHolder, i);
		g_autofree gchar *name = wp_text_dup_task(report->graph, holder->task.host,
							  holder->task.task);

		wp_out_printf(out, "  %9s  %s\n", wp_duration_text(&text, holder->time), name);
	}
	put_more(out, style, shown, holders->len);
}

static void put_edges(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *edges = report->blockers->edges;
	guint shown = rows_shown(style, edges->len);
	WpText text, count;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Who waits for whom");
	for (guint i = 0; i < shown; i++) {
		const WpBlockEdge *edge = &g_array_index(edges, WpBlockEdge, i);
		g_autofree gchar *waiter = wp_text_dup_task(report->graph, edge->waiter.host,
							    edge->waiter.task);
		g_autofree gchar *holder = edge->holder.task == WP_NONE
						   ? g_strdup("no task")
						   : wp_text_dup_task(report->graph,
								      edge->holder.host,
								      edge->holder.task);
		g_autofree gchar *cause = wp_text_dup_safe(edge->cause);

		wp_out_printf(out, "  %9s  %6s times  %s for %s: %s\n",
			      wp_duration_text(&text, edge->time),
			      wp_count_text(&count, edge->count), waiter, holder, cause);
	}
	put_more(out, style, shown, edges->len);
}

static void put_knots(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *knots = report->blockers->knots;
	guint shown = rows_shown(style, knots->len);
	WpText text;

	if (!knots->len)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Knots: these wait for each other, and for no other task");
	for (guint i = 0; i < shown; i++) {
		const WpBlockKnot *knot = &g_array_index(knots, WpBlockKnot, i);

		wp_out_printf(out, "  %9s  ", wp_duration_text(&text, knot->time));
		for (guint j = 0; j < knot->tasks->len; j++) {
			const WpTaskRef *task = &g_array_index(knot->tasks, WpTaskRef, j);
			g_autofree gchar *name = wp_text_dup_task(report->graph, task->host,
								  task->task);

			wp_out_printf(out, "%s%s", j ? ", " : "", name);
		}
		wp_out_putc(out, '\n');
	}
	put_more(out, style, shown, knots->len);
}

static void put_pollers(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *pollers = report->blockers->pollers;
	guint shown = rows_shown(style, pollers->len);

	if (!pollers->len)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Pollers: what these wait for no analysis of waits can see");
	for (guint i = 0; i < shown; i++) {
		const WpPoller *poller = &g_array_index(pollers, WpPoller, i);
		g_autofree gchar *name = wp_text_dup_task(report->graph, poller->task.host,
							  poller->task.task);

		wp_out_printf(out, "  %5.1f %% of a CPU  %s %s", 100 * poller->cpu_share, name,
			      wp_poll_kind_words(poller->kind));
		if (poller->per_second > 0)
			wp_out_printf(out, ", %.0f times a second", poller->per_second);
		wp_out_putc(out, '\n');
	}
	put_more(out, style, shown, pollers->len);
}

void wp_text_write_blockers(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	put_holders(out, report, style);
	put_edges(out, report, style);
	put_knots(out, report, style);
	put_pollers(out, report, style);
	if (!style->quiet)
		wp_text_findings(out, style, report->findings);
}
