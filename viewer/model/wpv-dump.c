/* SPDX-License-Identifier: MIT */
/* wpv-dump.c: a session written out, streaming. */
#include "config.h"

#include "base/json.h"
#include "viewer/model/wpv-dump.h"

#define BAND_MAX 100000u

static const gchar *const kinds[WPV_ROW_KIND_N] = {[WPV_ROW_HOST] = "host",
						   [WPV_ROW_PROCESS] = "process",
						   [WPV_ROW_THREAD] = "thread",
						   [WPV_ROW_KERNEL] = "kernel",
						   [WPV_ROW_CPUS] = "cpus",
						   [WPV_ROW_CPU] = "cpu",
						   [WPV_ROW_INTERRUPTS] = "interrupts"};

static void put_task(WpJson *json, WpvDocument *document, guint32 host, WpId task)
{
	WpHost *h = wpv_document_get_host(document, host);
	const WpTask *t = wp_host_task(h, task);

	wp_json_string(json, "host", h->name);
	wp_json_int(json, "tid", t->tid);
	wp_json_string(json, "comm", wp_strings_get(h->strings, t->comm));
}

static void put_window(WpJson *json, const gchar *key, WpTime begin, WpTime end)
{
	wp_json_begin_object(json, key, WP_JSON_LINE);
	wp_json_int(json, "begin", begin);
	wp_json_int(json, "end", end);
	wp_json_end_object(json);
}

static void put_answer(WpJson *json, WpvSession *session)
{
	WpvDocument *document = wpv_session_get_document(session);
	WpvAnswer *answer = wpv_session_get_answer(session);
	const WpvQuestion *question = wpv_answer_get_question(answer);
	guint n = wpv_answer_get_n_segments(answer);

	wp_json_begin_object(json, "task", WP_JSON_LINE);
	put_task(json, document, question->host, question->task);
	wp_json_end_object(json);
	put_window(json, "window", question->begin, question->end);
	wp_json_string(json, "sentence", wpv_answer_get_sentence(answer));
	wp_json_begin_array(json, "band", WP_JSON_BLOCK);
	for (guint i = 0; i < MIN(n, BAND_MAX); i++) {
		const WpSegment *segment = wpv_answer_get_segment(answer, i);

		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		put_task(json, document, segment->host, segment->task);
		wp_json_int(json, "begin", segment->begin);
		wp_json_int(json, "end", segment->end);
		wp_json_string(json, "state", wp_state_key(segment->state));
		wp_json_uint(json, "depth", segment->depth);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	wp_json_uint(json, "omitted", n > BAND_MAX ? n - BAND_MAX : 0);
}

static void put_row(WpJson *json, WpvDocument *document, const WpvRow *row)
{
	g_autofree gchar *name = wpv_document_dup_row_name(document, row->key);

	wp_json_begin_object(json, NULL, WP_JSON_LINE);
	wp_json_string(json, "kind", kinds[row->key.kind]);
	wp_json_uint(json, "depth", row->depth);
	wp_json_string(json, "host", wpv_document_get_host(document, row->key.host)->name);
	wp_json_string(json, "name", name);
	if (row->expandable)
		wp_json_bool(json, "expanded", row->expanded);
	wp_json_int(json, "time", row->time);
	wp_json_end_object(json);
}

void wpv_dump_rows(WpvSession *session, WpOut *out)
{
	WpvDocument *document = wpv_session_get_document(session);
	WpvRowList *rows = wpv_session_get_rows(session);
	WpTime begin, end;
	WpJson json;

	wp_json_init(&json, out);
	wp_json_begin_object(&json, NULL, WP_JSON_BLOCK);
	wp_json_string(&json, "schema", "waitpath-view/1");
	wp_json_string(&json, "title", wpv_document_get_title(document));
	wpv_session_get_target(session, &begin, &end);
	put_window(&json, "visible", begin, end);
	if (wpv_session_get_answer(session))
		put_answer(&json, session);
	wp_json_begin_array(&json, "rows", WP_JSON_BLOCK);
	for (guint i = 0; i < wpv_row_list_get_n(rows); i++)
		put_row(&json, document, wpv_row_list_get(rows, i));
	wp_json_end_array(&json);
	wp_json_end_object(&json);
	wp_json_finish(&json);
}
