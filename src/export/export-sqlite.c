/* SPDX-License-Identifier: MIT */
/*
 * export-sqlite.c: a database for people who ask in SQL: hosts, tasks, what each did when
 * (slices), who ended whose wait (handovers), and the path. One transaction, one prepared
 * statement a table. It is made beside its place and moved there when it is complete, so that
 * it needs no journal.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "base/error.h"
#include "base/late-library.h"
#include "export/exporter-private.h"

/* Steps of SQLite's machine between looks at the cancellable. */
#define CANCEL_INTERVAL 10000

#define SQLITE_FUNCTIONS(F)                                                                        \
	F(sqlite3_bind_int64)                                                                      \
	F(sqlite3_bind_null)                                                                       \
	F(sqlite3_bind_text)                                                                       \
	F(sqlite3_close)                                                                           \
	F(sqlite3_errcode)                                                                         \
	F(sqlite3_errmsg)                                                                          \
	F(sqlite3_exec)                                                                            \
	F(sqlite3_finalize)                                                                        \
	F(sqlite3_open)                                                                            \
	F(sqlite3_prepare_v2)                                                                      \
	F(sqlite3_progress_handler)                                                                \
	F(sqlite3_reset)                                                                           \
	F(sqlite3_step)
WP_LATE_FUNCTIONS(SqliteFunctions, get_sqlite, SQLITE_FUNCTIONS, WP_SONAME_SQLITE, "libsqlite3-0",
		  "A database")

static const gchar schema[] =
	"PRAGMA journal_mode = OFF;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value);"
	"CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TABLE task(host INTEGER REFERENCES host, id INTEGER, tid INTEGER, pid INTEGER,"
	" comm TEXT, PRIMARY KEY(host, id));"
	"CREATE TABLE slice(host INTEGER, task INTEGER, begin INTEGER, end INTEGER, state TEXT,"
	" FOREIGN KEY(host, task) REFERENCES task);"
	"CREATE TABLE handover(kind TEXT, from_host INTEGER, from_task INTEGER, from_time INTEGER,"
	" to_host INTEGER, to_task INTEGER, to_time INTEGER);"
	"CREATE TABLE path(seq INTEGER PRIMARY KEY, host INTEGER, task INTEGER, begin INTEGER,"
	" end INTEGER, state TEXT, depth INTEGER, cause TEXT);";

static const gchar indexes[] = "CREATE INDEX slice_by_task ON slice(host, task, begin);"
			       "CREATE INDEX handover_by_target ON handover(to_host, to_task);";

typedef struct {
	const SqliteFunctions *sql; /* borrowed, static */
	sqlite3 *db; /* owned */
	const gchar *file; /* borrowed */
	const WpExportJob *job; /* borrowed */
	sqlite3_stmt *task, *slice, *handover, *path; /* owned */
	GError *failed; /* owned: of the first step of a statement that failed, NULL */
} Database;

static gboolean fail(const Database *db, GError **error)
{
	if (db->sql->sqlite3_errcode(db->db) == SQLITE_INTERRUPT) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_CANCELLED,
				    "The export was cancelled.");
		return FALSE;
	}
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "The database %s can't be written: %s.",
		    db->file, db->sql->sqlite3_errmsg(db->db));
	return FALSE;
}

static gboolean run(Database *db, const gchar *sql, GError **error)
{
	return db->sql->sqlite3_exec(db->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(db, error);
}

static gboolean prepare(Database *db, sqlite3_stmt **statement, const gchar *sql, GError **error)
{
	return db->sql->sqlite3_prepare_v2(db->db, sql, -1, statement, NULL) == SQLITE_OK ||
	       fail(db, error);
}

/* Texts live until the statement has run. */
static void bind_text(const Database *db, sqlite3_stmt *statement, gint at, const gchar *text)
{
	if (text)
		db->sql->sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
	else
		db->sql->sqlite3_bind_null(statement, at);
}

/* The first failure is kept, and asked for when all is put. */
static void step(Database *db, sqlite3_stmt *statement)
{
	if (db->failed)
		return;
	if (db->sql->sqlite3_step(statement) != SQLITE_DONE)
		fail(db, &db->failed);
	db->sql->sqlite3_reset(statement);
}

static gboolean is_over(gpointer data)
{
	return ((const Database *)data)->failed != NULL;
}

static int is_cancelled(void *cancellable)
{
	return wp_cancel_is_cancelled(cancellable);
}

static void on_task(gpointer data, guint32 host, WpId task)
{
	Database *db = data;
	WpActor actor;

	wp_actor_init(&actor, db->job->graph, host, task, WP_TIME_MAX);
	db->sql->sqlite3_bind_int64(db->task, 1, host);
	db->sql->sqlite3_bind_int64(db->task, 2, task);
	db->sql->sqlite3_bind_int64(db->task, 3, actor.tid);
	if (actor.pid >= 0)
		db->sql->sqlite3_bind_int64(db->task, 4, actor.pid);
	else
		db->sql->sqlite3_bind_null(db->task, 4);
	bind_text(db, db->task, 5, actor.comm);
	step(db, db->task);
}

static void on_slice(gpointer data, const WpSlice *slice)
{
	Database *db = data;

	db->sql->sqlite3_bind_int64(db->slice, 1, slice->host);
	db->sql->sqlite3_bind_int64(db->slice, 2, slice->task);
	db->sql->sqlite3_bind_int64(db->slice, 3, slice->begin);
	db->sql->sqlite3_bind_int64(db->slice, 4, slice->end);
	bind_text(db, db->slice, 5, wp_state_key(slice->state));
	step(db, db->slice);
	if (slice->by.host == WP_NONE)
		return;
	bind_text(db, db->handover, 1, slice->by.packet ? "packet" : "wake-up");
	db->sql->sqlite3_bind_int64(db->handover, 2, slice->by.host);
	db->sql->sqlite3_bind_int64(db->handover, 3, slice->by.task);
	db->sql->sqlite3_bind_int64(db->handover, 4, slice->by.time);
	db->sql->sqlite3_bind_int64(db->handover, 5, slice->host);
	db->sql->sqlite3_bind_int64(db->handover, 6, slice->task);
	db->sql->sqlite3_bind_int64(db->handover, 7, slice->begin);
	step(db, db->handover);
}

static void put_path(Database *db)
{
	const WpPath *path = db->job->path;
	WpGraph *graph = db->job->graph;
	WpCauseInfo info;

	wp_cause_info_init(&info);
	for (guint i = 0; i < path->segments.n && !db->failed; i++) {
		const WpSegment *s = wp_path_segment(path, i);

		wp_cause_info_fill(&info, graph, s);

		g_autofree gchar *cause = wp_cause_info_dup_text(&info, graph, s);

		db->sql->sqlite3_bind_int64(db->path, 1, i);
		db->sql->sqlite3_bind_int64(db->path, 2, s->host);
		db->sql->sqlite3_bind_int64(db->path, 3, s->task);
		db->sql->sqlite3_bind_int64(db->path, 4, s->begin);
		db->sql->sqlite3_bind_int64(db->path, 5, s->end);
		bind_text(db, db->path, 6, wp_state_key(s->state));
		db->sql->sqlite3_bind_int64(db->path, 7, s->depth);
		bind_text(db, db->path, 8, cause);
		step(db, db->path);
	}
	wp_cause_info_clear(&info);
}

static gboolean put_meta(Database *db, GError **error)
{
	const WpPath *path = db->job->path;
	const WpGraph *graph = db->job->graph;
	g_autofree gchar *title = wp_export_dup_title(db->job);
	sqlite3_stmt *statement = NULL;
	const struct {
		const gchar *key, *text;
		gint64 number;
	} rows[] = {
		{"format", "waitpath-sqlite/1", 0},
		{"task", title, 0},
		{"reference", graph->hosts[graph->reference]->name, 0},
		{"begin", NULL, path->begin},
		{"end", NULL, path->end},
	};

	if (!prepare(db, &statement, "INSERT INTO meta VALUES(?, ?)", error))
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		bind_text(db, statement, 1, rows[i].key);
		if (rows[i].text)
			bind_text(db, statement, 2, rows[i].text);
		else
			db->sql->sqlite3_bind_int64(statement, 2, rows[i].number);
		step(db, statement);
	}
	db->sql->sqlite3_finalize(statement);
	if (!prepare(db, &statement, "INSERT INTO host VALUES(?, ?)", error))
		return FALSE;
	for (guint i = 0; i < graph->n_hosts; i++) {
		db->sql->sqlite3_bind_int64(statement, 1, i);
		bind_text(db, statement, 2, graph->hosts[i]->name);
		step(db, statement);
	}
	db->sql->sqlite3_finalize(statement);
	return TRUE;
}

static gboolean fill(Database *db, GError **error)
{
	static const WpWalkFuncs funcs = {.task = on_task, .slice = on_slice, .is_over = is_over};

	if (!run(db, schema, error) || !run(db, "BEGIN", error) || !put_meta(db, error) ||
	    !prepare(db, &db->task, "INSERT INTO task VALUES(?, ?, ?, ?, ?)", error) ||
	    !prepare(db, &db->slice, "INSERT INTO slice VALUES(?, ?, ?, ?, ?)", error) ||
	    !prepare(db, &db->handover, "INSERT INTO handover VALUES(?, ?, ?, ?, ?, ?, ?)",
		     error) ||
	    !prepare(db, &db->path, "INSERT INTO path VALUES(?, ?, ?, ?, ?, ?, ?, ?)", error))
		return FALSE;
	wp_walk(db->job->graph, db->job->path, db->job->all, &funcs, db);
	put_path(db);
	if (db->failed) {
		g_propagate_error(error, g_steal_pointer(&db->failed));
		return FALSE;
	}
	/* What comes from a damaged graph gets no name. */
	return run(db, indexes, error) && run(db, "COMMIT", error) &&
	       wp_graph_check_damage(db->job->graph, error);
}

static gboolean make(const SqliteFunctions *sql, const gchar *temporary, const gchar *file,
		     const WpExportJob *job, GError **error)
{
	Database db = {.sql = sql, .file = file, .job = job};
	gboolean ok = sql->sqlite3_open(temporary, &db.db) == SQLITE_OK;

	if (ok)
		sql->sqlite3_progress_handler(db.db, CANCEL_INTERVAL, is_cancelled,
					      job->cancellable);
	ok = ok ? fill(&db, error) : fail(&db, error);
	sql->sqlite3_finalize(db.task);
	sql->sqlite3_finalize(db.slice);
	sql->sqlite3_finalize(db.handover);
	sql->sqlite3_finalize(db.path);
	sql->sqlite3_close(db.db);
	g_clear_error(&db.failed);
	return ok;
}

gboolean wp_sqlite_save(const gchar *file, const WpExportJob *job, GError **error)
{
	/* A database that is there is not added to. */
	g_autofree gchar *temporary = g_strconcat(file, ".XXXXXX", NULL);
	const SqliteFunctions *sql = get_sqlite(error);
	gint fd;

	if (!sql)
		return FALSE;
	/* Nor does it take the place of a device or a pipe. */
	if (g_file_test(file, G_FILE_TEST_EXISTS) && !g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "%s can't be written: a database needs a file of its own, and this is "
			    "no ordinary file.",
			    file);
		return FALSE;
	}
	fd = g_mkstemp_full(temporary, O_RDWR | O_CLOEXEC, 0666);
	if (fd >= 0) {
		close(fd);
		if (!make(sql, temporary, file, job, error)) {
			g_unlink(temporary);
			return FALSE;
		}
		if (g_rename(temporary, file) == 0)
			return TRUE;
	}
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s can't be written: %s.", file,
		    g_strerror(errno));
	if (fd >= 0)
		g_unlink(temporary);
	return FALSE;
}
