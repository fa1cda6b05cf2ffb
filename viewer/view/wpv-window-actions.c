/* SPDX-License-Identifier: MIT */
/*
 * wpv-window-actions.c: everything that a key, a button or a menu of the window does, as
 * actions of the group "win". Those with a state keep it equal to the session's.
 */
#include "config.h"

#include "export/units.h"
#include "viewer/view/wpv-export.h"
#include "viewer/view/wpv-ruler.h"
#include "viewer/view/wpv-window-private.h"

#define ZOOM_STEP 2.0
#define BOOKMARK_REACH 6 /* pixels: nearer to one it is that one */
#define ROW_TEXT_MAX 100000u /* lines of a row that are copied */

typedef struct {
	GSimpleAction *action;
	GVariant *parameter; /* NULL */
	WpvWindow *window;
} Call;

/* ---- opening ---- */

static void on_chosen(GtkNativeDialog *dialog, gint response, WpvWindow *window)
{
	g_autoptr(GtkFileChooserNative) chooser = g_steal_pointer(&window->chooser);
	g_autoptr(GListModel) files = NULL;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) paths = NULL;

	if (response != GTK_RESPONSE_ACCEPT)
		return;
	files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(chooser));
	for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
		g_autoptr(GFile) file = g_list_model_get_item(files, i);
		g_autofree gchar *path = g_file_get_path(file);

		if (path)
			g_strv_builder_add(builder, path);
	}
	paths = g_strv_builder_end(builder);
	if (*paths)
		wpv_window_open(window, (const gchar *const *)paths);
}

static void choose(WpvWindow *window, GtkFileChooserAction action, const gchar *title,
		   GCallback callback, const gchar *name)
{
	if (window->chooser)
		return;
	window->chooser = gtk_file_chooser_native_new(
		title, GTK_WINDOW(window), action,
		action == GTK_FILE_CHOOSER_ACTION_SAVE ? "_Save" : "_Open", "_Cancel");
	if (name)
		gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(window->chooser), name);
	else
		gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(window->chooser), TRUE);
	gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(window->chooser), TRUE);
	g_signal_connect(window->chooser, "response", callback, window);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(window->chooser));
}

static void open_files(const Call *call)
{
	choose(call->window, GTK_FILE_CHOOSER_ACTION_OPEN, "Open a Saved Graph or trace.dat",
	       G_CALLBACK(on_chosen), NULL);
}

static void open_folder(const Call *call)
{
	choose(call->window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "Open Folders of Traces",
	       G_CALLBACK(on_chosen), NULL);
}

static void open_recent(const Call *call)
{
	const GPtrArray *recent = call->window->settings.recent;
	guint i = (guint)g_variant_get_int32(call->parameter);

	if (i < recent->len)
		wpv_window_open(call->window, g_ptr_array_index(recent, i));
}

static void reload(const Call *call)
{
	WpvWindow *window = call->window;
	g_autoptr(WpvLoader) again = NULL;

	if (!window->loader)
		return;
	wpv_window_save_view(window);
	again = wpv_loader_new_again(window->loader);
	wpv_window_load(window, again);
}

static void cancel_loading(const Call *call)
{
	WpvWindow *window = call->window;

	if (!window->loading)
		return;
	g_cancellable_cancel(window->loading);
	g_clear_object(&window->loading);
	gtk_stack_set_visible_child_name(
		window->pages, wpv_session_get_document(window->session) ? "view" : "welcome");
}

/* ---- time ---- */

static void zoom(const Call *call)
{
	WpvSession *session = call->window->session;
	const WpvItem *item = wpv_session_get_item(session);
	WpTime begin, end, centre = wpv_session_get_cursor(session);

	/* At the selection: a range, a segment, or where the last click was. */
	if (wpv_session_get_selection(session, &begin, &end))
		centre = begin + (end - begin) / 2;
	else if (!wpv_row_key_is_none(item->row))
		centre = item->begin + (item->end - item->begin) / 2;
	wpv_session_zoom(session,
			 g_variant_get_int32(call->parameter) > 0 ? 1 / ZOOM_STEP : ZOOM_STEP,
			 centre, WPV_STEP_ALONE);
}

static void zoom_selection(const Call *call)
{
	wpv_session_show_selection(call->window->session);
}

static void zoom_item(const Call *call)
{
	const WpvItem *item = wpv_session_get_item(call->window->session);
	WpTime room = (item->end - item->begin) / 20;

	if (!wpv_row_key_is_none(item->row) && item->begin < item->end)
		wpv_session_show(call->window->session, item->begin - room, item->end + room,
				 WPV_STEP_ALONE);
}

static void zoom_back(const Call *call)
{
	wpv_session_zoom_back(call->window->session);
}

static void show_all(const Call *call)
{
	wpv_session_show_all(call->window->session);
}

static void show_path(const Call *call)
{
	wpv_session_show_path(call->window->session);
}

static void undo(const Call *call)
{
	wpv_session_undo(call->window->session);
}

static void redo(const Call *call)
{
	wpv_session_redo(call->window->session);
}

static void step_selection(const Call *call)
{
	wpv_session_step_selection(call->window->session, g_variant_get_int32(call->parameter));
}

static void select_item_time(const Call *call)
{
	const WpvItem *item = wpv_session_get_item(call->window->session);

	if (!wpv_row_key_is_none(item->row))
		wpv_session_set_selection(call->window->session, item->begin, item->end);
}

static void scroll_page(const Call *call)
{
	GtkAdjustment *adjustment;

	g_object_get(call->window->canvas, "vadjustment", &adjustment, NULL);
	gtk_adjustment_set_value(adjustment,
				 gtk_adjustment_get_value(adjustment) +
					 g_variant_get_int32(call->parameter) *
						 gtk_adjustment_get_page_increment(adjustment));
	g_object_unref(adjustment);
}

static void row_height(const Call *call)
{
	gint by = g_variant_get_int32(call->parameter);
	WpvSession *session = call->window->session;

	wpv_session_set_row_height(session, by ? wpv_session_get_row_height(session) + by
					       : WPV_ROW_HEIGHT_DEFAULT);
}

/* ---- segments and the path ---- */

static void step_segment(const Call *call)
{
	wpv_session_step_segment(call->window->session, g_variant_get_int32(call->parameter));
}

static void step_row(const Call *call)
{
	wpv_session_step_row(call->window->session, g_variant_get_int32(call->parameter));
}

/* Counted from the last when negative. */
static void select_row(const Call *call)
{
	WpvSession *session = call->window->session;
	gint place = g_variant_get_int32(call->parameter);
	guint n = wpv_row_list_get_n(wpv_session_get_rows(session));

	if (n)
		wpv_session_select_row(session, place < 0 ? n - 1 : (guint)place);
}

static void toggle_row(const Call *call)
{
	WpvSession *session = call->window->session;
	WpvRowList *rows = wpv_session_get_rows(session);
	guint32 place = wpv_row_list_find(rows, wpv_session_get_item(session)->row);

	if (wpv_row_key_is_none(wpv_session_get_item(session)->row) || place == WP_NONE)
		return;
	wpv_row_list_set_expanded(rows, wpv_session_get_item(session)->row,
				  !wpv_row_list_get(rows, place)->expanded);
}

static void expand_all(const Call *call)
{
	wpv_row_list_expand_all(wpv_session_get_rows(call->window->session));
}

static void pin_row(const Call *call)
{
	WpvRowList *rows = wpv_session_get_rows(call->window->session);
	WpvRowKey row = wpv_session_get_item(call->window->session)->row;

	if (!wpv_row_key_is_none(row))
		wpv_row_list_set_pinned(rows, row, !wpv_row_list_is_pinned(rows, row));
}

static void step_path(const Call *call)
{
	wpv_session_step_path(call->window->session, g_variant_get_int32(call->parameter));
}

static void follow_arrow(const Call *call)
{
	wpv_session_follow_arrow(call->window->session, g_variant_get_int32(call->parameter));
}

static void follow_task(const Call *call)
{
	call->window->guessed = FALSE;
	wpv_session_follow_row(call->window->session,
			       wpv_session_get_item(call->window->session)->row);
}

static void select_none(const Call *call)
{
	wpv_session_set_selection(call->window->session, 0, 0);
	wpv_session_select_none(call->window->session);
}

/* The longest piece on that task on which the path was longest, the task asked for excepted. */
static void why(const Call *call)
{
	WpvAnswer *answer = wpv_session_get_answer(call->window->session);
	const WpTotals *totals = answer ? wpv_answer_get_totals(answer) : NULL;
	const WpTaskTotal *most;
	guint32 longest = WP_NONE;
	WpTime length = 0;

	if (!totals || totals->tasks->len == 0)
		return;
	most = &g_array_index(totals->tasks, WpTaskTotal, 0);
	for (guint i = 1; i < totals->tasks->len; i++) {
		const WpTaskTotal *total = &g_array_index(totals->tasks, WpTaskTotal, i);

		if (wp_task_total_compare(total, most) < 0)
			most = total;
	}
	for (guint i = 0; i < wpv_answer_get_n_segments(answer); i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);

		if (segment->host != most->host || segment->task != most->task ||
		    segment->end - segment->begin <= length)
			continue;
		longest = i;
		length = segment->end - segment->begin;
	}
	if (longest != WP_NONE)
		wpv_session_select_piece(call->window->session, longest);
}

/* Asks for the same task over another window. */
static void ask_over(WpvWindow *window, WpTime begin, WpTime end)
{
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	WpvQuestion question;

	if (!answer)
		return;
	question = *wpv_answer_get_question(answer);
	question.begin = begin;
	question.end = end;
	wpv_session_ask(window->session, &question);
}

static void over_life(const Call *call)
{
	WpvAnswer *answer = wpv_session_get_answer(call->window->session);
	const WpvQuestion *question;
	WpvQuestion life;

	if (!answer)
		return;
	question = wpv_answer_get_question(answer);
	life = wpv_document_get_life(wpv_session_get_document(call->window->session),
				     wpv_row_key_thread(question->host, question->task));
	ask_over(call->window, life.begin, life.end);
}

static void over_selection(const Call *call)
{
	WpTime begin, end;

	if (wpv_session_get_selection(call->window->session, &begin, &end))
		ask_over(call->window, begin, end);
}

static void over_visible(const Call *call)
{
	WpTime begin, end;

	wpv_session_get_target(call->window->session, &begin, &end);
	ask_over(call->window, begin, end);
}

/* ---- marks ---- */

static void set_marker(const Call *call)
{
	wpv_session_set_marker(call->window->session, g_variant_get_int32(call->parameter) ? 1 : 0,
			       wpv_canvas_get_pointer_time(WPV_CANVAS(call->window->canvas)));
}

static void clear_markers(const Call *call)
{
	wpv_session_clear_markers(call->window->session);
}

/* The bookmark that is there already is named anew, or goes when its name is wiped out. */
static void on_bookmark_named(GtkEntry *entry, GtkWidget *popover)
{
	WpvSession *session = g_object_get_data(G_OBJECT(popover), "session");
	const gint64 *time = g_object_get_data(G_OBJECT(popover), "time");
	const gchar *name = gtk_editable_get_text(GTK_EDITABLE(entry));
	guint32 old = wpv_session_find_bookmark(session, *time, 0);

	if (old != WP_NONE)
		wpv_session_remove_bookmark(session, old);
	if (*name || old == WP_NONE)
		wpv_session_add_bookmark(session, *time, name);
	gtk_popover_popdown(GTK_POPOVER(popover));
}

/* The popover lives as long as it is open. */
static void on_bookmark_closed(GtkWidget *popover)
{
	gtk_widget_unparent(popover);
}

static void bookmark(const Call *call)
{
	WpvWindow *window = call->window;
	GtkWidget *popover = gtk_popover_new(), *entry = gtk_entry_new();
	WpTime time = wpv_canvas_get_pointer_time(WPV_CANVAS(window->canvas));
	WpvViewport viewport;
	guint32 old;

	wpv_canvas_get_viewport(WPV_CANVAS(window->canvas), &viewport);
	old = wpv_session_find_bookmark(window->session, time,
					(WpTime)((gdouble)(viewport.end - viewport.begin) *
						 BOOKMARK_REACH / viewport.width));
	g_object_set(entry, "placeholder-text", "Name of the bookmark", NULL);
	if (old != WP_NONE) {
		const WpvBookmark *bookmark = &g_array_index(
			wpv_session_get_bookmarks(window->session), WpvBookmark, old);

		time = bookmark->time;
		gtk_editable_set_text(GTK_EDITABLE(entry), bookmark->name);
	}
	gtk_popover_set_child(GTK_POPOVER(popover), entry);
	gtk_widget_set_parent(popover, window->ruler);
	gtk_popover_set_pointing_to(
		GTK_POPOVER(popover),
		&(GdkRectangle){(gint)CLAMP(wpv_viewport_x(&viewport, time), 0, viewport.width), 12,
				1, 1});
	g_object_set_data(G_OBJECT(popover), "session", window->session);
	g_object_set_data_full(G_OBJECT(popover), "time", g_memdup2(&time, sizeof(time)), g_free);
	g_signal_connect(entry, "activate", G_CALLBACK(on_bookmark_named), popover);
	g_signal_connect_after(popover, "closed", G_CALLBACK(on_bookmark_closed), NULL);
	gtk_popover_popup(GTK_POPOVER(popover));
	gtk_widget_grab_focus(entry);
}

static void go_to_bookmark(const Call *call)
{
	WpvSession *session = call->window->session;
	const GArray *bookmarks = wpv_session_get_bookmarks(session);
	guint i = (guint)g_variant_get_int32(call->parameter);
	WpTime begin, end, half, time;

	if (i >= bookmarks->len)
		return;
	wpv_session_get_target(session, &begin, &end);
	half = (end - begin) / 2;
	time = g_array_index(bookmarks, WpvBookmark, i).time;
	wpv_session_set_cursor(session, time);
	wpv_session_show(session, time - half, time + half, WPV_STEP_ALONE);
}

/* ---- panes ---- */

static void search(const Call *call)
{
	gtk_search_bar_set_search_mode(call->window->search_bar, TRUE);
}

static void show_pane(const Call *call)
{
	gtk_stack_set_visible_child_name(call->window->tabs,
					 g_variant_get_string(call->parameter, NULL));
}

/* Between the timeline and its equivalent, the table of segments. */
static void table(const Call *call)
{
	WpvWindow *window = call->window;

	if (!gtk_widget_has_focus(window->canvas)) {
		gtk_widget_grab_focus(window->canvas);
		return;
	}
	gtk_stack_set_visible_child_name(window->tabs, "segments");
	wpv_segments_pane_focus(WPV_SEGMENTS_PANE(window->segments));
}

static void row_segments(const Call *call)
{
	gtk_stack_set_visible_child_name(call->window->tabs, "segments");
	wpv_segments_pane_set_row(WPV_SEGMENTS_PANE(call->window->segments), TRUE);
}

/* The details follow the item anyway: the focus goes there. */
static void show_details(const Call *call)
{
	gtk_widget_child_focus(GTK_WIDGET(call->window->details_box), GTK_DIR_TAB_FORWARD);
}

/* ---- copying and exporting ---- */

static void copy(WpvWindow *window, const gchar *text)
{
	gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(window)), text);
}

static void copy_answer(const Call *call)
{
	WpvAnswer *answer = wpv_session_get_answer(call->window->session);

	if (answer)
		copy(call->window, wpv_answer_get_sentence(answer));
}

/* As the command line takes it. */
static void copy_time(const Call *call)
{
	WpTime time = wpv_session_get_cursor(call->window->session);
	g_autofree gchar *text = g_strdup_printf("%" G_GINT64_FORMAT, time);

	copy(call->window, text);
}

static void copy_row(const Call *call)
{
	WpvSession *session = call->window->session;
	WpvRowKey row = wpv_session_get_item(session)->row;
	g_autoptr(WpvSegmentList) list = NULL;
	g_autofree gchar *text = NULL;
	WpTime begin, end;

	if (wpv_row_key_is_none(row))
		return;
	if (!wpv_session_get_selection(session, &begin, &end))
		wpv_session_get_target(session, &begin, &end);
	list = wpv_segment_list_new();
	wpv_segment_list_set(list, wpv_session_get_document(session),
			     wpv_session_get_answer(session), row, begin, end);
	text = wpv_segment_list_dup_text(list, ROW_TEXT_MAX);
	copy(call->window, text);
}

static void on_export(GtkNativeDialog *dialog, gint response, WpvWindow *window)
{
	g_autoptr(GtkFileChooserNative) chooser = g_steal_pointer(&window->chooser);
	gboolean svg = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(chooser), "svg"));
	g_autoptr(GFile) file = NULL;
	g_autofree gchar *path = NULL;
	g_autoptr(GError) error = NULL;
	const GdkRGBA *background = wpv_colour(wpv_session_get_style(window->session),
					       WPV_COLOUR_BACKGROUND);

	if (response != GTK_RESPONSE_ACCEPT)
		return;
	file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(chooser));
	path = file ? g_file_get_path(file) : NULL;
	if (!path)
		return;
	if (svg)
		wpv_export_svg(GTK_WIDGET(window->timeline_pane), background, path, &error);
	else
		wpv_export_png(GTK_WIDGET(window->timeline_pane), background, path, &error);
	if (error)
		wpv_window_complain(window, error->message);
}

static void export_png(const Call *call)
{
	choose(call->window, GTK_FILE_CHOOSER_ACTION_SAVE, "Export as PNG", G_CALLBACK(on_export),
	       "timeline.png");
}

static void export_svg(const Call *call)
{
	choose(call->window, GTK_FILE_CHOOSER_ACTION_SAVE, "Export as SVG", G_CALLBACK(on_export),
	       "timeline.svg");
	if (call->window->chooser)
		g_object_set_data(G_OBJECT(call->window->chooser), "svg", GINT_TO_POINTER(TRUE));
}

static void about(const Call *call)
{
	gtk_show_about_dialog(GTK_WINDOW(call->window), "program-name", "Waitpath", "version",
			      PACKAGE_VERSION, "logo-icon-name", "org.waitpath.Viewer", "comments",
			      "Shows what a task waited for, across hosts.", "license-type",
			      GTK_LICENSE_MIT_X11, NULL);
}

/* ---- actions with a state ---- */

static gboolean *filter_flag(WpvRowFilter *filter, const gchar *name)
{
	const struct {
		const gchar *name;
		gboolean *flag;
	} flags[] = {{"all-tasks", &filter->all_tasks},
		     {"kernel", &filter->kernel},
		     {"cpus", &filter->cpus},
		     {"interrupts", &filter->interrupts},
		     {"hide-empty", &filter->hide_empty},
		     {"only-active", &filter->only_active}};

	for (guint i = 0; i < G_N_ELEMENTS(flags); i++)
		if (g_str_equal(flags[i].name, name))
			return flags[i].flag;
	return NULL;
}

static void toggle_filter(const Call *call)
{
	WpvRowFilter filter = {0};
	gboolean *flag;

	wpv_row_filter_copy(&filter, wpv_session_get_filter(call->window->session));
	flag = filter_flag(&filter, g_action_get_name(G_ACTION(call->action)));
	*flag = !*flag;
	wpv_session_set_filter(call->window->session, &filter);
	wpv_row_filter_clear(&filter);
}

static void set_sort(const Call *call)
{
	WpvSort sort = wpv_sort_from_key(g_variant_get_string(call->parameter, NULL));
	WpvRowFilter filter = {0};

	if (sort == WPV_SORT_N)
		return;
	wpv_row_filter_copy(&filter, wpv_session_get_filter(call->window->session));
	filter.sort = sort;
	wpv_session_set_filter(call->window->session, &filter);
	wpv_row_filter_clear(&filter);
}

static const gchar *const arrow_keys[] = {"none", "path", "all", NULL};

static void set_arrows(const Call *call)
{
	const gchar *key = g_variant_get_string(call->parameter, NULL);

	for (guint i = 0; arrow_keys[i]; i++)
		if (g_str_equal(arrow_keys[i], key))
			wpv_session_set_arrows(call->window->session, i);
}

static void set_scheme(const Call *call)
{
	const gchar *key = g_variant_get_string(call->parameter, NULL);

	for (WpvScheme scheme = 0; scheme < WPV_SCHEME_N; scheme++)
		if (g_str_equal(wpv_scheme_key(scheme), key))
			wpv_window_set_scheme(call->window, scheme);
	g_simple_action_set_state(
		call->action, g_variant_new_string(wpv_scheme_key(call->window->settings.scheme)));
}

static void set_mode(const Call *call)
{
	WpvAnswer *answer = wpv_session_get_answer(call->window->session);
	WpvQuestion question;

	if (!answer)
		return;
	question = *wpv_answer_get_question(answer);
	question.mode = g_str_equal(g_variant_get_string(call->parameter, NULL), "causal")
				? WP_PATH_CAUSAL
				: WP_PATH_ACTIVE;
	wpv_session_ask(call->window->session, &question);
}

static void toggle_highlight(const Call *call)
{
	wpv_session_set_highlight(call->window->session,
				  !wpv_session_get_highlight(call->window->session));
}

static void toggle_absolute(const Call *call)
{
	WpvRuler *ruler = WPV_RULER(call->window->ruler);

	wpv_ruler_set_absolute(ruler, !wpv_ruler_get_absolute(ruler));
	g_simple_action_set_state(call->action,
				  g_variant_new_boolean(wpv_ruler_get_absolute(ruler)));
}

static void toggle_fullscreen(const Call *call)
{
	gboolean full = !gtk_window_is_fullscreen(GTK_WINDOW(call->window));

	if (full)
		gtk_window_fullscreen(GTK_WINDOW(call->window));
	else
		gtk_window_unfullscreen(GTK_WINDOW(call->window));
	g_simple_action_set_state(call->action, g_variant_new_boolean(full));
}

/* Off, and on again with those of the path. */
static void toggle_arrows(const Call *call)
{
	WpvSession *session = call->window->session;

	wpv_session_set_arrows(session, wpv_session_get_arrows(session) == WPV_ARROWS_NONE
						? WPV_ARROWS_PATH
						: WPV_ARROWS_NONE);
}

/* ---- the table ---- */

typedef struct {
	const gchar *name;
	void (*func)(const Call *call);
	const gchar *parameter; /* type, NULL */
	const gchar *state; /* at first, NULL: none */
} Action;

static const Action actions[] = {
	{"open", open_files, NULL, NULL},
	{"open-folder", open_folder, NULL, NULL},
	{"open-recent", open_recent, "i", NULL},
	{"reload", reload, NULL, NULL},
	{"cancel", cancel_loading, NULL, NULL},
	{"zoom", zoom, "i", NULL},
	{"zoom-selection", zoom_selection, NULL, NULL},
	{"zoom-item", zoom_item, NULL, NULL},
	{"zoom-back", zoom_back, NULL, NULL},
	{"show-all", show_all, NULL, NULL},
	{"show-path", show_path, NULL, NULL},
	{"undo", undo, NULL, NULL},
	{"redo", redo, NULL, NULL},
	{"step-selection", step_selection, "i", NULL},
	{"select-item-time", select_item_time, NULL, NULL},
	{"scroll-page", scroll_page, "i", NULL},
	{"row-height", row_height, "i", NULL},
	{"step-segment", step_segment, "i", NULL},
	{"step-row", step_row, "i", NULL},
	{"select-row", select_row, "i", NULL},
	{"toggle-row", toggle_row, NULL, NULL},
	{"expand-all", expand_all, NULL, NULL},
	{"pin-row", pin_row, NULL, NULL},
	{"step-path", step_path, "i", NULL},
	{"follow-arrow", follow_arrow, "i", NULL},
	{"follow-task", follow_task, NULL, NULL},
	{"select-none", select_none, NULL, NULL},
	{"why", why, NULL, NULL},
	{"over-life", over_life, NULL, NULL},
	{"over-selection", over_selection, NULL, NULL},
	{"over-visible", over_visible, NULL, NULL},
	{"set-marker", set_marker, "i", NULL},
	{"clear-markers", clear_markers, NULL, NULL},
	{"bookmark", bookmark, NULL, NULL},
	{"go-to-bookmark", go_to_bookmark, "i", NULL},
	{"search", search, NULL, NULL},
	{"show-pane", show_pane, "s", NULL},
	{"table", table, NULL, NULL},
	{"row-segments", row_segments, NULL, NULL},
	{"show-details", show_details, NULL, NULL},
	{"copy-answer", copy_answer, NULL, NULL},
	{"copy-time", copy_time, NULL, NULL},
	{"copy-row", copy_row, NULL, NULL},
	{"export-png", export_png, NULL, NULL},
	{"export-svg", export_svg, NULL, NULL},
	{"about", about, NULL, NULL},
	{"all-tasks", toggle_filter, NULL, "false"},
	{"kernel", toggle_filter, NULL, "false"},
	{"cpus", toggle_filter, NULL, "false"},
	{"interrupts", toggle_filter, NULL, "false"},
	{"hide-empty", toggle_filter, NULL, "false"},
	{"only-active", toggle_filter, NULL, "false"},
	{"sort", set_sort, "s", "'share'"},
	{"arrows", set_arrows, "s", "'path'"},
	{"toggle-arrows", toggle_arrows, NULL, "true"},
	{"scheme", set_scheme, "s", "'system'"},
	{"mode", set_mode, "s", "'active'"},
	{"highlight", toggle_highlight, NULL, "true"},
	{"absolute", toggle_absolute, NULL, "false"},
	{"fullscreen", toggle_fullscreen, NULL, "false"},
};

static void on_activate(GSimpleAction *action, GVariant *parameter, gpointer data)
{
	const Action *row = g_object_get_data(G_OBJECT(action), "row");
	Call call = {action, parameter, data};

	row->func(&call);
}

void wpv_window_add_actions(WpvWindow *window)
{
	for (guint i = 0; i < G_N_ELEMENTS(actions); i++) {
		g_autoptr(GSimpleAction) action = NULL;
		const GVariantType *type = actions[i].parameter
						   ? G_VARIANT_TYPE(actions[i].parameter)
						   : NULL;

		if (actions[i].state)
			action = g_simple_action_new_stateful(
				actions[i].name, type, g_variant_new_parsed(actions[i].state));
		else
			action = g_simple_action_new(actions[i].name, type);
		g_object_set_data(G_OBJECT(action), "row", (gpointer)&actions[i]);
		g_signal_connect(action, "activate", G_CALLBACK(on_activate), window);
		g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(action));
	}
}

/* ---- states ---- */

static GSimpleAction *find(WpvWindow *window, const gchar *name)
{
	return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(window), name));
}

static void set_flag(WpvWindow *window, const gchar *name, gboolean value)
{
	g_simple_action_set_state(find(window, name), g_variant_new_boolean(value));
}

static void set_text(WpvWindow *window, const gchar *name, const gchar *value)
{
	g_simple_action_set_state(find(window, name), g_variant_new_string(value));
}

static void enable(WpvWindow *window, const gchar *const *names, gboolean enabled)
{
	for (; *names; names++)
		g_simple_action_set_enabled(find(window, *names), enabled);
}

static void update_filter(WpvWindow *window)
{
	static const gchar *const flags[] = {"all-tasks",  "kernel",     "cpus",
					     "interrupts", "hide-empty", "only-active"};
	WpvRowFilter filter = *wpv_session_get_filter(window->session);
	const gchar *text = filter.text ? filter.text : "";

	for (guint i = 0; i < G_N_ELEMENTS(flags); i++)
		set_flag(window, flags[i], *filter_flag(&filter, flags[i]));
	set_text(window, "sort", wpv_sort_key(filter.sort));
	if (!g_str_equal(gtk_editable_get_text(GTK_EDITABLE(window->filter_entry)), text))
		gtk_editable_set_text(GTK_EDITABLE(window->filter_entry), text);
}

/* The menu of bookmarks: each leads to its time. */
static void fill_bookmarks(WpvWindow *window)
{
	const GArray *bookmarks = wpv_session_get_bookmarks(window->session);
	GMenu *menu = G_MENU(window->bookmarks_menu);
	WpTime origin = wpv_session_get_origin(window->session);

	g_menu_remove_all(menu);
	for (guint i = 0; i < bookmarks->len; i++) {
		const WpvBookmark *bookmark = &g_array_index(bookmarks, WpvBookmark, i);
		WpText text;
		g_autofree gchar *action = g_strdup_printf("win.go-to-bookmark(%u)", i);
		g_autofree gchar *label = g_strdup_printf(
			"%s%s%s s", bookmark->name, *bookmark->name ? "  " : "",
			wp_offset_text(&text, bookmark->time - origin));
		/* Not a key: an underscore in a name is one. */
		g_auto(GStrv) parts = g_strsplit(label, "_", -1);
		g_autofree gchar *plain = g_strjoinv("__", parts);

		g_menu_append(menu, plain, action);
	}
}

void wpv_window_update_actions(WpvWindow *window, guint what)
{
	static const gchar *const of_answer[] = {"why",          "copy-answer", "over-life",
						 "over-visible", "show-path",   "step-path",
						 "mode",         NULL};
	static const gchar *const of_selection[] = {"zoom-selection", "over-selection", NULL};
	static const gchar *const of_item[] = {
		"follow-task",      "follow-arrow", "pin-row",      "copy-row",
		"select-item-time", "zoom-item",    "row-segments", NULL};
	static const gchar *const of_undo[] = {"undo", "zoom-back", NULL};
	static const gchar *const of_redo[] = {"redo", NULL};
	static const gchar *const of_loader[] = {"reload", NULL};
	static const gchar *const of_document[] = {"bookmark", "set-marker", "export-png",
						   "export-svg", NULL};
	WpvAnswer *answer = wpv_session_get_answer(window->session);
	WpTime begin, end;

	if (what & WPV_CHANGED_FILTER)
		update_filter(window);
	if (what & WPV_CHANGED_ARROWS) {
		set_text(window, "arrows", arrow_keys[wpv_session_get_arrows(window->session)]);
		set_flag(window, "toggle-arrows",
			 wpv_session_get_arrows(window->session) != WPV_ARROWS_NONE);
	}
	if (what & WPV_CHANGED_STYLE) {
		set_flag(window, "highlight", wpv_session_get_highlight(window->session));
		set_text(window, "scheme", wpv_scheme_key(window->settings.scheme));
	}
	if (what & WPV_CHANGED_ANSWER && answer)
		set_text(window, "mode",
			 wpv_answer_get_question(answer)->mode == WP_PATH_CAUSAL ? "causal"
										 : "active");
	enable(window, of_answer, answer != NULL);
	enable(window, of_selection, wpv_session_get_selection(window->session, &begin, &end));
	enable(window, of_item, !wpv_row_key_is_none(wpv_session_get_item(window->session)->row));
	enable(window, of_undo, wpv_session_can_undo(window->session));
	enable(window, of_redo, wpv_session_can_redo(window->session));
	enable(window, of_loader, window->loader != NULL);
	enable(window, of_document, wpv_session_get_document(window->session) != NULL);
	if (what & WPV_CHANGED_MARKS)
		fill_bookmarks(window);
}
