/* SPDX-License-Identifier: MIT */
/* check.c: the local invariants of a host's tables; those between elements are in host.c. */
#include "config.h"

#include "graph/check.h"

static gboolean out_of(WpId id, guint64 n)
{
	return id != WP_NONE && id >= n;
}

static gboolean is_far(WpTime time)
{
	return time < WP_TIME_EARLIEST || time > WP_TIME_LATEST;
}

const gchar *wp_check_base(WpTime base)
{
	return base < WP_TIME_EARLIEST - WP_VERTEX_BLOCK_MARGIN || base > WP_TIME_LATEST
		       ? "no such time at block"
		       : NULL;
}

const gchar *wp_check_far_time(const WpHost *host, const WpFarTime *far)
{
	if (far->vertex >= host->vertices.n)
		return "no such vertex at far time";
	return is_far(far->time) ? "no such time at far time" : NULL;
}

const gchar *wp_check_vertex(const WpHost *host, const WpVertex *v, guint64 i)
{
	WpTime time;

	if (v->state >= WP_STATE_N)
		return "no such state at vertex";
	if (v->task >= host->tasks.n)
		return "no such task at vertex";
	if (out_of(v->cause, host->causes.n))
		return "no such cause at vertex";
	if (v->cpu != G_MAXUINT16 && v->cpu >= host->cpus.n)
		return "no such CPU at vertex";
	time = wp_host_time_of(host, v, (WpId)i);
	if (time < host->begin || time > host->end)
		return "a time outside the trace at vertex";
	if (v->prev != WP_NONE && v->prev >= i)
		return "a link forward at vertex";
	return NULL;
}

const gchar *wp_check_cause(const WpHost *host, const WpCause *c)
{
	if (c->kind >= WP_CAUSE_N)
		return "no such kind of cause";
	if (c->kind == WP_CAUSE_PACKET && out_of(c->packet, host->packets.n))
		return "no such packet of cause";
	if (c->kind != WP_CAUSE_PACKET && out_of(c->source, host->vertices.n))
		return "no such source of cause";
	if (c->detail >= host->details.n)
		return "no such detail of cause";
	if (is_far(c->time))
		return "no such time at cause";
	return NULL;
}

const gchar *wp_check_detail(const WpHost *host, const WpCauseDetail *d)
{
	const guint32 n_strings = wp_strings_n(host->strings);

	if (d->name >= n_strings || d->syscall >= n_strings)
		return "no such name at detail";
	return d->cpu > host->cpus.n ? "no such CPU at detail" : NULL;
}

const gchar *wp_check_deferral(const WpHost *host, const WpDeferral *d)
{
	if (d->cause >= host->causes.n)
		return "no such cause at deferral";
	return d->raised == 0 ? "no time at deferral" : NULL;
}

const gchar *wp_check_task(const WpHost *host, const WpTask *t)
{
	if (t->comm >= wp_strings_n(host->strings))
		return "no such name at task";
	if (out_of(t->renamed, host->comms.n))
		return "no such change of name at task";
	if (out_of(t->parent, host->tasks.n))
		return "no such parent at task";
	if (out_of(t->first, host->vertices.n) || out_of(t->last, host->vertices.n))
		return "no such segments of task";
	if (t->begin > t->end || is_far(t->begin) || is_far(t->end))
		return "ends before it begins, or too far away: task";
	return NULL;
}

const gchar *wp_check_comm(const WpHost *host, const WpCommChange *c, guint64 i)
{
	if (c->comm >= wp_strings_n(host->strings))
		return "no such name at change of name";
	if (c->prev != WP_NONE && c->prev >= i)
		return "a link forward at change of name";
	if (is_far(c->time))
		return "no such time at change of name";
	return NULL;
}

const gchar *wp_check_flow(const WpHost *host, const WpFlow *f)
{
	return out_of(f->reverse, host->flows.n) ? "no such way back of flow" : NULL;
}

const gchar *wp_check_packet(const WpHost *host, const WpPacket *p, guint64 i)
{
	if (p->flow >= host->flows.n)
		return "no such flow at packet";
	if (out_of(p->vertex, host->vertices.n))
		return "no such sender at packet";
	if (p->parent != WP_NONE && p->parent >= i)
		return "a later parent of packet";
	if (is_far(p->time))
		return "no such time at packet";
	return NULL;
}

const gchar *wp_check_marker(const WpHost *host, const WpMarker *m)
{
	guint32 n_strings = wp_strings_n(host->strings);

	if (out_of(m->task, host->tasks.n))
		return "no such task at marker";
	if (is_far(m->time))
		return "no such time at marker";
	return m->name >= n_strings || m->id_text >= n_strings ? "no such name at marker" : NULL;
}

const gchar *wp_check_loss(const WpHost *host, const WpLoss *l)
{
	if (out_of(l->cpu, host->cpus.n))
		return "no such CPU at loss";
	return l->begin > l->end || is_far(l->begin) || is_far(l->end)
		       ? "ends before it begins, or too far away: loss"
		       : NULL;
}
