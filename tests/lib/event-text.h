/* SPDX-License-Identifier: MIT */
/* event-text.h: an event as a line of text, for tests and for people. */
#ifndef WP_TESTS_EVENT_TEXT_H
#define WP_TESTS_EVENT_TEXT_H

#include "event/reader.h"

G_BEGIN_DECLS

/* Appends `time cpu kind slot=value ...` and a newline. Addresses are 32 hex digits. */
void wp_event_append_text(const WpEvent *event, GString *text);

/* Appends all events of one stream from where it stands; FALSE when the reader failed. */
gboolean wp_reader_append_text(WpReader *reader, guint stream, GString *text, GError **error);

G_END_DECLS

#endif
