/* SPDX-License-Identifier: MIT */
/* report.c: counts by pair, offsets by host, and what is odd about them. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "sync/report.h"

/* Times of a host's trace at which its bound is looked at. */
#define N_SAMPLES 1001
/* Addresses that are listed; the rest is counted as one. */
#define ADDRESSES_MAX 4096u
/* Lines through the packets of a pair whose rates differ by more leave the drift unknown. */
#define DRIFT_UNKNOWN (2 * WP_DRIFT_UNKNOWN_PPM * WP_RATE_PPM)

/* What is counted, by sender and receiver: n * n. */
typedef struct {
	guint64 matched, inverted_before, inverted_after, unmatched;
} Count;

typedef struct {
	WpGraph *graph; /* borrowed */
	WpMatcher *matcher; /* borrowed */
	const WpAddresses *addresses; /* borrowed */
	const WpClocks *clocks; /* borrowed, NULL: from a file */
	Count *counts; /* owned */
	guint *places; /* owned: by host, where its clock map was asked last */
	GHashTable *not_traced; /* borrowed: the report's */
} Counter;

static Count *count_of(const Counter *counter, guint from, guint to)
{
	return &counter->counts[(gsize)from * counter->graph->n_hosts + to];
}

static gdouble to_ppm(gint64 rate)
{
	return (gdouble)rate / (gdouble)WP_RATE_PPM;
}

/* Whether by the clocks a packet came before it was sent, by more than they may be off. */
static gboolean is_inverted(const Counter *counter, guint from, WpTime sent, guint to,
			    WpTime received)
{
	const WpGraph *graph = counter->graph;
	const WpTime left = wp_clock_map_apply_near(graph->joins[from].map, sent,
						    &counter->places[from]);
	const WpTime came = wp_clock_map_apply_near(graph->joins[to].map, received,
						    &counter->places[to]);

	return graph->joins[from].island == graph->joins[to].island && came < left &&
	       (__int128)left - came > wp_graph_clock_error(graph, from, to, came);
}

static gboolean is_contradictory(const Counter *counter, guint a, guint b)
{
	const WpPair *pair = counter->clocks ? wp_clocks_pair(counter->clocks, a, b) : NULL;

	return pair && pair->quality == WP_PAIR_CONTRADICTORY;
}

/* A received packet with a send; FALSE when that can't have been it. */
static gboolean count_match(Counter *counter, guint h, WpId id, const WpMatch *match, guint8 note)
{
	const WpGraph *graph = counter->graph;
	const WpTime sent = wp_host_packet(graph->hosts[match->host], match->packet)->time;
	const WpTime received = wp_host_packet(graph->hosts[h], id)->time;
	const gboolean inverted = is_inverted(counter, match->host, sent, h, received);
	Count *count = count_of(counter, match->host, h);

	if (inverted && counter->clocks && !counter->clocks->placed && !(note & WP_NOTE_PROVED) &&
	    !is_contradictory(counter, h, match->host)) {
		wp_matcher_drop(counter->matcher, h, id);
		return FALSE;
	}
	count->matched++;
	count->inverted_before += received < sent;
	count->inverted_after += inverted;
	return TRUE;
}

static void count_receive(Counter *counter, guint h, WpId id, const WpPacket *packet, guint8 note)
{
	const WpMatch *match = &WP_AT(&counter->graph->joins[h].matches, WpMatch, id);
	const WpFlow *flow;
	guint32 sender;

	if (match->host == h ||
	    (match->host != WP_NONE && count_match(counter, h, id, match, note)))
		return;
	flow = wp_host_flow(counter->graph->hosts[h], packet->flow);
	sender = flow->version ? wp_addresses_owner(counter->addresses, flow->src) : WP_NONE;
	if (sender < counter->graph->n_hosts && sender != h)
		count_of(counter, sender, h)->unmatched++;
}

static void count_not_traced(Counter *counter, const WpFlow *flow, guint64 n)
{
	g_autofree gchar *address = NULL;
	guint64 *count;

	if (n == 0 || flow->version == 0 || wp_address_is_group_or_local(flow->dst))
		return;
	address = wp_address_to_text(flow->dst);
	count = g_hash_table_lookup(counter->not_traced, address);
	if (!count) {
		if (g_hash_table_size(counter->not_traced) >= ADDRESSES_MAX) {
			g_free(address);
			address = g_strdup("others");
			count = g_hash_table_lookup(counter->not_traced, address);
		}
		if (!count) {
			count = g_new0(guint64, 1);
			g_hash_table_insert(counter->not_traced, g_steal_pointer(&address), count);
		}
	}
	*count += n;
}

static void count_host(Counter *counter, guint h)
{
	WpHost *host = counter->graph->hosts[h];
	const WpColumn *notes = wp_matcher_get_notes(counter->matcher, h);
	g_autofree guint32 *lost = g_new0(guint32, host->flows.n + 1);
	WpPick pick;
	WpId id;

	wp_pick_init(&pick, counter->matcher, h, WP_NOTE_SEND, 0, TRUE);
	while (wp_pick_next(&pick, &id)) {
		const WpPacket *packet = wp_host_packet(host, id);

		if (packet->flow < host->flows.n)
			count_receive(counter, h, id, packet, WP_AT(notes, guint8, id));
	}
	wp_pick_init(&pick, counter->matcher, h, WP_NOTE_SEND | WP_NOTE_RECEIVED, WP_NOTE_SEND,
		     FALSE);
	while (wp_pick_next(&pick, &id)) {
		const WpPacket *packet = wp_host_packet(host, id);

		if (!(packet->flags & WP_PACKET_HOP))
			lost[packet->flow]++;
	}
	for (guint64 f = 0; f < host->flows.n; f++) {
		const guint32 peer = lost[f] ? wp_matcher_peer(counter->matcher, h, (WpId)f)
					     : WP_NONE;

		if (peer == WP_NONE)
			count_not_traced(counter, wp_host_flow(host, f), lost[f]);
		else if (peer != h)
			count_of(counter, h, peer)->unmatched += lost[f];
	}
}

static void report_pair(WpSyncReport *report, const Counter *counter, guint a, guint b)
{
	const Count *there = count_of(counter, a, b), *back = count_of(counter, b, a);
	const WpPair *pair = counter->clocks ? wp_clocks_pair(counter->clocks, a, b) : NULL;
	WpPairReport row = {.a = a,
			    .b = b,
			    .a_to_b = there->matched,
			    .b_to_a = back->matched,
			    .unmatched = there->unmatched + back->unmatched,
			    .inversions_before = there->inverted_before + back->inverted_before,
			    .inversions_after = there->inverted_after + back->inverted_after};

	if (pair) {
		row.hull_a_to_b = pair->hull_upper;
		row.hull_b_to_a = pair->hull_lower;
		row.fit_ppm = to_ppm(pair->fit.rate);
		row.bound_ppm = to_ppm(pair->bound.rate);
	}
	row.quality = is_contradictory(counter, a, b) ? WP_PAIR_CONTRADICTORY
		      : row.a_to_b && row.b_to_a      ? WP_PAIR_BOTH_WAYS
		      : row.a_to_b || row.b_to_a      ? WP_PAIR_ONE_WAY
						      : WP_PAIR_NONE;
	if (row.a_to_b || row.b_to_a || row.unmatched)
		g_array_append_val(report->pairs, row);
}

static gint compare_bounds(gconstpointer a, gconstpointer b)
{
	const WpTime x = *(const WpTime *)a, y = *(const WpTime *)b;

	return (x > y) - (x < y);
}

/* Whether a clock was stepped between two times of its host. */
static gboolean is_stepped(const GArray *cuts, WpTime begin, WpTime end)
{
	for (guint c = 0; cuts && c < cuts->len; c++) {
		const WpCut *cut = &g_array_index(cuts, WpCut, c);

		if (begin <= cut->to && end >= cut->from)
			return TRUE;
	}
	return FALSE;
}

/*
 * The mean rate of a clock map, minus one, without what steps of the clocks make of it. From one
 * step to the next the offsets at both ends are wrong by their bounds at most, and so is their
 * difference by the sum.
 */
static void report_drift(WpHostReport *row, const WpClockMap *map, const GArray *cuts)
{
	gdouble gained = 0, open = 0, past = 0;
	const WpClockKnot *knots;
	gboolean apart = TRUE; /* nothing leads up to the knot */
	guint n;

	knots = wp_clock_map_get_knots(map, &n);
	for (guint k = 1; k < n; k++) {
		const WpClockKnot *a = &knots[k - 1], *b = &knots[k];
		const gboolean stepped = is_stepped(cuts, a->host, b->host);

		if (!stepped) {
			gained += (gdouble)(b->offset - a->offset);
			past += (gdouble)(b->host - a->host);
			open += apart ? (gdouble)a->bound : 0;
		}
		if (!stepped && (k + 1 == n || is_stepped(cuts, b->host, knots[k + 1].host)))
			open += (gdouble)b->bound;
		apart = stepped;
	}
	row->drift_ppm = past > 0 ? gained * 1e6 / past : 0;
	row->drift_bound_ppm = open < past ? open * 1e6 / past : INFINITY;
}

static void report_host(WpHostReport *row, const WpGraph *graph, const WpClocks *clocks, guint h)
{
	const WpHost *host = graph->hosts[h];
	const WpClockMap *map = graph->joins[h].map;
	const WpTime middle = (WpTime)(((__int128)host->begin + host->end) / 2);
	WpTime bounds[N_SAMPLES];

	row->host = h;
	row->connected = graph->joins[h].island == graph->joins[graph->reference].island;
	row->offset = wp_clock_map_apply(map, middle) - middle;
	if (!wp_clock_map_is_identity(map))
		report_drift(row, map, clocks ? clocks->cuts[h] : NULL);
	for (guint i = 0; i < N_SAMPLES; i++) {
		const __int128 past = (__int128)host->end - host->begin;

		bounds[i] = wp_clock_map_bound(map,
					       (WpTime)(host->begin + past * i / (N_SAMPLES - 1)));
	}
	qsort(bounds, N_SAMPLES, sizeof(bounds[0]), compare_bounds);
	row->bound_min = bounds[0];
	row->bound_median = bounds[N_SAMPLES / 2];
	row->bound_max = bounds[N_SAMPLES - 1];
}

WpSyncReport *wp_sync_report_new(WpGraph *graph, WpMatcher *matcher, const WpAddresses *addresses,
				 const WpClocks *clocks)
{
	WpSyncReport *report = g_new0(WpSyncReport, 1);
	Counter counter = {
		.graph = graph, .matcher = matcher, .addresses = addresses, .clocks = clocks};

	report->reference = graph->reference;
	report->n_hosts = graph->n_hosts;
	report->hosts = g_new0(WpHostReport, graph->n_hosts);
	report->pairs = g_array_new(FALSE, TRUE, sizeof(WpPairReport));
	report->not_traced = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	counter.counts = g_new0(Count, (gsize)graph->n_hosts * graph->n_hosts);
	counter.places = g_new0(guint, graph->n_hosts);
	counter.not_traced = report->not_traced;
	for (guint h = 0; h < graph->n_hosts; h++) {
		report_host(&report->hosts[h], graph, clocks, h);
		count_host(&counter, h);
	}
	for (guint a = 0; a < graph->n_hosts; a++) {
		for (guint b = a + 1; b < graph->n_hosts; b++)
			report_pair(report, &counter, a, b);
	}
	g_free(counter.counts);
	g_free(counter.places);
	return report;
}

void wp_sync_report_free(WpSyncReport *report)
{
	if (!report)
		return;
	g_free(report->hosts);
	g_array_free(report->pairs, TRUE);
	g_hash_table_destroy(report->not_traced);
	g_free(report);
}

const gchar *wp_pair_quality_key(WpPairQuality quality)
{
	static const gchar *const keys[] = {"both-ways", "one-way", "none", "contradictory"};

	return (guint)quality < G_N_ELEMENTS(keys) ? keys[quality] : "unknown";
}

static void pair_findings(const WpPairReport *row, WpGraph *graph, const WpPair *pair)
{
	const gchar *a = graph->hosts[row->a]->name, *b = graph->hosts[row->b]->name;

	if (row->quality == WP_PAIR_CONTRADICTORY)
		wp_findings_add(graph->findings, "contradictory-pair", WP_SEVERITY_ERROR, NULL,
				WP_TIME_MIN, row->a_to_b + row->b_to_a,
				"The packets between %s and %s contradict each other, or what "
				"other hosts say of their clocks: check that both traces are of "
				"the same time.",
				a, b);
	if (row->quality == WP_PAIR_ONE_WAY)
		wp_findings_add(graph->findings, "one-way-pair", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, row->a_to_b + row->b_to_a,
				"Packets were matched from %s to %s only, so how far their clocks "
				"are apart has a limit on one side only.",
				row->a_to_b ? a : b, row->a_to_b ? b : a);
	if (row->inversions_after)
		wp_findings_add(graph->findings, "packets-inverted", WP_SEVERITY_WARNING, NULL,
				WP_TIME_MIN, row->inversions_after,
				"Packets between %s and %s arrive before they were sent, by more "
				"than the clocks may be off.",
				a, b);
	if (!pair || !pair->measured)
		return;
	if (pair->n_left_out)
		wp_findings_add(
			graph->findings, "packets-left-out", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN,
			pair->n_left_out,
			"Packets between %s and %s that contradict all others were left out "
			"of the clocks: what they were sent as is not in the trace, or a clock "
			"was set while hardly any packets passed.",
			a, b);
	if (pair->straight && pair->max - pair->min > DRIFT_UNKNOWN)
		wp_findings_add(graph->findings, "drift-unknown", WP_SEVERITY_INFO, NULL,
				WP_TIME_MIN, 1,
				"The packets between %s and %s span too little time to tell how "
				"their clocks drift, so the error bound grows away from them by "
				"%.0f us a second.",
				a, b, to_ppm(pair->bound.rate));
	if (pair->upper.coarse || pair->lower.coarse)
		wp_findings_add(graph->findings, "sync-packets-thinned", WP_SEVERITY_INFO, NULL,
				WP_TIME_MIN, pair->upper.n + pair->lower.n,
				"There are more packets between %s and %s than the clocks were "
				"found from, so the error bound is wider than it could be.",
				a, b);
}

/* The steps that a cut was made from: how many, and in how many of them a host takes part. */
typedef struct {
	guint n; /* pairs that were stepped */
	guint *of_host; /* owned: by host */
} CutSteps;

static gboolean is_same_cut(const WpClocks *clocks, const WpStep *x, const WpStep *y)
{
	return x->cut == y->cut && clocks->island[x->a] == clocks->island[y->a];
}

/* The steps of one pair within one cut are one: a clock that was set back shows times twice. */
static const WpStep *first_of_pair(const WpClocks *clocks, const WpStep *step, gint64 *ret_jump)
{
	const WpStep *first = NULL;

	*ret_jump = 0;
	for (guint s = 0; s < clocks->steps->len; s++) {
		const WpStep *other = &g_array_index(clocks->steps, WpStep, s);

		if (other->a != step->a || other->b != step->b || !is_same_cut(clocks, other, step))
			continue;
		first = first ? first : other;
		*ret_jump += other->jump;
	}
	return first;
}

static CutSteps count_steps(const WpClocks *clocks, const WpStep *of)
{
	CutSteps count = {.of_host = g_new0(guint, clocks->n)};

	for (guint s = 0; s < clocks->steps->len; s++) {
		const WpStep *step = &g_array_index(clocks->steps, WpStep, s);
		gint64 jump;

		if (!is_same_cut(clocks, step, of) || first_of_pair(clocks, step, &jump) != step)
			continue;
		count.n++;
		count.of_host[step->a]++;
		count.of_host[step->b]++;
	}
	return count;
}

/*
 * Of a cut: whose clock was stepped, if all pairs that show it have one host in common; of a
 * single pair it may be either's.
 */
static void cut_finding(const WpClocks *clocks, const WpStep *step, const CutSteps *count,
			WpGraph *graph)
{
	const gboolean is_a = count->of_host[step->a] == count->n;
	const guint host = is_a && count->n > 1 ? step->a : step->b;
	const guint other = host == step->a ? step->b : step->a;
	const WpCut *cut = &g_array_index(clocks->cuts[host], WpCut, step->cut);
	const gboolean is_known = count->n > 1 && count->of_host[host] == count->n;
	gint64 jump;

	first_of_pair(clocks, step, &jump);
	if (host == step->a)
		jump = -jump;
	wp_findings_add(
		graph->findings, "clock-stepped", WP_SEVERITY_WARNING, graph->hosts[host]->name,
		cut->from, 1,
		"The clock of %s %s %.3f ms against that of %s within %.3f ms: %s was set, or "
		"stood still with its machine; how times within relate is known to that only.",
		graph->hosts[host]->name, jump < 0 ? "lost" : "gained", (gdouble)ABS(jump) / 1e6,
		graph->hosts[other]->name, (gdouble)(cut->to - cut->from) / 1e6,
		is_known ? "it" : "one of the two");
}

/* No step before it in the list is of the same cut. */
static gboolean is_first_of_cut(const WpClocks *clocks, guint s)
{
	const WpStep *step = &g_array_index(clocks->steps, WpStep, s);

	for (guint i = 0; i < s; i++)
		if (is_same_cut(clocks, &g_array_index(clocks->steps, WpStep, i), step))
			return FALSE;
	return TRUE;
}

static void cut_findings(const WpClocks *clocks, WpGraph *graph)
{
	for (guint s = 0; s < clocks->steps->len; s++) {
		const WpStep *step = &g_array_index(clocks->steps, WpStep, s);
		CutSteps count;

		if (!is_first_of_cut(clocks, s))
			continue;
		count = count_steps(clocks, step);
		cut_finding(clocks, step, &count, graph);
		g_free(count.of_host);
	}
}

void wp_sync_report_findings(const WpSyncReport *report, WpGraph *graph, const WpClocks *clocks)
{
	for (guint i = 0; i < report->pairs->len; i++) {
		const WpPairReport *row = &g_array_index(report->pairs, WpPairReport, i);

		pair_findings(row, graph, clocks ? wp_clocks_pair(clocks, row->a, row->b) : NULL);
	}
	if (clocks)
		cut_findings(clocks, graph);
	for (guint h = 0; h < report->n_hosts; h++) {
		const gchar *name = graph->hosts[h]->name;

		if (report->hosts[h].connected)
			continue;
		wp_findings_add(graph->findings, "hosts-not-joined", WP_SEVERITY_WARNING, name,
				WP_TIME_MIN, 1,
				"No packets join host %s to %s: its times are not on the same "
				"clock; record both with net_dev_queue and net_if_receive_skb, or "
				"give --offset %s=NANOSECONDS.",
				name, graph->hosts[report->reference]->name, name);
	}
}
