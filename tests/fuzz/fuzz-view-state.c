/* SPDX-License-Identifier: MIT */
/*
 * fuzz-view-state.c: any bytes as what the viewer keeps of a view, and as its settings: what
 * makes no sense is left out. The session is asked afterwards, and saves itself again.
 */
#include "config.h"

#include "fuzz.h"
#include "tests/lib/sample-graph.h"
#include "viewer/model/wpv-state.h"

static void use_view(const gchar *path, WpvDocument *document)
{
	g_autoptr(WpvSession) session = wpv_session_new();
	g_autofree gchar *again = g_strconcat(path, ".again", NULL);
	g_autoptr(GError) error = NULL;
	WpvQuestion question;
	WpvSettings settings;
	gboolean has_question;
	WpTime begin, end;

	wpv_session_set_document(session, document);
	wpv_settings_init(&settings);
	wpv_state_load_settings(&settings, session, path);
	if (wpv_state_load_view(session, path, &question, &has_question)) {
		wpv_session_get_visible(session, &begin, &end);
		g_assert_cmpint(begin, <, end);
		wpv_row_list_get_pinned(wpv_session_get_rows(session));
		wpv_state_save_view(session, again, &error);
		g_assert_no_error(error);
	}
	wpv_state_save_settings(&settings, session, again, &error);
	g_assert_no_error(error);
	wpv_settings_clear(&settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static WpvDocument *document; /* owned for the life of the program */
	static WpGraph *graph; /* likewise */

	if (!document) {
		graph = wp_sample_graph_new();
		document = wpv_document_new("sample", graph, graph->findings, NULL, graph, NULL);
	}
	use_view(wp_fuzz_write("view.xml", data, size), document);
	return 0;
}
