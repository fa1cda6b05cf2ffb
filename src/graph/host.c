/* SPDX-License-Identifier: MIT */
/*
 * host.c: the tables of one host, and the two indexes over its vertices that are
 * made when somebody asks: by task (a permutation, counting sort) and by CPU.
 */
#include "config.h"

#include "base/error.h"
#include "base/thread.h"
#include "graph/check.h"
#include "graph/ends.h"
#include "graph/host.h"

struct WpHostIndex {
	WpMutex lock; /* of the making; what is made is never changed */
	guint64 n_steps; /* atomic: that were made for lack of by_task */
	gint have_tasks, have_cpus; /* atomic: set after the tables below are complete */
	guint64 *task_begin; /* owned: where in by_task each task's vertices begin; n_tasks + 1 */
	WpBlock by_task; /* WpId: all vertices by task, then time */
	guint64 *cpu_begin; /* owned: n_cpus + 1 */
	WpBlock by_cpu; /* WpId: vertices that hold a CPU, by CPU, then time */
	gint have_ends; /* atomic: set when ends are complete and in order */
	gboolean are_given; /* ends are complete */
	WpHostEnds ends;
};

static void trace_clear(gpointer data)
{
	g_free(((WpHostTrace *)data)->path);
}

WpHost *wp_host_new(const gchar *name, WpMemory *memory)
{
	WpHost *host = g_new0(WpHost, 1);

	host->name = g_strdup(name);
	wp_host_set_memory(host, memory);
	host->strings = wp_strings_new();
	host->findings = wp_findings_new();
	host->traces = g_array_new(FALSE, FALSE, sizeof(WpHostTrace));
	g_array_set_clear_func(host->traces, trace_clear);
	wp_column_init(&host->vertices, sizeof(WpVertex), memory);
	wp_column_init(&host->bases, sizeof(WpTime), memory);
	wp_column_init(&host->far_times, sizeof(WpFarTime), memory);
	wp_column_init(&host->causes, sizeof(WpCause), memory);
	wp_column_init(&host->details, sizeof(WpCauseDetail), memory);
	wp_intmap_init(&host->detail_index);
	wp_column_init(&host->deferrals, sizeof(WpDeferral), memory);
	wp_column_init(&host->tasks, sizeof(WpTask), memory);
	wp_column_init(&host->comms, sizeof(WpCommChange), memory);
	wp_column_init(&host->flows, sizeof(WpFlow), memory);
	wp_column_init(&host->packets, sizeof(WpPacket), memory);
	wp_column_init(&host->losses, sizeof(WpLoss), memory);
	wp_column_init(&host->cpus, sizeof(guint32), memory);
	wp_column_init(&host->markers, sizeof(WpMarker), memory);
	wp_column_init(&host->addresses, 16, memory);
	host->index = g_new0(WpHostIndex, 1);
	wp_mutex_init(&host->index->lock);
	wp_host_ends_init(&host->index->ends, memory);
	return host;
}

void wp_host_add_trace(WpHost *host, const gchar *path, gint64 clock_offset, gint64 clock_shift)
{
	WpHostTrace trace = {g_canonicalize_filename(path, NULL), clock_offset, clock_shift};

	g_array_append_val(host->traces, trace);
}

void wp_host_set_memory(WpHost *host, WpMemory *memory)
{
	if (memory)
		wp_memory_ref(memory);
	wp_memory_unref(host->memory);
	host->memory = memory;
}

void wp_host_drop_index(WpHost *host)
{
	WpHostIndex *index = host->index;

	g_clear_pointer(&index->task_begin, g_free);
	wp_block_clear(&index->by_task);
	g_clear_pointer(&index->cpu_begin, g_free);
	wp_block_clear(&index->by_cpu);
	wp_host_ends_clear(&index->ends);
	wp_host_ends_init(&index->ends, host->memory);
	index->have_tasks = index->have_cpus = index->have_ends = index->are_given = FALSE;
}

void wp_host_free(WpHost *host)
{
	if (!host)
		return;
	g_free(host->name);
	g_free(host->clock_uuid);
	wp_strings_free(host->strings);
	wp_findings_free(host->findings);
	g_array_unref(host->traces);
	wp_column_clear(&host->vertices);
	wp_column_clear(&host->bases);
	wp_column_clear(&host->far_times);
	wp_column_clear(&host->causes);
	wp_column_clear(&host->details);
	wp_intmap_clear(&host->detail_index);
	wp_column_clear(&host->deferrals);
	wp_column_clear(&host->tasks);
	wp_column_clear(&host->comms);
	wp_column_clear(&host->flows);
	wp_column_clear(&host->packets);
	wp_column_clear(&host->losses);
	wp_column_clear(&host->cpus);
	wp_column_clear(&host->markers);
	wp_column_clear(&host->addresses);
	wp_host_drop_index(host);
	wp_host_ends_clear(&host->index->ends);
	wp_mutex_clear(&host->index->lock);
	g_free(host->index);
	wp_memory_unref(host->memory);
	if (host->file)
		host->file_free(host->file);
	g_free(host);
}

WpTime wp_host_odd_time(const WpHost *host, const WpVertex *vertex, WpId id)
{
	guint64 at;

	if (vertex->flags & WP_VERTEX_AT_BEGIN)
		return vertex->task < host->tasks.n ? wp_host_task(host, vertex->task)->begin
						    : host->begin;
	at = wp_column_find_number(&host->far_times, offsetof(WpFarTime, vertex), id);
	if (at < host->far_times.n && WP_AT(&host->far_times, WpFarTime, at).vertex == id)
		return WP_AT(&host->far_times, WpFarTime, at).time;
	return host->begin; /* in a damaged graph */
}

gboolean wp_host_begin_block(WpHost *host, WpTime time, GError **error)
{
	WpTime *base = wp_column_push(&host->bases, error);

	if (!base)
		return FALSE;
	/* It may begin with one of long ago, which those that follow are not. */
	if (host->bases.n > 1)
		time = MAX(time, host->last_base + WP_VERTEX_BLOCK_MARGIN);
	*base = host->last_base = time - WP_VERTEX_BLOCK_MARGIN;
	return TRUE;
}

gboolean wp_host_mark_odd(WpHost *host, WpVertex *vertex, WpTask *row, WpTime time, GError **error)
{
	WpFarTime *far;

	if (vertex->prev == WP_NONE) {
		row->first = row->last;
		if (time == row->begin) {
			vertex->flags |= WP_VERTEX_AT_BEGIN;
			return TRUE;
		}
	}
	if (wp_vertex_is_near(host->last_base, time))
		return TRUE;
	far = wp_column_push(&host->far_times, error);
	if (!far)
		return FALSE;
	*far = (WpFarTime){.time = time, .vertex = (WpId)(host->vertices.n - 1)};
	vertex->flags |= WP_VERTEX_FAR;
	return TRUE;
}

/* The map stops growing there: what a trace can make different without end is not shared. */
#define SHARED_DETAILS_MAX 65536u

static guint64 detail_key(const WpCauseDetail *d)
{
	const guint64 names = (guint64)d->name << 32 | d->syscall;
	const guint64 numbers = (guint64)d->number << 16 | d->cpu;

	return (names * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) ^
	       ((numbers + 1) * G_GUINT64_CONSTANT(0xd6e8feb86659fd93));
}

static gboolean same_detail(const WpCauseDetail *a, const WpCauseDetail *b)
{
	return a->name == b->name && a->syscall == b->syscall && a->number == b->number &&
	       a->cpu == b->cpu;
}

WpId wp_host_add_detail(WpHost *host, const WpCauseDetail *detail, GError **error)
{
	guint64 key = detail_key(detail);
	WpCauseDetail *new;
	WpId id;

	for (; (id = wp_intmap_get(&host->detail_index, key)) != WP_NONE; key++)
		if (same_detail(&WP_AT(&host->details, WpCauseDetail, id), detail))
			return id;
	if (host->details.n >= WP_CAUSE_DETAILS_MAX) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Host %s has more than %u different causes of waits; analyse a part of "
			    "the trace with --begin and --end.",
			    host->name, WP_CAUSE_DETAILS_MAX);
		return WP_NONE;
	}
	new = wp_column_push(&host->details, error);
	if (!new)
		return WP_NONE;
	*new = *detail;
	id = (WpId)(host->details.n - 1);
	if (id < SHARED_DETAILS_MAX)
		wp_intmap_set(&host->detail_index, key, id);
	return id;
}

const WpDeferral *wp_host_deferral(const WpHost *host, WpId cause)
{
	const guint64 at = wp_column_find_number(&host->deferrals, offsetof(WpDeferral, cause),
						 cause);

	if (at == host->deferrals.n || WP_AT(&host->deferrals, WpDeferral, at).cause != cause)
		return NULL;
	return &WP_AT(&host->deferrals, WpDeferral, at);
}

const gchar *wp_host_task_comm(const WpHost *host, WpId task, WpTime time)
{
	const WpTask *t = wp_host_task(host, task);
	WpId comm = t->comm;

	for (WpId i = t->renamed; i != WP_NONE;) {
		const WpCommChange *change = &WP_AT(&host->comms, WpCommChange, i);

		comm = change->comm;
		if (change->time <= time)
			break;
		i = change->prev;
	}
	return wp_strings_get(host->strings, comm);
}

/* Ends of groups to their begins, after a counting sort has moved each begin to its end. */
static void shift_back(guint64 *begin, guint64 n)
{
	for (guint64 i = n; i > 0; i--)
		begin[i] = begin[i - 1];
	begin[0] = 0;
}

static void make_task_index(WpHost *host)
{
	WpHostIndex *index = host->index;
	guint64 n = host->vertices.n, n_tasks = host->tasks.n;
	guint64 *begin = g_new0(guint64, n_tasks + 2);
	WpId *by_task = wp_block_need(&index->by_task, n * sizeof(WpId), host->memory);

	for (guint64 i = 0; i < n; i++)
		begin[wp_host_vertex(host, i)->task + 1]++;
	for (guint64 i = 0; i < n_tasks; i++)
		begin[i + 1] += begin[i];
	for (guint64 i = 0; i < n; i++)
		by_task[begin[wp_host_vertex(host, i)->task]++] = (WpId)i;
	shift_back(begin, n_tasks);
	index->task_begin = begin;
}

static gboolean holds_cpu(const WpVertex *v)
{
	return v->state == WP_STATE_RUNNING || v->state == WP_STATE_IRQ ||
	       v->state == WP_STATE_SOFTIRQ;
}

static void make_cpu_index(WpHost *host)
{
	WpHostIndex *index = host->index;
	guint64 n = host->vertices.n, n_cpus = host->cpus.n, n_held = 0;
	guint64 *begin = g_new0(guint64, n_cpus + 2);
	WpId *by_cpu;

	for (guint64 i = 0; i < n; i++) {
		const WpVertex *v = wp_host_vertex(host, i);

		if (holds_cpu(v) && v->cpu < n_cpus) {
			begin[v->cpu + 1]++;
			n_held++;
		}
	}
	for (guint64 i = 0; i < n_cpus; i++)
		begin[i + 1] += begin[i];
	by_cpu = wp_block_need(&index->by_cpu, n_held * sizeof(WpId), host->memory);
	for (guint64 i = 0; i < n; i++) {
		const WpVertex *v = wp_host_vertex(host, i);

		if (holds_cpu(v) && v->cpu < n_cpus)
			by_cpu[begin[v->cpu]++] = (WpId)i;
	}
	shift_back(begin, n_cpus);
	index->cpu_begin = begin;
}

static void ensure(WpHost *host, gint *have, void (*make)(WpHost *))
{
	if (g_atomic_int_get(have))
		return;
	wp_mutex_lock(&host->index->lock);
	if (!g_atomic_int_get(have)) {
		make(host);
		g_atomic_int_set(have, 1);
	}
	wp_mutex_unlock(&host->index->lock);
}

guint32 wp_host_task_vertices(WpHost *host, WpId task, const WpId **ret_vertices)
{
	WpHostIndex *index = host->index;

	ensure(host, &index->have_tasks, make_task_index);
	*ret_vertices = (const WpId *)index->by_task.data + index->task_begin[task];
	return (guint32)(index->task_begin[task + 1] - index->task_begin[task]);
}

gint64 wp_host_task_find(WpHost *host, WpId task, WpTime time)
{
	const WpId *vertices;
	guint32 low = 0, high = wp_host_task_vertices(host, task, &vertices);

	while (low < high) {
		guint32 middle = low + (high - low) / 2;

		if (wp_host_vertex_time(host, vertices[middle]) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return (gint64)low - 1;
}

/* What a vertex costs in the making of the table of tasks' vertices, in steps from one to the next. */
#define STEPS_A_VERTEX 8u

/* Whether that table is there, or it is time to make it. */
static gboolean has_table(const WpHost *host)
{
	return g_atomic_int_get(&host->index->have_tasks) ||
	       __atomic_load_n(&host->index->n_steps, __ATOMIC_RELAXED) >
		       STEPS_A_VERTEX * host->vertices.n;
}

static void count_steps(WpHost *host, guint64 n)
{
	__atomic_fetch_add(&host->index->n_steps, n, __ATOMIC_RELAXED);
}

static WpId task_at_by_table(WpHost *host, WpId task, WpTime time, WpTime *ret_end)
{
	const WpId *vertices;
	const guint32 n = wp_host_task_vertices(host, task, &vertices);
	const gint64 at = wp_host_task_find(host, task, time);

	*ret_end = at + 1 < n ? wp_host_vertex_time(host, vertices[at + 1]) : host->end;
	return at < 0 ? WP_NONE : vertices[at];
}

WpId wp_host_task_at(WpHost *host, WpId task, WpTime time, WpTime *ret_end)
{
	WpId id = wp_host_task(host, task)->last;
	guint64 n = 0;

	if (has_table(host))
		return task_at_by_table(host, task, time, ret_end);
	*ret_end = host->end;
	for (; id != WP_NONE; n++) {
		const WpVertex *v = wp_host_vertex(host, id);
		const WpTime begin = wp_host_time_of(host, v, id);

		if (begin <= time)
			break;
		*ret_end = begin;
		id = v->prev;
	}
	count_steps(host, n);
	return id;
}

static WpId next_by_table(WpHost *host, WpId vertex)
{
	const WpId *vertices;
	const guint32 n = wp_host_task_vertices(host, wp_host_vertex(host, vertex)->task,
						&vertices);
	guint32 low = 0, high = n;

	/* A task's vertices have increasing ids. */
	while (low < high) {
		guint32 middle = low + (high - low) / 2;

		if (vertices[middle] <= vertex)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n ? vertices[low] : WP_NONE;
}

WpId wp_host_vertex_next(WpHost *host, WpId vertex)
{
	const WpVertex *v = wp_host_vertex(host, vertex);
	WpId next = vertex + 1;

	if (has_table(host))
		return next_by_table(host, vertex);
	if (wp_host_task(host, v->task)->last == vertex)
		return WP_NONE;
	/* Most segments are short: the next one is not far. */
	while (next < host->vertices.n && wp_host_vertex(host, next)->prev != vertex)
		next++;
	count_steps(host, next - vertex);
	return next < host->vertices.n ? next : WP_NONE;
}

WpTime wp_host_vertex_end(WpHost *host, WpId vertex)
{
	const WpId next = wp_host_vertex_next(host, vertex);

	return next == WP_NONE ? host->end : wp_host_vertex_time(host, next);
}

guint32 wp_host_cpu_vertices(WpHost *host, guint cpu, const WpId **ret_vertices)
{
	WpHostIndex *index = host->index;

	*ret_vertices = NULL;
	if (cpu >= host->cpus.n)
		return 0;
	ensure(host, &index->have_cpus, make_cpu_index);
	*ret_vertices = (const WpId *)index->by_cpu.data + index->cpu_begin[cpu];
	return (guint32)(index->cpu_begin[cpu + 1] - index->cpu_begin[cpu]);
}

void wp_host_give_ends(WpHost *host, WpHostEnds *ends)
{
	WpHostIndex *index = host->index;

	wp_host_ends_clear(&index->ends);
	index->ends = *ends;
	index->are_given = TRUE;
	wp_host_ends_init(ends, host->memory);
}

const WpHostEnds *wp_host_get_ends(WpHost *host, GError **error)
{
	WpHostIndex *index = host->index;
	gboolean made;

	if (g_atomic_int_get(&index->have_ends))
		return &index->ends;
	wp_mutex_lock(&index->lock);
	made = index->have_ends;
	if (!made && index->are_given) {
		made = wp_host_ends_sort(&index->ends, error);
	} else if (!made) {
		/* Of the memory that the host has now; and without what a failure may have left. */
		wp_host_ends_clear(&index->ends);
		wp_host_ends_init(&index->ends, host->memory);
		made = wp_host_ends_find(&index->ends, host, error);
	}
	g_atomic_int_set(&index->have_ends, made);
	wp_mutex_unlock(&index->lock);
	return made ? &index->ends : NULL;
}

static gboolean invalid(GError **error, const WpHost *host, const gchar *what, guint64 i)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "The graph of host %s is damaged: %s %" G_GUINT64_FORMAT
		    ". Make it anew from the trace.",
		    host->name, what, i);
	return FALSE;
}

/* Beyond an element by itself: how vertices follow each other. */
static const gchar *check_link(const WpHost *host, guint64 i)
{
	const WpVertex *v = wp_host_vertex(host, i), *prev;
	const WpTime time = wp_host_time_of(host, v, (WpId)i);

	if (v->prev != WP_NONE && i > 0 && wp_host_vertex_time(host, (WpId)i - 1) > time)
		return "time goes back at vertex";
	if (v->prev == WP_NONE)
		return wp_host_task(host, v->task)->first == i ? NULL : "a second first vertex";
	prev = wp_host_vertex(host, v->prev);
	if (prev->task != v->task)
		return "a link to another task at vertex";
	return wp_host_time_of(host, prev, v->prev) > time ? "time goes back at vertex" : NULL;
}

static const gchar *check_chain(const WpHost *host, guint64 i)
{
	const WpTask *t = wp_host_task(host, i);
	guint64 n = 0;

	for (WpId v = t->last; v != WP_NONE; v = wp_host_vertex(host, v)->prev, n++)
		if (wp_host_vertex(host, v)->task != i)
			return "a broken chain at task";
	return n == t->n_segments ? NULL : "the wrong number of segments at task";
}

static const gchar *check_packet_order(const WpHost *host, guint64 i)
{
	return i && wp_host_packet(host, i - 1)->time > wp_host_packet(host, i)->time
		       ? "time goes back at packet"
		       : NULL;
}

static const gchar *check_flow_pair(const WpHost *host, guint64 i)
{
	WpId reverse = wp_host_flow(host, i)->reverse;

	return reverse != WP_NONE && wp_host_flow(host, reverse)->reverse != i
		       ? "no way back of flow"
		       : NULL;
}

static const gchar *check_source(const WpHost *host, guint64 i)
{
	const WpCause *c = wp_host_cause(host, i);

	return wp_cause_has_source(c) && c->source != WP_NONE &&
			       wp_host_vertex_time(host, c->source) > c->time
		       ? "a source later than its cause"
		       : NULL;
}

static const gchar *check_deferral_order(const WpHost *host, guint64 i)
{
	return i && WP_AT(&host->deferrals, WpDeferral, i - 1).cause >=
				       WP_AT(&host->deferrals, WpDeferral, i).cause
		       ? "no order at deferral"
		       : NULL;
}

static const gchar *check_far_order(const WpHost *host, guint64 i)
{
	return i && WP_AT(&host->far_times, WpFarTime, i - 1).vertex >=
				       WP_AT(&host->far_times, WpFarTime, i).vertex
		       ? "no order at far time"
		       : NULL;
}

static const gchar *check_received(const WpHost *host, guint64 i)
{
	const WpCause *c = wp_host_cause(host, i);
	const WpId packet = c->kind == WP_CAUSE_PACKET ? c->packet : WP_NONE;

	return packet != WP_NONE && (wp_host_packet(host, packet)->flags & WP_PACKET_SEND)
		       ? "no received packet behind cause"
		       : NULL;
}

/* Those that were given against those that are found. */
static gboolean check_ends(WpHost *host, GError **error)
{
	const WpHostEnds *given = wp_host_get_ends(host, error);
	WpHostEnds found;
	gboolean ok;

	if (!given)
		return FALSE;
	wp_host_ends_init(&found, host->memory);
	ok = wp_host_ends_find(&found, host, error) &&
	     (wp_host_ends_agree(given, &found, host) ||
	      invalid(error, host, "wrong ends of waits, of", given->waits.n));
	wp_host_ends_clear(&found);
	return ok;
}

/* Runs a check over a table; the expressions see host and i. */
#define CHECK_ALL(column, expression)                                                              \
	for (guint64 i = 0; i < host->column.n; i++) {                                             \
		const gchar *fault = (expression);                                                 \
                                                                                                   \
		if (fault)                                                                         \
			return invalid(error, host, fault, i);                                     \
	}

gboolean wp_host_check(WpHost *host, GError **error)
{
	/* Elements by themselves first: the rest then need not mistrust an index. */
	CHECK_ALL(bases, wp_check_base(WP_AT(&host->bases, WpTime, i)));
	CHECK_ALL(far_times, wp_check_far_time(host, &WP_AT(&host->far_times, WpFarTime, i)));
	CHECK_ALL(far_times, check_far_order(host, i));
	CHECK_ALL(vertices, wp_check_vertex(host, wp_host_vertex(host, i), i));
	CHECK_ALL(causes, wp_check_cause(host, wp_host_cause(host, i)));
	CHECK_ALL(details, wp_check_detail(host, &WP_AT(&host->details, WpCauseDetail, i)));
	CHECK_ALL(deferrals, wp_check_deferral(host, &WP_AT(&host->deferrals, WpDeferral, i)));
	CHECK_ALL(tasks, wp_check_task(host, wp_host_task(host, i)));
	CHECK_ALL(comms, wp_check_comm(host, &WP_AT(&host->comms, WpCommChange, i), i));
	CHECK_ALL(flows, wp_check_flow(host, wp_host_flow(host, i)));
	CHECK_ALL(packets, wp_check_packet(host, wp_host_packet(host, i), i));
	CHECK_ALL(losses, wp_check_loss(host, &WP_AT(&host->losses, WpLoss, i)));
	CHECK_ALL(markers, wp_check_marker(host, wp_host_marker(host, i)));
	if (wp_host_is_damaged(host))
		return invalid(error, host, "a wrong checksum among vertices", host->vertices.n);

	CHECK_ALL(vertices, check_link(host, i));
	CHECK_ALL(causes, check_received(host, i));
	CHECK_ALL(causes, check_source(host, i));
	CHECK_ALL(deferrals, check_deferral_order(host, i));
	CHECK_ALL(tasks, check_chain(host, i));
	CHECK_ALL(packets, check_packet_order(host, i));
	CHECK_ALL(flows, check_flow_pair(host, i));
	return check_ends(host, error);
}

/* All columns of a host; NULL behind the last. */
static const WpColumn *column_number(const WpHost *host, guint i)
{
	const WpColumn *columns[] = {
		&host->vertices,  &host->causes,  &host->tasks, &host->comms,     &host->flows,
		&host->packets,   &host->losses,  &host->cpus,  &host->addresses, &host->markers,
		&host->deferrals, &host->details, &host->bases, &host->far_times};

	return i < G_N_ELEMENTS(columns) ? columns[i] : NULL;
}

gboolean wp_host_is_damaged(const WpHost *host)
{
	const WpColumn *column;

	for (guint i = 0; (column = column_number(host, i)); i++)
		if (wp_column_is_damaged(column))
			return TRUE;
	return FALSE;
}

gboolean wp_host_check_damage(const WpHost *host, GError **error)
{
	if (!wp_host_is_damaged(host))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "The saved graph of host %s is damaged: make it anew from the trace.",
		    host->name);
	return FALSE;
}

gboolean wp_host_load(const WpHost *host, GError **error)
{
	const WpColumn *column;

	for (guint i = 0; (column = column_number(host, i)); i++)
		for (guint64 at = 0; at < column->n; at += WP_COLUMN_CHUNK_ELEMENTS)
			wp_column_at(column, at, column->element);
	return wp_host_check_damage(host, error);
}
