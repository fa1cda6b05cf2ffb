/* SPDX-License-Identifier: MIT */
/* wpv-requests.c: the library's requests, an index of them by duration, and a histogram. */
#include "config.h"

#include <string.h>

#include "viewer/model/wpv-cancel.h"
#include "viewer/model/wpv-requests.h"

/* What the thread hands over. */
typedef struct {
	WpRequests *requests; /* owned */
	GArray *order; /* owned: guint32, indexes by duration, the longest first */
	guint bins[WPV_REQUESTS_BINS];
} Found;

struct _WpvRequests {
	GObject parent;
	WpvDocument *document; /* reference, NULL */
	GCancellable *cancellable; /* reference: of the thread at work, NULL */
	Found *found; /* owned, NULL */
	gchar *error; /* owned, NULL */
	guint n; /* listed */
};

struct _WpvRequestItem {
	GObject parent;
	WpvQuestion question;
	gchar *most; /* owned */
};

G_DEFINE_FINAL_TYPE(WpvRequestItem, wpv_request_item, G_TYPE_OBJECT)

static void wpv_request_item_finalize(GObject *object)
{
	g_free(WPV_REQUEST_ITEM(object)->most);
	G_OBJECT_CLASS(wpv_request_item_parent_class)->finalize(object);
}

static void wpv_request_item_class_init(WpvRequestItemClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_request_item_finalize;
}

static void wpv_request_item_init(WpvRequestItem *item)
{
}

const WpvQuestion *wpv_request_item_get_question(WpvRequestItem *item)
{
	return &item->question;
}

WpTime wpv_request_item_get_duration(WpvRequestItem *item)
{
	return item->question.end - item->question.begin;
}

gchar *wpv_request_item_dup_most(WpvRequestItem *item)
{
	return g_strdup(item->most);
}

static void found_free(gpointer data)
{
	Found *found = data;

	if (!found)
		return;
	wp_requests_free(found->requests);
	g_array_unref(found->order);
	g_free(found);
}

/* ---- the list ---- */

static GType list_get_item_type(GListModel *model)
{
	return WPV_TYPE_REQUEST_ITEM;
}

static guint list_get_n_items(GListModel *model)
{
	return WPV_REQUESTS(model)->n;
}

static gchar *most_of(const WpRequests *requests, const WpRequest *request)
{
	const WpAmount *most = NULL;
	const WpBreakdownGroup *group;

	for (guint i = 0; i < request->n_amounts; i++) {
		const WpAmount *amount = wp_request_amount(requests, request, i);

		if (!most || amount->time > most->time)
			most = amount;
	}
	if (!most)
		return g_strdup("");
	group = wp_breakdown_group(requests->breakdown,
				   wp_breakdown_row(requests->breakdown, most->row)->group);
	return wpv_take_text(g_strdup_printf("%s @ %s, %s%s%s", group->comm, group->host,
					     wp_state_words(group->state),
					     *group->cause ? ", " : "", group->cause));
}

static gpointer list_get_item(GListModel *model, guint position)
{
	WpvRequests *self = WPV_REQUESTS(model);
	const WpRequest *request;
	WpvRequestItem *item;

	if (position >= self->n)
		return NULL;
	request = &g_array_index(self->found->requests->requests, WpRequest,
				 g_array_index(self->found->order, guint32, position));
	item = g_object_new(WPV_TYPE_REQUEST_ITEM, NULL);
	item->question = (WpvQuestion){request->host, request->task, request->begin, request->end,
				       WP_PATH_ACTIVE};
	item->most = most_of(self->found->requests, request);
	return item;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = list_get_item_type;
	iface->get_n_items = list_get_n_items;
	iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(WpvRequests, wpv_requests, G_TYPE_OBJECT,
			      G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static void drop(WpvRequests *self)
{
	if (self->cancellable)
		g_cancellable_cancel(self->cancellable);
	g_clear_object(&self->cancellable);
	g_clear_pointer(&self->found, found_free);
	g_clear_pointer(&self->error, g_free);
	g_clear_object(&self->document);
}

static void wpv_requests_finalize(GObject *object)
{
	drop(WPV_REQUESTS(object));
	G_OBJECT_CLASS(wpv_requests_parent_class)->finalize(object);
}

static void wpv_requests_class_init(WpvRequestsClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_requests_finalize;
	g_signal_new("changed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_requests_init(WpvRequests *self)
{
}

WpvRequests *wpv_requests_new(void)
{
	return g_object_new(WPV_TYPE_REQUESTS, NULL);
}

static void set_n(WpvRequests *self, guint n)
{
	guint old = self->n;

	self->n = n;
	g_list_model_items_changed(G_LIST_MODEL(self), 0, old, n);
}

/* ---- finding them ---- */

typedef struct {
	WpvDocument *document; /* reference */
	GArray *tasks; /* owned: WpTaskRef */
	WpRequestsRule rule;
} Job;

static void job_free(gpointer data)
{
	Job *job = data;

	g_object_unref(job->document);
	g_array_unref(job->tasks);
	g_free(job);
}

static gint compare_durations(gconstpointer a, gconstpointer b, gpointer data)
{
	const GArray *requests = data;
	const WpRequest *x = &g_array_index(requests, WpRequest, *(const guint32 *)a);
	const WpRequest *y = &g_array_index(requests, WpRequest, *(const guint32 *)b);
	WpTime p = wp_request_duration(x), q = wp_request_duration(y);

	if (p != q)
		return p > q ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

static Found *arrange(WpRequests *requests)
{
	Found *found = g_new0(Found, 1);
	WpTime longest = requests->distribution.max;

	found->requests = requests;
	found->order = g_array_new(FALSE, FALSE, sizeof(guint32));
	for (guint32 i = 0; i < requests->requests->len; i++) {
		WpTime duration = wp_request_duration(
			&g_array_index(requests->requests, WpRequest, i));
		guint bin = longest > 0 ? (guint)((__int128)duration * WPV_REQUESTS_BINS / longest)
					: 0;

		found->bins[MIN(bin, WPV_REQUESTS_BINS - 1)]++;
		g_array_append_val(found->order, i);
	}
	g_array_sort_with_data(found->order, compare_durations, requests->requests);
	return found;
}

static void requests_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	const Job *job = data;
	WpRequestsOptions options = {.rule = job->rule,
				     .tasks = (const WpTaskRef *)(gpointer)job->tasks->data,
				     .n_tasks = job->tasks->len,
				     .mode = WP_PATH_ACTIVE};
	g_autoptr(WpCancel) cancel = wpv_cancel_new(cancellable);
	g_autoptr(GError) error = NULL;
	WpRequests *requests;

	wpv_document_get_span(job->document, &options.begin, &options.end);
	requests = wp_requests_compute(wpv_document_get_graph(job->document), &options, cancel,
				       &error);
	if (requests && wp_graph_check_damage(wpv_document_get_graph(job->document), &error)) {
		g_task_return_pointer(task, arrange(requests), found_free);
		return;
	}
	wp_requests_free(requests);
	g_task_return_error(task, g_steal_pointer(&error));
}

static void requests_done(GObject *source, GAsyncResult *result, gpointer data)
{
	WpvRequests *self = WPV_REQUESTS(source);
	g_autoptr(GError) error = NULL;
	Found *found = g_task_propagate_pointer(G_TASK(result), &error);

	if (g_task_get_cancellable(G_TASK(result)) != self->cancellable) {
		found_free(found);
		return;
	}
	g_clear_object(&self->cancellable);
	self->found = found;
	if (error)
		self->error = g_strdup(error->message);
	set_n(self, found ? MIN(found->order->len, WPV_REQUESTS_MAX) : 0);
	g_signal_emit_by_name(self, "changed");
}

/* The task and the other threads of its process. */
static GArray *tasks_of(WpvDocument *document, guint32 host, WpId task)
{
	GArray *tasks = g_array_new(FALSE, FALSE, sizeof(WpTaskRef));
	guint32 process = wpv_document_find_process(document, host, task);
	WpTaskRef ref = {host, task};

	if (process == WP_NONE) {
		g_array_append_val(tasks, ref);
		return tasks;
	}
	const WpvProcess *p = wpv_document_get_process(document, host, process);

	for (guint32 i = 0; i < p->n; i++) {
		ref.task = wpv_document_get_thread(document, host, p->first + i);
		g_array_append_val(tasks, ref);
	}
	return tasks;
}

void wpv_requests_set(WpvRequests *self, WpvDocument *document, guint32 host, WpId task,
		      WpRequestsRule rule)
{
	/* Items are made from what is dropped now. */
	set_n(self, 0);
	drop(self);
	if (document) {
		g_autoptr(GTask) gtask = NULL;
		Job *job = g_new0(Job, 1);

		self->document = g_object_ref(document);
		self->cancellable = g_cancellable_new();
		job->document = g_object_ref(document);
		job->tasks = tasks_of(document, host, task);
		job->rule = rule;
		gtask = g_task_new(self, self->cancellable, requests_done, NULL);
		g_task_set_task_data(gtask, job, job_free);
		g_task_run_in_thread(gtask, requests_thread);
	}
	g_signal_emit_by_name(self, "changed");
}

gboolean wpv_requests_is_running(WpvRequests *self)
{
	return self->cancellable != NULL;
}

const WpDistribution *wpv_requests_get_distribution(WpvRequests *self)
{
	return self->found ? &self->found->requests->distribution : NULL;
}

const guint *wpv_requests_get_bins(WpvRequests *self)
{
	return self->found ? self->found->bins : NULL;
}

const gchar *wpv_requests_get_error(WpvRequests *self)
{
	return self->error;
}
