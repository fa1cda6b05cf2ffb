/* SPDX-License-Identifier: MIT */
/*
 * fuzz-plugin.c: any bytes as what the sources of the Babeltrace plugin read: all fields of a
 * CTF trace (as in fuzz-trace.c: metadata, and behind it a stream), or of a file of trace-cmd.
 * Once through graphs of a source and sinks, and once with filter.waitpath.sync between, which
 * copies every message and field.
 *
 * The component classes are made here, of the methods in the plugin's library, so that nothing
 * is loaded.
 */
#include "config.h"

#include <string.h>

#include <babeltrace2/babeltrace.h>
#include <glib/gstdio.h>

#include "ftrace/trace-dat.h"
#include "fuzz.h"
#include "plugins/ctf/ctf.h"
#include "plugins/sync/sync.h"
#include "plugins/trace-dat/trace-dat.h"

#define MESSAGES_MAX 100000u

typedef struct {
	bt_component_class_source *ctf, *trace_dat; /* owned for the life of the program */
	bt_component_class_filter *sync; /* likewise */
} Classes;

/* A sink, and what it reads. */
typedef struct {
	bt_message_iterator *iterator; /* reference */
	guint n; /* messages */
} Sink;

/* ---- classes ---- */

static bt_message_iterator_class *iterator_class(bt_message_iterator_class_next_method next,
						 bt_message_iterator_class_initialize_method init,
						 bt_message_iterator_class_finalize_method finalize)
{
	bt_message_iterator_class *class = bt_message_iterator_class_create(next);

	g_assert_nonnull(class);
	bt_message_iterator_class_set_initialize_method(class, init);
	bt_message_iterator_class_set_finalize_method(class, finalize);
	return class;
}

static void make_classes(Classes *classes)
{
	bt_message_iterator_class *of_ctf = iterator_class(
		wp_ctf_iterator_next, wp_ctf_iterator_init, wp_ctf_iterator_finalize);
	bt_message_iterator_class *of_dat = iterator_class(wp_trace_dat_iterator_next,
							   wp_trace_dat_iterator_init,
							   wp_trace_dat_iterator_finalize);
	bt_message_iterator_class *of_sync = iterator_class(wp_sync_filter_iterator_next,
							    wp_sync_filter_iterator_init,
							    wp_sync_filter_iterator_finalize);

	/* The filter reads twice. */
	bt_message_iterator_class_set_seek_beginning_methods(of_ctf, wp_ctf_iterator_seek_beginning,
							     NULL);
	bt_message_iterator_class_set_seek_beginning_methods(
		of_dat, wp_trace_dat_iterator_seek_beginning, NULL);
	bt_message_iterator_class_set_seek_beginning_methods(
		of_sync, wp_sync_filter_iterator_seek_beginning,
		wp_sync_filter_iterator_can_seek_beginning);
	classes->ctf = bt_component_class_source_create("ctf", of_ctf);
	classes->trace_dat = bt_component_class_source_create("trace-dat", of_dat);
	classes->sync = bt_component_class_filter_create("sync", of_sync);
	bt_component_class_source_set_initialize_method(classes->ctf, wp_ctf_init);
	bt_component_class_source_set_finalize_method(classes->ctf, wp_ctf_finalize);
	bt_component_class_source_set_initialize_method(classes->trace_dat, wp_trace_dat_init);
	bt_component_class_source_set_finalize_method(classes->trace_dat, wp_trace_dat_finalize);
	bt_component_class_filter_set_initialize_method(classes->sync, wp_sync_filter_init);
	bt_component_class_filter_set_finalize_method(classes->sync, wp_sync_filter_finalize);
	bt_component_class_filter_set_input_port_connected_method(
		classes->sync, wp_sync_filter_input_port_connected);
	bt_message_iterator_class_put_ref(of_ctf);
	bt_message_iterator_class_put_ref(of_dat);
	bt_message_iterator_class_put_ref(of_sync);
}

/* ---- sinks ---- */

static bt_graph_simple_sink_component_initialize_func_status
sink_init(bt_message_iterator *iterator, void *data)
{
	Sink *sink = data;

	sink->iterator = iterator;
	bt_message_iterator_get_ref(iterator);
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

static bt_graph_simple_sink_component_consume_func_status
sink_consume(bt_message_iterator *iterator, void *data)
{
	bt_message_array_const messages;
	bt_message_iterator_next_status status;
	Sink *sink = data;
	uint64_t n;

	status = bt_message_iterator_next(iterator, &messages, &n);
	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (uint64_t i = 0; i < n; i++)
		bt_message_put_ref(messages[i]);
	sink->n += (guint)n;
	return sink->n < MESSAGES_MAX ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK
				      : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
}

static void sink_finalize(void *data)
{
	Sink *sink = data;

	bt_message_iterator_put_ref(sink->iterator);
	g_free(sink);
}

static gboolean add_sink(bt_graph *graph, const bt_port_output *from, guint number)
{
	g_autofree gchar *name = g_strdup_printf("sink%u", number);
	const bt_component_sink *sink;

	return bt_graph_add_simple_sink_component(graph, name, sink_init, sink_consume,
						  sink_finalize, g_new0(Sink, 1),
						  &sink) == BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
	       bt_graph_connect_ports(graph, from,
				      bt_component_sink_borrow_input_port_by_index_const(sink, 0),
				      NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

/* ---- graphs ---- */

static bt_value *make_params(const gchar *input)
{
	bt_value *params = bt_value_map_create(), *inputs = NULL;

	bt_value_map_insert_empty_array_entry(params, "inputs", &inputs);
	bt_value_array_append_string_element(inputs, input);
	return params;
}

/* All output ports of the source to the filter, and that to a sink; or each to a sink. */
static gboolean connect_all(bt_graph *graph, const bt_component_source *source,
			    const bt_component_filter *sync)
{
	const uint64_t n = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < n; i++) {
		const bt_port_output *from = bt_component_source_borrow_output_port_by_index_const(
			source, i);

		if (!sync && !add_sink(graph, from, (guint)i))
			return FALSE;
		if (sync && bt_graph_connect_ports(
				    graph, from,
				    bt_component_filter_borrow_input_port_by_index_const(sync, i),
				    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return FALSE;
	}
	return n &&
	       (!sync ||
		add_sink(graph, bt_component_filter_borrow_output_port_by_index_const(sync, 0), 0));
}

static void run(const Classes *classes, const bt_component_class_source *class, const gchar *input,
		gboolean synced)
{
	bt_graph *graph = bt_graph_create(0);
	bt_value *params = make_params(input);
	const bt_component_source *source;
	const bt_component_filter *sync = NULL;
	bt_graph_run_status status = BT_GRAPH_RUN_STATUS_AGAIN;

	if (bt_graph_add_source_component(graph, class, "source", params, BT_LOGGING_LEVEL_NONE,
					  &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
	    (!synced || bt_graph_add_filter_component(graph, classes->sync, "sync", NULL,
						      BT_LOGGING_LEVEL_NONE,
						      &sync) == BT_GRAPH_ADD_COMPONENT_STATUS_OK) &&
	    connect_all(graph, source, sync))
		while (status == BT_GRAPH_RUN_STATUS_AGAIN)
			status = bt_graph_run(graph);
	bt_graph_put_ref(graph);
	bt_value_put_ref(params);
	/* Whatever fails has to say why; that is not asked for. */
	bt_current_thread_clear_error();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Classes classes;
	const gchar *file = wp_fuzz_write("trace.dat", data, size);
	g_autofree gchar *folder = g_build_filename(wp_fuzz_directory(), "ctf", NULL);
	const gboolean is_dat = wp_trace_dat_probe(file);
	const bt_component_class_source *class;

	if (!classes.ctf)
		make_classes(&classes);
	class = is_dat ? classes.trace_dat : classes.ctf;
	if (!is_dat) {
		const size_t stream = wp_fuzz_find_stream(data, size);

		g_mkdir(folder, 0700);
		wp_fuzz_write("ctf/metadata", data, stream);
		wp_fuzz_write("ctf/channel0_0", data + stream, size - stream);
	}
	for (guint synced = 0; synced < 2; synced++)
		run(&classes, class, is_dat ? file : folder, synced);
	return 0;
}
