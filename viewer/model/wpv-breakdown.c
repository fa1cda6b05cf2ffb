/* SPDX-License-Identifier: MIT */
/*
 * wpv-breakdown.c: rows are found by their name, so that two parts of a path, or paths of
 * other windows, meet in the same rows.
 */
#include "config.h"

#include "base/error.h"
#include "export/describe.h"
#include "viewer/model/wpv-breakdown.h"

static const gchar *const by_words[WPV_BY_N] = {"Task", "State", "Host", "Cause"};

const gchar *wpv_by_words(WpvBy by)
{
	return by_words[MIN(by, WPV_BY_N - 1)];
}

/* ---- names ---- */

static gchar *cause_name(WpGraph *graph, const WpSegment *segment, WpCauseInfo *info)
{
	g_autofree gchar *from = NULL;
	WpActor actor;

	wp_cause_info_fill(info, graph, segment);
	actor = info->from;
	if (info->preemptors->len)
		wp_actor_init(&actor, graph, segment->host,
			      g_array_index(info->preemptors, WpPreemptor, 0).task, WP_TIME_MAX);
	if (actor.host != WP_NONE)
		from = wp_actor_dup_text(&actor, graph);
	switch (info->kind) {
	case WP_CAUSE_PACKET:
		if (!from && *info->peer)
			return g_strdup_printf("packets from %s", info->peer);
		return from ? g_strdup_printf("packets from %s", from) : g_strdup("packets");
	case WP_CAUSE_TASK:
		return from ? g_strdup_printf("woken by %s", from) : g_strdup("woken by a task");
	case WP_CAUSE_DISK:
		return g_strdup_printf("disk %s", info->device ? info->device : "unknown");
	case WP_CAUSE_TIMER:
		return g_strdup_printf("timer %s", info->function ? info->function : "unknown");
	case WP_CAUSE_WORKQUEUE:
		return g_strdup_printf("work %s", info->function ? info->function : "unknown");
	case WP_CAUSE_IRQ:
	case WP_CAUSE_SOFTIRQ:
		return g_strdup_printf("%s %s", wp_cause_kind_words(info->kind),
				       info->name ? info->name : "");
	case WP_CAUSE_PREEMPTOR:
		return from ? g_strdup_printf("CPU taken by %s", from) : g_strdup("CPU not given");
	case WP_CAUSE_NONE:
		return g_strdup(wp_state_words(segment->state));
	default:
		return g_strdup(wp_cause_kind_words(info->kind));
	}
}

static gchar *row_name(WpvBy by, WpGraph *graph, const WpSegment *segment, WpCauseInfo *info)
{
	WpActor actor;

	switch (by) {
	case WPV_BY_TASK:
		wp_actor_init(&actor, graph, segment->host, segment->task, WP_TIME_MAX);
		return g_strdup_printf("%s %d @ %s", actor.comm, actor.tid, actor.host_name);
	case WPV_BY_STATE:
		return g_strdup(wp_state_words(segment->state));
	case WPV_BY_HOST:
		return g_strdup(graph->hosts[segment->host]->name);
	case WPV_BY_CAUSE:
	case WPV_BY_N:
		break;
	}
	return cause_name(graph, segment, info);
}

/* What segments of one row have in common without its name being made; 0: it must be. */
static guint64 row_key(WpvBy by, const WpSegment *segment)
{
	switch (by) {
	case WPV_BY_TASK:
		return ((guint64)segment->host << 32 | segment->task) + 1;
	case WPV_BY_STATE:
		return segment->state + 1u;
	case WPV_BY_HOST:
		return segment->host + 1u;
	case WPV_BY_CAUSE:
	case WPV_BY_N:
		break;
	}
	return 0;
}

/* ---- summing up ---- */

typedef struct {
	WpvBreakdown *breakdown; /* borrowed */
	WpGraph *graph; /* borrowed */
	GHashTable *by_name; /* owned: owned gchar * -> index + 1 */
	GHashTable *by_key; /* owned: owned guint64 * -> index + 1 */
	WpCauseInfo info; /* owned members */
} Sum;

static WpvBreakdownRow *row_at(WpvBreakdown *breakdown, guint i)
{
	return &g_array_index(breakdown->rows, WpvBreakdownRow, i);
}

static guint find_named(Sum *sum, const WpSegment *segment)
{
	gchar *name = wpv_take_text(row_name(sum->breakdown->by, sum->graph, segment, &sum->info));
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(sum->by_name, name));
	WpvBreakdownRow row = {.first = segment->begin};

	if (found) {
		g_free(name);
		return found - 1;
	}
	row.name = g_strdup(name);
	g_array_append_val(sum->breakdown->rows, row);
	g_hash_table_insert(sum->by_name, name, GUINT_TO_POINTER(sum->breakdown->rows->len));
	return sum->breakdown->rows->len - 1;
}

static WpvBreakdownRow *find_row(Sum *sum, const WpSegment *segment)
{
	guint64 key = row_key(sum->breakdown->by, segment);
	guint found = 0;

	if (key)
		found = GPOINTER_TO_UINT(g_hash_table_lookup(sum->by_key, &key));
	if (!found) {
		found = find_named(sum, segment) + 1;
		if (key)
			g_hash_table_insert(sum->by_key, g_memdup2(&key, sizeof(key)),
					    GUINT_TO_POINTER(found));
	}
	return row_at(sum->breakdown, found - 1);
}

static gboolean add_part(Sum *sum, const WpPath *part, gboolean other, GCancellable *cancellable,
			 GError **error)
{
	for (guint i = 0; i < part->segments.n; i++) {
		const WpSegment *segment = wp_path_segment(part, i);
		WpTime time = segment->end - segment->begin;
		WpvBreakdownRow *row;

		if ((i & 1023) == 0 && g_cancellable_is_cancelled(cancellable)) {
			g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Cancelled.");
			return FALSE;
		}
		row = find_row(sum, segment);
		if (other) {
			row->other += time;
		} else {
			row->time += time;
			row->by_state[segment->state] += time;
			row->count++;
		}
	}
	return TRUE;
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const WpvBreakdown *breakdown = data;
	const WpvBreakdownRow *x = a, *y = b;
	WpTime p = breakdown->compared ? ABS(x->time - x->other) : x->time;
	WpTime q = breakdown->compared ? ABS(y->time - y->other) : y->time;

	if (p != q)
		return p > q ? -1 : 1;
	return g_strcmp0(x->name, y->name);
}

static void row_clear(gpointer data)
{
	g_free(((WpvBreakdownRow *)data)->name);
}

/* The rows beyond the limit become one. */
static void put_together(WpvBreakdown *breakdown)
{
	guint n = breakdown->rows->len;
	WpvBreakdownRow rest = {0};

	if (n <= WPV_BREAKDOWN_MAX)
		return;
	for (guint i = WPV_BREAKDOWN_MAX - 1; i < n; i++) {
		const WpvBreakdownRow *row = row_at(breakdown, i);

		rest.time += row->time;
		rest.other += row->other;
		rest.count += row->count;
		for (guint state = 0; state < WP_STATE_N; state++)
			rest.by_state[state] += row->by_state[state];
	}
	rest.name = g_strdup_printf("%u others", n - (WPV_BREAKDOWN_MAX - 1));
	rest.first = row_at(breakdown, WPV_BREAKDOWN_MAX - 1)->first;
	g_array_set_size(breakdown->rows, WPV_BREAKDOWN_MAX - 1);
	g_array_append_val(breakdown->rows, rest);
}

static void find_states(WpvBreakdown *breakdown)
{
	for (guint i = 0; i < breakdown->rows->len; i++) {
		WpvBreakdownRow *row = row_at(breakdown, i);

		for (guint8 state = 0; state < WP_STATE_N; state++)
			if (row->by_state[state] > row->by_state[row->state])
				row->state = state;
	}
}

WpvBreakdown *wpv_breakdown_new(WpGraph *graph, const WpPath *part, const WpPath *other, WpvBy by,
				GCancellable *cancellable, GError **error)
{
	g_autoptr(WpvBreakdown) breakdown = g_new0(WpvBreakdown, 1);
	Sum sum = {.breakdown = breakdown, .graph = graph};
	gboolean done;

	breakdown->by = by;
	breakdown->compared = other != NULL;
	breakdown->time = part->end - part->begin;
	breakdown->other = other ? other->end - other->begin : 0;
	breakdown->rows = g_array_new(FALSE, FALSE, sizeof(WpvBreakdownRow));
	g_array_set_clear_func(breakdown->rows, row_clear);
	sum.by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	sum.by_key = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	wp_cause_info_init(&sum.info);
	done = add_part(&sum, part, FALSE, cancellable, error) &&
	       (!other || add_part(&sum, other, TRUE, cancellable, error));
	wp_cause_info_clear(&sum.info);
	g_hash_table_destroy(sum.by_key);
	g_hash_table_destroy(sum.by_name);
	if (!done)
		return NULL;
	g_array_sort_with_data(breakdown->rows, compare_rows, breakdown);
	put_together(breakdown);
	find_states(breakdown);
	return g_steal_pointer(&breakdown);
}

void wpv_breakdown_free(WpvBreakdown *breakdown)
{
	if (!breakdown)
		return;
	g_array_unref(breakdown->rows);
	g_free(breakdown);
}

/* ---- by a thread ---- */

typedef struct {
	WpvDocument *document; /* reference */
	WpvAnswer *answer; /* reference */
	WpvBy by;
	WpTime begin, end, other_begin, other_end;
} Job;

static void job_free(gpointer data)
{
	Job *job = data;

	g_object_unref(job->document);
	g_object_unref(job->answer);
	g_free(job);
}

static void breakdown_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	const Job *job = data;
	g_autoptr(WpPath) part = wpv_answer_dup_part(job->answer, job->begin, job->end);
	g_autoptr(WpPath)
		other = wpv_answer_dup_part(job->answer, job->other_begin, job->other_end);
	g_autoptr(GError) error = NULL;
	WpvBreakdown *breakdown = NULL;

	if (part)
		breakdown = wpv_breakdown_new(wpv_document_get_graph(job->document), part, other,
					      job->by, cancellable, &error);
	if (error)
		g_task_return_error(task, g_steal_pointer(&error));
	else
		g_task_return_pointer(task, breakdown, (GDestroyNotify)wpv_breakdown_free);
}

void wpv_breakdown_new_async(WpvDocument *document, WpvAnswer *answer, WpvBy by, WpTime begin,
			     WpTime end, WpTime other_begin, WpTime other_end,
			     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
	g_autoptr(GTask) task = g_task_new(document, cancellable, callback, data);
	Job *job = g_new(Job, 1);

	*job = (Job){g_object_ref(document),
		     g_object_ref(answer),
		     by,
		     begin,
		     end,
		     other_begin,
		     other_end};
	g_task_set_task_data(task, job, job_free);
	g_task_run_in_thread(task, breakdown_thread);
}

WpvBreakdown *wpv_breakdown_new_finish(GAsyncResult *result, GError **error)
{
	return g_task_propagate_pointer(G_TASK(result), error);
}
