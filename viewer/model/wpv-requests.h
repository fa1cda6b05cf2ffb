/* SPDX-License-Identifier: MIT */
/*
 * wpv-requests.h: the requests of a task (path/requests.h), found by a thread: a list
 * model with the slowest first, and how long they take.
 */
#ifndef WPV_REQUESTS_H
#define WPV_REQUESTS_H

#include "path/requests.h"
#include "viewer/model/wpv-answer.h"

G_BEGIN_DECLS

/* More are counted, not listed: the slowest are. */
#define WPV_REQUESTS_MAX 10000
#define WPV_REQUESTS_BINS 40

#define WPV_TYPE_REQUEST_ITEM (wpv_request_item_get_type())
G_DECLARE_FINAL_TYPE(WpvRequestItem, wpv_request_item, WPV, REQUEST_ITEM, GObject)

/* Whose path over which time it is. */
const WpvQuestion *wpv_request_item_get_question(WpvRequestItem *item);
WpTime wpv_request_item_get_duration(WpvRequestItem *item);
/* What most of its path was, "back @ hostc, running"; owned by the caller. */
gchar *wpv_request_item_dup_most(WpvRequestItem *item);

#define WPV_TYPE_REQUESTS (wpv_requests_get_type())
G_DECLARE_FINAL_TYPE(WpvRequests, wpv_requests, WPV, REQUESTS, GObject)

WpvRequests *wpv_requests_new(void);
/*
 * Looks for the requests of a task and its process's other threads. document NULL: empties
 * the list. Signal "changed" when they are there, or none can be.
 */
void wpv_requests_set(WpvRequests *requests, WpvDocument *document, guint32 host, WpId task,
		      WpRequestsRule rule);
gboolean wpv_requests_is_running(WpvRequests *requests);
/* NULL while running, and when there was an error. */
const WpDistribution *wpv_requests_get_distribution(WpvRequests *requests);
/* NULL likewise: numbers of requests by duration, in WPV_REQUESTS_BINS equal steps from 0 to the longest. */
const guint *wpv_requests_get_bins(WpvRequests *requests);
/* Why there are none; NULL: no error. Borrowed. */
const gchar *wpv_requests_get_error(WpvRequests *requests);

G_END_DECLS

#endif
