/* SPDX-License-Identifier: MIT */
/*
 * critical-path.c: filter.waitpath.critical-path: the path of a task as events of its own, or
 * the events that happen on it.
 *
 * Segments: everything that comes in goes to an analysis; at the end the path is computed and
 * given, segment by segment. Where what comes in can't be sent back to its beginning it may
 * never end: then each period (of the messages' time) what can no longer change is given
 * (tail.h). The hosts are in the analysis while a piece of the path is given, and go back to the
 * feed behind it.
 *
 * Select: reads everything, sends the inputs back, and passes the messages on, of the events
 * those on the path.
 */
#include "config.h"

#include "base/error.h"
#include "plugins/common/ask.h"
#include "plugins/common/cause.h"
#include "plugins/common/inputs.h"
#include "plugins/common/intake.h"
#include "plugins/critical-path/critical-path.h"
#include "plugins/critical-path/path-ir.h"
#include "plugins/critical-path/select.h"
#include "plugins/critical-path/tail.h"

/* Messages read between two looks at whether the user wants to stop. */
#define INTERRUPT_INTERVAL 4096
#define PERIOD_DEFAULT 1000 /* ms */
#define PERIOD_MAX 86400000

typedef enum { OUTPUT_SEGMENTS, OUTPUT_SELECT } Output;

typedef struct {
	WpAsk ask;
	guint output; /* Output */
	gint64 period; /* ms */
} CriticalPath;

static const gchar *const outputs[] = {
	[OUTPUT_SEGMENTS] = "segments", [OUTPUT_SELECT] = "select", NULL};

static const WpParam params_table[] = {
	WP_ASK_PARAMS(CriticalPath),
	{"output", WP_PARAM_CHOICE, FALSE, G_STRUCT_OFFSET(CriticalPath, output), outputs},
	{"period", WP_PARAM_INTEGER, FALSE, G_STRUCT_OFFSET(CriticalPath, period), NULL},
};

typedef enum {
	PHASE_READ,
	PHASE_GIVE_PIECE, /* segments, then on with reading */
	PHASE_GIVE_LAST,
	PHASE_END_STREAM,
	PHASE_REWIND_TO_READ, /* the inputs are being sent back */
	PHASE_REWIND_TO_PASS,
	PHASE_PASS, /* messages of the second pass */
	PHASE_ENDED
} Phase;

typedef struct {
	CriticalPath *filter; /* weak */
	bt_self_component_filter *component; /* weak */
	bt_self_message_iterator *self; /* weak */
	Phase phase;
	WpIntake *intake; /* owned */
	WpLanes *lanes; /* owned */
	gboolean endless; /* what comes in can't be sent back: it may have no end */
	gboolean asked; /* endless is known */
	gboolean warned; /* that what is given is by clocks as they are known then */
	guint n_read;
	WpTime now, analysed; /* of the last message, and when the last piece was looked for */
	WpPathTail tail;
	WpAnalysis *analysis; /* owned: that path is of; NULL */
	WpPath *path; /* owned: that is being given, NULL */
	guint next; /* segment of path */
	WpPathIr *ir; /* owned: NULL before the first piece */
	WpPathSelection *selection; /* owned, NULL */
} Iterator;

static void critical_path_free(CriticalPath *filter)
{
	wp_params_clear(params_table, G_N_ELEMENTS(params_table), filter);
	wp_ask_clear(&filter->ask);
	g_free(filter);
}

static gboolean read_params(CriticalPath *filter, const bt_value *params, GError **error)
{
	if (!wp_params_read(params, params_table, G_N_ELEMENTS(params_table), filter, error))
		return FALSE;
	if (filter->period >= 1 && filter->period <= PERIOD_MAX)
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "The parameter 'period' must be a number of milliseconds, 1 to %d, not "
		    "%" G_GINT64_FORMAT ".",
		    PERIOD_MAX, filter->period);
	return FALSE;
}

bt_component_class_initialize_method_status
wp_critical_path_init(bt_self_component_filter *self,
		      bt_self_component_filter_configuration *config, const bt_value *params,
		      void *data)
{
	bt_self_component *component = bt_self_component_filter_as_self_component(self);
	CriticalPath *filter = g_new0(CriticalPath, 1);
	GError *error = NULL;
	gboolean ok;

	(void)config;
	(void)data;
	wp_ask_init(&filter->ask);
	filter->period = PERIOD_DEFAULT;
	ok = read_params(filter, params, &error);
	if (!ok)
		wp_cause_from_component(component, error);
	ok = ok && wp_inputs_add_to_filter(self) &&
	     bt_self_component_filter_add_output_port(self, "out", NULL, NULL) ==
		     BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
	if (!ok) {
		critical_path_free(filter);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(component, filter);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_critical_path_finalize(bt_self_component_filter *self)
{
	critical_path_free(
		bt_self_component_get_data(bt_self_component_filter_as_self_component(self)));
}

bt_component_class_port_connected_method_status
wp_critical_path_input_port_connected(bt_self_component_filter *self,
				      bt_self_component_port_input *port,
				      const bt_port_output *other)
{
	(void)port;
	(void)other;
	return wp_inputs_add_to_filter(self)
		       ? BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_OK
		       : BT_COMPONENT_CLASS_PORT_CONNECTED_METHOD_STATUS_ERROR;
}

/*
 * The iterator
 */

static void iterator_clear(Iterator *it)
{
	g_clear_pointer(&it->path, wp_path_free);
	g_clear_pointer(&it->analysis, wp_analysis_free);
	g_clear_pointer(&it->ir, wp_path_ir_free);
	g_clear_pointer(&it->selection, wp_path_selection_free);
	g_clear_pointer(&it->intake, wp_intake_free);
	g_clear_pointer(&it->lanes, wp_lanes_free);
}

/* A new analysis, and iterators on all inputs. */
static gboolean iterator_set(Iterator *it, GError **error)
{
	WpQuestion question = wp_ask_question(&it->filter->ask);

	it->intake = wp_intake_new(&it->filter->ask.options, error);
	if (!it->intake)
		return FALSE;
	it->lanes = wp_lanes_new(wp_intake_on_lane, it->intake);
	wp_path_tail_init(&it->tail, wp_intake_get_feed(it->intake), &question);
	it->now = it->analysed = WP_TIME_MIN;
	it->phase = PHASE_READ;
	return wp_inputs_open_filter(it->component, it->self, it->lanes);
}

bt_message_iterator_class_initialize_method_status
wp_critical_path_iterator_init(bt_self_message_iterator *self,
			       bt_self_message_iterator_configuration *config,
			       bt_self_component_port_output *port)
{
	bt_self_component *component = bt_self_message_iterator_borrow_component(self);
	Iterator *it = g_new0(Iterator, 1);
	GError *error = NULL;

	(void)config;
	(void)port;
	it->filter = bt_self_component_get_data(component);
	it->component = (bt_self_component_filter *)component;
	it->self = self;
	if (!iterator_set(it, &error)) {
		if (error)
			wp_cause_from_iterator(self, error);
		iterator_clear(it);
		g_free(it);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_message_iterator_set_data(self, it);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_critical_path_iterator_finalize(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	iterator_clear(it);
	g_free(it);
}

static WpLanesStatus no_memory(GError **error)
{
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED, "Out of memory.");
	return WP_LANES_ERROR;
}

static void log_finding(const Iterator *it, const gchar *code, const gchar *text)
{
	g_autoptr(WpFindings) findings = wp_findings_new();

	wp_findings_add(findings, code, WP_SEVERITY_WARNING, NULL, WP_TIME_MIN, 1, "%s", text);
	wp_log_findings(bt_self_component_filter_as_self_component(it->component), findings, 0);
}

/* Steps give at most one message; a step without one is followed by another. */

/* Whether a piece is to be looked for now. */
static gboolean is_due(const Iterator *it)
{
	const WpTime period = it->filter->period * WP_NS_PER_MS;

	return it->endless && it->filter->output == OUTPUT_SEGMENTS &&
	       it->filter->ask.mode == WP_PATH_ACTIVE && it->now != WP_TIME_MIN &&
	       (it->analysed == WP_TIME_MIN || it->now - period >= it->analysed);
}

static void warn_of_clocks(Iterator *it)
{
	if (!it->warned)
		log_finding(
			it, "clocks-not-known",
			"The clocks of the hosts are found from their packets as these come. What "
			"is "
			"told of other hosts before the end is by the clocks as they were known "
			"then; till packets join the hosts, segments are given only up to where "
			"the path first depends on another host. With a 'sync-file', or 'offsets', "
			"or behind filter.waitpath.sync with these, all are as they will stay.");
	it->warned = TRUE;
}

/* Hosts that come later don't change the clock that times are given on. */
static void keep_reference(Iterator *it, const WpGraph *graph)
{
	WpOptions *options = &it->filter->ask.options;

	if (!options->reference)
		options->reference = g_strdup(graph->hosts[graph->reference]->name);
}

static WpPath *find_piece(Iterator *it, const WpAnalysis *analysis, GError **error)
{
	const guint n_hosts = wp_feed_get_n_hosts(wp_intake_get_feed(it->intake));
	g_autofree WpTime *reached = NULL;

	if (!wp_feed_needs_packets(wp_intake_get_feed(it->intake)))
		return wp_path_tail_next(&it->tail, analysis, it->now, error);
	warn_of_clocks(it);
	reached = g_new(WpTime, n_hosts);
	for (guint i = 0; i < n_hosts; i++)
		reached[i] = wp_intake_get_reached(it->intake, i);
	return wp_path_tail_next_found(&it->tail, analysis, reached, error);
}

/* Begins to give the piece of the path that has become final, if there is one. */
static WpLanesStatus look_for_piece(Iterator *it, GError **error)
{
	WpFeed *feed = wp_intake_get_feed(it->intake);
	g_autoptr(GError) problem = NULL;
	WpAnalysis *analysis;

	it->analysed = it->now;
	analysis = wp_feed_analyse(feed, FALSE, NULL, &problem);
	if (!analysis && g_error_matches(problem, WP_ERROR, WP_ERROR_CANNOT_ANSWER))
		return WP_LANES_OK;
	if (analysis)
		it->path = find_piece(it, analysis, &problem);
	if (problem) {
		g_propagate_error(error, g_steal_pointer(&problem));
		g_clear_pointer(&analysis, wp_analysis_free);
		return WP_LANES_ERROR;
	}
	if (it->tail.selected)
		keep_reference(it, analysis->graph);
	if (!it->path) {
		wp_feed_resume(feed, analysis);
		return WP_LANES_OK;
	}
	it->analysis = analysis;
	it->next = 0;
	it->phase = PHASE_GIVE_PIECE;
	return WP_LANES_OK;
}

/* All has come in. */
static WpLanesStatus look_for_rest(Iterator *it, GError **error)
{
	GError *problem = NULL;

	it->analysis = wp_feed_analyse(wp_intake_get_feed(it->intake), TRUE, NULL, error);
	if (!it->analysis)
		return WP_LANES_ERROR;
	it->path = wp_path_tail_last(&it->tail, it->analysis, &problem);
	if (problem) {
		g_propagate_error(error, problem);
		return WP_LANES_ERROR;
	}
	wp_log_findings(bt_self_component_filter_as_self_component(it->component),
			it->analysis->all_findings, 0);
	it->next = 0;
	it->phase = it->filter->output == OUTPUT_SELECT ? PHASE_REWIND_TO_PASS : PHASE_GIVE_LAST;
	if (it->phase == PHASE_REWIND_TO_PASS)
		it->selection = wp_path_selection_new(it->path, it->analysis->graph);
	return WP_LANES_OK;
}

/* Asks, once, whether the inputs can be sent back: so they are not live. */
static WpLanesStatus ask_for_end(Iterator *it, GError **error)
{
	gboolean can;

	if (!wp_lanes_can_rewind(it->lanes, &can))
		return WP_LANES_ERROR;
	it->asked = TRUE;
	it->endless = !can;
	if (it->endless)
		wp_intake_set_live(it->intake);
	if (can || it->filter->output == OUTPUT_SEGMENTS)
		return WP_LANES_OK;
	g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
			    "What comes in can't be read twice (it is live, or comes through "
			    "filter.utils.trimmer), so the events on the path can't be picked out "
			    "of it: use output=\"segments\", or record it first, and instead of "
			    "a trimmer the parameters 'begin' and 'end'.");
	return WP_LANES_ERROR;
}

static WpLanesStatus read_on(Iterator *it, GError **error)
{
	WpLanesStatus status;

	if (!it->asked) {
		status = ask_for_end(it, error);
		if (status != WP_LANES_OK)
			return status;
	}
	status = wp_intake_pull(it->intake, it->lanes, &it->now, error);
	if (status == WP_LANES_END)
		return look_for_rest(it, error);
	if (status != WP_LANES_OK)
		return status;
	if (is_due(it))
		return look_for_piece(it, error);
	return ++it->n_read % INTERRUPT_INTERVAL == 0 &&
			       bt_self_message_iterator_is_interrupted(it->self)
		       ? WP_LANES_AGAIN
		       : WP_LANES_OK;
}

/* The stream begins with its first piece. */
static WpLanesStatus begin_stream(Iterator *it, const bt_message **message, GError **error)
{
	it->ir = wp_path_ir_new(bt_self_component_filter_as_self_component(it->component),
				it->analysis->graph, it->path->host, it->path->task, it->path->mode,
				it->path->begin);
	*message = it->ir ? wp_path_ir_begin_stream(it->ir, it->self) : NULL;
	return *message ? WP_LANES_OK : no_memory(error);
}

/* Behind a piece the hosts go back to the feed. */
static void end_piece(Iterator *it)
{
	g_clear_pointer(&it->path, wp_path_free);
	if (it->phase == PHASE_GIVE_LAST || wp_path_tail_is_done(&it->tail)) {
		it->phase = PHASE_END_STREAM;
		return;
	}
	wp_feed_resume(wp_intake_get_feed(it->intake), g_steal_pointer(&it->analysis));
	it->phase = PHASE_READ;
}

/* Each piece has packets of its own: what is downstream need not wait for the next piece. */
static WpLanesStatus give_segment(Iterator *it, const bt_message **message, GError **error)
{
	gboolean given = FALSE;

	if (it->path && !it->ir)
		return begin_stream(it, message, error);
	if (it->path && it->next < it->path->segments.n) {
		*message = wp_path_ir_give_segment(it->ir, it->self, it->analysis->graph,
						   wp_path_segment(it->path, it->next), &given);
		it->next += given;
	} else if (it->ir && wp_path_ir_has_packet(it->ir)) {
		*message = wp_path_ir_end_packet(it->ir, it->self);
	} else {
		end_piece(it);
		return WP_LANES_OK;
	}
	return *message ? WP_LANES_OK : no_memory(error);
}

static WpLanesStatus end_stream(Iterator *it, const bt_message **message, GError **error)
{
	it->phase = PHASE_ENDED;
	*message = wp_path_ir_end_stream(it->ir, it->self);
	return *message ? WP_LANES_OK : no_memory(error);
}

static WpLanesStatus pass(Iterator *it, const bt_message **message, GError **error)
{
	WpPlace place;
	WpTime time;
	guint lane;
	WpLanesStatus status = wp_lanes_next(it->lanes, message, &lane, &time, error);

	if (status != WP_LANES_OK)
		return status;
	/* an event whose CPU or time is not known can't be told to lie on the path */
	if (wp_intake_locate(it->intake, *message, &place)
		    ? wp_path_selection_has(
			      it->selection,
			      wp_feed_find_host(wp_intake_get_feed(it->intake), place.host),
			      place.cpu, place.time)
		    : bt_message_get_type(*message) != BT_MESSAGE_TYPE_EVENT)
		return WP_LANES_OK;
	BT_MESSAGE_PUT_REF_AND_RESET(*message);
	return ++it->n_read % INTERRUPT_INTERVAL == 0 &&
			       bt_self_message_iterator_is_interrupted(it->self)
		       ? WP_LANES_AGAIN
		       : WP_LANES_OK;
}

static WpLanesStatus rewind_to_pass(Iterator *it)
{
	WpLanesStatus status = wp_lanes_rewind(it->lanes);

	if (status == WP_LANES_OK)
		it->phase = PHASE_PASS;
	return status;
}

static WpLanesStatus rewind_to_read(Iterator *it, GError **error)
{
	iterator_clear(it);
	return iterator_set(it, error) ? WP_LANES_OK : WP_LANES_ERROR;
}

static WpLanesStatus step(Iterator *it, const bt_message **message, GError **error)
{
	switch (it->phase) {
	case PHASE_READ:
		return read_on(it, error);
	case PHASE_GIVE_PIECE:
	case PHASE_GIVE_LAST:
		return give_segment(it, message, error);
	case PHASE_END_STREAM:
		return end_stream(it, message, error);
	case PHASE_REWIND_TO_READ:
		return rewind_to_read(it, error);
	case PHASE_REWIND_TO_PASS:
		return rewind_to_pass(it);
	case PHASE_PASS:
		return pass(it, message, error);
	case PHASE_ENDED:
		break;
	}
	return WP_LANES_END;
}

bt_message_iterator_class_next_method_status
wp_critical_path_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
			       uint64_t capacity, uint64_t *count)
{
	Iterator *it = bt_self_message_iterator_get_data(self);
	GError *error = NULL;
	WpLanesStatus status = WP_LANES_OK;
	guint64 n = 0;

	/* what is given is not held back while more is read */
	while (n < capacity && status == WP_LANES_OK && !(n && it->phase == PHASE_READ)) {
		const bt_message *message = NULL;

		status = step(it, &message, &error);
		if (status == WP_LANES_OK && message)
			messages[n++] = message;
	}
	return wp_lanes_end_next(status, self, messages, n, count, error);
}

bt_message_iterator_class_can_seek_beginning_method_status
wp_critical_path_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	return wp_lanes_end_can_seek(it->lanes, can);
}

bt_message_iterator_class_seek_beginning_method_status
wp_critical_path_iterator_seek_beginning(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	/* before anything was given there is nothing to go back from */
	if (it->selection)
		it->phase = PHASE_REWIND_TO_PASS;
	else if (it->phase != PHASE_READ)
		it->phase = PHASE_REWIND_TO_READ;
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}
