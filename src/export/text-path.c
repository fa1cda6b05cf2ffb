/* SPDX-License-Identifier: MIT */
/*
 * text-path.c: the critical path for people: the sentence, the shares by task,
 * state and host, with -v the segments as a timeline, and how far to trust it.
 */
#include "config.h"

#include "export/describe.h"
#include "export/sentence.h"
#include "export/text-private.h"

#define BAR_COLUMNS 24
#define NAME_COLUMNS_MAX 40
#define ROWS_SHOWN 10
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

/* time, share, bar, name: the columns of all three tables. */
static void put_row(WpOut *out, const WpTextStyle *style, const gchar *name, guint width,
		    WpTime time, const WpTime by_state[WP_STATE_N], WpTime whole)
{
	WpText text;

	wp_out_put(out, "  ");
	wp_text_padded(out, name, width);
	wp_out_printf(out, "  %8s", wp_duration_text(&text, time));
	wp_out_printf(out, "  %7s  ", wp_share_text(&text, time, whole));
	wp_text_bar(out, style, by_state, whole, BAR_COLUMNS);
}

static void put_tasks(WpOut *out, const WpTextStyle *style, const WpGraph *graph,
		      const WpTotals *totals)
{
	guint top = style->top > 0 ? style->top : ROWS_SHOWN;
	guint n = MIN(top, totals->tasks->len), width = 0;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	WpTime rest[WP_STATE_N] = {0}, rest_time = 0;

	for (guint i = 0; i < n; i++) {
		const WpTaskTotal *t = &g_array_index(totals->tasks, WpTaskTotal, i);
		gchar *name = wp_text_dup_task(graph, t->host, t->task);

		width = MAX(width, wp_text_columns(name));
		g_ptr_array_add(names, name);
	}
	width = CLAMP(width, 16, NAME_COLUMNS_MAX);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "By task");
	for (guint i = 0; i < totals->tasks->len; i++) {
		const WpTaskTotal *t = &g_array_index(totals->tasks, WpTaskTotal, i);

		if (i < n) {
			put_row(out, style, names->pdata[i], width, t->time, t->by_state,
				totals->time);
			wp_out_put(out, "  ");
			wp_text_states(out, style, t->by_state, 3);
			wp_out_putc(out, '\n');
			continue;
		}
		rest_time += t->time;
		for (guint state = 0; state < WP_STATE_N; state++)
			rest[state] += t->by_state[state];
	}
	if (rest_time > 0) {
		g_autofree gchar *name = g_strdup_printf("%u more tasks", totals->tasks->len - n);

		put_row(out, style, name, width, rest_time, rest, totals->time);
		wp_out_put(out, "  ");
		wp_text_states(out, style, rest, 3);
		wp_out_putc(out, '\n');
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
			totals->time);
		wp_out_printf(out, "  %s\n", wp_state_key(order[i]));
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
			by_state, totals->time);
		wp_out_put(out, "  ");
		wp_text_states(out, style, by_state, 3);
		wp_out_putc(out, '\n');
	}
}

/* ---- the timeline ---- */

static gboolean is_cpu(WpState state)
{
	return state == WP_STATE_RUNNING || state == WP_STATE_IRQ || state == WP_STATE_SOFTIRQ;
}

/*
 * Segments i to the result are one line: running with the interrupts in between, and what the
 * graph or a tick has split.
 */
static guint line_end(const GArray *segments, guint i, const WpTextStyle *style)
{
	const WpSegment *first = &g_array_index(segments, WpSegment, i);

	while (style->verbose < 2 && i + 1 < segments->len) {
		const WpSegment *next = &g_array_index(segments, WpSegment, i + 1);

		if (!is_cpu(first->state) || !is_cpu(next->state) || next->host != first->host ||
		    next->task != first->task || next->depth != first->depth ||
		    next->cpu != first->cpu)
			break;
		i++;
	}
	return i;
}

static void put_line(WpOut *out, const WpTextStyle *style, const WpPathReport *report, guint from,
		     guint to, WpCauseInfo *info)
{
	const GArray *segments = report->path->segments;
	const WpSegment *s = &g_array_index(segments, WpSegment, from);
	WpTime end = g_array_index(segments, WpSegment, to).end;
	WpTime by_state[WP_STATE_N] = {0};
	WpState state = s->state;
	WpActor actor;
	WpText text;
	guint32 cpu = wp_segment_cpu(report->graph, s);

	for (guint i = from; i <= to; i++) {
		const WpSegment *part = &g_array_index(segments, WpSegment, i);

		by_state[part->state] += part->end - part->begin;
		if (part->state == WP_STATE_RUNNING)
			state = WP_STATE_RUNNING;
	}
	wp_actor_init(&actor, report->graph, s->host, s->task, s->begin);

	g_autofree gchar *name = wp_actor_dup_text(&actor, report->graph);
	g_autofree gchar *safe = wp_text_dup_safe(name);

	wp_out_printf(out, "  %15s", wp_offset_text(&text, s->begin - report->path->begin));
	wp_out_printf(out, "  %8s  ", wp_duration_text(&text, end - s->begin));
	wp_out_repeat(out, "  ", MIN(s->depth, INDENT_MAX));
	if (s->depth > INDENT_MAX)
		wp_out_printf(out, "(%u) ", s->depth);
	wp_out_printf(out, "%s (%d) ", safe, actor.tid);
	wp_text_colour_on(out, style, state);
	wp_out_put(out, wp_state_key(state));
	wp_text_colour_off(out, style);
	if (is_cpu(state) && cpu != WP_NONE)
		wp_out_printf(out, " on CPU %u", cpu);
	if (to > from && by_state[WP_STATE_IRQ] + by_state[WP_STATE_SOFTIRQ] > 0)
		wp_out_printf(out, ", interrupts %s",
			      wp_duration_text(&text, by_state[WP_STATE_IRQ] +
							      by_state[WP_STATE_SOFTIRQ]));
	wp_cause_info_fill(info, report->graph, s);

	g_autofree gchar *cause = wp_cause_info_dup_text(info, report->graph, s);

	if (cause) {
		g_autofree gchar *safe_cause = wp_text_dup_safe(cause);

		wp_out_printf(out, ": %s", safe_cause);
	}
	if (s->flags & WP_SEGMENT_LOST)
		wp_out_put(out, " (events lost meanwhile)");
	if (s->flags & WP_SEGMENT_BELOW_ERROR)
		wp_out_put(out, " (shorter than the clock error)");
	wp_out_putc(out, '\n');
}

static void put_timeline(WpOut *out, const WpTextStyle *style, const WpPathReport *report)
{
	const GArray *segments = report->path->segments;
	WpCauseInfo info;

	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Segments (when after the window's begin, how long, who)");
	wp_cause_info_init(&info);
	for (guint i = 0; i < segments->len; i++) {
		guint to = line_end(segments, i, style);

		put_line(out, style, report, i, to, &info);
		i = to;
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
	WpQuality q;
	guint n = 0;
	WpText time, share, count;

	wp_quality_compute(&q, report->path, report->graph);
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Quality");
	if (q.lost_events > 0 || q.lost_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s events lost in the traces, %s of this path in such times",
			q.lost_events > 0 ? wp_count_text(&count, q.lost_events) : "unknown many",
			wp_duration_text(&time, q.path_in_lost));

		put_doubt(out, &n, text);
	}
	if (q.unknown_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s (%s) unknown", wp_duration_text(&time, q.unknown_ns),
			wp_share_words(&share, q.unknown_ns, totals->time));

		put_doubt(out, &n, text);
	}
	if (q.missing_wakeups > 0) {
		g_autofree gchar *text = g_strdup_printf("%s waits in the traces ended without a "
							 "wake-up",
							 wp_count_text(&count, q.missing_wakeups));

		put_doubt(out, &n, text);
	}
	if (q.below_clock_error_ns > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"%s (%s) in flights shorter than their clock error",
			wp_duration_text(&time, q.below_clock_error_ns),
			wp_share_words(&share, q.below_clock_error_ns, totals->time));

		put_doubt(out, &n, text);
	}
	if (q.max_clock_error > 0) {
		g_autofree gchar *text = g_strdup_printf(
			"clocks agree to +-%s where the path "
			"changes hosts",
			wp_duration_text(&time, q.max_clock_error));

		put_doubt(out, &n, text);
	}
	wp_out_put(out, n > 0 ? ".\n" : "  Nothing lost, nothing unknown.\n");
}

void wp_text_write_path(WpOut *out, const WpPathReport *report, const WpTextStyle *style)
{
	g_autoptr(WpTotals) totals = wp_totals_new(report->path, report->graph);

	put_head(out, style, report, totals);
	put_tasks(out, style, report->graph, totals);
	put_by_state(out, style, totals);
	put_by_host(out, style, report->graph, totals);
	if (style->verbose > 0)
		put_timeline(out, style, report);
	put_quality(out, style, report, totals);
	wp_text_findings(out, style, report->findings);
	if (style->verbose == 0)
		wp_out_printf(out, "\n%u segments; -v lists them.\n", report->path->segments->len);
}
