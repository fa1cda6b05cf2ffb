/* SPDX-License-Identifier: MIT */
/*
 * rests.c: what was written down is played back: who waits for whom are trees, and each row
 * carries how many wait for it, or who they are (followed.h). Before that changes at a root, the
 * time since its last change is counted.
 *
 * Waits that were alone have been taken out, and are added once for each pair of rows.
 *
 * All changes of one moment are made together, first what ends, then what begins: so no chain
 * comes back to itself for a moment only.
 */
#include "config.h"

#include "base/error.h"
#include "path/followed.h"
#include "path/rests.h"

/* Functions whose n_words is known where they stand. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
/* Between two looks at the cancellable. */
#define POLL_MOMENTS 65536

typedef struct {
	WpTime since; /* a root's time is counted up to then */
	guint32 n_waiters; /* whose weight counts (the followed, if they are), without the row */
	guint32 other; /* as in a record */
	guint32 last; /* the latest record of the moment, + 1 */
	guint8 waits, weight;
} Row;

typedef struct {
	WpRests *rests; /* borrowed */
	Row *rows; /* borrowed */
	WpFollowed *followed; /* borrowed, NULL: numbers are enough */
	guint64 *
		sets; /* borrowed: by row, n_words each: the followed in its tree below, and itself */
	guint n_words;
	WpTime *held; /* borrowed, NULL: who they are is asked for */
	WpTime now;
} Play;

/* What is put below a row, or taken from there. */
typedef struct {
	guint32 n; /* rows that count */
	guint64 set[WP_FOLLOWED_WORDS_MAX];
} Load;

/* What a record tells, but its time. */
typedef struct {
	guint32 row, other;
	gboolean waits;
} Rest;

/* More of them would leave too little for a gap's time. */
#define ROW_BITS_MAX 30u

static void set_out_of_memory(const WpRests *rests, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_LIMIT,
		    "Out of memory for the holders of %u tasks; analyse fewer hosts at a time.",
		    rests->n_rows);
}

gboolean wp_rests_init(WpRests *rests, guint32 n_rows, WpTime begin, WpTime end, WpMemory *memory,
		       GError **error)
{
	*rests = (WpRests){.n_rows = n_rows, .begin = begin, .end = end, .last = begin};
	wp_column_init(&rests->records, sizeof(guint64), memory);
	wp_column_init(&rests->alone, sizeof(WpRestAlone), memory);
	wp_intmap_init(&rests->alone_index);
	/* So that none is the number of no row. */
	rests->bits = g_bit_storage(n_rows);
	rests->none = (1u << MIN(rests->bits, ROW_BITS_MAX)) - 1;
	if (rests->bits > ROW_BITS_MAX) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_LIMIT,
				    "The traces have more than 2^30 tasks together; "
				    "analyse fewer hosts at a time.");
		return FALSE;
	}
	rests->latest = g_try_new(guint32, n_rows);
	if (n_rows && !rests->latest) {
		set_out_of_memory(rests, error);
		return FALSE;
	}
	for (guint32 r = 0; r < n_rows; r++)
		rests->latest[r] = WP_NONE;
	return TRUE;
}

/* Its bits above the row are those of the time above the bits below the row. */
gboolean wp_rests_add_gap(WpRests *rests, guint64 time, GError **error)
{
	const guint below = rests->bits + 1;
	const guint64 longest = G_MAXUINT64 >> rests->bits,
		      low = (G_GUINT64_CONSTANT(1) << below) - 1;

	for (guint64 part; time > 0; time -= part) {
		guint64 *record = wp_column_push(&rests->records, error);

		if (!record)
			return FALSE;
		part = MIN(time, longest);
		*record = ((part >> below << rests->bits) | rests->none) << below | (part & low);
	}
	return TRUE;
}

gboolean wp_rests_add_alone_to(WpRests *rests, guint32 row, guint32 other, WpTime time,
			       GError **error)
{
	const guint32 next = (guint32)rests->alone.n;
	const guint32 found =
		wp_intmap_add(&rests->alone_index, (guint64)row << 32 | other, next);
	WpRestAlone *alone;

	rests->latest[row] = found;
	if (found != next) {
		WP_AT(&rests->alone, WpRestAlone, found).time += time;
		return TRUE;
	}
	alone = wp_column_push(&rests->alone, error);
	if (!alone)
		return FALSE;
	*alone = (WpRestAlone){time, row, other};
	return TRUE;
}

static inline guint32 row_of(const WpRests *rests, guint64 record)
{
	return (guint32)(record >> (rests->bits + 1)) & rests->none;
}

static inline Rest rest_of(const WpRests *rests, guint64 record)
{
	return (Rest){.row = row_of(rests, record),
		      .other = (guint32)(record >> 1) & rests->none,
		      .waits = record & 1};
}

/* Time since the record before; for a gap a part of it. */
static inline guint64 later_of(const WpRests *rests, guint64 record)
{
	return record >> (2 * rests->bits + 1);
}

static inline gboolean is_gap(const WpRests *rests, guint64 record)
{
	return row_of(rests, record) == rests->none;
}

static guint64 time_of_gap(const WpRests *rests, guint64 record)
{
	const guint below = rests->bits + 1;

	return later_of(rests, record) << below | (record & ((G_GUINT64_CONSTANT(1) << below) - 1));
}

static inline guint64 record_at(const WpRests *rests, guint64 i)
{
	return WP_AT(&rests->records, guint64, i);
}

void wp_rests_clear(WpRests *rests)
{
	wp_column_clear(&rests->records);
	wp_column_clear(&rests->alone);
	wp_intmap_clear(&rests->alone_index);
	g_clear_pointer(&rests->latest, g_free);
}

/* The time up to now in which a row was at the root of all that wait for it. */
ALWAYS_INLINE void count(Play *p, guint n_words, guint32 r)
{
	Row *row = &p->rows[r];
	WpTime time = p->now - row->since;
	gboolean blames = row->other != p->rests->none;

	row->since = p->now;
	/* On itself it does not wait. */
	if (row->n_waiters + (blames ? row->weight : 0) == 0 || time == 0)
		return;
	if (p->followed)
		wp_followed_rest(p->followed, &p->sets[(gsize)r * n_words], blames ? row->other : r,
				 time);
	else if (blames)
		p->held[row->other] += (row->n_waiters + row->weight) * time;
	else
		p->held[r] += row->n_waiters * time;
}

ALWAYS_INLINE void change(Play *p, guint n_words, guint32 r, const Load *load, gint sign)
{
	p->rows[r].n_waiters += sign > 0 ? load->n : -load->n;
	for (guint i = 0; i < n_words; i++)
		p->sets[(gsize)r * n_words + i] ^= load->set[i];
}

/*
 * Puts a load (sign 1) below r and all that it waits for, or takes it from there (-1). FALSE
 * when this comes to `end`, behind which it does not go.
 */
ALWAYS_INLINE gboolean carry(Play *p, guint n_words, const Load *load, guint32 r, guint32 end,
			     gint sign)
{
	while (r != end) {
		p->rests->n_steps++;
		if (!p->rows[r].waits) {
			count(p, n_words, r);
			change(p, n_words, r, load, sign);
			return TRUE;
		}
		change(p, n_words, r, load, sign);
		r = p->rows[r].other;
	}
	return FALSE;
}

/* What a row carries, itself among it; FALSE: nothing. */
ALWAYS_INLINE gboolean get_load(const Play *p, guint n_words, guint32 r, Load *ret_load)
{
	ret_load->n = p->rows[r].n_waiters + p->rows[r].weight;
	for (guint i = 0; ret_load->n > 0 && i < n_words; i++)
		ret_load->set[i] = p->sets[(gsize)r * n_words + i];
	return ret_load->n > 0;
}

/* What the row did until now ends. */
ALWAYS_INLINE void leave(Play *p, guint n_words, guint32 r)
{
	Row *row = &p->rows[r];
	Load load;

	if (!row->waits)
		count(p, n_words, r);
	else if (get_load(p, n_words, r, &load))
		carry(p, n_words, &load, row->other, r, -1);
	row->since = p->now;
	row->waits = FALSE;
	row->other = p->rests->none;
}

ALWAYS_INLINE void enter(Play *p, guint n_words, const Rest *rest)
{
	const guint32 r = rest->row;
	Row *row = &p->rows[r];
	Load load;

	if (rest->waits && get_load(p, n_words, r, &load) &&
	    !carry(p, n_words, &load, rest->other, r, 1)) {
		/* A ring, as damaged graphs have them: then it rests where it is. */
		carry(p, n_words, &load, rest->other, r, -1);
		return;
	}
	row->other = rest->other;
	row->waits = rest->waits != 0;
}

/* Whether a record is of the same moment as the one in front of it. */
static inline gboolean goes_on(const WpRests *rests, guint64 record)
{
	return later_of(rests, record) == 0 && !is_gap(rests, record);
}

/* Takes all records of the moment, from `first` on; returns where the next ones are. */
static guint64 take_moment(Play *p, guint64 first)
{
	const WpRests *rests = p->rests;
	guint64 end = first;

	do {
		const guint32 r = row_of(rests, record_at(rests, end));

		if (p->rows[r].last <= first)
			leave(p, p->n_words, r);
		p->rows[r].last = (guint32)++end;
	} while (end < rests->records.n && goes_on(rests, record_at(rests, end)));
	for (guint64 i = first; i < end; i++) {
		const Rest rest = rest_of(rests, record_at(rests, i));

		if (rest.other != rests->none && p->rows[rest.row].last == i + 1)
			enter(p, p->n_words, &rest);
	}
	return end;
}

/* Takes the records of the next moment, mostly one; returns where those of the one behind it are. */
ALWAYS_INLINE guint64 take_next(Play *p, guint n_words, guint64 first)
{
	const WpRests *rests = p->rests;
	const guint64 record = record_at(rests, first);
	Rest rest;

	if (G_UNLIKELY(is_gap(rests, record))) {
		p->now += (WpTime)time_of_gap(rests, record);
		return first + 1;
	}
	p->now += (WpTime)later_of(rests, record);
	rest = rest_of(rests, record);
	/* A record that was made void, mostly: the row rests on itself as before. */
	if (rest.other == rests->none && p->rows[rest.row].other == rests->none)
		return first + 1;
	if (first + 1 < rests->records.n && goes_on(rests, record_at(rests, first + 1)))
		return take_moment(p, first);
	leave(p, n_words, rest.row);
	if (rest.other != rests->none)
		enter(p, n_words, &rest);
	return first + 1;
}

static gboolean play(Play *p, const guint8 *weights, WpCancel *cancellable, GError **error)
{
	WpRests *rests = p->rests;
	g_autofree Row *rows = g_try_new0(Row, rests->n_rows);
	guint n_moments = 0;

	if (rests->n_rows && !rows) {
		set_out_of_memory(rests, error);
		return FALSE;
	}
	p->rows = rows;
	p->now = rests->begin;
	for (guint32 r = 0; r < rests->n_rows; r++)
		rows[r] = (Row){.since = rests->begin,
				.other = rests->none,
				.weight = weights && weights[r]};
	for (guint64 i = 0; i < rests->records.n;) {
		/* Mostly no more than 64 are followed, and that is quicker when it is known here. */
		i = p->n_words == 1 ? take_next(p, 1, i) : take_next(p, p->n_words, i);
		if (++n_moments % POLL_MOMENTS || !wp_cancel_is_cancelled(cancellable))
			continue;
		g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The analysis was cancelled.");
		return FALSE;
	}
	p->now = rests->end;
	for (guint32 r = 0; r < rests->n_rows; r++)
		if (!rows[r].waits)
			count(p, p->n_words, r);
	return TRUE;
}

gboolean wp_rests_find_held(WpRests *rests, const guint8 *weights, WpTime *held,
			    WpCancel *cancellable, GError **error)
{
	Play p = {.rests = rests, .held = held};

	for (guint64 i = 0; weights && i < rests->alone.n; i++) {
		const WpRestAlone *alone = &WP_AT(&rests->alone, WpRestAlone, i);

		held[alone->other] += weights[alone->row] * alone->time;
	}
	return play(&p, weights, cancellable, error);
}

GArray *wp_rests_find_holders(WpRests *rests, const guint32 *rows, guint n, WpCancel *cancellable,
			      GError **error)
{
	g_autoptr(WpFollowed) followed = wp_followed_new(rests->n_rows, rows, n);
	const guint n_words = wp_followed_n_words(n);
	g_autofree guint64 *sets = g_try_new0(guint64, (gsize)rests->n_rows * n_words);
	g_autofree guint8 *weights = g_try_new0(guint8, rests->n_rows);
	Play p = {.rests = rests, .followed = followed, .sets = sets, .n_words = n_words};

	if (!followed || (rests->n_rows && (!sets || !weights))) {
		set_out_of_memory(rests, error);
		return NULL;
	}
	for (guint i = 0; i < n; i++) {
		sets[(gsize)rows[i] * n_words + i / 64] |= G_GUINT64_CONSTANT(1) << i % 64;
		weights[rows[i]] = 1;
	}
	for (guint64 i = 0; i < rests->alone.n; i++) {
		const WpRestAlone *alone = &WP_AT(&rests->alone, WpRestAlone, i);

		if (weights[alone->row] && alone->time > 0)
			wp_followed_rest(followed, &sets[(gsize)alone->row * n_words], alone->other,
					 alone->time);
	}
	return play(&p, weights, cancellable, error) ? wp_followed_finish(followed) : NULL;
}
