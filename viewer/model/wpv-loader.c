/* SPDX-License-Identifier: MIT */
/*
 * wpv-loader.c: progress comes from reading threads; it is kept under a lock, and one
 * idle call at a time brings the latest to the main loop.
 */
#include "config.h"

#include "base/thread.h"
#include "viewer/model/wpv-loader.h"

struct _WpvLoader {
	GObject parent;
	WpOptions options; /* its members owned */
	gchar *title; /* owned */
	gchar *task, *begin, *end; /* owned, NULL */
	WpSelection selection;
	gboolean has_selection;
	WpMutex lock; /* of the two below */
	WpProgress progress;
	gboolean announced; /* an idle call is on its way */
};

G_DEFINE_FINAL_TYPE(WpvLoader, wpv_loader, G_TYPE_OBJECT)

static void wpv_loader_finalize(GObject *object)
{
	WpvLoader *loader = WPV_LOADER(object);

	wp_options_clear(&loader->options);
	g_free(loader->title);
	g_free(loader->task);
	g_free(loader->begin);
	g_free(loader->end);
	wp_mutex_clear(&loader->lock);
	G_OBJECT_CLASS(wpv_loader_parent_class)->finalize(object);
}

static void wpv_loader_class_init(WpvLoaderClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_loader_finalize;
	g_signal_new("progress", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_loader_init(WpvLoader *loader)
{
	wp_mutex_init(&loader->lock);
}

/* "tier3", "one, two", "one and 4 more". */
static gchar *make_title(const GPtrArray *traces)
{
	GString *title = g_string_new(NULL);

	for (guint i = 0; i < traces->len; i++) {
		g_autofree gchar *name = g_path_get_basename(g_ptr_array_index(traces, i));

		if (i >= 2 && traces->len > 3) {
			g_string_append_printf(title, " and %u more", traces->len - i);
			break;
		}
		g_string_append_printf(title, "%s%s", i ? ", " : "", name);
	}
	return g_string_free(title, FALSE);
}

WpvLoader *wpv_loader_new(WpOptions *options, const gchar *task, const gchar *begin,
			  const gchar *end)
{
	WpvLoader *loader = g_object_new(WPV_TYPE_LOADER, NULL);

	loader->options = *options;
	wp_options_init(options);
	loader->title = make_title(loader->options.traces);
	loader->task = g_strdup(task);
	loader->begin = g_strdup(begin);
	loader->end = g_strdup(end);
	return loader;
}

static gboolean announce(gpointer data)
{
	WpvLoader *loader = data;

	wp_mutex_lock(&loader->lock);
	loader->announced = FALSE;
	wp_mutex_unlock(&loader->lock);
	g_signal_emit_by_name(loader, "progress");
	return G_SOURCE_REMOVE;
}

static void on_progress(const WpProgress *progress, gpointer data)
{
	WpvLoader *loader = data;

	wp_mutex_lock(&loader->lock);
	loader->progress = *progress;
	if (!loader->announced) {
		loader->announced = TRUE;
		g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, announce, g_object_ref(loader),
				g_object_unref);
	}
	wp_mutex_unlock(&loader->lock);
}

/* The task and window that were asked for; without a task nothing. */
static gboolean find_selection(WpvLoader *loader, const WpAnalysis *analysis, GError **error)
{
	WpTime first, last, begin = WP_TIME_MIN, end = WP_TIME_MAX;

	if (!loader->task)
		return TRUE;
	wp_analysis_get_span(analysis, &first, &last);
	if (loader->begin && !wp_time_parse(loader->begin, first, &begin, error))
		return FALSE;
	if (loader->end && !wp_time_parse(loader->end, first, &end, error))
		return FALSE;
	loader->has_selection = wp_analysis_select_task(analysis, loader->task, begin, end,
							&loader->selection, error);
	return loader->has_selection;
}

static void free_analysis(gpointer analysis)
{
	wp_analysis_free(analysis);
}

static WpvDocument *load(WpvLoader *loader, WpSessionProgressFunc progress,
			 GCancellable *cancellable, GError **error)
{
	WpAnalysis *analysis = wp_session_load(&loader->options, progress, loader, cancellable,
					       error);

	if (!analysis)
		return NULL;
	if (!find_selection(loader, analysis, error)) {
		wp_analysis_free(analysis);
		return NULL;
	}
	return wpv_document_new(loader->title, analysis->graph, analysis->all_findings,
				analysis->sync, analysis, free_analysis);
}

static void load_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	WpvDocument *document = load(WPV_LOADER(source), on_progress, cancellable, &error);

	if (document)
		g_task_return_pointer(task, document, g_object_unref);
	else
		g_task_return_error(task, g_steal_pointer(&error));
}

void wpv_loader_run_async(WpvLoader *loader, GCancellable *cancellable,
			  GAsyncReadyCallback callback, gpointer data)
{
	g_autoptr(GTask) task = g_task_new(loader, cancellable, callback, data);

	g_task_run_in_thread(task, load_thread);
}

WpvDocument *wpv_loader_run_finish(WpvLoader *loader, GAsyncResult *result, GError **error)
{
	return g_task_propagate_pointer(G_TASK(result), error);
}

WpvDocument *wpv_loader_run(WpvLoader *loader, GCancellable *cancellable, GError **error)
{
	return load(loader, NULL, cancellable, error);
}

gboolean wpv_loader_get_selection(WpvLoader *loader, WpSelection *ret_selection)
{
	if (loader->has_selection)
		*ret_selection = loader->selection;
	return loader->has_selection;
}

const gchar *wpv_loader_get_title(WpvLoader *loader)
{
	return loader->title;
}

const GPtrArray *wpv_loader_get_traces(WpvLoader *loader)
{
	return loader->options.traces;
}

void wpv_loader_get_progress(WpvLoader *loader, WpProgress *ret_progress)
{
	wp_mutex_lock(&loader->lock);
	*ret_progress = loader->progress;
	wp_mutex_unlock(&loader->lock);
}
