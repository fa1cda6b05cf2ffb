/* SPDX-License-Identifier: MIT */
/*
 * export-speedscope.c: the path as an evented profile of speedscope: its chain of waits
 * over time, and the state at the end of it.
 */
#include "config.h"

#include "base/json.h"
#include "export/exporter-private.h"

/* A frame is a task, or a state (task WP_NONE). */
typedef struct {
	WpJson json;
	const WpExportJob *job; /* borrowed */
	GHashTable *frames; /* owned: owned gint64 * to number plus one */
	GPtrArray *names; /* owned: owned gchar *, by number */
	guint open[WP_CHAIN_MAX + 1]; /* numbers of the frames that are open */
	guint n_open;
} Speedscope;

/* The number of a frame: a task's, or with host WP_NONE that of a state. */
static guint frame_of(Speedscope *scope, guint32 host, guint32 id)
{
	gint64 key = (gint64)((guint64)host << 32 | id);
	gpointer found = g_hash_table_lookup(scope->frames, &key);

	if (!found) {
		WpActor actor;

		wp_actor_init(&actor, scope->job->graph, host, id, WP_TIME_MAX);
		g_ptr_array_add(scope->names,
				host == WP_NONE ? g_strdup(wp_state_key(id))
						: g_strdup_printf("%s (%d) @ %s", actor.comm,
								  actor.tid, actor.host_name));
		found = GUINT_TO_POINTER(scope->names->len);
		g_hash_table_insert(scope->frames, g_memdup2(&key, sizeof(key)), found);
	}
	return GPOINTER_TO_UINT(found) - 1;
}

static guint stack_of(Speedscope *scope, const WpChains *chains, guint segment,
		      guint ret_frames[WP_CHAIN_MAX + 1])
{
	WpTaskRef tasks[WP_CHAIN_MAX];
	guint n = wp_chains_get(chains, segment, tasks);

	for (guint i = 0; i < n; i++)
		ret_frames[i] = frame_of(scope, tasks[i].host, tasks[i].task);
	ret_frames[n] = frame_of(scope, WP_NONE, wp_path_segment(scope->job->path, segment)->state);
	return n + 1;
}

static void put_event(Speedscope *scope, const gchar *type, guint frame, WpTime time)
{
	wp_json_begin_object(&scope->json, NULL, WP_JSON_LINE);
	wp_json_string(&scope->json, "type", type);
	wp_json_uint(&scope->json, "frame", frame);
	wp_json_int(&scope->json, "at", time - scope->job->path->begin);
	wp_json_end_object(&scope->json);
}

/* Closes what is not of the stack, from the innermost, and opens what is missing. */
static void change_to(Speedscope *scope, const guint *frames, guint n, WpTime time)
{
	guint same = 0;

	while (same < n && same < scope->n_open && frames[same] == scope->open[same])
		same++;
	while (scope->n_open > same)
		put_event(scope, "C", scope->open[--scope->n_open], time);
	while (scope->n_open < n) {
		scope->open[scope->n_open] = frames[scope->n_open];
		put_event(scope, "O", frames[scope->n_open++], time);
	}
}

static void put_events(Speedscope *scope, const WpChains *chains)
{
	const WpPath *path = scope->job->path;
	guint frames[WP_CHAIN_MAX + 1];

	wp_json_begin_array(&scope->json, "events", WP_JSON_BLOCK);
	for (guint i = 0; i < path->segments.n && !wp_out_is_failed(scope->json.out); i++)
		change_to(scope, frames, stack_of(scope, chains, i, frames),
			  wp_path_segment(path, i)->begin);
	change_to(scope, NULL, 0, path->end);
	wp_json_end_array(&scope->json);
}

static void put_frames(Speedscope *scope)
{
	wp_json_begin_object(&scope->json, "shared", WP_JSON_BLOCK);
	wp_json_begin_array(&scope->json, "frames", WP_JSON_BLOCK);
	for (guint i = 0; i < scope->names->len; i++) {
		wp_json_begin_object(&scope->json, NULL, WP_JSON_LINE);
		wp_json_string(&scope->json, "name", scope->names->pdata[i]);
		wp_json_end_object(&scope->json);
	}
	wp_json_end_array(&scope->json);
	wp_json_end_object(&scope->json);
}

void wp_speedscope_write(WpOut *out, const WpExportJob *job)
{
	g_autoptr(WpChains) chains = wp_chains_new(job->path);
	g_autofree gchar *title = wp_export_dup_title(job);
	Speedscope scope = {.job = job};
	WpJson *json = &scope.json;

	wp_json_init(json, out);
	scope.frames = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	scope.names = g_ptr_array_new_with_free_func(g_free);
	wp_json_begin_object(json, NULL, WP_JSON_BLOCK);
	wp_json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	wp_json_string(json, "exporter", "waitpath " PACKAGE_VERSION);
	wp_json_string(json, "name", title);
	wp_json_begin_array(json, "profiles", WP_JSON_BLOCK);
	wp_json_begin_object(json, NULL, WP_JSON_BLOCK);
	wp_json_string(json, "type", "evented");
	wp_json_string(json, "name", title);
	wp_json_string(json, "unit", "nanoseconds");
	wp_json_int(json, "startValue", 0);
	wp_json_int(json, "endValue", job->path->end - job->path->begin);
	put_events(&scope, chains);
	wp_json_end_object(json);
	wp_json_end_array(json);
	put_frames(&scope);
	wp_json_end_object(json);
	wp_json_finish(json);
	g_hash_table_destroy(scope.frames);
	g_ptr_array_unref(scope.names);
}
