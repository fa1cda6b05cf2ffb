/* SPDX-License-Identifier: MIT */
/*
 * viewer-frames [all]: both of what follows, as make bench does.
 * viewer-frames frames [SEGMENTS [ROWS [FRAMES]]]: how long the timeline takes for a frame.
 * viewer-frames open [FILE]: how long it takes until a saved graph is seen.
 *
 *	make tests/perf/viewer-frames && tests/perf/viewer-frames
 *
 * Frames: one host whose tasks share the segments (25 M over 40 rows by default, all visible at
 * 1200x700), and the path of one of them over all of it. The window's painter is driven as
 * the canvas drives it, without a display and its clock: each frame shows another range of
 * time, so that no row is what it was before. Three ways to move: "zoom" goes in from
 * everything to a microsecond and out again, at a pointer that wanders; "pan" drags at five
 * zooms; "jump" shows places at random at any zoom. Of each way:
 *	nodes_...	query and node building within the canvas's budget: what a person waits for
 *	exact_...	the same without a budget: every row anew
 *	cairo_...	Cairo drawing the nodes of the former
 *	band_...	the path's band above the rows
 *	stale		frames in which some rows were still as they were, moved and stretched
 * each as median, 95th percentile and maximum of wall time (p50, p95, max), and the 95th
 * percentile of CPU time (cpu_p95), which other programs on the machine do not disturb.
 *
 * Opening: FILE is one of `waitpath graph`, or else one of 10 M segments of 4,000 tasks that is
 * made for it. Wall time of
 *	document	until the window could show its rows
 *	path		and the path of a task over its life
 *	frame		and all that is to be seen of both
 *	tasks		the list of all tasks, by which one is chosen if none was asked for
 *
 * Prints "name value" lines, times in ns, and what was to be reached as lines of four cells with
 * tabs between them: what, target, reached, yes or no. What is reached is CPU time of the whole
 * program, and of frames that of the exact ones, which no budget cuts short.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <glib/gstdio.h>

#include "graph/file.h"
#include "tests/lib/sample-graph.h"
#include "viewer/model/wpv-loader.h"
#include "viewer/model/wpv-task-list.h"
#include "viewer/view/wpv-canvas.h"
#include "viewer/view/wpv-painter.h"

#define WIDTH 1200
#define HEIGHT 700
#define ZOOM_STEP 1.3 /* of a notch of the wheel */
#define FRAME_TARGET 16000000 /* ns, of query and node building */
#define OPEN_TARGET 1000000000 /* ns, of opening a graph of 10 M segments */
#define SHORTEST 1000 /* ns that are visible at least */

typedef struct {
	gint64 wall, cpu; /* ns */
} Moment;

static Moment now(void)
{
	struct timespec wall, cpu;

	clock_gettime(CLOCK_MONOTONIC, &wall);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	return (Moment){(gint64)wall.tv_sec * 1000000000 + wall.tv_nsec,
			(gint64)cpu.tv_sec * 1000000000 + cpu.tv_nsec};
}

static void print(const gchar *group, const gchar *name, gint64 value)
{
	g_print("%s%s%s %" G_GINT64_FORMAT "\n", group, *group ? "_" : "", name, value);
}

/* What frames took: arrays of gint64, in ns. */
typedef struct {
	GArray *wall, *cpu; /* owned */
} Times;

static void times_init(Times *times)
{
	times->wall = g_array_new(FALSE, FALSE, sizeof(gint64));
	times->cpu = g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void times_clear(Times *times)
{
	g_array_unref(times->wall);
	g_array_unref(times->cpu);
}

static void times_add(Times *times, Moment begin, Moment end)
{
	gint64 wall = end.wall - begin.wall, cpu = end.cpu - begin.cpu;

	g_array_append_val(times->wall, wall);
	g_array_append_val(times->cpu, cpu);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const gint64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The smallest value that so many per cent of them do not exceed. */
static gint64 percentile(GArray *values, guint percent)
{
	guint rank = (values->len * percent + 99) / 100;

	g_array_sort(values, compare);
	return g_array_index(values, gint64, MAX(rank, 1) - 1);
}

static void print_row(const gchar *what, gint64 target, gint64 reached)
{
	g_print("viewer: %s\t", what);
	if (target)
		g_print("<= %g ms\t%.1f ms\t%s\n", (gdouble)target / 1e6, (gdouble)reached / 1e6,
			reached <= target ? "yes" : "no");
	else
		g_print("\t%.1f ms\t\n", (gdouble)reached / 1e6);
}

static void times_print(Times *times, const gchar *way, const gchar *what)
{
	g_autofree gchar *group = g_strdup_printf("%s_%s", way, what);

	print(group, "p50", percentile(times->wall, 50));
	print(group, "p95", percentile(times->wall, 95));
	print(group, "max", percentile(times->wall, 100));
	print(group, "cpu_p95", percentile(times->cpu, 95));
}

/* ---- what is shown ---- */

typedef struct {
	WpvSession *session; /* reference */
	WpvPainter *painter; /* owned: within the canvas's budget */
	WpvPainter *exact; /* owned: without one */
	WpvPainter *band; /* owned */
	WpTime begin, end; /* of the trace */
	cairo_t *cr; /* owned */
} Bench;

static void free_graph(gpointer graph)
{
	wp_graph_free(graph);
}

static WpvSession *make_session(guint64 n_segments, guint n_rows)
{
	Moment begin = now(), end;
	WpGraph *graph = wp_large_graph_new(n_rows, n_segments);
	g_autoptr(WpvDocument) document = wpv_document_new("bench", graph, graph->findings, NULL,
							   graph, free_graph);
	WpvQuestion question = {0, 0, WP_TIME_MIN, WP_TIME_MAX, WP_PATH_ACTIVE};
	g_autoptr(GError) error = NULL;
	WpvSession *session = wpv_session_new();
	g_autoptr(WpvAnswer) answer = NULL;
	WpvRowFilter filter = {.all_tasks = TRUE};

	end = now();
	print("", "graph", end.wall - begin.wall);
	begin = end;
	answer = wpv_answer_new(document, &question, NULL, &error);
	g_assert_no_error(error);
	end = now();
	print("", "path", end.wall - begin.wall);
	print("", "path_segments", wpv_answer_get_n_segments(answer));
	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	wpv_session_set_filter(session, &filter);
	wpv_session_set_row_height(session, MAX(HEIGHT / ((gint)n_rows + 1), WPV_ROW_HEIGHT_MIN));
	return session;
}

/* All levels of detail, which the program makes by threads while rows come into view. */
static void make_lods(WpvSession *session)
{
	WpvDocument *document = wpv_session_get_document(session);
	WpvRowList *rows = wpv_session_get_rows(session);
	Moment begin = now();

	for (guint i = 0; i < wpv_row_list_get_n(rows); i++)
		wpv_document_get_lod(document, wpv_row_list_get(rows, i)->key, TRUE);
	print("", "lods", now().wall - begin.wall);
	print("", "lod_bytes", (gint64)wpv_document_get_lod_bytes(document));
}

static WpvPainter *make_painter(WpvSession *session, gint64 budget)
{
	PangoContext *pango = pango_font_map_create_context(pango_cairo_font_map_get_default());
	PangoFontDescription *font = pango_font_description_from_string("Sans 10");
	WpvPainter *painter = wpv_painter_new(session);

	pango_context_set_font_description(pango, font);
	wpv_painter_set_pango(painter, pango);
	wpv_painter_set_budget(painter, budget);
	pango_font_description_free(font);
	g_object_unref(pango);
	return painter;
}

/* ---- frames ---- */

/* TRUE: all rows are up to date. */
static gboolean draw(WpvPainter *painter, const WpvViewport *viewport, Times *times, cairo_t *cr,
		     Times *cairo_times)
{
	Moment begin = now(), end;
	GtkSnapshot *snapshot = gtk_snapshot_new();
	gboolean complete = wpv_painter_rows(painter, snapshot, viewport, WP_NONE);
	GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);

	end = now();
	times_add(times, begin, end);
	if (cr) {
		gsk_render_node_draw(node, cr);
		cairo_surface_flush(cairo_get_target(cr));
		times_add(cairo_times, end, now());
	}
	gsk_render_node_unref(node);
	return complete;
}

/* The path as one band, as it stands above the rows. */
static void draw_band(WpvPainter *painter, const WpvViewport *viewport, Times *times)
{
	WpvViewport band = *viewport;
	Moment begin = now();
	GtkSnapshot *snapshot = gtk_snapshot_new();
	GskRenderNode *node;

	band.height = 30;
	wpv_painter_band(painter, snapshot, &band);
	node = gtk_snapshot_free_to_node(snapshot);
	times_add(times, begin, now());
	if (node)
		gsk_render_node_unref(node);
}

/* Where frame i of n looks. */
typedef void (*Way)(const Bench *bench, GRand *rand, guint i, guint n, WpTime *begin, WpTime *end);

static void zoom(const Bench *bench, GRand *rand, guint i, guint n, WpTime *begin, WpTime *end)
{
	gdouble pointer = 0.5 + 0.4 * sin(i * 0.1), width = (gdouble)(*end - *begin);
	gdouble factor = pow((gdouble)(bench->end - bench->begin) / SHORTEST, 2.0 / n);
	WpTime at;

	factor = MIN(factor, ZOOM_STEP);
	at = *begin + (WpTime)(width * pointer);
	width *= i < n / 2 ? 1 / factor : factor;
	*begin = at - (WpTime)(width * pointer);
	*end = *begin + MAX((WpTime)width, SHORTEST);
}

static void pan(const Bench *bench, GRand *rand, guint i, guint n, WpTime *begin, WpTime *end)
{
	guint turn = MAX(n / 5, 1), level = i / turn;
	WpTime width = (bench->end - bench->begin) / (WpTime)pow(20, level + 1);

	if (i % turn == 0)
		*begin = bench->begin + (bench->end - bench->begin) / 3;
	/* As a hand drags: a tenth of what is seen in each frame, to and fro. */
	*begin += i % 50 < 25 ? width / 10 : -width / 10;
	*end = *begin + MAX(width, SHORTEST);
}

static void jump(const Bench *bench, GRand *rand, guint i, guint n, WpTime *begin, WpTime *end)
{
	gdouble span = (gdouble)(bench->end - bench->begin);
	gdouble width = pow(span / SHORTEST, g_rand_double(rand)) * SHORTEST;

	*begin = bench->begin + (WpTime)(g_rand_double(rand) * (span - width));
	*end = *begin + MAX((WpTime)width, SHORTEST);
}

static void run(Bench *bench, const gchar *name, const gchar *words, Way way, guint n)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	WpvViewport viewport = {.begin = bench->begin,
				.end = bench->end,
				.width = WIDTH,
				.height = HEIGHT,
				.scale = 1};
	Times nodes, exact, cairo, band;
	gint64 n_stale = 0;

	times_init(&nodes);
	times_init(&exact);
	times_init(&cairo);
	times_init(&band);
	for (guint i = 0; i < n; i++) {
		way(bench, rand, i, n, &viewport.begin, &viewport.end);
		viewport.begin = CLAMP(viewport.begin, bench->begin, bench->end - SHORTEST);
		viewport.end = CLAMP(viewport.end, viewport.begin + SHORTEST, bench->end);
		n_stale += !draw(bench->painter, &viewport, &nodes, bench->cr, &cairo);
		draw(bench->exact, &viewport, &exact, NULL, NULL);
		draw_band(bench->band, &viewport, &band);
	}
	g_autofree gchar *what = g_strdup_printf("frame while %s, every row anew, p95", words);
	g_autofree gchar *cairo_what = g_strdup_printf("Cairo's rendering of it, %s, p95", words);

	times_print(&nodes, name, "nodes");
	times_print(&exact, name, "exact");
	times_print(&cairo, name, "cairo");
	times_print(&band, name, "band");
	print(name, "stale", n_stale);
	print_row(what, FRAME_TARGET, percentile(exact.cpu, 95));
	print_row(cairo_what, 0, percentile(cairo.cpu, 95));
	times_clear(&nodes);
	times_clear(&exact);
	times_clear(&cairo);
	times_clear(&band);
}

static void run_frames(guint64 n_segments, guint n_rows, guint n_frames)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
	Bench bench = {0};

	print("", "segments", (gint64)n_segments);
	print("", "rows", n_rows);
	print("", "frames", n_frames);
	bench.session = make_session(n_segments, n_rows);
	make_lods(bench.session);
	wpv_document_get_span(wpv_session_get_document(bench.session), &bench.begin, &bench.end);
	bench.painter = make_painter(bench.session, WPV_CANVAS_BUDGET);
	bench.exact = make_painter(bench.session, 0);
	bench.band = make_painter(bench.session, 0);
	bench.cr = cairo_create(surface);
	run(&bench, "zoom", "zooming", zoom, n_frames);
	run(&bench, "pan", "panning", pan, n_frames);
	run(&bench, "jump", "jumping", jump, n_frames);
	cairo_destroy(bench.cr);
	cairo_surface_destroy(surface);
	wpv_painter_free(bench.painter);
	wpv_painter_free(bench.exact);
	wpv_painter_free(bench.band);
	g_object_unref(bench.session);
}

/* ---- opening ---- */

static gchar *make_file(void)
{
	g_autofree gchar *folder = g_dir_make_tmp("viewer-frames-XXXXXX", NULL);
	gchar *path = g_build_filename(folder, "graph", NULL);
	WpGraph *graph = wp_large_graph_new(4000, 10000000);
	g_autoptr(GError) error = NULL;

	wp_graph_file_save(graph->hosts, graph->n_hosts, path, NULL, &error);
	g_assert_no_error(error);
	wp_graph_free(graph);
	return path;
}

static void draw_first_frame(WpvSession *session)
{
	WpvViewport viewport = {.width = WIDTH, .height = HEIGHT, .scale = 1};
	WpvPainter *painter = make_painter(session, 0);
	Times times;

	times_init(&times);
	wpv_session_get_visible(session, &viewport.begin, &viewport.end);
	draw(painter, &viewport, &times, NULL, NULL);
	times_clear(&times);
	wpv_painter_free(painter);
}

static void list_tasks(WpvDocument *document)
{
	g_autoptr(WpvTaskList) tasks = wpv_task_list_new();

	wpv_task_list_set_document(tasks, document);
	while (!wpv_task_list_is_ready(tasks))
		g_main_context_iteration(NULL, TRUE);
	print("open", "n_tasks", g_list_model_get_n_items(G_LIST_MODEL(tasks)));
}

static void run_open(const gchar *file)
{
	g_autofree gchar *made = file ? NULL : make_file();
	WpvWanted wanted = {.mode = WP_PATH_ACTIVE};
	g_autoptr(WpvSession) session = wpv_session_new();
	g_autoptr(GError) error = NULL;
	WpvQuestion question;
	WpOptions options;
	Moment begin, end;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(made ? made : file));
	begin = now();

	g_autoptr(WpvLoader) loader = wpv_loader_new(&options, &wanted);
	g_autoptr(WpvDocument) document = wpv_loader_run(loader, NULL, &error);

	g_assert_no_error(error);
	print("open", "document", now().wall - begin.wall);
	question = wpv_document_get_life(document, wpv_row_key_thread(0, 1));

	g_autoptr(WpvAnswer) answer = wpv_answer_new(document, &question, NULL, &error);

	g_assert_no_error(error);
	print("open", "path", now().wall - begin.wall);
	wpv_session_set_document(session, document);
	wpv_session_set_answer(session, answer);
	draw_first_frame(session);
	end = now();
	print("open", "frame", end.wall - begin.wall);
	if (made)
		print_row("opening a saved graph of 10 M segments, to the first frame", OPEN_TARGET,
			  end.cpu - begin.cpu);
	begin = end;
	list_tasks(document);
	print("open", "tasks", now().wall - begin.wall);
	if (made) {
		g_autofree gchar *folder = g_path_get_dirname(made);

		g_unlink(made);
		g_rmdir(folder);
	}
}

static guint64 argument(int argc, char **argv, gint i, guint64 otherwise)
{
	return i < argc ? g_ascii_strtoull(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	const gchar *what = argc > 1 ? argv[1] : "all";
	gboolean all = g_str_equal(what, "all");

	/* Without a display it fails, but render nodes can be made. */
	gtk_init_check();
	if (all || g_str_equal(what, "frames"))
		run_frames(argument(argc, argv, 2, 25000000),
			   (guint)CLAMP(argument(argc, argv, 3, 40), 1, 10000),
			   (guint)CLAMP(argument(argc, argv, 4, 400), 10, 100000));
	if (all || g_str_equal(what, "open"))
		run_open(argc > 2 ? argv[2] : NULL);
	return 0;
}
