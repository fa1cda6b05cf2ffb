/* SPDX-License-Identifier: MIT */
/* wpv-task-list.c: the totals of all tasks, sorted once, and the places of those that pass. */
#include "config.h"

#include <string.h>

#include "viewer/model/wpv-cancel.h"
#include "viewer/model/wpv-task-list.h"

struct _WpvTaskItem {
	GObject parent;
	WpvDocument *document; /* reference */
	WpPrefixTask task;
};

G_DEFINE_FINAL_TYPE(WpvTaskItem, wpv_task_item, G_TYPE_OBJECT)

static void wpv_task_item_finalize(GObject *object)
{
	g_object_unref(WPV_TASK_ITEM(object)->document);
	G_OBJECT_CLASS(wpv_task_item_parent_class)->finalize(object);
}

static void wpv_task_item_class_init(WpvTaskItemClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_task_item_finalize;
}

static void wpv_task_item_init(WpvTaskItem *item)
{
}

WpvRowKey wpv_task_item_get_row(WpvTaskItem *item)
{
	return wpv_row_key_thread(item->task.host, item->task.task);
}

gchar *wpv_document_dup_task_name(WpvDocument *document, guint32 host, WpId task)
{
	WpHost *h = wpv_document_get_host(document, host);
	const WpTask *t = wp_host_task(h, task);

	return wpv_take_text(g_strdup_printf("%s (%d) @ %s", wp_strings_get(h->strings, t->comm),
					     t->tid, h->name));
}

gchar *wpv_task_item_dup_name(WpvTaskItem *item)
{
	return wpv_document_dup_task_name(item->document, item->task.host, item->task.task);
}

WpTime wpv_task_item_get_time(WpvTaskItem *item)
{
	return item->task.end - item->task.begin;
}

WpTime wpv_task_item_get_others(WpvTaskItem *item)
{
	return item->task.others;
}

struct _WpvTaskList {
	GObject parent;
	WpvDocument *document; /* reference, NULL */
	GCancellable *cancellable; /* reference: of the thread at work, NULL */
	WpPrefix *prefix; /* owned, NULL until ready; its tasks sorted */
	GArray *shown; /* owned: guint32, indexes of prefix->tasks */
	gchar *text; /* owned, case-folded, NULL */
};

static GType list_get_item_type(GListModel *model)
{
	return WPV_TYPE_TASK_ITEM;
}

static guint list_get_n_items(GListModel *model)
{
	return WPV_TASK_LIST(model)->shown->len;
}

static gpointer list_get_item(GListModel *model, guint position)
{
	WpvTaskList *list = WPV_TASK_LIST(model);
	WpvTaskItem *item;

	if (position >= list->shown->len)
		return NULL;
	item = g_object_new(WPV_TYPE_TASK_ITEM, NULL);
	item->document = g_object_ref(list->document);
	item->task = list->prefix->tasks[g_array_index(list->shown, guint32, position)];
	return item;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = list_get_item_type;
	iface->get_n_items = list_get_n_items;
	iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(WpvTaskList, wpv_task_list, G_TYPE_OBJECT,
			      G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static void stop(WpvTaskList *list)
{
	if (list->cancellable)
		g_cancellable_cancel(list->cancellable);
	g_clear_object(&list->cancellable);
	g_clear_pointer(&list->prefix, wp_prefix_free);
	g_clear_object(&list->document);
}

static void wpv_task_list_finalize(GObject *object)
{
	WpvTaskList *list = WPV_TASK_LIST(object);

	stop(list);
	g_array_unref(list->shown);
	g_free(list->text);
	G_OBJECT_CLASS(wpv_task_list_parent_class)->finalize(object);
}

static void wpv_task_list_class_init(WpvTaskListClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_task_list_finalize;
	g_signal_new("ready", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_task_list_init(WpvTaskList *list)
{
	list->shown = g_array_new(FALSE, FALSE, sizeof(guint32));
}

WpvTaskList *wpv_task_list_new(void)
{
	return g_object_new(WPV_TYPE_TASK_LIST, NULL);
}

static gboolean passes(WpvTaskList *list, const WpPrefixTask *task)
{
	g_autofree gchar *name = NULL, *folded = NULL;

	if (!list->text || !*list->text)
		return TRUE;
	name = wpv_document_dup_task_name(list->document, task->host, task->task);
	folded = g_utf8_casefold(name, -1);
	return strstr(folded, list->text) != NULL;
}

static void narrow(WpvTaskList *list)
{
	guint old = list->shown->len;

	g_array_set_size(list->shown, 0);
	for (guint32 i = 0; list->prefix && i < list->prefix->n_tasks; i++)
		if (passes(list, &list->prefix->tasks[i]))
			g_array_append_val(list->shown, i);
	g_list_model_items_changed(G_LIST_MODEL(list), 0, old, list->shown->len);
}

static gint compare_tasks(gconstpointer a, gconstpointer b, gpointer data)
{
	WpGraph *graph = data;
	const WpPrefixTask *x = a, *y = b;
	gboolean x_kernel = wp_host_task(graph->hosts[x->host], x->task)->kind == WP_TASK_KERNEL;
	gboolean y_kernel = wp_host_task(graph->hosts[y->host], y->task)->kind == WP_TASK_KERNEL;

	if (x_kernel != y_kernel)
		return x_kernel ? 1 : -1;
	if (x->others != y->others)
		return x->others > y->others ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* The idle tasks are nobody's question. */
static void drop_idle(WpPrefix *prefix, WpGraph *graph)
{
	guint64 n = 0;

	for (guint64 i = 0; i < prefix->n_tasks; i++) {
		const WpPrefixTask *task = &prefix->tasks[i];

		if (wp_host_task(graph->hosts[task->host], task->task)->tid != 0)
			prefix->tasks[n++] = *task;
	}
	prefix->n_tasks = n;
}

static void prefix_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	WpvDocument *document = data;
	WpGraph *graph = wpv_document_get_graph(document);
	g_autoptr(WpCancel) cancel = wpv_cancel_new(cancellable);
	g_autoptr(GError) error = NULL;
	WpTime begin, end;
	WpPrefix *prefix;

	wpv_document_get_span(document, &begin, &end);
	prefix = wp_prefix_compute(graph, begin, end, WP_PATH_ACTIVE, cancel, &error);
	if (!prefix) {
		g_task_return_error(task, g_steal_pointer(&error));
		return;
	}
	drop_idle(prefix, graph);
	g_qsort_with_data(prefix->tasks, (gint)prefix->n_tasks, sizeof(*prefix->tasks),
			  compare_tasks, graph);
	g_task_return_pointer(task, prefix, (GDestroyNotify)wp_prefix_free);
}

static void prefix_done(GObject *source, GAsyncResult *result, gpointer data)
{
	WpvTaskList *list = WPV_TASK_LIST(source);
	WpPrefix *prefix = g_task_propagate_pointer(G_TASK(result), NULL);

	if (g_task_get_cancellable(G_TASK(result)) != list->cancellable) {
		wp_prefix_free(prefix);
		return;
	}
	g_clear_object(&list->cancellable);
	list->prefix = prefix;
	wpv_document_note_damage(list->document);
	narrow(list);
	g_signal_emit_by_name(list, "ready");
}

void wpv_task_list_set_document(WpvTaskList *list, WpvDocument *document)
{
	g_autoptr(GTask) task = NULL;

	stop(list);
	narrow(list);
	if (!document)
		return;
	list->document = g_object_ref(document);
	list->cancellable = g_cancellable_new();
	task = g_task_new(list, list->cancellable, prefix_done, NULL);
	g_task_set_task_data(task, g_object_ref(document), g_object_unref);
	g_task_run_in_thread(task, prefix_thread);
}

gboolean wpv_task_list_is_ready(WpvTaskList *list)
{
	return list->document && !list->cancellable;
}

void wpv_task_list_set_text(WpvTaskList *list, const gchar *text)
{
	g_free(list->text);
	list->text = text ? g_utf8_casefold(text, -1) : NULL;
	narrow(list);
}

gboolean wpv_task_list_guess(WpvTaskList *list, WpvRowKey *ret_row)
{
	const WpPrefixTask *task;

	if (!list->prefix || list->prefix->n_tasks == 0)
		return FALSE;
	task = &list->prefix->tasks[0];
	*ret_row = wpv_row_key_thread(task->host, task->task);
	return TRUE;
}
