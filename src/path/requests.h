/* SPDX-License-Identifier: MIT */
/*
 * requests.h: tasks' lives split into requests, each with what its path consists of.
 *
 * Requests come from pairs of events that the user named (markers), or without any
 * instrumentation from the packets that a task and its peers exchange: what a client
 * sends and is answered, what a server is asked and answers.
 */
#ifndef WP_PATH_REQUESTS_H
#define WP_PATH_REQUESTS_H

#include "path/breakdown.h"

G_BEGIN_DECLS

typedef enum {
	WP_REQUESTS_MARKERS, /* from one event to another */
	WP_REQUESTS_NETWORK, /* question and answer */
	WP_REQUESTS_CONNECTION /* all that was exchanged over one connection */
} WpRequestsRule;

typedef struct {
	WpRequestsRule rule;
	/* Names of events, one `*` allowed. Without `to` a request lasts to the next `from`. */
	const gchar *from, *to; /* borrowed */
	gboolean by_id; /* begin and end belong together by id, else by task */
	const WpTaskRef *tasks; /* borrowed: whose requests */
	guint n_tasks;
	WpTime begin, end; /* requests wholly in this window, reference clock */
	WpPathMode mode;
} WpRequestsOptions;

typedef struct {
	guint32 host; /* and task: who ended it; its path is that task's */
	WpId task;
	WpTime begin, end; /* reference clock */
	gboolean has_id;
	gint64 id;
	const gchar *id_text; /* borrowed from the graph, NULL: the id is a number */
	WpId flow; /* of the task's host: that it was asked over; WP_NONE */
	guint64 first_amount; /* in amounts */
	guint n_amounts;
} WpRequest;

typedef struct {
	guint64 n;
	WpTime min, p50, p90, p99, max; /* percentiles by nearest rank */
	gdouble mean;
} WpDistribution;

typedef struct {
	WpRequestsRule rule;
	GArray *requests; /* owned: WpRequest by begin */
	WpBreakdown *breakdown; /* owned: what the amounts are of */
	WpColumn amounts; /* WpAmount */
	WpDistribution distribution; /* of durations */
	guint64 n_unfinished; /* begun, and not ended in the window */
	WpTime max_clock_error; /* of the paths */
} WpRequests;

/* A request's duration, and the i-th of its amounts. */
static inline WpTime wp_request_duration(const WpRequest *request)
{
	return request->end - request->begin;
}

static inline const WpAmount *wp_request_amount(const WpRequests *requests,
						const WpRequest *request, guint i)
{
	return &WP_AT(&requests->amounts, WpAmount, request->first_amount + i);
}

/*
 * The caller owns the result, which may hold no requests. Fails when cancelled, with
 * WP_ERROR_LIMIT when there are more than some millions of them, and when neither memory nor disk
 * is left for what they consist of.
 */
WpRequests *wp_requests_compute(WpGraph *graph, const WpRequestsOptions *options,
				WpCancel *cancellable, GError **error);
void wp_requests_free(WpRequests *requests);

/* The duration that percent (1 to 99) of the requests do not exceed, by nearest rank; 0 for none. */
WpTime wp_requests_get_percentile(const WpRequests *requests, guint percent);

/* Of n times, which are sorted by this. n may be 0. */
void wp_distribution_compute(WpDistribution *distribution, WpTime *times, guint64 n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpRequests, wp_requests_free)

G_END_DECLS

#endif
