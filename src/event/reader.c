/* SPDX-License-Identifier: MIT */
/* reader.c: what all readers share: their head. */
#include "config.h"

#include "event/reader.h"

void wp_reader_init(WpReader *reader, const WpReaderClass *klass, WpLayout *layout,
		    const gchar *path)
{
	reader->klass = klass;
	reader->layout = wp_layout_ref(layout);
	reader->findings = wp_findings_new();
	reader->n_events = 0;
	reader->passed = WP_PASSED_NOTHING;
	reader->clock_shift = 0;
	reader->info = (WpTraceInfo){0};
	reader->info.path = g_strdup(path);
	reader->info.tracer_major = reader->info.tracer_minor = -1;
}

void wp_trace_info_clear(WpTraceInfo *info)
{
	g_free(info->path);
	g_free(info->host);
	g_free(info->domain);
	g_free(info->tracer);
	g_free(info->kernel_release);
	g_free(info->clock_uuid);
}

void wp_reader_clear(WpReader *reader)
{
	wp_trace_info_clear(&reader->info);
	wp_findings_free(reader->findings);
	wp_layout_unref(reader->layout);
}

void wp_reader_free(WpReader *reader)
{
	if (reader)
		reader->klass->free(reader);
}
