/* SPDX-License-Identifier: MIT */
/*
 * wpv-document.c: the tables over a graph that rows are made from.
 *
 * Each host's tasks of user space are sorted by process once; a process is a stretch
 * of them. Levels of detail are kept in a map from row keys. They may be dropped only
 * when a thread hands over a new one, which happens in the main loop: so that whoever
 * draws can borrow them.
 */
#include "config.h"

#include "viewer/model/wpv-document.h"

/* Rows of fewer segments are made at once when they are asked for: about a millisecond. */
#define SHORT_ROW 20000u
/* Rows that may be on the screen at a time. */
#define IN_VIEW 256u

typedef struct {
	GArray *threads; /* owned: WpId, sorted by process */
	GArray *processes; /* owned: WpvProcess */
	guint32 *process_of; /* owned: of each task, WP_NONE */
	GArray *kernel; /* owned: WpId */
} HostRows;

typedef struct {
	guint64 key;
	WpLod *lod; /* owned, NULL while a thread makes it or when it could not be made */
	guint64 used; /* turn at which it was asked for last */
	gboolean pending;
} Entry;

struct _WpvDocument {
	GObject parent;
	gchar *title; /* owned */
	gchar *identity; /* owned */
	WpGraph *graph; /* of owner */
	const WpFindings *findings; /* of owner */
	const WpSyncReport *sync; /* of owner, NULL */
	gpointer owner; /* owned: freed with free_owner */
	GDestroyNotify free_owner;
	WpEventSource *events; /* owned */
	WpTime begin, end;
	HostRows *hosts; /* owned, one for each of the graph */
	GHashTable *lods; /* owned: &entry->key -> owned Entry */
	guint64 turn, lod_bytes;
	gboolean damaged; /* and that was told, or is about to be */
};

G_DEFINE_FINAL_TYPE(WpvDocument, wpv_document, G_TYPE_OBJECT)

static void entry_free(gpointer data)
{
	Entry *entry = data;

	wp_lod_free(entry->lod);
	g_free(entry);
}

static void wpv_document_finalize(GObject *object)
{
	WpvDocument *document = WPV_DOCUMENT(object);

	for (guint h = 0; h < document->graph->n_hosts; h++) {
		g_array_unref(document->hosts[h].threads);
		g_array_unref(document->hosts[h].processes);
		g_array_unref(document->hosts[h].kernel);
		g_free(document->hosts[h].process_of);
	}
	g_free(document->hosts);
	g_hash_table_destroy(document->lods);
	wp_event_source_free(document->events);
	g_free(document->title);
	g_free(document->identity);
	if (document->free_owner)
		document->free_owner(document->owner);
	G_OBJECT_CLASS(wpv_document_parent_class)->finalize(object);
}

static void wpv_document_class_init(WpvDocumentClass *klass)
{
	G_OBJECT_CLASS(klass)->finalize = wpv_document_finalize;
	g_signal_new("lod-ready", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
	g_signal_new("damaged", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void wpv_document_init(WpvDocument *document)
{
	document->events = wp_event_source_new();
	document->lods = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, entry_free);
}

/* ---- processes ---- */

static gint32 process_id(const WpTask *task)
{
	return task->pid >= 0 ? task->pid : task->tid;
}

static gint compare_threads(gconstpointer a, gconstpointer b, gpointer host)
{
	const WpTask *x = wp_host_task((WpHost *)host, *(const WpId *)a);
	const WpTask *y = wp_host_task((WpHost *)host, *(const WpId *)b);

	if (process_id(x) != process_id(y))
		return process_id(x) < process_id(y) ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	/* The leader first, then by age. */
	if ((x->tid == x->pid) != (y->tid == y->pid))
		return x->tid == x->pid ? -1 : 1;
	return *(const WpId *)a < *(const WpId *)b ? -1 : 1;
}

static gint compare_tids(gconstpointer a, gconstpointer b, gpointer host)
{
	const WpTask *x = wp_host_task((WpHost *)host, *(const WpId *)a);
	const WpTask *y = wp_host_task((WpHost *)host, *(const WpId *)b);

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return *(const WpId *)a < *(const WpId *)b ? -1 : 1;
}

/* A task of the same pid that does not belong to the process before it: the pid came back. */
static gboolean begins_process(WpHost *host, const WpvProcess *process, const WpTask *task)
{
	const WpTask *leader = wp_host_task(host, process->leader);

	return process->pid == -1 || task->pid != process->pid ||
	       (task->tid == task->pid && leader->tid == leader->pid);
}

static void group_threads(WpHost *host, HostRows *rows)
{
	for (guint32 i = 0; i < rows->threads->len; i++) {
		WpId id = g_array_index(rows->threads, WpId, i);
		const WpTask *task = wp_host_task(host, id);
		guint n = rows->processes->len;
		WpvProcess *last = n ? &g_array_index(rows->processes, WpvProcess, n - 1) : NULL;

		if (!last || begins_process(host, last, task)) {
			WpvProcess process = {task->pid, id, i, 1};

			g_array_append_val(rows->processes, process);
		} else {
			last->n++;
			if (task->tid == task->pid)
				last->leader = id;
		}
		rows->process_of[id] = rows->processes->len - 1;
	}
}

static void host_rows_init(HostRows *rows, WpHost *host)
{
	const WpId *vertices;

	rows->threads = g_array_new(FALSE, FALSE, sizeof(WpId));
	rows->processes = g_array_new(FALSE, FALSE, sizeof(WpvProcess));
	rows->kernel = g_array_new(FALSE, FALSE, sizeof(WpId));
	rows->process_of = g_new(guint32, MAX(host->tasks.n, 1));
	for (WpId task = 0; task < host->tasks.n; task++) {
		const WpTask *t = wp_host_task(host, task);

		rows->process_of[task] = WP_NONE;
		/* The idle tasks are what their CPU's row shows as nothing. */
		if (t->tid == 0)
			continue;
		if (t->kind == WP_TASK_KERNEL)
			g_array_append_val(rows->kernel, task);
		else
			g_array_append_val(rows->threads, task);
	}
	g_array_sort_with_data(rows->threads, compare_threads, host);
	g_array_sort_with_data(rows->kernel, compare_tids, host);
	group_threads(host, rows);
	/* Makes the host's index, which takes a while: now, and not when the first row is drawn. */
	if (host->tasks.n)
		wp_host_task_vertices(host, 0, &vertices);
}

/* ---- making ---- */

static gchar *make_identity(const WpGraph *graph)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (guint h = 0; h < graph->n_hosts; h++) {
		const WpHost *host = graph->hosts[h];
		g_autofree gchar *line = g_strdup_printf(
			"%s %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", host->name,
			host->clock_uuid ? host->clock_uuid : "-", host->begin, host->end);

		g_checksum_update(sum, (const guchar *)line, -1);
	}
	return g_strndup(g_checksum_get_string(sum), 32);
}

static void find_span(WpvDocument *document)
{
	WpGraph *graph = document->graph;

	document->begin = WP_TIME_MAX;
	document->end = WP_TIME_MIN;
	for (guint h = 0; h < graph->n_hosts; h++) {
		document->begin = MIN(document->begin,
				      wp_graph_time(graph, h, graph->hosts[h]->begin));
		document->end = MAX(document->end, wp_graph_time(graph, h, graph->hosts[h]->end));
	}
	if (document->end <= document->begin)
		document->end = document->begin + 1;
}

WpvDocument *wpv_document_new(const gchar *title, WpGraph *graph, const WpFindings *findings,
			      const WpSyncReport *sync, gpointer owner, GDestroyNotify free_owner)
{
	WpvDocument *document = g_object_new(WPV_TYPE_DOCUMENT, NULL);

	document->title = wpv_take_text(g_strdup(title));
	document->graph = graph;
	document->findings = findings;
	document->sync = sync;
	document->owner = owner;
	document->free_owner = free_owner;
	document->identity = make_identity(graph);
	document->hosts = g_new0(HostRows, graph->n_hosts);
	find_span(document);
	for (guint h = 0; h < graph->n_hosts; h++)
		host_rows_init(&document->hosts[h], graph->hosts[h]);
	return document;
}

const gchar *wpv_document_get_title(WpvDocument *document)
{
	return document->title;
}

WpGraph *wpv_document_get_graph(WpvDocument *document)
{
	return document->graph;
}

const WpFindings *wpv_document_get_findings(WpvDocument *document)
{
	return document->findings;
}

const WpSyncReport *wpv_document_get_sync(WpvDocument *document)
{
	return document->sync;
}

WpEventSource *wpv_document_get_event_source(WpvDocument *document)
{
	return document->events;
}

WpHost *wpv_document_get_host(WpvDocument *document, guint host)
{
	g_return_val_if_fail(host < document->graph->n_hosts, NULL);
	return document->graph->hosts[host];
}

void wpv_document_get_span(WpvDocument *document, WpTime *ret_begin, WpTime *ret_end)
{
	*ret_begin = document->begin;
	*ret_end = document->end;
}

const gchar *wpv_document_get_identity(WpvDocument *document)
{
	return document->identity;
}

const GArray *wpv_document_get_processes(WpvDocument *document, guint host)
{
	return document->hosts[host].processes;
}

const WpvProcess *wpv_document_get_process(WpvDocument *document, guint host, guint process)
{
	return &g_array_index(document->hosts[host].processes, WpvProcess, process);
}

WpId wpv_document_get_thread(WpvDocument *document, guint host, guint32 i)
{
	return g_array_index(document->hosts[host].threads, WpId, i);
}

guint32 wpv_document_find_process(WpvDocument *document, guint host, WpId task)
{
	return document->hosts[host].process_of[task];
}

const GArray *wpv_document_get_kernel_threads(WpvDocument *document, guint host)
{
	return document->hosts[host].kernel;
}

/* ---- rows ---- */

WpId wpv_document_get_row_task(WpvDocument *document, WpvRowKey key)
{
	if (key.kind == WPV_ROW_THREAD)
		return key.id;
	if (key.kind == WPV_ROW_PROCESS)
		return wpv_document_get_process(document, key.host, key.id)->leader;
	return WP_NONE;
}

gchar *wpv_document_dup_row_name(WpvDocument *document, WpvRowKey key)
{
	WpHost *host = wpv_document_get_host(document, key.host);
	const WpTask *task;

	switch (key.kind) {
	case WPV_ROW_HOST:
		return wpv_take_text(g_strdup(host->name));
	case WPV_ROW_PROCESS:
	case WPV_ROW_THREAD:
		task = wp_host_task(host, wpv_document_get_row_task(document, key));
		return wpv_take_text(
			g_strdup_printf("%s %d", wp_strings_get(host->strings, task->comm),
					key.kind == WPV_ROW_THREAD ? task->tid : process_id(task)));
	case WPV_ROW_KERNEL:
		return g_strdup("kernel threads");
	case WPV_ROW_CPUS:
		return g_strdup("CPUs");
	case WPV_ROW_CPU:
		return g_strdup_printf("CPU %u", wp_host_cpu(host, key.id));
	case WPV_ROW_INTERRUPTS:
		return g_strdup_printf("CPU %u interrupts", wp_host_cpu(host, key.id));
	case WPV_ROW_KIND_N:
		break;
	}
	return g_strdup("");
}

/* ---- levels of detail ---- */

/* Rows that show the same share it: a process shows its leader. */
static WpvRowKey lod_key(WpvDocument *document, WpvRowKey key)
{
	WpId task = wpv_document_get_row_task(document, key);

	return task == WP_NONE ? key : wpv_row_key_thread(key.host, task);
}

static WpLod *make_lod(WpGraph *graph, WpvRowKey key)
{
	WpHost *host = graph->hosts[key.host];
	WpSeries *series = key.kind == WPV_ROW_THREAD
				   ? wp_series_new_task(host, key.id)
				   : wp_series_new_cpu(host, key.id,
						       key.kind == WPV_ROW_INTERRUPTS);

	/* Without memory the row stays empty; the program goes on. */
	return wp_lod_new(series, NULL, NULL);
}

static void drop_least_used(WpvDocument *document)
{
	while (document->lod_bytes > WPV_DOCUMENT_LOD_BYTES) {
		Entry *entry, *oldest = NULL;
		GHashTableIter iter;

		g_hash_table_iter_init(&iter, document->lods);
		while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&entry))
			if (entry->lod && (!oldest || entry->used < oldest->used))
				oldest = entry;
		/* What a screen shows at a time may alone be larger; it would be made anew for ever. */
		if (!oldest || oldest->used + IN_VIEW > document->turn)
			return;
		document->lod_bytes -= wp_lod_get_size(oldest->lod);
		g_hash_table_remove(document->lods, &oldest->key);
	}
}

static gboolean tell_damage(gpointer data)
{
	WpvDocument *document = data;
	g_autoptr(GError) error = NULL;

	if (!wp_graph_check_damage(document->graph, &error))
		g_signal_emit_by_name(document, "damaged", error);
	return G_SOURCE_REMOVE;
}

void wpv_document_note_damage(WpvDocument *document)
{
	if (document->damaged || wp_graph_check_damage(document->graph, NULL))
		return;
	document->damaged = TRUE;
	/* Not at once: rows are read in the middle of drawing. */
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, tell_damage, g_object_ref(document),
			g_object_unref);
}

static void take_lod(WpvDocument *document, Entry *entry, WpLod *lod)
{
	wpv_document_note_damage(document);
	entry->lod = lod;
	entry->pending = FALSE;
	if (lod)
		document->lod_bytes += wp_lod_get_size(lod);
}

typedef struct {
	WpGraph *graph; /* of the document, which the task holds */
	WpvRowKey key;
} Job;

static void lod_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	const Job *job = data;

	g_task_return_pointer(task, make_lod(job->graph, job->key), (GDestroyNotify)wp_lod_free);
}

static void lod_done(GObject *source, GAsyncResult *result, gpointer user_data)
{
	WpvDocument *document = WPV_DOCUMENT(source);
	const Job *job = g_task_get_task_data(G_TASK(result));
	guint64 key = wpv_row_key_pack(job->key);
	Entry *entry = g_hash_table_lookup(document->lods, &key);
	WpLod *lod = g_task_propagate_pointer(G_TASK(result), NULL);

	/* Somebody may have waited for the same row in the meantime. */
	if (!entry || !entry->pending) {
		wp_lod_free(lod);
		return;
	}
	take_lod(document, entry, lod);
	drop_least_used(document);
	g_signal_emit_by_name(document, "lod-ready");
}

static void start_lod(WpvDocument *document, Entry *entry, WpvRowKey key)
{
	g_autoptr(GTask) task = g_task_new(document, NULL, lod_done, NULL);
	Job *job = g_new(Job, 1);

	*job = (Job){document->graph, key};
	entry->pending = TRUE;
	g_task_set_task_data(task, job, g_free);
	g_task_run_in_thread(task, lod_thread);
}

static gboolean is_short(WpvDocument *document, WpvRowKey key)
{
	return key.kind == WPV_ROW_THREAD &&
	       wp_host_task(document->graph->hosts[key.host], key.id)->n_segments < SHORT_ROW;
}

WpLod *wpv_document_get_lod(WpvDocument *document, WpvRowKey key, gboolean wait)
{
	key = lod_key(document, key);
	if (key.kind != WPV_ROW_THREAD && key.kind != WPV_ROW_CPU && key.kind != WPV_ROW_INTERRUPTS)
		return NULL;

	guint64 packed = wpv_row_key_pack(key);
	Entry *entry = g_hash_table_lookup(document->lods, &packed);
	gboolean is_new = !entry;

	if (is_new) {
		entry = g_new0(Entry, 1);
		entry->key = packed;
		g_hash_table_insert(document->lods, &entry->key, entry);
	}
	entry->used = ++document->turn;
	if ((is_new || (wait && entry->pending)) && (wait || is_short(document, key)))
		take_lod(document, entry, make_lod(document->graph, key));
	else if (is_new)
		start_lod(document, entry, key);
	return entry->lod;
}

guint64 wpv_document_get_lod_bytes(WpvDocument *document)
{
	return document->lod_bytes;
}
