/* SPDX-License-Identifier: MIT */
/*
 * prefix.c: one sweep over the vertices of all hosts in the order of the reference
 * clock.
 *
 * Each task has a row: its vector A up to the begin of its current segment, and that
 * segment. Where the segment is a wait that the path leaves, the row has a *visit*:
 * the wait's plan (wait.h) and the sum of what its pieces have brought so far. A
 * piece of another task's history brings that row's A at the piece's end minus A at
 * its begin; A is continuous in time, so it does not matter in which order things of
 * the same time are taken.
 *
 * The value of A within a visit is the visit's sum plus the A of the row that the
 * plan is at: a chain that is followed until a row is in no visit.
 *
 * On whom a row's path rests is written down when that is asked for: rests.h.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "path/prefix.h"
#include "path/wait.h"

/* Vertices in front of a wait at which its end is asked for. */
#define ENDS_AHEAD 12u
/* One in so many of a window's vertices are few. */
#define FEW_SHARE 8u
/* Vertices between two looks at the cancellable. */
#define POLL_VERTICES 65536u

/*
 * Time by state, added up two at a time. Most traces have few of the states, so each gets a slot
 * when it is first met, and what is behind those in use is all zero. Time of no known state is what
 * the others leave: its slot is the last one, and what stands there does not count.
 */
typedef gint64 Pair __attribute__((vector_size(16)));
typedef union {
	gint64 of[(WP_STATE_N + 1) & ~1u]; /* ns */
	Pair pairs[(WP_STATE_N + 1) / 2];
} Vector;

/* Vectors are added up to one of these numbers of pairs, or all. */
#define FEW_PAIRS 3u
#define MORE_PAIRS 6u
#define NO_SLOT G_MAXUINT8
#define UNKNOWN_SLOT (G_N_ELEMENTS(((Vector *)NULL)->of) - 1)

G_STATIC_ASSERT(MORE_PAIRS < G_N_ELEMENTS(((Vector *)NULL)->pairs));

typedef struct {
	Vector a; /* up to since */
	WpTime since; /* begin of the current segment, not before the window's */
	WpTime others; /* of a's time, that on other tasks */
	WpId vertex; /* the current segment's, WP_NONE before the first */
	guint32 visit; /* WP_NONE: the segment is of one state */
	guint32 n_waiters; /* rows whose paths rest on this one, or go on from it, now */
	guint32 n_rests; /* counts how often its path began to rest on another one */
	guint8 slot; /* of the segment's state */
} Row;

/* Slots are used again; the numbers of those that are free lie in a stack. */
typedef struct {
	Vector sum; /* of the pieces before `from`, minus A of this piece's row there */
	WpTime from; /* begin of the piece that time has come to */
	WpPlan plan; /* owned */
	guint32 current; /* that piece */
	guint32 owner; /* row */
	guint32 serial; /* counts uses of the slot */
	/* Of what was written down of the piece, while `other` is not WP_NONE: */
	guint64 record; /* its number */
	WpTime rested; /* when */
	guint32 other; /* on which row */
	guint32 n_rests; /* that row's then */
	gboolean waits; /* for its history */
	gboolean shared; /* others' paths are concerned */
} Visit;

/* What happens between vertices; at the same time in this order. */
typedef enum { NEXT_PIECE, EARLY_VERTEX, HOST_END } EventKind;

typedef struct {
	WpTime time;
	EventKind kind;
	guint32 what; /* visit, vertex, host */
	guint32 serial; /* of the visit; the host of the vertex */
} Event;

typedef struct {
	WpGraph *graph; /* borrowed */
	WpTime begin, end, now;
	WpRows rows;
	Row *row; /* owned: rows.n_rows */
	WpRests *rests; /* borrowed, NULL: not asked for */
	GError *error; /* owned: of the first that could not be written down there */
	Visit *visits; /* owned */
	guint32 n_visits, n_visits_allocated;
	guint32 unused; /* the first visit that is free, WP_NONE; its `owner` is the next one */
	Event *events; /* owned: a heap */
	guint n_events, n_events_allocated;
	guint64 *next, *last; /* owned: of each host, the vertices to take */
	WpTime *head; /* owned: the time of each host's next, WP_TIME_MAX when there is none */
	gboolean *is_reference; /* owned: of each host, its clock is the reference's */
	guint *place,
		*end_place; /* owned: of each host, in its clock map: of head, and of waits' ends */
	guint8 slots[WP_STATE_N]; /* by state, NO_SLOT: not met yet */
	guint n_slots; /* but that of WP_STATE_UNKNOWN */
	guint64 n_inconsistent, n_steps;
} Sweep;

static gboolean event_is_before(const Event *a, const Event *b)
{
	return a->time != b->time ? a->time < b->time : a->kind < b->kind;
}

static void add_event(Sweep *s, WpTime time, EventKind kind, guint32 what, guint32 serial)
{
	Event event = {time, kind, what, serial};
	guint i = s->n_events++;
	Event *heap;

	if (i == s->n_events_allocated) {
		s->n_events_allocated = MAX(64, 2 * i);
		s->events = g_renew(Event, s->events, s->n_events_allocated);
	}
	heap = s->events;
	for (; i > 0 && event_is_before(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = event;
}

static Event take_event(Sweep *s)
{
	Event *heap = s->events;
	guint n = --s->n_events, i = 0;
	Event first = heap[0], moved = heap[n];

	for (guint child = 1; child < n; child = 2 * i + 1) {
		if (child + 1 < n && event_is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!event_is_before(&heap[child], &moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	if (n)
		heap[i] = moved;
	return first;
}

/* So short loops are quicker without a counter. */
#define UNROLL _Pragma("GCC unroll 16")

/* Does this with the pairs i of vectors of which `sum` is one, as far as slots are in use. */
#define IN_PAIRS(s, operation)                                                                     \
	do {                                                                                       \
		UNROLL for (guint i = 0; i < FEW_PAIRS; i++) operation;                            \
		if ((s)->n_slots > 2 * FEW_PAIRS)                                                  \
			UNROLL for (guint i = FEW_PAIRS; i < MORE_PAIRS; i++) operation;           \
		if (G_UNLIKELY((s)->n_slots > 2 * MORE_PAIRS))                                     \
			UNROLL for (guint i = MORE_PAIRS; i < G_N_ELEMENTS(sum->pairs); i++)       \
				operation;                                                         \
	} while (0)

static inline void clear_vector(const Sweep *s, Vector *sum)
{
	IN_PAIRS(s, (sum->pairs[i] = (Pair){0}));
	sum->of[UNKNOWN_SLOT] = 0; /* only so that it does not grow without end */
}

static inline void add_vector(const Sweep *s, Vector *restrict sum, const Vector *restrict vector)
{
	IN_PAIRS(s, (sum->pairs[i] += vector->pairs[i]));
}

static inline void subtract_vector(const Sweep *s, Vector *restrict sum,
				   const Vector *restrict vector)
{
	IN_PAIRS(s, (sum->pairs[i] -= vector->pairs[i]));
}

static inline guint8 slot_of(Sweep *s, WpState state)
{
	if (G_UNLIKELY(s->slots[state] == NO_SLOT))
		s->slots[state] = (guint8)s->n_slots++;
	return s->slots[state];
}

static inline WpTime to_reference(const Sweep *s, guint h, WpTime host_time, guint *place)
{
	if (s->is_reference[h])
		return host_time;
	return wp_clock_map_apply_near(s->graph->joins[h].map, host_time, place);
}

/*
 * What the segment that a row is in brings until time (now, or the end of a piece that
 * ends now): its own time, or for a visit the pieces of it, along the chain of those
 * that wait for each other. Chains that damaged graphs close to a ring are cut.
 */
static void add_segment(Sweep *s, guint32 r, WpTime time, Vector *sum)
{
	for (guint32 n = 0; n <= s->rows.n_rows; n++) {
		const Row *row = &s->row[r];

		s->n_steps++;
		/* Also where the chain would come back: A waits from now on for B, B until now for A. */
		if (time == row->since)
			return;
		if (row->visit == WP_NONE) {
			sum->of[row->slot] += time - row->since;
			return;
		}

		const Visit *visit = &s->visits[row->visit];
		WpTime from = visit->from;
		guint i = visit->current;

		add_vector(s, sum, &visit->sum);
		for (; i < visit->plan.n && !wp_piece_is_history(&visit->plan.pieces[i]); i++) {
			const WpPiece *piece = &visit->plan.pieces[i];

			sum->of[slot_of(s, piece->state)] += MIN(piece->end, time) - from;
			from = MIN(piece->end, time);
			if (from == time)
				return;
		}
		if (i == visit->plan.n)
			return;
		r = visit->plan.pieces[i].row;
		if (&s->row[r].a == sum)
			break;
		add_vector(s, sum, &s->row[r].a);
	}
	s->n_inconsistent++;
}

static inline guint32 number_of(const Sweep *s, const Row *row)
{
	return (guint32)(row - s->row);
}

/* Whether a vertex is behind the one that its row has come to; the first is behind WP_NONE. */
static inline gboolean is_behind(const Row *row, WpId vertex)
{
	return vertex >= (WpId)(row->vertex + 1);
}

/*
 * What a visit's path rested on is over. Where no other one's did so, as with most waits, that is all
 * that is to be known of it; else it is a change that counts, unless another one follows now.
 */
static void end_rest(Sweep *s, Visit *visit, gboolean another_follows)
{
	Row *other = &s->row[visit->other];

	if (visit->waits) {
		other->n_waiters--;
		visit->shared |= other->n_rests != visit->n_rests;
	}
	if (!visit->shared)
		wp_rests_settle(s->rests, visit->record, visit->owner, visit->other,
				s->now - visit->rested, &s->error);
	else if (!another_follows)
		wp_rests_add(s->rests, s->now, visit->owner, WP_NONE, FALSE, &s->error);
	visit->other = WP_NONE;
}

/* The path of a visit's row, and with it of all that wait for it, rests from now on on another one. */
static void begin_rest(Sweep *s, Visit *visit, guint32 r, gboolean waits)
{
	Row *owner = &s->row[visit->owner], *other = &s->row[r];

	visit->rested = s->now;
	visit->other = r;
	visit->n_rests = other->n_rests;
	visit->waits = waits;
	visit->shared = owner->n_waiters > 0;
	if (waits) {
		other->n_waiters++;
		if (other->visit != WP_NONE)
			visit->shared = s->visits[other->visit].shared = TRUE;
	}
	owner->n_rests++;
	wp_rests_add(s->rests, s->now, visit->owner, r, waits, &s->error);
	visit->record = s->rests->records.n - 1;
}

static void rest(Sweep *s, Visit *visit, guint32 other, gboolean waits)
{
	if (!s->rests || s->error)
		return;
	if (visit->other != WP_NONE)
		end_rest(s, visit, other != WP_NONE);
	if (other != WP_NONE && !s->error)
		begin_rest(s, visit, other, waits);
}

/* Time has come to a piece: takes A at its begin, and asks to be told of its end if need be. */
static void begin_piece(Sweep *s, guint32 v)
{
	Visit *visit = &s->visits[v];
	const WpPlan *plan = &visit->plan;
	const WpPiece *piece = &plan->pieces[visit->current];
	gboolean more = piece->row != WP_NONE;

	if (wp_piece_is_history(piece)) {
		const Row *row = &s->row[piece->row];

		if (G_LIKELY(row->visit == WP_NONE)) {
			subtract_vector(s, &visit->sum, &row->a);
			visit->sum.of[row->slot] -= s->now - row->since;
		} else {
			Vector before = row->a;

			add_segment(s, piece->row, s->now, &before);
			subtract_vector(s, &visit->sum, &before);
		}
	}
	rest(s, visit, piece->row, wp_piece_is_history(piece));
	/* The owner's time is counted when it is asked for; only before others' it is now. */
	for (guint i = visit->current + 1; i < plan->n && !more; i++)
		more = plan->pieces[i].row != WP_NONE;
	if (more && visit->current + 1 < plan->n)
		add_event(s, piece->end, NEXT_PIECE, v, visit->serial);
}

static void end_piece(Sweep *s, guint32 v, guint32 serial)
{
	Visit *visit = &s->visits[v];

	if (visit->serial != serial || visit->current + 1 >= visit->plan.n)
		return;
	const WpPiece *piece = &visit->plan.pieces[visit->current];
	if (wp_piece_is_history(piece)) {
		add_vector(s, &visit->sum, &s->row[piece->row].a);
		add_segment(s, piece->row, s->now, &visit->sum);
	} else {
		visit->sum.of[slot_of(s, piece->state)] += piece->end - visit->from;
	}
	visit->from = piece->end;
	visit->current++;
	begin_piece(s, v);
}

static guint32 new_visit(Sweep *s)
{
	guint32 v = s->unused;

	if (v != WP_NONE) {
		s->unused = s->visits[v].owner;
		return v;
	}
	if (s->n_visits == s->n_visits_allocated) {
		s->n_visits_allocated = MAX(64, 2 * s->n_visits);
		s->visits = g_renew(Visit, s->visits, s->n_visits_allocated);
	}
	s->visits[s->n_visits] = (Visit){.serial = 0};
	return s->n_visits++;
}

static void free_visit(Sweep *s, guint32 v)
{
	s->visits[v].serial++;
	s->visits[v].owner = s->unused;
	s->unused = v;
}

/* The row's task has come to a wait, at the begin of which the row stands. */
static void begin_wait(Sweep *s, guint h, Row *row, const WpVertex *v)
{
	const WpHost *host = s->graph->hosts[h];
	const WpTime host_end = wp_host_ends_of(s->rows.ends[h], row->vertex,
						wp_host_cause(host, v->cause));
	WpTime end = to_reference(s, h, host_end, &s->end_place[h]);
	guint32 number = new_visit(s);
	Visit *visit = &s->visits[number];

	if (!wp_plan_wait(&visit->plan, &s->rows, h, v, host_end, row->since, end, end <= s->end,
			  &s->n_inconsistent)) {
		free_visit(s, number);
		return;
	}
	clear_vector(s, &visit->sum);
	visit->from = row->since;
	visit->current = 0;
	visit->owner = number_of(s, row);
	visit->other = WP_NONE;
	begin_piece(s, number);
	row->visit = number;
}

static void end_wait(Sweep *s, Row *row)
{
	const guint32 r = number_of(s, row);

	row->others += MIN(s->visits[row->visit].plan.arrival, s->now) - row->since;
	add_segment(s, r, s->now, &row->a);
	rest(s, &s->visits[row->visit], WP_NONE, FALSE);
	free_visit(s, row->visit);
	row->visit = WP_NONE;
}

/* Closes the row's segment now. */
static inline void close_segment(Sweep *s, Row *row)
{
	if (row->visit == WP_NONE)
		row->a.of[row->slot] += s->now - row->since;
	else
		end_wait(s, row);
	row->since = s->now;
}

static inline void enter_vertex(Sweep *s, guint h, Row *row, WpId id, const WpVertex *v)
{
	close_segment(s, row);
	row->vertex = id;
	row->slot = slot_of(s, v->state < WP_STATE_N ? (WpState)v->state : WP_STATE_UNKNOWN);
	if (v->cause < s->graph->hosts[h]->causes.n && v->state < WP_STATE_N &&
	    wp_state_is_wait((WpState)v->state))
		begin_wait(s, h, row, v);
}

/* A vertex that stands in the column behind later ones. */
static void enter_early(Sweep *s, guint h, WpId id)
{
	const WpVertex *v = wp_host_vertex(s->graph->hosts[h], id);
	Row *row = &s->row[s->rows.first_row[h] + v->task];

	if (is_behind(row, id))
		enter_vertex(s, h, row, id, v);
}

/* Nothing is known of a host's tasks after its last event. */
static void end_host(Sweep *s, guint h)
{
	for (guint32 r = s->rows.first_row[h]; r < s->rows.first_row[h + 1]; r++) {
		close_segment(s, &s->row[r]);
		s->row[r].slot = UNKNOWN_SLOT;
	}
	s->next[h] = s->last[h] = 0;
	s->head[h] = WP_TIME_MAX;
}

static void run_events(Sweep *s, WpTime until)
{
	while (s->n_events && s->events[0].time <= until) {
		Event event = take_event(s);

		s->now = MAX(s->now, event.time);
		switch (event.kind) {
		case NEXT_PIECE:
			end_piece(s, event.what, event.serial);
			break;
		case EARLY_VERTEX:
			enter_early(s, event.serial, event.what);
			break;
		case HOST_END:
			end_host(s, event.what);
			break;
		}
	}
}

/* When a host's next vertex comes. */
static void look_ahead(Sweep *s, guint h)
{
	s->head[h] = WP_TIME_MAX;
	if (s->next[h] < s->last[h])
		s->head[h] = to_reference(s, h,
					  wp_host_vertex_time(s->graph->hosts[h], (WpId)s->next[h]),
					  &s->place[h]);
}

/* The host whose next vertex comes first, and until when its vertices come before all others'. */
static guint first_host(const Sweep *s, WpTime *ret_until)
{
	guint first = 0;

	*ret_until = WP_TIME_MAX;
	for (guint h = 1; h < s->graph->n_hosts; h++) {
		*ret_until = MIN(*ret_until, MAX(s->head[h], s->head[first]));
		if (s->head[h] < s->head[first])
			first = h;
	}
	return first;
}

/* Who ended a wait lies far away: asks for its vertex when the wait itself is near. */
static inline void want_end(const WpHost *host, const WpVertex *v)
{
	const WpCause *cause;

	if (v->cause >= host->causes.n)
		return;
	cause = wp_host_cause(host, v->cause);
	if (wp_cause_has_source(cause) && cause->source < host->vertices.n)
		__builtin_prefetch(wp_host_vertex(host, cause->source));
}

/*
 * Takes the next vertex of a host, and those behind it up to a time: as far as they lie side by
 * side. What happens between them may end the host, and with it its vertices.
 */
static void take_vertices(Sweep *s, guint h, WpTime until)
{
	const WpHost *host = s->graph->hosts[h];
	const guint64 n_tasks = host->tasks.n, first = s->next[h];
	const guint64 chunk_end = (first | (WP_COLUMN_CHUNK_ELEMENTS - 1)) + 1;
	const WpVertex *const vertices = wp_host_vertex(host, first);
	Row *const rows = &s->row[s->rows.first_row[h]];
	const gboolean is_reference = s->is_reference[h];
	guint64 last = MIN(MIN(s->last[h], chunk_end), first + POLL_VERTICES), id = first;
	WpTime time = s->head[h];

	while (time <= until) {
		const WpVertex *v = &vertices[id - first];

		if (s->n_events && s->events[0].time <= MIN(time, s->end)) {
			run_events(s, MIN(time, s->end));
			last = MIN(last, s->last[h]);
			if (id >= last)
				break;
		}
		if (G_LIKELY(id + ENDS_AHEAD < last))
			want_end(host, v + ENDS_AHEAD);
		if (G_LIKELY(v->task < n_tasks && time <= s->end)) {
			Row *row = &rows[v->task];

			if (is_behind(row, (WpId)id)) {
				s->now = MAX(s->now, time);
				enter_vertex(s, h, row, (WpId)id, v);
			}
		}
		if (++id == last)
			break;
		time = wp_host_time_of(host, &v[1], (WpId)id);
		if (!is_reference)
			time = to_reference(s, h, time, &s->place[h]);
	}
	s->n_steps += id - first;
	s->next[h] = id;
	look_ahead(s, h);
}

/*
 * The vertices of a host before this have times up to host_time; those from it on do
 * not, unless they are first vertices of tasks, which may be out of order.
 */
static guint64 vertices_until(const WpHost *host, WpTime host_time)
{
	guint64 low = 0, high = host->vertices.n;

	while (low < high) {
		guint64 middle = low + (high - low) / 2, probe = middle;

		while (probe < high && wp_host_vertex(host, probe)->prev == WP_NONE)
			probe++;
		if (probe < high && wp_host_vertex_time(host, (WpId)probe) <= host_time)
			low = probe + 1;
		else
			high = middle;
	}
	return low;
}

/* The last moment of a host's clock that is not after a reference time. */
static WpTime host_moment(const Sweep *s, guint h, WpTime time)
{
	return wp_clock_map_invert(s->graph->joins[h].map, time + 1) - 1;
}

/* The part of [begin, end] in which any host has events; FALSE when there is none. */
static gboolean clip_window(Sweep *s, WpTime begin, WpTime end)
{
	WpTime first = WP_TIME_MAX, last = WP_TIME_MIN;

	for (guint h = 0; h < s->graph->n_hosts; h++) {
		first = MIN(first, wp_graph_time(s->graph, h, s->graph->hosts[h]->begin));
		last = MAX(last, wp_graph_time(s->graph, h, s->graph->hosts[h]->end));
	}
	s->now = s->begin = MAX(begin, first);
	s->end = MIN(end, last);
	return s->begin < s->end;
}

/*
 * Of each task of a host the last of the vertices in front of the window; owned. NULL when there are
 * too many of them for that, or memory is out.
 */
static WpId *find_before(const Sweep *s, guint h)
{
	const WpHost *host = s->graph->hosts[h];
	const guint64 n_tasks = host->tasks.n;
	WpId *before = s->next[h] < s->last[h] / FEW_SHARE ? g_try_new(WpId, n_tasks + 1) : NULL;

	for (guint64 i = 0; before && i < n_tasks; i++)
		before[i] = WP_NONE;
	for (guint64 i = 0; before && i < s->next[h]; i++) {
		const WpId task = wp_host_vertex(host, i)->task;

		if (task < n_tasks)
			before[task] = (WpId)i;
	}
	return before;
}

/*
 * The vertex of a task's segment at a moment of its host, the window's begin, which is at or after
 * its first vertex's time. before: as found above.
 */
static WpId vertex_at(const Sweep *s, guint h, WpId task, WpTime moment, const WpId *before)
{
	WpHost *host = s->graph->hosts[h];
	const WpId first = wp_host_task(host, task)->first;
	const WpId *vertices;
	gint64 at;

	/* A first vertex may lie behind those of later times; all others are in order. */
	if (before)
		return first < s->next[h] ? before[task] : first;
	at = wp_host_task_find(host, task, moment);
	wp_host_task_vertices(host, task, &vertices);
	/* In a damaged graph a task's first vertex may be another's. */
	return at < 0 ? WP_NONE : vertices[at];
}

/* Where a task stands at the window's begin. */
static void start_task(Sweep *s, guint h, WpId task, WpTime moment, const WpId *before)
{
	WpHost *host = s->graph->hosts[h];
	WpId first = wp_host_task(host, task)->first;
	Row *row = &s->row[s->rows.first_row[h] + task];

	if (first >= host->vertices.n)
		return;
	WpTime time = wp_host_vertex_time(host, first);
	if (time <= moment) {
		const WpId id = vertex_at(s, h, task, moment, before);

		if (id != WP_NONE)
			enter_vertex(s, h, row, id, wp_host_vertex(host, id));
	} else {
		/* A task that is seen late may have waited for long. */
		add_event(s, wp_graph_time(s->graph, h, time), EARLY_VERTEX, first, h);
	}
}

/* Which vertices of a host the window is made of. */
static void bound_vertices(Sweep *s, guint h)
{
	const WpHost *host = s->graph->hosts[h];

	s->next[h] = vertices_until(host, host_moment(s, h, s->begin));
	s->last[h] = vertices_until(host, host_moment(s, h, s->end));
	while (s->last[h] < host->vertices.n && wp_host_vertex(host, s->last[h])->prev == WP_NONE)
		s->last[h]++;
}

/* Whether a map gives each time as it is. */
static gboolean is_unshifted(const WpClockMap *map)
{
	guint n;
	const WpClockKnot *knots = wp_clock_map_get_knots(map, &n);

	for (guint i = 0; i < n; i++)
		if (knots[i].offset != 0)
			return FALSE;
	return TRUE;
}

static gboolean start(Sweep *s, GError **error)
{
	WpGraph *graph = s->graph;

	s->next = g_new0(guint64, graph->n_hosts);
	s->last = g_new0(guint64, graph->n_hosts);
	s->head = g_new0(WpTime, graph->n_hosts);
	s->place = g_new0(guint, graph->n_hosts);
	s->end_place = g_new0(guint, graph->n_hosts);
	s->is_reference = g_new0(gboolean, graph->n_hosts);
	s->unused = WP_NONE;
	memset(s->slots, NO_SLOT, sizeof(s->slots));
	s->slots[WP_STATE_UNKNOWN] = UNKNOWN_SLOT;
	for (guint h = 0; h < graph->n_hosts; h++) {
		s->is_reference[h] = is_unshifted(graph->joins[h].map);
		bound_vertices(s, h);
	}
	if (!wp_rows_init(&s->rows, graph, s->next, s->last, error))
		return FALSE;
	s->row = g_try_new0(Row, s->rows.n_rows);
	if (s->rows.n_rows && !s->row) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for the paths of %u tasks; analyse fewer hosts, or one "
			    "task with `waitpath path`.",
			    s->rows.n_rows);
		return FALSE;
	}
	for (guint32 r = 0; r < s->rows.n_rows; r++)
		s->row[r] = (Row){.since = s->begin,
				  .vertex = WP_NONE,
				  .visit = WP_NONE,
				  .slot = UNKNOWN_SLOT};
	if (s->rests && !wp_rests_init(s->rests, s->rows.n_rows, s->begin, s->end,
				       graph->hosts[0]->memory, error))
		return FALSE;
	for (guint h = 0; h < graph->n_hosts; h++) {
		WpTime moment = host_moment(s, h, s->begin);
		WpTime end = wp_graph_time(graph, h, graph->hosts[h]->end);
		g_autofree WpId *before = find_before(s, h);

		for (guint64 i = 0; i < graph->hosts[h]->tasks.n; i++)
			start_task(s, h, (WpId)i, moment, before);
		if (end < s->end)
			add_event(s, end, HOST_END, h, 0);
	}
	return TRUE;
}

static gboolean sweep(Sweep *s, WpCancel *cancellable, GError **error)
{
	WpTime until;

	for (guint h = 0; h < s->graph->n_hosts; h++)
		look_ahead(s, h);
	for (guint h; s->head[h = first_host(s, &until)] < WP_TIME_MAX;) {
		take_vertices(s, h, until);
		if (s->error)
			break;
		if (wp_cancel_is_cancelled(cancellable)) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
					    "The analysis was cancelled.");
			return FALSE;
		}
	}
	run_events(s, s->end);
	s->now = s->end;
	for (guint32 r = 0; r < s->rows.n_rows; r++)
		close_segment(s, &s->row[r]);
	if (s->error) {
		g_propagate_error(error, g_steal_pointer(&s->error));
		return FALSE;
	}
	return TRUE;
}

/* A task's life in the window; outside of it, all time is of no known state. */
static gboolean get_life(const Sweep *s, guint h, WpId task, WpTime *ret_begin, WpTime *ret_end)
{
	const WpHost *host = s->graph->hosts[h];
	const WpTask *t = wp_host_task(host, task);
	WpTime begin = t->begin;

	if (t->first < host->vertices.n)
		begin = MIN(begin, wp_host_vertex_time(host, t->first));
	*ret_begin = MAX(s->begin, wp_graph_time(s->graph, h, begin));
	*ret_end = MIN(s->end, wp_graph_time(s->graph, h, t->end));
	return *ret_begin < *ret_end;
}

static void add_task(const Sweep *s, WpPrefix *prefix, guint h, WpId task)
{
	const Row *row = &s->row[s->rows.first_row[h] + task];
	WpPrefixTask *t = &prefix->tasks[prefix->n_tasks];

	if (!get_life(s, h, task, &t->begin, &t->end))
		return;
	WpTime unknown = t->end - t->begin;

	prefix->n_tasks++;
	t->host = h;
	t->task = task;
	/* Chains that close to a ring, in damaged graphs, leave time that nobody accounts for, too. */
	for (guint i = 0; i < WP_STATE_N; i++) {
		if (s->slots[i] < s->n_slots)
			t->by_state[i] = row->a.of[s->slots[i]];
		unknown -= t->by_state[i];
	}
	t->by_state[WP_STATE_UNKNOWN] = unknown;
	t->others = row->others;
	t->own = (t->end - t->begin) - t->others;
}

static void sweep_clear(Sweep *s)
{
	for (guint32 i = 0; i < s->n_visits; i++)
		wp_plan_clear(&s->visits[i].plan);
	g_free(s->visits);
	g_free(s->events);
	g_clear_error(&s->error);
	g_free(s->next);
	g_free(s->last);
	g_free(s->head);
	g_free(s->place);
	g_free(s->end_place);
	g_free(s->is_reference);
	g_free(s->row);
	wp_rows_clear(&s->rows);
}

/* Without floors each task's path is a walk of its own. */
static gboolean walk_task(const Sweep *s, WpPrefixTask *t, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpPath) path = wp_path_compute(s->graph, t->host, t->task, t->begin, t->end,
						 WP_PATH_CAUSAL, cancellable, error);

	if (!path)
		return FALSE;
	memset(t->by_state, 0, sizeof(t->by_state));
	t->own = 0;
	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *segment = wp_path_segment(path, i);
		WpTime time = segment->end - segment->begin;

		t->by_state[segment->state] += time;
		if (segment->host == t->host && segment->task == t->task)
			t->own += time;
	}
	t->others = (t->end - t->begin) - t->own;
	return TRUE;
}

static gboolean collect(const Sweep *s, WpPrefix *prefix, WpCancel *cancellable, GError **error)
{
	prefix->tasks = g_try_new0(WpPrefixTask, s->rows.n_rows);
	if (s->rows.n_rows && !prefix->tasks) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for the paths of %u tasks.", s->rows.n_rows);
		return FALSE;
	}
	for (guint h = 0; h < s->graph->n_hosts; h++)
		for (guint64 i = 0; i < s->graph->hosts[h]->tasks.n; i++)
			add_task(s, prefix, h, (WpId)i);
	for (guint64 i = 0; prefix->mode == WP_PATH_CAUSAL && i < prefix->n_tasks; i++)
		if (!walk_task(s, &prefix->tasks[i], cancellable, error))
			return FALSE;
	prefix->n_inconsistent = s->n_inconsistent + s->rows.n_inconsistent;
	prefix->n_steps = s->n_steps;
	return TRUE;
}

/* The sums, and with rests on whom the paths rested. */
static WpPrefix *compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			 gboolean with_rests, WpCancel *cancellable, GError **error)
{
	g_autoptr(WpPrefix) prefix = g_new0(WpPrefix, 1);
	Sweep s = {.graph = graph};
	gboolean done;

	if (begin >= end) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "The window ends at %" G_GINT64_FORMAT
			    ", which is not after its begin, %" G_GINT64_FORMAT ".",
			    end, begin);
		return NULL;
	}
	prefix->graph = graph;
	prefix->begin = begin;
	prefix->end = end;
	prefix->mode = mode;
	if (with_rests)
		s.rests = prefix->rests = g_new0(WpRests, 1);
	done = !clip_window(&s, begin, end) ||
	       (start(&s, error) && (mode == WP_PATH_CAUSAL || sweep(&s, cancellable, error)) &&
		collect(&s, prefix, cancellable, error));
	sweep_clear(&s);
	return done ? g_steal_pointer(&prefix) : NULL;
}

WpPrefix *wp_prefix_compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			    WpCancel *cancellable, GError **error)
{
	return compute(graph, begin, end, mode, FALSE, cancellable, error);
}

WpPrefix *wp_prefix_compute_rests(WpGraph *graph, WpTime begin, WpTime end, WpCancel *cancellable,
				  GError **error)
{
	return compute(graph, begin, end, WP_PATH_ACTIVE, TRUE, cancellable, error);
}

void wp_prefix_free(WpPrefix *prefix)
{
	if (!prefix)
		return;
	if (prefix->rests)
		wp_rests_clear(prefix->rests);
	g_free(prefix->rests);
	g_free(prefix->tasks);
	g_free(prefix);
}
