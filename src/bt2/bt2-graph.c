/* SPDX-License-Identifier: MIT */
/*
 * bt2-graph.c: the graph and its sink.
 *
 * The sink has an iterator for each port and consumes from the one that the graph's
 * owner wants: wp_bt2_graph_pull() notes the port and runs the graph once. A port's
 * error is kept for the owner and not returned to the graph, which then lives on
 * for the other ports.
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "bt2/bt2-graph.h"

struct WpBt2Graph {
	bt_graph *graph; /* reference */
	gchar *directory; /* owned */
	guint share, n_shares; /* it has the ports share, share + n_shares and so on */
	gboolean has_ranges; /* of the ports, in time */
	guint n_ports; /* of the trace */
	WpBt2Port *ports; /* owned */
	/* Owned array of references, made and put by the sink; NULL for ports of other shares. */
	bt_message_iterator **iterators;
	/* One pull: what is wanted and what came of it. */
	guint wanted;
	bt_message_array_const messages; /* borrowed from the iterator, the messages owned */
	guint64 n_messages;
	gchar **failures; /* owned, both: by port, what ended it, NULL */
};

/*
 * What Babeltrace says of its last failure on this thread, without an end mark and the
 * addresses of its objects; owned.
 */
static gchar *take_failure(void)
{
	const bt_error *failure = bt_current_thread_take_error();
	gchar *text = NULL, *end;

	/* The first cause is the deepest. */
	if (failure && bt_error_get_cause_count(failure) > 0)
		text = g_strdup(
			bt_error_cause_get_message(bt_error_borrow_cause_by_index(failure, 0)));
	if (failure)
		bt_error_release(failure);
	if (!text)
		return g_strdup("it gave no reason");
	end = strstr(text, "-addr=0x");
	if (end)
		while (end > text && *end != ':')
			*end-- = '\0';
	g_strchomp(text);
	g_strdelimit(text, "\n", ' ');
	if (g_str_has_suffix(text, ":") || g_str_has_suffix(text, "."))
		text[strlen(text) - 1] = '\0';
	return text;
}

/* Whether a call of Babeltrace has left an error with this thread. */
static gboolean has_failed(void)
{
	const bt_error *failure = bt_current_thread_take_error();

	if (!failure)
		return FALSE;
	bt_current_thread_move_error(failure);
	return TRUE;
}

static gboolean fail(const gchar *directory, GError **error)
{
	g_autofree gchar *failure = take_failure();

	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "Babeltrace can't read %s: %s.", directory,
		    failure);
	return FALSE;
}

static bt_component_class_initialize_method_status
sink_initialize(bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
		const bt_value *params, void *data)
{
	WpBt2Graph *graph = data;

	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), graph);
	for (guint i = graph->share; i < graph->n_ports; i += graph->n_shares) {
		g_autofree gchar *name = g_strdup_printf("in%u", i);

		if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) !=
		    BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
			return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status
sink_configured(bt_self_component_sink *self)
{
	WpBt2Graph *graph = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	for (guint i = graph->share; i < graph->n_ports; i += graph->n_shares) {
		bt_self_component_port_input *port =
			bt_self_component_sink_borrow_input_port_by_index(self,
									  i / graph->n_shares);

		if (bt_message_iterator_create_from_sink_component(self, port,
								   &graph->iterators[i]) !=
		    BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
			return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
	}
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

/* Never says END: the graph would then not run this sink again. */
static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	WpBt2Graph *graph = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));
	bt_message_iterator_next_status status = bt_message_iterator_next(
		graph->iterators[graph->wanted], &graph->messages, &graph->n_messages);

	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		graph->n_messages = 0;
	/* source.ctf.fs may fail and say that it gave all: then only the thread has its error. */
	if (status < 0 || has_failed())
		graph->failures[graph->wanted] = take_failure();
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

static void sink_finalize(bt_self_component_sink *self)
{
	WpBt2Graph *graph = bt_self_component_get_data(
		bt_self_component_sink_as_self_component(self));

	for (guint i = 0; i < graph->n_ports; i++)
		BT_MESSAGE_ITERATOR_PUT_REF_AND_RESET(graph->iterators[i]);
}

/* NULL when out of memory. */
static bt_component_class_sink *sink_class_create(void)
{
	bt_component_class_sink *klass = bt_component_class_sink_create("streams", sink_consume);

	if (!klass)
		return NULL;
	bt_component_class_sink_set_initialize_method(klass, sink_initialize);
	bt_component_class_sink_set_graph_is_configured_method(klass, sink_configured);
	bt_component_class_sink_set_finalize_method(klass, sink_finalize);
	return klass;
}

/* The parameters of source.ctf.fs; NULL when out of memory. */
static bt_value *source_params(const gchar *directory)
{
	bt_value *params = bt_value_map_create();
	bt_value *inputs = NULL;

	if (params &&
	    bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_array_append_string_element(inputs, directory) ==
		    BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
		return params;
	BT_VALUE_PUT_REF_AND_RESET(params);
	return NULL;
}

static gboolean connect_ports(WpBt2Graph *graph, const bt_component_source *source,
			      const bt_component_sink *sink)
{
	for (guint i = graph->share; i < graph->n_ports; i += graph->n_shares)
		if (bt_graph_connect_ports(
			    graph->graph,
			    bt_component_source_borrow_output_port_by_index_const(source, i),
			    bt_component_sink_borrow_input_port_by_index_const(sink,
									       i / graph->n_shares),
			    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return FALSE;
	return TRUE;
}

static gboolean add_sink(WpBt2Graph *graph, const bt_component_source *source)
{
	bt_component_class_sink *klass = sink_class_create();
	const bt_component_sink *sink;
	gboolean ok;

	ok = klass &&
	     bt_graph_add_sink_component_with_initialize_method_data(
		     graph->graph, klass, "streams", NULL, graph, BT_LOGGING_LEVEL_NONE, &sink) ==
		     BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
	     connect_ports(graph, source, sink);
	bt_component_class_sink_put_ref(klass);
	return ok;
}

/* Takes the range of the stream with this port's name, if the trace's info has it. */
static void set_port_range(WpBt2Port *port, const gchar *name, const bt_value *streams)
{
	for (guint64 i = 0; i < bt_value_array_get_length(streams); i++) {
		const bt_value *stream = bt_value_array_borrow_element_by_index_const(streams, i);
		const bt_value *port_name = bt_value_map_borrow_entry_value_const(stream,
										  "port-name");
		const bt_value *range = bt_value_map_borrow_entry_value_const(stream, "range-ns");

		if (!port_name || !range || !g_str_equal(bt_value_string_get(port_name), name))
			continue;
		port->begin = bt_value_integer_signed_get(
			bt_value_map_borrow_entry_value_const(range, "begin"));
		port->end = bt_value_integer_signed_get(
			bt_value_map_borrow_entry_value_const(range, "end"));
	}
}

/* The ports' ranges in time serve progress only: without them it is coarser. */
static void query_ranges(WpBt2Graph *graph, const bt_component_class_source *klass,
			 const bt_value *params, const bt_component_source *source)
{
	bt_query_executor *executor = bt_query_executor_create(
		bt_component_class_source_as_component_class_const(klass), "babeltrace.trace-infos",
		params);
	const bt_value *infos = NULL;

	if (!executor ||
	    bt_query_executor_query(executor, &infos) != BT_QUERY_EXECUTOR_QUERY_STATUS_OK) {
		g_free(take_failure());
		infos = NULL;
	}
	for (guint64 t = 0; infos && t < bt_value_array_get_length(infos); t++) {
		const bt_value *streams = bt_value_map_borrow_entry_value_const(
			bt_value_array_borrow_element_by_index_const(infos, t), "stream-infos");

		for (guint i = 0; streams && i < graph->n_ports; i++) {
			const bt_port_output *port =
				bt_component_source_borrow_output_port_by_index_const(source, i);

			set_port_range(&graph->ports[i],
				       bt_port_get_name(bt_port_output_as_port_const(port)),
				       streams);
		}
	}
	bt_value_put_ref(infos);
	bt_query_executor_put_ref(executor);
}

static gboolean graph_build(WpBt2Graph *graph, const bt_component_class_source *klass)
{
	bt_value *params = source_params(graph->directory);
	const bt_component_source *source;
	gboolean ok = FALSE;

	graph->graph = bt_graph_create(0);
	if (graph->graph && params &&
	    bt_graph_add_source_component(graph->graph, klass, "trace", params,
					  BT_LOGGING_LEVEL_NONE,
					  &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		graph->n_ports = (guint)bt_component_source_get_output_port_count(source);
		graph->ports = g_new0(WpBt2Port, graph->n_ports);
		graph->iterators = g_new0(bt_message_iterator *, graph->n_ports);
		graph->failures = g_new0(gchar *, graph->n_ports);
		if (graph->has_ranges)
			query_ranges(graph, klass, params, source);
		ok = add_sink(graph, source);
	}
	bt_value_put_ref(params);
	return ok;
}

WpBt2Graph *wp_bt2_graph_open(const gchar *directory, guint share, guint n_shares,
			      gboolean has_ranges, GError **error)
{
	g_autoptr(WpBt2Graph) graph = g_new0(WpBt2Graph, 1);
	const bt_plugin *plugin = NULL;
	const bt_component_class_source *klass;
	bt_plugin_find_status found = bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE,
						     BT_FALSE, &plugin);
	gboolean ok = FALSE;

	graph->directory = g_strdup(directory);
	graph->share = share;
	graph->n_shares = n_shares;
	graph->has_ranges = has_ranges;
	if (found == BT_PLUGIN_FIND_STATUS_NOT_FOUND) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED,
			    "Babeltrace's plugin \"ctf\" is needed to read %s, but was not found; "
			    "install it or set BABELTRACE_PLUGIN_PATH.",
			    directory);
		return NULL;
	}
	if (found == BT_PLUGIN_FIND_STATUS_OK) {
		klass = bt_plugin_borrow_source_component_class_by_name_const(plugin, "fs");
		ok = klass && graph_build(graph, klass);
	}
	if (!ok)
		fail(directory, error);
	bt_plugin_put_ref(plugin);
	return ok ? g_steal_pointer(&graph) : NULL;
}

void wp_bt2_graph_free(WpBt2Graph *graph)
{
	if (!graph)
		return;
	bt_graph_put_ref(graph->graph);
	g_free(graph->iterators);
	g_free(graph->ports);
	for (guint i = 0; graph->failures && i < graph->n_ports; i++)
		g_free(graph->failures[i]);
	g_free(graph->failures);
	g_free(graph->directory);
	g_free(graph);
}

guint wp_bt2_graph_n_ports(const WpBt2Graph *graph)
{
	return graph->n_ports;
}

const WpBt2Port *wp_bt2_graph_get_port(const WpBt2Graph *graph, guint port)
{
	return &graph->ports[port];
}

gboolean wp_bt2_graph_pull(WpBt2Graph *graph, guint port, bt_message_array_const *ret_messages,
			   guint64 *ret_n, GError **error)
{
	graph->wanted = port;
	graph->n_messages = 0;
	if (!graph->failures[port] && bt_graph_run_once(graph->graph) < 0)
		return fail(graph->directory, error);
	/* What came before it failed is given first. */
	if (graph->failures[port] && graph->n_messages == 0) {
		g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "Babeltrace can't read %s: %s.",
			    graph->directory, graph->failures[port]);
		return FALSE;
	}
	*ret_messages = graph->messages;
	*ret_n = graph->n_messages;
	return TRUE;
}
