/* SPDX-License-Identifier: MIT */
/*
 * describe.c: names for what lies in the graph as indexes. A cause is looked up in
 * up to three places: the cause's own row, the packet behind it with the send that
 * it matches, and, for a wait for a CPU, the segments of that CPU.
 */
#include "config.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/intmap.h"
#include "export/describe.h"
#include "export/units.h"
#include "path/edge.h"

/* Sends that led to one another: an acknowledgement released data, and so on. */
#define PARENTS_MAX 64

static WpTime to_host_time(const WpGraph *graph, guint32 host, WpTime time)
{
	if (time == WP_TIME_MAX || time == WP_TIME_MIN)
		return time;
	return wp_clock_map_invert(graph->joins[host].map, time);
}

void wp_actor_init(WpActor *actor, const WpGraph *graph, guint32 host, WpId task, WpTime time)
{
	*actor = (WpActor){.host = WP_NONE, .task = WP_NONE, .tid = -1, .pid = -1};
	if (host >= graph->n_hosts)
		return;

	const WpHost *h = graph->hosts[host];

	actor->host = host;
	actor->host_name = h->name;
	if (task >= h->tasks.n)
		return;

	const WpTask *t = wp_host_task(h, task);

	actor->task = task;
	actor->tid = t->tid;
	actor->pid = t->pid;
	actor->comm = time == WP_TIME_MAX
			      ? wp_strings_get(h->strings, t->comm)
			      : wp_host_task_comm(h, task, to_host_time(graph, host, time));
}

gchar *wp_actor_dup_text(const WpActor *actor, const WpGraph *graph)
{
	const gchar *comm = actor->comm && *actor->comm ? actor->comm : "a nameless task";

	if (actor->task == WP_NONE)
		return g_strdup_printf("host %s", actor->host_name);
	if (graph->n_hosts > 1)
		return g_strdup_printf("%s@%s", comm, actor->host_name);
	return g_strdup(comm);
}

guint32 wp_segment_cpu(const WpGraph *graph, const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];

	if (segment->state != WP_STATE_RUNNING && segment->state != WP_STATE_IRQ &&
	    segment->state != WP_STATE_SOFTIRQ)
		return WP_NONE;
	return segment->cpu < host->cpus.n ? wp_host_cpu(host, segment->cpu) : WP_NONE;
}

/* ---- flows ---- */

/* "10.0.0.2:5200", "[fd00::2]:5200", or the address alone for what has no ports. */
static void address_text(const guint8 address[16], guint8 version, gint port, gchar *buffer,
			 gsize size)
{
	gchar text[INET6_ADDRSTRLEN] = "?";
	gboolean v6 = version == 6;

	inet_ntop(v6 ? AF_INET6 : AF_INET, v6 ? address : address + 12, text, sizeof(text));
	if (port >= 0)
		g_snprintf(buffer, size, v6 ? "[%s]:%d" : "%s:%d", text, port);
	else
		g_snprintf(buffer, size, v6 ? "[%s]" : "%s", text);
}

static const gchar *protocol_name(guint8 protocol, gchar number[16])
{
	switch (protocol) {
	case 1:
		return "icmp";
	case 6:
		return "tcp";
	case 17:
		return "udp";
	case 58:
		return "icmp6";
	default:
		g_snprintf(number, 16, "protocol %u", protocol);
		return number;
	}
}

static gboolean has_ports(const WpFlow *flow)
{
	return flow->protocol == 6 || flow->protocol == 17;
}

void wp_flow_text(const WpFlow *flow, gchar *buffer, gsize size)
{
	gchar number[16], src[64], dst[64];
	const gchar *protocol = protocol_name(flow->protocol, number);

	if (flow->version == 0) {
		/* A socket of a trace without packet headers: its kernel address is all there is. */
		g_snprintf(buffer, size, "%s socket 0x%" G_GINT64_MODIFIER "x", protocol, flow->sk);
		return;
	}
	address_text(flow->src, flow->version, has_ports(flow) ? flow->sport : -1, src,
		     sizeof(src));
	address_text(flow->dst, flow->version, has_ports(flow) ? flow->dport : -1, dst,
		     sizeof(dst));
	g_snprintf(buffer, size, "%s %s > %s", protocol, src, dst);
}

/* The traced host that has this address on one of its interfaces, or WP_NONE. */
static guint32 host_of_address(const WpGraph *graph, const guint8 address[16])
{
	for (guint h = 0; h < graph->n_hosts; h++)
		for (guint64 i = 0; i < graph->hosts[h]->addresses.n; i++)
			if (!memcmp(wp_column_at(&graph->hosts[h]->addresses, i, 16), address, 16))
				return h;
	return WP_NONE;
}

/* ---- causes ---- */

static const WpCauseInfo nothing = {
	.kind = WP_CAUSE_NONE,
	.number = -1,
	.cpu = WP_NONE,
	.from = {.host = WP_NONE, .task = WP_NONE, .tid = -1, .pid = -1},
};

void wp_cause_info_init(WpCauseInfo *info)
{
	*info = nothing;
	info->preemptors = g_array_new(FALSE, FALSE, sizeof(WpPreemptor));
}

void wp_cause_info_clear(WpCauseInfo *info)
{
	g_clear_pointer(&info->preemptors, g_array_unref);
}

static void reset(WpCauseInfo *info)
{
	GArray *preemptors = info->preemptors;

	g_array_set_size(preemptors, 0);
	*info = nothing;
	info->preemptors = preemptors;
}

static const gchar *name_or_null(const WpHost *host, WpId string)
{
	const gchar *text = wp_strings_get(host->strings, string);

	return *text ? text : NULL;
}

static void from_vertex(WpCauseInfo *info, const WpGraph *graph, guint32 host, WpId vertex)
{
	const WpHost *h = graph->hosts[host];

	if (vertex >= h->vertices.n)
		return;

	const WpVertex *v = wp_host_vertex(h, vertex);

	wp_actor_init(&info->from, graph, host, v->task,
		      wp_graph_time(graph, host, wp_host_time_of(h, v, vertex)));
}

/* Who sent a packet: its own sender, or that of the send which led to it. */
static void from_send(WpCauseInfo *info, const WpGraph *graph, guint32 host, WpId packet)
{
	const WpHost *h = graph->hosts[host];

	wp_actor_init(&info->from, graph, host, WP_NONE, WP_TIME_MAX);
	for (guint i = 0; i < PARENTS_MAX && packet < h->packets.n; i++) {
		const WpPacket *p = wp_host_packet(h, packet);

		if (!(p->flags & WP_PACKET_SEND))
			return;
		if (p->vertex != WP_NONE) {
			from_vertex(info, graph, host, p->vertex);
			return;
		}
		packet = p->parent;
	}
}

static void fill_packet(WpCauseInfo *info, const WpGraph *graph, guint32 host, WpId packet)
{
	const WpHost *h = graph->hosts[host];
	const WpHostJoin *join = &graph->joins[host];

	if (packet >= h->packets.n)
		return;

	const WpPacket *p = wp_host_packet(h, packet);
	const WpFlow *flow = wp_host_flow(h, p->flow);
	WpMatch match = {WP_NONE, WP_NONE};

	if (packet < join->matches.n)
		match = WP_AT(&join->matches, WpMatch, packet);
	wp_flow_text(flow, info->flow, sizeof(info->flow));
	info->bytes = p->length;
	if (match.host < graph->n_hosts && match.packet != WP_NONE) {
		from_send(info, graph, match.host, match.packet);
		return;
	}
	if (flow->version == 0)
		return;

	guint32 sender = host_of_address(graph, flow->src);

	if (sender != WP_NONE)
		wp_actor_init(&info->from, graph, sender, WP_NONE, WP_TIME_MAX);
	else
		address_text(flow->src, flow->version, has_ports(flow) ? flow->sport : -1,
			     info->peer, sizeof(info->peer));
}

static void fill_from_cause(WpCauseInfo *info, const WpGraph *graph, guint32 host,
			    const WpCause *cause)
{
	const WpHost *h = graph->hosts[host];
	const WpCauseDetail *detail = wp_host_cause_detail(h, cause);
	const gchar *name = name_or_null(h, detail->name);

	info->kind = (WpCauseKind)cause->kind;
	info->syscall = name_or_null(h, detail->syscall);
	info->space = (cause->flags & WP_CAUSE_FLAG_SPACE) != 0;
	switch (info->kind) {
	case WP_CAUSE_TASK:
	case WP_CAUSE_FORK:
		from_vertex(info, graph, host, cause->source);
		break;
	case WP_CAUSE_PACKET:
		fill_packet(info, graph, host, cause->packet);
		break;
	case WP_CAUSE_DISK:
		info->device = name;
		from_vertex(info, graph, host, cause->origin);
		break;
	case WP_CAUSE_TIMER:
		info->function = name;
		from_vertex(info, graph, host, cause->origin);
		break;
	case WP_CAUSE_WORKQUEUE:
		info->function = name;
		from_vertex(info, graph, host, cause->source);
		break;
	case WP_CAUSE_SIGNAL:
		info->name = name;
		info->number = detail->number;
		from_vertex(info, graph, host, cause->source);
		break;
	case WP_CAUSE_IRQ:
	case WP_CAUSE_SOFTIRQ:
		info->name = name;
		info->number = detail->number;
		break;
	case WP_CAUSE_NONE:
	case WP_CAUSE_IPI:
	case WP_CAUSE_PREEMPTOR:
	case WP_CAUSE_THROTTLED:
	case WP_CAUSE_LOST:
	case WP_CAUSE_N:
		info->name = name;
		break;
	}
}

/* ---- waits for a CPU ---- */

/* The first vertex of a segment's task after a time about which the segment begins; WP_NONE. */
static WpId first_after(WpHost *host, const WpSegment *segment, WpTime host_time)
{
	WpId id = segment->vertex, next;
	WpTime unused;

	if (id >= host->vertices.n)
		id = wp_host_task_at(host, segment->task, host_time, &unused);
	while (id != WP_NONE && wp_host_vertex_time(host, id) > host_time)
		id = wp_host_vertex(host, id)->prev;
	next = id == WP_NONE ? wp_host_task(host, segment->task)->first
			     : wp_host_vertex_next(host, id);
	while (next != WP_NONE && wp_host_vertex_time(host, next) <= host_time)
		next = wp_host_vertex_next(host, next);
	return next;
}

/* The CPU (dense) for which a task waits in a segment: where it runs next, unless it moves before. */
static guint16 awaited_cpu(WpHost *host, const WpSegment *segment, WpTime host_time)
{
	const WpId next = first_after(host, segment, host_time);
	const WpVertex *v = next == WP_NONE ? NULL : wp_host_vertex(host, next);

	if (v && v->cpu != G_MAXUINT16 &&
	    (v->state == WP_STATE_RUNNING || v->state == WP_STATE_IRQ ||
	     v->state == WP_STATE_SOFTIRQ))
		return v->cpu;
	return segment->cpu;
}

static gint compare_preemptors(gconstpointer a, gconstpointer b)
{
	const WpPreemptor *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* The first of a CPU's running segments that ends after begin may hold it. */
static guint32 first_running(WpHost *host, const WpId *vertices, guint32 n, WpTime begin)
{
	guint32 low = 0, high = n;

	while (low < high) {
		guint32 middle = low + (high - low) / 2;

		if (wp_host_vertex_time(host, vertices[middle]) <= begin)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

/* Who ran on the CPU between two host times. */
static void sweep_cpu(WpCauseInfo *info, WpHost *host, guint16 cpu, WpTime begin, WpTime end)
{
	const WpId *vertices;
	guint32 n = wp_host_cpu_vertices(host, cpu, &vertices);
	WpIntMap rows; /* task -> row of info->preemptors */

	wp_intmap_init(&rows);
	for (guint32 i = first_running(host, vertices, n, begin); i < n; i++) {
		const WpVertex *v = wp_host_vertex(host, vertices[i]);
		const WpTime time = wp_host_time_of(host, v, vertices[i]);
		WpTime from = MAX(time, begin);
		WpTime to = MIN(wp_host_vertex_end(host, vertices[i]), end);

		if (time >= end)
			break;
		if (to <= from)
			continue;
		if (wp_host_task(host, v->task)->tid == 0) /* idle */
			continue;

		guint32 row = wp_intmap_get(&rows, v->task);

		if (row == WP_NONE) {
			WpPreemptor new = {v->task, 0};

			row = info->preemptors->len;
			g_array_append_val(info->preemptors, new);
			wp_intmap_set(&rows, v->task, row);
		}
		g_array_index(info->preemptors, WpPreemptor, row).time += to - from;
	}
	wp_intmap_clear(&rows);
	g_array_sort(info->preemptors, compare_preemptors);
}

static void fill_preemptors(WpCauseInfo *info, WpGraph *graph, const WpSegment *segment,
			    gboolean throttled)
{
	WpHost *host = graph->hosts[segment->host];
	WpTime begin = to_host_time(graph, segment->host, segment->begin);
	WpTime end = to_host_time(graph, segment->host, segment->end);
	guint16 cpu = awaited_cpu(host, segment, begin);

	info->kind = throttled ? WP_CAUSE_THROTTLED : WP_CAUSE_PREEMPTOR;
	if (cpu >= host->cpus.n) {
		info->unseen = segment->end - segment->begin;
		return;
	}
	info->cpu = wp_host_cpu(host, cpu);
	sweep_cpu(info, host, cpu, begin, end);

	WpTime rest = end - begin;

	for (guint i = 0; i < info->preemptors->len; i++)
		rest -= g_array_index(info->preemptors, WpPreemptor, i).time;
	/* A CPU of which events were lost may have run anything. */
	*(segment->flags & WP_SEGMENT_LOST ? &info->unseen : &info->idle) = MAX(rest, 0);
}

void wp_cause_info_fill(WpCauseInfo *info, WpGraph *graph, const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];

	const WpCause *cause = segment->cause < host->causes.n ? wp_host_cause(host, segment->cause)
							       : NULL;

	reset(info);
	if (segment->state == WP_STATE_RUNNABLE || segment->state == WP_STATE_PREEMPTED)
		fill_preemptors(info, graph, segment, cause && cause->kind == WP_CAUSE_THROTTLED);
	else if (cause)
		fill_from_cause(info, graph, segment->host, cause);
	info->part = segment->part;
	info->clock_error = segment->clock_error;
	info->local = (segment->flags & WP_SEGMENT_LOCAL) != 0;
}

/* The cause of the wait that lies before a segment, or that it shows the end of; NULL: none. */
static const WpCause *cause_of_wait(const WpGraph *graph, const WpSegment *segment)
{
	const WpHost *host = graph->hosts[segment->host];
	const WpVertex *v;

	if (segment->vertex >= host->vertices.n)
		return NULL;
	v = wp_host_vertex(host, segment->vertex);
	if (!wp_state_is_wait(v->state)) {
		if (v->prev >= host->vertices.n)
			return NULL;
		v = wp_host_vertex(host, v->prev);
	}
	if (!wp_state_is_wait(v->state) || v->cause >= host->causes.n)
		return NULL;
	return wp_host_cause(host, v->cause);
}

gboolean wp_cause_info_fill_wait(WpCauseInfo *info, WpGraph *graph, const WpSegment *segment)
{
	const WpCause *cause = cause_of_wait(graph, segment);

	reset(info);
	if (cause)
		fill_from_cause(info, graph, segment->host, cause);
	return cause != NULL;
}

const gchar *wp_segment_wait_syscall(const WpGraph *graph, const WpSegment *segment)
{
	const WpCause *cause = cause_of_wait(graph, segment);

	const WpHost *host = graph->hosts[segment->host];

	return cause ? name_or_null(host, wp_host_cause_detail(host, cause)->syscall) : NULL;
}

/* ---- in words ---- */

static void append_from(GString *text, const WpCauseInfo *info, const WpGraph *graph,
			const WpSegment *segment, const gchar *words)
{
	if (info->from.host == WP_NONE ||
	    (info->from.host == segment->host && info->from.task == segment->task))
		return;

	g_autofree gchar *from = wp_actor_dup_text(&info->from, graph);

	g_string_append_printf(text, "%s%s", words, from);
}

static void append_packet(GString *text, const WpCauseInfo *info, const WpGraph *graph,
			  const WpSegment *segment)
{
	WpText error;

	g_string_append(text,
			*info->flow ? info->flow : "a packet of which no headers were traced");
	if (info->space)
		g_string_append(text, ", for buffer space");
	append_from(text, info, graph, segment, " from ");
	if (*info->peer)
		g_string_append(text, ", whose host is not traced");
	if (info->part != WP_PART_NONE)
		g_string_append_printf(text, ", %s", wp_part_key(info->part));
	if (info->local)
		g_string_append(text, ", on this host");
	if (info->clock_error > 0)
		g_string_append_printf(text, ", clocks +-%s",
				       wp_duration_text(&error, info->clock_error));
}

#define PREEMPTORS_TOLD 3

static void append_preemptors(GString *text, const WpCauseInfo *info, const WpGraph *graph,
			      const WpSegment *segment)
{
	const gchar *comma = "";
	WpText time;

	if (info->kind == WP_CAUSE_THROTTLED)
		g_string_append(text, "CPU quota used up; ");
	if (info->cpu == WP_NONE) {
		g_string_append(text, "on which CPU is not known");
		return;
	}
	g_string_append_printf(text, "CPU %u: ", info->cpu);
	for (guint i = 0; i < MIN(info->preemptors->len, PREEMPTORS_TOLD); i++) {
		const WpPreemptor *p = &g_array_index(info->preemptors, WpPreemptor, i);
		WpActor actor;

		wp_actor_init(&actor, graph, segment->host, p->task, segment->begin);
		g_string_append_printf(text, "%s%s (%d) %s", comma, actor.comm, actor.tid,
				       wp_duration_text(&time, p->time));
		comma = ", ";
	}
	if (info->preemptors->len > PREEMPTORS_TOLD)
		g_string_append_printf(text, ", %u more", info->preemptors->len - PREEMPTORS_TOLD);
	if (info->idle > 0)
		g_string_append_printf(text, "%sidle %s", comma,
				       wp_duration_text(&time, info->idle));
	if (info->unseen > 0)
		g_string_append_printf(text, "%snot seen %s", comma,
				       wp_duration_text(&time, info->unseen));
}

/* A name, or nothing for an address that the trace has no symbol for. */
static const gchar *name_words(const gchar *name)
{
	return name && !g_str_has_prefix(name, "0x") ? name : "";
}

gchar *wp_cause_info_dup_text(const WpCauseInfo *info, const WpGraph *graph,
			      const WpSegment *segment)
{
	g_autoptr(GString) text = g_string_new(NULL);

	switch (info->kind) {
	case WP_CAUSE_TASK:
		append_from(text, info, graph, segment, "woken by ");
		break;
	case WP_CAUSE_PACKET:
		append_packet(text, info, graph, segment);
		break;
	case WP_CAUSE_TIMER:
		g_string_append_printf(text, "%s", name_words(info->function));
		append_from(text, info, graph, segment, text->len > 0 ? " armed by " : "armed by ");
		break;
	case WP_CAUSE_DISK:
		g_string_append_printf(text, "%s", name_words(info->device));
		append_from(text, info, graph, segment,
			    text->len > 0 ? ", request of " : "request of ");
		break;
	case WP_CAUSE_IRQ:
		g_string_append_printf(text, "interrupt %d %s", info->number,
				       name_words(info->name));
		break;
	case WP_CAUSE_SOFTIRQ:
		g_string_append_printf(text, "softirq %s", name_words(info->name));
		break;
	case WP_CAUSE_IPI:
		g_string_append_printf(text, "interrupt from another CPU %s",
				       name_words(info->name));
		break;
	case WP_CAUSE_WORKQUEUE:
		g_string_append_printf(text, "work item %s", name_words(info->function));
		append_from(text, info, graph, segment, " queued by ");
		break;
	case WP_CAUSE_SIGNAL:
		g_string_append_printf(text, "signal %d", info->number);
		append_from(text, info, graph, segment, " from ");
		break;
	case WP_CAUSE_FORK:
		append_from(text, info, graph, segment, "forked by ");
		break;
	case WP_CAUSE_PREEMPTOR:
	case WP_CAUSE_THROTTLED:
		append_preemptors(text, info, graph, segment);
		break;
	case WP_CAUSE_LOST:
		g_string_append(text, "events were lost");
		break;
	case WP_CAUSE_NONE:
	case WP_CAUSE_N:
		break;
	}
	if (text->len > 0 && text->str[text->len - 1] == ' ')
		g_string_truncate(text, text->len - 1);
	if (info->syscall)
		g_string_append_printf(text, "%sin %s()", text->len ? ", " : "", info->syscall);
	return text->len ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
