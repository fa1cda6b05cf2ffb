/* SPDX-License-Identifier: MIT */
/* sync-file.c: saved clock maps. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json-reader.h"
#include "base/json.h"
#include "base/whole-file.h"
#include "sync/clocks.h"
#include "sync/sync-file.h"
#include "sync/sync.h"

#define SCHEMA "waitpath-sync/1"
/* What bounds grow at outside the file's knots, in parts of 10^9. */
#define GROWTH_PPB 200000

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

static gboolean read_knot(WpJsonReader *reader, gpointer data, GError **error)
{
	GArray *knots = data;
	WpClockKnot knot;

	if (!wp_json_reader_expect(reader, '[', error) ||
	    !wp_json_reader_int(reader, &knot.host, error) ||
	    !wp_json_reader_expect(reader, ',', error) ||
	    !wp_json_reader_int(reader, &knot.offset, error) ||
	    !wp_json_reader_expect(reader, ',', error) ||
	    !wp_json_reader_int(reader, &knot.bound, error) ||
	    !wp_json_reader_expect(reader, ']', error))
		return FALSE;
	if (knots->len > 0 && knot.host <= g_array_index(knots, WpClockKnot, knots->len - 1).host)
		return wp_json_reader_fail(reader, "a host's knots are out of order", error);
	g_array_append_val(knots, knot);
	return TRUE;
}

static gboolean read_host_member(WpJsonReader *reader, const gchar *key, gpointer data,
				 GError **error)
{
	SavedHost *saved = data;

	if (g_str_equal(key, "host")) {
		g_free(saved->name);
		saved->name = wp_json_reader_string(reader, error);
		return saved->name != NULL;
	}
	if (g_str_equal(key, "connected")) {
		saved->joined = wp_json_reader_peek(reader) == 't';
		return wp_json_reader_skip(reader, error);
	}
	if (!g_str_equal(key, "knots"))
		return wp_json_reader_skip(reader, error);
	return wp_json_reader_array(reader, read_knot, saved->knots, error);
}

static gboolean read_host(WpJsonReader *reader, gpointer data, GError **error)
{
	SavedHost *host = g_new0(SavedHost, 1);

	host->knots = g_array_new(FALSE, FALSE, sizeof(WpClockKnot));
	g_ptr_array_add(data, host);
	if (!wp_json_reader_object(reader, read_host_member, host, error))
		return FALSE;
	return host->name || wp_json_reader_fail(reader, "a host has no name", error);
}

typedef struct {
	GPtrArray *hosts; /* owned SavedHost * */
	gboolean schema;
} Saved;

static gboolean read_member(WpJsonReader *reader, const gchar *key, gpointer data, GError **error)
{
	Saved *saved = data;

	if (g_str_equal(key, "schema")) {
		g_autofree gchar *schema = wp_json_reader_string(reader, error);

		saved->schema = schema && g_str_equal(schema, SCHEMA);
		if (schema && !saved->schema)
			wp_json_reader_fail(reader, "another schema than " SCHEMA, error);
		return saved->schema;
	}
	if (!g_str_equal(key, "hosts"))
		return wp_json_reader_skip(reader, error);
	return wp_json_reader_array(reader, read_host, saved->hosts, error);
}

static gboolean read_file(const gchar *path, Saved *saved, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
	WpJsonReader reader = {.path = path,
			       .kind = "file of saved clocks",
			       .remedy = "make it anew with waitpath sync --save"};

	if (!file) {
		g_prefix_error(error, "The saved clocks can't be read: ");
		return FALSE;
	}
	/* Of an empty file GLib maps nothing. */
	reader.begin = reader.at = g_mapped_file_get_contents(file) ?: "";
	reader.end = reader.begin + g_mapped_file_get_length(file);
	if (!wp_json_reader_object(&reader, read_member, saved, error))
		return FALSE;
	return saved->schema || wp_json_reader_fail(&reader, "no schema is named", error);
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
	wp_json_double(json, "drift_bound_ppm", row->drift_bound_ppm);
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
	g_autoptr(WpWholeFile) whole = wp_whole_file_new(path, error);
	g_autoptr(WpOut) out = NULL;

	if (!whole)
		return FALSE;
	out = wp_out_new_fd(wp_whole_file_get_fd(whole));
	wp_sync_write(out, graph, report);
	return wp_out_finish(out, error) && wp_whole_file_commit(whole, FALSE, error);
}
