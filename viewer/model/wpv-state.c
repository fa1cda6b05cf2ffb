/* SPDX-License-Identifier: MIT */
/*
 * wpv-state.c: states as flat XML documents: one element a thing, attributes for its
 * values. Tasks are named by host, tid and generation, so that they are found again when
 * their ids have changed.
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

#include "base/error.h"
#include "viewer/model/wpv-state.h"

#define STATE_VERSION "1"
/* A file that is longer was not written by us. */
#define FILE_MAX (4 * 1024 * 1024)

static const gchar *const scheme_keys[WPV_SCHEME_N] = {"system", "light", "dark"};
static const gchar *const arrows_keys[] = {"none", "path", "all"};
static const gchar *const row_keys[WPV_ROW_KIND_N] = {[WPV_ROW_HOST] = "host",
						      [WPV_ROW_PROCESS] = "process",
						      [WPV_ROW_THREAD] = "thread",
						      [WPV_ROW_KERNEL] = "kernel",
						      [WPV_ROW_CPUS] = "cpus",
						      [WPV_ROW_CPU] = "cpu",
						      [WPV_ROW_INTERRUPTS] = "interrupts"};

const gchar *wpv_scheme_key(WpvScheme scheme)
{
	return scheme_keys[MIN(scheme, WPV_SCHEME_N - 1)];
}

static void free_strv(gpointer strv)
{
	g_strfreev(strv);
}

void wpv_settings_init(WpvSettings *settings)
{
	*settings = (WpvSettings){.width = 1200, .height = 700};
	settings->recent = g_ptr_array_new_with_free_func(free_strv);
}

void wpv_settings_clear(WpvSettings *settings)
{
	g_clear_pointer(&settings->recent, g_ptr_array_unref);
}

void wpv_settings_add_recent(WpvSettings *settings, const gchar *const *traces)
{
	GPtrArray *recent = settings->recent;

	for (guint i = 0; i < recent->len; i++)
		if (g_strv_equal(g_ptr_array_index(recent, i), traces))
			g_ptr_array_remove_index(recent, i--);
	g_ptr_array_insert(recent, 0, g_strdupv((gchar **)traces));
	if (recent->len > WPV_RECENT_MAX)
		g_ptr_array_set_size(recent, WPV_RECENT_MAX);
}

gchar *wpv_state_dup_view_path(WpvDocument *document)
{
	g_autofree gchar *name = g_strdup_printf("%s.xml", wpv_document_get_identity(document));

	return g_build_filename(g_get_user_state_dir(), "waitpath", "views", name, NULL);
}

gchar *wpv_state_dup_settings_path(void)
{
	return g_build_filename(g_get_user_config_dir(), "waitpath", "viewer.xml", NULL);
}

/* ---- writing ---- */

static void put_text(xmlTextWriterPtr writer, const gchar *name, const gchar *value)
{
	xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST value);
}

static void put_int(xmlTextWriterPtr writer, const gchar *name, gint64 value)
{
	xmlTextWriterWriteFormatAttribute(writer, BAD_CAST name, "%" G_GINT64_FORMAT, value);
}

static void put_flag(xmlTextWriterPtr writer, const gchar *name, gboolean value)
{
	put_text(writer, name, value ? "yes" : "no");
}

static void begin(xmlTextWriterPtr writer, const gchar *name)
{
	xmlTextWriterStartElement(writer, BAD_CAST name);
}

static void end(xmlTextWriterPtr writer)
{
	xmlTextWriterEndElement(writer);
}

static void put_range(xmlTextWriterPtr writer, const gchar *name, WpTime from, WpTime to)
{
	begin(writer, name);
	put_int(writer, "begin", from);
	put_int(writer, "end", to);
	end(writer);
}

static void put_task(xmlTextWriterPtr writer, WpvDocument *document, guint32 host, WpId task)
{
	WpHost *h = wpv_document_get_host(document, host);
	const WpTask *t = wp_host_task(h, task);

	put_text(writer, "host", h->name);
	put_int(writer, "tid", t->tid);
	put_int(writer, "generation", t->generation);
}

static void put_row(xmlTextWriterPtr writer, WpvDocument *document, WpvRowKey key)
{
	WpId task = wpv_document_get_row_task(document, key);

	put_text(writer, "kind", row_keys[key.kind]);
	if (task != WP_NONE) {
		put_task(writer, document, key.host, task);
		return;
	}
	put_text(writer, "host", wpv_document_get_host(document, key.host)->name);
	put_int(writer, "id", key.id);
}

static void put_question(xmlTextWriterPtr writer, WpvSession *session)
{
	WpvAnswer *answer = wpv_session_get_answer(session);
	const WpvQuestion *question;

	if (!answer)
		return;
	question = wpv_answer_get_question(answer);
	begin(writer, "task");
	put_task(writer, wpv_session_get_document(session), question->host, question->task);
	put_int(writer, "begin", question->begin);
	put_int(writer, "end", question->end);
	put_text(writer, "mode", question->mode == WP_PATH_CAUSAL ? "causal" : "active");
	end(writer);
}

static void put_marks(xmlTextWriterPtr writer, WpvSession *session)
{
	const GArray *bookmarks = wpv_session_get_bookmarks(session);
	const GArray *pins = wpv_row_list_get_pinned(wpv_session_get_rows(session));
	WpTime time;

	for (guint i = 0; i < 2; i++) {
		if (!wpv_session_get_marker(session, i, &time))
			continue;
		begin(writer, "marker");
		put_int(writer, "which", i);
		put_int(writer, "time", time);
		end(writer);
	}
	for (guint i = 0; i < bookmarks->len; i++) {
		const WpvBookmark *bookmark = &g_array_index(bookmarks, WpvBookmark, i);

		begin(writer, "bookmark");
		put_int(writer, "time", bookmark->time);
		put_text(writer, "name", bookmark->name);
		end(writer);
	}
	for (guint i = 0; i < pins->len; i++) {
		begin(writer, "pin");
		put_row(writer, wpv_session_get_document(session),
			g_array_index(pins, WpvRowKey, i));
		end(writer);
	}
}

static void put_display(xmlTextWriterPtr writer, WpvSession *session)
{
	const WpvRowFilter *filter = wpv_session_get_filter(session);
	guint32 dimmed = wpv_session_get_dimmed(session);

	begin(writer, "filter");
	put_flag(writer, "all-tasks", filter->all_tasks);
	put_flag(writer, "kernel", filter->kernel);
	put_flag(writer, "cpus", filter->cpus);
	put_flag(writer, "interrupts", filter->interrupts);
	put_flag(writer, "hide-empty", filter->hide_empty);
	put_flag(writer, "only-active", filter->only_active);
	put_text(writer, "sort", wpv_sort_key(filter->sort));
	put_text(writer, "text", filter->text ? filter->text : "");
	end(writer);
	for (guint state = 0; state < WP_STATE_N; state++) {
		if (!(dimmed & 1u << state))
			continue;
		begin(writer, "dimmed");
		put_text(writer, "state", wp_state_key(state));
		end(writer);
	}
	begin(writer, "display");
	put_text(writer, "arrows", arrows_keys[wpv_session_get_arrows(session)]);
	put_flag(writer, "highlight", wpv_session_get_highlight(session));
	put_int(writer, "row-height", wpv_session_get_row_height(session));
	end(writer);
}

typedef void (*BodyFunc)(xmlTextWriterPtr writer, WpvSession *session, gconstpointer data);

static gboolean write_file(const gchar *path, xmlBufferPtr buffer, GError **error)
{
	g_autofree gchar *folder = g_path_get_dirname(path);

	if (g_mkdir_with_parents(folder, 0700) != 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "The folder %s for the viewer's state cannot be made: %s.", folder,
			    g_strerror(errno));
		return FALSE;
	}
	return g_file_set_contents(path, (const gchar *)xmlBufferContent(buffer),
				   xmlBufferLength(buffer), error);
}

/* A document with one root element, which func fills. */
static gboolean save(const gchar *path, const gchar *root, BodyFunc func, WpvSession *session,
		     gconstpointer data, GError **error)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr writer = xmlNewTextWriterMemory(buffer, 0);
	gboolean done;

	xmlTextWriterSetIndent(writer, 1);
	xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
	begin(writer, root);
	put_text(writer, "version", STATE_VERSION);
	func(writer, session, data);
	xmlTextWriterEndDocument(writer);
	xmlFreeTextWriter(writer);
	done = write_file(path, buffer, error);
	xmlBufferFree(buffer);
	return done;
}

static void put_view(xmlTextWriterPtr writer, WpvSession *session, gconstpointer data)
{
	WpTime from, to;

	put_text(writer, "title", wpv_document_get_title(wpv_session_get_document(session)));
	wpv_session_get_target(session, &from, &to);
	put_range(writer, "visible", from, to);
	if (wpv_session_get_selection(session, &from, &to))
		put_range(writer, "selection", from, to);
	put_question(writer, session);
	put_marks(writer, session);
	put_display(writer, session);
}

gboolean wpv_state_save_view(WpvSession *session, const gchar *path, GError **error)
{
	g_return_val_if_fail(wpv_session_get_document(session), FALSE);
	return save(path, "view", put_view, session, NULL, error);
}

static void put_recent(xmlTextWriterPtr writer, const GPtrArray *recent)
{
	for (guint i = 0; i < recent->len; i++) {
		gchar **traces = g_ptr_array_index(recent, i);

		begin(writer, "recent");
		for (; *traces; traces++) {
			/* A path that is no UTF-8 has no place in XML. */
			if (!g_utf8_validate(*traces, -1, NULL))
				continue;
			begin(writer, "trace");
			put_text(writer, "path", *traces);
			end(writer);
		}
		end(writer);
	}
}

static void put_settings(xmlTextWriterPtr writer, WpvSession *session, gconstpointer data)
{
	WpvStyle *style = wpv_session_get_style(session);
	const WpvSettings *settings = data;

	begin(writer, "window");
	put_int(writer, "width", settings->width);
	put_int(writer, "height", settings->height);
	put_flag(writer, "maximized", settings->maximized);
	end(writer);
	begin(writer, "style");
	put_text(writer, "scheme", wpv_scheme_key(settings->scheme));
	put_text(writer, "palette", wpv_palette_key(wpv_style_get_palette(style)));
	end(writer);
	for (WpState state = 0; state < WP_STATE_N; state++) {
		const GdkRGBA *own = wpv_style_get_own_colour(style, state);
		g_autofree gchar *text = own ? gdk_rgba_to_string(own) : NULL;

		if (!own)
			continue;
		begin(writer, "colour");
		put_text(writer, "state", wp_state_key(state));
		put_text(writer, "value", text);
		end(writer);
	}
	put_recent(writer, settings->recent);
}

gboolean wpv_state_save_settings(const WpvSettings *settings, WpvSession *session,
				 const gchar *path, GError **error)
{
	return save(path, "viewer", put_settings, session, settings, error);
}

/* ---- reading ---- */

/* The document with this root and of our version; NULL: there is none. Freed with xmlFreeDoc(). */
static xmlDocPtr load(const gchar *path, const gchar *root)
{
	g_autofree gchar *contents = NULL;
	g_autofree gchar *version = NULL;
	xmlDocPtr doc;
	xmlNodePtr top;
	gsize length;
	GStatBuf info;

	if (g_stat(path, &info) != 0 || info.st_size > FILE_MAX ||
	    !g_file_get_contents(path, &contents, &length, NULL))
		return NULL;
	doc = xmlReadMemory(contents, (int)length, NULL, NULL,
			    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	top = doc ? xmlDocGetRootElement(doc) : NULL;
	if (top) {
		xmlChar *value = xmlGetNoNsProp(top, BAD_CAST "version");

		version = g_strdup((const gchar *)value);
		xmlFree(value);
	}
	if (top && g_str_equal((const gchar *)top->name, root) &&
	    g_strcmp0(version, STATE_VERSION) == 0)
		return doc;
	xmlFreeDoc(doc);
	return NULL;
}

/* Owned by the caller; NULL when it is not there. */
static gchar *get_text(xmlNodePtr node, const gchar *name)
{
	xmlChar *value = xmlGetNoNsProp(node, BAD_CAST name);
	gchar *text = g_strdup((const gchar *)value);

	xmlFree(value);
	return text;
}

static gboolean get_int(xmlNodePtr node, const gchar *name, gint64 *ret_value)
{
	g_autofree gchar *text = get_text(node, name);

	return text && g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, ret_value, NULL);
}

static gboolean get_flag(xmlNodePtr node, const gchar *name)
{
	g_autofree gchar *text = get_text(node, name);

	return g_strcmp0(text, "yes") == 0;
}

/* The place of a value in a list of keys, n when it is in none. */
static guint get_key(xmlNodePtr node, const gchar *name, const gchar *const *keys, guint n)
{
	g_autofree gchar *text = get_text(node, name);

	for (guint i = 0; i < n; i++)
		if (g_strcmp0(text, keys[i]) == 0)
			return i;
	return n;
}

static guint32 get_host(xmlNodePtr node, WpvDocument *document)
{
	WpGraph *graph = wpv_document_get_graph(document);
	g_autofree gchar *name = get_text(node, "host");

	for (guint h = 0; h < graph->n_hosts; h++)
		if (g_strcmp0(graph->hosts[h]->name, name) == 0)
			return h;
	return WP_NONE;
}

static gboolean get_task(xmlNodePtr node, WpvDocument *document, guint32 *ret_host, WpId *ret_task)
{
	guint32 h = get_host(node, document);
	gint64 tid, generation;
	WpHost *host;

	if (h == WP_NONE || !get_int(node, "tid", &tid) ||
	    !get_int(node, "generation", &generation))
		return FALSE;
	host = wpv_document_get_host(document, h);
	for (WpId task = 0; task < host->tasks.n; task++) {
		const WpTask *t = wp_host_task(host, task);

		if (t->tid != tid || t->generation != generation)
			continue;
		*ret_host = h;
		*ret_task = task;
		return TRUE;
	}
	return FALSE;
}

static WpvRowKey get_row(xmlNodePtr node, WpvDocument *document)
{
	WpvRowKey key = {.kind = get_key(node, "kind", row_keys, WPV_ROW_KIND_N)};
	gint64 id;

	switch (key.kind) {
	case WPV_ROW_THREAD:
		return get_task(node, document, &key.host, &key.id) ? key : WPV_ROW_KEY_NONE;
	case WPV_ROW_PROCESS:
		if (!get_task(node, document, &key.host, &key.id))
			return WPV_ROW_KEY_NONE;
		key.id = wpv_document_find_process(document, key.host, key.id);
		return key.id == WP_NONE ? WPV_ROW_KEY_NONE : key;
	case WPV_ROW_KIND_N:
		return WPV_ROW_KEY_NONE;
	default:
		break;
	}
	key.host = get_host(node, document);
	if (key.host == WP_NONE || !get_int(node, "id", &id) || id < 0)
		return WPV_ROW_KEY_NONE;
	if ((key.kind == WPV_ROW_CPU || key.kind == WPV_ROW_INTERRUPTS) &&
	    (guint64)id >= wpv_document_get_host(document, key.host)->cpus.n)
		return WPV_ROW_KEY_NONE;
	key.id = (guint32)id;
	return key;
}

static gboolean get_range(xmlNodePtr node, WpTime *ret_begin, WpTime *ret_end)
{
	return get_int(node, "begin", ret_begin) && get_int(node, "end", ret_end) &&
	       *ret_begin < *ret_end;
}

/* A time that lies in the document. */
static gboolean get_time(xmlNodePtr node, WpvDocument *document, WpTime *ret_time)
{
	WpTime first, last;

	wpv_document_get_span(document, &first, &last);
	return get_int(node, "time", ret_time) && *ret_time >= first && *ret_time <= last;
}

static void take_mark(xmlNodePtr node, WpvSession *session)
{
	WpvDocument *document = wpv_session_get_document(session);
	g_autofree gchar *name = get_text(node, "name");
	gint64 which;
	WpTime time;

	if (!get_time(node, document, &time))
		return;
	if (name)
		wpv_session_add_bookmark(session, time, name);
	else if (get_int(node, "which", &which) && which >= 0 && which < 2)
		wpv_session_set_marker(session, (guint)which, time);
}

static void take_filter(xmlNodePtr node, WpvSession *session)
{
	g_autofree gchar *sort = get_text(node, "sort");
	WpvRowFilter filter = {.all_tasks = get_flag(node, "all-tasks"),
			       .kernel = get_flag(node, "kernel"),
			       .cpus = get_flag(node, "cpus"),
			       .interrupts = get_flag(node, "interrupts"),
			       .hide_empty = get_flag(node, "hide-empty"),
			       .only_active = get_flag(node, "only-active"),
			       .sort = sort ? wpv_sort_from_key(sort) : WPV_SORT_N,
			       .text = get_text(node, "text")};

	if (filter.sort == WPV_SORT_N)
		filter.sort = WPV_SORT_SHARE;
	wpv_session_set_filter(session, &filter);
	wpv_row_filter_clear(&filter);
}

static void take_display(xmlNodePtr node, WpvSession *session)
{
	guint arrows = get_key(node, "arrows", arrows_keys, G_N_ELEMENTS(arrows_keys));
	gint64 height;

	if (arrows < G_N_ELEMENTS(arrows_keys))
		wpv_session_set_arrows(session, arrows);
	wpv_session_set_highlight(session, get_flag(node, "highlight"));
	if (get_int(node, "row-height", &height))
		wpv_session_set_row_height(session, (gint)CLAMP(height, 0, WPV_ROW_HEIGHT_MAX));
}

static void take_dimmed(xmlNodePtr node, WpvSession *session)
{
	g_autofree gchar *key = get_text(node, "state");
	WpState state = key ? wp_state_from_key(key) : WP_STATE_N;

	if (state < WP_STATE_N)
		wpv_session_set_dimmed(session, wpv_session_get_dimmed(session) | 1u << state);
}

static gboolean take_question(xmlNodePtr node, WpvDocument *document, WpvQuestion *question)
{
	g_autofree gchar *mode = get_text(node, "mode");

	question->mode = g_strcmp0(mode, "causal") == 0 ? WP_PATH_CAUSAL : WP_PATH_ACTIVE;
	return get_task(node, document, &question->host, &question->task) &&
	       get_range(node, &question->begin, &question->end);
}

static gboolean is_element(xmlNodePtr node, const gchar *name)
{
	return node->type == XML_ELEMENT_NODE && g_str_equal((const gchar *)node->name, name);
}

gboolean wpv_state_load_view(WpvSession *session, const gchar *path, WpvQuestion *ret_question,
			     gboolean *ret_has_question)
{
	WpvDocument *document = wpv_session_get_document(session);
	xmlDocPtr doc = document ? load(path, "view") : NULL;
	WpTime from = 0, to = 0, begin_time, end_time;

	*ret_has_question = FALSE;
	if (!doc)
		return FALSE;
	for (xmlNodePtr node = xmlDocGetRootElement(doc)->children; node; node = node->next) {
		if (is_element(node, "visible"))
			get_range(node, &from, &to);
		else if (is_element(node, "selection") && get_range(node, &begin_time, &end_time))
			wpv_session_set_selection(session, begin_time, end_time);
		else if (is_element(node, "task"))
			*ret_has_question = take_question(node, document, ret_question);
		else if (is_element(node, "marker") || is_element(node, "bookmark"))
			take_mark(node, session);
		else if (is_element(node, "pin") && !wpv_row_key_is_none(get_row(node, document)))
			wpv_row_list_set_pinned(wpv_session_get_rows(session),
						get_row(node, document), TRUE);
		else if (is_element(node, "filter"))
			take_filter(node, session);
		else if (is_element(node, "dimmed"))
			take_dimmed(node, session);
		else if (is_element(node, "display"))
			take_display(node, session);
	}
	if (from < to)
		wpv_session_show(session, from, to, WPV_STEP_ALONE);
	xmlFreeDoc(doc);
	return TRUE;
}

static void take_window(xmlNodePtr node, WpvSettings *settings)
{
	gint64 width, height;

	if (get_int(node, "width", &width) && get_int(node, "height", &height) && width >= 200 &&
	    width <= 32767 && height >= 200 && height <= 32767) {
		settings->width = (gint)width;
		settings->height = (gint)height;
	}
	settings->maximized = get_flag(node, "maximized");
}

static void take_style(xmlNodePtr node, WpvSettings *settings, WpvStyle *style)
{
	guint scheme = get_key(node, "scheme", scheme_keys, WPV_SCHEME_N);
	g_autofree gchar *palette = get_text(node, "palette");

	if (scheme < WPV_SCHEME_N)
		settings->scheme = scheme;
	if (palette && wpv_palette_from_key(palette) < WPV_PALETTE_N)
		wpv_style_set_palette(style, wpv_palette_from_key(palette));
}

static void take_colour(xmlNodePtr node, WpvStyle *style)
{
	g_autofree gchar *key = get_text(node, "state");
	g_autofree gchar *value = get_text(node, "value");
	WpState state = key ? wp_state_from_key(key) : WP_STATE_N;
	GdkRGBA colour;

	if (state < WP_STATE_N && value && gdk_rgba_parse(&colour, value))
		wpv_style_set_own_colour(style, state, &colour);
}

static void take_recent(xmlNodePtr node, WpvSettings *settings)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) traces = NULL;

	for (xmlNodePtr child = node->children; child; child = child->next) {
		g_autofree gchar *path = is_element(child, "trace") ? get_text(child, "path")
								    : NULL;

		if (path)
			g_strv_builder_add(builder, path);
	}
	traces = g_strv_builder_end(builder);
	if (*traces && settings->recent->len < WPV_RECENT_MAX)
		g_ptr_array_add(settings->recent, g_steal_pointer(&traces));
}

void wpv_state_load_settings(WpvSettings *settings, WpvSession *session, const gchar *path)
{
	WpvStyle *style = wpv_session_get_style(session);
	xmlDocPtr doc = load(path, "viewer");

	if (!doc)
		return;
	for (xmlNodePtr node = xmlDocGetRootElement(doc)->children; node; node = node->next) {
		if (is_element(node, "window"))
			take_window(node, settings);
		else if (is_element(node, "style"))
			take_style(node, settings, style);
		else if (is_element(node, "colour"))
			take_colour(node, style);
		else if (is_element(node, "recent"))
			take_recent(node, settings);
	}
	xmlFreeDoc(doc);
}
