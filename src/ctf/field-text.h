/* SPDX-License-Identifier: MIT */
/*
 * field-text.h: the fields of one event as words, of whatever types they are.
 *
 * The machine (machine.h) is made to pass over millions of events; this is for the few that
 * somebody looks at. It walks the types themselves, scope by scope, from the packet's header
 * inwards, and keeps the integers that it meets with their paths: a length or tag is looked
 * up among them, the latest first, by the rules of CTF 1.8 (7.3.2).
 */
#ifndef WP_CTF_FIELD_TEXT_H
#define WP_CTF_FIELD_TEXT_H

#include "ctf/tree.h"
#include "event/raw-event.h"

G_BEGIN_DECLS

typedef struct {
	const guint8 *data; /* borrowed: the packet */
	guint64 pos, end; /* bits */
	WpCtfOrder order; /* of the trace */
	GArray *seen; /* owned: integers that may be lengths or tags, in their order */
	GString *path; /* owned: of the field at hand, from its scope's root: "a.b." */
	WpCtfScope scope;
	guint64 budget; /* fields that may still be read */
} WpCtfFieldReader;

void wp_ctf_field_reader_init(WpCtfFieldReader *reader, WpCtfOrder order);
void wp_ctf_field_reader_clear(WpCtfFieldReader *reader);
/* A packet: its bytes, and where its content ends (bits). */
void wp_ctf_field_reader_begin(WpCtfFieldReader *reader, const guint8 *data, guint64 end);

/*
 * Reads a scope (type NULL: there is none) at reader->pos, which moves behind it. Fields go to
 * event, NULL: nowhere. Scopes are read in the order of WpCtfScope; a scope that was read
 * before, and those behind it, are forgotten. FALSE when its bytes make no sense.
 */
gboolean wp_ctf_field_reader_read(WpCtfFieldReader *reader, WpCtfScope scope, const WpCtfType *type,
				  WpRawEvent *event);
/* The value of an integer at the root of a scope that was read. */
gboolean wp_ctf_field_reader_find(const WpCtfFieldReader *reader, WpCtfScope scope,
				  const gchar *name, guint64 *ret_value);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WpCtfFieldReader, wp_ctf_field_reader_clear)

G_END_DECLS

#endif
