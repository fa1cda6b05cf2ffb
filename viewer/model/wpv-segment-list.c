/* SPDX-License-Identifier: MIT */
/* wpv-segment-list.c: a stretch of indexes; each item reads its segment when it is made. */
#include "config.h"

#include "export/describe.h"
#include "export/units.h"
#include "viewer/model/wpv-segment-list.h"

gboolean wpv_document_get_segment(WpvDocument *document, WpvRowKey row, guint64 i,
				  WpSegment *ret_segment)
{
	WpLod *lod = wpv_document_get_lod(document, row, TRUE);
	const WpClockMap *map = wpv_document_get_graph(document)->joins[row.host].map;
	WpHost *host = wpv_document_get_host(document, row.host);
	const WpVertex *vertex;
	WpTime begin, end;
	guint8 state;
	WpId id;

	if (!lod || i >= wp_lod_get_series(lod)->n)
		return FALSE;
	id = wp_series_item(wp_lod_get_series(lod), i);
	wp_lod_segment(lod, i, &begin, &end, &state);
	if (id == WP_NONE || state == WP_SERIES_EMPTY)
		return FALSE;
	vertex = wp_host_vertex(host, id);
	*ret_segment = (WpSegment){.begin = wp_clock_map_apply(map, begin),
				   .end = wp_clock_map_apply(map, end),
				   .host = row.host,
				   .task = vertex->task,
				   .vertex = id,
				   .cause = vertex->cause,
				   .cpu = vertex->cpu,
				   .state = state,
				   .flags = vertex->flags & WP_VERTEX_LOST ? WP_SEGMENT_LOST : 0};
	return TRUE;
}

static const gchar *const column_titles[WPV_COLUMN_N] = {
	[WPV_COLUMN_BEGIN] = "Begin", [WPV_COLUMN_DURATION] = "Duration",
	[WPV_COLUMN_STATE] = "State", [WPV_COLUMN_TASK] = "Task",
	[WPV_COLUMN_HOST] = "Host",   [WPV_COLUMN_CPU] = "CPU",
	[WPV_COLUMN_CAUSE] = "Cause",
};

const gchar *wpv_column_title(WpvColumn column)
{
	return column_titles[MIN(column, WPV_COLUMN_N - 1)];
}

/* ---- items ---- */

struct _WpvSegmentItem {
	GObject parent;
	WpvDocument *document; /* reference */
	WpSegment segment;
	WpTime origin; /* that begins are counted from */
	guint32 index;
	gboolean is_there; /* else the segment has only times */
};

G_DEFINE_FINAL_TYPE(WpvSegmentItem, wpv_segment_item, G_TYPE_OBJECT)

static void wpv_segment_item_finalize(GObject *object)
{
	g_object_unref(WPV_SEGMENT_ITEM(object)->document);
	G_OBJECT_CLASS(wpv_segment_item_parent_class)->finalize(object);
}

static void wpv_segment_item_class_init(WpvSegmentItemClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_segment_item_finalize;
}

static void wpv_segment_item_init(WpvSegmentItem *item)
{
}

guint32 wpv_segment_item_get_index(WpvSegmentItem *item)
{
	return item->index;
}

guint8 wpv_segment_item_get_state(WpvSegmentItem *item)
{
	return item->is_there ? item->segment.state : WP_SERIES_EMPTY;
}

WpTime wpv_segment_item_get_begin(WpvSegmentItem *item)
{
	return item->segment.begin;
}

static gchar *cause_text(WpGraph *graph, const WpSegment *segment)
{
	WpCauseInfo info;
	gchar *text;

	wp_cause_info_init(&info);
	wp_cause_info_fill(&info, graph, segment);
	text = wp_cause_info_dup_text(&info, graph, segment);
	wp_cause_info_clear(&info);
	return text ? wpv_take_text(text) : g_strdup("");
}

static gchar *task_text(WpGraph *graph, const WpSegment *segment)
{
	WpActor actor;

	wp_actor_init(&actor, graph, segment->host, segment->task, segment->begin);
	return wpv_take_text(g_strdup_printf("%s %d", actor.comm, actor.tid));
}

gchar *wpv_segment_item_dup_text(WpvSegmentItem *item, WpvColumn column)
{
	WpGraph *graph = wpv_document_get_graph(item->document);
	const WpSegment *segment = &item->segment;
	guint32 cpu;
	WpText text;

	switch (column) {
	case WPV_COLUMN_BEGIN:
		return g_strdup(wp_offset_text(&text, segment->begin - item->origin));
	case WPV_COLUMN_DURATION:
		return g_strdup(wp_duration_text(&text, segment->end - segment->begin));
	case WPV_COLUMN_STATE:
		return g_strdup(item->is_there ? wp_state_words(segment->state) : "nothing");
	default:
		break;
	}
	if (!item->is_there)
		return g_strdup("");
	switch (column) {
	case WPV_COLUMN_TASK:
		return task_text(graph, segment);
	case WPV_COLUMN_HOST:
		return wpv_take_text(g_strdup(graph->hosts[segment->host]->name));
	case WPV_COLUMN_CPU:
		cpu = wp_segment_cpu(graph, segment);
		return cpu == WP_NONE ? g_strdup("") : g_strdup_printf("%u", cpu);
	default:
		return cause_text(graph, segment);
	}
}

/* ---- the list ---- */

struct _WpvSegmentList {
	GObject parent;
	WpvDocument *document; /* reference, NULL */
	WpvAnswer *answer; /* reference, NULL */
	WpvRowKey row; /* WPV_ROW_KEY_NONE: of the path */
	guint32 first, n;
	WpTime origin;
};

static GType list_get_item_type(GListModel *model)
{
	return WPV_TYPE_SEGMENT_ITEM;
}

static guint list_get_n_items(GListModel *model)
{
	return WPV_SEGMENT_LIST(model)->n;
}

/* Where a row shows nothing there are still times. */
static void read_gap(WpvSegmentList *list, guint32 index, WpSegment *segment)
{
	WpLod *lod = wpv_document_get_lod(list->document, list->row, TRUE);
	const WpClockMap *map = wpv_document_get_graph(list->document)->joins[list->row.host].map;
	guint8 state;

	wp_lod_segment(lod, index, &segment->begin, &segment->end, &state);
	segment->begin = wp_clock_map_apply(map, segment->begin);
	segment->end = wp_clock_map_apply(map, segment->end);
}

static gpointer list_get_item(GListModel *model, guint position)
{
	WpvSegmentList *list = WPV_SEGMENT_LIST(model);
	WpvSegmentItem *item;

	if (position >= list->n)
		return NULL;
	item = g_object_new(WPV_TYPE_SEGMENT_ITEM, NULL);
	item->document = g_object_ref(list->document);
	item->origin = list->origin;
	item->index = list->first + position;
	if (wpv_row_key_is_none(list->row)) {
		item->segment = *wpv_answer_get_segment(list->answer, item->index);
		item->is_there = TRUE;
	} else {
		item->is_there = wpv_document_get_segment(list->document, list->row, item->index,
							  &item->segment);
		if (!item->is_there)
			read_gap(list, item->index, &item->segment);
	}
	return item;
}

static void list_model_init(GListModelInterface *iface)
{
	iface->get_item_type = list_get_item_type;
	iface->get_n_items = list_get_n_items;
	iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(WpvSegmentList, wpv_segment_list, G_TYPE_OBJECT,
			      G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static void wpv_segment_list_finalize(GObject *object)
{
	WpvSegmentList *list = WPV_SEGMENT_LIST(object);

	g_clear_object(&list->answer);
	g_clear_object(&list->document);
	G_OBJECT_CLASS(wpv_segment_list_parent_class)->finalize(object);
}

static void wpv_segment_list_class_init(WpvSegmentListClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_segment_list_finalize;
}

static void wpv_segment_list_init(WpvSegmentList *list)
{
	list->row = WPV_ROW_KEY_NONE;
}

WpvSegmentList *wpv_segment_list_new(void)
{
	return g_object_new(WPV_TYPE_SEGMENT_LIST, NULL);
}

static void find_pieces(WpvSegmentList *list, WpTime begin, WpTime end)
{
	const WpPath *path = wpv_answer_get_path(list->answer);

	begin = MAX(begin, path->begin);
	end = MIN(end, path->end);
	list->origin = path->begin;
	if (begin >= end)
		return;
	list->first = wpv_answer_find(list->answer, begin);
	list->n = wpv_answer_find(list->answer, end - 1) - list->first + 1;
}

static void find_segments(WpvSegmentList *list, WpTime begin, WpTime end)
{
	const WpClockMap *map = wpv_document_get_graph(list->document)->joins[list->row.host].map;
	WpLod *lod = wpv_document_get_lod(list->document, list->row, TRUE);
	gint64 first, last;
	WpTime unused;

	if (list->answer)
		list->origin = wpv_answer_get_path(list->answer)->begin;
	else
		wpv_document_get_span(list->document, &list->origin, &unused);
	if (!lod || wp_lod_get_series(lod)->n == 0)
		return;
	begin = wp_clock_map_invert(map, begin);
	end = wp_clock_map_invert(map, end);
	first = MAX(wp_lod_find(lod, begin), 0);
	last = MIN(wp_lod_find(lod, MAX(begin, end - 1)), (gint64)wp_lod_get_series(lod)->n - 1);
	if (last < first)
		return;
	list->first = (guint32)first;
	list->n = (guint32)(last - first + 1);
}

void wpv_segment_list_set(WpvSegmentList *list, WpvDocument *document, WpvAnswer *answer,
			  WpvRowKey row, WpTime begin, WpTime end)
{
	guint32 old_first = list->first, old_n = list->n;
	gboolean same = list->document == document && list->answer == answer &&
			wpv_row_key_equal(list->row, row);

	g_set_object(&list->document, document);
	g_set_object(&list->answer, answer);
	list->row = row;
	list->first = list->n = 0;
	if (document && !wpv_row_key_is_none(row))
		find_segments(list, begin, end);
	else if (answer)
		find_pieces(list, begin, end);
	if (!same || old_first != list->first || old_n != list->n)
		g_list_model_items_changed(G_LIST_MODEL(list), 0, old_n, list->n);
}

guint32 wpv_segment_list_find(WpvSegmentList *list, guint32 index)
{
	return index >= list->first && index - list->first < list->n ? index - list->first
								     : WP_NONE;
}

gchar *wpv_segment_list_dup_text(WpvSegmentList *list, guint max)
{
	GString *text = g_string_new(NULL);

	for (WpvColumn column = 0; column < WPV_COLUMN_N; column++)
		g_string_append_printf(text, "%s%s", column ? "\t" : "", wpv_column_title(column));
	g_string_append_c(text, '\n');
	for (guint i = 0; i < MIN(list->n, max); i++) {
		g_autoptr(WpvSegmentItem) item = list_get_item(G_LIST_MODEL(list), i);

		for (WpvColumn column = 0; column < WPV_COLUMN_N; column++) {
			g_autofree gchar *cell = wpv_segment_item_dup_text(item, column);

			g_string_append_printf(text, "%s%s", column ? "\t" : "", cell);
		}
		g_string_append_c(text, '\n');
	}
	if (list->n > max)
		g_string_append_printf(text, "(%u more)\n", list->n - max);
	return g_string_free(text, FALSE);
}
