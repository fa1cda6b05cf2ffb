/* SPDX-License-Identifier: MIT */
/*
 * order.c: puts the vertices of a host in the order of time.
 *
 * The model appends them in that order but for those that tell what was learnt late: what a CPU
 * did before its first switch, or that a wake-up was lost. Such a vertex belongs a little way in
 * front of where it stands, so that the column is in order but for some *spans*, each from the
 * place where the first of some late vertices belongs to where the last stands. A span is
 * sorted in place: what is out of order in it is taken out, the rest closes up, and both are merged
 * from the back. Then every reference into the spans is renumbered.
 *
 * A vertex holds the lower half of its time, which does not change; where it is moved to another
 * block, or is far from it, what tells the upper half does. Until all are in their place the time of
 * one is that of its old number.
 */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "kernel/model-private.h"

typedef struct {
	WpId begin, end; /* end: behind the last */
} Span;

/* A vertex that was taken out of its span. */
typedef struct {
	WpVertex vertex;
	WpTime time;
	WpId id;
} Displaced;

typedef struct {
	WpHost *host; /* borrowed */
	WpHostEnds *ends; /* borrowed */
	WpColumn spans; /* Span: the last first */
	Displaced *displaced; /* borrowed from a block: of the span that is being sorted */
	gsize n_displaced;
	WpId begin, end; /* of all spans together */
	WpId *old; /* borrowed from a block: by place behind begin, the vertex that lies there now */
	WpId *renumbered; /* borrowed from a block: by old number behind begin */
} Order;

/*
 * The span that ends with the last of n late vertices. Going back from there, what is later than
 * the earliest late vertex seen so far belongs behind it. A task's first vertex stays where it
 * is if it can: what a task did before it was seen concerns nobody else. *n becomes how many late
 * ones lie in front.
 */
static Span find_span(const WpHost *host, const WpColumn *late, guint64 *n)
{
	const WpId last = WP_AT(late, WpId, *n - 1);
	Span span = {last, last + 1};
	WpTime earliest = WP_TIME_MAX;

	for (WpId id = last;; id--) {
		const WpVertex *v = wp_host_vertex(host, id);
		const WpTime time = wp_host_time_of(host, v, id);
		const gboolean is_late = *n > 0 && WP_AT(late, WpId, *n - 1) == id;

		*n -= is_late ? 1 : 0;
		if (time > earliest)
			span.begin = id;
		else if (is_late)
			earliest = time;
		else if (v->prev != WP_NONE)
			break;
		if (id == 0)
			break;
	}
	return span;
}

static gboolean find_spans(Order *o, const WpColumn *late, GError **error)
{
	for (guint64 n = late->n; n > 0;) {
		const Span span = find_span(o->host, late, &n);
		Span *new = span.end - span.begin > 1 ? wp_column_push(&o->spans, error) : NULL;

		if (new)
			*new = span;
		else if (span.end - span.begin > 1)
			return FALSE;
	}
	if (o->spans.n) {
		o->begin = WP_AT(&o->spans, Span, o->spans.n - 1).begin;
		o->end = WP_AT(&o->spans, Span, 0).end;
	}
	return TRUE;
}

static gint compare_displaced(gconstpointer a, gconstpointer b)
{
	const Displaced *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* How many of a span are to be taken out. */
static gsize count_displaced(const Order *o, Span span)
{
	WpTime latest = WP_TIME_MIN;
	gsize n = 0;

	for (WpId id = span.begin; id < span.end; id++) {
		const WpTime time = wp_host_vertex_time(o->host, id);

		n += time < latest;
		latest = MAX(latest, time);
	}
	return n;
}

/* Takes out what is out of order and closes up the rest; returns where that ends. */
static WpId take_out(Order *o, Span span)
{
	WpTime latest = WP_TIME_MIN;
	WpId kept = span.begin;

	o->n_displaced = 0;
	for (WpId id = span.begin; id < span.end; id++) {
		const WpVertex *v = wp_host_vertex(o->host, id);
		const Displaced d = {*v, wp_host_time_of(o->host, v, id), id};

		if (d.time < latest) {
			o->displaced[o->n_displaced++] = d;
			continue;
		}
		latest = d.time;
		o->old[kept - o->begin] = id;
		*wp_host_vertex(o->host, kept++) = d.vertex;
	}
	qsort(o->displaced, o->n_displaced, sizeof(Displaced), compare_displaced);
	return kept;
}

/* The time of the vertex that lies at a place now. */
static WpTime time_at(const Order *o, WpId place)
{
	return wp_host_time_of(o->host, wp_host_vertex(o->host, place), o->old[place - o->begin]);
}

/* Of equal times the one that was appended first comes first. */
static void merge_back(Order *o, Span span)
{
	WpId kept = take_out(o, span), place = span.end;

	for (gsize n = o->n_displaced; n > 0;) {
		const Displaced *d = &o->displaced[n - 1];

		place--;
		if (kept > span.begin && time_at(o, kept - 1) > d->time) {
			kept--;
			*wp_host_vertex(o->host, place) = *wp_host_vertex(o->host, kept);
			o->old[place - o->begin] = o->old[kept - o->begin];
		} else {
			*wp_host_vertex(o->host, place) = d->vertex;
			o->old[place - o->begin] = d->id;
			n--;
		}
	}
}

static gboolean sort_span(Order *o, Span span, GError **error)
{
	const gsize n = count_displaced(o, span);
	WpBlock block;

	if (n == 0)
		return TRUE;
	if (!wp_block_init(&block, n * sizeof(Displaced), o->host->vertices.memory, error))
		return FALSE;
	o->displaced = block.data;
	merge_back(o, span);
	wp_block_clear(&block);
	return TRUE;
}

static gboolean sort_spans(Order *o, GError **error)
{
	for (WpId id = o->begin; id < o->end; id++)
		o->old[id - o->begin] = id;
	for (guint64 i = 0; i < o->spans.n; i++)
		if (!sort_span(o, WP_AT(&o->spans, Span, i), error))
			return FALSE;
	for (WpId id = o->begin; id < o->end; id++)
		o->renumbered[o->old[id - o->begin] - o->begin] = id;
	return TRUE;
}

/* Appends the far times of the vertices from begin to end (exclusive) of a table to another one. */
static gboolean copy_far_times(WpColumn *to, const WpColumn *from, guint64 begin, guint64 end,
			       GError **error)
{
	for (guint64 i = 0; i < from->n; i++) {
		const WpFarTime *far = &WP_AT(from, WpFarTime, i);
		WpFarTime *copy;

		if (far->vertex < begin || far->vertex >= end)
			continue;
		copy = wp_column_push(to, error);
		if (!copy)
			return FALSE;
		*copy = *far;
	}
	return TRUE;
}

/* All vertices of the spans are in their place: far are those that are so there. */
static gboolean find_far_times(Order *o, WpColumn *far_times, GError **error)
{
	WpHost *host = o->host;

	for (WpId id = o->begin; id < o->end; id++) {
		WpVertex *v = wp_host_vertex(host, id);
		const WpTime base = WP_AT(&host->bases, WpTime, id >> WP_VERTEX_BLOCK_SHIFT);
		const WpTime time = time_at(o, id);
		WpFarTime *far;

		v->flags &= (guint8)~WP_VERTEX_FAR;
		if (wp_vertex_is_near(base, time) || (v->flags & WP_VERTEX_AT_BEGIN))
			continue;
		far = wp_column_push(far_times, error);
		if (!far)
			return FALSE;
		*far = (WpFarTime){.time = time, .vertex = id};
		v->flags |= WP_VERTEX_FAR;
	}
	return TRUE;
}

/* Makes the table of far times anew. */
static gboolean place_times(Order *o, GError **error)
{
	WpColumn *old = &o->host->far_times, new;
	gboolean placed;

	wp_column_init(&new, sizeof(WpFarTime), old->memory);
	placed = copy_far_times(&new, old, 0, o->begin, error) && find_far_times(o, &new, error) &&
		 copy_far_times(&new, old, o->end, G_MAXUINT64, error);
	wp_column_clear(placed ? old : &new);
	if (placed)
		*old = new;
	return placed;
}

/* WP_NONE lies behind all spans. */
static inline void renumber(const Order *o, WpId *id)
{
	if (*id >= o->begin && *id < o->end)
		*id = o->renumbered[*id - o->begin];
}

/*
 * Links go back only, and one to each vertex that is not its task's last: behind the spans it is
 * enough to look until all that lead into them are found.
 */
static void renumber_links(Order *o)
{
	WpHost *host = o->host;
	guint64 n_left = o->end - o->begin;

	for (WpId id = o->begin; id < o->end; id++) {
		WpVertex *v = wp_host_vertex(host, id);

		n_left -= v->prev != WP_NONE && v->prev >= o->begin;
		n_left -= wp_host_task(host, v->task)->last == o->old[id - o->begin];
		renumber(o, &v->prev);
	}
	for (guint64 id = o->end; n_left > 0 && id < host->vertices.n; id++) {
		WpVertex *v = wp_host_vertex(host, id);

		n_left -= v->prev >= o->begin && v->prev < o->end;
		renumber(o, &v->prev);
	}
}

static void renumber_all(Order *o)
{
	WpHost *host = o->host;

	renumber_links(o);
	for (guint64 i = 0; i < host->causes.n; i++)
		if (wp_host_cause(host, i)->kind != WP_CAUSE_PACKET)
			renumber(o, &wp_host_cause(host, i)->source);
	for (guint64 i = 0; i < host->tasks.n; i++) {
		renumber(o, &wp_host_task(host, i)->first);
		renumber(o, &wp_host_task(host, i)->last);
	}
	for (guint64 i = 0; i < host->packets.n; i++)
		renumber(o, &wp_host_packet(host, i)->vertex);
	for (guint64 i = 0; i < o->ends->waits.n; i++)
		renumber(o, &WP_AT(&o->ends->waits, WpWaitEnd, i).vertex);
	for (guint64 i = 0; i < o->ends->begins.n; i++)
		renumber(o, &WP_AT(&o->ends->begins, WpId, i));
}

static gboolean order_spans(Order *o, GError **error)
{
	const gsize n = o->end - o->begin;
	WpBlock block;
	gboolean ordered;

	if (n == 0)
		return TRUE;
	if (!wp_block_init(&block, 2 * n * sizeof(WpId), o->host->vertices.memory, error))
		return FALSE;
	o->old = block.data;
	o->renumbered = o->old + n;
	ordered = sort_spans(o, error) && place_times(o, error);
	if (ordered)
		renumber_all(o);
	wp_block_clear(&block);
	return ordered;
}

gboolean wp_order_vertices(WpHost *host, const WpColumn *late, WpHostEnds *ends, GError **error)
{
	Order o = {.host = host, .ends = ends};
	gboolean ordered;

	wp_column_init(&o.spans, sizeof(Span), host->vertices.memory);
	ordered = find_spans(&o, late, error) && order_spans(&o, error);
	wp_column_clear(&o.spans);
	return ordered;
}
