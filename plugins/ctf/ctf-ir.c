/* SPDX-License-Identifier: MIT */
/*
 * ctf-ir.c: a CTF trace as trace IR.
 *
 * A field may be the length or tag of one in a later scope. So of a stream class all trees are
 * made and resolved first, to learn which fields of the outer scopes must be kept; then
 * plans and classes are made, from the outside in.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "ctf/metadata.h"
#include "plugins/ctf/ctf-ir.h"

/* A stream class in the making. */
typedef struct {
	WpCtfTraceIr *ir; /* borrowed */
	const gchar *name; /* borrowed: of the trace, for messages */
	const WpCtfStreamClass *klass; /* borrowed */
	WpCtfStreamIr *stream; /* borrowed: being filled */
	WpFieldPlanner planner;
	WpCtfTree header, context, event_header, event_context;
	WpCtfNode *roots[WP_CTF_SCOPE_N]; /* borrowed */
	guint registers[2];
} Making;

static gboolean no_memory(const gchar *name, GError **error)
{
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "%s: out of memory.", name);
	return FALSE;
}

/* Says of which trace and event a field's error is. */
static gboolean tell_where(const Making *making, const gchar *event, GError *cause, GError **error)
{
	g_set_error(error, WP_ERROR, cause->code, "%s: %s: %s.", making->name,
		    event ?: "packets and event headers", cause->message);
	g_error_free(cause);
	return FALSE;
}

/* ---- what fields refer to ---- */

static gboolean build_outer(Making *making, GError **error)
{
	const WpCtfTrace *trace = making->ir->trace;
	const struct {
		WpCtfTree *tree;
		const WpCtfType *type;
		WpCtfScope scope;
	} scopes[] = {
		{&making->header, trace->packet_header, WP_CTF_SCOPE_PACKET_HEADER},
		{&making->context, making->klass->packet_context, WP_CTF_SCOPE_PACKET_CONTEXT},
		{&making->event_header, making->klass->event_header, WP_CTF_SCOPE_EVENT_HEADER},
		{&making->event_context, making->klass->event_context,
		 WP_CTF_SCOPE_STREAM_EVENT_CONTEXT},
	};

	for (guint i = 0; i < G_N_ELEMENTS(scopes); i++) {
		if (!wp_ctf_tree_build(scopes[i].tree, scopes[i].type, scopes[i].scope, error))
			return FALSE;
		making->roots[scopes[i].scope] = scopes[i].tree->root;
		if (!wp_ctf_tree_resolve(scopes[i].tree, making->roots, making->registers, error))
			return FALSE;
	}
	return TRUE;
}

typedef struct {
	WpCtfTree context, fields;
} EventTrees;

static void event_trees_clear(EventTrees *trees)
{
	wp_ctf_tree_clear(&trees->context);
	wp_ctf_tree_clear(&trees->fields);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(EventTrees, event_trees_clear)

static gboolean build_event(Making *making, const WpCtfEventClass *event, EventTrees *trees,
			    GError **error)
{
	if (!wp_ctf_tree_build(&trees->context, event->context, WP_CTF_SCOPE_EVENT_CONTEXT,
			       error) ||
	    !wp_ctf_tree_build(&trees->fields, event->fields, WP_CTF_SCOPE_EVENT_FIELDS, error))
		return FALSE;
	making->roots[WP_CTF_SCOPE_EVENT_CONTEXT] = trees->context.root;
	making->roots[WP_CTF_SCOPE_EVENT_FIELDS] = trees->fields.root;
	return wp_ctf_tree_resolve(&trees->context, making->roots, making->registers, error) &&
	       wp_ctf_tree_resolve(&trees->fields, making->roots, making->registers, error);
}

/*
 * Learns which fields of outer scopes events refer to. Those of the context that all events have
 * are then numbered anew: each event has the registers behind them for itself.
 */
static gboolean resolve_events(Making *making, GError **error)
{
	const GPtrArray *events = making->klass->events;
	const guint n_outer = making->registers[1];
	const WpCtfTree *tree = &making->event_context;

	for (guint i = 0; i < events->len; i++) {
		const WpCtfEventClass *event = events->pdata[i];
		g_auto(EventTrees) trees = {0};
		GError *cause = NULL;

		making->registers[1] = n_outer;
		if (!build_event(making, event, &trees, &cause))
			return tell_where(making, event->name, cause, error);
	}
	making->registers[1] = 0;
	for (guint i = 0; i < wp_ctf_tree_n_nodes(tree); i++) {
		WpCtfNode *node = wp_ctf_tree_node(tree, i);

		if (node->reg)
			node->reg = (guint16)++making->registers[1];
	}
	return TRUE;
}

/* ---- classes ---- */

static bt_clock_class *create_clock(bt_self_component *component, const WpCtfClock *clock,
				    gboolean absolute, const WpCtfClockOptions *options)
{
	bt_clock_class *klass = bt_clock_class_create(component);
	const guint64 freq = clock ? clock->freq : (guint64)WP_NS_PER_S;
	__int128 ticks = clock ? clock->offset : 0;
	__int128 seconds = clock ? clock->offset_s : 0;
	guint8 uuid[16];

	if (!klass)
		return NULL;
	ticks += (__int128)options->offset_ns * freq / WP_NS_PER_S;
	seconds += options->offset_s + ticks / (__int128)freq;
	ticks %= (__int128)freq;
	if (ticks < 0) {
		ticks += freq;
		seconds--;
	}
	bt_clock_class_set_frequency(klass, freq);
	bt_clock_class_set_offset(
		klass, (gint64)CLAMP(seconds, (__int128)G_MININT64, (__int128)G_MAXINT64),
		(guint64)ticks);
	bt_clock_class_set_origin_is_unix_epoch(klass, absolute || options->force_epoch);
	if (!clock)
		return klass;
	bt_clock_class_set_precision(klass, clock->precision);
	if (clock->uuid && wp_ctf_uuid_parse(clock->uuid, uuid))
		bt_clock_class_set_uuid(klass, uuid);
	if (bt_clock_class_set_name(klass, clock->name) != BT_CLOCK_CLASS_SET_NAME_STATUS_OK ||
	    (clock->description && bt_clock_class_set_description(klass, clock->description) !=
					   BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK))
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(klass);
	return klass;
}

/* LTTng says nothing of it, but its clocks' offsets are from the Unix epoch. */
static gboolean is_absolute(const WpCtfTrace *trace, const WpCtfClock *clock)
{
	const gchar *tracer = g_hash_table_lookup(trace->env, "tracer_name");

	return (clock && clock->absolute) || (tracer && g_str_has_prefix(tracer, "lttng"));
}

static void set_abilities(WpCtfStreamIr *stream, const WpCtfStreamPlan *plan)
{
	const guint32 has = plan->context_has;
	gboolean times;

	stream->has_clock = plan->clock || plan->has_ticks;
	stream->has_begin = stream->has_clock && (has & WP_CTF_HAS(WP_CTF_BEGIN));
	stream->has_end = stream->has_clock && (has & WP_CTF_HAS(WP_CTF_END_TIME));
	stream->has_discarded = (has & WP_CTF_HAS(WP_CTF_DISCARDED)) != 0;
	stream->has_numbers = (has & WP_CTF_HAS(WP_CTF_SEQUENCE_NUMBER)) != 0;
	times = stream->has_begin && stream->has_end;
	bt_stream_class_set_supports_packets(stream->klass, BT_TRUE, stream->has_begin,
					     stream->has_end);
	bt_stream_class_set_supports_discarded_events(stream->klass, stream->has_discarded,
						      stream->has_discarded && times);
	bt_stream_class_set_supports_discarded_packets(stream->klass, stream->has_numbers,
						       stream->has_numbers && times);
}

/* The clock of a stream class, shared by those that have the same. */
static bt_clock_class *get_clock(bt_self_component *component, const Making *making,
				 const WpCtfStreamPlan *plan, const WpCtfClockOptions *options)
{
	const WpCtfTraceIr *ir = making->ir;
	guint self = (guint)(plan - ir->program->streams);
	bt_clock_class *clock;

	for (guint i = 0; i < self; i++)
		if (plan->clock && ir->program->streams[i].clock == plan->clock) {
			clock = bt_stream_class_borrow_default_clock_class(ir->classes[i].klass);
			bt_clock_class_get_ref(clock);
			return clock;
		}
	return create_clock(component, plan->clock, is_absolute(ir->trace, plan->clock), options);
}

static gboolean create_stream_class(bt_self_component *component, Making *making,
				    const WpCtfStreamPlan *plan, const WpCtfClockOptions *options)
{
	WpCtfStreamIr *stream = making->stream;
	bt_clock_class *clock;
	gboolean ok;

	stream->klass = bt_stream_class_create_with_id(making->ir->trace_class, making->klass->id);
	if (!stream->klass)
		return FALSE;
	bt_stream_class_set_assigns_automatic_event_class_id(stream->klass, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(stream->klass, BT_FALSE);
	if (plan->clock || plan->has_ticks) {
		clock = get_clock(component, making, plan, options);
		ok = clock && bt_stream_class_set_default_clock_class(stream->klass, clock) ==
				      BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
		bt_clock_class_put_ref(clock);
		if (!ok)
			return FALSE;
	}
	set_abilities(stream, plan);
	return TRUE;
}

static gboolean is_used_outside(const WpCtfTree *tree)
{
	for (guint i = 0; i < wp_ctf_tree_n_nodes(tree); i++)
		if (wp_ctf_tree_node(tree, i)->outside)
			return TRUE;
	return FALSE;
}

static gboolean plan_outer(Making *making, GError **error)
{
	WpCtfStreamIr *stream = making->stream;
	WpFieldPlanner *planner = &making->planner;
	bt_field_class *context = NULL, *event_context = NULL;
	gboolean ok = TRUE;

	if (making->header.root)
		ok = (stream->header = wp_field_plan_new(planner, making->header.root, FALSE, NULL,
							 error)) != NULL;
	if (ok && making->context.root)
		ok = (stream->context = wp_field_plan_new(planner, making->context.root, TRUE,
							  &context, error)) != NULL;
	if (ok && is_used_outside(&making->event_header))
		ok = (stream->event_header = wp_field_plan_new(planner, making->event_header.root,
							       FALSE, NULL, error)) != NULL;
	/* where all of it is of the layout only, a packet has none */
	if (ok && context && bt_field_class_structure_get_member_count(context))
		ok = bt_stream_class_set_packet_context_field_class(stream->klass, context) ==
		     BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
	if (ok && making->event_context.root)
		ok = (stream->event_context = wp_field_plan_new(planner, making->event_context.root,
								TRUE, &event_context, error)) !=
		     NULL;
	if (ok && event_context)
		ok = bt_stream_class_set_event_common_context_field_class(stream->klass,
									  event_context) ==
		     BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
	bt_field_class_put_ref(context);
	bt_field_class_put_ref(event_context);
	return ok;
}

static gboolean set_event_words(bt_event_class *klass, const WpCtfEventClass *event)
{
	if (event->loglevel >= 0)
		bt_event_class_set_log_level(klass, (bt_event_class_log_level)event->loglevel);
	return bt_event_class_set_name(klass, event->name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
	       (!event->uri || bt_event_class_set_emf_uri(klass, event->uri) ==
				       BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK);
}

static gboolean plan_event(Making *making, const WpCtfEventClass *event, WpCtfEventIr *out,
			   GError **error)
{
	bt_field_class *context = NULL, *payload = NULL;
	g_auto(EventTrees) trees = {0};
	gboolean ok = build_event(making, event, &trees, error);

	if (ok && trees.context.root)
		ok = (out->context = wp_field_plan_new(&making->planner, trees.context.root, TRUE,
						       &context, error)) != NULL;
	if (ok && context)
		ok = bt_event_class_set_specific_context_field_class(out->klass, context) ==
		     BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
	if (ok && trees.fields.root)
		ok = (out->payload = wp_field_plan_new(&making->planner, trees.fields.root, TRUE,
						       &payload, error)) != NULL;
	if (ok && payload)
		ok = bt_event_class_set_payload_field_class(out->klass, payload) ==
		     BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
	bt_field_class_put_ref(context);
	bt_field_class_put_ref(payload);
	return ok;
}

/* Two events of one id: the first one counts, as in the program. */
static gboolean is_repeated(const WpCtfStreamIr *stream, guint64 id)
{
	return bt_stream_class_borrow_event_class_by_id(stream->klass, id) != NULL;
}

static gboolean plan_events(Making *making, GError **error)
{
	const GPtrArray *events = making->klass->events;
	WpCtfStreamIr *stream = making->stream;
	const guint n_outer = making->registers[1];

	stream->events = g_new0(WpCtfEventIr, MAX(events->len, 1));
	stream->n_events = events->len;
	for (guint i = 0; i < events->len; i++) {
		const WpCtfEventClass *event = events->pdata[i];
		WpCtfEventIr *out = &stream->events[i];
		GError *cause = NULL;

		if (is_repeated(stream, event->id))
			continue;
		out->klass = bt_event_class_create_with_id(stream->klass, event->id);
		/* the stream class owns it from now on */
		bt_event_class_put_ref(out->klass);
		making->registers[1] = n_outer;
		if (!out->klass || !set_event_words(out->klass, event))
			return no_memory(making->name, error);
		if (plan_event(making, event, out, &cause))
			continue;
		return cause ? tell_where(making, event->name, cause, error)
			     : no_memory(making->name, error);
	}
	return TRUE;
}

static void making_clear(Making *making)
{
	g_hash_table_unref(making->planner.classes);
	wp_ctf_tree_clear(&making->header);
	wp_ctf_tree_clear(&making->context);
	wp_ctf_tree_clear(&making->event_header);
	wp_ctf_tree_clear(&making->event_context);
}

static gboolean make_class(bt_self_component *component, WpCtfTraceIr *ir, guint index,
			   const gchar *name, const WpCtfClockOptions *options, GError **error)
{
	const WpCtfStreamPlan *plan = &ir->program->streams[index];
	Making making = {.ir = ir,
			 .name = name,
			 .klass = plan->klass,
			 .stream = &ir->classes[index],
			 .planner = {.trace_class = ir->trace_class,
				     .native = ir->trace->order,
				     .classes = g_hash_table_new(NULL, NULL)}};
	GError *cause = NULL;
	gboolean ok = create_stream_class(component, &making, plan, options) ||
		      no_memory(name, error);

	if (ok && !(ok = build_outer(&making, &cause)))
		tell_where(&making, NULL, cause, error);
	ok = ok && resolve_events(&making, error);
	if (ok && !(ok = plan_outer(&making, &cause))) {
		if (cause)
			tell_where(&making, NULL, cause, error);
		else
			no_memory(name, error);
	}
	ok = ok && plan_events(&making, error);
	making_clear(&making);
	return ok;
}

/* ---- the trace ---- */

static gboolean set_environment(const WpCtfTrace *trace, bt_trace *ir)
{
	for (guint i = 0; i < trace->env_names->len; i++) {
		const gchar *name = trace->env_names->pdata[i];
		const gchar *value = g_hash_table_lookup(trace->env, name);
		gint64 number;
		gboolean is_number = g_hash_table_contains(trace->env_numbers, name) &&
				     g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64,
							      &number, NULL);

		if ((is_number ? bt_trace_set_environment_entry_integer(ir, name, number)
			       : bt_trace_set_environment_entry_string(ir, name, value)) !=
		    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK)
			return FALSE;
	}
	return TRUE;
}

static gboolean create_streams(WpCtfTraceIr *ir)
{
	for (guint i = 0; i < ir->index->streams->len; i++) {
		const WpCtfIndexStream *stream = ir->index->streams->pdata[i];
		const WpCtfPacket *first = &g_array_index(stream->packets, WpCtfPacket, 0);
		bt_stream *out = bt_stream_create_with_id(ir->classes[stream->plan].klass, ir->ir,
							  i);

		if (!out)
			return FALSE;
		g_ptr_array_add(ir->streams, out);
		if (bt_stream_set_name(
			    out, g_array_index(ir->index->files, WpCtfFile, first->file).path) !=
		    BT_STREAM_SET_NAME_STATUS_OK)
			return FALSE;
	}
	return TRUE;
}

/* As source.ctf.fs calls it, and sink.ctf.fs its directory: by its host, if it says one. */
static gchar *dup_name(const WpCtfTraceIr *ir, const gchar *directory)
{
	const gchar *host = g_hash_table_lookup(ir->trace->env, "hostname");

	return host ? g_strdup(host) : g_path_get_basename(directory);
}

static gboolean create_trace(WpCtfTraceIr *ir, const gchar *directory)
{
	g_autofree gchar *name = dup_name(ir, directory);

	ir->ir = bt_trace_create(ir->trace_class);
	if (!ir->ir || bt_trace_set_name(ir->ir, name) != BT_TRACE_SET_NAME_STATUS_OK ||
	    !set_environment(ir->trace, ir->ir))
		return FALSE;
	if (ir->trace->has_uuid)
		bt_trace_set_uuid(ir->ir, ir->trace->uuid);
	return create_streams(ir);
}

static gboolean open_metadata(WpCtfTraceIr *ir, const gchar *directory, WpFindings *findings,
			      GError **error)
{
	g_autofree gchar *path = g_build_filename(directory, "metadata", NULL);
	gsize length;
	g_autofree gchar *text = wp_ctf_metadata_read(path, findings, &length, error);

	ir->trace = text ? wp_ctf_trace_parse(text, length, path, error) : NULL;
	if (!ir->trace)
		return FALSE;
	if (ir->trace->cut)
		wp_findings_add(findings, "cut-metadata", WP_SEVERITY_ERROR, NULL, WP_TIME_MIN, 1,
				"%s ends in the middle of a description: the events that would "
				"follow are not known, and what holds them cannot be read.",
				path);
	ir->program = wp_ctf_program_new(ir->trace, NULL, path, error);
	return ir->program != NULL;
}

WpCtfTraceIr *wp_ctf_trace_ir_new(bt_self_component *component, const gchar *directory,
				  const WpCtfClockOptions *options, WpFindings *findings,
				  GError **error)
{
	g_autoptr(WpCtfTraceIr) ir = g_new0(WpCtfTraceIr, 1);

	ir->directory = g_strdup(directory);
	ir->shift = (WpTime)((guint64)options->offset_s * (guint64)WP_NS_PER_S +
			     (guint64)options->offset_ns);
	ir->streams = g_ptr_array_new_with_free_func((GDestroyNotify)bt_stream_put_ref);
	if (!open_metadata(ir, directory, findings, error))
		return NULL;
	ir->index = wp_ctf_index_new(directory, ir->program, findings, error);
	if (!ir->index)
		return NULL;
	ir->trace_class = bt_trace_class_create(component);
	if (!ir->trace_class) {
		no_memory(directory, error);
		return NULL;
	}
	bt_trace_class_set_assigns_automatic_stream_class_id(ir->trace_class, BT_FALSE);
	ir->classes = g_new0(WpCtfStreamIr, MAX(ir->program->n_streams, 1));
	for (guint i = 0; i < ir->program->n_streams; i++)
		if (!make_class(component, ir, i, directory, options, error))
			return NULL;
	if (!create_trace(ir, directory)) {
		no_memory(directory, error);
		return NULL;
	}
	return g_steal_pointer(&ir);
}

static void class_clear(WpCtfStreamIr *stream)
{
	for (guint i = 0; i < stream->n_events; i++) {
		wp_field_plan_free(stream->events[i].context);
		wp_field_plan_free(stream->events[i].payload);
	}
	g_free(stream->events);
	wp_field_plan_free(stream->header);
	wp_field_plan_free(stream->context);
	wp_field_plan_free(stream->event_header);
	wp_field_plan_free(stream->event_context);
	bt_stream_class_put_ref(stream->klass);
}

void wp_ctf_trace_ir_free(WpCtfTraceIr *ir)
{
	if (!ir)
		return;
	g_ptr_array_unref(ir->streams);
	for (guint i = 0; ir->classes && i < ir->program->n_streams; i++)
		class_clear(&ir->classes[i]);
	g_free(ir->classes);
	bt_trace_put_ref(ir->ir);
	bt_trace_class_put_ref(ir->trace_class);
	wp_ctf_index_free(ir->index);
	wp_ctf_program_free(ir->program);
	wp_ctf_trace_free(ir->trace);
	g_free(ir->directory);
	g_free(ir);
}
