/* SPDX-License-Identifier: MIT */
/* send-index.c: sends by bytes and by key. */
#include "config.h"

#include <stdlib.h>

#include "sync/send-index.h"

#define TCP_PSH 8u

/* A look-up goes back over so many sends at most. */
#define STEPS_MAX 256u
/* A packet that claims more bytes than this does not tell the truth. */
#define LENGTH_MAX (1u << 30)
/* No segment but the last of a send is smaller (the kernel's own least size). */
#define SEGMENT_MIN 48u

#define SEQ_BASE (G_GUINT64_CONSTANT(1) << 32)
/* The low bits of a key's second word: an IPv4 id, and that there is one. */
#define ID_BITS 17
#define ID_MASK ((G_GUINT64_CONSTANT(1) << ID_BITS) - 1)

void wp_send_index_init(WpSendIndex *index)
{
	*index = (WpSendIndex){0};
}

void wp_send_index_clear(WpSendIndex *index)
{
	wp_block_clear(&index->range_block);
	wp_block_clear(&index->key_block);
}

static gboolean reserve(WpBlock *block, WpSend **sends, guint32 *max, guint32 n, WpMemory *memory,
			GError **error)
{
	/* One at least: regions of none have a place in the arrays, too. */
	n = MAX(n, 1);
	if (n <= *max)
		return TRUE;
	wp_block_clear(block);
	*max = 0;
	if (!wp_block_init(block, n * sizeof(WpSend), memory, error))
		return FALSE;
	*sends = block->data;
	*max = n;
	return TRUE;
}

gboolean wp_send_index_reserve(WpSendIndex *index, guint32 n_ranges, guint32 n_keys,
			       WpMemory *memory, GError **error)
{
	return reserve(&index->range_block, &index->ranges, &index->max_ranges, n_ranges, memory,
		       error) &&
	       reserve(&index->key_block, &index->keys, &index->max_keys, n_keys, memory, error);
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

/* The numbers run over their end within the packet. */
static gboolean runs_over(const WpPacket *packet)
{
	return (guint64)packet->seq + packet->length > SEQ_BASE;
}

void wp_send_index_count(const WpFlow *flow, const WpPacket *send, guint32 *ret_n_ranges,
			 guint32 *ret_n_keys)
{
	const gboolean range = is_range(flow, send);

	*ret_n_keys = !range;
	*ret_n_ranges = !range || send->length > LENGTH_MAX ? 0 : 1 + runs_over(send);
}

void wp_send_index_add(WpSendIndex *index, WpSendRegion *region, guint host, WpId id,
		       const WpFlow *flow, const WpPacket *send)
{
	WpSend entry = {.host = host,
			.packet = id,
			.length = send->length,
			.ip_id = wp_packet_has_id(send) ? send->ip_id : 0};

	if (!is_range(flow, send)) {
		make_key(flow, send, &entry.a, &entry.b);
		index->keys[region->first_key + region->n_keys++] = entry;
		return;
	}
	if (send->length > LENGTH_MAX)
		return;
	entry.a = SEQ_BASE + send->seq;
	index->ranges[region->first_range + region->n_ranges++] = entry;
	if (runs_over(send)) {
		entry.a -= SEQ_BASE;
		index->ranges[region->first_range + region->n_ranges++] = entry;
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
static void sort(WpSend *sends, guint n, GCompareFunc compare)
{
	for (guint i = 1; i < n; i++) {
		if (compare(&sends[i - 1], &sends[i]) > 0) {
			qsort(sends, n, sizeof(*sends), compare);
			return;
		}
	}
}

static guint64 range_end(const WpSend *send)
{
	return send->a + send->length;
}

void wp_send_index_sort(WpSendIndex *index, WpSendRegion *region)
{
	WpSend *ranges = index->ranges + region->first_range;
	guint64 reach = 0;

	sort(ranges, region->n_ranges, compare_ranges);
	sort(index->keys + region->first_key, region->n_keys, compare_keys);
	for (guint i = 0; i < region->n_ranges; i++) {
		reach = MAX(reach, range_end(&ranges[i]));
		ranges[i].b = reach;
	}
	region->hint = 0;
}

/* The number of sends whose first byte is at or before a byte. */
static guint begun_by(WpSendIndex *index, WpSendRegion *region, guint64 byte)
{
	const WpSend *ranges = index->ranges + region->first_range;
	guint low = 0, high = region->n_ranges;

	/* Mostly it is the send that was found last, or the next one. */
	if (region->hint < high && ranges[region->hint].a <= byte) {
		low = region->hint + 1;
		for (guint step = 0; step < 2 && low < high && ranges[low].a <= byte; step++)
			low++;
		index->n_steps += 2;
		if (low < high && ranges[low].a > byte)
			high = low;
	}
	while (low < high) {
		const guint middle = low + (high - low) / 2;

		index->n_steps++;
		if (ranges[middle].a <= byte)
			low = middle + 1;
		else
			high = middle;
	}
	region->hint = low ? low - 1 : 0;
	return low;
}

/*
 * How well the IPv4 ids of a receive and of the send that holds its last byte agree: 0 not,
 * 1 perhaps, 2 well, 3 exactly. Piece k of a send has the send's id plus k, and all pieces
 * but the last are of one size; a receive has the id of its first piece.
 */
static guint id_fit(const WpSend *send, const WpPacket *receive)
{
	const gint32 ahead = (gint32)(receive->seq - (guint32)send->a);
	const guint32 bytes = ahead < 0 ? 0u - (guint32)ahead : (guint32)ahead;
	const guint16 pieces = (guint16)(ahead < 0 ? send->ip_id - receive->ip_id
						   : receive->ip_id - send->ip_id);

	if (bytes == 0)
		return pieces == 0 ? 3 : 0;
	if (pieces > bytes / SEGMENT_MIN + 1 || (ahead < 0 && pieces == 0))
		return 0;
	/* What was merged in front of the send came in sends of any size. */
	return ahead < 0 || (pieces != 0 && bytes % pieces == 0) ? 2 : 1;
}

static WpSendRun found_run(WpSendIndex *index, gboolean proved, gboolean mismatch)
{
	if (index->n_found > 1)
		qsort(index->found, index->n_found, sizeof(WpSend), compare_sends);
	return (WpSendRun){index->found, index->n_found, proved, mismatch};
}

/* The sends that hold the last byte of a receive; of these, the ones whose ids fit best. */
static WpSendRun find_range(WpSendIndex *index, WpSendRegion *region, const WpPacket *receive)
{
	const guint64 last = SEQ_BASE + (guint32)(receive->seq + receive->length - 1);
	const WpSend *ranges = index->ranges + region->first_range;
	const gboolean has_id = wp_packet_has_id(receive);
	guint best = 0, steps = 0;
	gboolean mismatch = FALSE;

	index->n_found = 0;
	for (guint i = begun_by(index, region, last); i-- > 0 && steps < STEPS_MAX; steps++) {
		const WpSend *send = &ranges[i];
		guint fit = 0;

		if (send->b <= last || index->n_found == WP_FOUND_MAX)
			break;
		if (range_end(send) <= last)
			continue;
		if (has_id && send->ip_id) {
			fit = id_fit(send, receive);
			mismatch |= fit == 0;
		}
		if (fit < best)
			continue;
		if (fit > best)
			index->n_found = 0;
		best = fit;
		index->found[index->n_found++] = *send;
	}
	index->n_steps += steps;
	return found_run(index, best > 0, best == 0 && mismatch);
}

/* The first of a region's keys that is not before (a, b). */
static guint first_key(WpSendIndex *index, const WpSendRegion *region, guint64 a, guint64 b)
{
	const WpSend *keys = index->keys + region->first_key;
	guint low = 0, high = region->n_keys;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		index->n_steps++;
		if (keys[middle].a < a || (keys[middle].a == a && keys[middle].b < b))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of the same key but other ids: a router may have written new ones. */
static WpSendRun find_other_ids(WpSendIndex *index, const WpSendRegion *region, guint64 a,
				guint64 b)
{
	const guint first = first_key(index, region, a, b & ~ID_MASK);
	const guint end = first_key(index, region, a, (b | ID_MASK) + 1);

	index->n_found = end - first <= WP_FOUND_MAX ? end - first : 0;
	for (guint i = 0; i < index->n_found; i++)
		index->found[i] = index->keys[region->first_key + first + i];
	return found_run(index, FALSE, TRUE);
}

static WpSendRun find_key(WpSendIndex *index, const WpSendRegion *region, const WpFlow *flow,
			  const WpPacket *receive)
{
	guint64 a, b;

	make_key(flow, receive, &a, &b);

	const guint first = first_key(index, region, a, b);
	const WpSend *sends = &index->keys[region->first_key + first];
	guint n = 0;

	if (first < region->n_keys && sends->a == a && sends->b == b) {
		/* Mostly there is one; where there are many the end is looked up. */
		n = 1;
		if (first + 1 < region->n_keys && sends[1].a == a && sends[1].b == b)
			n = first_key(index, region, a, b + 1) - first;
		return (WpSendRun){sends, n, (b & ID_MASK) != 0, FALSE};
	}
	/* The number of an echo and the sequence numbers of TCP say enough without the id. */
	if (flow->protocol == WP_PROTOCOL_TCP || flow->protocol == WP_PROTOCOL_ICMP)
		return find_other_ids(index, region, a, b);
	return (WpSendRun){NULL, 0, FALSE, FALSE};
}

WpSendRun wp_send_index_find(WpSendIndex *index, WpSendRegion *region, const WpFlow *flow,
			     const WpPacket *receive)
{
	if (!is_range(flow, receive))
		return find_key(index, region, flow, receive);
	if (receive->length > LENGTH_MAX)
		return (WpSendRun){NULL, 0, FALSE, FALSE};
	return find_range(index, region, receive);
}

void wp_send_index_foreach_merged(WpSendIndex *index, WpSendRegion *region, const WpFlow *flow,
				  const WpPacket *receive, const WpSend *match,
				  void (*func)(gpointer data, guint host, WpId packet),
				  gpointer data)
{
	const WpSend *ranges = index->ranges + region->first_range;
	const guint32 in_front = (guint32)match->a - receive->seq;
	const guint64 end = SEQ_BASE + (guint32)match->a;
	const guint64 begin = end - in_front;
	guint steps = 0;

	/* Mostly the send begins at the receive's first byte, or before. */
	if (!is_range(flow, receive) || in_front == 0 || in_front > receive->length)
		return;
	for (guint i = begun_by(index, region, end - 1); i-- > 0 && steps < STEPS_MAX; steps++) {
		const WpSend *other = &ranges[i];

		if (other->b <= begin)
			break;
		if (other->host == match->host && range_end(other) > begin &&
		    range_end(other) <= end)
			func(data, other->host, other->packet);
	}
	index->n_steps += steps;
}
