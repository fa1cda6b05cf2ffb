/* SPDX-License-Identifier: MIT */
/*
 * requests.c: the path of each request, broken down. What requests have is kept as
 * sparse vectors over the rows of one breakdown, one behind the other.
 */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "path/split.h"

/* Some 40 bytes each, and those of their amounts. */
#define AMOUNTS_MAX 200000000u

guint8 *wp_split_selected(const WpSplit *split, guint host)
{
	guint64 n = split->graph->hosts[host]->tasks.n;
	guint8 *selected = g_new0(guint8, n);

	for (guint i = 0; i < split->options->n_tasks; i++) {
		const WpTaskRef *task = &split->options->tasks[i];

		if (task->host == host && task->task < n)
			selected[task->task] = TRUE;
	}
	return selected;
}

void wp_split_add(WpSplit *split, guint host, WpId task, WpTime begin, WpTime end, WpId flow,
		  const WpMarker *marker)
{
	WpRequest request = {
		.host = host,
		.task = task,
		.begin = wp_graph_time(split->graph, host, begin),
		.end = wp_graph_time(split->graph, host, end),
		.flow = flow,
	};

	if (request.begin < split->options->begin || request.end > split->options->end ||
	    request.begin >= request.end)
		return;
	if (marker && marker->has_id) {
		request.has_id = TRUE;
		request.id = marker->id;
		if (marker->id_text)
			request.id_text = wp_strings_get(split->graph->hosts[host]->strings,
							 marker->id_text);
	}
	if (split->requests->len < WP_SPLIT_REQUESTS_MAX)
		g_array_append_val(split->requests, request);
	else
		split->is_full = TRUE;
}

static gint compare_requests(gconstpointer a, gconstpointer b)
{
	const WpRequest *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static gboolean fail_too_many(GError **error)
{
	g_set_error_literal(error, WP_ERROR, WP_ERROR_LIMIT,
			    "There are too many requests to look at together; take a part of them "
			    "with --begin and --end.");
	return FALSE;
}

/* Appends what a request consists of. */
static gboolean keep_amounts(WpRequests *requests, WpRequest *request, const GArray *amounts,
			     GError **error)
{
	request->first_amount = requests->amounts.n;
	request->n_amounts = amounts->len;
	for (guint i = 0; i < amounts->len; i++) {
		WpAmount *kept = wp_column_push(&requests->amounts, error);

		if (!kept)
			return FALSE;
		*kept = g_array_index(amounts, WpAmount, i);
	}
	return requests->amounts.n <= AMOUNTS_MAX || fail_too_many(error);
}

static gboolean measure(WpRequests *requests, WpGraph *graph, const WpRequestsOptions *options,
			WpRequest *request, GArray *amounts, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpPath)
		path = wp_path_compute(graph, request->host, request->task, request->begin,
				       request->end, options->mode, cancellable, error);

	if (!path)
		return FALSE;
	g_array_set_size(amounts, 0);
	wp_breakdown_add_path(requests->breakdown, graph, path, amounts);
	requests->max_clock_error = MAX(requests->max_clock_error, path->max_clock_error);
	return keep_amounts(requests, request, amounts, error);
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	WpTime x = *(const WpTime *)a, y = *(const WpTime *)b;

	return x < y ? -1 : x > y;
}

/* The smallest of sorted times that at least percent of them do not exceed. */
static WpTime percentile(const WpTime *times, guint64 n, guint percent)
{
	return times[(n * percent + 99) / 100 - 1];
}

void wp_distribution_compute(WpDistribution *distribution, WpTime *times, guint64 n)
{
	gdouble sum = 0;

	*distribution = (WpDistribution){.n = n};
	if (n == 0)
		return;
	qsort(times, n, sizeof(*times), compare_times);
	for (guint64 i = 0; i < n; i++)
		sum += (gdouble)times[i];
	distribution->min = times[0];
	distribution->p50 = percentile(times, n, 50);
	distribution->p90 = percentile(times, n, 90);
	distribution->p99 = percentile(times, n, 99);
	distribution->max = times[n - 1];
	distribution->mean = sum / (gdouble)n;
}

static void distribute(WpRequests *requests)
{
	guint n = requests->requests->len;
	g_autofree WpTime *times = g_new(WpTime, n);

	for (guint i = 0; i < n; i++)
		times[i] = wp_request_duration(&g_array_index(requests->requests, WpRequest, i));
	wp_distribution_compute(&requests->distribution, times, n);
}

WpTime wp_requests_get_percentile(const WpRequests *requests, guint percent)
{
	guint n = requests->requests->len;
	g_autofree WpTime *times = g_new(WpTime, n);

	for (guint i = 0; i < n; i++)
		times[i] = wp_request_duration(&g_array_index(requests->requests, WpRequest, i));
	/* An empty array has no address, which qsort() may not be given. */
	if (n)
		qsort(times, n, sizeof(*times), compare_times);
	return n ? percentile(times, n, percent) : 0;
}

WpRequests *wp_requests_compute(WpGraph *graph, const WpRequestsOptions *options,
				WpCancel *cancellable, GError **error)
{
	g_autoptr(WpRequests) requests = g_new0(WpRequests, 1);
	g_autoptr(GArray) amounts = g_array_new(FALSE, FALSE, sizeof(WpAmount));
	WpSplit split = {.graph = graph, .options = options};

	requests->rule = options->rule;
	requests->breakdown = wp_breakdown_new();
	wp_column_init(&requests->amounts, sizeof(WpAmount), wp_graph_memory(graph));
	requests->requests = split.requests = g_array_new(FALSE, FALSE, sizeof(WpRequest));
	for (guint h = 0; h < graph->n_hosts; h++) {
		if (options->rule == WP_REQUESTS_MARKERS)
			wp_split_by_markers(&split, h);
		else
			wp_split_by_packets(&split, h);
	}
	requests->n_unfinished = split.n_unfinished;
	if (split.is_full) {
		fail_too_many(error);
		return NULL;
	}
	g_array_sort(requests->requests, compare_requests);
	for (guint i = 0; i < requests->requests->len; i++)
		if (!measure(requests, graph, options,
			     &g_array_index(requests->requests, WpRequest, i), amounts, cancellable,
			     error))
			return NULL;
	distribute(requests);
	return g_steal_pointer(&requests);
}

void wp_requests_free(WpRequests *requests)
{
	if (!requests)
		return;
	g_array_unref(requests->requests);
	wp_column_clear(&requests->amounts);
	wp_breakdown_free(requests->breakdown);
	g_free(requests);
}
