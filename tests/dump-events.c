/* SPDX-License-Identifier: MIT */
/*
 * dump-events.c: prints what a reader makes of a trace, one event a line:
 * `time cpu kind slot=value ...`. For tests that compare readers, and for a person
 * who wants to see what the model sees.
 *
 *   dump-events [--reader babeltrace|direct] [--stream N] [--info] [--jobs N]
 *               [--marker NAME] [--count] DIRECTORY
 *
 * Without --stream all streams are merged, with it one comes as it lies in the trace.
 * With --marker '*' all events come, if by name only. With --count only the number of
 * records is printed.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "bt2/bt2-reader.h"
#include "ctf/ctf-reader.h"
#include "event/merge.h"
#include "lib/event-text.h"

static gboolean print_event(const WpEvent *event, gpointer data, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	wp_event_append_text(event, text);
	fputs(text->str, stdout);
	return TRUE;
}

static gboolean count_event(const WpEvent *event, gpointer data, GError **error)
{
	++*(guint64 *)data;
	return TRUE;
}

static void print_info(const WpTraceInfo *info)
{
	printf("host %s\ndomain %s\ntracer %s %d.%d\nkernel %s\nclock %s %" G_GINT64_FORMAT
	       "\nstreams %u\nbytes %" G_GUINT64_FORMAT "\n",
	       info->host ? info->host : "?", info->domain ? info->domain : "?",
	       info->tracer ? info->tracer : "?", info->tracer_major, info->tracer_minor,
	       info->kernel_release ? info->kernel_release : "?",
	       info->clock_uuid ? info->clock_uuid : "?", info->clock_offset, info->n_streams,
	       info->n_bytes);
	for (guint kind = 0; kind < WP_EV_N; kind++)
		if (info->kinds >> kind & 1)
			printf("kind %s\n", wp_event_kind_name(kind));
}

static void print_findings(const WpFindings *findings)
{
	for (guint i = 0; i < wp_findings_n(findings); i++) {
		const WpFinding *finding = wp_findings_get(findings, i);

		fprintf(stderr, "%s: %s x %" G_GUINT64_FORMAT ": %s\n",
			wp_severity_key(finding->severity), finding->code, finding->count,
			finding->text);
	}
}

static gboolean dump_stream(WpReader *reader, guint stream, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean ok = wp_reader_append_text(reader, stream, text, error);

	fputs(text->str, stdout);
	return ok;
}

typedef struct {
	const gchar *directory; /* borrowed */
	gchar *reader, *marker; /* owned */
	gint stream, jobs;
	gboolean info, count;
} Options;

static gboolean dump(const Options *options, GError **error)
{
	g_autoptr(WpLayout) layout = wp_layout_new(error);
	g_autoptr(WpReader) reader = NULL;
	g_autoptr(WpFindings) findings = wp_findings_new();
	guint64 n = 0;
	gboolean ok;

	if (layout && options->marker)
		wp_layout_add_marker(layout, options->marker, NULL);
	if (layout)
		reader = g_strcmp0(options->reader, "direct") == 0
				 ? wp_ctf_reader_open(options->directory, layout, error)
				 : wp_bt2_reader_open(options->directory, layout, error);
	if (!reader)
		return FALSE;
	if (options->info)
		print_info(&reader->info);
	if (options->stream < 0)
		ok = wp_merge_run(&reader, 1, (guint)MAX(options->jobs, 1),
				  options->count ? count_event : print_event, &n, NULL, NULL,
				  findings, NULL, error);
	else
		ok = (guint)options->stream >= reader->info.n_streams ||
		     dump_stream(reader, (guint)options->stream, error);
	if (options->count)
		printf("%" G_GUINT64_FORMAT "\n", n);
	print_findings(reader->findings);
	print_findings(findings);
	return ok;
}

int main(int argc, char **argv)
{
	Options options = {.stream = -1, .jobs = 1};
	GOptionEntry entries[] = {
		{"reader", 'r', 0, G_OPTION_ARG_STRING, &options.reader, "babeltrace or direct",
		 "NAME"},
		{"marker", 'm', 0, G_OPTION_ARG_STRING, &options.marker, "Events of this name too",
		 "NAME"},
		{"stream", 's', 0, G_OPTION_ARG_INT, &options.stream, "This stream only", "N"},
		{"count", 'c', 0, G_OPTION_ARG_NONE, &options.count, "The number of records", NULL},
		{"jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs, "Threads", "N"},
		{"info", 'i', 0, G_OPTION_ARG_NONE, &options.info, "What the trace says of itself",
		 NULL},
		{NULL},
	};
	g_autoptr(GOptionContext) context = g_option_context_new("DIRECTORY");
	g_autoptr(GError) error = NULL;
	gboolean ok;

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error) || argc != 2) {
		fprintf(stderr, "%s\n", error ? error->message : "One directory is needed.");
		return 2;
	}
	options.directory = argv[1];
	ok = dump(&options, &error);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	g_free(options.reader);
	g_free(options.marker);
	return ok ? 0 : 1;
}
