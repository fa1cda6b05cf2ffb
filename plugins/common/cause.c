/* SPDX-License-Identifier: MIT */
/* cause.c: errors and findings of the library, told the way of Babeltrace. */
#include "config.h"

#include <stdio.h>

#include "plugins/common/cause.h"

/*
 * Appending a cause fails when memory is out; the status that the method returns says that
 * something went wrong all the same.
 */
gboolean wp_cause_from_component(bt_self_component *self, GError *error)
{
	(void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(self, "%s", error->message);
	g_error_free(error);
	return FALSE;
}

gboolean wp_cause_from_iterator(bt_self_message_iterator *self, GError *error)
{
	(void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self, "%s",
									 error->message);
	g_error_free(error);
	return FALSE;
}

gboolean wp_cause_from_class(bt_self_component_class *self, GError *error)
{
	(void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT_CLASS(self, "%s", error->message);
	g_error_free(error);
	return FALSE;
}

static bt_logging_level level_of(WpSeverity severity)
{
	switch (severity) {
	case WP_SEVERITY_INFO:
		return BT_LOGGING_LEVEL_INFO;
	case WP_SEVERITY_WARNING:
		return BT_LOGGING_LEVEL_WARNING;
	case WP_SEVERITY_ERROR:
		return BT_LOGGING_LEVEL_ERROR;
	}
	return BT_LOGGING_LEVEL_WARNING;
}

static gchar level_letter(bt_logging_level level)
{
	if (level == BT_LOGGING_LEVEL_INFO)
		return 'I';
	return level == BT_LOGGING_LEVEL_WARNING ? 'W' : 'E';
}

void wp_log_findings(bt_self_component *self, const WpFindings *findings, guint first)
{
	const bt_component *component = bt_self_component_as_component(self);
	bt_logging_level wanted = bt_component_get_logging_level(component);

	for (guint i = first; i < wp_findings_n(findings); i++) {
		const WpFinding *finding = wp_findings_get(findings, i);
		bt_logging_level level = level_of(finding->severity);

		if (level < wanted)
			continue;
		fprintf(stderr, "%c %s: %s", level_letter(level), bt_component_get_name(component),
			finding->text);
		if (finding->count > 1)
			fprintf(stderr, " (%" G_GUINT64_FORMAT " times)", finding->count);
		fputc('\n', stderr);
	}
}
