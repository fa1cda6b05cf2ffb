/* SPDX-License-Identifier: MIT */
/*
 * test-fixtures.c: every folder of tests/fixtures, through both readers: the events become
 * traces, the traces an analysis, and its paths must be those that `expect` gives.
 * tests/fixtures/README.md is the language of both files.
 */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "export/describe.h"
#include "lib/fixture.h"
#include "path/path.h"
#include "session/session.h"

/* ---- what is expected ---- */

typedef struct {
	guint line; /* in the file */
	WpTime begin, end; /* ns from the fixture's time 0 */
	gchar *task; /* owned: HOST:TID */
	gchar *state; /* owned: key */
	guint depth;
	gchar **words; /* owned, NULL-terminated: KEY=VALUE of the cause */
} Line;

typedef struct {
	guint line;
	gchar *task; /* owned: as given to the command line */
	gboolean has_window;
	WpTime begin, end;
	WpPathMode mode;
	GPtrArray *lines; /* owned: Line */
} Question;

typedef struct {
	gchar *code; /* owned */
	gint64 count; /* -1: any but 0 */
} Finding;

typedef struct {
	GPtrArray *questions; /* owned: Question */
	GPtrArray *offsets; /* owned: owned gchar *, HOST=NS */
	gchar *reference; /* owned or NULL */
	GArray *findings; /* owned: Finding */
} Expectation;

static void line_free(gpointer data)
{
	Line *line = data;

	g_free(line->task);
	g_free(line->state);
	g_strfreev(line->words);
	g_free(line);
}

static void question_free(gpointer data)
{
	Question *question = data;

	g_free(question->task);
	g_ptr_array_unref(question->lines);
	g_free(question);
}

static void expectation_free(Expectation *expectation)
{
	for (guint i = 0; i < expectation->findings->len; i++)
		g_free(g_array_index(expectation->findings, Finding, i).code);
	g_ptr_array_unref(expectation->questions);
	g_ptr_array_unref(expectation->offsets);
	g_array_unref(expectation->findings);
	g_free(expectation->reference);
	g_free(expectation);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Expectation, expectation_free)

static void parse_segment(Question *question, const gchar *path, guint number, gchar **words)
{
	Line *line = g_new0(Line, 1);

	if (!question || g_strv_length(words) < 5 ||
	    !wp_fixture_parse_time(words[0], &line->begin) ||
	    !wp_fixture_parse_time(words[1], &line->end))
		g_error("%s:%u: not BEGIN END TASK STATE DEPTH, or no task before it", path,
			number);
	line->line = number;
	line->task = g_strdup(words[2]);
	line->state = g_strdup(words[3]);
	line->depth = (guint)g_ascii_strtoull(words[4], NULL, 10);
	line->words = g_strdupv(words + 5);
	if (wp_state_from_key(line->state) == WP_STATE_N)
		g_error("%s:%u: no state \"%s\"", path, number, line->state);
	g_ptr_array_add(question->lines, line);
}

static Question *question_new(const gchar *task, guint number)
{
	Question *question = g_new0(Question, 1);

	question->line = number;
	question->task = g_strdup(task);
	question->mode = WP_PATH_ACTIVE;
	question->lines = g_ptr_array_new_with_free_func(line_free);
	return question;
}

static void parse_line(Expectation *expectation, const gchar *path, guint number, gchar **words)
{
	GPtrArray *questions = expectation->questions;
	Question *last = questions->len ? questions->pdata[questions->len - 1] : NULL;

	if (g_str_equal(words[0], "task") && words[1]) {
		g_ptr_array_add(questions, question_new(words[1], number));
	} else if (g_str_equal(words[0], "window") && words[1] && words[2] && last) {
		last->has_window = wp_fixture_parse_time(words[1], &last->begin) &&
				   wp_fixture_parse_time(words[2], &last->end);
		g_assert_true(last->has_window);
	} else if (g_str_equal(words[0], "mode") && words[1] && last) {
		last->mode = g_str_equal(words[1], "causal") ? WP_PATH_CAUSAL : WP_PATH_ACTIVE;
	} else if (g_str_equal(words[0], "offset") && words[1]) {
		g_ptr_array_add(expectation->offsets, g_strdup(words[1]));
	} else if (g_str_equal(words[0], "reference") && words[1]) {
		expectation->reference = g_strdup(words[1]);
	} else if (g_str_equal(words[0], "finding") && words[1]) {
		Finding finding = {g_strdup(words[1]),
				   words[2] ? g_ascii_strtoll(words[2], NULL, 10) : -1};

		g_array_append_val(expectation->findings, finding);
	} else {
		parse_segment(last, path, number, words);
	}
}

static Expectation *read_expectation(const gchar *path)
{
	Expectation *expectation = g_new0(Expectation, 1);
	g_autofree gchar *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GError) error = NULL;

	expectation->questions = g_ptr_array_new_with_free_func(question_free);
	expectation->offsets = g_ptr_array_new_with_free_func(g_free);
	expectation->findings = g_array_new(FALSE, FALSE, sizeof(Finding));
	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_autoptr(GPtrArray) words = g_ptr_array_new();
		gchar *rest = NULL;

		lines[i][strcspn(lines[i], "#")] = '\0';
		for (gchar *w = strtok_r(lines[i], " \t", &rest); w;
		     w = strtok_r(NULL, " \t", &rest))
			g_ptr_array_add(words, w);
		if (words->len == 0)
			continue;
		g_ptr_array_add(words, NULL);
		parse_line(expectation, path, i + 1, (gchar **)words->pdata);
	}
	g_assert_cmpuint(expectation->questions->len, >, 0);
	return expectation;
}

/* ---- what is answered ---- */

static gchar *actor_text(const WpActor *actor)
{
	if (actor->host == WP_NONE)
		return g_strdup("none");
	return actor->task == WP_NONE ? g_strdup(actor->host_name)
				      : g_strdup_printf("%s:%d", actor->host_name, actor->tid);
}

/* In microseconds, as the fixtures write times. */
static gchar *time_text(WpTime ns)
{
	return ns % WP_NS_PER_US ? g_strdup_printf("%.3f", (gdouble)ns / WP_NS_PER_US)
				 : g_strdup_printf("%" G_GINT64_FORMAT, ns / WP_NS_PER_US);
}

/* The value of one key of a cause, as text without blanks; owned. */
static gchar *cause_value(const WpCauseInfo *info, const WpGraph *graph, const WpSegment *segment,
			  const gchar *key)
{
	const gchar *text = NULL;

	if (g_str_equal(key, "kind"))
		text = wp_cause_kind_key(info->kind);
	else if (g_str_equal(key, "name"))
		text = info->name;
	else if (g_str_equal(key, "device"))
		text = info->device;
	else if (g_str_equal(key, "function"))
		text = info->function;
	else if (g_str_equal(key, "syscall"))
		text = info->syscall;
	else if (g_str_equal(key, "flow"))
		text = info->flow;
	else if (g_str_equal(key, "peer"))
		text = info->peer;
	else if (g_str_equal(key, "part"))
		text = wp_part_key(info->part);
	else if (g_str_equal(key, "local"))
		text = info->local ? "1" : "0";
	else if (g_str_equal(key, "space"))
		text = info->space ? "1" : "0";
	else if (g_str_equal(key, "number"))
		return g_strdup_printf("%d", info->number);
	else if (g_str_equal(key, "from"))
		return actor_text(&info->from);
	else if (g_str_equal(key, "idle"))
		return time_text(info->idle);
	else if (g_str_equal(key, "preemptor")) {
		WpActor actor;
		g_autofree gchar *time = NULL;

		if (info->preemptors->len == 0)
			return g_strdup("none");
		const WpPreemptor *first = &g_array_index(info->preemptors, WpPreemptor, 0);
		wp_actor_init(&actor, graph, segment->host, first->task, segment->begin);
		time = time_text(first->time);
		return g_strdup_printf("%d:%s", actor.tid, time);
	} else
		return g_strdup("no such key");
	return g_strdelimit(g_strdup(text ? text : "none"), " ", '_');
}

static gboolean cause_matches(WpGraph *graph, const WpSegment *segment, gchar **words,
			      GString *complaint)
{
	WpCauseInfo info;
	gboolean good = TRUE;

	wp_cause_info_init(&info);
	wp_cause_info_fill(&info, graph, segment);
	for (guint i = 0; words[i]; i++) {
		g_auto(GStrv) pair = g_strsplit(words[i], "=", 2);
		g_autofree gchar *value = cause_value(&info, graph, segment, pair[0]);

		if (g_strcmp0(value, pair[1]) == 0)
			continue;
		good = FALSE;
		g_string_append_printf(complaint, " %s is %s", pair[0], value);
	}
	wp_cause_info_clear(&info);
	return good;
}

static gchar *segment_text(WpGraph *graph, const WpSegment *segment)
{
	WpActor actor;
	WpCauseInfo info;
	g_autofree gchar *task = NULL, *begin = NULL, *end = NULL, *cause = NULL;

	wp_actor_init(&actor, graph, segment->host, segment->task, segment->begin);
	task = actor_text(&actor);
	begin = time_text(segment->begin - WP_FIXTURE_EPOCH);
	end = time_text(segment->end - WP_FIXTURE_EPOCH);
	wp_cause_info_init(&info);
	wp_cause_info_fill(&info, graph, segment);
	cause = wp_cause_info_dup_text(&info, graph, segment);
	wp_cause_info_clear(&info);
	return g_strdup_printf("%s %s %s %s %u  %s", begin, end, task, wp_state_key(segment->state),
			       segment->depth, cause ? cause : "");
}

/* A segment that begins where the line does, and belongs to it: NULL, else what is wrong. */
static gchar *compare_segment(WpGraph *graph, const WpSegment *segment, const Line *line,
			      WpTime begin)
{
	g_autoptr(GString) complaint = g_string_new(NULL);
	g_autofree gchar *task = NULL;
	WpActor actor;

	wp_actor_init(&actor, graph, segment->host, segment->task, segment->begin);
	task = actor_text(&actor);
	if (segment->begin - WP_FIXTURE_EPOCH != begin ||
	    segment->end - WP_FIXTURE_EPOCH > line->end || !g_str_equal(task, line->task) ||
	    !g_str_equal(wp_state_key(segment->state), line->state) ||
	    segment->depth != line->depth)
		return g_strdup("");
	if (!cause_matches(graph, segment, line->words, complaint))
		return g_string_free(g_steal_pointer(&complaint), FALSE);
	return NULL;
}

/* A line may stand for several segments of one task, state and depth, one behind the other. */
static gchar *compare_path(WpGraph *graph, const WpPath *path, const Question *question)
{
	guint i = 0;

	for (guint l = 0; l < question->lines->len; l++) {
		const Line *line = question->lines->pdata[l];
		WpTime at = line->begin;

		while (at < line->end) {
			const WpSegment *segment = wp_path_segment(path, i);
			g_autofree gchar *wrong = NULL, *text = NULL;

			if (i >= path->segments.n)
				return g_strdup_printf("line %u: the path has ended", line->line);
			wrong = compare_segment(graph, segment, line, at);
			if (wrong) {
				text = segment_text(graph, segment);
				return g_strdup_printf("line %u: is %s%s", line->line, text, wrong);
			}
			at = segment->end - WP_FIXTURE_EPOCH;
			i++;
		}
	}
	return i < path->segments.n ? g_strdup("the path goes on behind the last line") : NULL;
}

static void tell_path(WpGraph *graph, const WpPath *path)
{
	for (guint i = 0; i < path->segments.n; i++) {
		g_autofree gchar *text = segment_text(graph, wp_path_segment(path, i));

		g_test_message("  %s", text);
	}
}

static void check_question(const WpAnalysis *analysis, const Question *question)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpPath) path = NULL;
	g_autofree gchar *wrong = NULL;
	WpSelection task;
	const WpTime begin = question->begin + WP_FIXTURE_EPOCH;
	const WpTime end = question->end + WP_FIXTURE_EPOCH;

	wp_analysis_select_task(analysis, question->task,
				question->has_window ? begin : WP_TIME_MIN,
				question->has_window ? end : WP_TIME_MAX, &task, &error);
	g_assert_no_error(error);
	if (question->has_window) {
		task.begin = begin;
		task.end = end;
	}
	path = wp_path_compute(analysis->graph, task.host, task.task, task.begin, task.end,
			       question->mode, NULL, &error);
	g_assert_no_error(error);
	wrong = compare_path(analysis->graph, path, question);
	if (!wrong)
		return;
	g_test_message("task of line %u: %s; the whole path:", question->line, wrong);
	tell_path(analysis->graph, path);
	g_test_fail();
}

static void check_finding(const WpAnalysis *analysis, const Finding *finding)
{
	gint64 count = 0;

	/* A reader and the model may both tell of a loss: one of them is enough. */
	for (guint i = 0; i < wp_findings_n(analysis->all_findings); i++) {
		const WpFinding *f = wp_findings_get(analysis->all_findings, i);

		if (g_str_equal(f->code, finding->code) && count != finding->count)
			count = (gint64)f->count;
	}
	if (finding->count < 0 ? count > 0 : count == finding->count)
		return;
	g_test_message("finding %s: counted %" G_GINT64_FORMAT, finding->code, count);
	g_test_fail();
}

static void check_hosts(const WpAnalysis *analysis)
{
	for (guint i = 0; i < analysis->graph->n_hosts; i++) {
		g_autoptr(GError) error = NULL;

		wp_host_check(analysis->graph->hosts[i], &error);
		g_assert_no_error(error);
	}
}

/* ---- the tests ---- */

typedef struct {
	gchar *folder; /* owned */
	WpReaderChoice reader;
} Case;

static void remove_tree(const gchar *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *child = g_build_filename(path, name, NULL);

		remove_tree(child);
	}
	g_remove(path);
}

static WpAnalysis *load(const Case *test, const gchar *directory, const Expectation *expectation)
{
	g_autofree gchar *events = g_build_filename(test->folder, "events.txt", NULL);
	g_auto(GStrv) hosts = NULL;
	g_autoptr(GError) error = NULL;
	WpAnalysis *analysis;
	WpOptions options;

	hosts = wp_fixture_write(events, directory, &error);
	g_assert_no_error(error);
	wp_options_init(&options);
	options.reader = test->reader;
	options.jobs = 1;
	options.reference = g_strdup(expectation->reference);
	for (guint i = 0; hosts[i]; i++)
		g_ptr_array_add(options.traces, g_build_filename(directory, hosts[i], NULL));
	for (guint i = 0; i < expectation->offsets->len; i++)
		g_ptr_array_add(options.offsets, g_strdup(expectation->offsets->pdata[i]));
	analysis = wp_session_load(&options, NULL, NULL, NULL, &error);
	wp_options_clear(&options);
	g_assert_no_error(error);
	return analysis;
}

static void test_fixture(gconstpointer data)
{
	const Case *test = data;
	g_autofree gchar *path = g_build_filename(test->folder, "expect", NULL);
	g_autofree gchar *directory = g_dir_make_tmp("waitpath-fixture-XXXXXX", NULL);
	g_autoptr(Expectation) expectation = read_expectation(path);
	g_autoptr(WpAnalysis) analysis = load(test, directory, expectation);

	check_hosts(analysis);
	for (guint i = 0; i < expectation->questions->len; i++)
		check_question(analysis, expectation->questions->pdata[i]);
	for (guint i = 0; i < expectation->findings->len; i++)
		check_finding(analysis, &g_array_index(expectation->findings, Finding, i));
	remove_tree(directory);
}

static void case_free(gpointer data)
{
	Case *test = data;

	g_free(test->folder);
	g_free(test);
}

static void add_case(const gchar *folder, const gchar *reader, WpReaderChoice choice)
{
	g_autofree gchar *base = g_path_get_basename(folder);
	g_autofree gchar *name = g_strdup_printf("/fixtures/%s/%s", base, reader);
	Case *test = g_new0(Case, 1);

	test->folder = g_strdup(folder);
	test->reader = choice;
	g_test_add_data_func_full(name, test, test_fixture, case_free);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const gchar *const *)a, *(const gchar *const *)b);
}

int main(int argc, char **argv)
{
	g_autofree gchar *root = NULL;
	g_autoptr(GDir) dir = NULL;
	g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
	const gchar *name;

	g_test_init(&argc, &argv, NULL);
	root = g_test_build_filename(G_TEST_DIST, "fixtures", NULL);
	dir = g_dir_open(root, 0, NULL);
	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir))) {
		g_autofree gchar *folder = g_build_filename(root, name, NULL);

		if (g_file_test(folder, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(folders, g_steal_pointer(&folder));
	}
	g_ptr_array_sort(folders, compare_names);
	for (guint i = 0; i < folders->len; i++) {
		add_case(folders->pdata[i], "direct", WP_READER_DIRECT);
		add_case(folders->pdata[i], "babeltrace", WP_READER_BABELTRACE);
	}
	return g_test_run();
}
