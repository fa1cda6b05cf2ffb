/* SPDX-License-Identifier: MIT */
/* match.c: flows of all hosts in groups, and the passes over their packets. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "sync/match-private.h"

/*
 * Entries that are indexed at a time: at least so many, and all in at most so many parts. Each part
 * goes through all packets once more; a quarter of the sends takes an eighth of what all packets do.
 */
#define SLICE_MIN (1u << 22)
#define PARTS_MAX 4u
/* Packets between two looks at the cancellable. */
#define POLL_EVERY 65536u

static gboolean is_cancelled(WpCancel *cancellable, GError **error)
{
	if (!wp_cancel_is_cancelled(cancellable))
		return FALSE;
	g_set_error(error, WP_ERROR, WP_ERROR_CANCELLED, "The matching of packets was cancelled.");
	return TRUE;
}

/* matches and notes as they are before anything is matched */
static gboolean fill_columns(WpMatcher *matcher, guint h, GError **error)
{
	const WpColumn *packets = &matcher->graph->hosts[h]->packets;
	WpColumn *matches = &matcher->graph->joins[h].matches;
	WpColumn *notes = &matcher->packets[h].notes;

	wp_column_clear(matches);
	wp_column_init(matches, sizeof(WpMatch), packets->memory);
	wp_column_init(notes, sizeof(guint8), packets->memory);
	/* All bytes of WP_NONE are 0xff, and the note of nothing is 0. */
	return wp_column_push_filled(matches, packets->n, 0xff, error) &&
	       wp_column_push_filled(notes, packets->n, WP_EVIDENCE_NONE, error);
}

static gboolean allocate_flows(WpHostPackets *packets, const WpHost *host, GError **error)
{
	const guint64 n = host->flows.n + 1;

	packets->n_sends = g_try_new0(guint32, n);
	packets->n_ranges = g_try_new0(guint32, n);
	packets->n_keys = g_try_new0(guint32, n);
	packets->n_receives = g_try_new0(guint32, n);
	packets->group = g_try_new0(guint32, n);
	if (packets->n_sends && packets->n_ranges && packets->n_keys && packets->n_receives &&
	    packets->group)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
		    "There is no memory left for the %" G_GUINT64_FORMAT
		    " flows of host %s; give fewer traces.",
		    n - 1, host->name);
	return FALSE;
}

static void count_packets(WpMatcher *matcher, guint h)
{
	WpHost *host = matcher->graph->hosts[h];
	WpHostPackets *packets = &matcher->packets[h];

	for (guint64 i = 0; i < host->packets.n; i++) {
		const WpPacket *packet = wp_host_packet(host, i);
		guint32 n_ranges, n_keys, n;
		const WpFlow *flow;
		guint64 key;

		if (packet->flow >= host->flows.n)
			continue;
		flow = wp_host_flow(host, packet->flow);
		if (packet->flags & WP_PACKET_SEND) {
			*wp_matcher_note(matcher, h, (WpId)i) = WP_NOTE_SEND;
			packets->n_sends[packet->flow]++;
			wp_send_index_count(flow, packet, &n_ranges, &n_keys);
			packets->n_ranges[packet->flow] += n_ranges;
			packets->n_keys[packet->flow] += n_keys;
			continue;
		}
		packets->n_receives[packet->flow]++;
		if (!wp_packet_is_counted(flow, packet))
			continue;
		key = wp_counted_key(packet);
		n = wp_intmap_get(&packets->n_counted, key);
		wp_intmap_set(&packets->n_counted, key, n == WP_NONE ? 1 : n + 1);
	}
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
	guint64 n_entries = 0;

	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		const WpHost *host = matcher->graph->hosts[h];

		for (guint64 f = 0; f < host->flows.n; f++) {
			WpFlowMember member = {.host = h, .flow = (WpId)f};

			if (matcher->packets[h].n_sends[f] + matcher->packets[h].n_receives[f] == 0)
				continue;
			member.hash = hash_flow(wp_host_flow(host, f));
			g_array_append_val(matcher->members, member);
		}
	}
	g_array_sort_with_data(matcher->members, compare_members, matcher);
	for (guint i = 0; i < matcher->members->len; i++) {
		const WpFlowMember *member = &g_array_index(matcher->members, WpFlowMember, i);
		WpHostPackets *packets = &matcher->packets[member->host];
		const WpHost *host = matcher->graph->hosts[member->host];
		WpFlowGroup *group;

		if (i == 0 || member[-1].hash != member->hash ||
		    compare_flow_keys(matcher, member - 1, member) != 0) {
			const WpFlowGroup new = {
				.first = i,
				.receiver = WP_NONE,
				.src_owner = wp_addresses_owner(
					matcher->addresses, wp_host_flow(host, member->flow)->src),
			};

			g_array_append_val(matcher->groups, new);
		}
		group = wp_matcher_group(matcher, matcher->groups->len - 1);
		group->n++;
		group->n_receives += packets->n_receives[member->flow];
		group->n_ranges += packets->n_ranges[member->flow];
		group->n_keys += packets->n_keys[member->flow];
		n_entries += packets->n_ranges[member->flow] + packets->n_keys[member->flow];
		packets->group[member->flow] = matcher->groups->len - 1;
	}
	if (matcher->slice == 0)
		matcher->slice = (guint32)MAX(SLICE_MIN, n_entries / PARTS_MAX);
}

WpMatcher *wp_matcher_new(WpGraph *graph, const WpAddresses *addresses, guint32 slice)
{
	WpMatcher *matcher = g_new0(WpMatcher, 1);

	matcher->graph = graph;
	matcher->addresses = addresses;
	matcher->slice = slice;
	matcher->packets = g_new0(WpHostPackets, graph->n_hosts);
	matcher->members = g_array_new(FALSE, FALSE, sizeof(WpFlowMember));
	matcher->groups = g_array_new(FALSE, FALSE, sizeof(WpFlowGroup));
	matcher->aliases = g_array_new(FALSE, FALSE, sizeof(WpFlowAlias));
	wp_send_index_init(&matcher->index);
	return matcher;
}

void wp_matcher_free(WpMatcher *matcher)
{
	if (!matcher)
		return;
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		WpHostPackets *packets = &matcher->packets[h];

		wp_column_clear(&packets->notes);
		wp_intmap_clear(&packets->n_counted);
		wp_intmap_clear(&packets->n_seen);
		g_free(packets->n_sends);
		g_free(packets->n_ranges);
		g_free(packets->n_keys);
		g_free(packets->n_receives);
		g_free(packets->group);
	}
	wp_send_index_clear(&matcher->index);
	g_array_free(matcher->members, TRUE);
	g_array_free(matcher->groups, TRUE);
	g_array_free(matcher->aliases, TRUE);
	g_free(matcher->packets);
	g_free(matcher);
}

/* Whether the sends of a group are needed in a pass. */
static gboolean is_wanted(const WpFlowGroup *group, const WpMatchPass *pass)
{
	if (group->n_ranges + group->n_keys == 0)
		return FALSE;
	if (pass->aliases)
		return group->aliased;
	return group->n_receives > 0 && (group->open || !pass->second);
}

/*
 * The groups from one on whose sends fit into a part of the index together are its batch; a
 * group that is larger has parts of its own. The group behind the last one is returned.
 */
static guint32 plan_batch(WpMatcher *matcher, guint32 from, const WpMatchPass *pass,
			  guint32 *ret_n_ranges, guint32 *ret_n_keys)
{
	guint32 g = from;

	matcher->batch++;
	*ret_n_ranges = *ret_n_keys = 0;
	for (; g < matcher->groups->len; g++) {
		WpFlowGroup *group = wp_matcher_group(matcher, g);
		const guint64 n = (guint64)group->n_ranges + group->n_keys;

		if (!is_wanted(group, pass))
			continue;
		if (n + *ret_n_ranges + *ret_n_keys > matcher->slice &&
		    *ret_n_ranges + *ret_n_keys > 0)
			break;
		group->batch = matcher->batch;
		group->region = (WpSendRegion){.first_range = *ret_n_ranges,
					       .first_key = *ret_n_keys};
		*ret_n_ranges += group->n_ranges;
		*ret_n_keys += group->n_keys;
		if (n > matcher->slice)
			return g + 1;
	}
	return g;
}

/* Puts the sends of the batch into the index: of a large group those from an entry on. */
static void fill_index(WpMatcher *matcher, guint64 skip)
{
	guint64 n = 0;

	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		WpHost *host = matcher->graph->hosts[h];
		WpPick pick;
		WpId id;

		wp_pick_init(&pick, matcher, h, WP_NOTE_SEND, WP_NOTE_SEND, FALSE);
		while (wp_pick_next(&pick, &id)) {
			const WpPacket *packet = wp_host_packet(host, id);
			WpFlowGroup *group;

			group = wp_matcher_group(matcher, matcher->packets[h].group[packet->flow]);
			if (group->batch != matcher->batch)
				continue;
			n++;
			if (n <= skip || n > skip + matcher->slice)
				continue;
			wp_send_index_add(&matcher->index, &group->region, h, id,
					  wp_host_flow(host, packet->flow), packet);
		}
	}
	for (guint32 g = 0; g < matcher->groups->len; g++) {
		WpFlowGroup *group = wp_matcher_group(matcher, g);

		if (group->batch == matcher->batch)
			wp_send_index_sort(&matcher->index, &group->region);
	}
}

/* Whether a receive is to be looked up in a pass. */
static gboolean is_due(const WpMatchPass *pass, guint8 note)
{
	const WpEvidence evidence = wp_note_evidence(note);

	if (pass->second)
		return evidence == WP_EVIDENCE_GUESS || evidence == WP_EVIDENCE_BEFORE ||
		       (note & WP_NOTE_OPEN) != 0;
	return !pass->aliases || evidence == WP_EVIDENCE_NONE;
}

/* Looks a packet up in its own flow, or in all flows that are translated to it. */
static void match_receive(WpReceive *receive, guint32 group)
{
	WpMatcher *matcher = receive->matcher;
	guint low = 0, high = matcher->aliases->len;

	if (!receive->pass->aliases) {
		receive->senders = wp_matcher_group(matcher, group);
		if (receive->senders->batch == matcher->batch)
			wp_matcher_match_packet(receive);
		return;
	}
	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(matcher->aliases, WpFlowAlias, middle).receivers < group)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < matcher->aliases->len; low++) {
		const WpFlowAlias *alias = &g_array_index(matcher->aliases, WpFlowAlias, low);

		if (alias->receivers != group)
			return;
		receive->senders = wp_matcher_group(matcher, alias->senders);
		if (receive->senders->batch == matcher->batch)
			wp_matcher_match_packet(receive);
	}
}

/* Matches what was received against the sends that are in the index. */
static gboolean match_receives(WpMatcher *matcher, WpMatchPass *pass, gboolean sliced,
			       GError **error)
{
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		WpHost *host = matcher->graph->hosts[h];
		guint64 n = 0;
		WpPick pick;
		WpId id;

		wp_pick_init(&pick, matcher, h, WP_NOTE_SEND, 0, FALSE);
		while (wp_pick_next(&pick, &id)) {
			const WpPacket *packet;
			guint32 group;

			if (n++ % POLL_EVERY == 0 && is_cancelled(pass->cancellable, error))
				return FALSE;
			if (!is_due(pass, *wp_matcher_note(matcher, h, id)))
				continue;
			packet = wp_host_packet(host, id);
			if (packet->flow >= host->flows.n)
				continue;
			group = matcher->packets[h].group[packet->flow];
			match_receive(&(WpReceive){.matcher = matcher,
						   .pass = pass,
						   .receivers = wp_matcher_group(matcher, group),
						   .sliced = sliced,
						   .host = h,
						   .id = id,
						   .flow = wp_host_flow(host, packet->flow),
						   .packet = packet},
				      group);
		}
	}
	return TRUE;
}

/* The packets of a batch, in as many parts as its sends take. */
static gboolean match_batch(WpMatcher *matcher, WpMatchPass *pass, guint32 n_ranges, guint32 n_keys,
			    GError **error)
{
	const guint64 n = (guint64)n_ranges + n_keys;
	const gboolean sliced = n > matcher->slice;

	/* A packet whose numbers run over takes two entries, so a part may be a bit larger. */
	if (!wp_send_index_reserve(&matcher->index,
				   sliced ? MIN(n_ranges, 2 * matcher->slice) : n_ranges,
				   sliced ? MIN(n_keys, matcher->slice) : n_keys,
				   wp_graph_memory(matcher->graph), error))
		return FALSE;
	for (guint64 skip = 0; skip < n; skip += matcher->slice) {
		for (guint32 g = 0; skip > 0 && g < matcher->groups->len; g++) {
			WpFlowGroup *group = wp_matcher_group(matcher, g);

			if (group->batch == matcher->batch)
				group->region = (WpSendRegion){0};
		}
		fill_index(matcher, skip);
		if (!match_receives(matcher, pass, sliced, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean run_pass(WpMatcher *matcher, WpMatchPass *pass, GError **error)
{
	guint32 g = 0;

	while (g < matcher->groups->len) {
		guint32 n_ranges, n_keys;

		g = plan_batch(matcher, g, pass, &n_ranges, &n_keys);
		if (n_ranges + n_keys > 0 && !match_batch(matcher, pass, n_ranges, n_keys, error))
			return FALSE;
	}
	return TRUE;
}

/*
 * Where ids were seen to arrive as they were sent, a match whose id differs is none: it
 * is of a send that the trace does not hold.
 */
static void drop_weak(WpMatcher *matcher)
{
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		WpHost *host = matcher->graph->hosts[h];
		WpPick pick;
		WpId id;

		wp_pick_init(&pick, matcher, h, WP_NOTE_EVIDENCE, WP_EVIDENCE_WEAK, FALSE);
		while (wp_pick_next(&pick, &id)) {
			const WpFlowGroup *group = wp_matcher_group(
				matcher, matcher->packets[h].group[wp_host_packet(host, id)->flow]);

			if (group->n_proved > 0)
				wp_matcher_drop(matcher, h, id);
		}
	}
}

static gboolean prepare(WpMatcher *matcher, WpCancel *cancellable, GError **error)
{
	for (guint h = 0; h < matcher->graph->n_hosts; h++) {
		if (is_cancelled(cancellable, error) || !fill_columns(matcher, h, error) ||
		    !allocate_flows(&matcher->packets[h], matcher->graph->hosts[h], error))
			return FALSE;
		count_packets(matcher, h);
	}
	group_flows(matcher);
	return TRUE;
}

gboolean wp_matcher_run(WpMatcher *matcher, WpCancel *cancellable, GError **error)
{
	WpMatchPass pass = {.cancellable = cancellable};

	if (!prepare(matcher, cancellable, error) || !run_pass(matcher, &pass, error))
		return FALSE;
	drop_weak(matcher);
	wp_matcher_find_aliases(matcher);
	pass.aliases = TRUE;
	return matcher->aliases->len == 0 || run_pass(matcher, &pass, error);
}

gboolean wp_matcher_resolve(WpMatcher *matcher, gboolean final, guint64 *ret_n,
			    WpCancel *cancellable, GError **error)
{
	WpMatchPass pass = {.second = TRUE, .final = final, .cancellable = cancellable};

	if (!run_pass(matcher, &pass, error))
		return FALSE;
	pass.aliases = TRUE;
	if (matcher->aliases->len > 0 && !run_pass(matcher, &pass, error))
		return FALSE;
	*ret_n = pass.n_before;
	return TRUE;
}

const WpColumn *wp_matcher_get_notes(const WpMatcher *matcher, guint host)
{
	return &matcher->packets[host].notes;
}

void wp_pick_init(WpPick *pick, const WpMatcher *matcher, guint host, guint8 mask, guint8 value,
		  gboolean ahead)
{
	*pick = (WpPick){
		.matcher = matcher,
		.host = host,
		.mask = mask,
		.value = value,
		.ahead = ahead,
		.end = matcher->packets[host].notes.n,
	};
}

/* Which of n notes, 64 at most, are this value under the mask: a bit each. */
static guint64 find_wanted(const guint8 *notes, guint n, guint8 mask, guint8 value)
{
	const guint64 ones = G_GUINT64_CONSTANT(0x0101010101010101), low = 0x7f * ones;
	guint64 wanted = 0;
	guint k = 0;

	for (; k + 8 <= n; k += 8) {
		guint64 eight;

		memcpy(&eight, notes + k, sizeof(eight));
		eight = (GUINT64_FROM_LE(eight) & mask * ones) ^ value * ones;
		/* The top bit of each byte that is 0: no sum leaves its byte. */
		eight = ~(((eight & low) + low) | eight | low);
		/* Byte j's bit comes to 56 + j, and no two products to the same place. */
		wanted |= ((eight >> 7) * G_GUINT64_CONSTANT(0x0102040810204080) >> 56) << k;
	}
	for (; k < n; k++)
		wanted |= (guint64)((notes[k] & mask) == value) << k;
	return wanted;
}

static void ask_for_sends(const WpPick *pick)
{
	const WpGraph *graph = pick->matcher->graph;
	const WpMatch *matches = wp_matcher_match(pick->matcher, pick->host, pick->first);

	for (guint64 left = pick->wanted; left; left &= left - 1) {
		const WpMatch *match = &matches[__builtin_ctzll(left)];

		if (match->host != WP_NONE)
			__builtin_prefetch(
				wp_host_packet(graph->hosts[match->host], match->packet));
	}
}

gboolean wp_pick_block(WpPick *pick)
{
	while (!pick->wanted && pick->next < pick->end) {
		pick->first = (WpId)pick->next;
		pick->wanted = find_wanted(wp_matcher_note(pick->matcher, pick->host, pick->first),
					   (guint)MIN(pick->end - pick->next, WP_PICK_BLOCK),
					   pick->mask, pick->value);
		pick->next += WP_PICK_BLOCK;
	}
	if (pick->ahead && pick->wanted)
		ask_for_sends(pick);
	return pick->wanted != 0;
}

void wp_matcher_drop(WpMatcher *matcher, guint host, WpId packet)
{
	WpMatch *match = wp_matcher_match(matcher, host, packet);

	match->host = match->packet = WP_NONE;
	*wp_matcher_note(matcher, host, packet) = WP_EVIDENCE_NONE;
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
