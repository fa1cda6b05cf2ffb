/* SPDX-License-Identifier: MIT */
/*
 * raw-events.c: prints the events of a trace around times, one a line:
 * `TIME cpu name field=value ...` with TIME in ns, behind a line `= ASKED`, and in the end
 * how many packets were read. For tests/raw-events.sh.
 *
 *   raw-events TRACE N_BEFORE N_AFTER CPU|- TID|- TIME...
 */
#include "config.h"

#include <stdio.h>

#include "ctf/excerpt.h"
#include "session/events.h"

static gboolean print_events(WpEventSource *source, const WpHost *host, const WpEventsQuery *query)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) events = wp_event_source_read(source, host, query, NULL, &error);

	if (!events) {
		fprintf(stderr, "raw-events: %s\n", error->message);
		return FALSE;
	}
	printf("= %" G_GINT64_FORMAT "\n", query->time);
	for (guint i = 0; i < events->len; i++) {
		const WpRawEvent *event = events->pdata[i];
		g_autofree gchar *text = wp_raw_event_dup_text(event);

		printf("%" G_GINT64_FORMAT " %d %s %s\n", event->time,
		       event->cpu == WP_NONE ? -1 : (gint)event->cpu, event->name, text);
	}
	return TRUE;
}

/* What one look at the last time costs. */
static void print_cost(const gchar *path, WpTime time)
{
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(WpCtfExcerpt) excerpt = wp_ctf_excerpt_open(path, layout, NULL);
	g_autoptr(GPtrArray)
		events = g_ptr_array_new_with_free_func((GDestroyNotify)wp_raw_event_free);
	guint64 n_all, n_read;

	if (!excerpt || !wp_ctf_excerpt_read(excerpt, time, 1, events, NULL, NULL))
		return;
	n_read = wp_ctf_excerpt_get_n_packets(excerpt, &n_all);
	printf("packets %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", n_read, n_all);
}

static gint64 clock_offset(const gchar *path)
{
	g_autoptr(WpLayout) layout = wp_layout_new(NULL);
	g_autoptr(WpCtfExcerpt) excerpt = wp_ctf_excerpt_open(path, layout, NULL);

	return excerpt ? wp_ctf_excerpt_get_clock_offset(excerpt) : 0;
}

int main(int argc, char **argv)
{
	g_autoptr(WpEventSource) source = wp_event_source_new();
	g_autoptr(WpHost) host = wp_host_new("host", NULL);
	WpEventsQuery query = {.cpus = {WP_NONE, WP_NONE}, .tids = {-1, -1}};

	if (argc < 7)
		return 2;
	wp_host_add_trace(host, argv[1], clock_offset(argv[1]), 0);
	query.n_before = (guint)g_ascii_strtoull(argv[2], NULL, 10);
	query.n_after = (guint)g_ascii_strtoull(argv[3], NULL, 10);
	if (argv[4][0] != '-')
		query.cpus[0] = (guint32)g_ascii_strtoull(argv[4], NULL, 10);
	if (argv[5][0] != '-')
		query.tids[0] = (gint32)g_ascii_strtoll(argv[5], NULL, 10);
	for (gint i = 6; i < argc; i++) {
		query.time = g_ascii_strtoll(argv[i], NULL, 10);
		if (!print_events(source, host, &query))
			return 1;
	}
	print_cost(argv[1], query.time);
	return 0;
}
