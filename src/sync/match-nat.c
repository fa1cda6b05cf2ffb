/* SPDX-License-Identifier: MIT */
/*
 * match-nat.c: flows whose addresses are translated between the hosts.
 *
 * The sequence and acknowledgement numbers of TCP stay. A packet that no flow's key
 * matches, but whose two numbers and last byte only one unreceived send and no other
 * receive have, shows which flow arrives as which; from then on the two are matched by
 * bytes, as any flow.
 */
#include "config.h"

#include <stdlib.h>

#include "sync/match-private.h"

/* More than this many unmatched packets a side are not looked at. */
#define CANDIDATES_MAX (1u << 23)

typedef struct {
	guint64 key; /* mixed of what must agree */
	guint32 host;
	WpId packet;
} Candidate;

/* The finaliser of splitmix64. */
static guint64 mix(guint64 x)
{
	x = (x ^ x >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const Candidate *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Both numbers must say something: those of a first SYN or of some resets don't. */
static gboolean is_candidate(WpHost *host, const WpPacket *packet)
{
	const WpFlow *flow;

	if (packet->flow >= host->flows.n || packet->seq == 0 || packet->ack == 0)
		return FALSE;
	flow = wp_host_flow(host, packet->flow);
	return flow->protocol == WP_PROTOCOL_TCP && flow->version != 0;
}

/* What a host sent that nobody received, or what it received that nobody sent. */
static void collect(const WpMatcher *matcher, guint h, gboolean sends, GArray *side)
{
	/* What notes say of those that are wanted. */
	const guint8 asked = WP_NOTE_SEND | WP_NOTE_RECEIVED | WP_NOTE_EVIDENCE;
	const guint8 wanted = sends ? WP_NOTE_SEND : WP_EVIDENCE_NONE;
	WpHost *host = matcher->graph->hosts[h];
	WpPick pick;
	WpId id;

	wp_pick_init(&pick, matcher, h, asked, wanted, FALSE);
	while (side->len < CANDIDATES_MAX && wp_pick_next(&pick, &id)) {
		const WpPacket *packet = wp_host_packet(host, id);
		Candidate candidate = {.host = h, .packet = id};

		if (!is_candidate(host, packet))
			continue;
		candidate.key = mix(mix((guint64)packet->seq << 32 | packet->ack) + packet->length);
		g_array_append_val(side, candidate);
	}
}

static guint run_end(const GArray *side, guint i)
{
	const guint64 key = g_array_index(side, Candidate, i).key;

	while (i < side->len && g_array_index(side, Candidate, i).key == key)
		i++;
	return i;
}

/* One send and one receive with the same mixed key: are they the same packet? */
static gboolean agree(const WpMatcher *matcher, const Candidate *s, const Candidate *r)
{
	const WpPacket *send = wp_host_packet(matcher->graph->hosts[s->host], s->packet);
	const WpPacket *receive = wp_host_packet(matcher->graph->hosts[r->host], r->packet);

	if (wp_packet_has_id(send) && wp_packet_has_id(receive) && send->ip_id != receive->ip_id)
		return FALSE;
	return s->host != r->host && send->seq == receive->seq && send->ack == receive->ack &&
	       send->length == receive->length;
}

static void add_alias(WpMatcher *matcher, const Candidate *s, const Candidate *r)
{
	const WpPacket *send = wp_host_packet(matcher->graph->hosts[s->host], s->packet);
	const WpPacket *receive = wp_host_packet(matcher->graph->hosts[r->host], r->packet);
	WpFlowAlias alias = {matcher->packets[s->host].group[send->flow],
			     matcher->packets[r->host].group[receive->flow]};

	if (alias.senders != alias.receivers)
		g_array_append_val(matcher->aliases, alias);
}

static gint compare_aliases(gconstpointer a, gconstpointer b)
{
	const WpFlowAlias *x = a, *y = b;

	if (x->receivers != y->receivers)
		return x->receivers < y->receivers ? -1 : 1;
	return x->senders < y->senders ? -1 : x->senders > y->senders;
}

static void remove_double_aliases(GArray *aliases)
{
	guint n = 0;

	g_array_sort(aliases, compare_aliases);
	for (guint i = 0; i < aliases->len; i++) {
		const WpFlowAlias alias = g_array_index(aliases, WpFlowAlias, i);

		if (n == 0 ||
		    compare_aliases(&alias, &g_array_index(aliases, WpFlowAlias, n - 1)) != 0)
			g_array_index(aliases, WpFlowAlias, n++) = alias;
	}
	g_array_set_size(aliases, n);
}

void wp_matcher_find_aliases(WpMatcher *matcher)
{
	g_autoptr(GArray) sends = g_array_new(FALSE, FALSE, sizeof(Candidate));
	g_autoptr(GArray) receives = g_array_new(FALSE, FALSE, sizeof(Candidate));
	guint s = 0, r = 0;

	if (matcher->graph->n_hosts < 2)
		return;
	for (guint h = 0; h < matcher->graph->n_hosts; h++)
		collect(matcher, h, FALSE, receives);
	for (guint h = 0; receives->len > 0 && h < matcher->graph->n_hosts; h++)
		collect(matcher, h, TRUE, sends);
	g_array_sort(sends, compare_candidates);
	g_array_sort(receives, compare_candidates);
	while (s < sends->len && r < receives->len) {
		const Candidate *send = &g_array_index(sends, Candidate, s);
		const Candidate *receive = &g_array_index(receives, Candidate, r);
		const guint s_end = run_end(sends, s), r_end = run_end(receives, r);

		if (send->key == receive->key && s_end - s == 1 && r_end - r == 1 &&
		    agree(matcher, send, receive))
			add_alias(matcher, send, receive);
		if (send->key <= receive->key)
			s = s_end;
		if (receive->key <= send->key)
			r = r_end;
	}
	remove_double_aliases(matcher->aliases);
	for (guint i = 0; i < matcher->aliases->len; i++)
		wp_matcher_group(matcher, g_array_index(matcher->aliases, WpFlowAlias, i).senders)
			->aliased = TRUE;
}
