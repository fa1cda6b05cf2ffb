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
 * Chains read the other way round are trees: whoever is at the root holds all tasks
 * below. Each row that is asked for knows how many wait for it, directly or not, or who they
 * are (followed.h).
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "path/followed.h"
#include "path/prefix.h"
#include "path/wait.h"

/* Vertices between two looks at the cancellable. */
#define POLL_MASK 0xffffu

typedef struct {
	gint64 a[WP_STATE_N]; /* ns, up to since */
	WpTime since; /* begin of the current segment, not before the window's */
	WpTime others; /* of a's time, that on other tasks */
	WpId vertex; /* the current segment's, WP_NONE before the first */
	guint32 position; /* among the task's vertices: not behind the next one */
	guint32 visit; /* WP_NONE: the segment is of one state */
	guint8 state;
} Row;

/* How many wait for a row, and for how long the paths of these have rested on it. */
typedef struct {
	guint32 waiters;
	guint32 weight; /* 1: counts itself when it waits */
	WpTime since; /* counted up to then */
	WpTime held;
} Holder;

/* Slots are used again; the numbers of those that are free lie in a stack. */
typedef struct {
	gint64 sum[WP_STATE_N]; /* of the pieces before `from`, minus A of this piece's row there */
	WpTime from; /* begin of the piece that time has come to */
	WpPlan plan; /* owned */
	guint32 current; /* that piece */
	guint32 owner; /* row */
	guint32 serial; /* counts uses of the slot */
	guint8 apart; /* the owner hangs on nobody, though the piece is another's history */
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
	Holder *holder; /* owned: rows.n_rows, NULL: not asked for */
	WpFollowed *followed; /* owned, NULL: not asked for; then there are holders, too */
	gboolean follows_any; /* not only those that were asked for by name */
	GArray *visits; /* owned: Visit */
	GArray *unused; /* owned: guint32, visits that are free */
	GArray *events; /* owned: Event, a heap */
	guint64 *next, *last; /* owned: of each host, the vertices to take */
	WpTime *head; /* owned: the time of each host's next, WP_TIME_MAX when there is none */
	guint *place,
		*end_place; /* owned: of each host, in its clock map: of head, and of waits' ends */
	guint64 n_inconsistent, n_steps;
} Sweep;

/* What is asked for beyond the sums. */
typedef struct {
	const WpWaiters *waiters; /* borrowed, NULL: nothing */
	gboolean followed; /* whom they waited for, else who held them */
} Wanted;

static gboolean event_is_before(const Event *a, const Event *b)
{
	return a->time != b->time ? a->time < b->time : a->kind < b->kind;
}

static void add_event(Sweep *s, WpTime time, EventKind kind, guint32 what, guint32 serial)
{
	Event event = {time, kind, what, serial};
	guint i = s->events->len;

	g_array_append_val(s->events, event);
	Event *heap = (Event *)(gpointer)s->events->data;
	for (; i > 0 && event_is_before(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = event;
}

static Event take_event(Sweep *s)
{
	Event *heap = (Event *)(gpointer)s->events->data;
	Event first = heap[0], moved = heap[s->events->len - 1];
	guint n = s->events->len - 1, i = 0;

	g_array_set_size(s->events, n);
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

static void add_vector(gint64 *sum, const gint64 *vector, gint64 sign)
{
	for (guint i = 0; i < WP_STATE_N; i++)
		sum[i] += sign * vector[i];
}

/*
 * What the segment that a row is in brings until time (now, or the end of a piece that
 * ends now): its own time, or for a visit the pieces of it, along the chain of those
 * that wait for each other. Chains that damaged graphs close to a ring are cut.
 */
static void add_segment(Sweep *s, guint32 r, WpTime time, gint64 sign, gint64 *sum)
{
	for (guint32 n = 0; n <= s->rows.n_rows; n++) {
		const Row *row = &s->row[r];

		s->n_steps++;
		/* Also where the chain would come back: A waits from now on for B, B until now for A. */
		if (time == row->since)
			return;
		if (row->visit == WP_NONE) {
			sum[row->state] += sign * (time - row->since);
			return;
		}

		const Visit *visit = &g_array_index(s->visits, Visit, row->visit);
		WpTime from = visit->from;
		guint i = visit->current;

		add_vector(sum, visit->sum, sign);
		for (; i < visit->plan.n && !wp_piece_is_history(&visit->plan.pieces[i]); i++) {
			const WpPiece *piece = &visit->plan.pieces[i];

			sum[piece->state] += sign * (MIN(piece->end, time) - from);
			from = MIN(piece->end, time);
			if (from == time)
				return;
		}
		if (i == visit->plan.n)
			return;
		r = visit->plan.pieces[i].row;
		add_vector(sum, s->row[r].a, sign);
	}
	s->n_inconsistent++;
}

/* A of a row, now. */
static void add_value(Sweep *s, guint32 r, gint64 sign, gint64 *sum)
{
	add_vector(sum, s->row[r].a, sign);
	add_segment(s, r, s->now, sign, sum);
}

/* The piece that a row is in, NULL: none. */
static const WpPiece *piece_of(const Sweep *s, guint32 r)
{
	const Visit *visit;

	if (s->row[r].visit == WP_NONE)
		return NULL;
	visit = &g_array_index(s->visits, Visit, s->row[r].visit);
	return visit->current < visit->plan.n && !visit->apart ? &visit->plan.pieces[visit->current]
							       : NULL;
}

/* The row whose history a row waits for now, WP_NONE: the path rests. */
static guint32 waits_for(const Sweep *s, guint32 r)
{
	const WpPiece *piece = piece_of(s, r);

	return piece && wp_piece_is_history(piece) ? piece->row : WP_NONE;
}

/* Time up to now, in which a row was at the root of all that wait for it. */
static void count_held(Sweep *s, guint32 r)
{
	const WpPiece *piece = piece_of(s, r);
	Holder *holder = &s->holder[r];
	WpTime time = s->now - holder->since;
	/* A piece for which another task is to blame, as the row is itself. */
	gboolean blames = piece && piece->row != WP_NONE;

	if (blames)
		s->holder[piece->row].held += (holder->waiters + holder->weight) * time;
	else
		holder->held += holder->waiters * time;
	if (s->followed)
		wp_followed_rest(s->followed, r, blames ? piece->row : r, time);
	holder->since = s->now;
}

/* What is put below a row, or taken from there. */
typedef struct {
	guint32 n; /* rows that count */
	WpFollowedSet set;
} Load;

static gboolean is_nothing(const Load *load)
{
	return load->n == 0 && wp_followed_set_is_empty(&load->set);
}

/*
 * Puts a load (sign 1) below `other` and all that it waits for, or takes it from there (-1).
 * FALSE when this comes to `end`, behind which it does not go.
 */
static gboolean carry(Sweep *s, const Load *load, guint32 other, guint32 end, gint sign)
{
	for (guint32 i = 0; i <= s->rows.n_rows && other != WP_NONE && other != end; i++) {
		guint32 next = waits_for(s, other);

		s->n_steps++;
		if (next == WP_NONE)
			count_held(s, other);
		s->holder[other].waiters += sign > 0 ? load->n : -load->n;
		if (s->followed)
			wp_followed_flip(s->followed, other, &load->set);
		other = next;
	}
	return other == WP_NONE;
}

static Load load_of(const Sweep *s, guint32 r)
{
	Load load = {s->holder[r].waiters + s->holder[r].weight, {{0}}};

	if (s->followed)
		load.set = *wp_followed_get(s->followed, r);
	return load;
}

/* A row waits no more for another one, with all that wait for it. */
static void let_go(Sweep *s, guint32 r, guint32 other)
{
	Load load = load_of(s, r);

	if (!is_nothing(&load))
		carry(s, &load, other, r, -1);
	s->holder[r].since = s->now;
}

/*
 * The chain from `other` comes back to r. That is so for a moment only, when r begins to wait for
 * one whose wait for r ends now and is yet to be closed: that is let go now. FALSE where no wait
 * on the way ends, which a damaged graph may say.
 */
static gboolean cut_ring(Sweep *s, guint32 r, guint32 other)
{
	for (guint32 i = 0; i <= s->rows.n_rows && other != r; i++) {
		const WpPiece *piece = piece_of(s, other);

		if (!piece || !wp_piece_is_history(piece))
			return FALSE;
		if (piece->end <= s->now) {
			let_go(s, other, piece->row);
			g_array_index(s->visits, Visit, s->row[other].visit).apart = TRUE;
			return TRUE;
		}
		other = piece->row;
	}
	return FALSE;
}

/* A row begins to wait for another one, with all that wait for it; FALSE when it can't. */
static gboolean hold(Sweep *s, guint32 r, guint32 other)
{
	Load load;

	count_held(s, r);
	load = load_of(s, r);
	if (!is_nothing(&load) && !carry(s, &load, other, r, 1)) {
		carry(s, &load, other, r, -1);
		if (!cut_ring(s, r, other))
			return FALSE;
		load = load_of(s, r);
		return carry(s, &load, other, r, 1);
	}
	return TRUE;
}

/* Time has come to a piece: takes A at its begin, and asks to be told of its end if need be. */
static void begin_piece(Sweep *s, guint32 v)
{
	Visit *visit = &g_array_index(s->visits, Visit, v);
	const WpPlan *plan = &visit->plan;
	const WpPiece *piece = &plan->pieces[visit->current];
	gboolean more = piece->row != WP_NONE;

	if (wp_piece_is_history(piece)) {
		add_value(s, piece->row, -1, visit->sum);
		visit->apart = s->holder && !hold(s, visit->owner, piece->row);
	}
	/* The owner's time is counted when it is asked for; only before others' it is now. */
	for (guint i = visit->current + 1; i < plan->n && !more; i++)
		more = plan->pieces[i].row != WP_NONE;
	if (more && visit->current + 1 < plan->n)
		add_event(s, piece->end, NEXT_PIECE, v, visit->serial);
}

/* Nobody's history counts from here on. */
static void leave_piece(Sweep *s, guint32 owner, const WpPiece *piece)
{
	if (wp_piece_is_history(piece))
		let_go(s, owner, piece->row);
	else
		count_held(s, owner);
}

static void end_piece(Sweep *s, guint32 v, guint32 serial)
{
	Visit *visit = &g_array_index(s->visits, Visit, v);

	if (visit->serial != serial || visit->current + 1 >= visit->plan.n)
		return;
	const WpPiece *piece = &visit->plan.pieces[visit->current];
	if (s->holder && !visit->apart)
		leave_piece(s, visit->owner, piece);
	visit->apart = FALSE;
	if (wp_piece_is_history(piece))
		add_value(s, piece->row, 1, visit->sum);
	else
		visit->sum[piece->state] += piece->end - visit->from;
	visit->from = piece->end;
	visit->current++;
	begin_piece(s, v);
}

static guint32 new_visit(Sweep *s)
{
	guint32 v;

	if (s->unused->len == 0) {
		g_array_set_size(s->visits, s->visits->len + 1);
		return s->visits->len - 1;
	}
	v = g_array_index(s->unused, guint32, s->unused->len - 1);
	g_array_set_size(s->unused, s->unused->len - 1);
	return v;
}

static void end_visit(Sweep *s, Row *row)
{
	g_array_index(s->visits, Visit, row->visit).serial++;
	g_array_append_val(s->unused, row->visit);
	row->visit = WP_NONE;
}

/* The row's task has come to a wait, at the begin of which the row stands. */
static void begin_wait(Sweep *s, guint h, guint32 r, const WpVertex *v)
{
	WpHost *host = s->graph->hosts[h];
	Row *row = &s->row[r];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(host, v->task, &vertices);

	while (row->position < n && vertices[row->position] <= row->vertex)
		row->position++;

	WpTime host_end = row->position < n ? wp_host_vertex(host, vertices[row->position])->time
					    : host->end;
	WpTime end = wp_clock_map_apply_near(s->graph->joins[h].map, host_end, &s->end_place[h]);
	guint32 number = new_visit(s);
	Visit *visit = &g_array_index(s->visits, Visit, number);

	if (!wp_plan_wait(&visit->plan, &s->rows, h, v, host_end, row->since, end, end <= s->end,
			  &s->n_inconsistent)) {
		g_array_append_val(s->unused, number);
		return;
	}
	memset(visit->sum, 0, sizeof(visit->sum));
	visit->from = row->since;
	visit->current = 0;
	visit->apart = FALSE;
	visit->owner = r;
	if (s->holder)
		count_held(s, r);
	/* Up to now its path was its own. */
	if (s->follows_any)
		wp_followed_add(s->followed, r);
	begin_piece(s, number);
	row->visit = number;
}

/* Closes the row's segment now. */
static void close_segment(Sweep *s, guint32 r)
{
	Row *row = &s->row[r];

	if (row->visit == WP_NONE) {
		row->a[row->state] += s->now - row->since;
	} else {
		const WpPlan *plan = &g_array_index(s->visits, Visit, row->visit).plan;

		if (s->holder && piece_of(s, r))
			leave_piece(s, r, piece_of(s, r));
		row->others += MIN(plan->arrival, s->now) - row->since;
		add_segment(s, r, s->now, 1, row->a);
		end_visit(s, row);
	}
	row->since = s->now;
}

static void enter_vertex(Sweep *s, guint h, guint32 r, WpId id)
{
	const WpVertex *v = wp_host_vertex(s->graph->hosts[h], id);
	Row *row = &s->row[r];

	close_segment(s, r);
	row->vertex = id;
	row->state = v->state < WP_STATE_N ? v->state : WP_STATE_UNKNOWN;
	if (v->cause != WP_NONE && wp_state_is_wait((WpState)row->state))
		begin_wait(s, h, r, v);
}

/* A vertex that stands in the column behind later ones. */
static void enter_early(Sweep *s, guint h, WpId id)
{
	guint32 r = s->rows.first_row[h] + wp_host_vertex(s->graph->hosts[h], id)->task;

	if (s->row[r].vertex == WP_NONE || s->row[r].vertex < id)
		enter_vertex(s, h, r, id);
}

/* Nothing is known of a host's tasks after its last event. */
static void end_host(Sweep *s, guint h)
{
	for (guint32 r = s->rows.first_row[h]; r < s->rows.first_row[h + 1]; r++) {
		close_segment(s, r);
		s->row[r].state = WP_STATE_UNKNOWN;
	}
	s->next[h] = s->last[h] = 0;
	s->head[h] = WP_TIME_MAX;
}

static void run_events(Sweep *s, WpTime until)
{
	while (s->events->len && g_array_index(s->events, Event, 0).time <= until) {
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

/* The time of a host's next vertex. */
static void look_ahead(Sweep *s, guint h)
{
	s->head[h] = WP_TIME_MAX;
	if (s->next[h] < s->last[h])
		s->head[h] = wp_clock_map_apply_near(
			s->graph->joins[h].map,
			wp_host_vertex(s->graph->hosts[h], s->next[h])->time, &s->place[h]);
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

/* Takes the next vertex of a host, and those behind it up to a time. */
static void take_vertices(Sweep *s, guint h, WpTime until)
{
	const WpHost *host = s->graph->hosts[h];

	do {
		WpId id = (WpId)s->next[h]++;
		const WpVertex *v = wp_host_vertex(host, id);
		WpTime time = s->head[h];

		look_ahead(s, h);
		s->n_steps++;
		if (G_UNLIKELY(v->task >= host->tasks.n || time > s->end))
			continue;
		guint32 r = s->rows.first_row[h] + v->task;
		if (s->events->len)
			run_events(s, time);
		if (id >= s->last[h])
			return; /* the host's end came first */
		if (s->row[r].vertex != WP_NONE && id <= s->row[r].vertex)
			continue; /* entered already */
		s->now = MAX(s->now, time);
		enter_vertex(s, h, r, id);
	} while (s->head[h] <= until && s->next[h] < s->last[h] && (s->next[h] & POLL_MASK));
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
		if (probe < high && wp_host_vertex(host, probe)->time <= host_time)
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

/* Where a task stands at the window's begin. */
static void start_task(Sweep *s, guint h, WpId task, WpTime moment)
{
	WpHost *host = s->graph->hosts[h];
	WpId first = wp_host_task(host, task)->first;
	guint32 r = s->rows.first_row[h] + task;
	const WpId *vertices;

	if (first >= host->vertices.n)
		return;
	WpTime time = wp_host_vertex(host, first)->time;
	if (time <= moment) {
		gint64 at = wp_host_task_find(host, task, moment);

		/* In a damaged graph a task's first vertex may be another's. */
		if (at < 0)
			return;
		wp_host_task_vertices(host, task, &vertices);
		s->row[r].position = (guint32)at;
		enter_vertex(s, h, r, vertices[at]);
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

static gboolean start_holders(Sweep *s, const Wanted *wanted, GError **error)
{
	const WpWaiters *waiters = wanted->waiters;

	s->holder = g_try_new0(Holder, s->rows.n_rows);
	s->followed = wanted->followed ? wp_followed_new(s->rows.n_rows) : NULL;
	s->follows_any = wanted->followed && !waiters->tasks;
	if ((s->rows.n_rows && !s->holder) || (wanted->followed && !s->followed)) {
		g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
			    "Out of memory for the holders of %u tasks.", s->rows.n_rows);
		return FALSE;
	}
	for (guint32 r = 0; r < s->rows.n_rows; r++)
		s->holder[r] = (Holder){.weight = !waiters->tasks && !wanted->followed,
					.since = s->begin};
	for (guint i = 0; waiters->tasks && i < waiters->n_tasks; i++) {
		guint32 r = s->rows.first_row[waiters->tasks[i].host] + waiters->tasks[i].task;

		if (wanted->followed)
			wp_followed_add(s->followed, r);
		else
			s->holder[r].weight = 1;
	}
	return TRUE;
}

static gboolean start(Sweep *s, const Wanted *wanted, GError **error)
{
	WpGraph *graph = s->graph;

	s->next = g_new0(guint64, graph->n_hosts);
	s->last = g_new0(guint64, graph->n_hosts);
	s->head = g_new0(WpTime, graph->n_hosts);
	s->place = g_new0(guint, graph->n_hosts);
	s->end_place = g_new0(guint, graph->n_hosts);
	s->visits = g_array_new(FALSE, TRUE, sizeof(Visit));
	s->unused = g_array_new(FALSE, FALSE, sizeof(guint32));
	s->events = g_array_new(FALSE, FALSE, sizeof(Event));
	for (guint h = 0; h < graph->n_hosts; h++)
		bound_vertices(s, h);
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
				  .state = WP_STATE_UNKNOWN};
	if (wanted->waiters && !start_holders(s, wanted, error))
		return FALSE;
	for (guint h = 0; h < graph->n_hosts; h++) {
		WpTime moment = host_moment(s, h, s->begin);
		WpTime end = wp_graph_time(graph, h, graph->hosts[h]->end);

		for (guint64 i = 0; i < graph->hosts[h]->tasks.n; i++)
			start_task(s, h, (WpId)i, moment);
		if (end < s->end)
			add_event(s, end, HOST_END, h, 0);
	}
	return TRUE;
}

static gboolean sweep(Sweep *s, GCancellable *cancellable, GError **error)
{
	WpTime until;

	for (guint h = 0; h < s->graph->n_hosts; h++)
		look_ahead(s, h);
	for (guint h; s->head[h = first_host(s, &until)] < WP_TIME_MAX;) {
		take_vertices(s, h, until);
		if (g_cancellable_is_cancelled(cancellable)) {
			g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
					    "The analysis was cancelled.");
			return FALSE;
		}
	}
	run_events(s, s->end);
	s->now = s->end;
	for (guint32 r = 0; r < s->rows.n_rows; r++)
		close_segment(s, r);
	return TRUE;
}

/* A task's life in the window; outside of it, all time is of no known state. */
static gboolean get_life(const Sweep *s, guint h, WpId task, WpTime *ret_begin, WpTime *ret_end)
{
	const WpHost *host = s->graph->hosts[h];
	const WpTask *t = wp_host_task(host, task);
	WpTime begin = t->begin;

	if (t->first < host->vertices.n)
		begin = MIN(begin, wp_host_vertex(host, t->first)->time);
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
	WpTime missing = t->end - t->begin;

	prefix->n_tasks++;
	t->host = h;
	t->task = task;
	memcpy(t->by_state, row->a, sizeof(t->by_state));
	t->by_state[WP_STATE_UNKNOWN] -= (t->begin - s->begin) + (s->end - t->end);
	/* Chains that close to a ring, in damaged graphs, leave time that nobody accounts for. */
	for (guint i = 0; i < WP_STATE_N; i++)
		missing -= t->by_state[i];
	t->by_state[WP_STATE_UNKNOWN] += missing;
	t->others = row->others;
	t->own = (t->end - t->begin) - t->others;
	if (s->holder)
		t->held = s->holder[s->rows.first_row[h] + task].held;
	if (s->followed)
		t->followed = t->others == 0 ||
			      wp_followed_has(s->followed, s->rows.first_row[h] + task);
}

static WpTaskRef task_of_row(const Sweep *s, guint32 row)
{
	guint h = 0;

	while (s->rows.first_row[h + 1] <= row)
		h++;
	return (WpTaskRef){h, row - s->rows.first_row[h]};
}

static void collect_waited(const Sweep *s, WpPrefix *prefix)
{
	g_autoptr(GArray) times = wp_followed_finish(s->followed);

	prefix->waited = g_array_sized_new(FALSE, FALSE, sizeof(WpWaited), times->len);
	for (guint i = 0; i < times->len; i++) {
		const WpFollowedTime *time = &g_array_index(times, WpFollowedTime, i);
		WpWaited waited = {task_of_row(s, time->waiter), task_of_row(s, time->holder),
				   time->time};

		g_array_append_val(prefix->waited, waited);
	}
}

static void sweep_clear(Sweep *s)
{
	for (guint i = 0; s->visits && i < s->visits->len; i++)
		wp_plan_clear(&g_array_index(s->visits, Visit, i).plan);
	g_clear_pointer(&s->visits, g_array_unref);
	g_clear_pointer(&s->unused, g_array_unref);
	g_clear_pointer(&s->events, g_array_unref);
	g_free(s->next);
	g_free(s->last);
	g_free(s->head);
	g_free(s->place);
	g_free(s->end_place);
	g_free(s->row);
	g_free(s->holder);
	wp_followed_free(s->followed);
	wp_rows_clear(&s->rows);
}

/* Without floors each task's path is a walk of its own. */
static gboolean walk_task(const Sweep *s, WpPrefixTask *t, GCancellable *cancellable,
			  GError **error)
{
	g_autoptr(WpPath) path = wp_path_compute(s->graph, t->host, t->task, t->begin, t->end,
						 WP_PATH_CAUSAL, cancellable, error);

	if (!path)
		return FALSE;
	memset(t->by_state, 0, sizeof(t->by_state));
	t->own = 0;
	for (guint i = 0; i < path->segments->len; i++) {
		const WpSegment *segment = &g_array_index(path->segments, WpSegment, i);
		WpTime time = segment->end - segment->begin;

		t->by_state[segment->state] += time;
		if (segment->host == t->host && segment->task == t->task)
			t->own += time;
	}
	t->others = (t->end - t->begin) - t->own;
	return TRUE;
}

static gboolean collect(const Sweep *s, WpPrefix *prefix, GCancellable *cancellable, GError **error)
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
	if (s->followed)
		collect_waited(s, prefix);
	prefix->n_inconsistent = s->n_inconsistent + s->rows.n_inconsistent;
	prefix->n_steps = s->n_steps;
	return TRUE;
}

static WpPrefix *compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			 const Wanted *wanted, GCancellable *cancellable, GError **error)
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
	prefix->begin = begin;
	prefix->end = end;
	prefix->mode = mode;
	done = !clip_window(&s, begin, end) ||
	       (start(&s, wanted, error) &&
		(mode == WP_PATH_CAUSAL || sweep(&s, cancellable, error)) &&
		collect(&s, prefix, cancellable, error));
	sweep_clear(&s);
	return done ? g_steal_pointer(&prefix) : NULL;
}

WpPrefix *wp_prefix_compute(WpGraph *graph, WpTime begin, WpTime end, WpPathMode mode,
			    GCancellable *cancellable, GError **error)
{
	static const Wanted nothing = {NULL, FALSE};

	return compute(graph, begin, end, mode, &nothing, cancellable, error);
}

WpPrefix *wp_prefix_compute_holders(WpGraph *graph, WpTime begin, WpTime end,
				    const WpWaiters *waiters, GCancellable *cancellable,
				    GError **error)
{
	const Wanted wanted = {waiters, FALSE};

	return compute(graph, begin, end, WP_PATH_ACTIVE, &wanted, cancellable, error);
}

WpPrefix *wp_prefix_compute_followed(WpGraph *graph, WpTime begin, WpTime end,
				     const WpWaiters *waiters, GCancellable *cancellable,
				     GError **error)
{
	const Wanted wanted = {waiters, TRUE};

	return compute(graph, begin, end, WP_PATH_ACTIVE, &wanted, cancellable, error);
}

const WpWaited *wp_prefix_get_waited(const WpPrefix *prefix, const WpPrefixTask *task, guint *ret_n)
{
	const GArray *waited = prefix->waited;
	guint low = 0, high = waited ? waited->len : 0, end;

	/* The lines are in the order of their waiters. */
	while (low < high) {
		guint middle = low + (high - low) / 2;
		const WpTaskRef *waiter = &g_array_index(waited, WpWaited, middle).waiter;

		if (waiter->host < task->host ||
		    (waiter->host == task->host && waiter->task < task->task))
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; waited && end < waited->len; end++) {
		const WpTaskRef *waiter = &g_array_index(waited, WpWaited, end).waiter;

		if (waiter->host != task->host || waiter->task != task->task)
			break;
	}
	*ret_n = end - low;
	return end > low ? &g_array_index(waited, WpWaited, low) : NULL;
}

void wp_prefix_free(WpPrefix *prefix)
{
	if (!prefix)
		return;
	g_free(prefix->tasks);
	g_clear_pointer(&prefix->waited, g_array_unref);
	g_free(prefix);
}
