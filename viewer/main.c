/* SPDX-License-Identifier: MIT */
/*
 * main.c: the viewer's command line: traces and a task as `waitpath path` takes them;
 * --render and --dump-rows for scripts, of which the latter needs no display.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include <glib-unix.h>

#include "base/bus.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "viewer/model/wpv-dump.h"
#include "viewer/model/wpv-task-list.h"
#include "viewer/view/wpv-application.h"

typedef struct {
	gchar *task, *begin, *end, *mode, *reader, *cache_dir, *render, *size; /* owned, NULL */
	gboolean dark, dump_rows, version;
	gint jobs;
	gchar *max_memory; /* owned, NULL */
	gchar **traces, **offsets, **layouts; /* owned, NULL */
	gchar *reference, *sync_file; /* owned, NULL */
} Options;

static void options_clear(Options *o)
{
	g_free(o->task);
	g_free(o->begin);
	g_free(o->end);
	g_free(o->mode);
	g_free(o->reader);
	g_free(o->cache_dir);
	g_free(o->render);
	g_free(o->size);
	g_free(o->max_memory);
	g_free(o->reference);
	g_free(o->sync_file);
	g_strfreev(o->traces);
	g_strfreev(o->offsets);
	g_strfreev(o->layouts);
}

static gboolean parse(Options *o, int *argc, char ***argv, GError **error)
{
	const GOptionEntry entries[] = {
		{"task", 't', 0, G_OPTION_ARG_STRING, &o->task,
		 "TID, HOST:TID, NAME or HOST:NAME; without it the one that waits for others most",
		 "TASK"},
		{"begin", 0, 0, G_OPTION_ARG_STRING, &o->begin, "begin of the window", "TIME"},
		{"end", 0, 0, G_OPTION_ARG_STRING, &o->end, "end of the window", "TIME"},
		{"mode", 0, 0, G_OPTION_ARG_STRING, &o->mode, "active (default) or causal", "MODE"},
		{"reference", 0, 0, G_OPTION_ARG_STRING, &o->reference,
		 "give all times on the clock of this host", "HOST"},
		{"offset", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o->offsets,
		 "what to add to the times of a host; may be repeated", "HOST=NS"},
		{"sync-file", 0, 0, G_OPTION_ARG_FILENAME, &o->sync_file,
		 "take the relation of the clocks from a file of sync --save", "FILE"},
		{"layout", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->layouts,
		 "further event layouts; may be repeated", "FILE"},
		{"reader", 0, 0, G_OPTION_ARG_STRING, &o->reader,
		 "auto (default), direct or babeltrace", "READER"},
		{"jobs", 'j', 0, G_OPTION_ARG_INT, &o->jobs, "threads (default: one for each CPU)",
		 "N"},
		{"max-memory", 0, 0, G_OPTION_ARG_STRING, &o->max_memory,
		 "memory for the graph before it goes to a file", "SIZE"},
		{"cache-dir", 0, 0, G_OPTION_ARG_FILENAME, &o->cache_dir,
		 "where that file is (default: the user's cache)", "DIR"},
		{"render", 0, 0, G_OPTION_ARG_FILENAME, &o->render,
		 "draw the window to a PNG and exit", "FILE"},
		{"size", 0, 0, G_OPTION_ARG_STRING, &o->size, "of --render (default: 1200x700)",
		 "WxH"},
		{"dark", 0, 0, G_OPTION_ARG_NONE, &o->dark, "dark, for --render", NULL},
		{"dump-rows", 0, 0, G_OPTION_ARG_NONE, &o->dump_rows,
		 "print rows and path as JSON and exit; needs no display", NULL},
		{"version", 0, 0, G_OPTION_ARG_NONE, &o->version, "print the version", NULL},
		{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->traces, NULL,
		 "[TRACE... | FILE]"},
		{0}};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	g_option_context_set_summary(
		context, "Shows what a task waited for, across hosts, from kernel traces.");
	g_option_context_add_main_entries(context, entries, NULL);
	return g_option_context_parse(context, argc, argv, error);
}

static gboolean parse_size(const gchar *text, gint *ret_width, gint *ret_height, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "1200x700", "x", 2);
	guint64 width, height;

	if (g_strv_length(parts) == 2 &&
	    g_ascii_string_to_unsigned(parts[0], 10, 300, 16384, &width, NULL) &&
	    g_ascii_string_to_unsigned(parts[1], 10, 200, 16384, &height, NULL)) {
		*ret_width = (gint)width;
		*ret_height = (gint)height;
		return TRUE;
	}
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "--size takes a width and height from 300x200 to 16384x16384, like 1200x700; "
		    "\"%s\" is none.",
		    text);
	return FALSE;
}

static void add_all(GPtrArray *array, gchar **texts)
{
	for (; texts && *texts; texts++)
		g_ptr_array_add(array, g_strdup(*texts));
}

/* The place of a text among those that an option can be; text NULL: the first. */
static gboolean parse_choice(const gchar *option, const gchar *text, const gchar *const *choices,
			     guint *ret_choice, GError **error)
{
	g_autofree gchar *all = NULL;

	for (guint i = 0; choices[i]; i++)
		if (!text || g_str_equal(choices[i], text)) {
			*ret_choice = i;
			return TRUE;
		}
	all = g_strjoinv(", ", (gchar **)choices);
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "--%s can't be \"%s\"; it is one of %s.",
		    option, text, all);
	return FALSE;
}

static gboolean fill_options(const Options *o, WpOptions *options, GError **error)
{
	static const gchar *const readers[] = {"auto", "direct", "babeltrace", NULL};
	guint reader;

	if (!parse_choice("reader", o->reader, readers, &reader, error) ||
	    (o->max_memory && !wp_size_parse(o->max_memory, &options->max_memory, error)))
		return FALSE;
	if (o->jobs < 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "--jobs takes a number from 1 on.");
		return FALSE;
	}
	add_all(options->traces, o->traces);
	add_all(options->offsets, o->offsets);
	add_all(options->layouts, o->layouts);
	options->reference = g_strdup(o->reference);
	options->task = g_strdup(o->task);
	options->sync_file = g_strdup(o->sync_file);
	options->cache_dir = g_strdup(o->cache_dir);
	options->reader = (WpReaderChoice)reader;
	options->jobs = (guint)o->jobs;
	return TRUE;
}

/* NULL without an error: there is nothing to load. */
static WpvLoader *make_loader(const Options *o, GError **error)
{
	static const gchar *const modes[] = {"active", "causal", NULL}; /* WpPathMode */
	WpvWanted wanted = {.task = o->task, .begin = o->begin, .end = o->end};
	WpvLoader *loader = NULL;
	WpOptions options;
	guint mode;

	if (!o->traces) {
		if (o->task || o->render || o->dump_rows)
			g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
				    "No TRACE was given; see waitpath-viewer --help.");
		return NULL;
	}
	wp_options_init(&options);
	if (parse_choice("mode", o->mode, modes, &mode, error) &&
	    fill_options(o, &options, error)) {
		wanted.mode = (WpPathMode)mode;
		loader = wpv_loader_new(&options, &wanted);
	}
	wp_options_clear(&options);
	return loader;
}

/* ---- without a display ---- */

/* The path that was asked for, or else of the task that is shown first. */
static WpvAnswer *make_answer(WpvLoader *loader, WpvDocument *document, WpCancel *cancel,
			      GError **error)
{
	g_autoptr(WpvTaskList) tasks = wpv_task_list_new();
	WpvQuestion question;
	WpvRowKey row;

	if (wpv_loader_get_question(loader, &question))
		return wpv_answer_new(document, &question, cancel, error);
	wpv_task_list_set_document(tasks, document);
	while (!wpv_task_list_is_ready(tasks))
		g_main_context_iteration(NULL, TRUE);
	if (!wpv_task_list_guess(tasks, &row))
		return NULL;
	question = wpv_document_get_life(document, row);
	wpv_loader_bound_question(loader, &question);
	return wpv_answer_new(document, &question, cancel, error);
}

static gboolean dump_rows(WpvLoader *loader, WpInterrupt *interrupt, GError **error)
{
	WpCancel *cancel = wp_interrupt_get_cancellable(interrupt);
	g_autoptr(WpvDocument) document = wpv_loader_run(loader, cancel, error);
	g_autoptr(WpvSession) session = wpv_session_new();
	g_autoptr(WpOut) out = wp_out_new_fd(fileno(stdout));
	g_autoptr(WpvAnswer) answer = NULL;
	g_autoptr(GError) failed = NULL;

	if (!document)
		return FALSE;
	answer = make_answer(loader, document, cancel, &failed);
	if (failed) {
		g_propagate_error(error, g_steal_pointer(&failed));
		return FALSE;
	}
	wpv_session_set_document(session, document);
	if (answer)
		wpv_session_set_answer(session, answer);
	wpv_session_show_path(session);
	wp_out_set_cancellable(out, cancel);
	wpv_dump_rows(session, out);
	if (wp_out_finish(out, error))
		return TRUE;
	if (wp_out_has_begun(out))
		wp_interrupt_note(interrupt, "the output is not complete");
	return FALSE;
}

/* ---- with one ---- */

/* The window that a picture was to be taken of is closed. */
static gboolean on_interrupt(G_GNUC_UNUSED gint fd, G_GNUC_UNUSED GIOCondition condition,
			     gpointer application)
{
	GtkWindow *window = gtk_application_get_active_window(application);

	if (window)
		gtk_window_destroy(window);
	return G_SOURCE_REMOVE;
}

/* The picture was not taken when the window went for an interrupt. */
static gboolean run_render(WpvApplication *application, WpInterrupt *interrupt, GError **error)
{
	WpCancel *cancel = wp_interrupt_get_cancellable(interrupt);
	const int fd = cancel ? wp_cancel_get_fd(cancel) : -1;
	GSource *source = fd >= 0 ? g_unix_fd_source_new(fd, G_IO_IN) : NULL;

	if (source) {
		g_source_set_callback(source, G_SOURCE_FUNC(on_interrupt), application, NULL);
		g_source_attach(source, NULL);
	}
	g_application_run(G_APPLICATION(application), 0, NULL);
	if (source) {
		g_source_destroy(source);
		g_source_unref(source);
	}
	if (wpv_application_has_picture(application) || !wp_cancel_is_cancelled(cancel))
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED, "The picture was not drawn.");
	return FALSE;
}

static gboolean run(const Options *o, WpvLoader *loader, WpInterrupt *interrupt, GError **error)
{
	g_autoptr(WpvApplication) application = NULL;
	gint width = 0, height = 0;

	if (o->render && !parse_size(o->size, &width, &height, error))
		return FALSE;
	if (!gtk_init_check()) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "There is no display to open a window on; --dump-rows needs none, and "
			    "xvfb-run gives --render one.");
		return FALSE;
	}
	application = wpv_application_new(loader ? g_object_ref(loader) : NULL);
	if (o->render) {
		wpv_application_set_render(application, o->render, width, height, o->dark);
		if (!run_render(application, interrupt, error))
			return FALSE;
	} else {
		g_application_run(G_APPLICATION(application), 0, NULL);
	}
	if (!wpv_application_get_error(application))
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
			    wpv_application_get_error(application));
	return FALSE;
}

static int exit_status(const GError *error)
{
	if (error->domain == G_OPTION_ERROR)
		return 2;
	if (error->domain != WP_ERROR)
		return 1;
	switch ((WpError)error->code) {
	case WP_ERROR_USAGE:
		return 2;
	case WP_ERROR_CANNOT_ANSWER:
		return 3;
	default:
		return 1;
	}
}

static void work(const Options *o, WpInterrupt *interrupt, GError **error)
{
	g_autoptr(GError) failed = NULL;
	g_autoptr(WpvLoader) loader = make_loader(o, &failed);

	if (failed)
		g_propagate_error(error, g_steal_pointer(&failed));
	else if (o->dump_rows)
		dump_rows(loader, interrupt, error);
	else
		run(o, loader, interrupt, error);
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autofree gchar *left = NULL;
	WpInterrupt *interrupt = NULL;
	Options options = {0};
	gint number;

	g_set_prgname("waitpath-viewer");
	wp_bus_guard();
	if (parse(&options, &argc, &argv, &error)) {
		/* Who has a window closes that; what is run for its output ends in order. */
		if (options.dump_rows || options.render)
			interrupt = wp_interrupt_begin();
		if (options.version)
			printf("waitpath-viewer %s\n", PACKAGE_VERSION);
		else
			work(&options, interrupt, &error);
	}
	options_clear(&options);
	number = wp_interrupt_end(interrupt, &left);
	if (number && g_error_matches(error, WP_ERROR, WP_ERROR_CANCELLED)) {
		fprintf(stderr, "waitpath-viewer: interrupted; %s.\n",
			left ? left : "nothing was written");
		wp_interrupt_die(number);
	}
	if (!error)
		return 0;
	fprintf(stderr, "waitpath-viewer: %s\n", error->message);
	return exit_status(error);
}
