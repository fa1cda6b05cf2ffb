/* SPDX-License-Identifier: MIT */
/*
 * path.c: the backward cursor.
 *
 * The cursor is a segment of a task (a vertex) and a time up to which the path is still
 * to be found. A wait that ended by another task's doing makes the cursor go over to
 * that task, at the time when it acted, and pushes the wait on a stack: its begin is the
 * floor down to which the other task's doings count. At the floor the cursor comes back.
 *
 * At the begin of each segment of its own task the path is there and nowhere else, whatever lies
 * behind: so the parts of a window between such times are walked side by side, by as many threads,
 * and put together.
 *
 * Time never increases. Within a host each hop goes to a vertex made before the one that
 * it left, so hops without progress in time end; between hosts a bound on them makes sure.
 */
#include "config.h"

#include "base/error.h"
#include "base/phase.h"
#include "base/thread.h"
#include "path/edge.h"
#include "path/path.h"

#define HOPS_MAX 10000u /* without progress in time */
#define STACK_FIRST 16u
#define SCOUT_VERTICES 4u /* that the scout is ahead */
#define PARTS_MAX 64u
#define CUT_VERTICES 65536u /* of all tasks, among which one of the own task is looked for */
#define CANCEL_INTERVAL 4096u /* steps between looks at the cancellable */

typedef struct {
	guint32 host;
	WpId vertex; /* the waiting segment */
	WpTime floor; /* its begin, or that of an outer floor */
} Frame;

/*
 * What a path comes to lies as far apart in memory as in time, and where is known only from what is
 * before it: so a scout goes through the vertices of the own task ahead of the cursor and asks
 * the memory for them, their causes and who acted. Not in a graph that lies in a file, of which it
 * would have more verified than the path needs, nor for a path that leaves its task for good.
 */
typedef struct {
	WpId vertex; /* the next one, WP_NONE: none */
	WpId cause; /* of the one before, WP_NONE */
} Scout;

typedef struct {
	WpGraph *graph; /* borrowed */
	WpPath *path; /* borrowed: being filled backwards */
	Frame *stack; /* owned */
	guint n_stack, n_allocated;
	WpTime begin; /* of the window */
	guint *places; /* owned: by host, where its clock map was asked last */
	guint32 host;
	WpId task;
	WpId vertex; /* WP_NONE: before the task's first */
	WpTime time;
	gboolean at_end; /* time is the end of the vertex's segment */
	WpTime host_end; /* end of that segment on the host's clock */
	guint depth, hops;
	Scout scout;
	GError *error; /* owned: of the first segment for which there was no room */
} Cursor;

static WpTime to_reference(const Cursor *c, WpTime host_time)
{
	return wp_clock_map_apply_near(c->graph->joins[c->host].map, host_time,
				       &c->places[c->host]);
}

static WpTime floor_of(const Cursor *c)
{
	return c->n_stack ? c->stack[c->n_stack - 1].floor : c->begin;
}

/* Everything of the path goes through here, from its end to its begin. */
static void emit(Cursor *c, WpTime begin, WpTime end, WpState state, WpId cause, WpPart part,
		 guint flags, WpTime clock_error)
{
	WpSegment s = {.begin = begin,
		       .end = end,
		       .host = c->host,
		       .task = c->task,
		       .vertex = c->vertex,
		       .cause = cause,
		       .cpu = G_MAXUINT16,
		       .depth = (guint16)MIN(c->depth, G_MAXUINT16),
		       .state = (guint8)state,
		       .part = (guint8)part,
		       .flags = (guint8)flags,
		       .clock_error = clock_error};

	if (begin >= end)
		return;
	if (c->vertex != WP_NONE) {
		const WpVertex *v = wp_host_vertex(c->graph->hosts[c->host], c->vertex);

		s.cpu = v->cpu;
		if (v->flags & WP_VERTEX_LOST)
			s.flags |= WP_SEGMENT_LOST;
	} else {
		s.flags |= WP_SEGMENT_OUTSIDE;
	}
	c->path->max_clock_error = MAX(c->path->max_clock_error, clock_error);
	if (!c->error)
		wp_segments_add(&c->path->segments, &s, &c->error);
	c->hops = 0;
}

/* ---------------------------------------------------------------- what a wait looks like */

/*
 * One stretch of a wait that ended at wake, less the time in which its softirq was raised and
 * did not run yet.
 */
static void emit_wait(Cursor *c, WpTime begin, WpTime end, WpPart part, guint flags,
		      WpTime clock_error)
{
	const WpVertex *v = wp_host_vertex(c->graph->hosts[c->host], c->vertex);
	WpTime raised, entered;

	if (wp_wait_deferral(c->graph, c->host, v, c->host_end, &raised, &entered)) {
		raised = CLAMP(raised, begin, end);
		entered = CLAMP(entered, raised, end);
		emit(c, entered, end, v->state, v->cause, part, flags, clock_error);
		emit(c, raised, entered, WP_STATE_DEFERRED, v->cause, WP_PART_NONE, 0, 0);
		end = raised;
	}
	emit(c, begin, end, v->state, v->cause, part, flags, clock_error);
}

/* The flight of a packet over [begin, c->time]: queued, on the wire, being received. */
static void emit_flight(Cursor *c, WpTime begin, const WpEdge *edge, const WpPacket *received)
{
	WpTime error = wp_graph_clock_error(c->graph, c->host, edge->host, c->time);
	WpTime wake = c->time, sent = begin;
	WpTime arrived = wp_graph_time(c->graph, c->host, received->time - received->lag);
	guint flags = edge->local ? WP_SEGMENT_LOCAL : 0;

	if (edge->clamped || wake - edge->time < error)
		flags |= WP_SEGMENT_BELOW_ERROR;
	arrived = CLAMP(arrived, begin, wake);
	if (edge->sent != WP_NONE) {
		const WpPacket *p = wp_host_packet(c->graph->hosts[edge->host], edge->sent);

		sent = CLAMP(wp_graph_time(c->graph, edge->host, p->time + p->lag), begin, arrived);
	}
	emit_wait(c, arrived, wake, WP_PART_RECEIVE, flags, error);
	emit_wait(c, sent, arrived, WP_PART_WIRE, flags, error);
	emit_wait(c, begin, sent, WP_PART_SEND, flags, error);
}

/* What ended the wait v, if the cursor is at its end and that can be followed. */
static WpEdgeStatus find_edge(Cursor *c, const WpVertex *v, WpTime low, WpEdge *edge)
{
	WpEdgeStatus status;

	if (low >= c->time || !c->at_end || !wp_state_is_wait(v->state))
		return WP_EDGE_NONE;
	status = wp_edge_of_wait(c->graph, c->host, v, c->host_end, c->time, low, edge);
	if (status == WP_EDGE_FOLLOWED && c->hops >= HOPS_MAX)
		status = WP_EDGE_INCONSISTENT;
	c->path->n_inconsistent += status == WP_EDGE_INCONSISTENT;
	return status;
}

/* The received packet that ended the wait v, NULL: something else did. */
static const WpPacket *received_packet(const Cursor *c, const WpVertex *v)
{
	const WpHost *host = c->graph->hosts[c->host];
	const WpCause *cause = wp_host_cause(host, v->cause);

	return cause->kind == WP_CAUSE_PACKET ? wp_host_packet(host, cause->packet) : NULL;
}

/* ---------------------------------------------------------------- moving */

static void scout_advance(Cursor *c)
{
	const WpHost *host = c->graph->hosts[c->host];
	const WpVertex *v;

	if (c->scout.cause != WP_NONE) {
		const WpCause *cause = wp_host_cause(host, c->scout.cause);

		if (wp_cause_has_source(cause) && cause->source != WP_NONE)
			__builtin_prefetch(wp_host_vertex(host, cause->source));
		c->scout.cause = WP_NONE;
	}
	if (c->scout.vertex == WP_NONE)
		return;
	v = wp_host_vertex(host, c->scout.vertex);
	c->scout.cause = v->cause;
	if (v->cause != WP_NONE)
		__builtin_prefetch(wp_host_cause(host, v->cause));
	c->scout.vertex = v->prev;
	if (v->prev != WP_NONE)
		__builtin_prefetch(wp_host_vertex(host, v->prev));
}

static void scout_begin(Cursor *c)
{
	const gboolean is_any = c->path->mode == WP_PATH_ACTIVE && !c->graph->hosts[c->host]->file;

	c->scout = (Scout){is_any ? c->vertex : WP_NONE, WP_NONE};
	for (guint i = 0; i < SCOUT_VERTICES; i++)
		scout_advance(c);
}

/* v is the cursor's vertex, host_begin its time, and begin the same on the reference clock. */
static void go_to_previous(Cursor *c, const WpVertex *v, WpTime host_begin, WpTime begin)
{
	/* Later than the cursor only where a flight was clamped: then it is in the middle. */
	c->at_end = begin <= c->time;
	c->host_end = host_begin;
	c->vertex = v->prev;
	if (!c->n_stack)
		scout_advance(c);
}

/*
 * What was lost is written down when it is over: a task may have acted in a segment that
 * was then found to have ended before.
 */
static WpId segment_of(const Cursor *c, const WpEdge *edge)
{
	WpHost *host = c->graph->hosts[edge->host];
	WpTime time, unused;
	WpId at;

	if (host->losses.n == 0)
		return edge->vertex;
	time = wp_clock_map_invert(c->graph->joins[edge->host].map, edge->time) - 1;
	at = wp_host_task_at(host, wp_host_vertex(host, edge->vertex)->task, time, &unused);
	return at == WP_NONE ? edge->vertex : MAX(edge->vertex, at);
}

static void go_to(Cursor *c, const WpEdge *edge)
{
	c->vertex = segment_of(c, edge);
	c->host = edge->host;
	c->task = wp_host_vertex(c->graph->hosts[c->host], c->vertex)->task;
	c->time = edge->time;
	/* It acts in this segment, which goes on. */
	c->at_end = FALSE;
	c->hops++;
}

/* Over to another task, for the sake of the present wait: it goes on the stack. */
static void go_to_source(Cursor *c, const WpEdge *edge, WpTime floor)
{
	if (c->path->mode == WP_PATH_ACTIVE) {
		if (c->n_stack == c->n_allocated) {
			c->n_allocated = MAX(STACK_FIRST, 2 * c->n_allocated);
			c->stack = g_renew(Frame, c->stack, c->n_allocated);
		}
		c->stack[c->n_stack++] = (Frame){c->host, c->vertex, floor};
	}
	c->depth++;
	go_to(c, edge);
}

/* Back to the waits whose begin is reached. */
static void come_back(Cursor *c)
{
	while (c->n_stack && c->time <= floor_of(c)) {
		const Frame *frame = &c->stack[--c->n_stack];

		c->host = frame->host;
		c->vertex = frame->vertex;
		c->task = wp_host_vertex(c->graph->hosts[c->host], c->vertex)->task;
		c->at_end = FALSE;
		c->depth--;
	}
}

/*
 * At the begin of a segment that another task set off: a new task by its parent, a work
 * item by the task that queued it. Only for what is done on behalf of a wait: a task's own
 * path stays on it.
 */
static gboolean follow_begin(Cursor *c, WpTime floor)
{
	const WpVertex *v = wp_host_vertex(c->graph->hosts[c->host], c->vertex);
	WpEdge edge;

	if ((!c->n_stack && c->path->mode == WP_PATH_ACTIVE) || c->hops >= HOPS_MAX ||
	    wp_edge_of_begin(c->graph, c->host, v, c->time, &edge) != WP_EDGE_FOLLOWED)
		return FALSE;
	emit(c, MAX(edge.time, floor), c->time, WP_STATE_DEFERRED, v->cause, WP_PART_NONE, 0, 0);
	c->time = MAX(edge.time, floor);
	if (edge.time > floor)
		go_to(c, &edge);
	return TRUE;
}

static void step(Cursor *c)
{
	WpTime floor = floor_of(c), host_begin, begin, low;
	WpEdgeStatus status;
	const WpVertex *v;
	WpEdge edge;

	if (c->vertex == WP_NONE) {
		emit(c, floor, c->time, WP_STATE_UNKNOWN, WP_NONE, WP_PART_NONE, 0, 0);
		c->time = floor;
		return;
	}
	v = wp_host_vertex(c->graph->hosts[c->host], c->vertex);
	host_begin = wp_host_time_of(c->graph->hosts[c->host], v, c->vertex);
	begin = to_reference(c, host_begin);
	low = MAX(begin, floor);
	status = find_edge(c, v, low, &edge);
	if (status == WP_EDGE_FOLLOWED) {
		WpTime acted = MAX(edge.time, low);
		const WpPacket *received = received_packet(c, v);

		if (received)
			emit_flight(c, acted, &edge, received);
		else
			emit_wait(c, acted, c->time, WP_PART_NONE, 0, 0);
		c->time = acted;
		if (edge.time > low) {
			go_to_source(c, &edge, low);
			return;
		}
	} else if (low < c->time) {
		if (status == WP_EDGE_LOST) {
			emit_wait(c, edge.time, c->time, WP_PART_NONE, 0, 0);
			emit(c, low, edge.time, WP_STATE_LOST, v->cause, WP_PART_NONE,
			     WP_SEGMENT_LOST, 0);
		} else if (wp_state_is_wait(v->state))
			emit_wait(c, low, c->time, WP_PART_NONE, 0, 0);
		else
			emit(c, low, c->time, v->state, v->cause, WP_PART_NONE, 0, 0);
		c->time = low;
	}
	/* In the segment before, unless a floor is reached, where come_back() takes over. */
	if (c->time > floor && !follow_begin(c, floor))
		go_to_previous(c, v, host_begin, begin);
}

/* The promise of this whole file, kept at every run. */
static gboolean check_partition(const WpPath *path, GError **error)
{
	WpTime time = path->begin;

	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		if (s->begin != time || s->end <= s->begin)
			break;
		time = s->end;
	}
	if (time == path->end)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "The path does not cover its window at %" G_GINT64_FORMAT
		    ": this is a fault of waitpath; please report it with the trace.",
		    time);
	return FALSE;
}

/* Puts the cursor at the window's end, or where the host's trace ends before that. */
static void place(Cursor *c, guint host, WpId task, WpTime end)
{
	WpHost *h = c->graph->hosts[host];
	WpTime trace_end = MAX(wp_graph_time(c->graph, host, h->end), c->begin), time;

	c->host = host;
	c->task = task;
	c->vertex = WP_NONE;
	emit(c, trace_end, end, WP_STATE_UNKNOWN, WP_NONE, WP_PART_NONE, 0, 0);
	c->time = MIN(trace_end, end);
	/* The last segment that has begun by then; if just then, step() goes on from its begin. */
	time = wp_clock_map_invert(c->graph->joins[host].map, c->time + 1) - 1;
	c->vertex = wp_host_task_at(h, task, time, &c->host_end);
}

/* ---------------------------------------------------------------- parts */

typedef struct {
	WpPath path; /* of this part, its segments from the last to the first */
	WpGraph *graph; /* borrowed */
	WpId last; /* the own task's vertex that begins at its end; WP_NONE: none, to be looked for */
	WpCancel *cancellable; /* borrowed, may be NULL */
	GError *error; /* owned */
	pthread_t thread;
	gboolean has_thread;
} Part;

static void part_init(Part *part, WpGraph *graph, const WpPath *whole, WpCancel *cancellable)
{
	*part = (Part){.path = *whole, .graph = graph, .last = WP_NONE, .cancellable = cancellable};
	wp_segments_init(&part->path.segments, wp_graph_memory(graph));
}

static void *part_walk(void *data)
{
	Part *part = data;
	Cursor c = {.graph = part->graph, .path = &part->path, .begin = part->path.begin};
	gboolean cancelled = FALSE;

	c.places = g_new0(guint, c.graph->n_hosts);
	if (part->last == WP_NONE) {
		place(&c, part->path.host, part->path.task, part->path.end);
	} else {
		c.host = part->path.host;
		c.task = part->path.task;
		c.vertex = part->last;
		c.time = part->path.end;
	}
	scout_begin(&c);
	for (guint i = 1; c.time > c.begin && !cancelled && !c.error; i++) {
		step(&c);
		come_back(&c);
		cancelled = i % CANCEL_INTERVAL == 0 && wp_cancel_is_cancelled(part->cancellable);
	}
	g_free(c.stack);
	g_free(c.places);
	part->error = c.error;
	if (cancelled && !part->error)
		g_set_error_literal(&part->error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The analysis was cancelled.");
	return NULL;
}

/* A vertex of the task at or before one of any task, but not long before it; WP_NONE. */
static WpId find_own(const WpHost *host, WpId task, guint64 from)
{
	for (guint64 i = from + 1; i-- > 0 && from - i < CUT_VERTICES;)
		if (wp_host_vertex(host, i)->task == task)
			return (WpId)i;
	return WP_NONE;
}

/*
 * Cuts the window of the only part there is where vertices of its task begin, so that all parts have
 * about as many vertices of all tasks; returns how many parts there are, at most n.
 */
static guint cut(Part *parts, guint n)
{
	WpGraph *graph = parts[0].graph;
	const WpPath whole = parts[0].path;
	const WpHost *host = graph->hosts[whole.host];
	guint n_parts = 1;

	/* As with the scout: of a file only what the path needs is to be verified. */
	if (whole.mode != WP_PATH_ACTIVE || host->file || host->vertices.n == 0)
		return 1;
	for (guint i = 1; i < n; i++) {
		const WpId own = find_own(host, whole.task, host->vertices.n / n * i);
		Part *before = &parts[n_parts - 1];
		WpTime time;

		if (own == WP_NONE)
			continue;
		time = wp_graph_time(graph, whole.host, wp_host_vertex_time(host, own));
		if (time <= before->path.begin || time >= whole.end)
			continue;
		part_init(&parts[n_parts], graph, &whole, before->cancellable);
		parts[n_parts++].path.begin = before->path.end = time;
		before->last = own;
	}
	return n_parts;
}

/* Takes the parts' segments and what else they found. Errors are those of the first that has one. */
static gboolean put_together(WpPath *path, Part *parts, guint n, GError **error)
{
	gboolean ok = TRUE;

	for (guint i = 0; i < n; i++) {
		Part *part = &parts[i];

		if (ok && part->error) {
			g_propagate_error(error, g_steal_pointer(&part->error));
			ok = FALSE;
		}
		if (ok && i == 0) {
			wp_segments_reverse(&part->path.segments);
			path->segments = part->path.segments;
		} else {
			ok = ok &&
			     wp_segments_add_reversed(&path->segments, &part->path.segments, error);
			wp_segments_clear(&part->path.segments);
		}
		path->n_inconsistent += part->path.n_inconsistent;
		path->max_clock_error = MAX(path->max_clock_error, part->path.max_clock_error);
		g_clear_error(&part->error);
	}
	return ok;
}

WpPath *wp_path_compute_in_parts(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
				 WpPathMode mode, guint n_parts, WpCancel *cancellable,
				 GError **error)
{
	g_autoptr(WpPath) path = NULL;
	Part parts[PARTS_MAX];
	WP_PHASE(WP_PHASE_PATH);

	if (begin >= end) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "The window ends at %" G_GINT64_FORMAT
			    ", which is not after its begin, "
			    "%" G_GINT64_FORMAT ".",
			    end, begin);
		return NULL;
	}
	path = g_new0(WpPath, 1);
	*path = (WpPath){.host = host, .task = task, .mode = mode, .begin = begin, .end = end};
	part_init(&parts[0], graph, path, cancellable);
	n_parts = cut(parts, MIN(n_parts, PARTS_MAX));
	for (guint i = 1; i < n_parts; i++)
		parts[i].has_thread = wp_thread_start(&parts[i].thread, part_walk, &parts[i]);
	for (guint i = 0; i < n_parts; i++)
		if (!parts[i].has_thread)
			part_walk(&parts[i]);
	for (guint i = 1; i < n_parts; i++)
		if (parts[i].has_thread)
			pthread_join(parts[i].thread, NULL);
	if (!put_together(path, parts, n_parts, error) || !check_partition(path, error))
		return NULL;
	return g_steal_pointer(&path);
}

WpPath *wp_path_compute(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
			WpPathMode mode, WpCancel *cancellable, GError **error)
{
	return wp_path_compute_in_parts(graph, host, task, begin, end, mode, 1, cancellable, error);
}

void wp_path_free(WpPath *path)
{
	if (!path)
		return;
	wp_segments_clear(&path->segments);
	g_free(path);
}
