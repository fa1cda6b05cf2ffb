/* SPDX-License-Identifier: MIT */
/*
 * path-oracle.c: the cursor of the path as a state machine that is moved one small
 * step at a time until it has reached the window's begin.
 */
#include "config.h"

#include "path-oracle.h"

/* Who the path goes to. */
typedef struct {
	guint host;
	WpId vertex;
	WpTime time; /* reference */
	gboolean lost; /* nobody is known, but that it was sent by this time */
} Source;

typedef struct {
	guint host;
	WpId task;
	WpTime floor;
	guint32 at; /* the owner's segment, a position in its vertices */
} Frame;

typedef struct {
	WpGraph *graph;
	WpTime begin;
	WpPathMode mode;
	/* The cursor: a task, one of its segments, a time not after the segment's end. */
	guint host;
	WpId task;
	gint64 at; /* -1: before the first */
	WpTime time;
	GArray *stack; /* owned: Frame */
	GArray *pieces; /* owned: WpOraclePiece, latest first */
} Oracle;

static gboolean is_wait(const WpVertex *v)
{
	switch (v->state) {
	case WP_STATE_RUNNING:
	case WP_STATE_IRQ:
	case WP_STATE_SOFTIRQ:
	case WP_STATE_RUNNABLE:
	case WP_STATE_PREEMPTED:
		return FALSE;
	default:
		return !(v->flags & WP_VERTEX_DEAD);
	}
}

static void emit(Oracle *o, WpTime from, WpState state)
{
	guint depth = o->stack->len;

	g_assert_cmpint(from, <=, o->time);
	if (from == o->time)
		return;
	if (o->pieces->len) {
		WpOraclePiece *last = &g_array_index(o->pieces, WpOraclePiece, o->pieces->len - 1);

		g_assert_cmpint(last->begin, ==, o->time);
		if (last->host == o->host && last->task == o->task && last->state == state &&
		    last->depth == depth) {
			last->begin = o->time = from;
			return;
		}
	}
	WpOraclePiece piece = {from, o->time, o->host, o->task, depth, state};
	g_array_append_val(o->pieces, piece);
	o->time = from;
}

/* Down to `from`, in a wait that ends at the host time `wake`: a softirq may have been deferred. */
static void emit_wait(Oracle *o, WpTime from, const WpVertex *v, WpTime wake)
{
	const WpCause *cause = v->cause != WP_NONE
				       ? wp_host_cause(o->graph->hosts[o->host], v->cause)
				       : NULL;

	if (cause && (cause->flags & WP_CAUSE_FLAG_DEFERRED)) {
		const WpDeferral *d = wp_host_deferral(o->graph->hosts[o->host], v->cause);
		WpTime raised = wp_graph_time(o->graph, o->host, wake - d->raised);
		WpTime entered = wp_graph_time(o->graph, o->host, wake - d->entered);

		emit(o, CLAMP(entered, from, o->time), (WpState)v->state);
		emit(o, CLAMP(raised, from, o->time), WP_STATE_DEFERRED);
	}
	emit(o, from, (WpState)v->state);
}

static WpTime floor_of(const Oracle *o)
{
	return o->stack->len ? g_array_index(o->stack, Frame, o->stack->len - 1).floor : o->begin;
}

/*
 * A packet was sent before a time by a host that lost events before that: it may have been when
 * the last of these were lost.
 */
static gboolean find_lost_send(WpGraph *graph, guint host, WpTime before, Source *source)
{
	const WpHost *h = graph->hosts[host];
	gboolean found = FALSE;

	for (guint64 i = 0; i < h->losses.n; i++) {
		const WpLoss *loss = &WP_AT(&h->losses, WpLoss, i);

		/* The smallest time of the host that is not before it, on the reference clock. */
		if (loss->begin >= wp_clock_map_invert(graph->joins[host].map, before))
			continue;
		*source = (Source){.host = host,
				   .lost = TRUE,
				   .time = MIN(before, wp_graph_time(graph, host, loss->end))};
		found = TRUE;
	}
	return found;
}

/* The sender of a received packet, through the packets that made an interrupt send. */
static gboolean find_sender(WpGraph *graph, guint host, WpId packet, Source *source)
{
	while (packet != WP_NONE) {
		const WpPacket *p = wp_host_packet(graph->hosts[host], packet);

		if (!(p->flags & WP_PACKET_SEND)) {
			const WpMatch *m = &WP_AT(&graph->joins[host].matches, WpMatch, packet);

			if (m->host == WP_NONE)
				return FALSE;
			if (m->packet == WP_NONE)
				return find_lost_send(graph, m->host,
						      wp_graph_time(graph, host, p->time), source);
			host = m->host;
			packet = m->packet;
		} else if (p->vertex != WP_NONE) {
			*source = (Source){host, p->vertex, wp_graph_time(graph, host, p->time)};
			return TRUE;
		} else {
			if (p->flags & WP_PACKET_NO_SENDER) {
				*source = (Source){.host = host,
						   .lost = TRUE,
						   .time = wp_graph_time(graph, host, p->time)};
				return TRUE;
			}
			packet = p->parent;
		}
	}
	return FALSE;
}

/* What ended a wait at `end`, if the path goes there. */
static gboolean find_source(const Oracle *o, const WpVertex *v, WpTime end, Source *source)
{
	WpHost *host = o->graph->hosts[o->host];

	if (v->cause == WP_NONE)
		return FALSE;
	const WpCause *cause = wp_host_cause(host, v->cause);

	if (cause->kind == WP_CAUSE_TASK || cause->kind == WP_CAUSE_WORKQUEUE) {
		if (cause->source == WP_NONE)
			return FALSE;
		*source = (Source){o->host, cause->source,
				   wp_graph_time(o->graph, o->host, cause->time)};
	} else if (cause->kind == WP_CAUSE_PACKET) {
		if (!find_sender(o->graph, o->host, cause->packet, source))
			return FALSE;
	} else {
		return FALSE;
	}
	if (source->lost)
		source->time = MIN(source->time, end);
	/* Sent after it was received: by no more than the clocks may err, it took no time. */
	if (source->time > end &&
	    source->time - end <= wp_graph_clock_error(o->graph, o->host, source->host, end))
		source->time = end;
	return source->time <= end;
}

static guint32 position_of(WpGraph *graph, guint host, WpId vertex)
{
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(
		graph->hosts[host], wp_host_vertex(graph->hosts[host], vertex)->task, &vertices);

	for (guint32 i = 0; i < n; i++)
		if (vertices[i] == vertex)
			return i;
	g_assert_not_reached();
}

/* From the segment in which the task acted to the one that holds that time, if it is another. */
static void skip_later(Oracle *o)
{
	WpHost *host = o->graph->hosts[o->host];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(host, o->task, &vertices);

	while (o->at + 1 < n &&
	       wp_graph_time(o->graph, o->host, wp_host_vertex_time(host, vertices[o->at + 1])) <
		       o->time)
		o->at++;
}

static void go_to(Oracle *o, const Source *source)
{
	o->at = position_of(o->graph, source->host, source->vertex);
	o->host = source->host;
	o->task = wp_host_vertex(o->graph->hosts[o->host], source->vertex)->task;
	o->time = source->time;
	skip_later(o);
}

/* The cursor stands at the begin of its segment, above the floor. */
static void leave_segment(Oracle *o, const WpVertex *v)
{
	WpHost *host = o->graph->hosts[o->host];
	gboolean nested = o->stack->len || o->mode == WP_PATH_CAUSAL;

	o->at--;
	/* A task's own history goes on before its work items, that of others does not. */
	if (!nested || v->cause == WP_NONE || is_wait(v))
		return;
	const WpCause *cause = wp_host_cause(host, v->cause);
	if ((cause->kind != WP_CAUSE_WORKQUEUE && cause->kind != WP_CAUSE_FORK) ||
	    cause->source == WP_NONE)
		return;
	Source source = {o->host, cause->source, wp_graph_time(o->graph, o->host, cause->time)};
	if (source.time > o->time)
		return;
	emit(o, MAX(source.time, floor_of(o)), WP_STATE_DEFERRED);
	if (source.time >= o->time)
		go_to(o, &source);
}

/* The cursor stands within a segment, or at its end. */
static void cross_segment(Oracle *o, const WpVertex *v, WpTime begin, WpTime end, WpTime host_end)
{
	WpTime low = MAX(begin, floor_of(o));
	Source source = {0};

	if (!is_wait(v)) {
		emit(o, low, (WpState)v->state);
	} else if (o->time < end || !find_source(o, v, end, &source)) {
		emit_wait(o, low, v, host_end);
	} else if (source.time <= low) {
		emit_wait(o, low, v, host_end);
	} else if (source.lost) {
		emit_wait(o, source.time, v, host_end);
		emit(o, low, WP_STATE_LOST);
	} else {
		Frame frame = {o->host, o->task, low, (guint32)o->at};

		emit_wait(o, source.time, v, host_end);
		if (o->mode == WP_PATH_ACTIVE)
			g_array_append_val(o->stack, frame);
		go_to(o, &source);
	}
}

static void oracle_step(Oracle *o)
{
	WpHost *host = o->graph->hosts[o->host];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(host, o->task, &vertices);

	if (o->stack->len && o->time <= floor_of(o)) {
		Frame *frame = &g_array_index(o->stack, Frame, o->stack->len - 1);

		o->host = frame->host;
		o->task = frame->task;
		o->at = frame->at;
		g_array_set_size(o->stack, o->stack->len - 1);
		return;
	}
	if (o->at < 0) {
		emit(o, floor_of(o), WP_STATE_UNKNOWN);
		return;
	}
	const WpVertex *v = wp_host_vertex(host, vertices[o->at]);
	WpTime begin = wp_graph_time(o->graph, o->host, wp_host_vertex_time(host, vertices[o->at]));
	WpTime host_end = o->at + 1 < n ? wp_host_vertex_time(host, vertices[o->at + 1])
					: host->end;
	WpTime end = wp_graph_time(o->graph, o->host, host_end);

	if (o->time < begin)
		o->at--;
	else if (o->time == begin)
		leave_segment(o, v);
	else if (o->time > end) /* the trace has ended */
		emit(o, MAX(end, floor_of(o)), WP_STATE_UNKNOWN);
	else
		cross_segment(o, v, begin, end, host_end);
}

GArray *wp_oracle_path(WpGraph *graph, guint host, WpId task, WpTime begin, WpTime end,
		       WpPathMode mode)
{
	const WpId *vertices;
	Oracle o = {.graph = graph, .begin = begin, .mode = mode, .host = host, .task = task};

	o.at = (gint64)wp_host_task_vertices(graph->hosts[host], task, &vertices) - 1;
	o.time = end;
	o.stack = g_array_new(FALSE, FALSE, sizeof(Frame));
	o.pieces = g_array_new(FALSE, FALSE, sizeof(WpOraclePiece));
	while (o.time > begin)
		oracle_step(&o);
	g_array_unref(o.stack);
	return o.pieces;
}
