/* SPDX-License-Identifier: MIT */
/* send-index.c: sends of one flow by bytes and by key. */
#include "config.h"

#include <stdlib.h>

#include "sync/send-index.h"

#define TCP_PSH 8u

/* A look-up goes back over so many sends, and yields so many, at most. */
#define STEPS_MAX 256u
#define FOUND_MAX 64u
/* A packet that claims more bytes than this does not tell the truth. */
#define LENGTH_MAX (1u << 30)
/* No segment but the last of a send is smaller (the kernel's own least size). */
#define SEGMENT_MIN 48u

#define SEQ_BASE (G_GUINT64_CONSTANT(1) << 32)
/* The low bits of a key's second word: an IPv4 id, and that there is one. */
#define ID_BITS 17
#define ID_MASK ((G_GUINT64_CONSTANT(1) << ID_BITS) - 1)

void wp_send_index_init(WpSendIndex *index, WpHost *const *hosts)
{
	index->hosts = hosts;
	index->ranges = g_array_new(FALSE, FALSE, sizeof(WpSend));
	index->keys = g_array_new(FALSE, FALSE, sizeof(WpSend));
	index->found = g_array_sized_new(FALSE, FALSE, sizeof(WpSend), FOUND_MAX);
	index->n_steps = 0;
}

void wp_send_index_clear(WpSendIndex *index)
{
	g_array_free(index->ranges, TRUE);
	g_array_free(index->keys, TRUE);
	g_array_free(index->found, TRUE);
}

void wp_send_index_reset(WpSendIndex *index)
{
	g_array_set_size(index->ranges, 0);
	g_array_set_size(index->keys, 0);
}

static gboolean is_range(const WpFlow *flow, const WpPacket *packet)
{
	return flow->protocol == WP_PROTOCOL_TCP && flow->version != 0 && packet->length > 0;
}

/* The key of a packet that is no range. */
static void make_key(const WpFlow *flow, const WpPacket *packet, guint64 *ret_a, guint64 *ret_b)
{
	const guint64 id = wp_packet_has_id(packet) ? 1u << 16 | packet->ip_id : 0;
	const guint64 seq = (guint64)packet->seq << 32;

	if (flow->version == 0) {
		/* The raw flags word: its upper half is where other packets have their length. */
		*ret_a = seq | packet->ack;
		*ret_b = ((guint64)packet->length << 8 | packet->tcp_flags) << ID_BITS;
		return;
	}
	switch (flow->protocol) {
	case WP_PROTOCOL_TCP:
		*ret_a = seq | packet->ack;
		*ret_b = (guint64)(packet->tcp_flags & ~TCP_PSH) << ID_BITS | id;
		break;
	case WP_PROTOCOL_ICMP:
	case WP_PROTOCOL_ICMPV6:
		*ret_a = seq | packet->length;
		*ret_b = (guint64)packet->tcp_flags << ID_BITS | id;
		break;
	default:
		*ret_a = packet->length;
		*ret_b = id;
		break;
	}
}

void wp_send_index_add(WpSendIndex *index, guint host, WpId packet)
{
	const WpPacket *send = wp_host_packet(index->hosts[host], packet);
	const WpFlow *flow = wp_host_flow(index->hosts[host], send->flow);
	WpSend entry = {.host = host, .packet = packet};

	if (!is_range(flow, send)) {
		make_key(flow, send, &entry.a, &entry.b);
		g_array_append_val(index->keys, entry);
		return;
	}
	if (send->length > LENGTH_MAX)
		return;
	entry.a = SEQ_BASE + send->seq;
	g_array_append_val(index->ranges, entry);
	if (entry.a + send->length > 2 * SEQ_BASE) {
		entry.a -= SEQ_BASE;
		g_array_append_val(index->ranges, entry);
	}
}

#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

static gint compare_sends(gconstpointer a, gconstpointer b)
{
	const WpSend *x = a, *y = b;

	if (x->host != y->host)
		return ORDER(x->host, y->host);
	return ORDER(x->packet, y->packet);
}

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
	const WpSend *x = a, *y = b;

	return x->a != y->a ? ORDER(x->a, y->a) : compare_sends(a, b);
}

static gint compare_keys(gconstpointer a, gconstpointer b)
{
	const WpSend *x = a, *y = b;

	if (x->a != y->a)
		return ORDER(x->a, y->a);
	return x->b != y->b ? ORDER(x->b, y->b) : compare_sends(a, b);
}

/* Sends come in the order of time, which mostly is the order wanted. */
static void sort(GArray *sends, GCompareFunc compare)
{
	for (guint i = 1; i < sends->len; i++) {
		if (compare(&g_array_index(sends, WpSend, i - 1),
			    &g_array_index(sends, WpSend, i)) > 0) {
			qsort(sends->data, sends->len, sizeof(WpSend), compare);
			return;
		}
	}
}

static guint64 range_end(const WpSendIndex *index, const WpSend *send)
{
	return send->a + wp_host_packet(index->hosts[send->host], send->packet)->length;
}

void wp_send_index_sort(WpSendIndex *index)
{
	guint64 reach = 0;

	sort(index->ranges, compare_ranges);
	sort(index->keys, compare_keys);
	for (guint i = 0; i < index->ranges->len; i++) {
		WpSend *send = &g_array_index(index->ranges, WpSend, i);

		reach = MAX(reach, range_end(index, send));
		send->b = reach;
	}
}

/* The number of sends whose first byte is at or before a byte. */
static guint begun_by(WpSendIndex *index, guint64 byte)
{
	guint low = 0, high = index->ranges->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		index->n_steps++;
		if (g_array_index(index->ranges, WpSend, middle).a <= byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * How well the IPv4 ids of a receive and of the send that holds its last byte agree: 0 not,
 * 1 perhaps, 2 exactly. Piece k of a send has the send's id plus k, and all pieces but
 * the last are of one size; a receive has the id of its first piece.
 */
static guint id_fit(const WpPacket *send, const WpPacket *receive)
{
	const gint32 ahead = (gint32)(receive->seq - send->seq);
	const guint32 bytes = ahead < 0 ? 0u - (guint32)ahead : (guint32)ahead;
	const guint16 pieces = (guint16)(ahead < 0 ? send->ip_id - receive->ip_id
						   : receive->ip_id - send->ip_id);

	if (bytes == 0)
		return pieces == 0 ? 2 : 0;
	if (pieces > bytes / SEGMENT_MIN + 1 || (ahead < 0 && pieces == 0))
		return 0;
	/* What was merged in front of the send came in sends of any size. */
	return ahead < 0 || (pieces != 0 && bytes % pieces == 0) ? 2 : 1;
}

static WpSendRun found_run(WpSendIndex *index, gboolean proved, gboolean mismatch)
{
	WpSendRun run = {(const WpSend *)(void *)index->found->data, index->found->len, proved,
			 mismatch};

	/* At most FOUND_MAX of them. */
	qsort(index->found->data, index->found->len, sizeof(WpSend), compare_sends);
	return run;
}

/* The sends that hold the last byte of a receive; of these, the ones whose ids fit best. */
static WpSendRun find_range(WpSendIndex *index, const WpPacket *receive)
{
	const guint64 last = SEQ_BASE + (guint32)(receive->seq + receive->length - 1);
	const gboolean has_id = wp_packet_has_id(receive);
	guint best = 0, steps = 0;
	gboolean mismatch = FALSE;

	g_array_set_size(index->found, 0);
	for (guint i = begun_by(index, last); i-- > 0 && steps < STEPS_MAX; steps++) {
		const WpSend *send = &g_array_index(index->ranges, WpSend, i);
		const WpPacket *packet = wp_host_packet(index->hosts[send->host], send->packet);
		guint fit = 0;

		if (send->b <= last || index->found->len == FOUND_MAX)
			break;
		if (send->a + packet->length <= last)
			continue;
		if (has_id && wp_packet_has_id(packet)) {
			fit = id_fit(packet, receive);
			mismatch |= fit == 0;
		}
		if (fit < best)
			continue;
		if (fit > best)
			g_array_set_size(index->found, 0);
		best = fit;
		g_array_append_vals(index->found, send, 1);
	}
	index->n_steps += steps;
	return found_run(index, best > 0, best == 0 && mismatch);
}

/* The first of the keys that is not before (a, b). */
static guint first_key(WpSendIndex *index, guint64 a, guint64 b)
{
	guint low = 0, high = index->keys->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const WpSend *send = &g_array_index(index->keys, WpSend, middle);

		index->n_steps++;
		if (send->a < a || (send->a == a && send->b < b))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of the same key but other ids: a router may have written new ones. */
static WpSendRun find_other_ids(WpSendIndex *index, guint64 a, guint64 b)
{
	const guint first = first_key(index, a, b & ~ID_MASK);
	const guint end = first_key(index, a, (b | ID_MASK) + 1);

	g_array_set_size(index->found, 0);
	if (end - first <= FOUND_MAX && end > first)
		g_array_append_vals(index->found, &g_array_index(index->keys, WpSend, first),
				    end - first);
	return found_run(index, FALSE, TRUE);
}

static WpSendRun find_key(WpSendIndex *index, const WpFlow *flow, const WpPacket *receive)
{
	guint64 a, b;

	make_key(flow, receive, &a, &b);

	const guint first = first_key(index, a, b), end = first_key(index, a, b + 1);

	if (end > first) {
		WpSendRun run = {&g_array_index(index->keys, WpSend, first), end - first,
				 (b & ID_MASK) != 0, FALSE};

		return run;
	}
	/* The number of an echo and the sequence numbers of TCP say enough without the id. */
	if (flow->protocol == WP_PROTOCOL_TCP || flow->protocol == WP_PROTOCOL_ICMP)
		return find_other_ids(index, a, b);
	return (WpSendRun){NULL, 0, FALSE, FALSE};
}

WpSendRun wp_send_index_find(WpSendIndex *index, const WpFlow *flow, const WpPacket *receive)
{
	if (!is_range(flow, receive))
		return find_key(index, flow, receive);
	if (receive->length > LENGTH_MAX)
		return (WpSendRun){NULL, 0, FALSE, FALSE};
	return find_range(index, receive);
}

void wp_send_index_foreach_merged(WpSendIndex *index, const WpPacket *receive, const WpSend *match,
				  void (*func)(gpointer data, guint host, WpId packet),
				  gpointer data)
{
	const WpPacket *send = wp_host_packet(index->hosts[match->host], match->packet);
	const guint32 in_front = send->seq - receive->seq;
	guint steps = 0;

	/* The send begins before the receive, or it is no data. */
	if (in_front == 0 || in_front > receive->length || index->ranges->len == 0)
		return;

	const guint64 end = SEQ_BASE + send->seq, begin = end - in_front;

	for (guint i = begun_by(index, end - 1); i-- > 0 && steps < STEPS_MAX; steps++) {
		const WpSend *other = &g_array_index(index->ranges, WpSend, i);

		if (other->b <= begin)
			break;
		if (other->host == match->host && range_end(index, other) > begin &&
		    range_end(index, other) <= end)
			func(data, other->host, other->packet);
	}
	index->n_steps += steps;
}
