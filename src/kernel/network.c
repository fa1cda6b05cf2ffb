/* SPDX-License-Identifier: MIT */
/*
 * network.c: flows and packets of one host, and which packet woke a task.
 *
 * A flow is one direction of a connection. For each the model keeps what was sent
 * and not yet acknowledged (a packet whose bytes were sent before is a retransmission,
 * and the first send counts), and the next byte that the receiver has not got: only a
 * packet that brings it can wake a reader.
 *
 * Since Linux 4.19 all packets of a poll pass net_if_receive_skb in a row before any of
 * them is processed; so the packet that woke a task is looked for among all that were
 * received in the current bracket (a run of the softirq), the first that fits.
 */
#include "config.h"

#include <string.h>

#include "kernel/model-private.h"

#define TCP_FIN 1u
#define TCP_SYN 2u
#define TCP_RST 4u
#define TCP_ACK 16u

#define PROTOCOL_ICMP 1
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define PROTOCOL_ICMPV6 58

#define LINK_HEADER 14u /* bytes that the length of a queued packet holds beside the IP packet */
#define SKBS_MAX 100000u
#define AHEAD_MAX 1024u
#define UNACKNOWLEDGED_MAX 65536u
#define RECEIVED_MAX 4096u

/* The slots of both packet events are numbered alike. */
G_STATIC_ASSERT((gint)WP_NET_QUEUE_SKB == (gint)WP_NET_RECEIVE_SKB &&
		(gint)WP_NET_QUEUE_ICMP_GATEWAY == (gint)WP_NET_RECEIVE_ICMP_GATEWAY);

static void flow_state_clear(FlowState *state)
{
	if (state->ahead)
		g_array_free(state->ahead, TRUE);
	if (state->unacknowledged)
		g_array_free(state->unacknowledged, TRUE);
}

void wp_network_init(WpModel *model)
{
	wp_intmap_init(&model->flow_index);
	wp_intmap_init(&model->users);
	wp_intmap_init(&model->skbs);
	wp_intmap_init(&model->known_addresses);
	model->flow_chain = g_array_new(FALSE, FALSE, sizeof(WpId));
	model->flow_states = g_array_new(FALSE, FALSE, sizeof(FlowState));
}

void wp_network_clear(WpModel *model)
{
	for (guint i = 0; i < model->flow_states->len; i++)
		flow_state_clear(&g_array_index(model->flow_states, FlowState, i));
	g_array_free(model->flow_states, TRUE);
	g_array_free(model->flow_chain, TRUE);
	wp_intmap_clear(&model->flow_index);
	wp_intmap_clear(&model->users);
	wp_intmap_clear(&model->skbs);
	wp_intmap_clear(&model->known_addresses);
}

static FlowState *flow_state(WpModel *model, WpId flow)
{
	return &g_array_index(model->flow_states, FlowState, flow);
}

/* Connections are known by the lower of their two flows. */
static WpId connection_of(WpModel *model, WpId flow)
{
	return MIN(flow, wp_host_flow(model->host, flow)->reverse);
}

static void put_be64(guint8 *bytes, guint64 value)
{
	value = GUINT64_TO_BE(value);
	memcpy(bytes, &value, sizeof(value));
}

static void put_address(guint8 *bytes, guint64 high, guint64 low, guint8 version)
{
	put_be64(bytes, high);
	put_be64(bytes + 8, version == 4 ? low | G_GUINT64_CONSTANT(0xffff00000000) : low);
}

/* A flow's key, which has no padding: all before `reverse`. */
#define FLOW_KEY_SIZE G_STRUCT_OFFSET(WpFlow, reverse)

static WpId flow_find(WpModel *model, const WpFlow *key, guint64 hash)
{
	WpId flow = wp_intmap_get(&model->flow_index, hash);

	while (flow != WP_NONE && memcmp(wp_host_flow(model->host, flow), key, FLOW_KEY_SIZE) != 0)
		flow = g_array_index(model->flow_chain, WpId, flow);
	return flow;
}

static WpId flow_add(WpModel *model, const WpFlow *key, GError **error)
{
	guint64 hash = wp_checksum(key, FLOW_KEY_SIZE);
	WpId next = wp_intmap_get(&model->flow_index, hash);
	WpFlow *flow = wp_column_push(&model->host->flows, error);
	FlowState state = {.last_task_send = WP_NONE, .last_received = WP_NONE};

	if (!flow)
		return WP_NONE;
	*flow = *key;
	flow->reverse = WP_NONE;
	g_array_append_val(model->flow_chain, next);
	g_array_append_val(model->flow_states, state);
	wp_intmap_set(&model->flow_index, hash, (guint32)(model->host->flows.n - 1));
	return (WpId)(model->host->flows.n - 1);
}

/* The flow with this key, made with its way back when it is new. */
static WpId flow_get(WpModel *model, const WpFlow *key, GError **error)
{
	WpId flow = flow_find(model, key, wp_checksum(key, FLOW_KEY_SIZE)), reverse;
	WpFlow back = *key;

	if (flow != WP_NONE)
		return flow;
	memcpy(back.src, key->dst, sizeof(back.src));
	memcpy(back.dst, key->src, sizeof(back.dst));
	back.sport = key->dport;
	back.dport = key->sport;
	/* Without addresses the two directions of a socket differ by this word only. */
	if (key->version == 0)
		back.unused = !key->unused;
	flow = flow_add(model, key, error);
	if (flow == WP_NONE)
		return WP_NONE;
	if (memcmp(&back, key, FLOW_KEY_SIZE) == 0) {
		wp_host_flow(model->host, flow)->reverse = flow;
		return flow;
	}
	reverse = flow_add(model, &back, error);
	if (reverse == WP_NONE)
		return WP_NONE;
	wp_host_flow(model->host, flow)->reverse = reverse;
	wp_host_flow(model->host, reverse)->reverse = flow;
	return flow;
}

static guint64 value_or(const WpEvent *event, guint slot, guint64 otherwise)
{
	return WP_EVENT_HAS(event, slot) ? event->v[slot].u : otherwise;
}

/* What the packet's headers hold behind IP, by the lengths they state. */
static guint32 ip_payload(const WpEvent *event, gboolean queued)
{
	gboolean v4 = WP_EVENT_HAS(event, WP_NET_QUEUE_IHL);
	guint64 header = v4 ? 4 * value_or(event, WP_NET_QUEUE_IHL, 5) : 40;
	guint64 stated = v4 ? value_or(event, WP_NET_QUEUE_TOT_LEN, 0)
			    : value_or(event, WP_NET_QUEUE_PAYLOAD_LEN, 0) + header;
	guint64 total = value_or(event, WP_NET_QUEUE_LEN, 0);

	/* Packets too large for the header's field state 0 (40 for IPv6): the skb's length tells. */
	if (stated <= (v4 ? 0 : header))
		stated = queued && total >= LINK_HEADER ? total - LINK_HEADER : total;
	return stated > header ? (guint32)MIN(stated - header, G_MAXUINT32) : 0;
}

static void read_transport(const WpEvent *event, gboolean queued, WpFlow *key, WpPacket *packet)
{
	guint32 payload = ip_payload(event, queued), header = 8;

	packet->length = payload;
	switch (key->protocol) {
	case PROTOCOL_TCP:
		header = 4 * (guint32)value_or(event, WP_NET_QUEUE_DATA_OFFSET, 5);
		packet->seq = (guint32)value_or(event, WP_NET_QUEUE_SEQ, 0);
		packet->ack = (guint32)value_or(event, WP_NET_QUEUE_ACK, 0);
		packet->tcp_flags = (guint8)value_or(event, WP_NET_QUEUE_FLAGS, 0);
		break;
	case PROTOCOL_UDP:
		break;
	case PROTOCOL_ICMP:
	case PROTOCOL_ICMPV6:
		packet->seq = (guint32)value_or(event, WP_NET_QUEUE_ICMP_GATEWAY, 0);
		/* A request and its answer are two flows of one connection. */
		packet->tcp_flags = (guint8)value_or(event, WP_NET_QUEUE_ICMP_TYPE, 0);
		break;
	default:
		header = 0;
		break;
	}
	packet->length = payload > header ? payload - header : 0;
}

/* FALSE when the event holds no headers to know a flow by. */
static gboolean read_headers(const WpEvent *event, gboolean queued, WpFlow *key, WpPacket *packet)
{
	const WpValue *v = event->v;

	memset(key, 0, sizeof(*key));
	memset(packet, 0, sizeof(*packet));
	packet->time = event->time;
	packet->vertex = packet->parent = WP_NONE;
	if (!WP_EVENT_HAS(event, WP_NET_QUEUE_SADDR) || !WP_EVENT_HAS(event, WP_NET_QUEUE_DADDR) ||
	    !WP_EVENT_HAS(event, WP_NET_QUEUE_PROTOCOL))
		return FALSE;
	/* A fragment other than the first has no transport header. */
	if (value_or(event, WP_NET_QUEUE_FRAG_OFF, 0) & 0x1fff)
		return FALSE;

	key->version = WP_EVENT_HAS(event, WP_NET_QUEUE_IHL) ? 4 : 6;
	put_address(key->src, v[WP_NET_QUEUE_SADDR].u, v[WP_NET_QUEUE_SADDR_LOW].u, key->version);
	put_address(key->dst, v[WP_NET_QUEUE_DADDR].u, v[WP_NET_QUEUE_DADDR_LOW].u, key->version);
	key->protocol = (guint8)v[WP_NET_QUEUE_PROTOCOL].u;
	key->sport = (guint16)value_or(event, WP_NET_QUEUE_SPORT, 0);
	key->dport = (guint16)value_or(event, WP_NET_QUEUE_DPORT, 0);
	read_transport(event, queued, key, packet);
	if (WP_EVENT_HAS(event, WP_NET_QUEUE_IP_ID)) {
		packet->ip_id = (guint16)v[WP_NET_QUEUE_IP_ID].u;
		packet->flags |= WP_PACKET_HAS_ID;
	}
	return TRUE;
}

/* inet_sock_local_out/in: a socket, and numbers of its TCP header. */
static void read_socket(const WpEvent *event, gboolean out, WpFlow *key, WpPacket *packet)
{
	memset(key, 0, sizeof(*key));
	memset(packet, 0, sizeof(*packet));
	packet->time = event->time;
	packet->vertex = packet->parent = WP_NONE;
	key->sk = value_or(event, WP_SOCK_OUT_SK, 0);
	key->protocol = PROTOCOL_TCP;
	key->unused = out;
	packet->seq = (guint32)value_or(event, WP_SOCK_OUT_SEQ, 0);
	packet->ack = (guint32)value_or(event, WP_SOCK_OUT_ACK, 0);
	/* The raw flags word is 16 bits; the match needs all of them, so the rest goes to length. */
	packet->tcp_flags = (guint8)value_or(event, WP_SOCK_OUT_FLAGS, 0);
	packet->length = (guint32)value_or(event, WP_SOCK_OUT_FLAGS, 0) >> 8;
}

static gboolean learn_address(WpModel *model, const guint8 *address, GError **error)
{
	static const guint8 none[16];
	guint64 hash = wp_checksum(address, 16);
	guint8 *slot;

	if (memcmp(address, none, 16) == 0 ||
	    wp_intmap_get(&model->known_addresses, hash) != WP_NONE)
		return TRUE;
	slot = wp_column_push(&model->host->addresses, error);
	if (!slot)
		return FALSE;
	memcpy(slot, address, 16);
	wp_intmap_set(&model->known_addresses, hash, 1);
	return TRUE;
}

gboolean wp_network_interface(WpModel *model, const WpEvent *event, GError **error)
{
	guint8 address[16] = {0};

	if (WP_EVENT_HAS(event, WP_DUMP_NETIF_NAME))
		g_hash_table_add(model->netifs, g_strdup(event->v[WP_DUMP_NETIF_NAME].s));
	if (!WP_EVENT_HAS(event, WP_DUMP_NETIF_ADDRESS) || !event->v[WP_DUMP_NETIF_ADDRESS_LOW].u)
		return TRUE;
	put_address(address, 0, event->v[WP_DUMP_NETIF_ADDRESS_LOW].u, 4);
	return learn_address(model, address, error);
}

/* Who uses a connection: threads by task id, processes by pid. */
static guint64 user_key(guint32 who, gboolean process, WpId connection)
{
	return (guint64)process << 63 | (guint64)(who & 0x7fffffff) << 32 | connection;
}

static void learn_user(WpModel *model, WpId task, WpId flow)
{
	WpId connection = connection_of(model, flow);
	gint32 pid = wp_host_task(model->host, task)->pid;

	wp_intmap_set(&model->users, user_key(task, FALSE, connection), 1);
	if (pid >= 0)
		wp_intmap_set(&model->users, user_key((guint32)pid, TRUE, connection), 1);
}

static gboolean uses(WpModel *model, WpId task, gboolean process, WpId flow)
{
	gint32 pid = wp_host_task(model->host, task)->pid;
	guint32 who = process ? (guint32)pid : task;

	if (process && pid < 0)
		return FALSE;
	return wp_intmap_get(&model->users, user_key(who, process, connection_of(model, flow))) !=
	       WP_NONE;
}

/* Bytes of the flow's numbering that a TCP packet takes. */
static guint32 consumed(const WpPacket *packet)
{
	return packet->length + !!(packet->tcp_flags & TCP_SYN) + !!(packet->tcp_flags & TCP_FIN);
}

static gboolean before(guint32 a, guint32 b)
{
	return (gint32)(a - b) < 0;
}

/* The first send that still counts and holds the byte before end; WP_NONE. */
static WpId first_send_of(const FlowState *state, guint32 end)
{
	if (state->unacknowledged)
		for (guint i = state->first_unacknowledged; i < state->unacknowledged->len; i++) {
			const Range *r = &g_array_index(state->unacknowledged, Range, i);

			if (before(r->seq, end) && !before(r->end, end))
				return r->packet;
		}
	return WP_NONE;
}

static void note_sent(FlowState *state, const WpPacket *packet, WpId id)
{
	Range range = {packet->seq, packet->seq + consumed(packet), id};

	if (!state->unacknowledged)
		state->unacknowledged = g_array_new(FALSE, FALSE, sizeof(Range));
	/* The acknowledged ones make room now and then. */
	if (state->first_unacknowledged > 64 &&
	    state->first_unacknowledged * 2 > state->unacknowledged->len) {
		g_array_remove_range(state->unacknowledged, 0, state->first_unacknowledged);
		state->first_unacknowledged = 0;
	}
	if (state->unacknowledged->len - state->first_unacknowledged >= UNACKNOWLEDGED_MAX)
		state->first_unacknowledged++;
	g_array_append_val(state->unacknowledged, range);
	state->sent_end = range.end;
	state->sent_any = TRUE;
}

static void note_acknowledged(FlowState *state, const WpPacket *packet)
{
	GArray *sent = state->unacknowledged;

	if (!sent)
		return;
	if (packet->tcp_flags & TCP_RST)
		state->first_unacknowledged = sent->len;
	while (state->first_unacknowledged < sent->len &&
	       !before(packet->ack, g_array_index(sent, Range, state->first_unacknowledged).end))
		state->first_unacknowledged++;
}

/* The latest packet of a flow in the CPU's bracket, WP_NONE. */
static WpId received_in_bracket(WpModel *model, const Cpu *cpu, WpId flow)
{
	for (guint i = cpu->received->len; i-- > 0;) {
		WpId packet = g_array_index(cpu->received, Received, i).packet;

		if (wp_host_packet(model->host, packet)->flow == flow)
			return packet;
	}
	return WP_NONE;
}

/*
 * Who sent: the task in whose context it was; else what made the kernel send: the same
 * bytes sent before, a packet of the other direction that has just come, or the task's last
 * send of the flow.
 */
static void find_sender(WpModel *model, Cpu *cpu, WpPacket *packet, WpId id)
{
	FlowState *state = flow_state(model, packet->flow);
	const WpFlow *flow = wp_host_flow(model->host, packet->flow);
	WpId task = cpu_task_in_context(cpu), answer;
	gboolean tcp = flow->protocol == PROTOCOL_TCP && flow->version != 0;
	guint32 end = packet->seq + consumed(packet);
	gboolean bare_ack = tcp && !consumed(packet) && cpu->bare && cpu->received->len &&
			    !model->host->has_softirqs;

	if (tcp && consumed(packet)) {
		if (state->sent_any && !before(state->sent_end, end)) {
			packet->flags |= WP_PACKET_RESENT;
			packet->parent = first_send_of(state, end);
			if (packet->parent != WP_NONE)
				return;
		} else {
			note_sent(state, packet, id);
		}
	}
	if (task != WP_NONE && !bare_ack) {
		packet->vertex = task_last(model, task);
		state->last_task_send = id;
		learn_user(model, task, packet->flow);
		return;
	}
	answer = received_in_bracket(model, cpu, flow->reverse);
	if (cpu->current == CURRENT_UNKNOWN && !cpu->n_frames) {
		/* In an interrupt of which nothing is known, or by the task: that will be seen. */
		packet->parent = answer;
		if (cpu->lossy && answer == WP_NONE)
			packet->flags |= WP_PACKET_NO_SENDER;
		wp_lost_orphan_send(cpu, id);
		return;
	}
	packet->parent = answer != WP_NONE ? answer : state->last_task_send;
}

void wp_network_sent_by(WpModel *model, WpId id, WpId vertex)
{
	WpPacket *packet = wp_host_packet(model->host, id);

	packet->vertex = vertex;
	packet->parent = WP_NONE;
	packet->flags &= (guint8)~WP_PACKET_NO_SENDER;
	flow_state(model, packet->flow)->last_task_send = id;
	learn_user(model, wp_host_vertex(model->host, vertex)->task, packet->flow);
}

static WpPacket *packet_add(WpModel *model, const WpFlow *key, const WpPacket *new, GError **error)
{
	WpId flow = flow_get(model, key, error);
	WpPacket *packet;

	if (flow == WP_NONE)
		return NULL;
	packet = wp_column_push(&model->host->packets, error);
	if (packet) {
		*packet = *new;
		packet->flow = flow;
	}
	return packet;
}

gboolean wp_network_queue(WpModel *model, Cpu *cpu, const WpEvent *event, GError **error)
{
	gboolean socket = event->kind == WP_EV_SOCK_OUT;
	WpFlow key;
	WpPacket new, *packet;
	WpId id = (WpId)model->host->packets.n;

	if (socket)
		read_socket(event, TRUE, &key, &new);
	else if (!read_headers(event, TRUE, &key, &new))
		return TRUE;
	new.flags |= WP_PACKET_SEND;
	packet = packet_add(model, &key, &new, error);
	if (!packet)
		return FALSE;
	model->host->has_packets = TRUE;
	find_sender(model, cpu, packet, id);
	for (guint i = cpu->n_frames; i-- > 0;)
		if (cpu->frames[i].type == FRAME_SOFTIRQ) {
			cpu->frames[i].queued = id;
			break;
		}
	if (socket)
		return TRUE;
	if (model->skbs.n >= SKBS_MAX)
		wp_intmap_clear(&model->skbs);
	wp_intmap_set(&model->skbs, value_or(event, WP_NET_QUEUE_SKB, 0), id);
	return packet->vertex == WP_NONE || learn_address(model, key.src, error);
}

void wp_network_transmitted(WpModel *model, guint64 skb)
{
	WpId id = wp_intmap_remove(&model->skbs, skb);

	if (id != WP_NONE) {
		WpPacket *packet = wp_host_packet(model->host, id);

		packet->lag = (guint32)MIN(model->now - packet->time, G_MAXUINT32);
	}
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const Range *x = a, *y = b;

	return before(x->seq, y->seq) ? -1 : x->seq != y->seq;
}

/* Whether a TCP packet brings the next byte; keeps what came ahead of it. */
static gboolean brings_next(FlowState *state, const WpPacket *packet, WpId id, guint64 n_losses)
{
	guint32 end = packet->seq + consumed(packet);
	Range range = {packet->seq, end, id};

	if (packet->tcp_flags & (TCP_SYN | TCP_RST))
		state->started = FALSE;
	if (end == packet->seq)
		return (packet->tcp_flags & TCP_RST) != 0;
	/* Bytes may have come and gone while events were lost. */
	if (state->n_losses != n_losses)
		state->started = FALSE;
	state->n_losses = n_losses;
	if (!state->started || (state->ahead && state->ahead->len >= AHEAD_MAX)) {
		state->started = TRUE;
		state->next = end;
		if (state->ahead)
			g_array_set_size(state->ahead, 0);
		return TRUE;
	}
	if (before(state->next, packet->seq)) {
		if (!state->ahead)
			state->ahead = g_array_new(FALSE, FALSE, sizeof(Range));
		g_array_append_val(state->ahead, range);
		g_array_sort(state->ahead, compare_ranges);
		return FALSE;
	}
	if (!before(state->next, end))
		return FALSE;
	state->next = end;

	/* What came ahead follows now. */
	guint n = 0;

	for (; state->ahead && n < state->ahead->len; n++) {
		const Range *r = &g_array_index(state->ahead, Range, n);

		if (before(state->next, r->seq))
			break;
		if (before(state->next, r->end))
			state->next = r->end;
	}
	if (n)
		g_array_remove_range(state->ahead, 0, n);
	return TRUE;
}

gboolean wp_network_receive(WpModel *model, Cpu *cpu, const WpEvent *event, GError **error)
{
	WpId id = (WpId)model->host->packets.n;
	WpFlow key;
	WpPacket new, *packet;
	WpTime raised;

	if (event->kind == WP_EV_SOCK_IN)
		read_socket(event, FALSE, &key, &new);
	else if (!read_headers(event, FALSE, &key, &new))
		return TRUE;
	packet = packet_add(model, &key, &new, error);
	if (!packet)
		return FALSE;
	model->host->has_packets = TRUE;
	raised = cpu->raised_irq[SOFTIRQ_NET_RX];
	if (!cpu->bare && raised != WP_TIME_MIN)
		packet->lag = (guint32)MIN(model->now - raised, G_MAXUINT32);

	FlowState *state = flow_state(model, packet->flow);

	state->last_received = id;
	if (key.protocol != PROTOCOL_TCP || key.version == 0) {
		packet->flags |= WP_PACKET_NEXT;
	} else {
		if (packet->tcp_flags & (TCP_ACK | TCP_RST))
			note_acknowledged(
				flow_state(model, wp_host_flow(model->host, packet->flow)->reverse),
				packet);
		if (brings_next(state, packet, id, model->host->losses.n))
			packet->flags |= WP_PACKET_NEXT;
	}
	if (cpu->received->len >= RECEIVED_MAX)
		g_array_remove_range(cpu->received, 0, RECEIVED_MAX / 2);

	Received received = {id, FALSE};

	g_array_append_val(cpu->received, received);
	return TRUE;
}

/* How well a packet explains the wake-up of a task; 0: not at all. */
static guint fitness(WpModel *model, const WpPacket *packet, WpId target, gboolean strict)
{
	gboolean next = (packet->flags & WP_PACKET_NEXT) != 0;
	gboolean addressed = wp_host_flow(model->host, packet->flow)->version != 0;

	/* Neither new data nor an acknowledgement: a duplicate, or out of order. */
	if (!next && packet->length)
		return 0;
	if (uses(model, target, FALSE, packet->flow))
		return next ? 6 : 4;
	if (uses(model, target, TRUE, packet->flow))
		return next ? 5 : 3;
	if (strict || !addressed)
		return 0;
	return next ? 2 : 1;
}

/* The best of the bracket, received not before since; the first of equals. */
static Received *best_received(WpModel *model, Cpu *cpu, WpId target, gboolean strict, WpTime since,
			       guint *ret_fitness, guint *ret_n)
{
	GArray *received = cpu->received;
	Received *best = NULL;
	guint best_value = 0;

	*ret_n = 0;
	for (guint i = 0; i < received->len; i++) {
		Received *r = &g_array_index(received, Received, i);
		const WpPacket *packet = wp_host_packet(model->host, r->packet);
		guint fit = packet->time < since ? 0 : fitness(model, packet, target, strict);
		guint value = fit ? fit * 2 + !r->used : 0;

		*ret_n += fit != 0;
		if (value > best_value) {
			best = r;
			best_value = value;
			*ret_fitness = fit;
		}
	}
	return best;
}

WpId wp_network_waker(WpModel *model, Cpu *cpu, WpId target, gboolean strict, gboolean *ret_space)
{
	WpTime since = task_open_time(model, target);
	guint fit = 0, n = 0;
	Received *best = best_received(model, cpu, target, strict, since, &fit, &n);

	/* Received just before it went to sleep, processed after. */
	if (!best)
		best = best_received(model, cpu, target, strict, WP_TIME_MIN, &fit, &n);
	*ret_space = FALSE;
	if (!best)
		return WP_NONE;
	best->used = TRUE;

	const WpPacket *packet = wp_host_packet(model->host, best->packet);

	*ret_space = !(packet->flags & WP_PACKET_NEXT);
	/* A reader that never sends is known by what wakes it, when that is beyond doubt. */
	if (fit > 2 || (fit == 2 && n == 1))
		learn_user(model, target, packet->flow);
	return best->packet;
}

WpId wp_network_waker_elsewhere(WpModel *model, WpId target)
{
	const WpTime since = MAX(model->now - WP_NS_PER_MS, task_open_time(model, target));

	for (guint64 i = model->host->packets.n; i-- > 0;) {
		const WpPacket *packet = wp_host_packet(model->host, i);

		if (packet->time < since)
			break;
		if (!(packet->flags & WP_PACKET_SEND) && (packet->flags & WP_PACKET_NEXT) &&
		    (uses(model, target, FALSE, packet->flow) ||
		     uses(model, target, TRUE, packet->flow)))
			return (WpId)i;
	}
	return WP_NONE;
}
