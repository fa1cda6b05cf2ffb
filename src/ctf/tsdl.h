/* SPDX-License-Identifier: MIT */
/*
 * tsdl.h: what the metadata of a CTF 1.8 trace says (TSDL), as types.
 *
 * Parsing gives one WpCtfTrace: its clocks, environment, stream and event
 * classes. Types form a directed graph without cycles: a named type is shared by
 * all that use it. All of it lies in the trace's own memory and is immutable
 * once parsed.
 *
 * The text comes from outside: nesting, the number of types and the size of the
 * text are limited, and what this does not know is declined, not guessed.
 */
#ifndef WP_CTF_TSDL_H
#define WP_CTF_TSDL_H

#include "base/arena.h"
#include "base/types.h"

G_BEGIN_DECLS

#define WP_CTF_DEPTH_MAX 64u
#define WP_CTF_TYPES_MAX (1u << 21)
/*
 * Fields and labels of all events together: a short text may name one large type for many of them,
 * and a type twice in the next, and that again.
 */
#define WP_CTF_FIELDS_MAX (1u << 22)
#define WP_CTF_ALIGN_MAX (1u << 20) /* bits */
/* Size of a type whose instances differ in size. */
#define WP_CTF_DYNAMIC G_MAXUINT64
#define WP_CTF_SIZE_MAX (G_GUINT64_CONSTANT(1) << 60) /* bits */

typedef enum {
	WP_CTF_INTEGER,
	WP_CTF_FLOAT,
	WP_CTF_ENUM,
	WP_CTF_STRING,
	WP_CTF_STRUCT,
	WP_CTF_VARIANT,
	WP_CTF_ARRAY,
	WP_CTF_SEQUENCE
} WpCtfKind;

typedef enum { WP_CTF_ORDER_NATIVE, WP_CTF_ORDER_LE, WP_CTF_ORDER_BE } WpCtfOrder;

typedef struct WpCtfType WpCtfType;

typedef struct {
	const gchar *name; /* owned by the trace */
	const WpCtfType *type; /* owned by the trace */
} WpCtfField;

/* One range of an enumeration: bit patterns of 64 bits, signed when its container is. */
typedef struct {
	const gchar *label; /* owned by the trace */
	guint64 low, high;
} WpCtfMapping;

struct WpCtfType {
	WpCtfKind kind;
	WpCtfOrder order; /* integer, float, enumeration */
	gboolean is_signed; /* integer, enumeration */
	gboolean text; /* integer: a character */
	guint8 base; /* integer: as people should see it, 0: not said */
	guint32 size; /* integer, float, enumeration: bits */
	guint32 align; /* bits, a power of two; a variant's is 1 */
	guint32 depth; /* of nesting below */
	/*
	 * Fields of this type and below, each as often as it occurs, up to G_MAXUINT32; those of
	 * an element once, and not at all when all elements are of one size.
	 */
	guint32 n_places;
	guint32 n_labels; /* of the enumerations among these, up to G_MAXUINT32 */
	/*
	 * Bits that every instance takes when it begins at its alignment, or
	 * WP_CTF_DYNAMIC. Its members' alignments are never larger than its own, so that
	 * their offsets are the same in all instances then.
	 */
	guint64 fixed;
	const gchar *clock; /* integer: the clock that it is a value of, NULL */
	WpCtfField *fields; /* members of a struct, options of a variant; owned by the trace */
	WpCtfMapping *mappings; /* enumeration; owned by the trace */
	guint32 n_fields, n_mappings;
	const WpCtfType *element; /* array, sequence */
	guint64 length; /* array */
	const gchar *path; /* sequence: its length; variant: its tag (NULL: none); dotted */
};

typedef struct {
	const gchar *name;
	const gchar *uuid; /* text, NULL */
	const gchar *description; /* NULL */
	guint64 precision; /* ticks */
	gboolean absolute; /* its offset is from the Unix epoch */
	guint64 freq; /* Hz, not 0 */
	gint64 offset_s, offset; /* seconds, ticks */
} WpCtfClock;

typedef struct {
	guint64 id, stream_id;
	gboolean has_stream_id;
	const gchar *name;
	const gchar *uri; /* of its model, NULL */
	gint loglevel; /* -1: not said */
	const WpCtfType *context, *fields; /* NULL: none */
} WpCtfEventClass;

typedef struct {
	guint64 id;
	const WpCtfType *packet_context, *event_header, *event_context; /* NULL: none */
	GPtrArray *events; /* owned; WpCtfEventClass owned by the trace */
} WpCtfStreamClass;

typedef struct {
	WpCtfOrder order; /* never native */
	gboolean has_uuid;
	guint8 uuid[16];
	const WpCtfType *packet_header; /* NULL: none */
	GPtrArray *clocks; /* owned; WpCtfClock owned by the trace */
	GPtrArray *streams; /* owned array of owned WpCtfStreamClass */
	GHashTable *env; /* owned: gchar * -> gchar * (owned by the trace); numbers in decimal */
	GPtrArray *env_names; /* owned; gchar * owned by the trace: keys of env, as they stand */
	GHashTable *env_numbers; /* owned: set of those keys of env whose values are no texts */
	WpArena memory; /* all types, members, names, ... */
	gboolean cut; /* the text ended within a block: what stood before it is here */
} WpCtfTrace;

/*
 * Parses length bytes of text. name says where it comes from in messages.
 * WP_ERROR_DECLINED when it holds what this does not know, WP_ERROR_FAILED when
 * it is no TSDL or ends before there is a trace and a stream.
 */
WpCtfTrace *wp_ctf_trace_parse(const gchar *text, gsize length, const gchar *name, GError **error);
void wp_ctf_trace_free(WpCtfTrace *trace);

/* 16 bytes from 32 hexadecimal digits, dashes between them; FALSE for other text. */
gboolean wp_ctf_uuid_parse(const gchar *text, guint8 *uuid);

/* A clock by name; the only one, when name is NULL; NULL if there is none. */
const WpCtfClock *wp_ctf_trace_find_clock(const WpCtfTrace *trace, const gchar *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpCtfTrace, wp_ctf_trace_free)

G_END_DECLS

#endif
