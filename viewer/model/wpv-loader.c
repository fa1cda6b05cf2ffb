/* SPDX-License-Identifier: MIT */
/*
 * wpv-loader.c: progress comes from reading threads; it is kept under a lock, and one
 * idle call at a time brings the latest to the main loop.
 */
#include "config.h"

#include "base/error.h"
#include "base/thread.h"
#include "viewer/model/wpv-cancel.h"
#include "viewer/model/wpv-loader.h"

struct _WpvLoader {
	GObject parent;
	WpOptions options; /* its members owned */
	gchar *title; /* owned */
	gchar *task, *begin, *end; /* owned, NULL */
	WpPathMode mode;
	WpTime from, to; /* what begin and end are, once loaded; open: WP_TIME_MIN and _MAX */
	WpvQuestion question;
	gboolean has_question;
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

WpvLoader *wpv_loader_new(WpOptions *options, const WpvWanted *wanted)
{
	WpvLoader *loader = g_object_new(WPV_TYPE_LOADER, NULL);

	loader->options = *options;
	wp_options_init(options);
	loader->title = make_title(loader->options.traces);
	loader->task = g_strdup(wanted->task);
	loader->begin = g_strdup(wanted->begin);
	loader->end = g_strdup(wanted->end);
	loader->mode = wanted->mode;
	loader->from = WP_TIME_MIN;
	loader->to = WP_TIME_MAX;
	return loader;
}

static void copy_texts(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(to, g_strdup(g_ptr_array_index(from, i)));
}

WpvLoader *wpv_loader_new_again(WpvLoader *loader)
{
	const WpOptions *from = &loader->options;
	WpvWanted wanted = {loader->task, loader->begin, loader->end, loader->mode};
	WpOptions options;

	wp_options_init(&options);
	copy_texts(options.traces, from->traces);
	copy_texts(options.offsets, from->offsets);
	copy_texts(options.layouts, from->layouts);
	copy_texts(options.markers, from->markers);
	options.reference = g_strdup(from->reference);
	options.task = g_strdup(from->task);
	options.sync_file = g_strdup(from->sync_file);
	options.cache_dir = g_strdup(from->cache_dir);
	options.reader = from->reader;
	options.jobs = from->jobs;
	options.max_memory = from->max_memory;
	return wpv_loader_new(&options, &wanted);
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

/* The window that was asked for. */
static gboolean find_window(WpvLoader *loader, const WpAnalysis *analysis, GError **error)
{
	WpTime first, last;

	wp_analysis_get_span(analysis, &first, &last);
	if (loader->begin && !wp_time_parse(loader->begin, first, &loader->from, error))
		return FALSE;
	if (loader->end && !wp_time_parse(loader->end, first, &loader->to, error))
		return FALSE;
	if (loader->from < loader->to)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "The window ends (%s) before it begins (%s).",
		    loader->end, loader->begin);
	return FALSE;
}

/* The task that was asked for; or, where it can't be known because events are missing, that. */
static gboolean find_task(WpvLoader *loader, const WpAnalysis *analysis, GError **error)
{
	g_autoptr(GError) problem = NULL;
	WpSelection selection;

	if (!wp_analysis_select_task(analysis, loader->task, loader->from, loader->to, &selection,
				     &problem)) {
		if (wp_analysis_check_any_host(analysis, error))
			g_propagate_error(error, g_steal_pointer(&problem));
		return FALSE;
	}
	if (!wp_analysis_check_host(analysis, selection.host, error))
		return FALSE;
	loader->question = (WpvQuestion){selection.host, selection.task,
					 loader->begin ? loader->from : selection.begin,
					 loader->end ? loader->to : selection.end, loader->mode};
	loader->has_question = TRUE;
	return TRUE;
}

static void free_analysis(gpointer analysis)
{
	wp_analysis_free(analysis);
}

static WpvDocument *load(WpvLoader *loader, WpSessionProgressFunc progress, WpCancel *cancel,
			 GError **error)
{
	WpAnalysis *analysis = wp_session_load(&loader->options, progress, loader, cancel, error);

	if (!analysis)
		return NULL;
	if (!find_window(loader, analysis, error) ||
	    (loader->task && !find_task(loader, analysis, error))) {
		wp_analysis_free(analysis);
		return NULL;
	}
	return wpv_document_new(loader->title, analysis->graph, analysis->all_findings,
				analysis->sync, analysis, free_analysis);
}

static void load_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(WpCancel) cancel = wpv_cancel_new(cancellable);
	g_autoptr(GError) error = NULL;
	WpvDocument *document = load(WPV_LOADER(source), on_progress, cancel, &error);

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

WpvDocument *wpv_loader_run(WpvLoader *loader, WpCancel *cancel, GError **error)
{
	return load(loader, NULL, cancel, error);
}

gboolean wpv_loader_get_question(WpvLoader *loader, WpvQuestion *ret_question)
{
	if (loader->has_question)
		*ret_question = loader->question;
	return loader->has_question;
}

void wpv_loader_bound_question(WpvLoader *loader, WpvQuestion *question)
{
	question->begin = loader->begin ? loader->from : question->begin;
	question->end = loader->end ? loader->to : question->end;
	question->mode = loader->mode;
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
