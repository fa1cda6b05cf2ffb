/* SPDX-License-Identifier: MIT */
/* match.c: packets of all hosts, flow by flow. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/intmap.h"
#include "sync/match-private.h"
#include "sync/points.h"

#define SLICE_DEFAULT (1u << 21)
/* A host passes a packet on from device to device within this. */
#define HOP_MAX (5 * WP_NS_PER_MS)
/* Packets between two looks at the cancellable. */
#define POLL_EVERY 65536u

/* matches and notes as they are before anything is matched */
static gboolean fill_columns(WpMatcher *matcher, guint h, GError **error)
{
	const WpColumn *packets = &matcher->graph->hosts[h]->packets;
	WpColumn *matches = &matcher->graph->joins[h].matches;
	WpColumn *notes = &matcher->packets[h].notes;

	wp_column_clear(matches);
	wp_column_init(matches, sizeof(WpMatch), packets->memory);
	wp_column_init(notes, sizeof(guint8), packets->memory);
	for (guint64 i = 0; i < packets->n; i++) {
		WpMatch *match = wp_column_push(matches, error);

		if (!match || !wp_column_push(notes, error))
			return FALSE;
		match->host = match->packet = WP_NONE;
	}
	return TRUE;
}

/* A counting sort of a host's packets by flow; those of one flow stay in the order of time. */
static gboolean order_packets(WpMatcher *matcher, guint h, GError **error)
{
	WpHost *host = matcher->graph->hosts[h];
	WpHostPackets *packets = &matcher->packets[h];
	const guint64 n_flows = host->flows.n;

	wp_column_init(&packets->order, sizeof(WpId), host->packets.memory);
	packets->first = g_try_new0(guint32, n_flows + 2);
	packets->group = g_try_new(guint32, n_flows + 1);
	if (!packets->first || !packets->group) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "There is no memory left for the %" G_GUINT64_FORMAT
			    " flows of host %s; give fewer traces.",
			    n_flows, host->name);
		return FALSE;
	}
	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpPacket *packet = wp_host_packet(host, i);

		if (!wp_column_push(&packets->order, error))
			return FALSE;
		if (packet->flow < n_flows)
			packets->first[packet->flow + 2]++;
	}
	for (guint64 f = 2; f < n_flows + 2; f++)
		packets->first[f] += packets->first[f - 1];
	/* While they are put in order, first[f + 1] is where the next packet of f goes. */
	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpId flow = wp_host_packet(host, i)->flow;

		if (flow < n_flows)
			WP_AT(&packets->order, WpId, packets->first[flow + 1]++) = (WpId)i;
	}
	return TRUE;
}

/* What makes flows of two hosts the same; sockets without addresses are all one. */
static void flow_key(const WpFlow *flow, WpFlow *ret_key)
{
	memset(ret_key, 0, sizeof(*ret_key));
	ret_key->version = flow->version;
	if (flow->version == 0)
		return;
	memcpy(ret_key->src, flow->src, sizeof(flow->src));
	memcpy(ret_key->dst, flow->dst, sizeof(flow->dst));
	ret_key->sport = flow->sport;
	ret_key->dport = flow->dport;
	ret_key->protocol = flow->protocol;
}

static gint compare_flow_keys(const WpMatcher *matcher, const WpFlowMember *a,
			      const WpFlowMember *b)
{
	WpFlow x, y;

	flow_key(wp_host_flow(matcher->graph->hosts[a->host], a->flow), &x);
	flow_key(wp_host_flow(matcher->graph->hosts[b->host], b->flow), &y);
	return memcmp(&x, &y, G_STRUCT_OFFSET(WpFlow, reverse));
}

static gint compare_members(gconstpointer a, gconstpointer b, gpointer data)
{
	const WpFlowMember *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;

	const gint order = compare_flow_keys(data, x, y);

	if (order != 0)
		return order;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x->flow < y->flow ? -1 : x->flow > y->flow;
}

/* FNV-1a. */
static guint64 hash_flow(const WpFlow *flow)
{
	guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);
	WpFlow key;

	flow_key(flow, &key);
	for (gsize i = 0; i < G_STRUCT_OFFSET(WpFlow, reverse); i++)
		hash = (hash ^ ((const guint8 *)&key)[i]) * G_GUINT64_CONSTANT(0x100000001b3);
	return hash;
}

/* Puts equal flows of all hosts into groups. */
static void group_flows(WpMatcher *matcher)
{
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		const WpHost *host = matcher->graph->hosts[h];

		for (guint64 f = 0; f < host->flows.n; f++) {
			WpFlowMember member = {.host = h, .flow = (WpId)f};

			if (matcher->packets[h].first[f] == matcher->packets[h].first[f + 1])
				continue;
			member.hash = hash_flow(wp_host_flow(host, f));
			g_array_append_val(matcher->members, member);
		}
	}
	g_array_sort_with_data(matcher->members, compare_members, matcher);
	for (guint i = 0; i < matcher->members->len; i++) {
		const WpFlowMember *member = &g_array_index(matcher->members, WpFlowMember, i);

		if (i == 0 || member[-1].hash != member->hash ||
		    compare_flow_keys(matcher, member - 1, member) != 0) {
			WpFlowGroup group = {.first = i, .receiver = WP_NONE};

			g_array_append_val(matcher->groups, group);
		}
		g_array_index(matcher->groups, WpFlowGroup, matcher->groups->len - 1).n++;
		matcher->packets[member->host].group[member->flow] = matcher->groups->len - 1;
	}
}

WpMatcher *wp_matcher_new(WpGraph *graph, const WpAddresses *addresses, guint slice)
{
	WpMatcher *matcher = g_new0(WpMatcher, 1);

	matcher->graph = graph;
	matcher->addresses = addresses;
	matcher->slice = slice ? slice : SLICE_DEFAULT;
	matcher->packets = g_new0(WpHostPackets, graph->n_hosts);
	matcher->roles = g_new0(guint8, graph->n_hosts);
	matcher->members = g_array_new(FALSE, FALSE, sizeof(WpFlowMember));
	matcher->groups = g_array_new(FALSE, FALSE, sizeof(WpFlowGroup));
	matcher->aliases = g_array_new(FALSE, FALSE, sizeof(WpFlowAlias));
	wp_send_index_init(&matcher->index, graph->hosts);
	return matcher;
}

void wp_matcher_free(WpMatcher *matcher)
{
	if (!matcher)
		return;
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		wp_column_clear(&matcher->packets[h].order);
		wp_column_clear(&matcher->packets[h].notes);
		g_free(matcher->packets[h].first);
		g_free(matcher->packets[h].group);
	}
	wp_send_index_clear(&matcher->index);
	g_array_free(matcher->members, TRUE);
	g_array_free(matcher->groups, TRUE);
	g_array_free(matcher->aliases, TRUE);
	g_free(matcher->packets);
	g_free(matcher->roles);
	g_free(matcher);
}

static guint8 *note_of(const WpMatcher *matcher, guint h, WpId packet)
{
	return &WP_AT(&matcher->packets[h].notes, guint8, packet);
}

static WpMatch *match_of(const WpMatcher *matcher, guint h, WpId packet)
{
	return &WP_AT(&matcher->graph->joins[h].matches, WpMatch, packet);
}

static void mark_received(gpointer data, guint h, WpId packet)
{
	*note_of(data, h, packet) |= WP_NOTE_RECEIVED;
}

/* The sends of one host in a run. */
typedef struct {
	const WpSend *sends; /* borrowed from the run */
	guint n;
} Segment;

static Segment next_segment(const WpSendRun *run, guint *pos)
{
	Segment segment = {run->sends + *pos, 0};
	guint low = *pos, high = run->n;

	/* Mostly all are of one host. */
	if (run->sends[run->n - 1].host == segment.sends->host)
		low = run->n;
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (run->sends[middle].host == segment.sends->host)
			low = middle + 1;
		else
			high = middle;
	}
	segment.n = low - *pos;
	*pos = low;
	return segment;
}

/* How many of a segment were sent at or before a time of its host. */
static guint sent_by(const WpMatcher *matcher, const Segment *segment, WpTime time)
{
	WpHost *host = matcher->graph->hosts[segment->sends->host];
	guint low = 0, high = segment->n;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (wp_host_packet(host, segment->sends[middle].packet)->time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What match_flows() works on, for the functions below it. */
typedef struct {
	WpMatcher *matcher;
	const WpFlowGroup *senders;
	WpFlowGroup *receivers;
	gboolean alias; /* the two differ: addresses were translated */
	gboolean sliced; /* the index holds a part of the sends */
	gboolean final; /* second round: there will be no other */
	guint32 src_owner;
	guint64 n_proved, n_before;
	WpIntMap total, seen; /* receives without id by length, of one host's flow */
} Work;

/*
 * The host that sent, where several have sends that fit: what a router forwarded was sent by
 * the host that both received and sent it; failing that, by the owner of the address.
 */
static gboolean choose_sender(const Work *work, guint32 h, const WpSendRun *run,
			      Segment *ret_segment, Segment *ret_own)
{
	Segment forwarder = {NULL, 0}, owner = {NULL, 0}, other = {NULL, 0};
	guint n_forwarders = 0, n_others = 0;

	ret_own->n = 0;
	for (guint pos = 0; pos < run->n;) {
		const Segment segment = next_segment(run, &pos);

		if (segment.sends->host == h) {
			*ret_own = segment;
			continue;
		}
		n_others++;
		other = segment;
		if (segment.sends->host == work->src_owner)
			owner = segment;
		if (work->matcher->roles[segment.sends->host] & WP_ROLE_RECEIVES) {
			forwarder = segment;
			n_forwarders++;
		}
	}
	if (n_others <= 1)
		*ret_segment = other;
	else if (n_forwarders == 1)
		*ret_segment = forwarder;
	else if (n_forwarders == 0 && owner.n)
		*ret_segment = owner;
	else
		return FALSE;
	return TRUE;
}

static void set_match(const Work *work, guint32 h, WpId id, const WpSend *send, WpEvidence evidence,
		      const WpSendRun *run, const Segment *segment)
{
	WpMatcher *matcher = work->matcher;
	WpMatch *match = match_of(matcher, h, id);
	guint8 *note = note_of(matcher, h, id);

	match->host = send->host;
	match->packet = send->packet;
	*note = (guint8)evidence | (run->proved ? WP_NOTE_PROVED : 0);
	if (evidence == WP_EVIDENCE_GUESS && !work->final)
		return;
	if (send->host != h && !(matcher->roles[h] & WP_ROLE_SENDS))
		work->receivers->receiver = h;
	/* A packet with one id on several devices is one packet. */
	for (guint i = 0; run->proved && i < segment->n && i < 8; i++)
		mark_received(matcher, segment->sends[i].host, segment->sends[i].packet);
	mark_received(matcher, send->host, send->packet);
	wp_send_index_foreach_merged(&matcher->index, wp_host_packet(matcher->graph->hosts[h], id),
				     send, mark_received, matcher);
}

/* Datagrams without an id are told apart by their order alone. */
static gboolean is_counted(const WpFlow *flow, const WpPacket *receive)
{
	return flow->version != 0 && flow->protocol != WP_PROTOCOL_TCP &&
	       flow->protocol != WP_PROTOCOL_ICMP && flow->protocol != WP_PROTOCOL_ICMPV6 &&
	       !wp_packet_has_id(receive);
}

/*
 * Which of a segment the k-th receive of this length is: the k-th, or where more were
 * received than sent (the sender's trace began later) the k-th from the end.
 */
static gint64 count_receive(Work *work, const WpPacket *receive, guint n_sends)
{
	const guint32 n = wp_intmap_get(&work->total, receive->length);
	guint32 k = wp_intmap_get(&work->seen, receive->length);

	k = k == WP_NONE ? 0 : k;
	wp_intmap_set(&work->seen, receive->length, k + 1);
	return n > n_sends ? (gint64)k - (n - n_sends) : k;
}

/*
 * Whether a part of the sends that was indexed before holds what fits as well: then the
 * packet's send is one of several, and the earlier one stays.
 */
static gboolean is_better_known(Work *work, guint32 h, WpId id, WpEvidence evidence)
{
	guint8 *note = note_of(work->matcher, h, id);
	const WpEvidence known = (WpEvidence)(*note & WP_NOTE_EVIDENCE);

	if (known == WP_EVIDENCE_NONE || known == WP_EVIDENCE_LOCAL)
		return known != WP_EVIDENCE_NONE;
	if (known == WP_EVIDENCE_WEAK && evidence != WP_EVIDENCE_WEAK)
		return FALSE;
	if (known != WP_EVIDENCE_WEAK && evidence == WP_EVIDENCE_WEAK)
		return TRUE;
	*note = WP_EVIDENCE_GUESS;
	work->receivers->open = TRUE;
	return TRUE;
}

/*
 * Whether a packet that others and its own host may have sent is of its own host: when
 * that has the address, or has just passed the same packet on (from the wire to a bridge,
 * say), rather than a copy long before.
 */
static gboolean is_local(const Work *work, guint32 h, const WpPacket *receive, const WpFlow *flow,
			 const WpSendRun *run, const Segment *own)
{
	const WpPacket *last = wp_host_packet(work->matcher->graph->hosts[h],
					      own->sends[own->n - 1].packet);

	return run->proved || (guint64)receive->time - (guint64)last->time <= HOP_MAX ||
	       wp_address_is_group_or_local(flow->src) ||
	       wp_addresses_has(work->matcher->addresses, h, flow->src);
}

/* The first round, for one received packet. */
static void match_first(Work *work, guint32 h, WpId id, const WpFlow *flow)
{
	const WpPacket *receive = wp_host_packet(work->matcher->graph->hosts[h], id);
	const WpSendRun run = wp_send_index_find(&work->matcher->index, flow, receive);
	guint8 *note = note_of(work->matcher, h, id);
	Segment segment = {NULL, 0}, own;
	gint64 which = 0;

	if (run.n == 0)
		return;

	const gboolean chosen = choose_sender(work, h, &run, &segment, &own);

	if (own.n)
		own.n = sent_by(work->matcher, &own, receive->time);
	else if ((*note & WP_NOTE_EVIDENCE) == WP_EVIDENCE_LOCAL)
		return;
	if (own.n && ((chosen && segment.n == 0) || is_local(work, h, receive, flow, &run, &own))) {
		set_match(work, h, id, &own.sends[own.n - 1], WP_EVIDENCE_LOCAL, &run, &own);
		return;
	}
	if (is_counted(flow, receive) && !work->sliced)
		which = count_receive(work, receive, segment.n);
	if (!chosen) {
		*note = WP_NOTE_OPEN;
		work->receivers->open = TRUE;
		return;
	}
	if (segment.n == 0 || which < 0 || which >= segment.n)
		return;

	const WpEvidence evidence = segment.n > 1  ? WP_EVIDENCE_GUESS
				    : run.mismatch ? WP_EVIDENCE_WEAK
						   : WP_EVIDENCE_UNIQUE;

	if (is_better_known(work, h, id, evidence))
		return;
	set_match(work, h, id, &segment.sends[which], evidence, &run, &segment);
	work->n_proved += run.proved && evidence == WP_EVIDENCE_UNIQUE;
	work->receivers->open |= evidence == WP_EVIDENCE_GUESS;
}

/* The last time of a host whose image is not after a time. */
static WpTime latest_before(const WpClockMap *map, WpTime time)
{
	return time == WP_TIME_MAX ? time : wp_clock_map_invert(map, time + 1) - 1;
}

/* The latest send of a segment that was not sent after a receive; by the error bound if need be. */
static const WpSend *nearest_earlier(const Work *work, guint32 h, const WpPacket *receive,
				     const Segment *segment, WpTime *ret_time, WpTime *ret_error)
{
	const WpGraph *graph = work->matcher->graph;
	const guint32 s = segment->sends->host;
	const WpTime time = wp_graph_time(graph, h, receive->time);
	const WpTime error = wp_graph_clock_error(graph, s, h, time);
	guint n = sent_by(work->matcher, segment, latest_before(graph->joins[s].map, time));

	if (n == 0)
		n = sent_by(work->matcher, segment,
			    latest_before(graph->joins[s].map, wp_clock_add(time, error)));
	if (n == 0)
		return NULL;

	const WpSend *send = &segment->sends[n - 1];

	*ret_time = wp_graph_time(graph, s, wp_host_packet(graph->hosts[s], send->packet)->time);
	*ret_error = error;
	return send;
}

/* The second round: the nearest earlier send, now that the clocks are known. */
static void match_second(Work *work, guint32 h, WpId id, const WpFlow *flow)
{
	const WpGraph *graph = work->matcher->graph;
	const WpPacket *receive = wp_host_packet(graph->hosts[h], id);
	const WpSendRun run = wp_send_index_find(&work->matcher->index, flow, receive);
	WpMatch *match = match_of(work->matcher, h, id);
	const WpTime received = wp_graph_time(graph, h, receive->time);
	WpTime best_time = WP_TIME_MIN, best_error = 0;
	const WpSend *best = NULL;
	Segment best_segment = {NULL, 0};
	gboolean any = FALSE;

	for (guint pos = 0; pos < run.n;) {
		const Segment segment = next_segment(&run, &pos);
		const WpSend *send;
		WpTime time, error;

		if (segment.sends->host == h ||
		    graph->joins[segment.sends->host].island != graph->joins[h].island)
			continue;
		any = TRUE;
		send = nearest_earlier(work, h, receive, &segment, &time, &error);
		if (!send || time <= best_time)
			continue;
		best = send;
		best_segment = segment;
		best_time = time;
		best_error = error;
	}
	if (best && match->host != WP_NONE && work->sliced &&
	    wp_graph_time(graph, match->host,
			  wp_host_packet(graph->hosts[match->host], match->packet)->time) >
		    best_time)
		return;
	if (best) {
		const gboolean before = best_time <= wp_clock_add(received, -best_error);

		set_match(work, h, id, best, before ? WP_EVIDENCE_BEFORE : WP_EVIDENCE_GUESS, &run,
			  &best_segment);
		work->n_before += before;
	} else if (any && !work->sliced) {
		/* All were sent too late: its own send is not in the trace. */
		match->host = match->packet = WP_NONE;
	}
}

/* Members of a group are walked flow by flow: FALSE at the end. */
typedef struct {
	const WpMatcher *matcher;
	const WpFlowGroup *group;
	guint32 member, pos;
	guint32 host;
	const WpFlow *flow; /* borrowed */
	WpId packet;
	gboolean fresh; /* the first packet of another host's flow */
} Walk;

static gboolean walk_next(Walk *walk)
{
	while (walk->member < walk->group->n) {
		const WpFlowMember *member = &g_array_index(walk->matcher->members, WpFlowMember,
							    walk->group->first + walk->member);
		const WpHostPackets *packets = &walk->matcher->packets[member->host];
		const guint32 first = packets->first[member->flow];

		if (walk->pos < packets->first[member->flow + 1] - first) {
			walk->host = member->host;
			walk->fresh = walk->pos == 0;
			walk->flow = wp_host_flow(walk->matcher->graph->hosts[member->host],
						  member->flow);
			walk->packet = WP_AT(&packets->order, WpId, first + walk->pos++);
			return TRUE;
		}
		walk->member++;
		walk->pos = 0;
	}
	return FALSE;
}

static gboolean is_send(const Walk *walk)
{
	const WpPacket *packet = wp_host_packet(walk->matcher->graph->hosts[walk->host],
						walk->packet);

	return (packet->flags & WP_PACKET_SEND) != 0;
}

/* Notes which hosts send and which receive; the number of sends, 0 when nobody receives. */
static guint64 find_roles(Work *work)
{
	Walk walk = {.matcher = work->matcher, .group = work->senders};
	guint64 n_sends = 0;
	gboolean receives = work->alias;

	memset(work->matcher->roles, 0, work->matcher->graph->n_hosts);
	while (walk_next(&walk)) {
		const gboolean send = is_send(&walk);

		work->matcher->roles[walk.host] |= send ? WP_ROLE_SENDS : WP_ROLE_RECEIVES;
		n_sends += send;
		receives |= !send;
	}
	return receives ? n_sends : 0;
}

/* Counts the receives without id of one host's flow, before they are matched. */
static void count_flow(Work *work, const Walk *at)
{
	Walk walk = *at;

	if (at->flow->protocol == WP_PROTOCOL_TCP)
		return;
	wp_intmap_clear(&work->total);
	wp_intmap_clear(&work->seen);
	do {
		const WpPacket *packet = wp_host_packet(walk.matcher->graph->hosts[walk.host],
							walk.packet);
		const guint32 n = wp_intmap_get(&work->total, packet->length);

		if (!is_send(&walk) && is_counted(walk.flow, packet))
			wp_intmap_set(&work->total, packet->length, n == WP_NONE ? 1 : n + 1);
	} while (walk_next(&walk) && !walk.fresh);
}

static gboolean cancelled(GCancellable *cancellable, GError **error)
{
	if (!g_cancellable_is_cancelled(cancellable))
		return FALSE;
	g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "The matching of packets was cancelled.");
	return TRUE;
}

/* Matches all receives against the sends that are in the index now. */
static gboolean match_slice(Work *work, gboolean second, GCancellable *cancellable, GError **error)
{
	Walk walk = {.matcher = work->matcher, .group = work->receivers};
	guint n = 0;

	wp_send_index_sort(&work->matcher->index);
	while (walk_next(&walk)) {
		if (walk.fresh && !second)
			count_flow(work, &walk);
		if (is_send(&walk))
			continue;
		if (++n % POLL_EVERY == 0 && cancelled(cancellable, error))
			return FALSE;

		const guint8 note = *note_of(work->matcher, walk.host, walk.packet);
		const guint8 evidence = note & WP_NOTE_EVIDENCE;

		if (second) {
			if (evidence == WP_EVIDENCE_GUESS || evidence == WP_EVIDENCE_BEFORE ||
			    note & WP_NOTE_OPEN)
				match_second(work, walk.host, walk.packet, walk.flow);
		} else if (!work->alias || !evidence) {
			match_first(work, walk.host, walk.packet, walk.flow);
		}
	}
	wp_send_index_reset(&work->matcher->index);
	return TRUE;
}

/*
 * Where ids were seen to arrive as they were sent, a match whose id differs is none: it
 * is of a send that the trace does not hold.
 */
static void drop_weak(Work *work)
{
	Walk walk = {.matcher = work->matcher, .group = work->receivers};

	while (walk_next(&walk)) {
		const guint8 note = *note_of(work->matcher, walk.host, walk.packet);

		if ((note & WP_NOTE_EVIDENCE) == WP_EVIDENCE_WEAK && !is_send(&walk))
			wp_matcher_drop(work->matcher, walk.host, walk.packet);
	}
}

static gboolean match_sends(Work *work, guint64 n_sends, gboolean second, GCancellable *cancellable,
			    GError **error)
{
	Walk walk = {.matcher = work->matcher, .group = work->senders};
	guint n = 0;

	work->sliced = n_sends > work->matcher->slice;
	while (walk_next(&walk)) {
		if (!is_send(&walk))
			continue;
		wp_send_index_add(&work->matcher->index, walk.host, walk.packet);
		if (++n == work->matcher->slice) {
			if (!match_slice(work, second, cancellable, error))
				return FALSE;
			n = 0;
		}
	}
	return n == 0 || match_slice(work, second, cancellable, error);
}

/* Matches what one group received with what another (or the same) sent. */
static gboolean match_flows(WpMatcher *matcher, guint32 senders, guint32 receivers, gboolean second,
			    gboolean final, guint64 *n_before, GCancellable *cancellable,
			    GError **error)
{
	Work work = {.matcher = matcher,
		     .senders = &g_array_index(matcher->groups, WpFlowGroup, senders),
		     .receivers = &g_array_index(matcher->groups, WpFlowGroup, receivers),
		     .alias = senders != receivers,
		     .final = final};
	const WpFlowMember *member = &g_array_index(matcher->members, WpFlowMember,
						    work.receivers->first);
	const guint64 n_sends = find_roles(&work);
	gboolean ok;

	if (n_sends == 0)
		return TRUE;
	work.src_owner = wp_addresses_owner(
		matcher->addresses,
		wp_host_flow(matcher->graph->hosts[member->host], member->flow)->src);
	wp_intmap_init(&work.total);
	wp_intmap_init(&work.seen);
	ok = match_sends(&work, n_sends, second, cancellable, error);
	wp_intmap_clear(&work.total);
	wp_intmap_clear(&work.seen);
	if (ok && !second && work.n_proved > 0)
		drop_weak(&work);
	*n_before += work.n_before;
	return ok;
}

gboolean wp_matcher_run(WpMatcher *matcher, GCancellable *cancellable, GError **error)
{
	guint64 n_before = 0;

	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		if (cancelled(cancellable, error) || !fill_columns(matcher, h, error) ||
		    !order_packets(matcher, h, error))
			return FALSE;
	}
	group_flows(matcher);
	for (guint g = 0; g < matcher->groups->len; g++) {
		if (!match_flows(matcher, g, g, FALSE, FALSE, &n_before, cancellable, error))
			return FALSE;
	}
	wp_matcher_find_aliases(matcher);
	for (guint i = 0; i < matcher->aliases->len; i++) {
		const WpFlowAlias *alias = &g_array_index(matcher->aliases, WpFlowAlias, i);

		if (!match_flows(matcher, alias->senders, alias->receivers, FALSE, FALSE, &n_before,
				 cancellable, error))
			return FALSE;
	}
	return TRUE;
}

gboolean wp_matcher_resolve(WpMatcher *matcher, gboolean final, guint64 *ret_n,
			    GCancellable *cancellable, GError **error)
{
	guint64 n_before = 0;

	for (guint g = 0; g < matcher->groups->len; g++) {
		if (g_array_index(matcher->groups, WpFlowGroup, g).open &&
		    !match_flows(matcher, g, g, TRUE, final, &n_before, cancellable, error))
			return FALSE;
	}
	for (guint i = 0; i < matcher->aliases->len; i++) {
		const WpFlowAlias *alias = &g_array_index(matcher->aliases, WpFlowAlias, i);

		if (!match_flows(matcher, alias->senders, alias->receivers, TRUE, final, &n_before,
				 cancellable, error))
			return FALSE;
	}
	*ret_n = n_before;
	return TRUE;
}

WpEvidence wp_matcher_evidence(const WpMatcher *matcher, guint host, WpId packet)
{
	return (WpEvidence)(*note_of(matcher, host, packet) & WP_NOTE_EVIDENCE);
}

gboolean wp_matcher_is_proved(const WpMatcher *matcher, guint host, WpId packet)
{
	return (*note_of(matcher, host, packet) & WP_NOTE_PROVED) != 0;
}

gboolean wp_matcher_is_received(const WpMatcher *matcher, guint host, WpId packet)
{
	return (*note_of(matcher, host, packet) & WP_NOTE_RECEIVED) != 0;
}

void wp_matcher_drop(WpMatcher *matcher, guint host, WpId packet)
{
	WpMatch *match = match_of(matcher, host, packet);

	match->host = match->packet = WP_NONE;
	*note_of(matcher, host, packet) = WP_EVIDENCE_NONE;
}

guint32 wp_matcher_peer(const WpMatcher *matcher, guint host, WpId flow)
{
	const guint32 owner = wp_addresses_owner(
		matcher->addresses, wp_host_flow(matcher->graph->hosts[host], flow)->dst);

	if (owner != WP_NONE && owner != WP_ADDRESS_SHARED)
		return owner;
	if (wp_host_flow(matcher->graph->hosts[host], flow)->version == 0)
		return WP_NONE;
	return g_array_index(matcher->groups, WpFlowGroup, matcher->packets[host].group[flow])
		.receiver;
}

guint64 wp_matcher_n_steps(const WpMatcher *matcher)
{
	return matcher->index.n_steps;
}
