/* SPDX-License-Identifier: MIT */
/*
 * match-packet.c: one received packet, and what may have sent it.
 *
 * Of several hosts that may have sent it one is chosen first, then one of its sends: by what
 * the packets hold in the first round, by the clocks in the second.
 */
#include "config.h"

#include "sync/match-private.h"
#include "sync/points.h"

/* A host passes a packet on from device to device within this. */
#define HOP_MAX (5 * WP_NS_PER_MS)
/* Devices of one host that a packet is followed through. */
#define DEVICES_MAX 8u

gboolean wp_packet_is_counted(const WpFlow *flow, const WpPacket *packet)
{
	return flow->version != 0 && flow->protocol != WP_PROTOCOL_TCP &&
	       flow->protocol != WP_PROTOCOL_ICMP && flow->protocol != WP_PROTOCOL_ICMPV6 &&
	       !wp_packet_has_id(packet);
}

guint64 wp_counted_key(const WpPacket *packet)
{
	return (guint64)packet->flow << 32 | packet->length;
}

/* Whether a host sends, or receives, packets of a group. */
static gboolean host_does(const WpMatcher *matcher, const WpFlowGroup *group, guint32 h,
			  gboolean sends)
{
	for (guint i = 0; i < group->n; i++) {
		const WpFlowMember *member = &g_array_index(matcher->members, WpFlowMember,
							    group->first + i);
		const WpHostPackets *packets = &matcher->packets[member->host];

		if (member->host == h &&
		    (sends ? packets->n_sends : packets->n_receives)[member->flow] > 0)
			return TRUE;
	}
	return FALSE;
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

/* Of several hosts' sends those of a forwarder, or of the owner of the flow's address. */
static gboolean choose_among(const WpReceive *receive, const WpSendRun *run, Segment *ret_segment)
{
	Segment forwarder = {NULL, 0}, owner = {NULL, 0};
	guint n_forwarders = 0;

	for (guint pos = 0; pos < run->n;) {
		const Segment segment = next_segment(run, &pos);

		if (segment.sends->host == receive->host)
			continue;
		if (segment.sends->host == receive->receivers->src_owner)
			owner = segment;
		if (host_does(receive->matcher, receive->senders, segment.sends->host, FALSE)) {
			forwarder = segment;
			n_forwarders++;
		}
	}
	*ret_segment = n_forwarders ? forwarder : owner;
	return n_forwarders == 1 || (n_forwarders == 0 && owner.n > 0);
}

/*
 * The host that sent, where several have sends that fit: what a router forwarded was sent by
 * the host that both received and sent it; failing that, by the owner of the address. Sends of
 * the receiver itself are told apart. FALSE when the host can't be told.
 */
static gboolean choose_sender(const WpReceive *receive, const WpSendRun *run, Segment *ret_segment,
			      Segment *ret_own)
{
	guint n_others = 0;

	ret_own->n = ret_segment->n = 0;
	for (guint pos = 0; pos < run->n;) {
		const Segment segment = next_segment(run, &pos);

		if (segment.sends->host == receive->host) {
			*ret_own = segment;
		} else {
			*ret_segment = segment;
			n_others++;
		}
	}
	if (n_others <= 1)
		return TRUE;
	/* Without addresses every host may send, and receive, anything. */
	return receive->flow->version != 0 && choose_among(receive, run, ret_segment);
}

static void mark_received(gpointer data, guint h, WpId packet)
{
	*wp_matcher_note(data, h, packet) |= WP_NOTE_RECEIVED;
}

/* Sets the match of a received packet, and marks what arrived with it. */
static void set_match(const WpReceive *receive, const WpSend *send, WpEvidence evidence,
		      const WpSendRun *run, const Segment *segment)
{
	WpMatcher *matcher = receive->matcher;
	const guint32 h = receive->host;
	WpMatch *match = wp_matcher_match(matcher, h, receive->id);
	const WpSend chosen = *send;

	match->host = chosen.host;
	match->packet = chosen.packet;
	*wp_matcher_note(matcher, h, receive->id) = (guint8)evidence |
						    (run->proved ? WP_NOTE_PROVED : 0);
	if (evidence == WP_EVIDENCE_GUESS && !receive->pass->final)
		return;
	if (chosen.host != h && receive->receivers->receiver == WP_NONE &&
	    receive->flow->version != 0 && !host_does(matcher, receive->senders, h, TRUE))
		receive->receivers->receiver = h;
	/* A packet with one id on several devices is one packet. */
	for (guint i = 0; run->proved && i < segment->n && i < DEVICES_MAX; i++)
		mark_received(matcher, segment->sends[i].host, segment->sends[i].packet);
	mark_received(matcher, chosen.host, chosen.packet);
	if (receive->packet->length > 1)
		wp_send_index_foreach_merged(&matcher->index, &receive->senders->region,
					     receive->flow, receive->packet, &chosen, mark_received,
					     matcher);
}

/*
 * Which of a segment the k-th receive of this length is: the k-th, or where more were
 * received than sent (the sender's trace began later) the k-th from the end.
 */
static gint64 count_receive(const WpReceive *receive, guint n_sends)
{
	WpHostPackets *packets = &receive->matcher->packets[receive->host];
	const guint64 key = wp_counted_key(receive->packet);
	const guint32 n = wp_intmap_get(&packets->n_counted, key);
	guint32 k = wp_intmap_get(&packets->n_seen, key);

	k = k == WP_NONE ? 0 : k;
	wp_intmap_set(&packets->n_seen, key, k + 1);
	return n > n_sends ? (gint64)k - (n - n_sends) : k;
}

/*
 * Whether a part of the sends that was indexed before holds what fits as well: then the
 * packet's send is one of several, and the earlier one stays.
 */
static gboolean is_better_known(const WpReceive *receive, WpEvidence evidence)
{
	guint8 *note = wp_matcher_note(receive->matcher, receive->host, receive->id);
	const WpEvidence known = wp_note_evidence(*note);

	if (known == WP_EVIDENCE_NONE || known == WP_EVIDENCE_LOCAL)
		return known != WP_EVIDENCE_NONE;
	if (known == WP_EVIDENCE_WEAK && evidence != WP_EVIDENCE_WEAK)
		return FALSE;
	if (known != WP_EVIDENCE_WEAK && evidence == WP_EVIDENCE_WEAK)
		return TRUE;
	*note = WP_EVIDENCE_GUESS;
	receive->receivers->open = TRUE;
	return TRUE;
}

/*
 * Whether a packet that others and its own host may have sent is of its own host: when
 * that has the address, or has just passed the same packet on (from the wire to a bridge,
 * say), rather than a copy long before.
 */
static gboolean is_local(const WpReceive *receive, const WpSendRun *run, const Segment *own)
{
	const WpMatcher *matcher = receive->matcher;
	const WpPacket *last = wp_host_packet(matcher->graph->hosts[receive->host],
					      own->sends[own->n - 1].packet);

	return run->proved || (guint64)receive->packet->time - (guint64)last->time <= HOP_MAX ||
	       wp_address_is_group_or_local(receive->flow->src) ||
	       wp_addresses_has(matcher->addresses, receive->host, receive->flow->src);
}

/* Of the sends of the chosen host in the first round. */
static void choose_first(const WpReceive *receive, const WpSendRun *run, const Segment *segment)
{
	WpEvidence evidence = WP_EVIDENCE_UNIQUE;
	gint64 which = 0;

	if (wp_packet_is_counted(receive->flow, receive->packet) && !receive->sliced)
		which = count_receive(receive, segment->n);
	if (which < 0 || which >= segment->n)
		return;
	if (segment->n > 1)
		evidence = WP_EVIDENCE_GUESS;
	else if (run->mismatch)
		evidence = WP_EVIDENCE_WEAK;
	if (is_better_known(receive, evidence))
		return;
	set_match(receive, &segment->sends[which], evidence, run, segment);
	receive->receivers->n_proved += run->proved && evidence == WP_EVIDENCE_UNIQUE;
	receive->receivers->open |= evidence == WP_EVIDENCE_GUESS;
}

/* The first round, for one received packet. */
static void match_first(const WpReceive *receive)
{
	const WpSendRun run = wp_send_index_find(&receive->matcher->index,
						 &receive->senders->region, receive->flow,
						 receive->packet);
	guint8 *note = wp_matcher_note(receive->matcher, receive->host, receive->id);
	Segment segment = {NULL, 0}, own = {NULL, 0};
	gboolean chosen;

	if (run.n == 0)
		return;
	chosen = choose_sender(receive, &run, &segment, &own);
	if (own.n)
		own.n = sent_by(receive->matcher, &own, receive->packet->time);
	else if (wp_note_evidence(*note) == WP_EVIDENCE_LOCAL)
		return;
	if (own.n && ((chosen && segment.n == 0) || is_local(receive, &run, &own))) {
		set_match(receive, &own.sends[own.n - 1], WP_EVIDENCE_LOCAL, &run, &own);
	} else if (chosen) {
		choose_first(receive, &run, &segment);
	} else {
		*note = WP_NOTE_OPEN;
		receive->receivers->open = TRUE;
	}
}

/* The last time of a host whose image is not after a time. */
static WpTime latest_before(const WpClockMap *map, WpTime time)
{
	return time == WP_TIME_MAX ? time : wp_clock_map_invert(map, time + 1) - 1;
}

/* A send that may be what a packet was received of, by the clocks. */
typedef struct {
	const WpSend *send; /* borrowed from the run */
	Segment segment;
	WpTime time; /* reference clock */
	WpTime error; /* of the two clocks against each other */
} Choice;

/* The latest send of a segment that was not sent after a receive; by the error bound if need be. */
static gboolean nearest_earlier(const WpReceive *receive, const Segment *segment,
				Choice *ret_choice)
{
	const WpGraph *graph = receive->matcher->graph;
	const guint32 s = segment->sends->host;
	const WpTime time = wp_graph_time(graph, receive->host, receive->packet->time);
	const WpTime error = wp_graph_clock_error(graph, s, receive->host, time);
	const WpClockMap *map = graph->joins[s].map;
	guint n = sent_by(receive->matcher, segment, latest_before(map, time));

	if (n == 0)
		n = sent_by(receive->matcher, segment,
			    latest_before(map, wp_clock_add(time, error)));
	if (n == 0)
		return FALSE;
	ret_choice->send = &segment->sends[n - 1];
	ret_choice->segment = *segment;
	ret_choice->time = wp_graph_time(
		graph, s, wp_host_packet(graph->hosts[s], ret_choice->send->packet)->time);
	ret_choice->error = error;
	return TRUE;
}

/* The nearest of all hosts' sends. *ret_any: some are of hosts whose clocks are known. */
static gboolean choose_nearest(const WpReceive *receive, const WpSendRun *run, Choice *ret_choice,
			       gboolean *ret_any)
{
	const WpGraph *graph = receive->matcher->graph;
	gboolean found = FALSE;

	*ret_any = FALSE;
	for (guint pos = 0; pos < run->n;) {
		const Segment segment = next_segment(run, &pos);
		Choice choice;

		if (segment.sends->host == receive->host ||
		    graph->joins[segment.sends->host].island != graph->joins[receive->host].island)
			continue;
		*ret_any = TRUE;
		if (!nearest_earlier(receive, &segment, &choice) ||
		    (found && choice.time <= ret_choice->time))
			continue;
		*ret_choice = choice;
		found = TRUE;
	}
	return found;
}

/* The second round: the nearest earlier send, now that the clocks are known. */
static void match_second(const WpReceive *receive)
{
	const WpGraph *graph = receive->matcher->graph;
	const WpSendRun run = wp_send_index_find(&receive->matcher->index,
						 &receive->senders->region, receive->flow,
						 receive->packet);
	WpMatch *match = wp_matcher_match(receive->matcher, receive->host, receive->id);
	const WpTime received = wp_graph_time(graph, receive->host, receive->packet->time);
	gboolean any, before;
	Choice choice;

	if (!choose_nearest(receive, &run, &choice, &any)) {
		/* All were sent too late: its own send is not in the trace. */
		if (any && !receive->sliced)
			match->host = match->packet = WP_NONE;
		return;
	}
	if (receive->sliced && match->host != WP_NONE &&
	    wp_graph_time(graph, match->host,
			  wp_host_packet(graph->hosts[match->host], match->packet)->time) >
		    choice.time)
		return;
	before = choice.time <= wp_clock_add(received, -choice.error);
	set_match(receive, choice.send, before ? WP_EVIDENCE_BEFORE : WP_EVIDENCE_GUESS, &run,
		  &choice.segment);
	receive->pass->n_before += before;
}

void wp_matcher_match_packet(const WpReceive *receive)
{
	if (receive->pass->second)
		match_second(receive);
	else
		match_first(receive);
}
