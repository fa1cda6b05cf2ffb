/* SPDX-License-Identifier: MIT */
/*
 * saved.c: a saved path becomes a WpPath of a graph that is not there: its segments have
 * numbers of tasks that are named here, all of one host 0. A saved list of tasks is kept as
 * rows. Names are interned, since they come again and again.
 *
 * What is read is not trusted: segments have to join, and no sum of times can overflow.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/intmap.h"
#include "base/json-reader.h"
#include "base/strings.h"
#include "base/words.h"
#include "export/saved.h"
#include "path/edge.h"

/* All times of a file together, in ns: 36 years of each of two sides can be added up. */
#define TIME_SUM_MAX (G_MAXINT64 / 8)

typedef struct {
	WpId host, comm; /* strings; comm: the last that is known */
	gint32 tid;
} SavedTask;

typedef struct {
	SavedTask task;
	WpTime by_state[WP_STATE_N];
} SavedRow;

/* Of a segment, beyond what WpSegment holds. */
typedef struct {
	WpId comm, cause; /* strings */
} SavedNames;

struct WpSaved {
	WpSavedKind kind;
	WpStrings *strings; /* owned */
	WpTime sum; /* of all times */
	GArray *tasks; /* owned: SavedTask, by the tasks of the path's segments */
	WpIntMap task_of; /* host string << 32 | tid -> task */
	WpPath path; /* segments owned */
	GArray *names; /* owned: SavedNames, by segment */
	GArray *rows; /* owned: SavedRow, of a list of tasks */
};

gboolean wp_saved_is(const gchar *file)
{
	FILE *stream = g_file_test(file, G_FILE_TEST_IS_REGULAR) ? fopen(file, "re") : NULL;
	gint c = ' ';

	if (!stream)
		return FALSE;
	while (c == ' ' || c == '\n' || c == '\t' || c == '\r')
		c = fgetc(stream);
	fclose(stream);
	return c == '{';
}

/* ---- what is read ---- */

/* A member, or one of its parts; passed to the reader's functions. */
typedef struct {
	WpSaved *saved; /* borrowed */
	gboolean schema, segments, rows; /* seen */
} Reading;

typedef struct {
	gboolean local, space;
	gchar *kind, *name, *part; /* owned, NULL */
} Cause;

typedef struct {
	WpSaved *saved; /* borrowed */
	gchar *host, *comm, *state; /* owned, NULL until they are read */
	gint64 tid, begin, end, depth;
	WpTime by_state[WP_STATE_N];
	Cause cause;
} Item;

static void cause_clear(Cause *cause)
{
	g_clear_pointer(&cause->kind, g_free);
	g_clear_pointer(&cause->name, g_free);
	g_clear_pointer(&cause->part, g_free);
}

static void item_clear(Item *item)
{
	g_clear_pointer(&item->host, g_free);
	g_clear_pointer(&item->comm, g_free);
	g_clear_pointer(&item->state, g_free);
	cause_clear(&item->cause);
}

static gboolean read_text(WpJsonReader *reader, gchar **text, GError **error)
{
	g_free(*text);
	*text = wp_json_reader_string(reader, error);
	return *text != NULL;
}

static gboolean read_flag(WpJsonReader *reader, gboolean *flag, GError **error)
{
	*flag = wp_json_reader_peek(reader) == 't';
	return wp_json_reader_skip(reader, error);
}

static gboolean read_cause_member(WpJsonReader *reader, const gchar *key, gpointer data,
				  GError **error)
{
	Cause *cause = data;

	if (g_str_equal(key, "kind"))
		return read_text(reader, &cause->kind, error);
	if (g_str_equal(key, "part"))
		return read_text(reader, &cause->part, error);
	if (g_str_equal(key, "name") || g_str_equal(key, "device") || g_str_equal(key, "function"))
		return read_text(reader, &cause->name, error);
	if (g_str_equal(key, "local"))
		return read_flag(reader, &cause->local, error);
	if (g_str_equal(key, "space"))
		return read_flag(reader, &cause->space, error);
	return wp_json_reader_skip(reader, error);
}

static gboolean add_time(WpJsonReader *reader, WpSaved *saved, gint64 time, GError **error)
{
	if (time < 0 || time > TIME_SUM_MAX - saved->sum)
		return wp_json_reader_fail(reader, "a time is negative or too long", error);
	saved->sum += time;
	return TRUE;
}

static gboolean read_state_time(WpJsonReader *reader, const gchar *key, gpointer data,
				GError **error)
{
	Item *item = data;
	WpState state = wp_state_from_key(key);
	gint64 time;

	if (state == WP_STATE_N)
		return wp_json_reader_fail(reader, "a state is unknown", error);
	if (!wp_json_reader_int(reader, &time, error) ||
	    !add_time(reader, item->saved, time, error))
		return FALSE;
	item->by_state[state] += time;
	return TRUE;
}

static gboolean read_item_member(WpJsonReader *reader, const gchar *key, gpointer data,
				 GError **error)
{
	Item *item = data;

	if (g_str_equal(key, "host"))
		return read_text(reader, &item->host, error);
	if (g_str_equal(key, "comm"))
		return read_text(reader, &item->comm, error);
	if (g_str_equal(key, "state"))
		return read_text(reader, &item->state, error);
	if (g_str_equal(key, "tid"))
		return wp_json_reader_int(reader, &item->tid, error);
	if (g_str_equal(key, "begin"))
		return wp_json_reader_int(reader, &item->begin, error);
	if (g_str_equal(key, "end"))
		return wp_json_reader_int(reader, &item->end, error);
	if (g_str_equal(key, "depth"))
		return wp_json_reader_int(reader, &item->depth, error);
	if (g_str_equal(key, "by_state"))
		return wp_json_reader_object(reader, read_state_time, item, error);
	if (g_str_equal(key, "cause"))
		return wp_json_reader_object(reader, read_cause_member, &item->cause, error);
	return wp_json_reader_skip(reader, error);
}

/* An object with the members of a task; FALSE when it is none. */
static gboolean read_item(WpJsonReader *reader, Item *item, GError **error)
{
	if (!wp_json_reader_object(reader, read_item_member, item, error))
		return FALSE;
	if (!item->host || !item->comm || item->tid < G_MININT32 || item->tid > G_MAXINT32)
		return wp_json_reader_fail(reader, "a task has no host, comm or tid", error);
	return TRUE;
}

/* ---- a path ---- */

static WpId find_task(WpSaved *saved, const Item *item)
{
	WpId host = wp_strings_intern(saved->strings, item->host);
	guint64 key = (guint64)host << 32 | (guint32)item->tid;
	WpId task = wp_intmap_get(&saved->task_of, key);

	if (task == WP_NONE) {
		SavedTask new = {host, wp_strings_intern(saved->strings, item->comm),
				 (gint32)item->tid};

		task = saved->tasks->len;
		g_array_append_val(saved->tasks, new);
		wp_intmap_set(&saved->task_of, key, task);
	}
	return task;
}

/* The same words as wp_segment_cause_text() has for the segment. Owned by the caller. */
static gchar *dup_cause_text(const Cause *cause, WpState state)
{
	const gchar *kind = cause->kind, *detail = cause->name;

	if (!kind || (!wp_state_is_wait(state) &&
		      !g_str_equal(kind, wp_cause_kind_key(WP_CAUSE_WORKQUEUE)) &&
		      !g_str_equal(kind, wp_cause_kind_key(WP_CAUSE_THROTTLED))))
		return g_strdup("");
	if (g_str_equal(kind, wp_cause_kind_key(WP_CAUSE_PACKET)))
		detail = cause->local ? "local" : cause->space ? "space" : cause->part;
	else if (detail && g_str_has_prefix(detail, "0x"))
		detail = NULL;
	return detail && *detail ? g_strdup_printf("%s %s", kind, detail) : g_strdup(kind);
}

static gboolean add_segment(WpJsonReader *reader, WpSaved *saved, const Item *item, GError **error)
{
	WpSegments *segments = &saved->path.segments;
	WpState state = item->state ? wp_state_from_key(item->state) : WP_STATE_N;
	WpTime time;

	if (state == WP_STATE_N)
		return wp_json_reader_fail(reader, "a segment has no state that is known", error);
	if (__builtin_sub_overflow(item->end, item->begin, &time))
		time = -1;
	if (!add_time(reader, saved, time, error))
		return FALSE;
	if (item->depth < 0 || item->depth > G_MAXUINT16 ||
	    (segments->n > 0 && wp_segments_get(segments, segments->n - 1)->end != item->begin))
		return wp_json_reader_fail(reader, "segments do not join", error);

	g_autofree gchar *cause = dup_cause_text(&item->cause, state);
	WpSegment segment = {.begin = item->begin,
			     .end = item->end,
			     .task = find_task(saved, item),
			     .vertex = WP_NONE,
			     .cause = WP_NONE,
			     .cpu = G_MAXUINT16,
			     .depth = (guint16)item->depth,
			     .state = state};
	SavedNames names = {wp_strings_intern(saved->strings, item->comm),
			    wp_strings_intern(saved->strings, cause)};

	if (!wp_segments_add(segments, &segment, error))
		return FALSE;
	g_array_append_val(saved->names, names);
	return TRUE;
}

static gboolean read_segment(WpJsonReader *reader, gpointer data, GError **error)
{
	Reading *reading = data;
	Item item = {.saved = reading->saved};
	gboolean ok = read_item(reader, &item, error) &&
		      add_segment(reader, reading->saved, &item, error);

	item_clear(&item);
	return ok;
}

/* The totals call tasks by their last names. */
static gboolean read_total(WpJsonReader *reader, gpointer data, GError **error)
{
	Reading *reading = data;
	WpSaved *saved = reading->saved;
	Item item = {.saved = saved};
	gboolean ok = read_item(reader, &item, error);

	if (ok) {
		const WpId task = find_task(saved, &item); /* which may make a new one */

		g_array_index(saved->tasks, SavedTask, task).comm = wp_strings_intern(
			saved->strings, item.comm);
	}
	item_clear(&item);
	return ok;
}

static gboolean read_totals_member(WpJsonReader *reader, const gchar *key, gpointer data,
				   GError **error)
{
	if (g_str_equal(key, "by_task"))
		return wp_json_reader_array(reader, read_total, data, error);
	return wp_json_reader_skip(reader, error);
}

/* ---- a list of tasks ---- */

static gboolean read_row(WpJsonReader *reader, gpointer data, GError **error)
{
	Reading *reading = data;
	WpSaved *saved = reading->saved;
	Item item = {.saved = saved};
	gboolean ok = read_item(reader, &item, error);

	if (ok) {
		SavedRow row = {{wp_strings_intern(saved->strings, item.host),
				 wp_strings_intern(saved->strings, item.comm), (gint32)item.tid},
				{0}};

		memcpy(row.by_state, item.by_state, sizeof(row.by_state));
		g_array_append_val(saved->rows, row);
	}
	item_clear(&item);
	return ok;
}

/* ---- the whole ---- */

static gboolean read_schema(WpJsonReader *reader, Reading *reading, GError **error)
{
	g_autofree gchar *schema = wp_json_reader_string(reader, error);

	if (!schema)
		return FALSE;
	reading->schema = TRUE;
	if (g_str_equal(schema, "waitpath-path/1"))
		reading->saved->kind = WP_SAVED_PATH;
	else if (g_str_equal(schema, "waitpath-tasks/1"))
		reading->saved->kind = WP_SAVED_TASKS;
	else
		return wp_json_reader_fail(reader,
					   "another schema than waitpath-path/1 or "
					   "waitpath-tasks/1",
					   error);
	return TRUE;
}

static gboolean read_member(WpJsonReader *reader, const gchar *key, gpointer data, GError **error)
{
	Reading *reading = data;

	if (g_str_equal(key, "schema"))
		return read_schema(reader, reading, error);
	if (g_str_equal(key, "segments")) {
		reading->segments = TRUE;
		return wp_json_reader_array(reader, read_segment, reading, error);
	}
	if (g_str_equal(key, "totals"))
		return wp_json_reader_object(reader, read_totals_member, reading, error);
	if (g_str_equal(key, "tasks")) {
		reading->rows = TRUE;
		return wp_json_reader_array(reader, read_row, reading, error);
	}
	return wp_json_reader_skip(reader, error);
}

static WpSaved *saved_new(void)
{
	WpSaved *saved = g_new0(WpSaved, 1);

	saved->strings = wp_strings_new();
	saved->tasks = g_array_new(FALSE, FALSE, sizeof(SavedTask));
	wp_segments_init(&saved->path.segments, NULL);
	saved->names = g_array_new(FALSE, FALSE, sizeof(SavedNames));
	saved->rows = g_array_new(FALSE, FALSE, sizeof(SavedRow));
	wp_intmap_init(&saved->task_of);
	return saved;
}

void wp_saved_free(WpSaved *saved)
{
	if (!saved)
		return;
	wp_strings_free(saved->strings);
	g_array_unref(saved->tasks);
	wp_segments_clear(&saved->path.segments);
	g_array_unref(saved->names);
	g_array_unref(saved->rows);
	wp_intmap_clear(&saved->task_of);
	g_free(saved);
}

WpSaved *wp_saved_read(const gchar *path, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
	g_autoptr(WpSaved) saved = saved_new();
	Reading reading = {.saved = saved};
	WpJsonReader reader = {.path = path,
			       .kind = "saved result",
			       .remedy = "make it with waitpath path or tasks --format json"};
	gboolean there;

	if (!file) {
		g_prefix_error(error, "The saved result can't be read: ");
		return NULL;
	}
	/* Of an empty file GLib maps nothing. */
	reader.begin = reader.at = g_mapped_file_get_contents(file) ?: "";
	reader.end = reader.begin + g_mapped_file_get_length(file);
	if (!wp_json_reader_object(&reader, read_member, &reading, error))
		return NULL;
	there = saved->kind == WP_SAVED_PATH ? reading.segments : reading.rows;
	if (!reading.schema || !there) {
		wp_json_reader_fail(&reader,
				    reading.schema ? "what its schema promises is not there"
						   : "no schema is named",
				    error);
		return NULL;
	}
	return g_steal_pointer(&saved);
}

WpSavedKind wp_saved_get_kind(const WpSaved *saved)
{
	return saved->kind;
}

/* ---- what it adds ---- */

static void append_task(GString *stack, const WpTaskRef *ref, gconstpointer data)
{
	const WpSaved *saved = data;
	const SavedTask *task = &g_array_index(saved->tasks, SavedTask, ref->task);

	wp_stack_append_frame(stack, wp_strings_get(saved->strings, task->comm),
			      wp_strings_get(saved->strings, task->host));
}

static void add_path(const WpSaved *saved, WpProfile *profile, WpStacks *stacks, guint side)
{
	for (guint i = 0; i < saved->path.segments.n; i++) {
		const WpSegment *s = wp_path_segment(&saved->path, i);
		const SavedNames *names = &g_array_index(saved->names, SavedNames, i);
		const SavedTask *task = &g_array_index(saved->tasks, SavedTask, s->task);

		wp_profile_add(profile, wp_strings_get(saved->strings, task->host),
			       wp_strings_get(saved->strings, names->comm), s->state,
			       wp_strings_get(saved->strings, names->cause), s->end - s->begin);
	}
	wp_stacks_add_segments(stacks, side, &saved->path, append_task, saved);
}

/* Does a row fit TID, HOST:TID, NAME or HOST:NAME? A name may have colons itself. */
static gboolean fits(const gchar *text, const gchar *host, const gchar *comm, gint32 tid)
{
	gsize length = strlen(host);
	const gchar *name = g_str_has_prefix(text, host) && text[length] == ':' ? text + length + 1
										: text;
	gint64 number;

	if (g_ascii_string_to_signed(name, 10, 0, G_MAXINT32, &number, NULL))
		return number == tid;
	return wp_word_matches(name, comm);
}

void wp_profile_add_states(WpProfile *profile, WpStacks *stacks, guint side, const gchar *host,
			   const gchar *comm, const WpTime by_state[WP_STATE_N])
{
	g_autoptr(GString) stack = g_string_new(NULL);
	gsize length;

	wp_stack_append_frame(stack, comm, host);
	length = stack->len;
	for (guint i = 0; i < WP_STATE_N; i++) {
		if (by_state[i] == 0)
			continue;
		wp_profile_add(profile, host, comm, i, "", by_state[i]);
		g_string_truncate(stack, length);
		g_string_append(stack, wp_state_key(i));
		wp_stacks_add(stacks, side, stack->str, by_state[i]);
	}
}

gboolean wp_saved_add(const WpSaved *saved, const gchar *text, WpProfile *profile, WpStacks *stacks,
		      guint side, GError **error)
{
	guint n = 0;

	if (saved->kind == WP_SAVED_PATH) {
		add_path(saved, profile, stacks, side);
		return TRUE;
	}
	for (guint i = 0; i < saved->rows->len; i++) {
		const SavedRow *row = &g_array_index(saved->rows, SavedRow, i);
		const gchar *host = wp_strings_get(saved->strings, row->task.host);
		const gchar *comm = wp_strings_get(saved->strings, row->task.comm);

		if (text && !fits(text, host, comm, row->task.tid))
			continue;
		wp_profile_add_states(profile, stacks, side, host, comm, row->by_state);
		n++;
	}
	if (n == 0 && text)
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "No task of the saved result is %s; it lists %u.", text,
			    saved->rows->len);
	return n > 0 || !text;
}
