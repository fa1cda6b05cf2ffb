/* SPDX-License-Identifier: MIT */
/*
 * test-session.c: times and sizes as people write them, traces found below
 * directories, traces sorted by host, tasks found by name and number.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/words.h"
#include "graph/file.h"
#include "session/events.h"
#include "session/session-private.h"

/* 2026-03-02 09:00:49.1 UTC; the tests run with TZ=UTC. */
#define BEGIN G_GINT64_CONSTANT(1772442049100000000)
#define HOUR (3600 * WP_NS_PER_S)

/* ---- times ---- */

static void test_time_good(void)
{
	static const struct {
		const gchar *text;
		WpTime time;
	} rows[] = {
		{"0", 0},
		{"1772442049100000000", BEGIN},
		{"4611686018427387903", WP_TIME_LATEST},
		{"1772442049.1", BEGIN},
		{"0.0000000019", 1},
		{"+0", BEGIN},
		{"+1.5", BEGIN + 1500000000},
		{"+0.0000000019", BEGIN + 1}, /* beyond nanoseconds: cut */
		{"09:00:49.1", BEGIN},
		{"09:00:49", BEGIN - 100000000},
		{"9:0:50", BEGIN + 900000000},
		{"08:00:49.1", BEGIN - HOUR}, /* before the begin: still its day */
		{"2026-03-02T09:00:49.1", BEGIN},
		{"2026-03-02 09:00:49.100000000", BEGIN},
		{"2026-03-02T09:00:49.1Z", BEGIN},
		{"2026-03-02T11:00:49.1+02:00", BEGIN},
		{"2026-03-02T04:00:49.1-05:00", BEGIN},
		{"1970-01-01T00:00:00Z", 0},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		WpTime time = -1;

		g_test_message("%s", rows[i].text);
		g_assert_true(wp_time_parse(rows[i].text, BEGIN, &time, &error));
		g_assert_no_error(error);
		g_assert_cmpint(time, ==, rows[i].time);
	}
}

/* Half past eleven at night: "00:15:00" is meant for the day after. */
static void test_time_midnight(void)
{
	const WpTime begin = G_GINT64_CONSTANT(1772494200) * WP_NS_PER_S; /* 23:30:00 */
	g_autoptr(GError) error = NULL;
	WpTime time;

	g_assert_true(wp_time_parse("00:15:00", begin, &time, &error));
	g_assert_cmpint(time, ==, begin + 45 * 60 * WP_NS_PER_S);
	g_assert_true(wp_time_parse("22:30:00", begin, &time, &error));
	g_assert_cmpint(time, ==, begin - HOUR);
}

static void test_time_bad(void)
{
	static const gchar *const texts[] = {
		"",
		"x",
		"12x",
		"-1",
		"1.",
		".5",
		"9223372037.1",
		"9223372036854775808",
		"4611686018427387904", /* farther away than anything is */
		"+",
		"+x",
		"+1.",
		"+9999999999999",
		"09:00",
		"24:00:00",
		"09:60:00",
		"09:00:61",
		"09:00:49.",
		"09:00:49 ",
		":::",
		"2026-13-02T09:00:49",
		"2026-02-30T09:00:49",
		"2026-03-02",
		"2026-03-02T09:00",
		"2026-03-02T09:00:49+xx",
		"9999-03-02T09:00:49",
		"2026-03-02T09:00:49 UTC",
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		WpTime time = 77;

		g_test_message("\"%s\"", texts[i]);
		g_assert_false(wp_time_parse(texts[i], BEGIN, &time, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
		g_assert_cmpint(time, ==, 77);
	}
}

static void test_size(void)
{
	static const gchar *const bad[] = {"", "M", "1X", "1MB", "-1", "9999999999T", "1.5G"};
	g_autoptr(GError) error = NULL;
	guint64 bytes;

	g_assert_true(wp_size_parse("1000000", &bytes, &error));
	g_assert_cmpuint(bytes, ==, 1000000);
	g_assert_true(wp_size_parse("256M", &bytes, &error));
	g_assert_cmpuint(bytes, ==, 268435456);
	g_assert_true(wp_size_parse("4g", &bytes, &error));
	g_assert_cmpuint(bytes, ==, G_GUINT64_CONSTANT(4294967296));
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_assert_false(wp_size_parse(bad[i], &bytes, &error));
		g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
		g_clear_error(&error);
	}
}

static void test_nearest_word(void)
{
	static const gchar *const words[] = {"format", "from", "reference", "jobs", "top"};
	guint n = G_N_ELEMENTS(words);

	g_assert_cmpstr(wp_nearest_word("fromat", words, n), ==, "format"); /* swapped */
	g_assert_cmpstr(wp_nearest_word("formt", words, n), ==, "format");
	g_assert_cmpstr(wp_nearest_word("refrence", words, n), ==, "reference");
	g_assert_cmpstr(wp_nearest_word("job", words, n), ==, "jobs");
	g_assert_cmpstr(wp_nearest_word("tpo", words, n), ==, "top");
	g_assert_cmpstr(wp_nearest_word("xyz", words, n), ==, NULL);
	g_assert_cmpstr(wp_nearest_word("x", NULL, 0), ==, NULL);
}

/* ---- finding traces ---- */

typedef struct {
	gchar *root; /* owned */
	WpFindings *findings; /* owned */
	GPtrArray *arguments; /* owned */
} Tree;

static void tree_setup(Tree *tree, G_GNUC_UNUSED gconstpointer data)
{
	tree->root = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	tree->findings = wp_findings_new();
	tree->arguments = g_ptr_array_new_with_free_func(g_free);
}

static void remove_below(const gchar *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *below = g_build_filename(path, name, NULL);

		if (!g_file_test(below, G_FILE_TEST_IS_SYMLINK) &&
		    g_file_test(below, G_FILE_TEST_IS_DIR))
			remove_below(below);
		g_remove(below);
	}
}

static void tree_teardown(Tree *tree, G_GNUC_UNUSED gconstpointer data)
{
	remove_below(tree->root);
	g_rmdir(tree->root);
	g_free(tree->root);
	wp_findings_free(tree->findings);
	g_ptr_array_unref(tree->arguments);
}

static void tree_add_trace(Tree *tree, const gchar *path)
{
	g_autofree gchar *dir = g_build_filename(tree->root, path, NULL);
	g_autofree gchar *file = g_build_filename(dir, "metadata", NULL);

	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(file, "x", 1, NULL));
}

static void tree_argument(Tree *tree, const gchar *name, const gchar *path)
{
	g_ptr_array_add(tree->arguments, g_strdup_printf("%s%s%s/%s", name ? name : "",
							 name ? "=" : "", tree->root, path));
}

/* "path:argument:name" of each source, joined by blanks. */
static gchar *tree_find(Tree *tree, GError **error)
{
	g_autoptr(GPtrArray) sources = wp_sources_find(tree->arguments, tree->findings, error);
	GString *text = g_string_new(NULL);

	for (guint i = 0; sources && i < sources->len; i++) {
		const WpSource *source = sources->pdata[i];

		g_string_append_printf(text, "%s%s:%u:%s", i > 0 ? " " : "",
				       source->path + strlen(tree->root) + 1, source->argument,
				       source->name ? source->name : "");
	}
	return g_string_free(text, FALSE);
}

static void test_discover(Tree *tree, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autofree gchar *loop = g_build_filename(tree->root, "b", "loop", NULL);

	tree_add_trace(tree, "b/kernel");
	tree_add_trace(tree, "b/ust/uid/0/64-bit");
	tree_add_trace(tree, "a");
	tree_add_trace(tree, "a/.hidden");
	g_assert_cmpint(symlink("..", loop), ==, 0);
	tree_argument(tree, NULL, "b");
	tree_argument(tree, "web", "a");

	g_autofree gchar *found = tree_find(tree, &error);

	g_assert_no_error(error);
	/* The link leads up to the root, so a is found from there first: once. */
	g_assert_cmpstr(found, ==, "b/kernel:0: b/loop/a:0: b/ust/uid/0/64-bit:0:");
}

static void test_discover_order_and_names(Tree *tree, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	tree_add_trace(tree, "x/2");
	tree_add_trace(tree, "x/1");
	tree_add_trace(tree, "w");
	tree_argument(tree, "db", "x");
	tree_argument(tree, NULL, "w");
	tree_argument(tree, NULL, "x/1"); /* again: no error, not twice */

	g_autofree gchar *found = tree_find(tree, &error);

	g_assert_no_error(error);
	g_assert_cmpstr(found, ==, "x/1:0:db x/2:0:db w:1:");
}

static void test_discover_errors(Tree *tree, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autofree gchar *none = tree_find(tree, &error);

	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
	g_clear_error(&error);

	tree_argument(tree, NULL, "gone");
	g_free(none);
	none = tree_find(tree, &error);
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
	g_assert_nonnull(strstr(error->message, "/gone"));
	g_clear_error(&error);

	g_ptr_array_set_size(tree->arguments, 0);
	tree_argument(tree, NULL, "");
	g_free(none);
	none = tree_find(tree, &error);
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, tree->root));
}

/* ---- hosts ---- */

static void reader_free(WpReader *reader)
{
	wp_reader_clear(reader);
	g_free(reader);
}

static const WpReaderClass fake_class = {.name = "fake", .free = reader_free};

typedef struct {
	WpLayout *layout; /* reference */
	GPtrArray *inputs; /* owned; owned WpInput */
	WpFindings *findings; /* owned */
	GPtrArray *groups; /* owned */
} Hosts;

static void input_free(gpointer data)
{
	WpInput *input = data;

	g_free(input->path);
	g_free(input->given);
	wp_reader_free(input->reader);
	wp_host_free(input->saved);
	g_free(input);
}

static void hosts_setup(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	hosts->layout = wp_layout_new(&error);
	g_assert_no_error(error);
	hosts->inputs = g_ptr_array_new_with_free_func(input_free);
	hosts->findings = wp_findings_new();
}

static void hosts_teardown(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	g_clear_pointer(&hosts->groups, g_ptr_array_unref);
	g_ptr_array_unref(hosts->inputs);
	wp_findings_free(hosts->findings);
	wp_layout_unref(hosts->layout);
}

static WpInput *hosts_add_input(Hosts *hosts, const gchar *path, const gchar *given)
{
	WpInput *input = g_new0(WpInput, 1);

	input->path = g_strdup(path);
	input->given = g_strdup(given);
	g_ptr_array_add(hosts->inputs, input);
	return input;
}

static WpReader *hosts_add(Hosts *hosts, const gchar *path, const gchar *given, const gchar *host,
			   const gchar *domain, const gchar *uuid, gint64 offset)
{
	WpReader *reader = g_new0(WpReader, 1);

	wp_reader_init(reader, &fake_class, hosts->layout, path);
	reader->info.host = g_strdup(host);
	reader->info.domain = g_strdup(domain);
	reader->info.clock_uuid = g_strdup(uuid);
	reader->info.clock_offset = offset;
	hosts_add_input(hosts, path, given)->reader = reader;
	return reader;
}

static void hosts_add_saved(Hosts *hosts, const gchar *given, const gchar *name, const gchar *uuid)
{
	WpInput *input = hosts_add_input(hosts, "/saved", given);

	input->saved = wp_host_new(name, NULL);
	input->saved->clock_uuid = g_strdup(uuid);
}

/* "name(inputs) ..." */
static gchar *hosts_group(Hosts *hosts)
{
	GString *text = g_string_new(NULL);

	hosts->groups = wp_hosts_group(hosts->inputs, hosts->findings);
	for (guint i = 0; i < hosts->groups->len; i++) {
		const WpHostGroup *group = hosts->groups->pdata[i];

		g_string_append_printf(text, "%s%s(", i > 0 ? " " : "", group->name);
		for (guint j = 0; j < group->indexes->len; j++)
			g_string_append_printf(text, "%s%u", j > 0 ? "," : "",
					       g_array_index(group->indexes, guint, j));
		g_string_append_c(text, ')');
	}
	return g_string_free(text, FALSE);
}

static gboolean has_finding(const WpFindings *findings, const gchar *code)
{
	for (guint i = 0; i < wp_findings_n(findings); i++)
		if (g_str_equal(wp_findings_get(findings, i)->code, code))
			return TRUE;
	return FALSE;
}

/* Kernel and user-space traces of one boot are one host, on the kernel trace's clock. */
static void test_hosts_by_clock(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	WpReader *ust = hosts_add(hosts, "/t/a/ust", NULL, "web", "ust", "u1", 1000);
	WpReader *kernel = hosts_add(hosts, "/t/a/kernel", NULL, "web", "kernel", "u1", 1020);
	WpReader *other = hosts_add(hosts, "/t/b/kernel", NULL, "db", "kernel", "u2", 5);
	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "web(0,1) db(2)");
	g_assert_cmpint(ust->clock_shift, ==, 20);
	g_assert_cmpint(kernel->clock_shift, ==, 0);
	g_assert_cmpint(other->clock_shift, ==, 0);
	g_assert_cmpuint(wp_findings_n(hosts->findings), ==, 0);
}

/* The same name on another clock: another machine or another boot. */
static void test_hosts_same_name(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	hosts_add(hosts, "/t/1", NULL, "localhost", "kernel", "u1", 0);
	hosts_add(hosts, "/t/2", NULL, "localhost", "kernel", "u2", 0);
	hosts_add(hosts, "/t/3", NULL, "localhost", "kernel", "u3", 0);

	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "localhost(0) localhost#2(1) localhost#3(2)");
	g_assert_true(has_finding(hosts->findings, "host-name-twice"));
}

static void test_hosts_given_names(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	/* One name for a host names all its traces. */
	hosts_add(hosts, "/t/1", NULL, "localhost", "kernel", "u1", 0);
	hosts_add(hosts, "/t/2", "db", "localhost", "ust", "u1", 0);
	/* Two names part what seems to be one: clones with the same boot id. */
	hosts_add(hosts, "/t/3", "left", "clone", "kernel", "u2", 0);
	hosts_add(hosts, "/t/4", "right", "clone", "kernel", "u2", 0);

	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "db(0,1) left(2) right(3)");
}

/* No uuid, no host name: what the path tells. */
static void test_hosts_by_path(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	hosts_add(hosts, "/traces/scp_src", NULL, NULL, "kernel", NULL, 0);
	hosts_add(hosts, "/traces/alpha/trace/kernel", NULL, NULL, "kernel", NULL, 0);
	hosts_add(hosts, "/traces/alpha/trace/ust/uid/1000/64-bit", NULL, NULL, "ust", NULL, 0);
	hosts_add(hosts, "kernel", NULL, NULL, "kernel", NULL, 0);

	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "scp_src(0) alpha(1,2) host(3)");
}

static void test_hosts_two_names_one_clock(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	hosts_add(hosts, "/t/1", NULL, "machine", "kernel", "u1", 0);
	hosts_add(hosts, "/t/2", NULL, "container", "ust", "u1", 0);

	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "machine(0,1)");
	g_assert_true(has_finding(hosts->findings, "host-has-two-names"));
}

/* Nothing can be added to a saved host, not even a trace of the same boot. */
static void test_hosts_saved(Hosts *hosts, G_GNUC_UNUSED gconstpointer data)
{
	hosts_add_saved(hosts, NULL, "web", "u1");
	hosts_add(hosts, "/t/1", NULL, "web", "kernel", "u1", 0);
	hosts_add_saved(hosts, "old", "db", "u2");

	g_autofree gchar *groups = hosts_group(hosts);

	g_assert_cmpstr(groups, ==, "web(0) web#2(1) old(2)");
}

/* ---- missing events ---- */

static gchar *missing_roles(WpLayout *layout, const gchar *events, gint minor, const gchar *release)
{
	WpTraceInfo info = {.tracer_major = 2, .tracer_minor = minor};
	g_auto(GStrv) names = g_strsplit(events, " ", -1);
	g_autoptr(GArray) missing = g_array_new(FALSE, FALSE, sizeof(WpMissing));
	GString *text = g_string_new(NULL);

	info.kernel_release = (gchar *)release;
	for (guint i = 0; names[i]; i++)
		wp_trace_info_add_event(&info, wp_layout_find(layout, names[i], NULL));
	wp_needs_add_missing(missing, wp_needs_kinds(&info), &info);
	for (guint i = 0; i < missing->len; i++) {
		WpMissing *m = &g_array_index(missing, WpMissing, i);

		g_string_append_printf(text, "%s%s%s: %s\n", m->role, m->required ? "!" : "", "",
				       m->enable);
		g_free(m->enable);
	}
	return g_string_free(text, FALSE);
}

#define ALL_BUT_SCHED                                                                              \
	" sched_process_fork sched_process_exit lttng_statedump_process_state irq_handler_entry"   \
	" irq_handler_exit block_rq_issue block_rq_complete workqueue_queue_work"                  \
	" workqueue_execute_start workqueue_execute_end syscall_entry_read"
#define NEW_NAMES                                                                                  \
	" irq_softirq_raise irq_softirq_entry irq_softirq_exit timer_hrtimer_expire_entry"         \
	" timer_hrtimer_expire_exit net_dev_queue net_if_receive_skb"

static void test_needs(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpLayout) layout = wp_layout_new(&error);
	g_autofree gchar *text = NULL;

	g_assert_no_error(error);
	text = missing_roles(layout,
			     "sched_switch sched_waking sched_wakeup" ALL_BUT_SCHED NEW_NAMES, 13,
			     "6.1.0");
	g_assert_cmpstr(text, ==, "");

	g_free(text);
	text = missing_roles(layout, "sched_waking" ALL_BUT_SCHED NEW_NAMES, 13, "6.1.0");
	g_assert_cmpstr(text, ==, "task switches!: lttng enable-event --kernel sched_switch\n");

	/* sched_waking came with Linux 4.3. */
	g_free(text);
	text = missing_roles(layout, "sched_switch sched_wakeup" ALL_BUT_SCHED NEW_NAMES, 10,
			     "4.2.0");
	g_assert_cmpstr(text, ==, "");
	g_free(text);
	text = missing_roles(layout, "sched_switch sched_wakeup" ALL_BUT_SCHED NEW_NAMES, 10,
			     "4.3.0");
	g_assert_cmpstr(text, ==, "wakers: lttng enable-event --kernel sched_waking\n");

	/* LTTng 2.5 had other names, and is told in them. */
	g_free(text);
	text = missing_roles(layout, "sched_switch sched_wakeup" ALL_BUT_SCHED, 5, "3.10.0");
	g_assert_cmpstr(text, ==,
			"softirqs: lttng enable-event --kernel "
			"softirq_raise,softirq_entry,softirq_exit\n"
			"timers: lttng enable-event --kernel hrtimer_expire_entry,"
			"hrtimer_expire_exit,timer_expire_entry,timer_expire_exit\n"
			"packets: lttng enable-event --kernel "
			"net_dev_queue,netif_receive_skb,net_dev_xmit\n");
}

/* ---- events of a trace ---- */

/* The hosts of a saved graph, loaded. */
static WpAnalysis *load_graph(const gchar *path)
{
	g_autoptr(GError) error = NULL;
	WpAnalysis *analysis;
	WpOptions options;

	wp_options_init(&options);
	g_ptr_array_add(options.traces, g_strdup(path));
	analysis = wp_session_load(&options, NULL, NULL, NULL, &error);
	wp_options_clear(&options);
	g_assert_no_error(error);
	return analysis;
}

static void assert_event(WpEventSource *source, const WpHost *host, WpTime time)
{
	WpEventsQuery query = {
		.time = time, .n_before = 1, .cpus = {WP_NONE, WP_NONE}, .tids = {-1, -1}};
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) events = wp_event_source_read(source, host, &query, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(events->len, ==, 1);
	g_assert_cmpint(((const WpRawEvent *)events->pdata[0])->time, ==, time);
}

static void assert_no_events(const WpHost *host, const gchar *why)
{
	WpEventsQuery query = {.time = host->begin, .n_before = 1};
	g_autoptr(WpEventSource) source = wp_event_source_new();
	g_autoptr(GError) error = NULL;

	g_assert_null(wp_event_source_read(source, host, &query, NULL, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_CANNOT_ANSWER);
	g_assert_nonnull(strstr(error->message, why));
}

/*
 * A saved graph names its traces; where they and it were moved together they are found, and
 * what lies there of another recording is not taken for them.
 */
static void test_events_of_saved(void)
{
	g_autofree gchar *folder = g_dir_make_tmp("waitpath-test-XXXXXX", NULL);
	g_autofree gchar *graph = g_build_filename(folder, "saved", NULL);
	g_autofree gchar *link = g_build_filename(folder, "there", NULL);
	g_autofree gchar *sample = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples",
							 "local-mutex", NULL);
	g_autofree gchar *other = g_test_build_filename(G_TEST_DIST, "..", "traces", "samples",
							"local-disk", NULL);
	g_autoptr(WpAnalysis) read = load_graph(sample), saved = NULL, moved = NULL, foreign = NULL;
	g_autoptr(WpEventSource) source = wp_event_source_new();
	WpHost *host = read->graph->hosts[0];
	WpHostTrace *trace = &g_array_index(host->traces, WpHostTrace, 0);
	g_autoptr(GError) error = NULL;

	g_assert_cmpuint(host->traces->len, ==, 1);
	assert_event(source, host, host->begin);
	assert_event(source, host, host->end);
	g_assert_true(wp_graph_file_save(&host, 1, graph, NULL, &error));
	saved = load_graph(graph);
	assert_event(source, saved->graph->hosts[0], host->end);

	/* as if both had been made elsewhere */
	g_free(trace->path);
	trace->path = g_strdup("/nonexistent/made/there/hosta/trace/kernel");
	g_assert_true(wp_graph_file_save(&host, 1, graph, NULL, &error));
	g_clear_pointer(&saved, wp_analysis_free);
	saved = load_graph(graph);
	assert_no_events(saved->graph->hosts[0], "there is no /nonexistent/made/there");
	g_assert_cmpint(symlink(sample, link), ==, 0);
	moved = load_graph(graph);
	assert_event(source, moved->graph->hosts[0], host->end);
	g_unlink(link);
	g_assert_cmpint(symlink(other, link), ==, 0);
	foreign = load_graph(graph);
	assert_no_events(foreign->graph->hosts[0], "is of another recording");
	g_unlink(link);
	g_unlink(graph);
	g_rmdir(folder);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/session/time/good", test_time_good);
	g_test_add_func("/session/time/midnight", test_time_midnight);
	g_test_add_func("/session/time/bad", test_time_bad);
	g_test_add_func("/session/size", test_size);
	g_test_add_func("/session/nearest-word", test_nearest_word);
	g_test_add("/session/discover/tree", Tree, NULL, tree_setup, test_discover, tree_teardown);
	g_test_add("/session/discover/order-and-names", Tree, NULL, tree_setup,
		   test_discover_order_and_names, tree_teardown);
	g_test_add("/session/discover/errors", Tree, NULL, tree_setup, test_discover_errors,
		   tree_teardown);
	g_test_add("/session/hosts/by-clock", Hosts, NULL, hosts_setup, test_hosts_by_clock,
		   hosts_teardown);
	g_test_add("/session/hosts/same-name", Hosts, NULL, hosts_setup, test_hosts_same_name,
		   hosts_teardown);
	g_test_add("/session/hosts/given-names", Hosts, NULL, hosts_setup, test_hosts_given_names,
		   hosts_teardown);
	g_test_add("/session/hosts/by-path", Hosts, NULL, hosts_setup, test_hosts_by_path,
		   hosts_teardown);
	g_test_add("/session/hosts/two-names-one-clock", Hosts, NULL, hosts_setup,
		   test_hosts_two_names_one_clock, hosts_teardown);
	g_test_add("/session/hosts/saved", Hosts, NULL, hosts_setup, test_hosts_saved,
		   hosts_teardown);
	g_test_add_func("/session/needs", test_needs);
	g_test_add_func("/session/events-of-saved", test_events_of_saved);
	return g_test_run();
}
