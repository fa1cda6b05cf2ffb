/* SPDX-License-Identifier: MIT */
/*
 * sync.c: filter.waitpath.sync: corrects the clocks of all hosts and gives one stream of
 * messages in corrected time order.
 *
 * The iterator first looks at what begins each input, which tells the hosts. Where their
 * clocks can only be found from packets it reads everything once, finds them, and sends the
 * inputs back to their beginning: what comes out of files from the files themselves (files.h),
 * else the messages. With offsets, a sync file or one host it needs no such pass. Then it gives: every message goes through a mirror that copies it with the
 * corrected time, and the lanes put the copies in order.
 *
 * One input may carry several hosts (behind a muxer), in uncorrected order. Each gets a lane, and
 * what comes for one waits there while another has none (lanes.h). Clocks that are far apart may
 * bring all of one host before the first of another: too much to wait, so the port is then read
 * once more, for the one that lacks messages.
 */
#include "config.h"

#include "base/error.h"
#include "plugins/common/cause.h"
#include "plugins/common/inputs.h"
#include "plugins/common/intake.h"
#include "plugins/common/params.h"
#include "plugins/common/trim.h"
#include "plugins/mirror/mirror.h"
#include "plugins/sync/files.h"
#include "plugins/sync/sync.h"

/* Messages read between two looks at whether the user wants to stop. */
#define INTERRUPT_INTERVAL 4096

typedef struct {
	WpOptions options; /* owned members: reference, offsets, sync_file, layouts */
	gchar *begin, *end; /* owned, NULL */
} Sync;

static const WpParam params_table[] = {
	{"reference", WP_PARAM_STRING, FALSE, G_STRUCT_OFFSET(Sync, options.reference), NULL},
	{"offsets", WP_PARAM_OFFSETS, FALSE, G_STRUCT_OFFSET(Sync, options.offsets), NULL},
	{"sync-file", WP_PARAM_STRING, FALSE, G_STRUCT_OFFSET(Sync, options.sync_file), NULL},
	{"layouts", WP_PARAM_STRINGS, FALSE, G_STRUCT_OFFSET(Sync, options.layouts), NULL},
	{"begin", WP_PARAM_TIME, FALSE, G_STRUCT_OFFSET(Sync, begin), NULL},
	{"end", WP_PARAM_TIME, FALSE, G_STRUCT_OFFSET(Sync, end), NULL},
};

typedef enum {
	PHASE_LOOK, /* at what begins each input */
	PHASE_READ_FILES, /* the first pass, to find the clocks, */
	PHASE_READ, /* or that of messages */
	PHASE_REWIND, /* the inputs are being sent back */
	PHASE_GIVE,
	PHASE_ENDED
} Phase;

/* What a lane carries: of a host, what has one shift, for only that remains in order. */
typedef struct {
	guint port; /* the lane that was opened first on its port */
	guint32 host; /* number of the feed, WP_NONE before its first message */
	WpTime shift; /* of its traces' times to the host's */
	const bt_trace *trace; /* reference: of its last message, NULL before the first */
	gboolean is_exact; /* all clocks of the host so far count nanoseconds */
} LaneHost;

typedef struct {
	Sync *sync; /* weak */
	bt_self_component_filter *component; /* weak */
	bt_self_message_iterator *self; /* weak */
	Phase phase;
	WpIntake *intake; /* owned */
	WpLanes *lanes; /* owned */
	GArray *lane_hosts; /* owned: LaneHost, a lane each */
	GPtrArray *maps; /* owned: WpClockMap * (owned) by host; NULL before they are known */
	GPtrArray *shifted_maps; /* owned: WpClockMap * (owned): of traces off their host's clock */
	WpMirror *mirror; /* owned */
	WpTrim *trim; /* owned; NULL before the first message that has a time */
	GQueue early; /* const bt_message * (references): before there is a trim */
	GQueue out; /* const bt_message * (references): to be given */
	WpTime origin; /* the first event's time, WP_TIME_MIN not known */
	guint n_read;
	GPtrArray *directories; /* owned: owned gchar *: what comes in comes from; NULL */
	guint64 n_in_files, n_given; /* events: found in these, and given since the beginning */
} Iterator;

static void sync_free(Sync *sync)
{
	wp_params_clear(params_table, G_N_ELEMENTS(params_table), sync);
	wp_options_clear(&sync->options);
	g_free(sync);
}

bt_component_class_initialize_method_status
wp_sync_filter_init(bt_self_component_filter *self, bt_self_component_filter_configuration *config,
		    const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self);
	Sync *sync = g_new0(Sync, 1);
	GError *error = NULL;
	gboolean ok;

	(void)config;
	(void)data;
	wp_options_init(&sync->options);
	ok = wp_params_read(params, params_table, G_N_ELEMENTS(params_table), sync, &error);
	if (!ok)
		wp_cause_from_component(component, error);
	ok = ok && wp_inputs_add_to_filter(self) &&
	     bt_self_component_filter_add_output_port(self, "out", NULL, NULL) ==
		     BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
	if (!ok) {
		sync_free(sync);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(component, sync);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_sync_filter_finalize(bt_self_component_filter *self)
{
	sync_free(bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

bt_component_class_port_connected_method_status
wp_sync_filter_input_port_connected(bt_self_component_filter *self,
				    bt_self_component_port_input *port, const bt_port_output *other)
{
	(void)port;
	(void)other;
	return wp_inputs_add_to_filter(self)
		       ? BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_ERROR;
}

/*
 * What the lanes do with a message
 */

/* Of damaged descriptions offsets may be anything. */
static WpTime add_times(WpTime a, WpTime b)
{
	WpTime sum;

	return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? WP_TIME_MIN : WP_TIME_MAX;
}

/* The map of a trace whose times are off its host's clock, from which the map leads on. */
static const WpClockMap *add_shifted(Iterator *it, const WpClockMap *map, WpTime shift)
{
	const WpClockKnot none = {0};
	guint n;
	const WpClockKnot *knots = wp_clock_map_get_knots(map, &n);
	g_autofree WpClockKnot *shifted = g_memdup2(n ? knots : &none, MAX(n, 1) * sizeof(*knots));
	WpClockMap *added;

	n = MAX(n, 1);
	for (guint i = 0; i < n; i++) {
		shifted[i].host = add_times(shifted[i].host, shift == WP_TIME_MIN ? 0 : -shift);
		shifted[i].offset = add_times(shifted[i].offset, shift);
	}
	added = wp_clock_map_new(shifted, n, 0);
	g_ptr_array_add(it->shifted_maps, added);
	return added;
}

/* Of several traces of a host each may have been given an offset of its own to the epoch. */
static const WpClockMap *map_of_trace(const bt_trace *trace, gpointer data)
{
	Iterator *it = data;
	guint32 host = wp_intake_find_host(it->intake, trace);
	const WpClockMap *map = host < it->maps->len ? it->maps->pdata[host] : NULL;
	const WpTime shift = wp_intake_get_shift(it->intake, trace);

	if (map && shift)
		return add_shifted(it, map, shift);
	return map && !wp_clock_map_is_identity(map) ? map : NULL;
}

/* Hosts that appear when clocks are known already get theirs from the options. */
static gboolean add_clocks(Iterator *it, GError **error)
{
	g_autoptr(GPtrArray) maps = NULL;
	WpFeed *feed = wp_intake_get_feed(it->intake);

	if (wp_feed_get_n_hosts(feed) == it->maps->len)
		return TRUE;
	if (wp_feed_needs_packets(feed)) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "The host %s appeared after the clocks were found: give its clock by "
			    "'offsets' or a 'sync-file'.",
			    wp_feed_get_host_name(feed, it->maps->len));
		return FALSE;
	}
	if (!wp_feed_get_clocks(feed, &maps, error))
		return FALSE;
	/* those that are in use stay */
	for (guint i = it->maps->len; i < maps->len; i++)
		g_ptr_array_add(it->maps, g_steal_pointer(&maps->pdata[i]));
	return TRUE;
}

static LaneHost *get_lane_host(Iterator *it, guint lane)
{
	return &g_array_index(it->lane_hosts, LaneHost, lane);
}

/* The lane of a host and shift on the port of a lane; a new one when there is none. */
static guint find_lane(Iterator *it, guint lane, guint32 host, WpTime shift)
{
	const guint port = get_lane_host(it, lane)->port;
	LaneHost added = {.port = port, .host = host, .shift = shift, .is_exact = TRUE};

	for (guint i = 0; i < it->lane_hosts->len; i++) {
		LaneHost *lane_host = get_lane_host(it, i);

		if (lane_host->port != port)
			continue;
		if (lane_host->host == WP_NONE) {
			lane_host->host = host;
			lane_host->shift = shift;
		}
		if (lane_host->host == host && lane_host->shift == shift)
			return i;
	}
	g_array_append_val(it->lane_hosts, added);
	return wp_lanes_add_beside(it->lanes, lane);
}

/* The lane on this port whose last message was of this trace, WP_NONE; mostly it is the first one. */
static guint find_lane_of_trace(Iterator *it, guint lane, const bt_trace *trace)
{
	const guint port = get_lane_host(it, lane)->port;

	if (get_lane_host(it, lane)->trace == trace)
		return lane;
	for (guint i = 0; i < it->lane_hosts->len; i++)
		if (get_lane_host(it, i)->trace == trace && get_lane_host(it, i)->port == port)
			return i;
	return WP_NONE;
}

static guint find_lane_for(Iterator *it, guint lane, const bt_trace *trace)
{
	return find_lane(it, lane, wp_intake_find_host(it->intake, trace),
			 wp_intake_get_shift(it->intake, trace));
}

/* A message that is of no stream tells how far a clock is; that is of the trace's whose it is. */
static guint find_lane_of_clock(Iterator *it, guint lane, const bt_message *message)
{
	const bt_trace *trace = wp_intake_find_trace_of_clock(
		it->intake,
		bt_clock_snapshot_borrow_clock_class_const(
			bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(
				message)));

	return trace ? find_lane_for(it, lane, trace) : lane;
}

/* Only a clock that counts nanoseconds is sure not to be rounded to before that. */
static gboolean has_exact_clock(const bt_trace *trace)
{
	const bt_trace_class *klass = bt_trace_borrow_class_const(trace);

	for (guint64 i = 0; i < bt_trace_class_get_stream_class_count(klass); i++) {
		const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
			bt_trace_class_borrow_stream_class_by_index_const(klass, i));

		if (clock && bt_clock_class_get_frequency(clock) != (guint64)WP_NS_PER_S)
			return FALSE;
	}
	return TRUE;
}

static void note_trace(LaneHost *lane_host, const bt_trace *trace)
{
	bt_trace_get_ref(trace);
	bt_trace_put_ref(lane_host->trace);
	lane_host->trace = trace;
	lane_host->is_exact = lane_host->is_exact && has_exact_clock(trace);
}

static gboolean on_route(guint lane, const bt_message *message, gpointer data, guint *ret_lane,
			 GError **error)
{
	Iterator *it = data;
	const bt_stream *stream = wp_message_get_stream(message);
	const bt_trace *trace = stream ? bt_stream_borrow_trace_const(stream) : NULL;

	*ret_lane = lane;
	if (it->phase != PHASE_GIVE)
		return TRUE;
	*ret_lane = trace ? find_lane_of_trace(it, lane, trace)
			  : find_lane_of_clock(it, lane, message);
	if (*ret_lane != WP_NONE)
		return TRUE;
	if (!wp_intake_announce(it->intake, message, error) || !add_clocks(it, error))
		return FALSE;
	*ret_lane = find_lane_for(it, lane, trace);
	note_trace(get_lane_host(it, *ret_lane), trace);
	return TRUE;
}

static WpTime on_bound(guint lane, WpTime time, gpointer data)
{
	Iterator *it = data;
	const LaneHost *lane_host = get_lane_host(it, lane);

	if (lane_host->host == WP_NONE || !lane_host->is_exact)
		return WP_TIME_MIN;
	return wp_clock_map_apply(it->maps->pdata[lane_host->host],
				  add_times(time, lane_host->shift));
}

static bt_message_iterator *on_open(guint lane, gpointer data, GError **error)
{
	Iterator *it = data;
	gboolean can;
	bt_message_iterator *upstream = wp_lanes_can_rewind(it->lanes, &can) && can
						? wp_inputs_open_again(
							  it->component, it->self,
							  get_lane_host(it, lane)->port)
						: NULL;

	if (!upstream)
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "The hosts come through one port, their clocks are too far apart to "
			    "put them in order from there, and it can't be read once for each of "
			    "them; connect each host to a port of its own with `babeltrace2 run`.");
	return upstream;
}

static gboolean mirror_message(Iterator *it, const bt_message **message, WpTime *time,
			       GError **error)
{
	bt_message *copy;

	if (!wp_mirror_message(it->mirror, it->self, *message, &copy, time, error))
		return FALSE;
	bt_message_put_ref(*message);
	*message = copy;
	return TRUE;
}

static void lane_host_clear(gpointer data)
{
	bt_trace_put_ref(((LaneHost *)data)->trace);
}

static gboolean on_message(guint lane, const bt_message **message, WpTime *time, gpointer data,
			   GError **error)
{
	Iterator *it = data;

	(void)lane;
	if (it->phase != PHASE_GIVE)
		return TRUE;
	it->n_given += bt_message_get_type(*message) == BT_MESSAGE_TYPE_EVENT;
	return mirror_message(it, message, time, error);
}

static gboolean on_look(guint lane, const bt_message *message, gpointer data, GError **error)
{
	(void)lane;
	(void)error;
	wp_intake_look(((Iterator *)data)->intake, message);
	return TRUE;
}

/*
 * The iterator
 */

static void drop_queue(GQueue *queue)
{
	while (!g_queue_is_empty(queue))
		bt_message_put_ref(g_queue_pop_head(queue));
}

static void iterator_free(Iterator *it)
{
	drop_queue(&it->early);
	drop_queue(&it->out);
	wp_trim_free(it->trim);
	wp_lanes_free(it->lanes);
	wp_mirror_free(it->mirror);
	wp_intake_free(it->intake);
	g_clear_pointer(&it->maps, g_ptr_array_unref);
	g_ptr_array_unref(it->shifted_maps);
	g_clear_pointer(&it->directories, g_ptr_array_unref);
	g_array_unref(it->lane_hosts);
	g_free(it);
}

bt_message_iterator_class_initialize_method_status
wp_sync_filter_iterator_init(bt_self_message_iterator *self,
			     bt_self_message_iterator_configuration *config,
			     bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	Iterator *it = g_new0(Iterator, 1);
	GError *error = NULL;

	(void)config;
	(void)port;
	it->sync = bt_self_component_get_data(component);
	it->component = (bt_self_component_filter *)component;
	it->self = self;
	it->origin = WP_TIME_MIN;
	g_queue_init(&it->early);
	g_queue_init(&it->out);
	it->lane_hosts = g_array_new(FALSE, FALSE, sizeof(LaneHost));
	it->shifted_maps = g_ptr_array_new_with_free_func((GDestroyNotify)wp_clock_map_free);
	g_array_set_clear_func(it->lane_hosts, lane_host_clear);
	it->lanes = wp_lanes_new(on_message, it);
	wp_lanes_set_route(it->lanes, on_route, on_bound, on_open);
	it->intake = wp_intake_new(&it->sync->options, &error);
	if (!it->intake)
		wp_cause_from_iterator(self, error);
	if (!it->intake || !wp_inputs_open_filter(it->component, self, it->lanes)) {
		iterator_free(it);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	for (guint i = 0; i < wp_lanes_get_n(it->lanes); i++) {
		LaneHost lane_host = {.port = i, .host = WP_NONE, .is_exact = TRUE};

		g_array_append_val(it->lane_hosts, lane_host);
	}
	it->mirror = wp_mirror_new(component, map_of_trace, it);
	wp_mirror_set_corrected(it->mirror);
	bt_self_message_iterator_set_data(self, it);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_sync_filter_iterator_finalize(bt_self_message_iterator *self)
{
	iterator_free(bt_self_message_iterator_get_data(self));
}

/* Each of these does a step of its phase; OK: there is more to do. */

static WpLanesStatus look(Iterator *it, GError **error)
{
	WpLanesStatus status = wp_lanes_prime(it->lanes, on_look, error);
	WpFeed *feed = wp_intake_get_feed(it->intake);
	gboolean can;

	if (status != WP_LANES_OK)
		return status;
	if (!wp_intake_look_done(it->intake, error))
		return WP_LANES_ERROR;
	if (!wp_feed_needs_packets(feed)) {
		if (!wp_feed_get_clocks(feed, &it->maps, error))
			return WP_LANES_ERROR;
		it->phase = PHASE_GIVE;
		return WP_LANES_OK;
	}
	if (!wp_lanes_can_rewind(it->lanes, &can))
		return WP_LANES_ERROR;
	if (!can) {
		g_set_error_literal(
			error, WP_ERROR, WP_ERROR_FAILED,
			"What comes in can't be read twice (it is live, or comes through "
			"filter.utils.trimmer), so the clocks can't be found from its packets: "
			"give a 'sync-file' (`waitpath sync --save FILE` makes one) or 'offsets', "
			"and instead of a trimmer the parameters 'begin' and 'end'.");
		return WP_LANES_ERROR;
	}
	it->directories = wp_sync_files_find(
		bt_self_component_filter_as_component_filter(it->component), it->intake);
	it->phase = it->directories ? PHASE_READ_FILES : PHASE_READ;
	return WP_LANES_OK;
}

/* The clock maps of an analysis; number tells a host of the feed there, WP_NONE: it has no events. */
static void take_clocks(Iterator *it, const WpAnalysis *analysis,
			guint32 (*number)(const Iterator *it, const WpAnalysis *analysis,
					  guint host))
{
	WpFeed *feed = wp_intake_get_feed(it->intake);
	WpTime end;

	it->maps = g_ptr_array_new_with_free_func((GDestroyNotify)wp_clock_map_free);
	for (guint i = 0; i < wp_feed_get_n_hosts(feed); i++) {
		const guint32 host = number(it, analysis, i);

		g_ptr_array_add(it->maps,
				host == WP_NONE
					? wp_clock_map_new(NULL, 0, 0)
					: wp_clock_map_dup(analysis->graph->joins[host].map));
	}
	wp_analysis_get_span(analysis, &it->origin, &end);
	wp_log_findings(bt_self_component_filter_as_self_component(it->component),
			analysis->graph->findings, 0);
	it->phase = PHASE_REWIND;
}

static guint32 number_in_feed(const Iterator *it, const WpAnalysis *analysis, guint host)
{
	(void)analysis;
	return wp_feed_find_host(wp_intake_get_feed(it->intake), host);
}

static WpLanesStatus find_clocks(Iterator *it, GError **error)
{
	g_autoptr(WpAnalysis) analysis = NULL;

	if (!wp_intake_end(it->intake, error))
		return WP_LANES_ERROR;
	analysis = wp_feed_analyse(wp_intake_get_feed(it->intake), TRUE, NULL, error);
	if (!analysis)
		return WP_LANES_ERROR;
	take_clocks(it, analysis, number_in_feed);
	return WP_LANES_OK;
}

/* The traces of the analysis are those of the feed, number by number. */
static guint32 number_in_files(const Iterator *it, const WpAnalysis *analysis, guint host)
{
	for (guint i = 0; i < analysis->n_traces; i++)
		if (wp_feed_get_host(wp_intake_get_feed(it->intake), i) == host &&
		    analysis->traces[i]->host != WP_NONE)
			return analysis->traces[i]->host;
	return WP_NONE;
}

/* Whatever is wrong with that, the messages will tell. */
static WpLanesStatus read_files(Iterator *it)
{
	g_autoptr(GError) problem = NULL;
	g_autoptr(WpAnalysis) analysis = wp_sync_files_load(it->directories, &it->sync->options,
							    it->intake, it->self, &problem);

	if (g_error_matches(problem, WP_ERROR, WP_ERROR_CANCELLED))
		return WP_LANES_AGAIN;
	if (!analysis) {
		g_clear_pointer(&it->directories, g_ptr_array_unref);
		it->phase = PHASE_READ;
		return WP_LANES_OK;
	}
	for (guint i = 0; i < analysis->n_traces; i++)
		it->n_in_files += analysis->traces[i]->n_events;
	take_clocks(it, analysis, number_in_files);
	return WP_LANES_OK;
}

static WpLanesStatus read_on(Iterator *it, GError **error)
{
	const bt_message *message;
	WpTime time;
	guint lane;
	WpLanesStatus status = wp_lanes_next(it->lanes, &message, &lane, &time, error);

	if (status == WP_LANES_END)
		return find_clocks(it, error);
	if (status != WP_LANES_OK)
		return status;
	if (!wp_intake_message(it->intake, message, error))
		status = WP_LANES_ERROR;
	bt_message_put_ref(message);
	if (++it->n_read % INTERRUPT_INTERVAL == 0 &&
	    bt_self_message_iterator_is_interrupted(it->self))
		status = status == WP_LANES_OK ? WP_LANES_AGAIN : status;
	return status;
}

static gboolean parse_edge(const gchar *text, WpTime origin, WpTime *time, GError **error)
{
	return !text || wp_time_parse(text, origin, time, error);
}

/* What was before the first message that has a time is trimmed with it. */
static gboolean begin_trim(Iterator *it, WpTime first, GError **error)
{
	WpTime origin = it->origin == WP_TIME_MIN ? first : it->origin;
	WpTime begin = WP_TIME_MIN, end = WP_TIME_MAX;
	gboolean ended;

	if (!parse_edge(it->sync->begin, origin, &begin, error) ||
	    !parse_edge(it->sync->end, origin, &end, error))
		return FALSE;
	if (begin > end) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "The window ends (%s) before it begins (%s).", it->sync->end,
			    it->sync->begin);
		return FALSE;
	}
	it->trim = wp_trim_new(begin, end);
	while (!g_queue_is_empty(&it->early))
		if (!wp_trim_message(it->trim, it->self, g_queue_pop_head(&it->early), WP_TIME_MIN,
				     &it->out, &ended))
			return FALSE;
	return TRUE;
}

static WpLanesStatus trim(Iterator *it, const bt_message *message, WpTime time, GError **error)
{
	gboolean ended;

	if (!it->trim && time == WP_TIME_MIN) {
		g_queue_push_tail(&it->early, (gpointer)message);
		return WP_LANES_OK;
	}
	if (!it->trim && !begin_trim(it, time, error)) {
		bt_message_put_ref(message);
		return WP_LANES_ERROR;
	}
	if (!wp_trim_message(it->trim, it->self, message, time, &it->out, &ended)) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED, "Out of memory.");
		return WP_LANES_ERROR;
	}
	if (ended)
		it->phase = PHASE_ENDED;
	return WP_LANES_OK;
}

/* A source that joined directories has given more than lies in those that were read. */
static void check_given(const Iterator *it)
{
	g_autoptr(WpFindings) findings = NULL;

	if (!it->directories || it->n_given <= it->n_in_files)
		return;
	findings = wp_findings_new();
	wp_findings_add(findings, "clocks-of-a-part", WP_SEVERITY_WARNING, NULL, WP_TIME_MIN, 1,
			"%" G_GUINT64_FORMAT " events came, of which %" G_GUINT64_FORMAT " lie in "
			"the directories by which their streams are called: the clocks were found "
			"from these alone. Find them from all by `waitpath sync --save FILE`, and "
			"give that as 'sync-file'.",
			it->n_given, it->n_in_files);
	wp_log_findings(bt_self_component_filter_as_self_component(it->component), findings, 0);
}

/* Without a window a message is given as it comes, else what the trim makes of it goes to out. */
static WpLanesStatus give(Iterator *it, const bt_message **ret_message, GError **error)
{
	const gboolean has_window = it->sync->begin || it->sync->end;
	const bt_message *message;
	WpTime time;
	guint lane;
	WpLanesStatus status = wp_lanes_next(it->lanes, &message, &lane, &time, error);

	if (status == WP_LANES_OK && has_window)
		return trim(it, message, time, error);
	if (status == WP_LANES_OK)
		*ret_message = message;
	if (status != WP_LANES_END)
		return status;
	check_given(it);
	/* streams without any message that has a time */
	if (has_window && !it->trim && !begin_trim(it, 0, error))
		return WP_LANES_ERROR;
	it->phase = PHASE_ENDED;
	return WP_LANES_OK;
}

static WpLanesStatus rewind_lanes(Iterator *it)
{
	WpLanesStatus status = wp_lanes_rewind(it->lanes);

	if (status != WP_LANES_OK)
		return status;
	wp_mirror_rewind(it->mirror);
	it->n_given = 0;
	drop_queue(&it->early);
	drop_queue(&it->out);
	g_clear_pointer(&it->trim, wp_trim_free);
	it->phase = PHASE_GIVE;
	return WP_LANES_OK;
}

/* Gives at most one message at once; what is in out comes first. */
static WpLanesStatus step(Iterator *it, const bt_message **ret_message, GError **error)
{
	switch (it->phase) {
	case PHASE_LOOK:
		return look(it, error);
	case PHASE_READ_FILES:
		return read_files(it);
	case PHASE_READ:
		return read_on(it, error);
	case PHASE_REWIND:
		return rewind_lanes(it);
	case PHASE_GIVE:
		return give(it, ret_message, error);
	case PHASE_ENDED:
		break;
	}
	return WP_LANES_END;
}

bt_message_iterator_class_next_method_status
wp_sync_filter_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			     uint64_t capacity, uint64_t *count)
{
	Iterator *it = bt_self_message_iterator_get_data(self);
	GError *error = NULL;
	WpLanesStatus status = WP_LANES_OK;
	guint64 n = 0;

	while (n < capacity && status == WP_LANES_OK) {
		const bt_message *message = NULL;

		if (it->out.length)
			message = g_queue_pop_head(&it->out);
		else
			status = step(it, &message, &error);
		if (message)
			messages[n++] = message;
	}
	return wp_lanes_end_next(status, self, messages, n, count, error);
}

bt_message_iterator_class_can_seek_beginning_method_status
wp_sync_filter_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	return wp_lanes_end_can_seek(it->lanes, can);
}

bt_message_iterator_class_seek_beginning_method_status
wp_sync_filter_iterator_seek_beginning(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	/* before the clocks are known there is nothing to go back from */
	if (it->phase == PHASE_GIVE || it->phase == PHASE_ENDED)
		it->phase = PHASE_REWIND;
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}
