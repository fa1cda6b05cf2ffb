/* SPDX-License-Identifier: MIT */
/*
 * wpv-window.c: what is in the window, and what it shows: welcome, loading, an error, or
 * the view of a document.
 */
#include "config.h"

#include "base/error.h"
#include "export/units.h"
#include "viewer/view/wpv-band.h"
#include "viewer/view/wpv-details.h"
#include "viewer/view/wpv-findings-pane.h"
#include "viewer/view/wpv-header.h"
#include "viewer/view/wpv-legend.h"
#include "viewer/view/wpv-range-button.h"
#include "viewer/view/wpv-ruler.h"
#include "viewer/view/wpv-search-line.h"
#include "viewer/view/wpv-task-chooser.h"
#include "viewer/view/wpv-window-private.h"
#include "viewer/wpv-resource.h"

#define RESOURCES "/org/waitpath/Viewer/"
#define MOTION_TIME 250000 /* us of a jump in time */
#define NAMES_WIDTH 220
#define DETAILS_WIDTH_MIN 340
#define DETAILS_WIDTH_MAX 760
#define PANES_HEIGHT 216
#define PANES_HEIGHT_MAX 520
#define SPARE_HEIGHT 30 /* below the last row, where there is room */

G_DEFINE_FINAL_TYPE(WpvWindow, wpv_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- questions ---- */

/* The last view of this document, and the path that it had. */
static gboolean restore_view(WpvWindow *window, WpvDocument *document, WpvQuestion *question)
{
	g_autofree gchar *path = NULL;
	gboolean has_question = FALSE;

	if (!window->keep_state)
		return FALSE;
	path = wpv_state_dup_view_path(document);
	return wpv_state_load_view(window->session, path, question, &has_question) && has_question;
}

static void guess_task(WpvWindow *window)
{
	WpvQuestion question;
	WpvRowKey row;

	if (!window->guessing)
		return;
	window->guessing = FALSE;
	window->guessed = wpv_task_list_guess(window->tasks, &row);
	if (window->guessed) {
		question = wpv_document_get_life(wpv_session_get_document(window->session), row);
		if (window->loader)
			wpv_loader_bound_question(window->loader, &question);
		wpv_session_ask(window->session, &question);
	}
	wpv_window_update_answer(window);
}

void wpv_window_show_document(WpvWindow *window, WpvDocument *document, const WpvQuestion *question)
{
	WpvQuestion restored;
	gboolean has;

	wpv_window_save_view(window);
	window->guessed = FALSE;
	window->guessing = FALSE;
	wpv_session_set_document(window->session, document);
	wpv_task_list_set_document(window->tasks, document);
	has = restore_view(window, document, &restored);
	window->show_path = question || !has;
	if (question)
		wpv_session_ask(window->session, question);
	else if (has)
		wpv_session_ask(window->session, &restored);
	else
		window->guessing = TRUE;
	gtk_stack_set_visible_child_name(window->pages, "view");
	gtk_widget_grab_focus(window->canvas);
	wpv_window_update_answer(window);
}

void wpv_window_save_view(WpvWindow *window)
{
	WpvDocument *document = wpv_session_get_document(window->session);
	g_autofree gchar *path = NULL;
	g_autoptr(GError) error = NULL;

	if (!document || !window->keep_state)
		return;
	path = wpv_state_dup_view_path(document);
	if (!wpv_state_save_view(window->session, path, &error))
		wpv_window_complain(window, error->message);
}

void wpv_window_complain(WpvWindow *window, const gchar *text)
{
	gtk_label_set_text(window->complaint_label, text);
	gtk_info_bar_set_revealed(window->complaint, TRUE);
}

static void on_complaint_closed(WpvWindow *window)
{
	gtk_info_bar_set_revealed(window->complaint, FALSE);
}

/* ---- loading ---- */

static void on_progress(WpvWindow *window)
{
	g_autofree gchar *words = NULL;
	WpProgress progress;
	WpText events, left;
	gdouble seconds;

	if (!window->loader || !window->loading)
		return;
	wpv_loader_get_progress(window->loader, &progress);
	gtk_progress_bar_set_fraction(window->loading_bar, CLAMP(progress.share, 0, 1));
	seconds = (gdouble)progress.elapsed / G_USEC_PER_SEC;
	if (progress.share > 0.01 && progress.share < 1)
		words = g_strdup_printf(
			"%s events, about %s left", wp_count_text(&events, progress.n_events),
			wp_duration_text(&left, (WpTime)(seconds * (1 / progress.share - 1) *
							 (gdouble)WP_NS_PER_S)));
	else
		words = g_strdup_printf("%s events", wp_count_text(&events, progress.n_events));
	gtk_label_set_text(window->loading_text, words);
}

static void fill_recent(WpvWindow *window);

static void remember(WpvWindow *window)
{
	const GPtrArray *traces = wpv_loader_get_traces(window->loader);
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) paths = NULL;

	for (guint i = 0; i < traces->len; i++) {
		const gchar *trace = g_ptr_array_index(traces, i);
		g_autofree gchar *path = strchr(trace, '=') ? g_strdup(trace)
							    : g_canonicalize_filename(trace, NULL);

		g_strv_builder_add(builder, path);
	}
	paths = g_strv_builder_end(builder);
	wpv_settings_add_recent(&window->settings, (const gchar *const *)paths);
	fill_recent(window);
}

static void on_loaded(GObject *source, GAsyncResult *result, gpointer data)
{
	g_autoptr(WpvWindow) window = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(WpvDocument) document = wpv_loader_run_finish(WPV_LOADER(source), result, &error);
	WpvQuestion question;

	if (g_task_get_cancellable(G_TASK(result)) != window->loading)
		return;
	g_clear_object(&window->loading);
	if (!document) {
		gtk_label_set_text(window->error_label, error->message);
		gtk_stack_set_visible_child_name(window->pages, "error");
		/* Else the text has it, and is shown as selected. */
		gtk_widget_grab_focus(GTK_WIDGET(window->retry_button));
		return;
	}
	remember(window);
	wpv_window_show_document(window, document,
				 wpv_loader_get_question(window->loader, &question) ? &question
										    : NULL);
}

void wpv_window_load(WpvWindow *window, WpvLoader *loader)
{
	if (window->loading)
		g_cancellable_cancel(window->loading);
	g_clear_object(&window->loading);
	if (window->loader)
		g_signal_handlers_disconnect_by_data(window->loader, window);
	g_set_object(&window->loader, loader);
	window->loading = g_cancellable_new();
	gtk_label_set_text(window->loading_title, wpv_loader_get_title(loader));
	gtk_progress_bar_set_fraction(window->loading_bar, 0);
	gtk_label_set_text(window->loading_text, "");
	gtk_info_bar_set_revealed(window->complaint, FALSE);
	gtk_stack_set_visible_child_name(window->pages, "loading");
	/* What fails to load can be tried again. */
	wpv_window_update_actions(window, 0);
	g_signal_connect_object(loader, "progress", G_CALLBACK(on_progress), window,
				G_CONNECT_SWAPPED);
	wpv_loader_run_async(loader, window->loading, on_loaded, g_object_ref(window));
}

void wpv_window_open(WpvWindow *window, const gchar *const *traces)
{
	g_autoptr(WpvLoader) loader = NULL;
	WpvWanted wanted = {.mode = WP_PATH_ACTIVE};
	WpOptions options;

	wp_options_init(&options);
	for (; *traces; traces++)
		g_ptr_array_add(options.traces, g_strdup(*traces));
	loader = wpv_loader_new(&options, &wanted);
	wpv_window_load(window, loader);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, gdouble x, gdouble y,
			WpvWindow *window)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) paths = NULL;

	for (GSList *file = g_value_get_boxed(value); file; file = file->next) {
		g_autofree gchar *path = g_file_get_path(file->data);

		if (path)
			g_strv_builder_add(builder, path);
	}
	paths = g_strv_builder_end(builder);
	if (!*paths)
		return FALSE;
	wpv_window_open(window, (const gchar *const *)paths);
	return TRUE;
}

/* ---- recent ---- */

static gchar *recent_label(gchar **traces)
{
	g_autofree gchar *first = g_filename_display_name(traces[0]);
	guint n = g_strv_length(traces);

	return n == 1 ? g_strdup(first) : g_strdup_printf("%s and %u more", first, n - 1);
}

static void fill_recent(WpvWindow *window)
{
	g_autoptr(GMenu) menu = g_menu_new();
	GPtrArray *recent = window->settings.recent;
	GtkWidget *child;

	while ((child = gtk_widget_get_first_child(GTK_WIDGET(window->recent_box))))
		gtk_box_remove(window->recent_box, child);
	for (guint i = 0; i < recent->len; i++) {
		g_autofree gchar *label = recent_label(g_ptr_array_index(recent, i));
		g_autofree gchar *action = g_strdup_printf("win.open-recent(%u)", i);
		GtkWidget *button = gtk_button_new_with_label(label);

		g_menu_append(menu, label, action);
		gtk_widget_add_css_class(button, "flat");
		gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(button), action);
		gtk_box_append(window->recent_box, button);
	}
	gtk_menu_button_set_menu_model(window->recent_button, G_MENU_MODEL(menu));
	gtk_widget_set_sensitive(GTK_WIDGET(window->recent_button), recent->len > 0);
}

/* ---- following the session ---- */

/*
 * Once there is a path to show, and when a filter has changed the rows: what these do not need
 * of the window is the panes', up to half. Once the user has moved the handle it stays there.
 */
static gboolean fit_panes(GtkWidget *panes, GdkFrameClock *clock, gpointer data)
{
	WpvWindow *window = data;
	const guint n = wpv_row_list_get_n(wpv_session_get_rows(window->session));
	const gint height = gtk_widget_get_height(panes);
	const gint rows = gtk_widget_get_height(window->canvas);
	gint needed, most;

	if (height <= 0 || rows <= 0)
		return G_SOURCE_CONTINUE;
	/* And what lies in the same half but is no row. */
	needed = gtk_paned_get_position(window->panes) - rows + SPARE_HEIGHT +
		 (gint)MIN(n, 1000u) * wpv_session_get_row_height(window->session);
	most = MAX(height - PANES_HEIGHT, height / 2);
	needed = CLAMP(needed, MAX(height / 2, height - PANES_HEIGHT_MAX), most);
	/* A filter that leaves fewer rows, as each letter of one may, does not move it back. */
	needed = MAX(needed, window->fitted_at);
	gtk_paned_set_position(window->panes, needed);
	window->fitted_at = needed;
	window->fit = WPV_FIT_DONE;
	return G_SOURCE_REMOVE;
}

static void want_fit(WpvWindow *window)
{
	if (window->fit == WPV_FIT_WANTED ||
	    (window->fit == WPV_FIT_DONE &&
	     gtk_paned_get_position(window->panes) != window->fitted_at))
		return;
	window->fit = WPV_FIT_WANTED;
	gtk_widget_add_tick_callback(GTK_WIDGET(window->panes), fit_panes, window, NULL);
}

static void on_changed(WpvWindow *window, guint what)
{
	if (what & WPV_CHANGED_DOCUMENT)
		wpv_window_update_badges(window);
	if (what & (WPV_CHANGED_DOCUMENT | WPV_CHANGED_ANSWER)) {
		wpv_window_update_answer(window);
		if (window->show_path && wpv_session_get_answer(window->session) &&
		    !wpv_session_is_asking(window->session)) {
			window->show_path = FALSE;
			wpv_session_show_path(window->session);
		}
		if (wpv_session_get_answer(window->session) && window->fit == WPV_FIT_NOT)
			want_fit(window);
	}
	if ((what & WPV_CHANGED_FILTER) && window->fit == WPV_FIT_DONE)
		want_fit(window);
	if (what & ~(guint)(WPV_CHANGED_ITEM | WPV_CHANGED_LODS))
		wpv_window_update_status(window);
	wpv_window_update_actions(window, what);
}

static void on_failed(WpvWindow *window, const GError *error)
{
	wpv_window_complain(window, error->message);
}

static gboolean on_link(GtkLabel *label, const gchar *uri, WpvWindow *window)
{
	return wpv_window_follow_link(window, uri);
}

void wpv_window_update_scheme(WpvWindow *window)
{
	gboolean dark = window->settings.scheme == WPV_SCHEME_DARK ||
			(window->settings.scheme == WPV_SCHEME_SYSTEM &&
			 wpv_scheme_monitor_is_dark(window->monitor));

	g_object_set(gtk_widget_get_settings(GTK_WIDGET(window)),
		     "gtk-application-prefer-dark-theme", dark, NULL);
	wpv_style_set_dark(wpv_session_get_style(window->session), dark);
}

void wpv_window_set_scheme(WpvWindow *window, WpvScheme scheme)
{
	window->settings.scheme = scheme;
	wpv_window_update_scheme(window);
}

static void update_motion(WpvWindow *window)
{
	gboolean animate;

	g_object_get(gtk_widget_get_settings(GTK_WIDGET(window)), "gtk-enable-animations", &animate,
		     NULL);
	wpv_session_set_motion_time(window->session, animate ? MOTION_TIME : 0);
}

gboolean wpv_window_is_settled(WpvWindow *window)
{
	return !window->loading && !window->guessing && !wpv_session_is_asking(window->session) &&
	       window->fit != WPV_FIT_WANTED &&
	       !wpv_events_view_is_reading(wpv_details_get_events(WPV_DETAILS(window->details))) &&
	       (!wpv_session_get_answer(window->session) ||
		(wpv_flame_view_get(WPV_FLAME_VIEW(window->flame)) &&
		 wpv_breakdown_pane_get(WPV_BREAKDOWN_PANE(window->breakdown))));
}

/* ---- parts ---- */

/* The names beside them are as tall as what they name. */
static void tie_heights(GtkWidget *a, GtkWidget *b)
{
	g_autoptr(GtkSizeGroup) group = gtk_size_group_new(GTK_SIZE_GROUP_VERTICAL);

	gtk_size_group_add_widget(group, a);
	gtk_size_group_add_widget(group, b);
}

static void on_filter_changed(GtkSearchEntry *entry, WpvWindow *window)
{
	WpvRowFilter filter = {0};

	wpv_row_filter_copy(&filter, wpv_session_get_filter(window->session));
	g_free(filter.text);
	filter.text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(entry)));
	wpv_session_set_filter(window->session, &filter);
	wpv_row_filter_clear(&filter);
}

static void add_toggle(GtkWidget *box, const gchar *label, const gchar *action,
		       const gchar *tooltip)
{
	GtkWidget *toggle = gtk_toggle_button_new_with_label(label);

	gtk_actionable_set_action_name(GTK_ACTIONABLE(toggle), action);
	gtk_widget_set_tooltip_text(toggle, tooltip);
	gtk_box_append(GTK_BOX(box), toggle);
}

static GtkWidget *make_foot(WpvWindow *window)
{
	GtkWidget *foot = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);

	window->filter_entry = gtk_search_entry_new();
	g_object_set(window->filter_entry, "placeholder-text", "Filter rows", NULL);
	gtk_editable_set_width_chars(GTK_EDITABLE(window->filter_entry), 8);
	gtk_widget_set_hexpand(window->filter_entry, TRUE);
	gtk_widget_add_css_class(foot, "foot");
	gtk_box_append(GTK_BOX(foot), window->filter_entry);
	add_toggle(foot, "All", "win.all-tasks", "Shows all tasks, not only those on the path");
	g_signal_connect(window->filter_entry, "search-changed", G_CALLBACK(on_filter_changed),
			 window);
	return foot;
}

static GtkWidget *make_status(WpvWindow *window)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
	GtkWidget *status = gtk_label_new(NULL);

	window->status = GTK_LABEL(status);
	gtk_label_set_xalign(window->status, 0);
	gtk_label_set_ellipsize(window->status, PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(status, TRUE);
	gtk_widget_add_css_class(box, "foot");
	gtk_box_append(GTK_BOX(box), status);
	add_toggle(box, "Arrows", "win.toggle-arrows", "Packets and wake-ups (Ctrl+J)");
	add_toggle(box, "Highlight", "win.highlight", "What is not on the path is drawn fainter");
	return box;
}

static void on_scroll_range(GtkAdjustment *adjustment, GtkWidget *bar)
{
	gtk_widget_set_visible(bar, gtk_adjustment_get_upper(adjustment) >
					    gtk_adjustment_get_page_size(adjustment));
}

/* The scroll bar lies over the timeline, so that it is as wide as what is above it. */
static GtkWidget *make_scrolled_canvas(WpvWindow *window)
{
	GtkWidget *overlay = gtk_overlay_new(), *scroller = gtk_scrolled_window_new(), *bar;
	GtkAdjustment *vadjustment;

	window->canvas = wpv_canvas_new(window->session, window->row_menu);
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
				       GTK_POLICY_EXTERNAL);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), window->canvas);
	gtk_overlay_set_child(GTK_OVERLAY(overlay), scroller);
	vadjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
	bar = gtk_scrollbar_new(GTK_ORIENTATION_VERTICAL, vadjustment);
	gtk_widget_add_css_class(bar, "overlay-indicator");
	gtk_widget_set_halign(bar, GTK_ALIGN_END);
	gtk_overlay_add_overlay(GTK_OVERLAY(overlay), bar);
	g_signal_connect_object(vadjustment, "changed", G_CALLBACK(on_scroll_range), bar, 0);
	wpv_range_button_add(GTK_OVERLAY(overlay), window->session);
	gtk_widget_set_vexpand(overlay, TRUE);
	window->header = wpv_header_new(window->session, vadjustment, window->row_menu);
	gtk_widget_set_vexpand(window->header, TRUE);
	return overlay;
}

static void add_timeline(WpvWindow *window)
{
	GtkWidget *canvas = make_scrolled_canvas(window), *foot = make_foot(window);
	GtkWidget *status = make_status(window);

	window->overview = wpv_band_new(window->session, TRUE);
	window->ruler = wpv_ruler_new(window->session);
	window->band = wpv_band_new(window->session, FALSE);
	gtk_box_append(window->right_box, window->overview);
	gtk_box_append(window->right_box, window->ruler);
	gtk_box_append(window->right_box, window->band);
	gtk_box_append(window->right_box, canvas);
	gtk_box_append(window->right_box, status);
	gtk_box_append(window->left_box, window->header);
	gtk_box_append(window->left_box, foot);
	tie_heights(window->overview_label, window->overview);
	tie_heights(window->ruler_label, window->ruler);
	tie_heights(window->band_label, window->band);
	tie_heights(foot, status);
	gtk_widget_set_hexpand(GTK_WIDGET(window->right_box), TRUE);
	gtk_paned_set_position(window->timeline_pane, NAMES_WIDTH);
}

static void add_panes(WpvWindow *window)
{
	GtkWidget *scroller = gtk_scrolled_window_new();

	window->details = wpv_details_new(window->session);
	window->breakdown = wpv_breakdown_pane_new(window->session);
	window->segments = wpv_segments_pane_new(window->session);
	window->flame = wpv_flame_view_new(window->session);
	window->requests = wpv_requests_pane_new(window->session);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), window->flame);
	gtk_stack_add_titled(window->tabs, window->breakdown, "breakdown", "Breakdown");
	gtk_stack_add_titled(window->tabs, window->segments, "segments", "Segments");
	gtk_stack_add_titled(window->tabs, scroller, "flame", "Flame");
	gtk_stack_add_titled(window->tabs, window->requests, "requests", "Requests");
	gtk_stack_add_titled(window->tabs, wpv_findings_pane_new(window->session), "findings",
			     "Findings");
	gtk_widget_set_hexpand(window->details, TRUE);
	gtk_box_append(window->details_box, window->details);
}

static GtkWidget *popover_with(GtkWidget *child, gint width, gint height)
{
	GtkWidget *popover = gtk_popover_new();

	if (width)
		gtk_widget_set_size_request(child, width, height);
	gtk_popover_set_child(GTK_POPOVER(popover), child);
	return popover;
}

static void add_popovers(WpvWindow *window)
{
	GtkWidget *entry, *line = wpv_search_line_new(window->search, &entry);

	gtk_menu_button_set_popover(window->legend_button,
				    popover_with(wpv_legend_new(window->session), 0, 0));
	gtk_menu_button_set_popover(window->clocks_button,
				    popover_with(wpv_clocks_pane_new(window->session), 560, 200));
	gtk_menu_button_set_popover(window->task_button,
				    wpv_task_chooser_new(window->session, window->tasks));
	gtk_search_bar_set_child(window->search_bar, line);
	gtk_search_bar_connect_entry(window->search_bar, GTK_EDITABLE(entry));
	g_object_bind_property(window->search_button, "active", window->search_bar,
			       "search-mode-enabled", G_BINDING_BIDIRECTIONAL);
}

/* ---- the window ---- */

static gboolean wpv_window_close_request(GtkWindow *gtk_window)
{
	WpvWindow *window = WPV_WINDOW(gtk_window);
	g_autofree gchar *path = wpv_state_dup_settings_path();

	if (window->loading)
		g_cancellable_cancel(window->loading);
	if (window->keep_state) {
		wpv_window_save_view(window);
		window->settings.maximized = gtk_window_is_maximized(gtk_window);
		if (!window->settings.maximized)
			gtk_window_get_default_size(gtk_window, &window->settings.width,
						    &window->settings.height);
		wpv_state_save_settings(&window->settings, window->session, path, NULL);
	}
	return GTK_WINDOW_CLASS(wpv_window_parent_class)->close_request(gtk_window);
}

/* At first the panes below have their natural share; then the user's. */
static void on_mapped(WpvWindow *window)
{
	gint width, height;

	gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
	gtk_paned_set_position(window->panes, MAX(height - PANES_HEIGHT - 100, 150));
	gtk_paned_set_position(
		window->bottom_pane,
		MAX(width - CLAMP(width * 36 / 100, DETAILS_WIDTH_MIN, DETAILS_WIDTH_MAX), 300));
}

static void wpv_window_dispose(GObject *object)
{
	WpvWindow *window = WPV_WINDOW(object);

	if (window->loading)
		g_cancellable_cancel(window->loading);
	g_clear_object(&window->loading);
	g_clear_object(&window->chooser);
	g_clear_object(&window->search);
	if (window->tasks)
		wpv_task_list_set_document(window->tasks, NULL);
	if (window->session)
		wpv_session_set_document(window->session, NULL);
	g_clear_object(&window->monitor);
	g_clear_object(&window->loader);
	G_OBJECT_CLASS(wpv_window_parent_class)->dispose(object);
}

static void wpv_window_finalize(GObject *object)
{
	WpvWindow *window = WPV_WINDOW(object);

	g_object_unref(window->tasks);
	g_object_unref(window->session);
	wpv_settings_clear(&window->settings);
	G_OBJECT_CLASS(wpv_window_parent_class)->finalize(object);
}

static void wpv_window_class_init(WpvWindowClass *klass)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
	static const struct {
		const gchar *name;
		gssize offset;
	} children[] = {
#define CHILD(name) {#name, G_STRUCT_OFFSET(WpvWindow, name)}
		CHILD(title),          CHILD(task_label),      CHILD(window_label),
		CHILD(clocks_label),   CHILD(sentence),        CHILD(complaint_label),
		CHILD(error_label),    CHILD(loading_title),   CHILD(loading_text),
		CHILD(recent_button),  CHILD(task_button),     CHILD(window_button),
		CHILD(legend_button),  CHILD(clocks_button),   CHILD(menu_button),
		CHILD(search_button),  CHILD(findings_button), CHILD(why_button),
		CHILD(retry_button),   CHILD(pages),           CHILD(tabs),
		CHILD(recent_box),     CHILD(left_box),        CHILD(right_box),
		CHILD(details_box),    CHILD(loading_bar),     CHILD(spinner),
		CHILD(complaint),      CHILD(search_bar),      CHILD(panes),
		CHILD(timeline_pane),  CHILD(bottom_pane),     CHILD(overview_label),
		CHILD(ruler_label),    CHILD(band_label),      CHILD(row_menu),
		CHILD(bookmarks_menu),
#undef CHILD
	};

	wpv_register_resource();
	G_OBJECT_CLASS(klass)->dispose = wpv_window_dispose;
	G_OBJECT_CLASS(klass)->finalize = wpv_window_finalize;
	GTK_WINDOW_CLASS(klass)->close_request = wpv_window_close_request;
	gtk_widget_class_set_template_from_resource(widget_class, RESOURCES "wpv-window.ui");
	for (guint i = 0; i < G_N_ELEMENTS(children); i++)
		gtk_widget_class_bind_template_child_full(widget_class, children[i].name, FALSE,
							  children[i].offset);
}

static void wpv_window_init(WpvWindow *window)
{
	GtkDropTarget *drop = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

	gtk_widget_init_template(GTK_WIDGET(window));
	window->session = wpv_session_new();
	window->tasks = wpv_task_list_new();
	window->search = wpv_search_new(window->session);
	window->monitor = wpv_scheme_monitor_new();
	wpv_settings_init(&window->settings);
	add_timeline(window);
	add_panes(window);
	add_popovers(window);
	wpv_window_add_actions(window);
	g_signal_connect(drop, "drop", G_CALLBACK(on_drop), window);
	gtk_widget_add_controller(GTK_WIDGET(window), GTK_EVENT_CONTROLLER(drop));
	g_signal_connect(window->sentence, "activate-link", G_CALLBACK(on_link), window);
	g_signal_connect_swapped(window->complaint, "response", G_CALLBACK(on_complaint_closed),
				 window);
	g_signal_connect_object(window->session, "changed", G_CALLBACK(on_changed), window,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(window->session, "failed", G_CALLBACK(on_failed), window,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(window->tasks, "ready", G_CALLBACK(guess_task), window,
				G_CONNECT_SWAPPED);
	g_signal_connect_object(window->monitor, "changed", G_CALLBACK(wpv_window_update_scheme),
				window, G_CONNECT_SWAPPED);
	g_signal_connect_object(gtk_widget_get_settings(GTK_WIDGET(window)),
				"notify::gtk-enable-animations", G_CALLBACK(update_motion), window,
				G_CONNECT_SWAPPED);
	g_signal_connect(window, "map", G_CALLBACK(on_mapped), NULL);
	update_motion(window);
}

WpvWindow *wpv_window_new(GtkApplication *application, gboolean keep_state)
{
	WpvWindow *window = g_object_new(WPV_TYPE_WINDOW, "application", application, NULL);
	g_autofree gchar *path = wpv_state_dup_settings_path();

	window->keep_state = keep_state;
	if (keep_state) {
		wpv_state_load_settings(&window->settings, window->session, path);
		gtk_window_set_default_size(GTK_WINDOW(window), window->settings.width,
					    window->settings.height);
		if (window->settings.maximized)
			gtk_window_maximize(GTK_WINDOW(window));
	}
	wpv_window_update_scheme(window);
	fill_recent(window);
	wpv_window_update_badges(window);
	wpv_window_update_answer(window);
	wpv_window_update_actions(window, WPV_CHANGED_ALL);
	return window;
}

WpvSession *wpv_window_get_session(WpvWindow *window)
{
	return window->session;
}

WpvCanvas *wpv_window_get_canvas(WpvWindow *window)
{
	return WPV_CANVAS(window->canvas);
}

WpvSegmentsPane *wpv_window_get_segments(WpvWindow *window)
{
	return WPV_SEGMENTS_PANE(window->segments);
}

WpvBreakdownPane *wpv_window_get_breakdown(WpvWindow *window)
{
	return WPV_BREAKDOWN_PANE(window->breakdown);
}

WpvFlameView *wpv_window_get_flame(WpvWindow *window)
{
	return WPV_FLAME_VIEW(window->flame);
}

WpvRequestsPane *wpv_window_get_requests(WpvWindow *window)
{
	return WPV_REQUESTS_PANE(window->requests);
}

GtkWidget *wpv_window_get_part(WpvWindow *window, const gchar *name)
{
	const struct {
		const gchar *name;
		GtkWidget *widget;
	} parts[] = {{"band", window->band},           {"overview", window->overview},
		     {"ruler", window->ruler},         {"header", window->header},
		     {"filter", window->filter_entry}, {"status", GTK_WIDGET(window->status)},
		     {"details", window->details}};

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		if (g_str_equal(parts[i].name, name))
			return parts[i].widget;
	return GTK_WIDGET(gtk_widget_get_template_child(GTK_WIDGET(window), WPV_TYPE_WINDOW, name));
}
