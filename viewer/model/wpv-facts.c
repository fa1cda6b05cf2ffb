/* SPDX-License-Identifier: MIT */
/* wpv-facts.c: words for segments; causes and names are those of the reports (export/describe.h). */
#include "config.h"

#include "export/describe.h"
#include "export/units.h"
#include "viewer/model/wpv-facts.h"
#include "viewer/model/wpv-segment-list.h"

/* Segments behind one that are looked through for those who wait. */
#define CHAIN_LOOKS_MAX 20000u
#define CHAIN_MAX 32u

static void fact_free(gpointer data)
{
	WpvFact *fact = data;

	g_free(fact->label);
	g_free(fact->text);
	g_free(fact);
}

/* Takes the text; NULL or "": no fact. */
static WpvFact *add(GPtrArray *facts, const gchar *label, gchar *text)
{
	WpvFact *fact = g_new0(WpvFact, 1);

	fact->label = g_strdup(label);
	fact->text = text = wpv_take_text(text);
	if (text && *text)
		g_ptr_array_add(facts, fact);
	else
		g_clear_pointer(&fact, fact_free);
	return fact;
}

static void link_to_piece(WpvFact *fact, guint32 piece)
{
	if (!fact)
		return;
	fact->link = WPV_LINK_PIECE;
	fact->piece = piece;
}

static void link_to_row(WpvFact *fact, WpvRowKey row, WpTime time)
{
	if (!fact)
		return;
	fact->link = WPV_LINK_ROW;
	fact->row = row;
	fact->time = time;
}

gboolean wpv_item_get_segment(WpvSession *session, const WpvItem *item, WpSegment *ret_segment)
{
	WpvAnswer *answer = wpv_session_get_answer(session);

	if (item->piece != WP_NONE && answer) {
		*ret_segment = *wpv_answer_get_segment(answer, item->piece);
		return TRUE;
	}
	return item->index >= 0 &&
	       wpv_document_get_segment(wpv_session_get_document(session), item->row,
					(guint64)item->index, ret_segment);
}

static gchar *actor_text(WpGraph *graph, guint32 host, WpId task, WpTime time)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, time);
	return wpv_take_text(
		g_strdup_printf("%s %d on %s", actor.comm, actor.tid, actor.host_name));
}

/* ---- the facts ---- */

static void add_time(GPtrArray *facts, WpvSession *session, const WpSegment *segment)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpTime origin, unused;
	WpText from, to, clock;

	if (answer)
		origin = wpv_answer_get_path(answer)->begin;
	else
		wpv_document_get_span(wpv_session_get_document(session), &origin, &unused);
	add(facts, "Time",
	    g_strdup_printf("%s to %s s", wp_offset_text(&from, segment->begin - origin),
			    wp_offset_text(&to, segment->end - origin)));
	add(facts, "Clock", g_strdup(wp_clock_text(&clock, segment->begin)));
}

static void add_state(GPtrArray *facts, WpvSession *session, const WpvItem *item,
		      const WpSegment *segment)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpText duration, share;
	GString *text = g_string_new(wp_state_words(segment->state));

	g_string_append_printf(text, ", %s",
			       wp_duration_text(&duration, segment->end - segment->begin));
	if (item->piece != WP_NONE && answer) {
		const WpPath *path = wpv_answer_get_path(answer);

		g_string_append_printf(text, ", %s of the path",
				       wp_share_words(&share, segment->end - segment->begin,
						      path->end - path->begin));
	}
	add(facts, "State", g_string_free(text, FALSE));
}

/*
 * Who waits for this piece: the tasks that go on behind it at lower depths, the nearest
 * first.
 */
static void add_chain(GPtrArray *facts, WpvSession *session, guint32 piece)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(session));
	guint n = wpv_answer_get_n_segments(answer), n_found = 0;
	guint depth = wpv_answer_get_segment(answer, piece)->depth;

	for (guint i = piece + 1; i < n && depth > 0 && i - piece < CHAIN_LOOKS_MAX; i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);
		g_autofree gchar *name = NULL;

		if (segment->depth >= depth)
			continue;
		depth = segment->depth;
		name = actor_text(graph, segment->host, segment->task, segment->begin);
		link_to_piece(add(facts, n_found ? "" : "Waited for by", g_strdup(name)), i);
		if (++n_found >= CHAIN_MAX)
			return;
	}
}

static void add_preemptors(GPtrArray *facts, WpGraph *graph, const WpSegment *segment,
			   const WpCauseInfo *info)
{
	WpText text;

	for (guint i = 0; i < MIN(info->preemptors->len, 5u); i++) {
		const WpPreemptor *p = &g_array_index(info->preemptors, WpPreemptor, i);
		g_autofree gchar *name = actor_text(graph, segment->host, p->task, segment->begin);

		link_to_row(
			add(facts, i ? "" : "CPU taken by",
			    g_strdup_printf("%s for %s", name, wp_duration_text(&text, p->time))),
			wpv_row_key_thread(segment->host, p->task), segment->begin);
	}
	if (info->idle > 0)
		add(facts, "CPU idle", g_strdup(wp_duration_text(&text, info->idle)));
}

static void add_cause(GPtrArray *facts, WpGraph *graph, const WpSegment *segment)
{
	WpCauseInfo info;
	WpvFact *fact;
	WpText text;

	wp_cause_info_init(&info);
	wp_cause_info_fill(&info, graph, segment);
	fact = add(facts, "Why", wp_cause_info_dup_text(&info, graph, segment));
	if (info.from.host != WP_NONE && info.from.task != WP_NONE)
		link_to_row(fact, wpv_row_key_thread(info.from.host, info.from.task),
			    segment->begin);
	add(facts, "Flow", g_strdup(info.flow));
	if (info.bytes)
		add(facts, "Packet", g_strdup_printf("%u bytes", info.bytes));
	if (wp_part_key(segment->part))
		add(facts, "Part", g_strdup(wp_part_key(segment->part)));
	if (segment->clock_error)
		add(facts, "Clock error",
		    g_strdup_printf("\302\261%s%s", wp_duration_text(&text, segment->clock_error),
				    segment->flags & WP_SEGMENT_BELOW_ERROR
					    ? ", more than the flight"
					    : ""));
	add_preemptors(facts, graph, segment, &info);
	wp_cause_info_clear(&info);
	if (segment->flags & WP_SEGMENT_LOST)
		add(facts, "Trust", g_strdup("events were lost on its CPU"));
}

/* The pieces of the path before and behind, or the segments of the row. */
static void add_neighbours(GPtrArray *facts, WpvSession *session, const WpvItem *item)
{
	WpvDocument *document = wpv_session_get_document(session);
	WpvAnswer *answer = wpv_session_get_answer(session);
	WpGraph *graph = wpv_document_get_graph(document);
	WpText text;

	for (gint side = -1; side <= 1; side += 2) {
		const gchar *label = side < 0 ? "Before" : "After";
		g_autofree gchar *name = NULL;
		WpSegment segment;
		WpvFact *fact;
		gint64 at;

		if (item->piece != WP_NONE && answer) {
			at = (gint64)item->piece + side;
			if (at < 0 || at >= wpv_answer_get_n_segments(answer))
				continue;
			segment = *wpv_answer_get_segment(answer, (guint)at);
		} else {
			at = item->index + side;
			if (item->index < 0 || at < 0 ||
			    !wpv_document_get_segment(document, item->row, (guint64)at, &segment))
				continue;
		}
		name = actor_text(graph, segment.host, segment.task, segment.begin);
		fact = add(facts, label,
			   g_strdup_printf("%s, %s, %s", name, wp_state_words(segment.state),
					   wp_duration_text(&text, segment.end - segment.begin)));
		if (item->piece != WP_NONE)
			link_to_piece(fact, (guint32)at);
		else
			link_to_row(fact, item->row, segment.begin);
	}
}

GPtrArray *wpv_facts_of_item(WpvSession *session, const WpvItem *item)
{
	GPtrArray *facts = g_ptr_array_new_with_free_func(fact_free);
	WpvDocument *document = wpv_session_get_document(session);
	WpSegment segment;
	WpGraph *graph;
	guint32 cpu;

	if (!document || wpv_row_key_is_none(item->row))
		return facts;
	graph = wpv_document_get_graph(document);
	if (!wpv_item_get_segment(session, item, &segment)) {
		add(facts, "Row", wpv_document_dup_row_name(document, item->row));
		add(facts, "State", g_strdup("nothing is shown here"));
		return facts;
	}
	add_state(facts, session, item, &segment);
	link_to_row(
		add(facts, "Task", actor_text(graph, segment.host, segment.task, segment.begin)),
		wpv_row_key_thread(segment.host, segment.task), segment.begin);
	cpu = wp_segment_cpu(graph, &segment);
	if (cpu != WP_NONE)
		add(facts, "CPU", g_strdup_printf("%u", cpu));
	add_cause(facts, graph, &segment);
	if (item->piece != WP_NONE)
		add_chain(facts, session, item->piece);
	add_time(facts, session, &segment);
	add_neighbours(facts, session, item);
	return facts;
}

void wpv_fact_follow(WpvSession *session, const WpvFact *fact)
{
	switch (fact->link) {
	case WPV_LINK_PIECE:
		wpv_session_select_piece(session, fact->piece);
		break;
	case WPV_LINK_ROW:
		wpv_session_select_at(session, fact->row, fact->time);
		wpv_session_reveal(session);
		break;
	case WPV_LINK_NONE:
		break;
	}
}

/* ---- one text ---- */

static void append_times(GString *text, const guint64 times[WP_SERIES_STATES])
{
	WpText buffer;

	for (guint state = 0; state < WP_STATE_N; state++)
		if (times[state])
			g_string_append_printf(text, "\n%s %s", wp_state_words(state),
					       wp_duration_text(&buffer, (WpTime)times[state]));
}

/* The sum over what lies under a pixel; NULL when that is one segment or none. */
static gchar *sum_text(WpvSession *session, WpvRowKey row, WpTime begin, WpTime end)
{
	WpvDocument *document = wpv_session_get_document(session);
	WpvAnswer *answer = wpv_session_get_answer(session);
	guint64 times[WP_SERIES_STATES], n;
	g_autofree gchar *name = NULL;
	WpLod *lod = NULL;
	GString *text;

	if (wpv_row_key_is_none(row)) {
		lod = answer ? wpv_answer_get_band(answer) : NULL;
		name = g_strdup("path");
	} else {
		const WpClockMap *map = wpv_document_get_graph(document)->joins[row.host].map;

		lod = wpv_document_get_lod(document, row, FALSE);
		name = wpv_document_dup_row_name(document, row);
		begin = wp_clock_map_invert(map, begin);
		end = wp_clock_map_invert(map, end);
	}
	if (!lod)
		return NULL;
	n = wp_lod_times(lod, begin, end, times);
	if (n < 3)
		return NULL;
	text = g_string_new(NULL);
	g_string_append_printf(text, "%s: %" G_GUINT64_FORMAT " segments here", name, n);
	append_times(text, times);
	return g_string_free(text, FALSE);
}

static gchar *segment_text(WpvSession *session, const WpvItem *item, const WpSegment *segment)
{
	g_autoptr(GPtrArray) facts = g_ptr_array_new_with_free_func(fact_free);
	WpGraph *graph = wpv_document_get_graph(wpv_session_get_document(session));
	g_autofree gchar *name = actor_text(graph, segment->host, segment->task, segment->begin);
	GString *text = g_string_new(name);

	add_state(facts, session, item, segment);
	add_cause(facts, graph, segment);
	add_time(facts, session, segment);
	for (guint i = 0; i < facts->len; i++) {
		const WpvFact *fact = g_ptr_array_index(facts, i);

		if (i == 0)
			g_string_append_printf(text, "\n%s", fact->text);
		else
			g_string_append_printf(text, "\n%s%s%s", fact->label,
					       *fact->label ? ": " : "", fact->text);
	}
	return g_string_free(text, FALSE);
}

gchar *wpv_tooltip_text(WpvSession *session, WpvRowKey row, WpTime begin, WpTime end)
{
	WpSegment segment;
	WpvItem item;
	gchar *sum;

	if (!wpv_session_get_document(session))
		return NULL;
	sum = sum_text(session, row, begin, end);
	if (sum)
		return sum;
	item = wpv_session_item_at(session, row, begin + (end - begin) / 2);
	if (wpv_row_key_is_none(item.row) || !wpv_item_get_segment(session, &item, &segment))
		return NULL;
	return segment_text(session, &item, &segment);
}

gchar *wpv_item_dup_words(WpvSession *session, const WpvItem *item)
{
	WpvDocument *document = wpv_session_get_document(session);
	g_autofree gchar *name = NULL;
	WpSegment segment;
	WpText duration;

	if (!document || wpv_row_key_is_none(item->row))
		return g_strdup("nothing is selected");
	if (!wpv_item_get_segment(session, item, &segment)) {
		name = wpv_document_dup_row_name(document, item->row);
		return g_strdup_printf("%s, nothing here", name);
	}
	name = actor_text(wpv_document_get_graph(document), segment.host, segment.task,
			  segment.begin);
	return g_strdup_printf("%s, %s, %s%s", wp_state_words(segment.state),
			       wp_duration_text(&duration, segment.end - segment.begin), name,
			       item->piece != WP_NONE ? ", on the path" : "");
}
