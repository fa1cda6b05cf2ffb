/* SPDX-License-Identifier: MIT */
/* mirror-class.c: copies of trace, stream, event and clock classes. */
#include "config.h"

#include "bt2/bt2-clock.h"
#include "plugins/mirror/mirror-private.h"

gboolean wp_mirror_no_memory(GError **error)
{
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
			    "Out of memory while copying trace classes, fields or messages.");
	return FALSE;
}

/*
 * The copy of a clock whose times are corrected counts nanoseconds. Its value 0 is the origin itself,
 * or, where the original's value 0 is mapped to before that, this rounded down to a second: a map
 * never decreases, so no corrected time lies before it, and values stay positive with any offset
 * between two hosts. All traces of a host have the same, so they remain on one clock.
 */
static gboolean retime_clock(MirrorClock *clock, GError **error)
{
	gint64 zero, seconds;
	guint64 frequency = bt_clock_class_get_frequency(clock->in);
	guint64 precision = bt_clock_class_get_precision(clock->in);
	long double ns_per_cycle = 1e9L / (long double)frequency;

	if (!wp_bt2_clock_zero(clock->in, &zero)) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "The clock '%s' begins more than 292 years from its origin: its times "
			    "can't be corrected.",
			    bt_clock_class_get_name(clock->in) ?: "");
		return FALSE;
	}
	zero = wp_clock_map_apply(clock->map, zero);
	seconds = zero / WP_NS_PER_S - (zero % WP_NS_PER_S < 0);
	clock->base = CLAMP(seconds, WP_TIME_MIN / WP_NS_PER_S, 0) * WP_NS_PER_S;
	bt_clock_class_set_frequency(clock->out, (guint64)WP_NS_PER_S);
	bt_clock_class_set_offset(clock->out, clock->base / WP_NS_PER_S, 0);
	bt_clock_class_set_precision(clock->out, (guint64)((long double)precision * ns_per_cycle));
	return TRUE;
}

/* Whether a map adds the same to all times of a clock that counts nanoseconds. */
static gboolean is_offset(const bt_clock_class *in, const WpClockMap *map, WpTime *ret_offset)
{
	guint n;
	const WpClockKnot *knots = wp_clock_map_get_knots(map, &n);

	for (guint i = 1; i < n; i++)
		if (knots[i].offset != knots[0].offset)
			return FALSE;
	*ret_offset = n ? knots[0].offset : 0;
	return bt_clock_class_get_frequency(in) == (guint64)WP_NS_PER_S;
}

/* Such a clock's values remain, with another offset. */
static void move_clock(MirrorClock *clock, WpTime offset)
{
	gint64 seconds;
	guint64 ns;
	__int128 sum;

	bt_clock_class_get_offset(clock->in, &seconds, &ns);
	sum = (__int128)seconds * WP_NS_PER_S + ns + offset;
	seconds = (gint64)(sum / WP_NS_PER_S) - (sum % WP_NS_PER_S < 0);
	bt_clock_class_set_offset(clock->out, seconds,
				  (guint64)(sum - (__int128)seconds * WP_NS_PER_S));
	bt_clock_class_set_precision(clock->out, bt_clock_class_get_precision(clock->in));
	clock->keeps_values = TRUE;
}

static gboolean fill_clock(MirrorClock *clock, GError **error)
{
	const bt_clock_class *in = clock->in;
	bt_clock_class *out = clock->out;
	const gchar *name = bt_clock_class_get_name(in);
	const gchar *description = bt_clock_class_get_description(in);
	bt_uuid uuid = bt_clock_class_get_uuid(in);
	WpTime offset;
	gint64 seconds;
	guint64 cycles;

	if (name && bt_clock_class_set_name(out, name) != BT_CLOCK_CLASS_SET_NAME_STATUS_OK)
		return wp_mirror_no_memory(error);
	if (description && bt_clock_class_set_description(out, description) !=
				   BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK)
		return wp_mirror_no_memory(error);
	if (uuid)
		bt_clock_class_set_uuid(out, uuid);
	bt_clock_class_set_origin_is_unix_epoch(out, bt_clock_class_origin_is_unix_epoch(in));
	bt_clock_class_set_user_attributes(out, bt_clock_class_borrow_user_attributes_const(in));
	if (clock->map && is_offset(in, clock->map, &offset)) {
		move_clock(clock, offset);
		return TRUE;
	}
	if (clock->map)
		return retime_clock(clock, error);
	clock->keeps_values = TRUE;
	bt_clock_class_set_frequency(out, bt_clock_class_get_frequency(in));
	bt_clock_class_get_offset(in, &seconds, &cycles);
	bt_clock_class_set_offset(out, seconds, cycles);
	bt_clock_class_set_precision(out, bt_clock_class_get_precision(in));
	return TRUE;
}

static MirrorClock *find_clock(WpMirror *mirror, const bt_clock_class *in, const WpClockMap *map)
{
	for (guint i = 0; i < mirror->clocks->len; i++) {
		MirrorClock *clock = g_ptr_array_index(mirror->clocks, i);

		if (clock->in == in && clock->map == map)
			return clock;
	}
	return NULL;
}

static void clock_free(MirrorClock *clock)
{
	bt_clock_class_put_ref(clock->in);
	bt_clock_class_put_ref(clock->out);
	g_free(clock);
}

static MirrorClock *clock_new(WpMirror *mirror, const bt_clock_class *in, const WpClockMap *map,
			      GError **error)
{
	MirrorClock *clock = g_new0(MirrorClock, 1);

	clock->in = in;
	bt_clock_class_get_ref(in);
	clock->map = map;
	clock->out = bt_clock_class_create(mirror->component);
	if (!clock->out)
		wp_mirror_no_memory(error);
	if (!clock->out || !fill_clock(clock, error)) {
		clock_free(clock);
		return NULL;
	}
	g_ptr_array_add(mirror->clocks, clock);
	return clock;
}

static void clock_release(WpMirror *mirror, MirrorClock *clock)
{
	if (--clock->n_users)
		return;
	g_ptr_array_remove_fast(mirror->clocks, clock);
	clock_free(clock);
}

/* The copy that klass uses of a clock class. */
static MirrorClock *use_clock(MirrorClass *klass, const bt_clock_class *in, GError **error)
{
	MirrorClock *clock = find_clock(klass->mirror, in, klass->map);

	if (!clock)
		clock = clock_new(klass->mirror, in, klass->map, error);
	if (clock && !g_ptr_array_find(klass->clocks, clock, NULL)) {
		clock->n_users++;
		g_ptr_array_add(klass->clocks, clock);
	}
	return clock;
}

MirrorClock *wp_mirror_class_get_clock(const MirrorClass *klass, const bt_stream_class *in)
{
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(in);

	return clock ? find_clock(klass->mirror, clock, klass->map) : NULL;
}

gboolean wp_mirror_clock_value(MirrorClock *clock, const bt_clock_snapshot *snapshot,
			       guint64 *ret_value, WpTime *ret_time, GError **error)
{
	gint64 time;

	if (clock->keeps_values) {
		*ret_value = bt_clock_snapshot_get_value(snapshot);
		return TRUE;
	}
	if (!wp_bt2_snapshot_time(snapshot, &time)) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "Value %" G_GUINT64_FORMAT " of the clock '%s' is more than 292 years "
			    "from its origin: it can't be corrected.",
			    bt_clock_snapshot_get_value(snapshot),
			    bt_clock_class_get_name(clock->in) ?: "");
		return FALSE;
	}
	time = MAX(wp_clock_map_apply_near(clock->map, time, &clock->place), clock->base);
	*ret_value = (guint64)time - (guint64)clock->base;
	if (ret_time)
		*ret_time = time;
	return TRUE;
}

static gboolean set_context_classes(MirrorClass *klass, const bt_stream_class *in,
				    bt_stream_class *out)
{
	const bt_field_class *packet = bt_stream_class_borrow_packet_context_field_class_const(in);
	const bt_field_class *common =
		bt_stream_class_borrow_event_common_context_field_class_const(in);
	bt_field_class *fc;
	gboolean ok = TRUE;

	if (packet) {
		fc = wp_mirror_field_class(klass, NULL, in, packet);
		ok = fc && bt_stream_class_set_packet_context_field_class(out, fc) ==
				   BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
		bt_field_class_put_ref(fc);
	}
	if (ok && common) {
		fc = wp_mirror_field_class(klass, NULL, in, common);
		ok = fc && bt_stream_class_set_event_common_context_field_class(out, fc) ==
				   BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
		bt_field_class_put_ref(fc);
	}
	return ok;
}

static void set_message_support(const bt_stream_class *in, bt_stream_class *out)
{
	bt_stream_class_set_supports_packets(
		out, bt_stream_class_supports_packets(in),
		bt_stream_class_packets_have_beginning_default_clock_snapshot(in),
		bt_stream_class_packets_have_end_default_clock_snapshot(in));
	bt_stream_class_set_supports_discarded_events(
		out, bt_stream_class_supports_discarded_events(in),
		bt_stream_class_discarded_events_have_default_clock_snapshots(in));
	bt_stream_class_set_supports_discarded_packets(
		out, bt_stream_class_supports_discarded_packets(in),
		bt_stream_class_discarded_packets_have_default_clock_snapshots(in));
}

static gboolean fill_stream_class(MirrorClass *klass, const bt_stream_class *in,
				  bt_stream_class *out, GError **error)
{
	const bt_clock_class *clock_class = bt_stream_class_borrow_default_clock_class_const(in);
	const gchar *name = bt_stream_class_get_name(in);

	bt_stream_class_set_assigns_automatic_event_class_id(out, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(out, BT_FALSE);
	if (clock_class) {
		MirrorClock *clock = use_clock(klass, clock_class, error);

		if (!clock)
			return FALSE;
		if (bt_stream_class_set_default_clock_class(out, clock->out) !=
		    BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK)
			return wp_mirror_no_memory(error);
	}
	if (name && bt_stream_class_set_name(out, name) != BT_STREAM_CLASS_SET_NAME_STATUS_OK)
		return wp_mirror_no_memory(error);
	set_message_support(in, out);
	bt_stream_class_set_user_attributes(out, bt_stream_class_borrow_user_attributes_const(in));
	return set_context_classes(klass, in, out) || wp_mirror_no_memory(error);
}

static bt_stream_class *copy_stream_class(MirrorClass *klass, const bt_stream_class *in,
					  GError **error)
{
	bt_stream_class *out = bt_stream_class_create_with_id(klass->out,
							      bt_stream_class_get_id(in));

	if (!out) {
		wp_mirror_no_memory(error);
		return NULL;
	}
	/* the trace class owns it from now on */
	bt_stream_class_put_ref(out);
	if (!fill_stream_class(klass, in, out, error))
		return NULL;
	g_hash_table_insert(klass->stream_classes, (gpointer)in, out);
	for (guint64 i = 0; i < bt_stream_class_get_event_class_count(in); i++)
		if (!wp_mirror_class_get_event_class(
			    klass, bt_stream_class_borrow_event_class_by_index_const(in, i), error))
			return NULL;
	return out;
}

bt_stream_class *wp_mirror_class_get_stream_class(MirrorClass *klass, const bt_stream_class *in,
						  GError **error)
{
	bt_stream_class *out = g_hash_table_lookup(klass->stream_classes, in);

	return out ?: copy_stream_class(klass, in, error);
}

static gboolean set_event_field_classes(MirrorClass *klass, const bt_event_class *in,
					bt_event_class *out)
{
	const bt_stream_class *sc = bt_event_class_borrow_stream_class_const(in);
	const bt_field_class *specific = bt_event_class_borrow_specific_context_field_class_const(
		in);
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(in);
	bt_field_class *fc;
	gboolean ok = TRUE;

	if (specific) {
		fc = wp_mirror_field_class(klass, in, sc, specific);
		ok = fc && bt_event_class_set_specific_context_field_class(out, fc) ==
				   BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
		bt_field_class_put_ref(fc);
	}
	if (ok && payload) {
		fc = wp_mirror_field_class(klass, in, sc, payload);
		ok = fc && bt_event_class_set_payload_field_class(out, fc) ==
				   BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
		bt_field_class_put_ref(fc);
	}
	return ok;
}

static gboolean fill_event_class(MirrorClass *klass, const bt_event_class *in, bt_event_class *out)
{
	const gchar *name = bt_event_class_get_name(in);
	const gchar *uri = bt_event_class_get_emf_uri(in);
	bt_event_class_log_level level;

	if (name && bt_event_class_set_name(out, name) != BT_EVENT_CLASS_SET_NAME_STATUS_OK)
		return FALSE;
	if (uri && bt_event_class_set_emf_uri(out, uri) != BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK)
		return FALSE;
	if (bt_event_class_get_log_level(in, &level) == BT_PROPERTY_AVAILABILITY_AVAILABLE)
		bt_event_class_set_log_level(out, level);
	bt_event_class_set_user_attributes(out, bt_event_class_borrow_user_attributes_const(in));
	return set_event_field_classes(klass, in, out);
}

static void event_class_free(gpointer data)
{
	MirrorEventClass *event_class = data;

	g_free(event_class->common);
	g_free(event_class->specific);
	g_free(event_class->payload);
	g_free(event_class);
}

static MirrorEventClass *copy_event_class(MirrorClass *klass, bt_stream_class *stream_class,
					  const bt_event_class *in, GError **error)
{
	bt_event_class *out = bt_event_class_create_with_id(stream_class,
							    bt_event_class_get_id(in));
	MirrorEventClass *event_class;

	/* the stream class owns it from now on */
	bt_event_class_put_ref(out);
	if (!out || !fill_event_class(klass, in, out)) {
		wp_mirror_no_memory(error);
		return NULL;
	}
	event_class = g_new0(MirrorEventClass, 1);
	event_class->in = in;
	event_class->out = out;
	event_class->common = wp_mirror_plan_new(
		bt_stream_class_borrow_event_common_context_field_class_const(
			bt_event_class_borrow_stream_class_const(in)));
	event_class->specific = wp_mirror_plan_new(
		bt_event_class_borrow_specific_context_field_class_const(in));
	event_class->payload = wp_mirror_plan_new(
		bt_event_class_borrow_payload_field_class_const(in));
	g_hash_table_insert(klass->event_classes, (gpointer)in, event_class);
	return event_class;
}

static MirrorEventClass *find_event_class(MirrorClass *klass, const bt_event_class *in,
					  GError **error)
{
	MirrorEventClass *found = g_hash_table_lookup(klass->event_classes, in);
	bt_stream_class *stream_class;

	if (found)
		return found;
	stream_class = wp_mirror_class_get_stream_class(
		klass, bt_event_class_borrow_stream_class_const(in), error);
	if (!stream_class)
		return NULL;
	/* copying the stream class may have brought it */
	found = g_hash_table_lookup(klass->event_classes, in);
	return found ?: copy_event_class(klass, stream_class, in, error);
}

const MirrorEventClass *wp_mirror_class_get_event_class(MirrorClass *klass,
							const bt_event_class *in, GError **error)
{
	const MirrorEventClass **recent = &klass->recent[wp_recent_slot(in)];

	if (!*recent || (*recent)->in != in)
		*recent = find_event_class(klass, in, error);
	return *recent;
}

void wp_mirror_class_free(MirrorClass *klass)
{
	/* removing fails only when memory is out; the listener itself can't outlive the class */
	if (klass->in)
		(void)bt_trace_class_remove_destruction_listener(klass->in, klass->listener);
	for (guint i = 0; i < klass->clocks->len; i++)
		clock_release(klass->mirror, g_ptr_array_index(klass->clocks, i));
	g_ptr_array_unref(klass->clocks);
	g_hash_table_destroy(klass->selectors);
	g_hash_table_destroy(klass->event_classes);
	g_hash_table_destroy(klass->stream_classes);
	bt_trace_class_put_ref(klass->out);
	g_free(klass);
}

/* The traces of a class die before it: no entry of ours uses it any more. */
static void class_destroyed(const bt_trace_class *in, void *data)
{
	MirrorClass *klass = data;

	(void)in;
	klass->in = NULL;
	g_ptr_array_remove(klass->mirror->classes, klass);
}

static MirrorClass *class_new(WpMirror *mirror, const bt_trace_class *in, const WpClockMap *map)
{
	MirrorClass *klass = g_new0(MirrorClass, 1);

	klass->mirror = mirror;
	klass->map = map;
	klass->stream_classes = g_hash_table_new(NULL, NULL);
	klass->event_classes = g_hash_table_new_full(NULL, NULL, NULL, event_class_free);
	klass->selectors = g_hash_table_new(NULL, NULL);
	klass->clocks = g_ptr_array_new();
	klass->out = bt_trace_class_create(mirror->component);
	if (!klass->out ||
	    bt_trace_class_add_destruction_listener(in, class_destroyed, klass, &klass->listener) !=
		    BT_TRACE_CLASS_ADD_LISTENER_STATUS_OK) {
		wp_mirror_class_free(klass);
		return NULL;
	}
	klass->in = in;
	return klass;
}

static gboolean fill_class(MirrorClass *klass, const bt_trace_class *in, GError **error)
{
	bt_trace_class_set_assigns_automatic_stream_class_id(klass->out, BT_FALSE);
	bt_trace_class_set_user_attributes(klass->out,
					   bt_trace_class_borrow_user_attributes_const(in));
	for (guint64 i = 0; i < bt_trace_class_get_stream_class_count(in); i++)
		if (!wp_mirror_class_get_stream_class(
			    klass, bt_trace_class_borrow_stream_class_by_index_const(in, i), error))
			return FALSE;
	return TRUE;
}

MirrorClass *wp_mirror_class_get(WpMirror *mirror, const bt_trace_class *in, const WpClockMap *map,
				 GError **error)
{
	MirrorClass *klass;

	for (guint i = 0; i < mirror->classes->len; i++) {
		klass = g_ptr_array_index(mirror->classes, i);
		if (klass->in == in && klass->map == map)
			return klass;
	}
	klass = class_new(mirror, in, map);
	if (!klass) {
		wp_mirror_no_memory(error);
		return NULL;
	}
	if (!fill_class(klass, in, error)) {
		wp_mirror_class_free(klass);
		return NULL;
	}
	g_ptr_array_add(mirror->classes, klass);
	return klass;
}
