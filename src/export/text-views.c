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
#define OTHERS_SHOWN 10 /* waits for what is no task */
#define HOLDERS_NAMED 3 /* in the first sentence */

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
	g_autofree gchar *signed_text = g_strdup_printf("%s%s",
							difference < 0   ? "-"
							: difference > 0 ? "+"
									 : "",
							wp_duration_text(&text, ABS(difference)));

	wp_out_printf(out, "%9s", signed_text);
}

/* What the words for a state say of a cause already is left out. Borrowed from cause. */
static const gchar *rest_of_cause(WpState state, const gchar *cause)
{
	const WpCauseKind said = state == WP_STATE_TIMER     ? WP_CAUSE_TIMER
				 : state == WP_STATE_DISK    ? WP_CAUSE_DISK
				 : state == WP_STATE_NETWORK ? WP_CAUSE_PACKET
							     : WP_CAUSE_NONE;
	const gchar *kind = wp_cause_kind_key(said);

	if (said == WP_CAUSE_NONE || !g_str_has_prefix(cause, kind))
		return cause;
	cause += strlen(kind);
	return *cause == ' ' ? cause + 1 : cause;
}

/* "srv-rpc @ hostb, running", and the cause where there is one. Owned by the caller. */
static gchar *dup_reason(const gchar *host, const gchar *comm, WpState state, const gchar *cause)
{
	g_autofree gchar *name = wp_text_dup_safe(comm);
	g_autofree gchar *why = wp_text_dup_safe(rest_of_cause(state, cause));

	return g_strdup_printf("%s @ %s, %s%s%s", name, host, wp_state_words(state),
			       *why ? ": " : "", why);
}

/* ---- requests ---- */

static void put_distribution(WpOut *out, const WpDistribution *d)
{
	WpText a, b, c, e, f, g;

	wp_out_printf(out, "  min %s, p50 %s, p90 %s, p99 %s, max %s, mean %s\n",
		      wp_duration_text(&a, d->min), wp_duration_text(&b, d->p50),
		      wp_duration_text(&c, d->p90), wp_duration_text(&e, d->p99),
		      wp_duration_text(&f, d->max), wp_duration_text(&g, llround(d->mean)));
}

/* A difference to stand in a column of its own. */
static void put_bound(WpOut *out, gdouble bound)
{
	wp_out_put(out, "  ");
	put_difference(out, llround(bound));
}

static void put_reasons(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	const WpReasons *reasons = report->reasons;
	WpText split, difference, share, slow, fast;

	wp_out_putc(out, '\n');
	wp_text_heading(
		out, style, "%s slow, longer than %s, take %s more than the %s other%s; of that",
		wp_count_text(&slow, reasons->n_slow), wp_duration_text(&split, reasons->split),
		wp_duration_text(&difference, llround(reasons->difference)),
		wp_count_text(&fast, reasons->n_fast), reasons->n_fast == 1 ? "" : "s");
	wp_out_put(out, "                       95 % sure: from         to\n");
	for (guint i = 0; i < MIN(reasons->reasons->len, REASONS_SHOWN); i++) {
		const WpReason *reason = &g_array_index(reasons->reasons, WpReason, i);
		const WpBreakdownGroup *group = wp_breakdown_group(report->requests->breakdown,
								   reason->group);
		g_autofree gchar *text = dup_reason(group->host, group->comm, group->state,
						    group->cause);
		g_autofree gchar *signed_share = g_strdup_printf(
			"%s%s", reason->difference < 0 ? "-" : "",
			wp_share_text(&share, llround(fabs(reason->difference)),
				      llround(reasons->difference)));

		wp_out_put(out, "  ");
		put_difference(out, llround(reason->difference));
		wp_out_printf(out, "  %8s", signed_share);
		put_bound(out, reason->low);
		put_bound(out, reason->high);
		wp_out_printf(out, "  %s\n", text);
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

/* Whose requests: "cli-rpc (191) @ hosta", "3 tasks". Owned by the caller. */
static gchar *dup_whose(const WpRequestsReport *report)
{
	const WpRequestsOptions *options = report->options;

	if (options->n_tasks == 1)
		return wp_text_dup_task(report->graph, options->tasks[0].host,
					options->tasks[0].task);
	return g_strdup_printf("%u tasks", options->n_tasks);
}

/*
 * The difference by who did what, however it is called: running and being interrupted are
 * having a CPU, both waits for one are one.
 */
typedef struct {
	const WpBreakdownGroup *group; /* borrowed: of the first reason of this kind */
	gdouble difference;
} Share;

static WpState kind_of_state(WpState state)
{
	switch (state) {
	case WP_STATE_IRQ:
	case WP_STATE_SOFTIRQ:
		return WP_STATE_RUNNING;
	case WP_STATE_PREEMPTED:
		return WP_STATE_RUNNABLE;
	default:
		return state;
	}
}

/* The largest of them; group NULL when there are no reasons. */
static Share greatest_share(const WpRequestsReport *report)
{
	const GArray *reasons = report->reasons->reasons;
	g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(Share));
	Share greatest = {NULL, 0};

	for (guint i = 0; i < reasons->len; i++) {
		const WpReason *reason = &g_array_index(reasons, WpReason, i);
		const WpBreakdownGroup *group = wp_breakdown_group(report->requests->breakdown,
								   reason->group);
		Share *share = NULL;

		for (guint j = 0; j < shares->len && !share; j++) {
			share = &g_array_index(shares, Share, j);
			if (strcmp(share->group->host, group->host) != 0 ||
			    strcmp(share->group->comm, group->comm) != 0 ||
			    kind_of_state(share->group->state) != kind_of_state(group->state))
				share = NULL;
		}
		if (!share) {
			Share new = {group, 0};

			g_array_append_val(shares, new);
			share = &g_array_index(shares, Share, shares->len - 1);
		}
		share->difference += reason->difference;
	}
	for (guint i = 0; i < shares->len; i++)
		if (!greatest.group ||
		    g_array_index(shares, Share, i).difference > greatest.difference)
			greatest = g_array_index(shares, Share, i);
	return greatest;
}

/* "; what slow ones have more is srv-rpc @ hostb having a CPU (94 % of the difference)". */
static gchar *dup_why_slow(const WpRequestsReport *report)
{
	Share share = report->reasons ? greatest_share(report) : (Share){NULL, 0};
	WpState state;
	WpText part;

	if (!share.group || share.difference <= 0)
		return g_strdup(report->requests->requests->len > 1 ? "; none stand out as slow"
								    : "");
	state = kind_of_state(share.group->state);

	g_autofree gchar *name = wp_text_dup_safe(share.group->comm);

	return g_strdup_printf("; slow ones differ by %s @ %s %s, %s of the difference", name,
			       share.group->host,
			       state == WP_STATE_RUNNING    ? "on a CPU"
			       : state == WP_STATE_RUNNABLE ? "waiting for a CPU"
							    : wp_state_words(state),
			       wp_share_words(&part, llround(share.difference),
					      llround(report->reasons->difference)));
}

static void put_no_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	g_autofree gchar *whose = dup_whose(report);

	wp_text_heading(out, style, "No requests of %s were found.", whose);
	if (style->quiet)
		return;
	wp_out_put(out,
		   report->options->rule == WP_REQUESTS_MARKERS
			   ? "The events must be in the trace, and come while these tasks have "
			     "a CPU.\n"
			   : "Where one task hears and another answers, name them all with -t, "
			     "separated by commas.\n");
}

void wp_text_write_requests(WpOut *out, const WpRequestsReport *report, const WpTextStyle *style)
{
	const WpRequests *requests = report->requests;
	guint n = requests->requests->len;
	WpText count, mean;

	if (n) {
		g_autofree gchar *whose = dup_whose(report);
		g_autofree gchar *why = dup_why_slow(report);

		wp_text_heading(out, style, "%s request%s of %s took %s%s%s.",
				wp_count_text(&count, n), n == 1 ? "" : "s", whose,
				wp_duration_text(&mean, llround(requests->distribution.mean)),
				n == 1 ? "" : " in the mean", why);
		put_distribution(out, &requests->distribution);
		if (report->reasons)
			put_reasons(out, report, style);
		put_slowest(out, report, style);
	} else {
		put_no_requests(out, report, style);
	}
	if (style->quiet)
		return;
	if (requests->n_unfinished)
		wp_out_printf(out, "\n%s began and had no end in the window.\n",
			      wp_count_text(&count, requests->n_unfinished));
	wp_text_findings(out, style, report->findings);
}

/* ---- compare ---- */

/* "; most by srv-rpc @ hostb, running (-137 ms)". Owned by the caller. */
static gchar *dup_most(const WpComparison *comparison)
{
	const WpComparisonRow *row;
	WpTime difference;
	WpText text;

	if (comparison->rows->len == 0)
		return g_strdup("");
	row = &g_array_index(comparison->rows, WpComparisonRow, 0);
	difference = row->b - row->a;
	if (difference == 0)
		return g_strdup("");

	g_autofree gchar *reason = dup_reason(row->host, row->comm, row->state, row->cause);

	return g_strdup_printf("; most by %s (%c%s)", reason, difference < 0 ? '-' : '+',
			       wp_duration_text(&text, ABS(difference)));
}

void wp_text_write_compare(WpOut *out, const WpCompareReport *report, const WpTextStyle *style)
{
	const WpComparison *comparison = report->comparison;
	guint shown = rows_shown(style, comparison->rows->len);
	WpTime difference = comparison->b - comparison->a;
	WpText a, b, d;

	g_autofree gchar *most = dup_most(comparison);

	wp_text_heading(out, style, "%s%s took %s, %s %s: %s%s%s.",
			report->of_tasks ? "The tasks of " : "", report->a,
			wp_duration_text(&a, comparison->a), report->b,
			wp_duration_text(&b, comparison->b),
			difference ? wp_duration_text(&d, ABS(difference)) : "the same",
			difference < 0   ? " less"
			: difference > 0 ? " more"
					 : "",
			most);
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

/* "Tasks wait longest for lttng (226), 1.17 s, then for a (1), 867 ms, and b (2), 845 ms." */
static void put_answer(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *holders = report->blockers->holders;
	guint n = MIN(holders->len, HOLDERS_NAMED);
	g_autoptr(GString) text = g_string_new(NULL);
	WpText time;

	for (guint i = 0; i < n; i++) {
		const WpBlockHolder *holder = &g_array_index(holders, WpBlockHolder, i);
		g_autofree gchar *name = wp_text_dup_task(report->graph, holder->task.host,
							  holder->task.task);

		g_string_append_printf(text, "%s%s, %s",
				       i == 0   ? "Tasks wait longest for "
				       : i == 1 ? ", then for "
						: ", and ",
				       name, wp_duration_text(&time, holder->time));
	}
	wp_text_heading(out, style, "%s.", n ? text->str : "No task waits for another one");
}

static void put_holders(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style)
{
	const GArray *holders = report->blockers->holders;
	guint shown = rows_shown(style, holders->len);
	WpText text;

	put_answer(out, report, style);
	if (!holders->len)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Whom everybody waits for, directly or through others");
	for (guint i = 0; i < shown; i++) {
		const WpBlockHolder *holder = &g_array_index(holders, WpBlockHolder, i);
		g_autofree gchar *name = wp_text_dup_task(report->graph, holder->task.host,
							  holder->task.task);

		wp_out_printf(out, "  %9s  %s\n", wp_duration_text(&text, holder->time), name);
	}
	put_more(out, style, shown, holders->len);
}

/* One edge a line: "1.15 s  in 10 waits  Client manageme (148) for lttng (226): task in epoll". */
static void put_edge(WpOut *out, const WpGraph *graph, const WpBlockEdge *edge)
{
	g_autofree gchar *waiter = wp_text_dup_task(graph, edge->waiter.host, edge->waiter.task);
	g_autofree gchar *cause = wp_text_dup_safe(edge->cause);
	WpText text, count;

	wp_out_printf(out, "  %9s  in %6s wait%s  %s", wp_duration_text(&text, edge->time),
		      wp_count_text(&count, edge->count), edge->count == 1 ? " " : "s", waiter);
	if (edge->holder.task != WP_NONE) {
		g_autofree gchar *holder = wp_text_dup_task(graph, edge->holder.host,
							    edge->holder.task);

		wp_out_printf(out, " for %s", holder);
	}
	wp_out_printf(out, ": %s\n", cause);
}

/* Those whose holder is a task, or those where it is none. */
static void put_edges(WpOut *out, const WpBlockersReport *report, const WpTextStyle *style,
		      gboolean for_tasks, const gchar *heading)
{
	const GArray *edges = report->blockers->edges;
	guint n = 0, shown;

	for (guint i = 0; i < edges->len; i++)
		n += (g_array_index(edges, WpBlockEdge, i).holder.task != WP_NONE) == for_tasks;
	if (n == 0)
		return;
	shown = MIN(rows_shown(style, n), for_tasks || style->top ? G_MAXUINT : OTHERS_SHOWN);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "%s", heading);
	for (guint i = 0, put = 0; put < shown; i++) {
		const WpBlockEdge *edge = &g_array_index(edges, WpBlockEdge, i);

		if ((edge->holder.task != WP_NONE) != for_tasks)
			continue;
		put_edge(out, report->graph, edge);
		put++;
	}
	put_more(out, style, shown, n);
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
	put_edges(out, report, style, TRUE, "Who waits for whom");
	put_edges(out, report, style, FALSE, "Who waits for what is no task");
	put_knots(out, report, style);
	put_pollers(out, report, style);
	if (!style->quiet)
		wp_text_findings(out, style, report->findings);
}
