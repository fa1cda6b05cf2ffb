/* SPDX-License-Identifier: MIT */
/*
 * text-path.c: the critical path for people: the sentence, the shares by task,
 * state and host, with -v the segments as a timeline, and how far to trust it.
 */
#include "config.h"

#include "base/intmap.h"
#include "export/describe.h"
#include "export/sentence.h"
#include "export/text-private.h"
#include "path/edge.h"

#define BAR_COLUMNS 24
#define NAME_COLUMNS_MAX 40
#define ROWS_SHOWN 10
#define SAME_NAME_MIN 6 /* tasks of one name that are put together */
#define INDENT_MAX 16

static void put_head(WpOut *out, const WpTextStyle *style, const WpPathReport *report,
		     const WpTotals *totals)
{
	const WpPath *path = report->path;
	const WpGraph *graph = report->graph;
	g_autofree gchar *sentence = wp_path_dup_sentence(path, report->graph, totals);
	g_autofree gchar *safe = wp_text_dup_safe(sentence);
	g_autofree gchar *task = wp_text_dup_task(graph, path->host, path->task);
	WpText begin, end;

	wp_text_heading(out, style, "%s", safe);
	wp_out_printf(out, "\n%s path of %s, %s to %s on the clock of %s\n",
		      path->mode == WP_PATH_CAUSAL ? "Causal" : "Active", task,
		      wp_date_text(&begin, path->begin), wp_clock_text(&end, path->end),
		      graph->hosts[graph->reference]->name);
}

/* The columns of all three tables; n_states of the most frequent states are named. */
static void put_row(WpOut *out, const WpTextStyle *style, const gchar *name, guint width,
		    WpTime time, const WpTime by_state[WP_STATE_N], WpTime whole, guint n_states)
{
	WpText text;
	guint drawn;

	wp_out_put(out, "  ");
	wp_text_padded(out, name, width);
	wp_out_printf(out, "  %8s", wp_duration_text(&text, time));
	wp_out_printf(out, "  %7s", wp_share_text(&text, time, whole));
	drawn = wp_text_bar(out, style, by_state, whole, BAR_COLUMNS);
	if (n_states > 0)
		wp_out_repeat(out, " ", BAR_COLUMNS + 4 - drawn);
	wp_text_states(out, style, by_state, n_states);
	wp_out_putc(out, '\n');
}

/* One row of the table: a task, or all tasks of one name where they are many. */
typedef struct {
	const WpTaskTotal *most; /* borrowed: the one of them with most time */
	guint n_tasks;
	WpTime time;
	WpTime by_state[WP_STATE_N];
} Row;

static void row_add(Row *row, const WpTaskTotal *total)
{
	if (!row->most || wp_task_total_compare(total, row->most) < 0)
		row->most = total;
	row->n_tasks++;
	row->time += total->time;
	for (guint state = 0; state < WP_STATE_N; state++)
		row->by_state[state] += total->by_state[state];
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
	const Row *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return wp_task_total_compare(x->most, y->most);
}

/* All tasks of the path by name: groups has the row of a host and comm. */
static GArray *make_groups(WpIntMap *groups, const WpGraph *graph, const WpTotals *totals)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(Row));

	for (guint i = 0; i < totals->tasks->len; i++) {
		const WpTaskTotal *total = &g_array_index(totals->tasks, WpTaskTotal, i);
		guint32 at = wp_intmap_add(groups, wp_task_total_group(total, graph), rows->len);

		if (at == rows->len)
			g_array_set_size(rows, at + 1);
		row_add(&g_array_index(rows, Row, at), total);
	}
	return rows;
}

/* The rows, the most time first: groups of few tasks are dissolved. Owned by the caller. */
static GArray *make_rows(const WpGraph *graph, const WpTotals *totals)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
	WpIntMap groups;

	wp_intmap_init(&groups);

	g_autoptr(GArray) grouped = make_groups(&groups, graph, totals);

	for (guint i = 0; i < totals->tasks->len; i++) {
		const WpTaskTotal *total = &g_array_index(totals->tasks, WpTaskTotal, i);
		guint32 at = wp_intmap_get(&groups, wp_task_total_group(total, graph));

		if (g_array_index(grouped, Row, at).n_tasks < SAME_NAME_MIN) {
			Row single = {0};

			row_add(&single, total);
			g_array_append_val(rows, single);
		}
	}
	for (guint i = 0; i < grouped->len; i++)
		if (g_array_index(grouped, Row, i).n_tasks >= SAME_NAME_MIN)
			g_array_append_val(rows, g_array_index(grouped, Row, i));
	wp_intmap_clear(&groups);
	g_array_sort(rows, compare_rows);
	return rows;
}

static gchar *dup_row_name(const Row *row, const WpGraph *graph)
{
	return row->n_tasks > 1
		       ? wp_text_dup_group(graph, row->most->host, row->most->task, row->n_tasks)
		       : wp_text_dup_task(graph, row->most->host, row->most->task);
}

static void put_tasks(WpOut *out, const WpTextStyle *style, const WpGraph *graph,
		      const WpTotals *totals)
{
	g_autoptr(GArray) rows = make_rows(graph, totals);
	guint n = MIN(style->top > 0 ? style->top : ROWS_SHOWN, rows->len), width = 16;
	g_auto(GStrv) names = g_new0(gchar *, n + 1);
	Row rest = {0};

	for (guint i = 0; i < n; i++) {
		names[i] = dup_row_name(&g_array_index(rows, Row, i), graph);
		width = MAX(width, wp_text_columns(names[i]));
	}
	width = MIN(width, NAME_COLUMNS_MAX);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "By task");
	for (guint i = 0; i < rows->len; i++) {
		const Row *row = &g_array_index(rows, Row, i);

		if (i < n)
			put_row(out, style, names[i], width, row->time, row->by_state, totals->time,
				3);
		rest.time += i < n ? 0 : row->time;
		for (guint state = 0; i >= n && state < WP_STATE_N; state++)
			rest.by_state[state] += row->by_state[state];
	}
	if (rest.time > 0) {
		g_autofree gchar *name = g_strdup_printf("%u more (--top N)", rows->len - n);

		put_row(out, style, name, width, rest.time, rest.by_state, totals->time, 3);
	}
}

static void put_by_state(WpOut *out, const WpTextStyle *style, const WpTotals *totals)
{
	WpState order[WP_STATE_N];
	guint n = wp_states_by_time(totals->by_state, order), width = 16;

	for (guint i = 0; i < n; i++)
		width = MAX(width, wp_text_columns(wp_state_words(order[i])));
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "By state");
	for (guint i = 0; i < n; i++) {
		WpTime one[WP_STATE_N] = {0};

		one[order[i]] = totals->by_state[order[i]];
		put_row(out, style, wp_state_words(order[i]), width, one[order[i]], one,
			totals->time, 0);
	}
}

static void put_by_host(WpOut *out, const WpTextStyle *style, const WpGraph *graph,
			const WpTotals *totals)
{
	guint n;
	g_autofree guint *hosts = wp_totals_hosts_by_time(totals, &n);

	if (graph->n_hosts < 2)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "By host");
	for (guint i = 0; i < n; i++) {
		WpTime by_state[WP_STATE_N] = {0};

		for (guint j = 0; j < totals->tasks->len; j++) {
			const WpTaskTotal *t = &g_array_index(totals->tasks, WpTaskTotal, j);

			for (guint state = 0; t->host == hosts[i] && state < WP_STATE_N; state++)
				by_state[state] += t->by_state[state];
		}
		put_row(out, style, graph->hosts[hosts[i]]->name, 16, totals->by_host[hosts[i]],
			by_state, totals->time, 3);
	}
}

/* ---- the timeline ---- */

static gboolean is_cpu(WpState state)
{
	return state == WP_STATE_RUNNING || state == WP_STATE_IRQ || state == WP_STATE_SOFTIRQ;
}

/* Whether two segments, one behind the other, make one line: what the graph has split. */
static gboolean is_one_line(const WpSegment *a, const WpSegment *b)
{
	if (a->host != b->host || a->task != b->task || a->depth != b->depth)
		return FALSE;
	if (a->cpu != b->cpu)
		return FALSE;
	if (is_cpu(a->state) && is_cpu(b->state))
		return TRUE;
	return a->state == b->state &&
	       (a->state == WP_STATE_RUNNABLE || a->state == WP_STATE_PREEMPTED);
}

/* What one line shows: some segments put together. */
typedef struct {
	WpSegment whole; /* the first, up to the end of the last */
	WpTime interrupted; /* of a line of running */
	gboolean comes_back; /* the path was with another task before, for this one's wait */
} Line;

/* Fills the line that begins with segment i; the last segment of it. */
static guint fill_line(Line *line, const WpPath *path, guint i, const WpTextStyle *style)
{
	const WpSegment *s = wp_path_segment(path, i);

	*line = (Line){.whole = *s};
	line->comes_back = i > 0 && wp_path_segment(path, i - 1)->depth > s->depth &&
			   !wp_state_is_wait(s->state);
	for (;; i++) {
		s = wp_path_segment(path, i);
		line->whole.end = s->end;
		line->whole.flags |= s->flags;
		if (s->state == WP_STATE_RUNNING)
			line->whole.state = WP_STATE_RUNNING;
		else if (is_cpu(s->state))
			line->interrupted += s->end - s->begin;
		if (style->verbose > 1 || i + 1 == path->segments.n ||
		    !is_one_line(s, wp_path_segment(path, i + 1)))
			return i;
	}
}

/* Why the path comes back to a task from another: what that one did for it. */
static void put_waker(WpOut *out, WpGraph *graph, const WpSegment *s, WpCauseInfo *info)
{
	g_autofree gchar *text = NULL;

	if (!wp_cause_info_fill_wait(info, graph, s))
		return;
	text = wp_cause_info_dup_text(info, graph, s);
	if (text) {
		g_autofree gchar *safe = wp_text_dup_safe(text);

		wp_out_printf(out, "; %s%s", info->kind == WP_CAUSE_TASK ? "" : "ended by ", safe);
	}
}

/* When, how long, and who, indented by depth. */
static void put_line_head(WpOut *out, const WpGraph *graph, const WpSegment *s, WpTime begin)
{
	WpActor actor;
	WpText text;

	wp_actor_init(&actor, graph, s->host, s->task, s->begin);

	g_autofree gchar *name = wp_actor_dup_text(&actor, graph);
	g_autofree gchar *safe = wp_text_dup_safe(name);

	wp_out_printf(out, "  %15s", wp_offset_text(&text, s->begin - begin));
	wp_out_printf(out, "  %8s  ", wp_duration_text(&text, s->end - s->begin));
	wp_out_repeat(out, "  ", MIN(s->depth, INDENT_MAX));
	if (s->depth > INDENT_MAX)
		wp_out_printf(out, "(%u) ", s->depth);
	wp_out_printf(out, "%s (%d) ", safe, actor.tid);
}

static void put_line(WpOut *out, const WpTextStyle *style, const WpPathReport *report,
		     const Line *line, WpCauseInfo *info)
{
	const WpSegment *s = &line->whole;
	guint32 cpu = wp_segment_cpu(report->graph, s);
	WpText text;

	put_line_head(out, report->graph, s, report->path->begin);
	wp_text_colour_on(out, style, s->state);
	wp_out_put(out, wp_state_key(s->state));
	wp_text_colour_off(out, style);
	if (is_cpu(s->state) && cpu != WP_NONE)
		wp_out_printf(out, " on CPU %u", cpu);
	if (s->state == WP_STATE_RUNNING && line->interrupted > 0)
		wp_out_printf(out, ", interrupts %s", wp_duration_text(&text, line->interrupted));
	wp_cause_info_fill(info, report->graph, s);

	g_autofree gchar *cause = wp_cause_info_dup_text(info, report->graph, s);

	if (cause) {
		g_autofree gchar *safe_cause = wp_text_dup_safe(cause);

		wp_out_printf(out, ": %s", safe_cause);
	}
	if (line->comes_back)
		put_waker(out, report->graph, s, info);
	if (s->flags & WP_SEGMENT_LOST)
		wp_out_put(out, " (events lost meanwhile)");
	if (s->flags & WP_SEGMENT_BELOW_ERROR)
		wp_out_put(out, " (shorter than the clock error)");
	wp_out_putc(out, '\n');
}

static void put_timeline(WpOut *out, const WpTextStyle *style, const WpPathReport *report)
{
	const WpPath *path = report->path;
	WpCauseInfo info;
	Line line;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Segments (when after the window's begin, how long, who)");
	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !wp_out_is_failed(out); i++) {
		i = fill_line(&line, path, i, style);
		put_line(out, style, report, &line, &info);
	}
	wp_cause_info_clear(&info);
}

/* ---- trust ---- */

static void put_doubt(WpOut *out, guint *n, const gchar *text)
{
	wp_out_printf(out, "%s%s", *n > 0 ? "; " : "  ", text);
	++*n;
}

static void put_quality(WpOut *out, const WpTextStyle *style, const WpPathReport *report,
			const WpTotals *totals)
{
	const WpQuality *q = report->quality;
	guint n = 0;
	WpText time, share, count;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Quality");
	if (q->lost_events > 0 || q->lost_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s events lost in the traces, %s of this path in such times",
			q->lost_events > 0 ? wp_count_text(&count, q->lost_events) : "unknown many",
			wp_duration_text(&time, q->path_in_lost));

		put_doubt(out, &n, text);
	}
	if (q->unknown_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s (%s) unknown", wp_duration_text(&time, q->unknown_ns),
			wp_share_words(&share, q->unknown_ns, totals->time));

		put_doubt(out, &n, text);
	}
	if (q->missing_wakeups > 0) {
		g_autofree gchar *text = g_strdup_printf("%s waits in the traces ended without a "
							 "wake-up",
							 wp_count_text(&count, q->missing_wakeups));

		put_doubt(out, &n, text);
	}
	if (q->below_clock_error_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s (%s) in flights shorter than their clock error",
			wp_duration_text(&time, q->below_clock_error_ns),
			wp_share_words(&share, q->below_clock_error_ns, totals->time));

		put_doubt(out, &n, text);
	}
	if (q->max_clock_error > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"clocks agree to +-%s where the path "
			"changes hosts",
			wp_duration_text(&time, q->max_clock_error));

		put_doubt(out, &n, text);
	}
	if (report->path->n_inconsistent > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s causes could not be followed",
			wp_count_text(&count, report->path->n_inconsistent));

		put_doubt(out, &n, text);
	}
	wp_out_put(out, n > 0 ? ".\n" : "  Nothing lost, nothing unknown.\n");
}

static void put_without(WpOut *out, const WpPathReport *report)
{
	const WpWithout *without = report->without;
	WpText removed, remaining;

	wp_out_printf(out,
		      "\nWithout %s, which has %s of the path, at least %s would remain: a lower "
		      "bound, since\nother waits may take its place.\n",
		      report->without_text, wp_duration_text(&removed, without->removed),
		      wp_duration_text(&remaining, without->remaining));
}

void wp_text_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style)
{
	const WpTotals *totals = report->totals;

	put_head(out, style, report, totals);
	if (report->without)
		put_without(out, report);
	put_tasks(out, style, report->graph, totals);
	put_by_state(out, style, totals);
	put_by_host(out, style, report->graph, totals);
	if (style->verbose > 0)
		put_timeline(out, style, report);
	put_quality(out, style, report, totals);
	if (style->quiet)
		return;
	wp_text_findings(out, style, report->findings);
	if (style->verbose == 0)
		wp_out_printf(out, "\n%u segment%s; -v lists %s.\n", report->path->segments.n,
			      report->path->segments.n == 1 ? "" : "s",
			      report->path->segments.n == 1 ? "it" : "them");
}
