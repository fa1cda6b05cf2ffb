/* SPDX-License-Identifier: MIT */
/*
 * sync-file.c: saved clock maps.
 *
 * The reader knows just as much JSON as it takes to find the knots of each host in a file
 * of any size and to pass over the rest; how deep that nests is limited.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "sync/clocks.h"
#include "sync/sync-file.h"
#include "sync/sync.h"

#define SCHEMA "waitpath-sync/1"
#define DEPTH_MAX 32u
#define NAME_MAX_BYTES 4096u
/* What bounds grow at outside the file's knots, in parts of 10^9. */
#define GROWTH_PPB 200000

typedef struct {
	const gchar *at, *end; /* borrowed */
	const gchar *begin;
	const gchar *path; /* borrowed: for messages */
} Reader;

typedef struct {
	gchar *name; /* owned */
	gboolean joined; /* to the file's reference */
	GArray *knots; /* owned: WpClockKnot */
	WpClockMap *map; /* owned: to the file's reference; made after reading */
} SavedHost;

static void saved_host_free(gpointer data)
{
	SavedHost *saved = data;

	g_free(saved->name);
	g_array_free(saved->knots, TRUE);
	wp_clock_map_free(saved->map);
	g_free(saved);
}

static gboolean fail(const Reader *reader, const gchar *what, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
		    "%s is no file of saved clocks: %s at byte %" G_GSIZE_FORMAT
		    "; make it anew with waitpath sync --save.",
		    reader->path, what, (gsize)(reader->at - reader->begin));
	return FALSE;
}

/* The next character that is no space, 0 at the end. */
static gchar peek(Reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r\n", *reader->at))
		reader->at++;
	return reader->at < reader->end ? *reader->at : 0;
}

static gboolean take(Reader *reader, gchar c)
{
	if (peek(reader) != c || c == 0)
		return FALSE;
	reader->at++;
	return TRUE;
}

static gboolean expect(Reader *reader, gchar c, GError **error)
{
	const gchar what[] = {'\'', c,   '\'', ' ', 'i', 's', ' ', 'm',
			      'i',  's', 's',  'i', 'n', 'g', 0};

	return take(reader, c) || fail(reader, what, error);
}

/* Four hexadecimal digits, -1 when they are none. */
static gint32 read_hex(Reader *reader)
{
	gint32 value = 0;

	for (guint i = 0; i < 4; i++) {
		if (reader->at == reader->end || !g_ascii_isxdigit(*reader->at))
			return -1;
		value = value * 16 + g_ascii_xdigit_value(*reader->at++);
	}
	return value;
}

/* The character of a \u escape, or of a pair of them. */
static gunichar read_unicode(Reader *reader)
{
	const gint32 first = read_hex(reader);
	gint32 second;

	if (first < 0xd800 || first > 0xdfff)
		return first <= 0 ? 0xfffd : (gunichar)first;
	if (first > 0xdbff || reader->end - reader->at < 6 || reader->at[0] != '\\' ||
	    reader->at[1] != 'u')
		return 0xfffd;
	reader->at += 2;
	second = read_hex(reader);
	if (second < 0xdc00 || second > 0xdfff)
		return 0xfffd;
	return 0x10000 + (((gunichar)first & 0x3ff) << 10) + ((gunichar)second & 0x3ff);
}

static void read_escape(Reader *reader, GString *text)
{
	static const gchar from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const gchar c = reader->at < reader->end ? *reader->at++ : 0;
	const gchar *known = c ? strchr(from, c) : NULL;

	if (c == 'u')
		g_string_append_unichar(text, read_unicode(reader));
	else if (known)
		g_string_append_c(text, to[known - from]);
	else if (c)
		g_string_append_c(text, c);
}

/* A string's text; NULL with an error. */
static gchar *read_string(Reader *reader, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!expect(reader, '"', error))
		return NULL;
	while (reader->at < reader->end && *reader->at != '"' && text->len < NAME_MAX_BYTES) {
		const gchar c = *reader->at++;

		if (c == '\\')
			read_escape(reader, text);
		else
			g_string_append_c(text, c);
	}
	if (!take(reader, '"')) {
		fail(reader, "a text has no end", error);
		return NULL;
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static gboolean read_int(Reader *reader, gint64 *ret_value, GError **error)
{
	gchar digits[24], *end;
	gsize n = 0;

	peek(reader);
	while (reader->at < reader->end && n + 1 < sizeof(digits) &&
	       (g_ascii_isdigit(*reader->at) || (n == 0 && *reader->at == '-')))
		digits[n++] = *reader->at++;
	digits[n] = 0;
	*ret_value = g_ascii_strtoll(digits, &end, 10);
	if (n == 0 || *end || end == digits || !strchr(",] \t\r\n}", peek(reader)) || !peek(reader))
		return fail(reader, "a whole number is missing", error);
	return TRUE;
}

static gboolean skip_value(Reader *reader, guint depth, GError **error);

/* Members of an object or elements of an array, up to its end. */
static gboolean skip_container(Reader *reader, gchar last, guint depth, GError **error)
{
	reader->at++;
	if (depth == DEPTH_MAX)
		return fail(reader, "it nests too deep", error);
	if (take(reader, last))
		return TRUE;
	do {
		if (last == '}') {
			g_autofree gchar *key = read_string(reader, error);

			if (!key || !expect(reader, ':', error))
				return FALSE;
		}
		if (!skip_value(reader, depth + 1, error))
			return FALSE;
	} while (take(reader, ','));
	return expect(reader, last, error);
}

static gboolean skip_value(Reader *reader, guint depth, GError **error)
{
	const gchar c = peek(reader);
	const gchar *begin = reader->at;

	if (c == '"') {
		g_autofree gchar *text = read_string(reader, error);

		return text != NULL;
	}
	if (c == '{' || c == '[')
		return skip_container(reader, c == '{' ? '}' : ']', depth, error);
	while (reader->at < reader->end &&
	       (g_ascii_isalnum(*reader->at) || strchr("+-.", *reader->at)))
		reader->at++;
	return reader->at > begin || fail(reader, "a value is missing", error);
}

/* Reads one member of an object; data is what is being filled. */
typedef gboolean (*MemberFunc)(Reader *reader, const gchar *key, gpointer data, GError **error);

static gboolean read_object(Reader *reader, MemberFunc func, gpointer data, GError **error)
{
	if (!expect(reader, '{', error))
		return FALSE;
	if (take(reader, '}'))
		return TRUE;
	do {
		g_autofree gchar *key = read_string(reader, error);

		if (!key || !expect(reader, ':', error) || !func(reader, key, data, error))
			return FALSE;
	} while (take(reader, ','));
	return expect(reader, '}', error);
}

static gboolean read_knot(Reader *reader, GArray *knots, GError **error)
{
	WpClockKnot knot;

	if (!expect(reader, '[', error) || !read_int(reader, &knot.host, error) ||
	    !expect(reader, ',', error) || !read_int(reader, &knot.offset, error) ||
	    !expect(reader, ',', error) || !read_int(reader, &knot.bound, error) ||
	    !expect(reader, ']', error))
		return FALSE;
	if (knots->len > 0 && knot.host <= g_array_index(knots, WpClockKnot, knots->len - 1).host)
		return fail(reader, "a host's knots are out of order", error);
	g_array_append_val(knots, knot);
	return TRUE;
}

static gboolean read_host_member(Reader *reader, const gchar *key, gpointer data, GError **error)
{
	SavedHost *saved = data;

	if (g_str_equal(key, "host")) {
		g_free(saved->name);
		saved->name = read_string(reader, error);
		return saved->name != NULL;
	}
	if (g_str_equal(key, "connected")) {
		saved->joined = peek(reader) == 't';
		return skip_value(reader, 0, error);
	}
	if (!g_str_equal(key, "knots"))
		return skip_value(reader, 0, error);
	if (!expect(reader, '[', error))
		return FALSE;
	if (take(reader, ']'))
		return TRUE;
	do {
		if (!read_knot(reader, saved->knots, error))
			return FALSE;
	} while (take(reader, ','));
	return expect(reader, ']', error);
}

typedef struct {
	GPtrArray *hosts; /* owned SavedHost * */
	gboolean schema;
} Saved;

static gboolean read_member(Reader *reader, const gchar *key, gpointer data, GError **error)
{
	Saved *saved = data;

	if (g_str_equal(key, "schema")) {
		g_autofree gchar *schema = read_string(reader, error);

		saved->schema = schema && g_str_equal(schema, SCHEMA);
		if (schema && !saved->schema)
			fail(reader, "another schema than " SCHEMA, error);
		return saved->schema;
	}
	if (!g_str_equal(key, "hosts"))
		return skip_value(reader, 0, error);
	if (!expect(reader, '[', error))
		return FALSE;
	if (take(reader, ']'))
		return TRUE;
	do {
		SavedHost *host = g_new0(SavedHost, 1);

		host->knots = g_array_new(FALSE, FALSE, sizeof(WpClockKnot));
		g_ptr_array_add(saved->hosts, host);
		if (!read_object(reader, read_host_member, host, error))
			return FALSE;
		if (!host->name)
			return fail(reader, "a host has no name", error);
	} while (take(reader, ','));
	return expect(reader, ']', error);
}

static gboolean read_file(const gchar *path, Saved *saved, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
	Reader reader = {.path = path};

	if (!file) {
		g_prefix_error(error, "The saved clocks can't be read: ");
		return FALSE;
	}
	/* Of an empty file GLib maps nothing. */
	reader.begin = reader.at = g_mapped_file_get_contents(file) ?: "";
	reader.end = reader.begin + g_mapped_file_get_length(file);
	if (!read_object(&reader, read_member, saved, error))
		return FALSE;
	return saved->schema || fail(&reader, "no schema is named", error);
}

/* The saved host of a name that is joined to the file's reference, or NULL. */
static SavedHost *find_host(const Saved *saved, const gchar *name)
{
	for (guint i = 0; i < saved->hosts->len; i++) {
		SavedHost *host = g_ptr_array_index(saved->hosts, i);

		if (host->joined && g_str_equal(host->name, name))
			return host;
	}
	return NULL;
}

static gint compare_knots(gconstpointer a, gconstpointer b)
{
	const WpClockKnot *x = a, *y = b;

	return (x->host > y->host) - (x->host < y->host);
}

/* One host's clock to another's by way of the file's reference: bends where either does. */
static WpClockMap *compose(const WpClockMap *host, const WpClockMap *reference)
{
	g_autoptr(GArray) knots = g_array_new(FALSE, FALSE, sizeof(WpClockKnot));
	const WpClockKnot *bends;
	guint n;

	if (wp_clock_map_is_identity(reference))
		return wp_clock_map_dup(host);
	bends = wp_clock_map_get_knots(host, &n);
	for (guint i = 0; i < n; i++) {
		const WpTime time = wp_clock_map_invert(reference,
							wp_clock_map_apply(host, bends[i].host));
		const WpClockKnot knot = {bends[i].host, time - bends[i].host,
					  bends[i].bound + wp_clock_map_bound(reference, time)};

		g_array_append_val(knots, knot);
	}
	bends = wp_clock_map_get_knots(reference, &n);
	for (guint i = 0; i < n; i++) {
		const WpTime time = wp_clock_map_invert(
			host, wp_clock_map_apply(reference, bends[i].host));
		const WpClockKnot knot = {time, bends[i].host - time,
					  bends[i].bound + wp_clock_map_bound(host, time)};

		g_array_append_val(knots, knot);
	}
	g_array_sort(knots, compare_knots);
	return wp_clock_map_new((const WpClockKnot *)(void *)knots->data, knots->len, GROWTH_PPB);
}

/* The file's reference, whose knots are all of nothing, stays certain outside them. */
static WpClockMap *make_map(const GArray *knots)
{
	gboolean certain = TRUE;

	for (guint i = 0; i < knots->len; i++) {
		const WpClockKnot *knot = &g_array_index(knots, WpClockKnot, i);

		certain = certain && knot->offset == 0 && knot->bound == 0;
	}
	return wp_clock_map_new((const WpClockKnot *)(void *)knots->data, knots->len,
				certain ? 0 : GROWTH_PPB);
}

gboolean wp_sync_file_load(WpGraph *graph, const gchar *path, guint reference, GError **error)
{
	Saved saved = {.hosts = g_ptr_array_new_with_free_func(saved_host_free)};
	const SavedHost *base;
	guint home = reference;

	if (!read_file(path, &saved, error)) {
		g_ptr_array_unref(saved.hosts);
		return FALSE;
	}
	for (guint i = 0; i < saved.hosts->len; i++) {
		SavedHost *host = g_ptr_array_index(saved.hosts, i);

		host->map = make_map(host->knots);
	}
	/* Should the file not know the reference, the others still are on one clock. */
	for (guint h = graph->n_hosts; !find_host(&saved, graph->hosts[home]->name) && h-- > 0;)
		home = find_host(&saved, graph->hosts[h]->name) ? h : home;
	base = find_host(&saved, graph->hosts[home]->name);
	for (guint h = 0; h < graph->n_hosts; h++) {
		const SavedHost *host = find_host(&saved, graph->hosts[h]->name);

		wp_clock_map_free(graph->joins[h].map);
		graph->joins[h].map = host && h != home ? compose(host->map, base->map)
							: wp_clock_map_new(NULL, 0, 0);
		graph->joins[h].island = host ? home : h;
	}
	g_ptr_array_unref(saved.hosts);
	return TRUE;
}

static void save_host(WpJson *json, const WpGraph *graph, const WpHostReport *row)
{
	const WpHost *host = graph->hosts[row->host];
	const WpClockKnot ends[] = {{host->begin, 0, 0}, {host->end, 0, 0}};
	const WpClockKnot *knots;
	guint n;

	knots = wp_clock_map_get_knots(graph->joins[row->host].map, &n);
	if (n == 0) {
		knots = ends;
		n = host->end > host->begin ? 2 : 1;
	}
	wp_json_begin_object(json, NULL, WP_JSON_BLOCK);
	wp_json_string(json, "host", graph->hosts[row->host]->name);
	wp_json_bool(json, "connected", row->connected);
	wp_json_int(json, "offset", row->offset);
	wp_json_double(json, "drift_ppm", row->drift_ppm);
	wp_json_begin_object(json, "error_bound", WP_JSON_LINE);
	wp_json_int(json, "min", row->bound_min);
	wp_json_int(json, "median", row->bound_median);
	wp_json_int(json, "max", row->bound_max);
	wp_json_end_object(json);
	wp_json_begin_array(json, "knots", WP_JSON_BLOCK);
	for (guint i = 0; i < n; i++) {
		wp_json_begin_array(json, NULL, WP_JSON_LINE);
		wp_json_int(json, NULL, knots[i].host);
		wp_json_int(json, NULL, knots[i].offset);
		wp_json_int(json, NULL, knots[i].bound);
		wp_json_end_array(json);
	}
	wp_json_end_array(json);
	wp_json_end_object(json);
}

static void save_pair(WpJson *json, const WpGraph *graph, const WpPairReport *row)
{
	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "a", graph->hosts[row->a]->name);
	wp_json_string(json, "b", graph->hosts[row->b]->name);
	wp_json_uint(json, "a_to_b", row->a_to_b);
	wp_json_uint(json, "b_to_a", row->b_to_a);
	wp_json_uint(json, "unmatched", row->unmatched);
	wp_json_begin_array(json, "hull", WP_JSON_LINE);
	wp_json_uint(json, NULL, row->hull_a_to_b);
	wp_json_uint(json, NULL, row->hull_b_to_a);
	wp_json_end_array(json);
	wp_json_uint(json, "inversions_before", row->inversions_before);
	wp_json_uint(json, "inversions_after", row->inversions_after);
	wp_json_string(json, "quality", wp_pair_quality_key(row->quality));
	wp_json_end_object(json);
}

void wp_sync_write(WpOut *out, const WpGraph *graph, const WpSyncReport *report)
{
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", SCHEMA);
	wp_json_string(&json, "reference", graph->hosts[report->reference]->name);
	wp_json_begin_array(&json, "hosts", WP_JSON_BLOCK);
	for (guint h = 0; h < report->n_hosts; h++)
		save_host(&json, graph, &report->hosts[h]);
	wp_json_end_array(&json);
	wp_json_begin_array(&json, "pairs", WP_JSON_BLOCK);
	for (guint i = 0; i < report->pairs->len; i++)
		save_pair(&json, graph, &g_array_index(report->pairs, WpPairReport, i));
	wp_json_end_array(&json);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}

gboolean wp_sync_save(const WpGraph *graph, const WpSyncReport *report, const gchar *path,
		      GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(WpOut) out = wp_out_new_string(text);

	wp_sync_write(out, graph, report);
	return wp_out_finish(out, error) &&
	       g_file_set_contents(path, text->str, (gssize)text->len, error);
}
