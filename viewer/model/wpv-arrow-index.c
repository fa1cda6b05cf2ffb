/* SPDX-License-Identifier: MIT */
/*
 * wpv-arrow-index.c: arrows in buckets of equal stretches of time, by when they end.
 *
 * An arrow is kept as the vertex of the wait that it ends, 8 bytes; a counting sort puts
 * them in buckets. Each bucket knows when its earliest arrow begins, so that a query can
 * pass over those behind its window whose arrows do not reach back into it.
 */
#include "config.h"

#include "base/error.h"
#include "path/edge.h"
#include "viewer/model/wpv-arrow-index.h"

#define BUCKETS 4096u
/* Arrows that are looked at for the next one of a task: a tenth of a second. */
#define NEXT_LOOKS_MAX 500000u

/* The wait that an arrow ends. */
typedef struct {
	guint32 host;
	WpId vertex;
} Ref;

struct WpvArrowIndex {
	WpvDocument *document; /* borrowed: the session keeps it as long as the index */
	WpTime begin, end; /* span of the buckets */
	guint32 starts[BUCKETS + 1]; /* where each bucket begins in refs */
	WpTime earliest[BUCKETS]; /* begin of an arrow of the bucket, WP_TIME_MAX: it has none */
	Ref *refs; /* owned */
};

/* ---- one arrow ---- */

/* The arrow that ends a wait, whose segment ends at host_end; FALSE when nobody's does. */
static gboolean arrow_of(WpvDocument *document, guint32 host, WpId vertex, WpTime host_end,
			 WpvArrow *ret_arrow)
{
	WpGraph *graph = wpv_document_get_graph(document);
	WpHost *h = graph->hosts[host];
	const WpVertex *v = wp_host_vertex(h, vertex);
	WpTime begin = wp_graph_time(graph, host, wp_host_time_of(h, v, vertex));
	WpTime end = wp_graph_time(graph, host, host_end);
	const WpVertex *from;
	WpEdge edge;

	if (!wp_state_is_wait(v->state) ||
	    wp_edge_of_wait(graph, host, v, host_end, end, begin, &edge) != WP_EDGE_FOLLOWED)
		return FALSE;
	/* What was sent before the wait began may have no sender that was looked for. */
	if (edge.vertex >= graph->hosts[edge.host]->vertices.n)
		return FALSE;
	from = wp_host_vertex(graph->hosts[edge.host], edge.vertex);
	if (from->task >= graph->hosts[edge.host]->tasks.n)
		return FALSE;
	*ret_arrow = (WpvArrow){.from = edge.time,
				.to = end,
				.from_host = edge.host,
				.to_host = host,
				.from_task = from->task,
				.to_task = v->task,
				.kind = v->state == WP_STATE_NETWORK ? WPV_ARROW_PACKET
								     : WPV_ARROW_WAKE};
	return TRUE;
}

/* ---- making ---- */

static guint bucket_of(const WpvArrowIndex *index, WpTime time)
{
	__int128 offset = time - index->begin;

	return (guint)CLAMP(offset * BUCKETS / (index->end - index->begin), 0, BUCKETS - 1);
}

typedef void (*EachFunc)(WpvArrowIndex *index, Ref ref, const WpvArrow *arrow, gpointer data);

/* Calls func for every arrow of a task. */
static void for_each_of_task(WpvArrowIndex *index, guint32 host, WpId task, EachFunc func,
			     gpointer data)
{
	WpHost *h = wpv_document_get_host(index->document, host);
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(h, task, &vertices);

	for (guint32 i = 0; i + 1 < n; i++) {
		WpTime end = wp_host_vertex_time(h, vertices[i + 1]);
		WpvArrow arrow;

		if (wp_host_vertex(h, vertices[i])->cause != WP_NONE &&
		    arrow_of(index->document, host, vertices[i], end, &arrow))
			func(index, (Ref){host, vertices[i]}, &arrow, data);
	}
}

static gboolean for_each(WpvArrowIndex *index, EachFunc func, gpointer data,
			 GCancellable *cancellable, GError **error)
{
	WpGraph *graph = wpv_document_get_graph(index->document);

	for (guint32 host = 0; host < graph->n_hosts; host++) {
		for (WpId task = 0; task < graph->hosts[host]->tasks.n; task++) {
			if (g_cancellable_is_cancelled(cancellable)) {
				g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "Cancelled.");
				return FALSE;
			}
			for_each_of_task(index, host, task, func, data);
		}
	}
	return TRUE;
}

static void count_one(WpvArrowIndex *index, Ref ref, const WpvArrow *arrow, gpointer data)
{
	guint bucket = bucket_of(index, arrow->to);

	index->starts[bucket + 1]++;
	index->earliest[bucket] = MIN(index->earliest[bucket], arrow->from);
}

static void place_one(WpvArrowIndex *index, Ref ref, const WpvArrow *arrow, gpointer next)
{
	index->refs[((guint32 *)next)[bucket_of(index, arrow->to)]++] = ref;
}

WpvArrowIndex *wpv_arrow_index_new(WpvDocument *document, GCancellable *cancellable, GError **error)
{
	g_autoptr(WpvArrowIndex) index = g_new0(WpvArrowIndex, 1);
	guint32 next[BUCKETS];

	index->document = document;
	wpv_document_get_span(document, &index->begin, &index->end);
	for (guint i = 0; i < BUCKETS; i++)
		index->earliest[i] = WP_TIME_MAX;
	if (!for_each(index, count_one, NULL, cancellable, error))
		return NULL;
	for (guint i = 0; i < BUCKETS; i++) {
		next[i] = index->starts[i];
		index->starts[i + 1] += index->starts[i];
	}
	index->refs = g_try_new(Ref, MAX(index->starts[BUCKETS], 1));
	if (!index->refs) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for %u arrows; only those of the path are shown.",
			    index->starts[BUCKETS]);
		return NULL;
	}
	return for_each(index, place_one, next, cancellable, error) ? g_steal_pointer(&index)
								    : NULL;
}

void wpv_arrow_index_free(WpvArrowIndex *index)
{
	if (!index)
		return;
	g_free(index->refs);
	g_free(index);
}

guint64 wpv_arrow_index_get_n(const WpvArrowIndex *index)
{
	return index->starts[BUCKETS];
}

/* ---- asking ---- */

static gboolean ref_arrow(const WpvArrowIndex *index, guint32 i, WpvArrow *ret_arrow)
{
	Ref ref = index->refs[i];
	WpHost *host = wpv_document_get_host(index->document, ref.host);

	return arrow_of(index->document, ref.host, ref.vertex, wp_host_vertex_end(host, ref.vertex),
			ret_arrow);
}

gboolean wpv_arrow_index_query(const WpvArrowIndex *index, WpTime begin, WpTime end,
			       WpvArrowFunc wanted, gpointer data, GArray *arrows)
{
	guint first = arrows->len, n_seen = 0;

	for (guint b = bucket_of(index, begin); b < BUCKETS; b++) {
		if (index->earliest[b] >= end)
			continue;
		for (guint32 i = index->starts[b]; i < index->starts[b + 1]; i++) {
			WpvArrow arrow;

			if (++n_seen > 10 * WPV_ARROWS_MAX)
				return FALSE;
			if (!ref_arrow(index, i, &arrow) || arrow.to < begin || arrow.from >= end ||
			    !wanted(&arrow, data))
				continue;
			if (arrows->len - first >= WPV_ARROWS_MAX)
				return FALSE;
			g_array_append_val(arrows, arrow);
		}
	}
	return TRUE;
}

gboolean wpv_arrow_index_next(const WpvArrowIndex *index, guint32 host, WpId task, WpTime time,
			      WpvArrow *ret_arrow)
{
	gboolean found = FALSE;
	guint n_seen = 0;

	/* Behind the bucket of the first that is found, only a longer arrow can begin earlier. */
	for (guint b = bucket_of(index, time); b < BUCKETS; b++) {
		if (found && index->earliest[b] >= ret_arrow->from)
			continue;
		for (guint32 i = index->starts[b]; i < index->starts[b + 1]; i++) {
			WpvArrow arrow;

			if (++n_seen > NEXT_LOOKS_MAX)
				return found;
			if (!ref_arrow(index, i, &arrow) || arrow.from_host != host ||
			    arrow.from_task != task || arrow.from < time ||
			    (found && arrow.from >= ret_arrow->from))
				continue;
			*ret_arrow = arrow;
			found = TRUE;
		}
	}
	return found;
}

gboolean wpv_arrow_find_cause(WpvDocument *document, guint32 host, WpId task, WpTime time,
			      WpvArrow *ret_arrow)
{
	WpHost *h = wpv_document_get_host(document, host);
	WpGraph *graph = wpv_document_get_graph(document);
	WpTime host_time = wp_clock_map_invert(graph->joins[host].map, time);
	const WpId *vertices;

	wp_host_task_vertices(h, task, &vertices);
	for (gint64 i = wp_host_task_find(h, task, host_time) - 1; i >= 0; i--)
		if (arrow_of(document, host, vertices[i], wp_host_vertex_time(h, vertices[i + 1]),
			     ret_arrow))
			return TRUE;
	return FALSE;
}

/* ---- of a path ---- */

/* From the first of the network segments of one task the packet is under way till the last. */
static WpTime flight_end(WpvAnswer *answer, guint i)
{
	const WpSegment *first = wpv_answer_get_segment(answer, i);
	WpTime end = first->begin;

	for (; i < wpv_answer_get_n_segments(answer); i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);

		if (segment->state != WP_STATE_NETWORK || segment->host != first->host ||
		    segment->task != first->task)
			break;
		end = segment->end;
	}
	return end;
}

static WpvArrow hand_over(WpvAnswer *answer, guint i)
{
	const WpSegment *from = wpv_answer_get_segment(answer, i - 1);
	const WpSegment *to = wpv_answer_get_segment(answer, i);
	WpvArrow arrow = {.from = from->end,
			  .to = to->begin,
			  .from_host = from->host,
			  .to_host = to->host,
			  .from_task = from->task,
			  .to_task = to->task,
			  .kind = from->depth < to->depth ? WPV_ARROW_ENTER : WPV_ARROW_WAKE};

	if (to->state == WP_STATE_NETWORK) {
		arrow.kind = WPV_ARROW_PACKET;
		arrow.to = flight_end(answer, i);
	}
	return arrow;
}

gboolean wpv_arrows_of_path(WpvAnswer *answer, WpTime begin, WpTime end, GArray *arrows)
{
	const WpPath *path = wpv_answer_get_path(answer);
	guint n = 0;

	if (begin >= path->end || end <= path->begin)
		return TRUE;

	guint first = wpv_answer_find(answer, MAX(begin, path->begin));
	guint last = wpv_answer_find(answer, MIN(end, path->end) - 1);

	if (last - first > WPV_ARROW_SEGMENTS_MAX)
		return FALSE;
	/* A flight that ends in the window began a segment or two before. */
	for (guint i = first > 4 ? first - 3 : 1; i <= last && n < WPV_ARROWS_MAX; i++) {
		const WpSegment *a = wpv_answer_get_segment(answer, i - 1);
		const WpSegment *b = wpv_answer_get_segment(answer, i);

		if (a->host == b->host && a->task == b->task)
			continue;
		WpvArrow arrow = hand_over(answer, i);

		if (arrow.to < begin)
			continue;
		g_array_append_val(arrows, arrow);
		n++;
	}
	return TRUE;
}
