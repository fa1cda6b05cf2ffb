/* SPDX-License-Identifier: MIT */
/*
 * test-thinned.c: one in a hundred events of the recorded traces is taken out at random, and
 * told as lost; then the paths of all tasks are held against those of the whole traces.
 *
 * What is wrong (another host, task or state than the whole trace gives at that time) must be
 * told as lost or unknown, or lie in a segment that says that it overlaps lost events, but for
 * one part in a hundred. And what is told so must not be more than what was lost explains: no
 * answer at all would pass the first check.
 *
 * The clocks of the whole traces are used for both, so that only what happens on the hosts
 * differs. WAITPATH_THINNED_SEEDS is how many times each trace is thinned in each way.
 */
#include "config.h"

#include <stdlib.h>

#include <glib/gstdio.h>

#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "session/feed.h"
#include "sync/sync.h"

#define SHARE 0.01 /* of the events that are taken out */
#define CPUS 64u

/* How the lost events of a CPU lie, and how they are told. */
typedef enum {
	THIN_NOT,
	THIN_SINGLY, /* one here and there, each told by itself */
	THIN_RUNS, /* as many in a row as a full buffer loses */
	THIN_PACKETS /* one here and there, told by the packet: somewhere in 5 ms */
} Thinning;

#define RUN_EVENTS 40u
#define PACKET_NS 5000000

typedef struct {
	WpTime last; /* of the last event that was kept, WP_TIME_MIN */
	guint n_lost; /* since then, or in this packet */
	guint left; /* of a run: still to be taken out */
	WpTime packet; /* its begin */
} ThinCpu;

typedef struct {
	WpFeed *feed; /* borrowed */
	guint trace;
	Thinning how;
	GRand *random; /* owned */
	ThinCpu cpus[CPUS];
	guint64 n_events, n_taken;
} Thinner;

static gboolean give(Thinner *t, const WpEvent *event, GError **error)
{
	g_autofree WpEvent *copy = g_memdup2(event, wp_event_size(event));

	return wp_feed_event(t->feed, t->trace, copy, error);
}

/* n events of a CPU were lost between begin and end. */
static gboolean tell(Thinner *t, const WpEvent *at, WpTime begin, guint n, GError **error)
{
	const gsize size = sizeof(WpEvent) + wp_event_kind_n_values(WP_EV_LOST) * sizeof(WpValue);
	g_autofree WpEvent *lost = g_malloc0(size);

	lost->time = at->time;
	lost->cpu = at->cpu;
	lost->stream = at->stream;
	lost->kind = WP_EV_LOST;
	lost->n_values = (guint8)wp_event_kind_n_values(WP_EV_LOST);
	lost->v[WP_LOST_BEGIN].i = begin;
	lost->v[WP_LOST_COUNT].u = n;
	lost->present = 1u << WP_LOST_BEGIN | 1u << WP_LOST_COUNT;
	return wp_feed_event(t->feed, t->trace, lost, error);
}

static gboolean is_taken(Thinner *t, ThinCpu *cpu)
{
	if (cpu->left) {
		cpu->left--;
		return TRUE;
	}
	switch (t->how) {
	case THIN_SINGLY:
	case THIN_PACKETS:
		return g_rand_double(t->random) < SHARE;
	case THIN_RUNS:
		if (g_rand_double(t->random) >= SHARE / RUN_EVENTS)
			return FALSE;
		cpu->left = RUN_EVENTS - 1;
		return TRUE;
	case THIN_NOT:
		break;
	}
	return FALSE;
}

/* In the way of WP_EV_LOST: told before the first event that was not lost. */
static gboolean tell_before(Thinner *t, ThinCpu *cpu, const WpEvent *event, GError **error)
{
	WpTime begin = cpu->last == WP_TIME_MIN ? event->time : cpu->last;

	if (t->how == THIN_PACKETS) {
		if (event->time - cpu->packet < PACKET_NS)
			return TRUE;
		begin = cpu->packet;
		cpu->packet = event->time;
	}
	if (cpu->n_lost && !tell(t, event, begin, cpu->n_lost, error))
		return FALSE;
	cpu->n_lost = 0;
	return TRUE;
}

static gboolean on_event(const WpEvent *event, gpointer data, GError **error)
{
	Thinner *t = data;
	ThinCpu *cpu = &t->cpus[event->cpu == WP_NONE ? 0 : event->cpu % CPUS];

	if (event->kind == WP_EV_LOST)
		return give(t, event, error);
	t->n_events++;
	if (cpu->last == WP_TIME_MIN)
		cpu->packet = event->time;
	if (is_taken(t, cpu)) {
		cpu->n_lost++;
		t->n_taken++;
		return TRUE;
	}
	if (!tell_before(t, cpu, event, error))
		return FALSE;
	cpu->last = event->time;
	return give(t, event, error);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const gchar *const *)a, *(const gchar *const *)b);
}

/* All kernel traces below a folder: its hosts' or its own. */
static GPtrArray *find_traces(const gchar *folder)
{
	GPtrArray *traces = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const gchar *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *trace = g_build_filename(folder, name, "trace", "kernel", NULL);

		if (g_file_test(trace, G_FILE_TEST_IS_DIR))
			g_ptr_array_add(traces, g_steal_pointer(&trace));
	}
	g_ptr_array_sort(traces, by_name);
	return traces;
}

static WpAnalysis *analyse(const WpOptions *options, const GPtrArray *traces, Thinning how,
			   guint32 seed, guint64 *ret_taken)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(WpFeed) feed = wp_feed_new(options, &error);
	WpAnalysis *analysis;

	g_assert_no_error(error);
	*ret_taken = 0;
	for (guint i = 0; i < traces->len; i++) {
		g_autoptr(WpReader) reader = wp_ctf_reader_open(traces->pdata[i],
								wp_feed_get_layout(feed), &error);
		Thinner t = {.feed = feed, .how = how};

		g_assert_no_error(error);

		const guint n_streams = reader->info.n_streams;

		t.trace = wp_feed_add_trace(feed, &reader->info);
		/* The feed has taken all of it. */
		reader->info.n_streams = n_streams;
		reader->info.path = g_strdup(traces->pdata[i]);
		t.random = g_rand_new_with_seed(seed * 1000 + i);
		for (guint cpu = 0; cpu < CPUS; cpu++)
			t.cpus[cpu].last = WP_TIME_MIN;
		wp_merge_run(&reader, 1, 1, on_event, &t, NULL, NULL,
			     wp_feed_get_findings(feed, t.trace), NULL, &error);
		g_assert_no_error(error);
		*ret_taken += t.n_taken;
		g_rand_free(t.random);
	}
	analysis = wp_feed_analyse(feed, TRUE, NULL, &error);
	g_assert_no_error(error);
	return analysis;
}

/* ---- the comparison ---- */

typedef struct {
	WpTime all; /* path time that was compared */
	WpTime told; /* as lost or unknown, or overlapping it */
	WpTime wrong; /* and not told */
	WpTime worst; /* wrong, of one task */
	gchar *worst_name; /* owned */
} Verdict;

static WpTask *find_task(const WpGraph *graph, guint host, const WpTask *like, WpId *ret_task)
{
	WpHost *h = graph->hosts[host];
	WpTask *found = NULL;
	WpTime most = 0;

	/* Its fork or exit may be lost: the task of this tid that lived with it longest. */
	for (WpId i = 0; i < h->tasks.n; i++) {
		WpTask *task = wp_host_task(h, i);
		const WpTime both = MIN(task->end, like->end) - MAX(task->begin, like->begin);

		if (task->tid != like->tid || both <= most)
			continue;
		most = both;
		found = task;
		*ret_task = i;
	}
	return found;
}

/* How much of a piece of the path is told as not known. */
static WpTime told_time(const WpGraph *graph, const WpSegment *s, WpTime from, WpTime to)
{
	const WpHost *host = graph->hosts[s->host];
	WpTime told = 0, until = from;

	if (s->state == WP_STATE_LOST || s->state == WP_STATE_UNKNOWN)
		return to - from;
	if (!(s->flags & WP_SEGMENT_LOST))
		return 0;
	for (guint64 i = 0; i < host->losses.n; i++) {
		const WpLoss *loss = &WP_AT(&host->losses, WpLoss, i);
		const WpTime begin = MAX(wp_graph_time(graph, s->host, loss->begin), until);
		const WpTime end = MIN(wp_graph_time(graph, s->host, loss->end), to);

		if (loss->cpu != s->cpu || begin >= end)
			continue;
		told += end - begin;
		until = end;
	}
	return told;
}

static gboolean is_same(const WpGraph *a, const WpSegment *x, const WpGraph *b, const WpSegment *y)
{
	return x->host == y->host && x->state == y->state &&
	       wp_host_task(a->hosts[x->host], x->task)->tid ==
		       wp_host_task(b->hosts[y->host], y->task)->tid;
}

static void print_difference(const WpGraph *a, const WpSegment *x, const WpGraph *b,
			     const WpSegment *y, WpTime from, WpTime to)
{
	const WpTask *s = wp_host_task(a->hosts[x->host], x->task);
	const WpTask *t = wp_host_task(b->hosts[y->host], y->task);

	g_test_message("%" G_GINT64_FORMAT " for %" G_GINT64_FORMAT
		       " ns: %s %s %d at %u, not %s %s %d "
		       "at %u",
		       from, to - from, wp_state_key(y->state), b->hosts[y->host]->name, t->tid,
		       y->depth, wp_state_key(x->state), a->hosts[x->host]->name, s->tid, x->depth);
}

static WpTime compare_paths(const WpGraph *a, const WpPath *whole, const WpGraph *b,
			    const WpPath *thin, Verdict *verdict)
{
	const gboolean talk = g_getenv("WAITPATH_THINNED_TALK") != NULL;
	WpTime wrong = 0;

	for (guint i = 0, j = 0; i < whole->segments.n && j < thin->segments.n;) {
		const WpSegment *x = wp_path_segment(whole, i);
		const WpSegment *y = wp_path_segment(thin, j);
		const WpTime from = MAX(x->begin, y->begin), to = MIN(x->end, y->end);
		WpTime told;

		verdict->all += to - from;
		told = told_time(b, y, from, to);
		verdict->told += told;
		if (!is_same(a, x, b, y)) {
			wrong += to - from - told;
			if (talk && to - from - told > 100000)
				print_difference(a, x, b, y, from, to);
		}
		i += x->end == to;
		j += y->end == to;
	}
	return wrong;
}

static void compare_task(WpGraph *a, WpGraph *b, guint host, WpId id, Verdict *verdict)
{
	const WpTask *task = wp_host_task(a->hosts[host], id);
	WpTask *other;
	WpId other_id;
	WpTime begin, end, wrong;

	/* Kernel threads are looked at where the paths of others lead to them. */
	if (task->kind == WP_TASK_KERNEL || task->n_segments < 4 ||
	    !(other = find_task(b, host, task, &other_id)))
		return;
	begin = wp_graph_time(a, host, MAX(task->begin, other->begin));
	end = wp_graph_time(a, host, MIN(task->end, other->end));
	if (begin >= end)
		return;

	g_autoptr(WpPath)
		whole = wp_path_compute(a, host, id, begin, end, WP_PATH_ACTIVE, NULL, NULL);
	g_autoptr(WpPath)
		thin = wp_path_compute(b, host, other_id, begin, end, WP_PATH_ACTIVE, NULL, NULL);

	if (g_getenv("WAITPATH_THINNED_TALK"))
		g_test_message("%s %d %s", a->hosts[host]->name, task->tid,
			       wp_strings_get(a->hosts[host]->strings, task->comm));
	wrong = compare_paths(a, whole, b, thin, verdict);
	verdict->wrong += wrong;
	if (wrong <= verdict->worst)
		return;
	verdict->worst = wrong;
	g_free(verdict->worst_name);
	verdict->worst_name = g_strdup_printf("%s:%d of %.0f ms", a->hosts[host]->name, task->tid,
					      (gdouble)(end - begin) / 1e6);
}

static void compare(WpGraph *a, WpGraph *b, Verdict *verdict)
{
	g_assert_cmpuint(a->n_hosts, ==, b->n_hosts);
	for (guint host = 0; host < a->n_hosts; host++)
		for (WpId id = 0; id < a->hosts[host]->tasks.n; id++)
			compare_task(a, b, host, id, verdict);
}

static const gchar *const ways[] = {
	[THIN_SINGLY] = "singly", [THIN_RUNS] = "runs", [THIN_PACKETS] = "packets"};

static void thin(const WpOptions *options, WpAnalysis *whole, const GPtrArray *traces, Thinning how,
		 guint n_seeds)
{
	Verdict verdict = {0};
	guint64 taken = 0;

	for (guint32 seed = 1; seed <= n_seeds; seed++) {
		guint64 n;
		g_autoptr(WpAnalysis) damaged = analyse(options, traces, how, seed, &n);

		taken += n;
		compare(whole->graph, damaged->graph, &verdict);
	}
	g_test_message(
		"%s: %" G_GUINT64_FORMAT " events taken out; of %.1f s of paths %.3f %% wrong "
		"and not told, %.2f %% told; worst %.2f ms of %s",
		ways[how], taken, (gdouble)verdict.all / 1e9,
		100.0 * (gdouble)verdict.wrong / (gdouble)verdict.all,
		100.0 * (gdouble)verdict.told / (gdouble)verdict.all, (gdouble)verdict.worst / 1e6,
		verdict.worst_name ? verdict.worst_name : "none");
	g_assert_cmpuint(taken, >, 0);
	if (verdict.wrong > verdict.all / 100)
		g_test_fail_printf("%s: more than 1 %% of the paths is wrong and not told",
				   ways[how]);
	g_free(verdict.worst_name);
}

static guint seeds(void)
{
	const gchar *text = g_getenv("WAITPATH_THINNED_SEEDS");

	return text ? (guint)CLAMP(atoi(text), 1, 1000) : 2;
}

static void test_scenario(gconstpointer data)
{
	g_autoptr(GPtrArray) traces = find_traces(data);
	g_autoptr(GError) error = NULL;
	g_autoptr(WpAnalysis) whole = NULL;
	WpOptions options;
	guint64 none;

	wp_options_init(&options);
	whole = analyse(&options, traces, THIN_NOT, 0, &none);
	options.sync_file = g_build_filename(g_get_tmp_dir(), "waitpath-thinned-XXXXXX", NULL);
	g_close(g_mkstemp(options.sync_file), NULL);
	wp_sync_save(whole->graph, whole->sync, options.sync_file, &error);
	g_assert_no_error(error);
	wp_analysis_free(g_steal_pointer(&whole));
	whole = analyse(&options, traces, THIN_NOT, 0, &none);
	for (Thinning how = THIN_SINGLY; how <= THIN_PACKETS; how++)
		thin(&options, whole, traces, how, seeds());
	g_remove(options.sync_file);
	wp_options_clear(&options);
}

static void test_none(void)
{
	g_test_skip("there are no shared traces (WAITPATH_SHARED)");
}

gint main(gint argc, gchar **argv)
{
	const gchar *shared = g_getenv("WAITPATH_SHARED");
	g_autofree gchar *recorded = NULL;
	g_autoptr(GDir) dir = NULL;
	const gchar *name;

	g_test_init(&argc, &argv, NULL);
	if (shared)
		recorded = g_build_filename(shared, "traces", "recorded", NULL);
	if (recorded)
		dir = g_dir_open(recorded, 0, NULL);
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree gchar *test = g_strdup_printf("/thinned/%s", name);
		gchar *folder = g_build_filename(recorded, name, NULL);

		if (g_file_test(folder, G_FILE_TEST_IS_DIR))
			g_test_add_data_func_full(test, folder, test_scenario, g_free);
		else
			g_free(folder);
	}
	if (!dir)
		g_test_add_func("/thinned/none", test_none);
	return g_test_run();
}
