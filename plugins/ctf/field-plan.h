/* SPDX-License-Identifier: MIT */
/*
 * field-plan.h: the fields of one scope of a CTF trace (a packet's context, an event's
 * payload, ...): their field class, and how their values get from the bytes into fields.
 *
 * A plan is a tree beside the field class: for each type what it is, where its value is
 * kept if it is a length or tag of a later field, and which length or tag it has itself.
 * Such values are kept in registers, by the numbers that ctf/tree.h gives them.
 */
#ifndef WP_PLUGINS_CTF_FIELD_PLAN_H
#define WP_PLUGINS_CTF_FIELD_PLAN_H

#include <babeltrace2/babeltrace.h>

#include "ctf/tree.h"

G_BEGIN_DECLS

typedef struct WpFieldPlan WpFieldPlan;

/* What plans are made for, and what they share. */
typedef struct {
	bt_trace_class *trace_class; /* borrowed */
	WpCtfOrder native;
	/* owned: const WpCtfNode * -> bt_field_class * (both borrowed): those that may be referred to */
	GHashTable *classes;
	/* Labels, and options, that Babeltrace compares with each other, so far; see field-plan.c. */
	guint64 n_compared;
} WpFieldPlanner;

/*
 * A plan of root and all below it. in_ir: also a field class, in *ret_class, the caller's
 * reference; members of the root that only the packet's layout needs (hidden) are not in it.
 * NULL with WP_ERROR_DECLINED for what has no counterpart in the trace IR.
 */
WpFieldPlan *wp_field_plan_new(WpFieldPlanner *planner, const WpCtfNode *root, gboolean in_ir,
			       bt_field_class **ret_class, GError **error);
void wp_field_plan_free(WpFieldPlan *plan);

/* Of packet-level scopes, then of an event's. */
#define WP_FIELD_REGISTERS (2 * WP_CTF_REGISTERS)

typedef struct {
	const guint8 *data; /* borrowed: the packet */
	guint64 pos, end; /* bits */
	guint64 registers[WP_FIELD_REGISTERS];
} WpFieldCursor;

typedef enum {
	WP_FIELD_OK,
	WP_FIELD_DAMAGED, /* it reaches behind the end, or a tag selects nothing */
	WP_FIELD_NO_MEMORY
} WpFieldStatus;

/* Decodes at the cursor, which moves behind it, into field (NULL: nowhere). */
WpFieldStatus wp_field_plan_decode(const WpFieldPlan *plan, WpFieldCursor *cursor, bt_field *field);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WpFieldPlan, wp_field_plan_free)

G_END_DECLS

#endif
