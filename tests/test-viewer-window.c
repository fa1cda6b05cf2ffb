/* SPDX-License-Identifier: MIT */
/*
 * test-viewer-window.c: what is drawn, as render nodes; what assistive techniques are told;
 * opening and failing to open; and three recorded hosts from their traces to the screen.
 *
 * UPDATE=1 in the environment rewrites the goldens, which are then to be read.
 */
#include "config.h"

#include <string.h>

#include <unistd.h>

#include <glib/gstdio.h>

#include "graph/file.h"
#include "tests/lib/sample-graph.h"
#include "tests/lib/viewer-driver.h"
#include "viewer/view/wpv-details.h"
#include "viewer/view/wpv-export.h"
#include "viewer/view/wpv-painter.h"
#include "viewer/view/wpv-ruler.h"

#define MS SAMPLE_MS
#define AT(ms) SAMPLE_AT(ms)

/* ---- render nodes: no display is needed for them ---- */

static void graph_free(gpointer graph)
{
	wp_graph_free(graph);
}

static WpvSession *session_new(WpGraph *graph, guint32 host, WpId task)
{
	g_autoptr(WpvDocument) document = wpv_document_new("sample", graph, graph->findings, NULL,
							   graph, graph_free);
	WpvQuestion question = {host, task, WP_TIME_MIN, WP_TIME_MAX, WP_PATH_ACTIVE};
	g_autoptr(WpvAnswer) answer = wpv_answer_new(document, &question, NULL, NULL);
	WpvSession *session = wpv_session_new();

	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	return session;
}

static gchar *node_text(GskRenderNode *node)
{
	g_autoptr(GBytes) bytes = gsk_render_node_serialize(node);

	return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

static gchar *rows_text(WpvSession *session, const WpvViewport *viewport)
{
	g_autoptr(WpvPainter) painter = wpv_painter_new(session);
	GtkSnapshot *snapshot = gtk_snapshot_new();
	GskRenderNode *node;
	gchar *text;

	g_assert_true(wpv_painter_rows(painter, snapshot, viewport, WP_NONE));
	node = gtk_snapshot_free_to_node(snapshot);
	text = node_text(node);
	gsk_render_node_unref(node);
	return text;
}

static gchar *band_text(WpvSession *session, const WpvViewport *viewport)
{
	g_autoptr(WpvPainter) painter = wpv_painter_new(session);
	GtkSnapshot *snapshot = gtk_snapshot_new();
	GskRenderNode *node;
	gchar *text;

	wpv_painter_band(painter, snapshot, viewport);
	node = gtk_snapshot_free_to_node(snapshot);
	text = node_text(node);
	gsk_render_node_unref(node);
	return text;
}

static void assert_golden(const gchar *text, const gchar *name)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "golden", "viewer", name, NULL);
	g_autofree gchar *expected = NULL;

	if (g_getenv("UPDATE"))
		g_assert_true(g_file_set_contents(path, text, -1, NULL));
	g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
	g_assert_cmpstr(text, ==, expected);
}

/* 10 pixels a millisecond, rows of 24 pixels. Without arrows, which are a picture. */
static const WpvViewport wide = {
	.begin = AT(0), .end = AT(100), .width = 1000, .height = 144, .scale = 1};

static void test_nodes_of_rows(void)
{
	g_autoptr(WpvSession)
		session = session_new(wp_sample_graph_new(), SAMPLE_HOSTA, SAMPLE_CLIENT);
	g_autofree gchar *text = NULL;

	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	text = rows_text(session, &wide);
	assert_golden(text, "rows.node");
}

static void test_nodes_of_marks(void)
{
	g_autoptr(WpvSession)
		session = session_new(wp_sample_graph_new(), SAMPLE_HOSTA, SAMPLE_CLIENT);
	g_autofree gchar *text = NULL;
	WpvRowFilter filter = {.text = (gchar *)"front"};

	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	wpv_session_set_filter(session, &filter);
	wpv_session_set_selection(session, AT(10), AT(20));
	wpv_session_set_marker(session, 0, AT(30));
	wpv_session_set_marker(session, 1, AT(50));
	wpv_session_add_bookmark(session, AT(70), "here");
	wpv_session_select_at(session, wpv_row_key_thread(SAMPLE_HOSTB, 0), AT(85));
	wpv_session_set_dimmed(session, 1u << WP_STATE_NETWORK);
	text = rows_text(session, &wide);
	assert_golden(text, "marks.node");
}

static void test_nodes_of_band(void)
{
	g_autoptr(WpvSession)
		session = session_new(wp_sample_graph_new(), SAMPLE_HOSTA, SAMPLE_CLIENT);
	WpvViewport viewport = wide;
	g_autofree gchar *text = NULL;

	viewport.height = 30;
	text = band_text(session, &viewport);
	assert_golden(text, "band.node");
}

/* What is denser than pixels is one picture with dots below it, whatever its segments. */
static void test_nodes_of_dense_rows(void)
{
	g_autoptr(WpvSession) session = session_new(wp_large_graph_new(3, 30000), 0, 0);
	WpvRowFilter filter = {.all_tasks = TRUE};
	g_autofree gchar *text = NULL;
	WpvViewport viewport = wide;

	wpv_session_set_filter(session, &filter);
	wpv_session_set_highlight(session, FALSE);
	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	wpv_session_get_visible(session, &viewport.begin, &viewport.end);
	text = rows_text(session, &viewport);
	g_assert_nonnull(strstr(text, "texture {"));
	g_assert_nonnull(strstr(text, "repeat {"));
	/* Zoomed in there is neither. */
	viewport.end = viewport.begin + 30000;
	g_free(text);
	text = rows_text(session, &viewport);
	g_assert_null(strstr(text, "texture {"));
	g_assert_null(strstr(text, "repeat {"));
}

/* Within a budget of nothing, what was drawn is shown where it lies now, and then drawn anew. */
static void test_stale_rows(void)
{
	g_autoptr(WpvSession)
		session = session_new(wp_sample_graph_new(), SAMPLE_HOSTA, SAMPLE_CLIENT);
	g_autoptr(WpvPainter) painter = wpv_painter_new(session);
	WpvViewport viewport = wide;
	gboolean complete[3];

	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	for (guint i = 0; i < 3; i++) {
		GtkSnapshot *snapshot = gtk_snapshot_new();
		GskRenderNode *node;
		g_autofree gchar *text = NULL;

		wpv_painter_set_budget(painter, i == 1 ? -1 : 0);
		complete[i] = wpv_painter_rows(painter, snapshot, &viewport, WP_NONE);
		node = gtk_snapshot_free_to_node(snapshot);
		text = node_text(node);
		gsk_render_node_unref(node);
		/* Half of the time: twice as wide. */
		viewport.end = AT(50);
		if (i == 1)
			g_assert_nonnull(strstr(text, "scale(2, 1)"));
		else
			g_assert_null(strstr(text, "scale("));
	}
	g_assert_true(complete[0]);
	g_assert_false(complete[1]);
	g_assert_true(complete[2]);
}

/* A frame at which nothing can be drawn anew; returns its nodes as text. */
static gchar *stale_text(WpvPainter *painter, const WpvViewport *viewport, cairo_t *cr)
{
	GtkSnapshot *snapshot = gtk_snapshot_new();
	GskRenderNode *node;
	gchar *text;

	g_assert_false(wpv_painter_rows(painter, snapshot, viewport, WP_NONE));
	node = gtk_snapshot_free_to_node(snapshot);
	gsk_render_node_draw(node, cr);
	g_assert_cmpint(cairo_status(cr), ==, CAIRO_STATUS_SUCCESS);
	text = node_text(node);
	gsk_render_node_unref(node);
	return text;
}

/* Labels are not stretched, and what would be stretched without measure is left out. */
static void test_stale_labels(void)
{
	g_autoptr(WpvSession)
		session = session_new(wp_sample_graph_new(), SAMPLE_HOSTA, SAMPLE_CLIENT);
	g_autoptr(WpvPainter) painter = wpv_painter_new(session);
	PangoContext *pango = pango_font_map_create_context(pango_cairo_font_map_get_default());
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1000, 144);
	cairo_t *cr = cairo_create(surface);
	GtkSnapshot *snapshot = gtk_snapshot_new();
	g_autofree gchar *fresh = NULL;
	g_autofree gchar *near = NULL;
	g_autofree gchar *far = NULL;
	WpvViewport viewport = wide;
	GskRenderNode *node;

	wpv_session_set_arrows(session, WPV_ARROWS_NONE);
	wpv_painter_set_pango(painter, pango);
	g_assert_true(wpv_painter_rows(painter, snapshot, &viewport, WP_NONE));
	node = gtk_snapshot_free_to_node(snapshot);
	fresh = node_text(node);
	gsk_render_node_unref(node);
	g_assert_nonnull(strstr(fresh, "text {"));
	wpv_painter_set_budget(painter, -1);
	viewport.end = AT(50);
	near = stale_text(painter, &viewport, cr);
	g_assert_nonnull(strstr(near, "scale(2, 1)"));
	g_assert_null(strstr(near, "text {"));
	viewport.end = AT(0) + 1000;
	far = stale_text(painter, &viewport, cr);
	g_assert_null(strstr(far, "scale("));
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	g_object_unref(pango);
}

static void assert_label(WpTime offset, WpTime step, const gchar *expected)
{
	g_autofree gchar *label = wpv_ruler_dup_label(AT(0) + offset, AT(0), step, FALSE);

	g_assert_cmpstr(label, ==, expected);
}

static void test_ruler(void)
{
	g_autofree gchar *clock = wpv_ruler_dup_label(AT(100), 0, 100 * MS, TRUE);
	g_autofree gchar *whole = wpv_ruler_dup_label(AT(1000), 0, WP_NS_PER_S, TRUE);

	g_assert_cmpint(wpv_ruler_step(1), ==, 1);
	g_assert_cmpint(wpv_ruler_step(3), ==, 5);
	g_assert_cmpint(wpv_ruler_step(6), ==, 10);
	g_assert_cmpint(wpv_ruler_step(11), ==, 20);
	g_assert_cmpint(wpv_ruler_step(999999), ==, 1000000);
	assert_label(0, 20 * MS, "0 ms");
	assert_label(40 * MS, 20 * MS, "40 ms");
	assert_label(-40 * MS, 20 * MS, "-40 ms");
	assert_label(1500 * MS, 500 * MS, "1.5 s");
	assert_label(12345680, 20, "12.34568 ms");
	assert_label(700, 100, "700 ns");
	g_assert_cmpstr(clock, ==, "09:00:49.1");
	g_assert_cmpstr(whole, ==, "09:00:50");
}

/* ---- with a display ---- */

static void test_accessible(Driver *driver)
{
	GtkAccessible *canvas = GTK_ACCESSIBLE(driver->canvas);
	GtkWidget *header = wpv_window_get_part(driver->window, "header");
	GtkWidget *client = driver_find(header, "client 183");

	gtk_test_accessible_assert_role(canvas, GTK_ACCESSIBLE_ROLE_GROUP);
	gtk_test_accessible_assert_property(canvas, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
	wpv_session_select_at(driver->session, WPV_ROW_KEY_NONE, AT(50));
	gtk_test_accessible_assert_property(canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
					    "running, 56.0 ms, back 305 on hostc, on the path");
	gtk_test_accessible_assert_role(GTK_ACCESSIBLE(header), GTK_ACCESSIBLE_ROLE_TREE);
	g_assert_nonnull(client);
	GtkAccessible *row = GTK_ACCESSIBLE(gtk_widget_get_parent(client));

	gtk_test_accessible_assert_role(row, GTK_ACCESSIBLE_ROLE_TREE_ITEM);
	gtk_test_accessible_assert_property(row, GTK_ACCESSIBLE_PROPERTY_LABEL, "client 183");
	gtk_test_accessible_assert_property(row, GTK_ACCESSIBLE_PROPERTY_LEVEL, 2);
	GtkAccessible *host = GTK_ACCESSIBLE(gtk_widget_get_parent(driver_find(header, "hosta")));

	gtk_test_accessible_assert_state(host, GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
	/* The band says the answer. */
	gtk_test_accessible_assert_property(
		GTK_ACCESSIBLE(wpv_window_get_part(driver->window, "band")),
		GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
		wpv_answer_get_sentence(wpv_session_get_answer(driver->session)));
}

/* Every button says what it is for, in its label, its tooltip or by its name. */
static void assert_named(GtkWidget *widget)
{
	if (GTK_IS_BUTTON(widget) && gtk_widget_get_mapped(widget) &&
	    gtk_widget_get_can_target(widget)) {
		const gchar *label = gtk_button_get_label(GTK_BUTTON(widget));
		const gchar *tooltip = gtk_widget_get_tooltip_text(widget);
		gboolean named = (label && *label) || tooltip ||
				 gtk_test_accessible_has_property(GTK_ACCESSIBLE(widget),
								  GTK_ACCESSIBLE_PROPERTY_LABEL) ||
				 gtk_test_accessible_has_relation(
					 GTK_ACCESSIBLE(widget),
					 GTK_ACCESSIBLE_RELATION_LABELLED_BY) ||
				 (gtk_button_get_child(GTK_BUTTON(widget)) &&
				  GTK_IS_LABEL(gtk_button_get_child(GTK_BUTTON(widget)))) ||
				 GTK_IS_MENU_BUTTON(gtk_widget_get_parent(widget)) ||
				 GTK_IS_DROP_DOWN(gtk_widget_get_parent(widget)) ||
				 GTK_IS_WINDOW_CONTROLS(gtk_widget_get_parent(widget));

		if (!named)
			g_test_message("without a name: %s in %s", G_OBJECT_TYPE_NAME(widget),
				       G_OBJECT_TYPE_NAME(gtk_widget_get_parent(widget)));
		g_assert_true(named);
	}
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child))
		assert_named(child);
}

static void test_names(Driver *driver)
{
	assert_named(GTK_WIDGET(driver->window));
}

static void collect_keys(GtkWidget *widget, GPtrArray *keys)
{
	if (GTK_IS_SHORTCUTS_SHORTCUT(widget)) {
		g_autofree gchar *text = NULL;
		g_auto(GStrv) parts = NULL;

		g_object_get(widget, "accelerator", &text, NULL);
		parts = g_strsplit(text ? text : "", " ", -1);
		for (gchar **part = parts; *part; part++)
			g_ptr_array_add(keys, g_strdup(*part));
	}
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child))
		collect_keys(child, keys);
}

static gboolean is_same_key(gconstpointer a, gconstpointer b)
{
	GdkModifierType modifiers[2];
	guint keys[2];

	return gtk_accelerator_parse(a, &keys[0], &modifiers[0]) &&
	       gtk_accelerator_parse(b, &keys[1], &modifiers[1]) && keys[0] == keys[1] &&
	       modifiers[0] == modifiers[1];
}

/* The window of keys shows each one that the program has. */
static void test_keys_are_shown(Driver *driver)
{
	GtkApplication *application = GTK_APPLICATION(driver->application);
	g_auto(GStrv) actions = gtk_application_list_action_descriptions(application);
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
	guint n = 0;

	collect_keys(GTK_WIDGET(gtk_application_window_get_help_overlay(
			     GTK_APPLICATION_WINDOW(driver->window))),
		     keys);
	for (gchar **action = actions; *action; action++) {
		g_auto(GStrv) accels = gtk_application_get_accels_for_action(application, *action);

		for (gchar **accel = accels; *accel; accel++, n++)
			if (!g_ptr_array_find_with_equal_func(keys, *accel, is_same_key, NULL))
				g_error("%s, for %s, is not shown", *accel, *action);
	}
	g_assert_cmpuint(n, >, 10);
}

static gchar *temporary(const gchar *name)
{
	g_autofree gchar *folder = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);

	return g_build_filename(folder, name, NULL);
}

static void remove_temporary(const gchar *path)
{
	g_autofree gchar *folder = g_path_get_dirname(path);

	g_unlink(path);
	g_rmdir(folder);
}

static void test_export(Driver *driver)
{
	GtkWidget *pane = wpv_window_get_part(driver->window, "timeline_pane");
	const GdkRGBA white = {1, 1, 1, 1};
	g_autofree gchar *png = temporary("view.png");
	g_autofree gchar *svg = temporary("view.svg");
	g_autofree gchar *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GdkTexture) texture = NULL;

	g_assert_true(wpv_export_png(pane, &white, png, &error));
	texture = gdk_texture_new_from_filename(png, &error);
	g_assert_no_error(error);
	g_assert_cmpint(gdk_texture_get_width(texture), ==, gtk_widget_get_width(pane));
	g_assert_cmpint(gdk_texture_get_height(texture), ==, gtk_widget_get_height(pane));
	g_assert_true(wpv_export_svg(pane, &white, svg, &error));
	g_assert_true(g_file_get_contents(svg, &text, NULL, NULL));
	g_assert_nonnull(strstr(text, "<svg"));
	/* Vectors, and in the colour of running: #3a9d4e. */
	g_assert_nonnull(strstr(text, "<path"));
	g_assert_nonnull(strstr(text, "22.7"));
	g_assert_false(wpv_export_png(pane, &white, "/nonexistent/x.png", &error));
	g_assert_nonnull(strstr(error->message, "/nonexistent/x.png"));
	g_clear_error(&error);
	g_assert_false(wpv_export_svg(pane, &white, "/nonexistent/x.svg", &error));
	remove_temporary(png);
	remove_temporary(svg);
}

/* ---- opening ---- */

static WpvLoader *loader_new(const gchar *trace, const gchar *task)
{
	WpvWanted wanted = {.task = task};
	WpOptions options;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(trace));
	options.task = g_strdup(task);
	return wpv_loader_new(&options, &wanted);
}

static const gchar *page(Driver *driver)
{
	return gtk_stack_get_visible_child_name(
		GTK_STACK(wpv_window_get_part(driver->window, "pages")));
}

static void test_open_fails(Driver *driver)
{
	g_autoptr(WpvLoader) loader = loader_new("/nonexistent/trace", NULL);
	GtkLabel *label = GTK_LABEL(wpv_window_get_part(driver->window, "error_label"));
	g_autoptr(GError) error = NULL;
	WpOptions options;

	wpv_window_load(driver->window, loader);
	g_assert_cmpstr(page(driver), ==, "loading");
	driver_settle(driver);
	g_assert_cmpstr(page(driver), ==, "error");
	/* In the words of the command line. */
	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup("/nonexistent/trace"));
	g_assert_null(wp_session_load(&options, NULL, NULL, NULL, &error));
	wp_options_clear(&options);
	g_assert_cmpstr(gtk_label_get_text(label), ==, error->message);
	/* It can be tried again. */
	g_assert_true(g_action_group_get_action_enabled(G_ACTION_GROUP(driver->window), "reload"));
	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.reload", NULL);
	g_assert_cmpstr(page(driver), ==, "loading");
	driver_settle(driver);
	g_assert_cmpstr(page(driver), ==, "error");
}

static void test_drop(Driver *driver)
{
	g_autoptr(GListModel)
		controllers = gtk_widget_observe_controllers(GTK_WIDGET(driver->window));
	g_autoptr(GFile) file = g_file_new_for_path("/nonexistent/dropped");
	GSList list = {file, NULL};
	GValue value = G_VALUE_INIT;
	gboolean taken = FALSE;

	g_value_init(&value, GDK_TYPE_FILE_LIST);
	g_value_set_boxed(&value, &list);
	for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
		g_autoptr(GObject) controller = g_list_model_get_item(controllers, i);

		if (GTK_IS_DROP_TARGET(controller))
			g_signal_emit_by_name(controller, "drop", &value, 10.0, 10.0, &taken);
	}
	g_value_unset(&value);
	g_assert_true(taken);
	driver_settle(driver);
	g_assert_nonnull(strstr(
		gtk_label_get_text(GTK_LABEL(wpv_window_get_part(driver->window, "error_label"))),
		"/nonexistent/dropped"));
}

static void test_a_path_that_fails(Driver *driver)
{
	GtkInfoBar *complaint = GTK_INFO_BAR(wpv_window_get_part(driver->window, "complaint"));
	WpvQuestion question = {SAMPLE_HOSTA, SAMPLE_CLIENT, AT(500), AT(600), WP_PATH_ACTIVE};

	g_assert_false(gtk_info_bar_get_revealed(complaint));
	wpv_session_ask(driver->session, &question);
	driver_settle(driver);
	g_assert_true(gtk_info_bar_get_revealed(complaint));
	/* What was there still is. */
	g_assert_nonnull(wpv_session_get_answer(driver->session));
	gtk_info_bar_response(complaint, GTK_RESPONSE_CLOSE);
	g_assert_false(gtk_info_bar_get_revealed(complaint));
}

/* ---- recorded traces ---- */

static gchar *recorded(const gchar *name)
{
	const gchar *shared = g_getenv("WAITPATH_SHARED");
	gchar *path = g_build_filename(shared ? shared : "../shared", "traces", "recorded", name,
				       NULL);

	if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_test_skip("recorded traces are not here");
		g_clear_pointer(&path, g_free);
	}
	return path;
}

static gboolean is_loaded(Driver *driver, gpointer data)
{
	return !g_str_equal(page(driver), "loading") && wpv_window_is_settled(driver->window);
}

static void test_three_hosts(Driver *driver)
{
	g_autofree gchar *path = recorded("tier3");
	g_autoptr(WpvLoader) loader = path ? loader_new(path, "hosta:183") : NULL;
	g_autoptr(GArray) arrows = g_array_new(FALSE, FALSE, sizeof(WpvArrow));
	WpvRowList *rows = wpv_session_get_rows(driver->session);
	WpvAnswer *answer;
	WpvDocument *document;
	WpTime at;
	guint n_across = 0, hosts_seen = 0;

	if (!path)
		return;
	wpv_window_load(driver->window, loader);
	driver_wait(driver, is_loaded, NULL, "three hosts");
	g_assert_cmpstr(page(driver), ==, "view");
	answer = wpv_session_get_answer(driver->session);
	document = wpv_session_get_document(driver->session);
	g_assert_cmpuint(wpv_document_get_graph(document)->n_hosts, ==, 3);

	/* The band is a partition of the window. */
	at = wpv_answer_get_question(answer)->begin;
	for (guint i = 0; i < wpv_answer_get_n_segments(answer); i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);

		g_assert_cmpint(segment->begin, ==, at);
		at = segment->end;
		hosts_seen |= 1u << segment->host;
	}
	g_assert_cmpint(at, ==, wpv_answer_get_question(answer)->end);
	g_assert_cmpuint(hosts_seen, ==, 7);

	/* The third host's pieces lie on the row of its backend. */
	for (guint i = 0; i < wpv_row_list_get_n(rows); i++) {
		const WpvRow *row = wpv_row_list_get(rows, i);
		g_autofree gchar *name = wpv_document_dup_row_name(document, row->key);

		if (!g_str_has_prefix(name, "srv-back "))
			continue;
		g_assert_cmpint(row->time, ==,
				wpv_answer_get_totals(answer)->by_host[row->key.host]);
		g_assert_cmpstr(wpv_document_get_host(document, row->key.host)->name, ==, "hostc");
	}
	g_assert_true(wpv_arrows_of_path(answer, wpv_answer_get_question(answer)->begin,
					 wpv_answer_get_question(answer)->end, arrows));
	for (guint i = 0; i < arrows->len; i++) {
		const WpvArrow *arrow = &g_array_index(arrows, WpvArrow, i);

		n_across += arrow->from_host != arrow->to_host;
	}
	g_assert_cmpuint(n_across, >, 20);
	driver_settle(driver);
	g_assert_cmpuint(wpv_painter_get_n_arrows(wpv_canvas_get_painter(driver->canvas), NULL), >,
			 20);

	/* The clocks' badge, and the sentence of the command line. */
	GtkMenuButton *clocks = GTK_MENU_BUTTON(
		wpv_window_get_part(driver->window, "clocks_button"));

	g_assert_true(gtk_widget_get_visible(GTK_WIDGET(clocks)));
	g_assert_true(g_str_has_prefix(
		gtk_label_get_text(GTK_LABEL(wpv_window_get_part(driver->window, "clocks_label"))),
		"clocks \302\261"));
	g_assert_true(g_str_has_prefix(wpv_answer_get_sentence(answer), "cli-fe spent "));
}

static WpvEventsView *events_view(Driver *driver)
{
	return wpv_details_get_events(WPV_DETAILS(wpv_window_get_part(driver->window, "details")));
}

/* Where the events that are shown are: the mark of the segment's begin, as they are its end's. */
static WpTime shown_begin(WpvEventsView *view)
{
	const WpvEvents *events = wpv_events_view_get(view);
	const WpvEventGroup *own = events ? g_ptr_array_index(events->groups, 0) : NULL;

	for (guint i = 0; own && i < own->lines->len; i++) {
		const WpvEventLine *line = g_ptr_array_index(own->lines, i);

		if (!line->name && g_str_equal(line->brief, "here it begins"))
			return line->offset;
	}
	return 0;
}

/* The events around what is chosen: those of the last choice, whatever was on its way. */
static void test_events(Driver *driver)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples",
						       "tier3", NULL);
	WpvEventsView *view = events_view(driver);
	WpvAnswer *answer;

	g_assert_false(gtk_widget_get_visible(GTK_WIDGET(view)));
	driver_load(driver, path, "hosta:cli-fe");
	answer = wpv_session_get_answer(driver->session);
	for (guint piece = 3; piece < 40; piece += 7) {
		const WpSegment *segment = wpv_answer_get_segment(answer, piece);

		wpv_session_select_piece(driver->session, piece + 1);
		g_assert_true(wpv_events_view_is_reading(view));
		/* long enough for the one to be begun before the other is chosen */
		if (piece % 2)
			driver_settle(driver);
		wpv_session_select_piece(driver->session, piece);
		g_assert_null(wpv_events_view_get(view));
		driver_settle(driver);
		g_assert_null(wpv_events_view_get_notice(view));
		g_assert_cmpint(shown_begin(view), ==, segment->begin - segment->end);
		g_assert_nonnull(driver_find(GTK_WIDGET(view), "here it ends"));
	}
	wpv_session_select_none(driver->session);
	g_assert_false(gtk_widget_get_visible(GTK_WIDGET(view)));

	driver_show_sample(driver);
	wpv_session_select_piece(driver->session, 0);
	driver_settle(driver);
	g_assert_null(wpv_events_view_get(view));
	g_assert_cmpstr(wpv_events_view_get_notice(view), ==,
			"The graph does not say where the trace of hosta is.");
}

static void test_requests(Driver *driver)
{
	g_autofree gchar *path = recorded("tier3");
	g_autoptr(WpvLoader) loader = path ? loader_new(path, "hosta:183") : NULL;
	WpvRequests *requests = wpv_requests_pane_get(wpv_window_get_requests(driver->window));
	const guint *bins;
	guint n, sum = 0;

	if (!path)
		return;
	wpv_window_load(driver->window, loader);
	driver_wait(driver, is_loaded, NULL, "three hosts");
	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.show-pane", "s", "requests");
	driver_settle(driver);
	while (wpv_requests_is_running(requests))
		g_main_context_iteration(NULL, TRUE);
	n = g_list_model_get_n_items(G_LIST_MODEL(requests));
	g_assert_cmpuint(n, >, 0);
	g_assert_cmpuint(wpv_requests_get_distribution(requests)->n, ==, n);
	bins = wpv_requests_get_bins(requests);
	for (guint i = 0; i < WPV_REQUESTS_BINS; i++)
		sum += bins[i];
	g_assert_cmpuint(sum, ==, n);
	/* The slowest first; opening it asks for its path alone. */
	g_autoptr(WpvRequestItem) slowest = g_list_model_get_item(G_LIST_MODEL(requests), 0);

	g_assert_cmpint(wpv_request_item_get_duration(slowest), ==,
			wpv_requests_get_distribution(requests)->max);
	wpv_requests_pane_open(wpv_window_get_requests(driver->window), 0);
	driver_settle(driver);
	g_assert_cmpint(wpv_answer_get_question(wpv_session_get_answer(driver->session))->begin, ==,
			wpv_request_item_get_question(slowest)->begin);
	/* The list stays. */
	g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(requests)), ==, n);
}

static void copy_tree(const gchar *from, const gchar *to)
{
	g_autofree gchar *command = g_strdup_printf("cp -r '%s' '%s'", from, to);

	g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

/* The first stream file below a folder that is large enough to be cut in the middle. */
static gchar *find_stream(const gchar *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const gchar *name;
	gchar *found = NULL;

	while (!found && dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *path = g_build_filename(folder, name, NULL);
		GStatBuf info;

		if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_str_equal(name, "index"))
			found = find_stream(path);
		else if (!g_str_equal(name, "metadata") && g_stat(path, &info) == 0 &&
			 info.st_size > 20000)
			found = g_steal_pointer(&path);
	}
	return found;
}

static void test_a_cut_trace(Driver *driver)
{
	g_autofree gchar *path = recorded("local-chain");
	g_autofree gchar *folder = path ? g_dir_make_tmp("waitpath-test-XXXXXX", NULL) : NULL;
	g_autofree gchar *copy = folder ? g_build_filename(folder, "cut", NULL) : NULL;
	g_autofree gchar *stream = NULL;
	g_autofree gchar *remove = NULL;
	g_autoptr(WpvLoader) loader = NULL;
	const WpFindings *findings;
	gboolean found = FALSE;
	GStatBuf info;

	if (!path)
		return;
	copy_tree(path, copy);
	stream = find_stream(copy);
	g_assert_nonnull(stream);
	g_assert_cmpint(g_stat(stream, &info), ==, 0);
	g_assert_cmpint(truncate(stream, info.st_size - 1000), ==, 0);
	loader = loader_new(copy, NULL);
	wpv_window_load(driver->window, loader);
	driver_wait(driver, is_loaded, NULL, "a cut trace");
	g_assert_cmpstr(page(driver), ==, "view");
	findings = wpv_document_get_findings(wpv_session_get_document(driver->session));
	g_assert_cmpuint(wp_findings_n(findings), >, 0);
	/* Each is in the pane, in its own words. */
	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.show-pane", "s", "findings");
	driver_settle(driver);
	for (guint i = 0; i < wp_findings_n(findings); i++) {
		const WpFinding *finding = wp_findings_get(findings, i);
		g_autofree gchar *text = g_strdup_printf("%s%s%s",
							 finding->host ? finding->host : "",
							 finding->host ? ": " : "", finding->text);

		found |= strstr(finding->text, "cut") != NULL ||
			 strstr(finding->code, "cut") != NULL;
		g_assert_nonnull(driver_find(wpv_window_get_part(driver->window, "tabs"), text));
	}
	g_assert_true(found);
	g_assert_true(
		gtk_widget_get_visible(wpv_window_get_part(driver->window, "findings_button")));
	remove = g_strdup_printf("rm -r '%s'", folder);
	g_assert_true(g_spawn_command_line_sync(remove, NULL, NULL, NULL, NULL));
}

static void test_cancel_loading(Driver *driver)
{
	g_autofree gchar *path = recorded("tier3");
	g_autoptr(WpvLoader) loader = path ? loader_new(path, NULL) : NULL;
	WpvDocument *document = wpv_session_get_document(driver->session);

	if (!path)
		return;
	wpv_window_load(driver->window, loader);
	g_assert_cmpstr(page(driver), ==, "loading");
	gtk_widget_activate_action(GTK_WIDGET(driver->window), "win.cancel", NULL);
	/* What was open before still is. */
	g_assert_cmpstr(page(driver), ==, "view");
	driver_settle(driver);
	g_assert_cmpstr(page(driver), ==, "view");
	g_assert_true(wpv_session_get_document(driver->session) == document);
}

static gchar *sample(const gchar *name)
{
	return g_test_build_filename(G_TEST_DIST, "..", "traces", "samples", name, NULL);
}

/* The first label that begins so. */
static GtkWidget *find_prefix(GtkWidget *widget, const gchar *prefix)
{
	if (GTK_IS_LABEL(widget) && g_str_has_prefix(gtk_label_get_text(GTK_LABEL(widget)), prefix))
		return widget;
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child;
	     child = gtk_widget_get_next_sibling(child)) {
		GtkWidget *found = find_prefix(child, prefix);

		if (found)
			return found;
	}
	return NULL;
}

static void test_clocks(Driver *driver)
{
	GtkMenuButton *button = GTK_MENU_BUTTON(
		wpv_window_get_part(driver->window, "clocks_button"));
	GtkWidget *popover = GTK_WIDGET(gtk_menu_button_get_popover(button));
	g_autofree gchar *path = sample("tier3");

	driver_load(driver, path, "hosta:cli-fe");
	g_assert_false(gtk_widget_has_css_class(GTK_WIDGET(button), "warning"));
	gtk_menu_button_popup(button);
	driver_settle(driver);
	g_assert_nonnull(driver_find(popover, "hosta: the reference of all times"));
	/* The clocks of the other two are half a minute and eleven hours away. */
	g_assert_nonnull(find_prefix(popover, "hostb: offset "));
	g_assert_nonnull(find_prefix(popover, "hostc: offset "));
	g_assert_nonnull(find_prefix(popover, "hosta and hostb: "));
	gtk_menu_button_popdown(button);
}

static void test_progress(Driver *driver)
{
	GtkLabel *text = GTK_LABEL(wpv_window_get_part(driver->window, "loading_text"));
	g_autofree gchar *path = sample("tier3");
	g_autoptr(WpvLoader) loader = loader_new(path, NULL);

	wpv_window_load(driver->window, loader);
	g_assert_cmpstr(page(driver), ==, "loading");
	/* As the reading threads do it by way of the main loop. */
	g_signal_emit_by_name(loader, "progress");
	g_assert_nonnull(strstr(gtk_label_get_text(text), " events"));
	driver_wait(driver, is_loaded, NULL, "traces");
}

/* A byte of the second half of a saved graph, in which its tables are, is another one. */
static void damage(const gchar *path)
{
	g_autofree gchar *bytes = NULL;
	gsize length;

	g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
	bytes[length / 3] ^= 0x55;
	g_assert_true(g_file_set_contents(path, bytes, (gssize)length, NULL));
}

static void test_a_damaged_graph(Driver *driver)
{
	GtkInfoBar *complaint = GTK_INFO_BAR(wpv_window_get_part(driver->window, "complaint"));
	GtkLabel *label = GTK_LABEL(wpv_window_get_part(driver->window, "complaint_label"));
	WpGraph *graph = wp_large_graph_new(3, 20000);
	g_autofree gchar *path = temporary("saved");
	g_autoptr(GError) error = NULL;

	g_assert_true(wp_graph_file_save(graph->hosts, graph->n_hosts, path, NULL, &error));
	wp_graph_free(graph);
	driver_load(driver, path, NULL);
	g_assert_false(gtk_info_bar_get_revealed(complaint));
	g_assert_nonnull(wpv_session_get_answer(driver->session));
	damage(path);
	driver_load(driver, path, NULL);
	driver_settle(driver);
	g_assert_cmpstr(page(driver), ==, "view");
	g_assert_true(gtk_info_bar_get_revealed(complaint));
	g_assert_cmpstr(gtk_label_get_text(label), ==,
			"The saved graph of host host is damaged: make it anew from the trace.");
	/* What it says of a path is not shown. */
	g_assert_null(wpv_session_get_answer(driver->session));
	gtk_info_bar_response(complaint, GTK_RESPONSE_CLOSE);
	remove_temporary(path);
}

/* ---- what is kept ---- */

static void graph_gone(gpointer graph)
{
	wp_graph_free(graph);
}

static WpvDocument *sample_document(void)
{
	WpGraph *graph = wp_sample_graph_new();

	return wpv_document_new("sample", graph, graph->findings, NULL, graph, graph_gone);
}

static gboolean has_closed(Driver *driver, gpointer window)
{
	return *(gpointer *)window == NULL;
}

static gboolean is_mapped(Driver *driver, gpointer data)
{
	return gtk_widget_get_mapped(GTK_WIDGET(driver->window));
}

/* A window that keeps what is chosen in it, as the program's do. */
static void open_keeping(Driver *driver, Driver *other)
{
	other->window = wpv_window_new(GTK_APPLICATION(driver->application), TRUE);
	other->session = wpv_window_get_session(other->window);
	other->canvas = wpv_window_get_canvas(other->window);
	gtk_window_present(GTK_WINDOW(other->window));
	driver_wait(other, is_mapped, NULL, "a window");
}

static void close_keeping(Driver *other)
{
	g_object_add_weak_pointer(G_OBJECT(other->window), (gpointer *)&other->window);
	gtk_window_close(GTK_WINDOW(other->window));
	driver_wait(other, has_closed, &other->window, "the window's end");
}

static void test_session_is_kept(Driver *driver)
{
	WpvQuestion question = {SAMPLE_HOSTB, 0, AT(0), AT(90), WP_PATH_ACTIVE};
	WpvRowKey row = wpv_row_key_thread(SAMPLE_HOSTC, 0);
	g_autoptr(WpvDocument) first = sample_document();
	g_autoptr(WpvDocument) second = sample_document();
	Driver other = {0};
	WpTime begin, end;

	open_keeping(driver, &other);
	wpv_window_show_document(other.window, first, &question);
	driver_settle(&other);
	wpv_session_select_piece(other.session, 0);
	wpv_session_show(other.session, AT(20), AT(40), WPV_STEP_ALONE);
	wpv_session_add_bookmark(other.session, AT(30), "here");
	wpv_session_set_marker(other.session, 0, AT(25));
	wpv_row_list_set_pinned(wpv_session_get_rows(other.session), row, TRUE);
	wpv_style_set_palette(wpv_session_get_style(other.session), WPV_PALETTE_COLOUR_BLIND);
	wpv_window_set_scheme(other.window, WPV_SCHEME_DARK);
	wpv_segments_pane_set_row(wpv_window_get_segments(other.window), TRUE);
	driver_settle(&other);
	close_keeping(&other);
	/* Nothing that was on its way comes after its end. */
	driver_settle(driver);

	/* Another window, and the same traces, opened anew. */
	open_keeping(driver, &other);
	g_assert_cmpint(wpv_style_get_palette(wpv_session_get_style(other.session)), ==,
			WPV_PALETTE_COLOUR_BLIND);
	g_assert_true(wpv_style_get_dark(wpv_session_get_style(other.session)));
	wpv_window_show_document(other.window, second, NULL);
	driver_settle(&other);
	wpv_session_get_target(other.session, &begin, &end);
	g_assert_cmpint(begin, ==, AT(20));
	g_assert_cmpint(end, ==, AT(40));
	g_assert_cmpuint(wpv_session_get_bookmarks(other.session)->len, ==, 1);
	g_assert_true(wpv_session_get_marker(other.session, 0, &begin));
	g_assert_true(wpv_row_list_is_pinned(wpv_session_get_rows(other.session), row));
	g_assert_cmpuint(wpv_answer_get_question(wpv_session_get_answer(other.session))->host, ==,
			 SAMPLE_HOSTB);
	g_assert_cmpint(wpv_answer_get_question(wpv_session_get_answer(other.session))->end, ==,
			AT(90));
	wpv_window_set_scheme(other.window, WPV_SCHEME_LIGHT);
	close_keeping(&other);
}

/* ---- running ---- */

static void add(Driver **driver, const gchar *name, DriverCaseFunc func)
{
	g_autofree gchar *path = g_strdup_printf("/viewer/window/%s", name);

	driver_add_case(driver, FALSE, path, func);
}

int main(int argc, char **argv)
{
	g_autofree gchar *home = driver_make_home();
	Driver *driver = NULL;
	int status;

	g_test_init(&argc, &argv, NULL);
	/* Without a display it fails, but render nodes can be made. */
	gtk_init_check();
	g_test_add_func("/viewer/nodes/rows", test_nodes_of_rows);
	g_test_add_func("/viewer/nodes/marks", test_nodes_of_marks);
	g_test_add_func("/viewer/nodes/band", test_nodes_of_band);
	g_test_add_func("/viewer/nodes/dense", test_nodes_of_dense_rows);
	g_test_add_func("/viewer/nodes/stale", test_stale_rows);
	g_test_add_func("/viewer/nodes/stale-labels", test_stale_labels);
	g_test_add_func("/viewer/nodes/ruler", test_ruler);
	add(&driver, "accessible", test_accessible);
	add(&driver, "names", test_names);
	add(&driver, "keys-are-shown", test_keys_are_shown);
	add(&driver, "export", test_export);
	add(&driver, "open-fails", test_open_fails);
	add(&driver, "drop", test_drop);
	add(&driver, "a-path-that-fails", test_a_path_that_fails);
	add(&driver, "three-hosts", test_three_hosts);
	add(&driver, "events", test_events);
	add(&driver, "requests", test_requests);
	add(&driver, "a-cut-trace", test_a_cut_trace);
	add(&driver, "cancel-loading", test_cancel_loading);
	add(&driver, "clocks", test_clocks);
	add(&driver, "progress", test_progress);
	add(&driver, "a-damaged-graph", test_a_damaged_graph);
	add(&driver, "session-is-kept", test_session_is_kept);
	status = g_test_run();
	driver_free(driver);
	driver_remove_home(home);
	return status;
}
