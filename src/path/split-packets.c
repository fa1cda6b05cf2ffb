/* SPDX-License-Identifier: MIT */
/*
 * split-packets.c: requests read off the packets that a task exchanges with its peers.
 *
 * A task's part of a conversation is a row of *moves* over its outgoing flow f: it
 * says something (a payload sent on f), and it hears something (a payload received
 * on f's reverse that woke it, or that came while it ran). A client's request is a run
 * of saying followed by a run of hearing, over all of its servers together, so that a
 * question to many at once is one request; a server's is hearing followed by saying,
 * for each client apart. Handshakes, bare acknowledgements and repetitions are no moves.
 *
 * Where one task of a group hears and another answers, as in a pool of workers, they serve that
 * client together: the moves are then those of the packets, whoever heard them.
 */
#include "config.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "path/edge.h"
#include "path/split.h"

#define ICMP 1
#define TCP 6
#define ICMP6 58
#define TCP_SYN 0x02u
#define TCP_ACK 0x10u
#define MANY (WP_NONE - 1)

/* One direction of a conversation, as seen by who sends in it. */
typedef struct {
	WpId user; /* the only task known to send in it, MANY, or WP_NONE */
	guint8 opened; /* its sender opened the connection */
	guint8 first; /* it had the first payload of both directions */
	WpTime begin; /* of the first packet */
} Direction;

typedef struct {
	WpTime time; /* host clock */
	WpTime end; /* hearing: when the task runs next */
	WpId task;
	WpId flow; /* the outgoing one */
	guint8 says;
	guint8 serves; /* as the server of this conversation */
} Move;

typedef struct {
	WpSplit *split; /* borrowed */
	WpHost *host; /* borrowed */
	guint h;
	guint8 *selected; /* owned: by task */
	Direction *directions; /* owned: by flow */
	guint8 *together; /* owned: by flow: several of the tasks asked for serve it */
	guint8 *of_pool; /* owned: by task: it serves one of these */
	GArray *moves; /* owned: Move */
} Packets;

static void keep_move(Packets *p, GArray *moves, const Move *move)
{
	if (moves->len < WP_SPLIT_MOVES_MAX)
		g_array_append_vals(moves, move, 1);
	else
		p->split->is_full = TRUE;
}

static WpId reverse_of(const Packets *p, WpId flow)
{
	WpId reverse = wp_host_flow(p->host, flow)->reverse;

	return reverse < p->host->flows.n ? reverse : WP_NONE;
}

static gboolean is_handshake(const Packets *p, const WpPacket *packet)
{
	const WpFlow *flow = wp_host_flow(p->host, packet->flow);

	return flow->protocol == TCP && flow->version && (packet->tcp_flags & TCP_SYN);
}

/*
 * Where headers are not known, any packet may carry a payload. Of ICMP only echoes are
 * said by tasks; the rest (who has this address?) comes with what they say.
 */
static gboolean has_payload(const Packets *p, const WpPacket *packet)
{
	const WpFlow *flow = wp_host_flow(p->host, packet->flow);

	if (!flow->version)
		return TRUE;
	if ((flow->protocol == ICMP || flow->protocol == ICMP6) && packet->seq == 0)
		return FALSE;
	return packet->length && !is_handshake(p, packet);
}

static WpId sender_of(const Packets *p, const WpPacket *packet)
{
	if (packet->vertex >= p->host->vertices.n)
		return WP_NONE;
	return wp_host_vertex(p->host, packet->vertex)->task;
}

/* First pass: who uses a direction, and which side opened it. */
static void look_at(Packets *p, const WpPacket *packet)
{
	Direction *direction = &p->directions[packet->flow];
	WpId reverse = reverse_of(p, packet->flow), sender = sender_of(p, packet);

	if (direction->begin == WP_TIME_MAX)
		direction->begin = packet->time;
	if (is_handshake(p, packet)) {
		direction->opened |= !(packet->tcp_flags & TCP_ACK);
		return;
	}
	if (!has_payload(p, packet))
		return;
	direction->first |= reverse == WP_NONE || !p->directions[reverse].first;
	if ((packet->flags & WP_PACKET_SEND) && sender != WP_NONE)
		direction->user = direction->user == WP_NONE || direction->user == sender ? sender
											  : MANY;
}

/*
 * Is the sender of a flow the server? Who opened the connection is not; if that was not
 * seen, who has the higher port; if they are the same, who spoke first.
 */
static gboolean is_server(const Packets *p, WpId f)
{
	const WpFlow *flow = wp_host_flow(p->host, f);
	WpId reverse = reverse_of(p, f);

	if (p->directions[f].opened)
		return FALSE;
	if (reverse != WP_NONE && p->directions[reverse].opened)
		return TRUE;
	if (flow->sport != flow->dport)
		return flow->sport < flow->dport;
	return !p->directions[f].first;
}

static void add_move(Packets *p, WpId task, WpId flow, WpTime time, WpTime end, gboolean says)
{
	Move move = {.time = time,
		     .end = end,
		     .task = task,
		     .flow = flow,
		     .says = (guint8)says,
		     .serves = flow != WP_NONE && is_server(p, flow)};

	keep_move(p, p->moves, &move);
}

/* When a task runs next, from one of its segments on; the trace's end if it does not. */
static WpTime next_run(const Packets *p, const WpId *vertices, guint32 n, guint32 from)
{
	for (guint32 i = from; i < n; i++) {
		const WpVertex *v = wp_host_vertex(p->host, vertices[i]);

		if (v->state <= WP_STATE_SOFTIRQ)
			return wp_host_time_of(p->host, v, vertices[i]);
	}
	return p->host->end;
}

/* What a task hears while it does not wait: what comes meanwhile is told by what wakes it. */
static void hear_awake(Packets *p, WpId task, WpId flow, WpTime time)
{
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(p->host, task, &vertices);
	gint64 at = wp_host_task_find(p->host, task, time);

	if (at < 0 || wp_state_is_wait(wp_host_vertex(p->host, vertices[at])->state))
		return;
	add_move(p, task, flow, time, MAX(time, next_run(p, vertices, n, (guint32)at)), FALSE);
}

/* Second pass: what the tasks asked for say, and hear while they are awake. */
static void take_packet(Packets *p, const WpPacket *packet)
{
	WpId sender = sender_of(p, packet), heard;

	if (!has_payload(p, packet))
		return;
	if (packet->flags & WP_PACKET_SEND) {
		if (sender == WP_NONE) /* an interrupt sent it, for whom? */
			sender = p->directions[packet->flow].user;
		if (!(packet->flags & WP_PACKET_RESENT) && sender < MANY && p->selected[sender])
			add_move(p, sender, packet->flow, packet->time, packet->time, TRUE);
		return;
	}
	heard = reverse_of(p, packet->flow);
	if (heard == WP_NONE || p->directions[heard].user >= MANY ||
	    !p->selected[p->directions[heard].user])
		return;
	if (wp_host_flow(p->host, packet->flow)->protocol == TCP &&
	    !(packet->flags & WP_PACKET_NEXT))
		return; /* heard before, or not yet to be understood */
	hear_awake(p, p->directions[heard].user, heard, packet->time);
}

/* What wakes a task. */
static void take_waits(Packets *p, WpId task)
{
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(p->host, task, &vertices);

	for (guint32 i = 0; i + 1 < n; i++) {
		const WpVertex *v = wp_host_vertex(p->host, vertices[i]);
		const WpCause *cause;
		WpId flow = WP_NONE;

		if (v->cause >= p->host->causes.n || !wp_state_is_wait(v->state))
			continue;
		cause = wp_host_cause(p->host, v->cause);
		if (cause->kind != WP_CAUSE_PACKET || (cause->flags & WP_CAUSE_FLAG_SPACE))
			continue;
		if (cause->packet < p->host->packets.n) {
			const WpPacket *packet = wp_host_packet(p->host, cause->packet);

			if (!has_payload(p, packet))
				continue; /* a handshake, or only the end of it all */
			flow = reverse_of(p, packet->flow);
		}
		add_move(p, task, flow, cause->time, next_run(p, vertices, n, i + 1), FALSE);
	}
}

static gint compare_moves(gconstpointer a, gconstpointer b)
{
	const Move *x = a, *y = b;

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* Heard before it says something about it. */
	return (gint)x->says - (gint)y->says;
}

/* ---------------------------------------------------------------- moves to requests */

/* A request in the making: opened by moves of one kind, answered by those of the other. */
typedef struct {
	WpTime begin, end;
	WpId flow, task; /* the task that answered */
	gboolean open, answered;
} Exchange;

static void finish(const Packets *p, Exchange *e)
{
	if (e->open && e->answered)
		wp_split_add(p->split, p->h, e->task, e->begin, e->end, e->flow, NULL);
	else if (e->open)
		p->split->n_unfinished++;
	e->open = e->answered = FALSE;
}

/* asks: the move is of the kind that opens requests. */
static void advance(const Packets *p, Exchange *e, const Move *move, gboolean asks)
{
	if (!asks) {
		e->answered = e->open;
		e->task = move->task;
		e->end = move->end;
		return;
	}
	if (e->answered)
		finish(p, e);
	if (!e->open) {
		e->begin = move->time;
		e->flow = move->flow;
		e->open = TRUE;
	}
}

static void split_client(const Packets *p, const Move *moves, guint n)
{
	Exchange exchange = {0};

	for (guint i = 0; i < n; i++)
		if (!moves[i].serves)
			advance(p, &exchange, &moves[i], moves[i].says);
	finish(p, &exchange);
}

/* Calls func for the moves over each flow in turn, which it sorts together. */
static gint compare_flows(gconstpointer a, gconstpointer b)
{
	const Move *x = a, *y = b;

	return x->flow != y->flow ? (x->flow < y->flow ? -1 : 1) : compare_moves(a, b);
}

static guint same_flow(const Move *moves, guint n)
{
	guint i = 1;

	while (i < n && moves[i].flow == moves[0].flow)
		i++;
	return i;
}

static void split_server(const Packets *p, Move *moves, guint n)
{
	if (n)
		qsort(moves, n, sizeof(*moves), compare_flows);
	for (guint i = 0, length; i < n; i += length) {
		Exchange exchange = {0};

		length = same_flow(moves + i, n - i);
		for (guint j = i; j < i + length && moves[j].serves; j++)
			advance(p, &exchange, &moves[j], !moves[j].says);
		finish(p, &exchange);
	}
}

static void split_connections(const Packets *p, Move *moves, guint n)
{
	if (n)
		qsort(moves, n, sizeof(*moves), compare_flows);
	for (guint i = 0, length; i < n; i += length) {
		WpId flow = moves[i].flow;
		WpTime begin = moves[i].time, end = 0;

		length = same_flow(moves + i, n - i);
		if (flow == WP_NONE)
			continue;
		/* A client waits for the handshake, too. */
		if (!moves[i].serves && p->directions[flow].user == moves[i].task)
			begin = MIN(begin, p->directions[flow].begin);
		for (guint j = i; j < i + length; j++)
			end = MAX(end, moves[j].end);
		wp_split_add(p->split, p->h, moves[i].task, begin, end, flow, NULL);
	}
}

/* ---------------------------------------------------------------- pools */

/* Marks the flows that more than one of the tasks asked for serve, and these tasks. */
static void find_pools(Packets *p)
{
	g_autofree WpId *first = g_new(WpId, p->host->flows.n); /* task that serves a flow */

	for (guint64 i = 0; i < p->host->flows.n; i++)
		first[i] = WP_NONE;
	for (guint i = 0; i < p->moves->len; i++) {
		const Move *move = &g_array_index(p->moves, Move, i);

		if (!move->serves)
			continue;
		if (first[move->flow] == WP_NONE)
			first[move->flow] = move->task;
		p->together[move->flow] |= first[move->flow] != move->task;
	}
	for (guint i = p->moves->len; i-- > 0;) {
		const Move *move = &g_array_index(p->moves, Move, i);

		if (move->flow == WP_NONE || !p->together[move->flow])
			continue;
		p->of_pool[move->task] = TRUE;
		g_array_remove_index_fast(p->moves, i);
	}
}

/* A packet over a flow that is served together, as a move of nobody, or of who sends it. */
static void take_shared(Packets *p, const WpPacket *packet, GArray *shared)
{
	gboolean says = (packet->flags & WP_PACKET_SEND) != 0;
	WpId flow = says ? packet->flow : reverse_of(p, packet->flow), sender = WP_NONE;

	if (flow == WP_NONE || !p->together[flow] || !has_payload(p, packet))
		return;
	if (says) {
		sender = sender_of(p, packet);
		if (sender == WP_NONE)
			sender = p->directions[flow].user;
		if (packet->flags & WP_PACKET_RESENT || sender >= MANY || !p->selected[sender])
			return;
	} else if (wp_host_flow(p->host, flow)->protocol == TCP &&
		   !(packet->flags & WP_PACKET_NEXT)) {
		return; /* heard before, or not yet to be understood */
	}

	Move move = {.time = packet->time,
		     .end = packet->time,
		     .task = sender,
		     .flow = flow,
		     .says = (guint8)says,
		     .serves = TRUE};

	keep_move(p, shared, &move);
}

/* Of one flow in the order of packets, which is that of time. */
static gint compare_shared(gconstpointer a, gconstpointer b)
{
	const Move *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (gint)x->says - (gint)y->says;
}

static void split_pools(Packets *p)
{
	g_autoptr(GArray) shared = g_array_new(FALSE, FALSE, sizeof(Move));

	find_pools(p);
	for (guint64 i = 0; i < p->host->packets.n; i++)
		if (!(wp_host_packet(p->host, i)->flags & WP_PACKET_HOP))
			take_shared(p, wp_host_packet(p->host, i), shared);
	g_array_sort(shared, compare_shared);
	for (guint i = 0, length; i < shared->len; i += length) {
		const Move *moves = &g_array_index(shared, Move, i);
		Exchange exchange = {0};

		length = same_flow(moves, shared->len - i);
		for (guint j = 0; j < length; j++)
			advance(p, &exchange, &moves[j], !moves[j].says);
		finish(p, &exchange);
	}
}

/* Does a task answer anybody? Then its requests are those that it serves. */
static gboolean serves(const Move *moves, guint n)
{
	gboolean says = FALSE, hears = FALSE;

	for (guint i = 0; i < n; i++) {
		says |= moves[i].serves && moves[i].says;
		hears |= moves[i].serves && !moves[i].says;
	}
	return says && hears;
}

static void split_task(const Packets *p, Move *moves, guint n)
{
	if (p->split->options->rule == WP_REQUESTS_CONNECTION)
		split_connections(p, moves, n);
	else if (serves(moves, n))
		split_server(p, moves, n);
	else if (!p->of_pool[moves[0].task])
		split_client(p, moves, n);
}

void wp_split_by_packets(WpSplit *split, guint h)
{
	WpHost *host = split->graph->hosts[h];
	Packets p = {.split = split, .host = host, .h = h};

	p.selected = wp_split_selected(split, h);
	p.directions = g_new(Direction, host->flows.n);
	p.together = g_new0(guint8, host->flows.n);
	p.of_pool = g_new0(guint8, host->tasks.n);
	p.moves = g_array_new(FALSE, FALSE, sizeof(Move));
	for (guint64 i = 0; i < host->flows.n; i++)
		p.directions[i] = (Direction){.user = WP_NONE, .begin = WP_TIME_MAX};
	for (guint64 i = 0; i < host->packets.n; i++)
		if (!(wp_host_packet(host, i)->flags & WP_PACKET_HOP))
			look_at(&p, wp_host_packet(host, i));
	for (guint64 i = 0; i < host->packets.n; i++)
		if (!(wp_host_packet(host, i)->flags & WP_PACKET_HOP))
			take_packet(&p, wp_host_packet(host, i));
	for (guint64 i = 0; i < host->tasks.n; i++)
		if (p.selected[i])
			take_waits(&p, (WpId)i);

	if (split->options->rule == WP_REQUESTS_NETWORK)
		split_pools(&p);
	g_array_sort(p.moves, compare_moves);
	for (guint i = 0, length; i < p.moves->len; i += length) {
		Move *moves = &g_array_index(p.moves, Move, i);

		for (length = 1; i + length < p.moves->len; length++)
			if (moves[length].task != moves[0].task)
				break;
		split_task(&p, moves, length);
	}
	g_free(p.selected);
	g_free(p.directions);
	g_free(p.together);
	g_free(p.of_pool);
	g_array_unref(p.moves);
}
