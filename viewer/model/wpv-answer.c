/* SPDX-License-Identifier: MIT */
/*
 * wpv-answer.c: a path and an index of its pieces by task.
 *
 * The indexes of the path's segments lie in one array, sorted by task (a counting
 * sort keeps each task's in time order); a group is a stretch of it. Levels of detail
 * of a row's pieces are made when the row is first drawn.
 */
#include "config.h"

#include "base/error.h"
#include "base/intmap.h"
#include "export/sentence.h"
#include "viewer/model/wpv-answer.h"
#include "viewer/model/wpv-cancel.h"

/* The pieces on one task. */
typedef struct {
	guint32 first, n; /* in pieces */
	WpTime time;
} Group;

struct _WpvAnswer {
	GObject parent;
	WpvDocument *document; /* reference: the path's ids are its graph's */
	WpvQuestion question;
	WpPath *path; /* owned */
	WpTotals *totals; /* owned */
	gchar *sentence; /* owned */
	guint32 *pieces; /* borrowed from the block: indexes of segments, by group */
	WpBlock piece_block;
	GArray *groups; /* owned: Group */
	WpIntMap by_task; /* host and task -> index of groups */
	WpLod *band; /* owned */
	GHashTable *lods; /* owned: guint64 * (owned, a row's packed key) -> owned WpLod */
};

G_DEFINE_FINAL_TYPE(WpvAnswer, wpv_answer, G_TYPE_OBJECT)

static void wpv_answer_finalize(GObject *object)
{
	WpvAnswer *answer = WPV_ANSWER(object);

	g_hash_table_destroy(answer->lods);
	wp_lod_free(answer->band);
	wp_block_clear(&answer->piece_block);
	g_array_unref(answer->groups);
	wp_intmap_clear(&answer->by_task);
	g_free(answer->sentence);
	wp_totals_free(answer->totals);
	wp_path_free(answer->path);
	g_object_unref(answer->document);
	G_OBJECT_CLASS(wpv_answer_parent_class)->finalize(object);
}

static void wpv_answer_class_init(WpvAnswerClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_answer_finalize;
}

static void wpv_answer_init(WpvAnswer *answer)
{
	answer->groups = g_array_new(FALSE, TRUE, sizeof(Group));
	answer->lods = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					     (GDestroyNotify)wp_lod_free);
	wp_intmap_init(&answer->by_task);
}

/* ---- pieces by task ---- */

static guint64 task_key(guint32 host, WpId task)
{
	return (guint64)host << 32 | task;
}

static Group *group_at(WpvAnswer *answer, guint i)
{
	return &g_array_index(answer->groups, Group, i);
}

static guint32 group_of(WpvAnswer *answer, const WpSegment *segment)
{
	return wp_intmap_get(&answer->by_task, task_key(segment->host, segment->task));
}

static void count_pieces(WpvAnswer *answer)
{
	guint32 first = 0;

	for (guint i = 0; i < answer->path->segments.n; i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);
		guint32 group = group_of(answer, segment);

		if (group == WP_NONE) {
			group = answer->groups->len;
			g_array_set_size(answer->groups, group + 1);
			wp_intmap_set(&answer->by_task, task_key(segment->host, segment->task),
				      group);
		}
		group_at(answer, group)->n++;
		group_at(answer, group)->time += segment->end - segment->begin;
	}
	for (guint i = 0; i < answer->groups->len; i++) {
		group_at(answer, i)->first = first;
		first += group_at(answer, i)->n;
	}
}

static void sort_pieces(WpvAnswer *answer)
{
	guint n = answer->path->segments.n;
	g_autofree guint32 *next = g_new(guint32, answer->groups->len + 1);

	answer->pieces = wp_block_need(&answer->piece_block, (n + 1) * sizeof(guint32),
				       wp_path_memory(answer->path));
	for (guint i = 0; i < answer->groups->len; i++)
		next[i] = group_at(answer, i)->first;
	for (guint i = 0; i < n; i++) {
		guint32 group = group_of(answer, wpv_answer_get_segment(answer, i));

		answer->pieces[next[group]++] = i;
	}
}

/* ---- making ---- */

WpvQuestion wpv_document_get_life(WpvDocument *document, WpvRowKey row)
{
	WpGraph *graph = wpv_document_get_graph(document);
	WpvQuestion question = {.host = row.host,
				.task = wpv_document_get_row_task(document, row),
				.mode = WP_PATH_ACTIVE};
	const WpTask *task = wp_host_task(graph->hosts[row.host], question.task);

	question.begin = wp_graph_time(graph, row.host, task->begin);
	question.end = wp_graph_time(graph, row.host, task->end);
	return question;
}

static gboolean cut_window(WpvDocument *document, WpvQuestion *question, GError **error)
{
	WpTime begin, end;

	wpv_document_get_span(document, &begin, &end);
	question->begin = MAX(question->begin, begin);
	question->end = MIN(question->end, end);
	if (question->begin < question->end)
		return TRUE;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
			    "The window lies outside of the traces; choose another part of them.");
	return FALSE;
}

WpvAnswer *wpv_answer_new(WpvDocument *document, const WpvQuestion *question, WpCancel *cancel,
			  GError **error)
{
	g_autoptr(WpvAnswer) answer = g_object_new(WPV_TYPE_ANSWER, NULL);
	WpGraph *graph = wpv_document_get_graph(document);

	answer->document = g_object_ref(document);
	answer->question = *question;
	if (!cut_window(document, &answer->question, error))
		return NULL;
	answer->path = wp_path_compute(graph, question->host, question->task,
				       answer->question.begin, answer->question.end, question->mode,
				       cancel, error);
	if (!answer->path)
		return NULL;
	answer->totals = wp_totals_new(answer->path, graph);
	answer->sentence = wpv_take_text(wp_path_dup_sentence(answer->path, graph, answer->totals));
	count_pieces(answer);
	sort_pieces(answer);
	/* What a damaged graph says is not shown as an answer. */
	if (!wp_graph_check_damage(graph, error))
		return NULL;
	answer->band = wp_lod_new(wp_series_new_path(answer->path, NULL, 0), cancel, error);
	return answer->band ? g_steal_pointer(&answer) : NULL;
}

static void answer_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(WpCancel) cancel = wpv_cancel_new(cancellable);
	g_autoptr(GError) error = NULL;
	WpvAnswer *answer = wpv_answer_new(WPV_DOCUMENT(source), data, cancel, &error);

	if (answer)
		g_task_return_pointer(task, answer, g_object_unref);
	else
		g_task_return_error(task, g_steal_pointer(&error));
}

void wpv_answer_new_async(WpvDocument *document, const WpvQuestion *question,
			  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
	g_autoptr(GTask) task = g_task_new(document, cancellable, callback, data);

	g_task_set_task_data(task, g_memdup2(question, sizeof(*question)), g_free);
	g_task_run_in_thread(task, answer_thread);
}

WpvAnswer *wpv_answer_new_finish(GAsyncResult *result, GError **error)
{
	return g_task_propagate_pointer(G_TASK(result), error);
}

/* ---- reading ---- */

const WpvQuestion *wpv_answer_get_question(WpvAnswer *answer)
{
	return &answer->question;
}

const WpPath *wpv_answer_get_path(WpvAnswer *answer)
{
	return answer->path;
}

const WpTotals *wpv_answer_get_totals(WpvAnswer *answer)
{
	return answer->totals;
}

const gchar *wpv_answer_get_sentence(WpvAnswer *answer)
{
	return answer->sentence;
}

guint wpv_answer_get_n_segments(WpvAnswer *answer)
{
	return answer->path->segments.n;
}

const WpSegment *wpv_answer_get_segment(WpvAnswer *answer, guint i)
{
	return wp_path_segment(answer->path, i);
}

guint32 wpv_answer_find(WpvAnswer *answer, WpTime time)
{
	guint low = 0, high = answer->path->segments.n;

	if (time < answer->path->begin || time >= answer->path->end)
		return WP_NONE;
	while (high - low > 1) {
		guint middle = low + (high - low) / 2;

		if (wpv_answer_get_segment(answer, middle)->begin <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static WpTime task_time(WpvAnswer *answer, guint32 host, WpId task)
{
	guint32 group = wp_intmap_get(&answer->by_task, task_key(host, task));

	return group == WP_NONE ? 0 : group_at(answer, group)->time;
}

/* The time in which the path runs on a CPU, from its pieces there. */
static WpTime cpu_time(WpvAnswer *answer, WpvRowKey key)
{
	WpLod *lod = wpv_answer_get_lod(answer, key);
	guint64 times[WP_SERIES_STATES];

	if (!lod)
		return 0;
	wp_lod_times(lod, answer->path->begin, answer->path->end, times);
	return answer->path->end - answer->path->begin - (WpTime)times[WP_SERIES_EMPTY];
}

WpTime wpv_answer_get_time(WpvAnswer *answer, WpvRowKey key)
{
	const WpvProcess *process;
	const GArray *kernel;
	WpTime sum = 0;

	switch (key.kind) {
	case WPV_ROW_HOST:
		return answer->totals->by_host[key.host];
	case WPV_ROW_THREAD:
		return task_time(answer, key.host, key.id);
	case WPV_ROW_PROCESS:
		process = wpv_document_get_process(answer->document, key.host, key.id);
		for (guint32 i = 0; i < process->n; i++)
			sum += task_time(answer, key.host,
					 wpv_document_get_thread(answer->document, key.host,
								 process->first + i));
		return sum;
	case WPV_ROW_KERNEL:
		kernel = wpv_document_get_kernel_threads(answer->document, key.host);
		for (guint i = 0; i < kernel->len; i++)
			sum += task_time(answer, key.host, g_array_index(kernel, WpId, i));
		return sum;
	case WPV_ROW_CPU:
	case WPV_ROW_INTERRUPTS:
		return cpu_time(answer, key);
	case WPV_ROW_CPUS:
	case WPV_ROW_KIND_N:
		break;
	}
	return 0;
}

guint32 wpv_answer_get_first_piece(WpvAnswer *answer, guint32 host, WpId task)
{
	guint32 group = wp_intmap_get(&answer->by_task, task_key(host, task));

	return group == WP_NONE ? WP_NONE : answer->pieces[group_at(answer, group)->first];
}

/* ---- levels of detail ---- */

WpLod *wpv_answer_get_band(WpvAnswer *answer)
{
	return answer->band;
}

static gboolean lies_on(WpvAnswer *answer, const WpSegment *segment, WpvRowKey key)
{
	if (segment->host != key.host)
		return FALSE;
	switch (key.kind) {
	case WPV_ROW_HOST:
		return TRUE;
	case WPV_ROW_PROCESS:
		return wpv_document_find_process(answer->document, key.host, segment->task) ==
		       key.id;
	case WPV_ROW_KERNEL:
		return wp_host_task(wpv_document_get_host(answer->document, key.host),
				    segment->task)
			       ->kind == WP_TASK_KERNEL;
	case WPV_ROW_CPU:
		return segment->cpu == key.id &&
		       (segment->state == WP_STATE_RUNNING || segment->state == WP_STATE_IRQ ||
			segment->state == WP_STATE_SOFTIRQ);
	case WPV_ROW_INTERRUPTS:
		return segment->cpu == key.id &&
		       (segment->state == WP_STATE_IRQ || segment->state == WP_STATE_SOFTIRQ);
	case WPV_ROW_THREAD:
	case WPV_ROW_CPUS:
	case WPV_ROW_KIND_N:
		break;
	}
	return FALSE;
}

/* The pieces on a row that is not one task's. Owned by the caller. */
static GArray *find_pieces(WpvAnswer *answer, WpvRowKey key)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 i = 0; i < answer->path->segments.n; i++)
		if (lies_on(answer, wpv_answer_get_segment(answer, i), key))
			g_array_append_val(pieces, i);
	return pieces;
}

/* NULL when nothing of the path lies there. */
static WpLod *make_lod(WpvAnswer *answer, WpvRowKey key)
{
	g_autoptr(GArray) pieces = NULL;
	const guint32 *indexes;
	guint n;

	if (key.kind == WPV_ROW_THREAD) {
		guint32 group = wp_intmap_get(&answer->by_task, task_key(key.host, key.id));

		n = group == WP_NONE ? 0 : group_at(answer, group)->n;
		indexes = n ? answer->pieces + group_at(answer, group)->first : NULL;
	} else {
		pieces = find_pieces(answer, key);
		indexes = (const guint32 *)(gpointer)pieces->data;
		n = pieces->len;
	}
	return n ? wp_lod_new(wp_series_new_path(answer->path, indexes, n), NULL, NULL) : NULL;
}

WpLod *wpv_answer_get_lod(WpvAnswer *answer, WpvRowKey key)
{
	guint64 packed = wpv_row_key_pack(key);
	gpointer lod;

	if (g_hash_table_lookup_extended(answer->lods, &packed, NULL, &lod))
		return lod;
	lod = make_lod(answer, key);
	g_hash_table_insert(answer->lods, g_memdup2(&packed, sizeof(packed)), lod);
	return lod;
}

WpPath *wpv_answer_dup_part(WpvAnswer *answer, WpTime begin, WpTime end)
{
	const WpPath *path = answer->path;

	begin = MAX(begin, path->begin);
	end = MIN(end, path->end);
	if (begin >= end)
		return NULL;

	guint first = wpv_answer_find(answer, begin), last = wpv_answer_find(answer, end - 1);
	WpPath *part = g_memdup2(path, sizeof(*path));

	part->begin = begin;
	part->end = end;
	part->max_clock_error = 0;
	wp_segments_init(&part->segments, wp_path_memory(path));
	for (guint i = first; i <= last; i++) {
		WpSegment segment = *wpv_answer_get_segment(answer, i);

		segment.begin = MAX(segment.begin, begin);
		segment.end = MIN(segment.end, end);
		part->max_clock_error = MAX(part->max_clock_error, segment.clock_error);
		if (!wp_segments_add(&part->segments, &segment, NULL)) {
			wp_path_free(part);
			return NULL;
		}
	}
	return part;
}
