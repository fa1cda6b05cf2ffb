/* SPDX-License-Identifier: MIT */
/*
 * wpv-row-list.c: the rows as one array, with a map from their keys to their places.
 *
 * What a user has opened or closed is kept as the set of rows that differ from what
 * they would be by themselves, so that rows that come and go keep their state.
 */
#include "config.h"

#include <string.h>

#include "base/intmap.h"
#include "viewer/model/wpv-row-list.h"

/* A process that shows more threads than this is closed at first. */
#define OPEN_THREADS_MAX 16u

struct _WpvRowList {
	GObject parent;
	WpvDocument *document; /* reference, NULL */
	WpvAnswer *answer; /* reference, NULL */
	WpvRowFilter filter;
	WpTime begin, end;
	GArray *rows; /* owned: WpvRow */
	WpIntMap places; /* packed key -> index of rows */
	GHashTable *toggled; /* owned: set of owned guint64 *, packed keys */
	GArray *pinned; /* owned: WpvRowKey */
};

G_DEFINE_FINAL_TYPE(WpvRowList, wpv_row_list, G_TYPE_OBJECT)

static const gchar *const sort_keys[WPV_SORT_N] = {"share", "appearance", "name", "id"};

const gchar *wpv_sort_key(WpvSort sort)
{
	return sort_keys[MIN(sort, WPV_SORT_N - 1)];
}

WpvSort wpv_sort_from_key(const gchar *key)
{
	for (WpvSort sort = 0; sort < WPV_SORT_N; sort++)
		if (g_str_equal(sort_keys[sort], key))
			return sort;
	return WPV_SORT_N;
}

void wpv_row_filter_clear(WpvRowFilter *filter)
{
	g_clear_pointer(&filter->text, g_free);
}

void wpv_row_filter_copy(WpvRowFilter *to, const WpvRowFilter *from)
{
	gchar *text = g_strdup(from->text);

	wpv_row_filter_clear(to);
	*to = *from;
	to->text = text;
}

gboolean wpv_row_filter_equal(const WpvRowFilter *a, const WpvRowFilter *b)
{
	return a->all_tasks == b->all_tasks && a->kernel == b->kernel && a->cpus == b->cpus &&
	       a->interrupts == b->interrupts && a->hide_empty == b->hide_empty &&
	       a->only_active == b->only_active && a->sort == b->sort &&
	       g_strcmp0(a->text, b->text) == 0;
}

static void wpv_row_list_finalize(GObject *object)
{
	WpvRowList *list = WPV_ROW_LIST(object);

	g_clear_object(&list->answer);
	g_clear_object(&list->document);
	wpv_row_filter_clear(&list->filter);
	wp_intmap_clear(&list->places);
	g_array_unref(list->rows);
	g_array_unref(list->pinned);
	g_hash_table_destroy(list->toggled);
	G_OBJECT_CLASS(wpv_row_list_parent_class)->finalize(object);
}

static void wpv_row_list_class_init(WpvRowListClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_row_list_finalize;
	g_signal_new("changed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_row_list_init(WpvRowList *list)
{
	list->rows = g_array_new(FALSE, TRUE, sizeof(WpvRow));
	list->pinned = g_array_new(FALSE, FALSE, sizeof(WpvRowKey));
	list->toggled = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	wp_intmap_init(&list->places);
}

WpvRowList *wpv_row_list_new(void)
{
	return g_object_new(WPV_TYPE_ROW_LIST, NULL);
}

/* ---- what is shown ---- */

static WpTime time_on(WpvRowList *list, WpvRowKey key)
{
	return list->answer ? wpv_answer_get_time(list->answer, key) : 0;
}

/* Without a path there is nothing to leave out. */
static gboolean shows_all(WpvRowList *list)
{
	return list->filter.all_tasks || !list->answer;
}

static gboolean contains(const gchar *name, const gchar *text)
{
	g_autofree gchar *folded = g_utf8_casefold(name, -1);
	g_autofree gchar *wanted = g_utf8_casefold(text, -1);

	return strstr(folded, wanted) != NULL;
}

static gboolean has_text(WpvRowList *list, WpvRowKey key)
{
	if (!list->filter.text || !*list->filter.text)
		return TRUE;

	g_autofree gchar *name = wpv_document_dup_row_name(list->document, key);

	return contains(name, list->filter.text);
}

/* Does the task live, or with changes also change its state, in the window? */
static gboolean is_there(WpvRowList *list, guint32 h, WpId task, gboolean changes)
{
	WpHost *host = wpv_document_get_host(list->document, h);
	const WpClockMap *map = wpv_document_get_graph(list->document)->joins[h].map;
	const WpTask *t = wp_host_task(host, task);
	WpTime begin = wp_clock_map_invert(map, list->begin);
	WpTime end = wp_clock_map_invert(map, list->end);

	if (t->begin >= end || t->end <= begin)
		return FALSE;
	return !changes || wp_host_task_find(host, task, begin) !=
				   wp_host_task_find(host, task, MAX(begin, end - 1));
}

static gboolean passes(WpvRowList *list, guint32 host, WpId task, gboolean all)
{
	WpvRowKey key = wpv_row_key_thread(host, task);

	if (!all && time_on(list, key) == 0)
		return FALSE;
	if ((list->filter.hide_empty || list->filter.only_active) &&
	    !is_there(list, host, task, list->filter.only_active))
		return FALSE;
	return has_text(list, key);
}

/* ---- order ---- */

/* A row with what it is sorted by. */
typedef struct {
	WpvRowKey key;
	WpTime time;
	guint32 appearance;
	gint32 id;
	gchar *name; /* owned */
} Candidate;

static void candidate_clear(gpointer data)
{
	g_free(((Candidate *)data)->name);
}

static gint compare_candidates(gconstpointer a, gconstpointer b, gpointer data)
{
	const WpvRowList *list = data;
	const Candidate *x = a, *y = b;
	gint order = 0;

	switch (list->filter.sort) {
	case WPV_SORT_SHARE:
		order = (x->time < y->time) - (x->time > y->time);
		break;
	case WPV_SORT_APPEARANCE:
		order = (x->appearance > y->appearance) - (x->appearance < y->appearance);
		break;
	case WPV_SORT_NAME:
		order = strcmp(x->name, y->name);
		break;
	case WPV_SORT_ID:
	case WPV_SORT_N:
		break;
	}
	if (order == 0)
		order = (x->id > y->id) - (x->id < y->id);
	return order ? order : (x->key.id > y->key.id) - (x->key.id < y->key.id);
}

static GArray *candidates_new(void)
{
	GArray *candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));

	g_array_set_clear_func(candidates, candidate_clear);
	return candidates;
}

/* first: the task of the row that appears on the path first. */
static void add_candidate(WpvRowList *list, GArray *candidates, WpvRowKey key, WpId first)
{
	WpId task = wpv_document_get_row_task(list->document, key);
	Candidate candidate = {
		.key = key,
		.time = time_on(list, key),
		.appearance = list->answer
				      ? wpv_answer_get_first_piece(list->answer, key.host, first)
				      : WP_NONE,
		.id = wp_host_task(wpv_document_get_host(list->document, key.host), task)->tid,
		.name = wpv_document_dup_row_name(list->document, key)};

	g_array_append_val(candidates, candidate);
}

/* ---- building ---- */

static gboolean is_open(WpvRowList *list, WpvRowKey key, gboolean by_itself)
{
	guint64 packed = wpv_row_key_pack(key);

	return by_itself != g_hash_table_contains(list->toggled, &packed);
}

static void add_row(WpvRowList *list, WpvRow row)
{
	wp_intmap_set(&list->places, wpv_row_key_pack(row.key), list->rows->len);
	g_array_append_val(list->rows, row);
}

static void add_leaf(WpvRowList *list, WpvRowKey key, guint8 depth)
{
	add_row(list, (WpvRow){.key = key, .time = time_on(list, key), .depth = depth});
}

/* Adds a row that holds others; says whether they are to follow. */
static gboolean add_parent(WpvRowList *list, WpvRowKey key, guint8 depth, gboolean by_itself)
{
	gboolean open = is_open(list, key, by_itself);

	add_row(list, (WpvRow){.key = key,
			       .time = time_on(list, key),
			       .depth = depth,
			       .expandable = TRUE,
			       .expanded = open});
	return open;
}

/* The candidates of a process's threads that pass; owned by the caller. */
static GArray *find_threads(WpvRowList *list, guint32 host, guint32 process)
{
	const WpvProcess *p = wpv_document_get_process(list->document, host, process);
	GArray *threads = candidates_new();

	for (guint32 i = 0; i < p->n; i++) {
		WpId task = wpv_document_get_thread(list->document, host, p->first + i);

		if (passes(list, host, task, shows_all(list)))
			add_candidate(list, threads, wpv_row_key_thread(host, task), task);
	}
	g_array_sort_with_data(threads, compare_candidates, list);
	return threads;
}

static void add_threads(WpvRowList *list, const GArray *threads, guint8 depth)
{
	for (guint i = 0; i < threads->len; i++)
		add_leaf(list, g_array_index(threads, Candidate, i).key, depth);
}

static void add_process(WpvRowList *list, WpvRowKey key)
{
	g_autoptr(GArray) threads = find_threads(list, key.host, key.id);

	if (threads->len == 1)
		add_threads(list, threads, 1);
	else if (add_parent(list, key, 1, threads->len <= OPEN_THREADS_MAX))
		add_threads(list, threads, 2);
}

/* The thread of a process that passes and is the first on the path; WP_NONE: none passes. */
static WpId first_thread(WpvRowList *list, guint32 host, guint32 process)
{
	g_autoptr(GArray) threads = find_threads(list, host, process);
	guint32 appearance = WP_NONE;
	WpId first = WP_NONE;

	for (guint i = 0; i < threads->len; i++) {
		const Candidate *thread = &g_array_index(threads, Candidate, i);

		if (first == WP_NONE || thread->appearance < appearance) {
			first = thread->key.id;
			appearance = thread->appearance;
		}
	}
	return first;
}

/* Processes, and between them those kernel threads that are on the path. */
static void add_tasks(WpvRowList *list, guint32 host)
{
	const GArray *processes = wpv_document_get_processes(list->document, host);
	const GArray *kernel = wpv_document_get_kernel_threads(list->document, host);
	g_autoptr(GArray) candidates = candidates_new();

	for (guint32 i = 0; i < processes->len; i++) {
		WpId first = first_thread(list, host, i);

		if (first != WP_NONE)
			add_candidate(list, candidates, (WpvRowKey){host, i, WPV_ROW_PROCESS},
				      first);
	}
	for (guint i = 0; i < kernel->len && !list->filter.kernel; i++) {
		WpId task = g_array_index(kernel, WpId, i);

		if (passes(list, host, task, FALSE))
			add_candidate(list, candidates, wpv_row_key_thread(host, task), task);
	}
	g_array_sort_with_data(candidates, compare_candidates, list);
	for (guint i = 0; i < candidates->len; i++) {
		WpvRowKey key = g_array_index(candidates, Candidate, i).key;

		if (key.kind == WPV_ROW_PROCESS)
			add_process(list, key);
		else
			add_leaf(list, key, 1);
	}
}

static void add_kernel_threads(WpvRowList *list, guint32 host)
{
	const GArray *kernel = wpv_document_get_kernel_threads(list->document, host);
	g_autoptr(GArray) candidates = candidates_new();

	for (guint i = 0; i < kernel->len; i++) {
		WpId task = g_array_index(kernel, WpId, i);

		if (passes(list, host, task, TRUE))
			add_candidate(list, candidates, wpv_row_key_thread(host, task), task);
	}
	if (candidates->len == 0)
		return;
	g_array_sort_with_data(candidates, compare_candidates, list);
	if (add_parent(list, (WpvRowKey){host, 0, WPV_ROW_KERNEL}, 1, TRUE))
		add_threads(list, candidates, 2);
}

static void add_cpus(WpvRowList *list, guint32 host)
{
	guint n = (guint)wpv_document_get_host(list->document, host)->cpus.n;

	if (n == 0 || !add_parent(list, (WpvRowKey){host, 0, WPV_ROW_CPUS}, 1, TRUE))
		return;
	for (guint i = 0; i < n; i++) {
		WpvRowKey cpu = {host, i, WPV_ROW_CPU}, interrupts = {host, i, WPV_ROW_INTERRUPTS};

		if (list->filter.cpus && has_text(list, cpu))
			add_leaf(list, cpu, 2);
		if (list->filter.interrupts && has_text(list, interrupts))
			add_leaf(list, interrupts, 2);
	}
}

static void add_pinned(WpvRowList *list)
{
	for (guint i = 0; i < list->pinned->len; i++) {
		WpvRowKey key = g_array_index(list->pinned, WpvRowKey, i);
		WpvRow row = {.key = key, .time = time_on(list, key), .pinned = TRUE};

		add_row(list, row);
	}
}

static void rebuild(WpvRowList *list)
{
	g_array_set_size(list->rows, 0);
	wp_intmap_clear(&list->places);
	wp_intmap_init(&list->places);
	if (list->document) {
		guint n_hosts = wpv_document_get_graph(list->document)->n_hosts;

		add_pinned(list);
		for (guint h = 0; h < n_hosts; h++) {
			if (!add_parent(list, (WpvRowKey){h, 0, WPV_ROW_HOST}, 0, TRUE))
				continue;
			add_tasks(list, h);
			if (list->filter.kernel)
				add_kernel_threads(list, h);
			if (list->filter.cpus || list->filter.interrupts)
				add_cpus(list, h);
		}
	}
	g_signal_emit_by_name(list, "changed");
}

/* ---- public ---- */

void wpv_row_list_set_content(WpvRowList *list, WpvDocument *document, WpvAnswer *answer)
{
	if (list->document != document) {
		g_hash_table_remove_all(list->toggled);
		g_array_set_size(list->pinned, 0);
	}
	g_set_object(&list->document, document);
	g_set_object(&list->answer, answer);
	rebuild(list);
}

void wpv_row_list_set_filter(WpvRowList *list, const WpvRowFilter *filter)
{
	if (wpv_row_filter_equal(&list->filter, filter))
		return;
	wpv_row_filter_copy(&list->filter, filter);
	rebuild(list);
}

void wpv_row_list_set_window(WpvRowList *list, WpTime begin, WpTime end)
{
	if (list->begin == begin && list->end == end)
		return;
	list->begin = begin;
	list->end = end;
	if (list->filter.hide_empty || list->filter.only_active)
		rebuild(list);
}

guint wpv_row_list_get_n(WpvRowList *list)
{
	return list->rows->len;
}

const WpvRow *wpv_row_list_get(WpvRowList *list, guint i)
{
	g_return_val_if_fail(i < list->rows->len, NULL);
	return &g_array_index(list->rows, WpvRow, i);
}

guint32 wpv_row_list_find(WpvRowList *list, WpvRowKey key)
{
	return wp_intmap_get(&list->places, wpv_row_key_pack(key));
}

/* The row that shows this one when it is not there itself. */
static WpvRowKey parent_of(WpvRowList *list, WpvRowKey key)
{
	WpvRowKey none = WPV_ROW_KEY_NONE, host = {key.host, 0, WPV_ROW_HOST};
	guint32 process;

	switch (key.kind) {
	case WPV_ROW_THREAD:
		process = wpv_document_find_process(list->document, key.host, key.id);
		if (process == WP_NONE)
			return (WpvRowKey){key.host, 0, WPV_ROW_KERNEL};
		return (WpvRowKey){key.host, process, WPV_ROW_PROCESS};
	case WPV_ROW_CPU:
	case WPV_ROW_INTERRUPTS:
		return (WpvRowKey){key.host, 0, WPV_ROW_CPUS};
	case WPV_ROW_PROCESS:
	case WPV_ROW_KERNEL:
	case WPV_ROW_CPUS:
		return host;
	case WPV_ROW_HOST:
	case WPV_ROW_KIND_N:
		break;
	}
	return none;
}

guint32 wpv_row_list_find_nearest(WpvRowList *list, WpvRowKey key)
{
	while (list->document && !wpv_row_key_is_none(key)) {
		guint32 place = wpv_row_list_find(list, key);

		if (place != WP_NONE)
			return place;
		key = parent_of(list, key);
	}
	return WP_NONE;
}

static void toggle(WpvRowList *list, WpvRowKey key)
{
	guint64 packed = wpv_row_key_pack(key);

	if (!g_hash_table_remove(list->toggled, &packed))
		g_hash_table_add(list->toggled, g_memdup2(&packed, sizeof(packed)));
}

void wpv_row_list_set_expanded(WpvRowList *list, WpvRowKey key, gboolean expanded)
{
	guint32 place = wpv_row_list_find(list, key);

	if (place == WP_NONE || !wpv_row_list_get(list, place)->expandable ||
	    wpv_row_list_get(list, place)->expanded == expanded)
		return;
	toggle(list, key);
	rebuild(list);
}

/* A round for each level: one may bring further closed rows to light. */
void wpv_row_list_expand_all(WpvRowList *list)
{
	gboolean found = TRUE;

	while (found) {
		found = FALSE;
		for (guint i = 0; i < list->rows->len; i++) {
			const WpvRow *row = wpv_row_list_get(list, i);

			if (row->expandable && !row->expanded) {
				toggle(list, row->key);
				found = TRUE;
			}
		}
		if (found)
			rebuild(list);
	}
}

gboolean wpv_row_list_is_pinned(WpvRowList *list, WpvRowKey key)
{
	for (guint i = 0; i < list->pinned->len; i++)
		if (wpv_row_key_equal(g_array_index(list->pinned, WpvRowKey, i), key))
			return TRUE;
	return FALSE;
}

void wpv_row_list_set_pinned(WpvRowList *list, WpvRowKey key, gboolean pinned)
{
	if (wpv_row_list_is_pinned(list, key) == pinned)
		return;
	if (pinned)
		g_array_append_val(list->pinned, key);
	for (guint i = 0; i < list->pinned->len && !pinned; i++)
		if (wpv_row_key_equal(g_array_index(list->pinned, WpvRowKey, i), key))
			g_array_remove_index(list->pinned, i);
	rebuild(list);
}

guint wpv_row_list_get_n_pinned(WpvRowList *list)
{
	guint n = 0;

	while (n < wpv_row_list_get_n(list) && wpv_row_list_get(list, n)->pinned)
		n++;
	return n;
}

const GArray *wpv_row_list_get_pinned(WpvRowList *list)
{
	return list->pinned;
}
