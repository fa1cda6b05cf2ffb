/* SPDX-License-Identifier: MIT */
/*
 * ctf.c: source.waitpath.ctf: our own reader of CTF as a source, one port a stream.
 *
 * What our reader reads of a cut or flawed trace, where others give it up, goes on into the
 * pipeline. Traces are opened and indexed when the component is made; iterators only read.
 */
#include "config.h"

#include "base/error.h"
#include "plugins/common/cause.h"
#include "plugins/common/params.h"
#include "plugins/ctf/ctf-told.h"
#include "plugins/ctf/ctf.h"
#include "plugins/ctf/packets.h"
#include "session/discover.h"

typedef struct {
	GPtrArray *inputs; /* owned: owned gchar * */
	WpCtfClockOptions clock;
} Options;

static const WpParam params_table[] = {
	{"inputs", WP_PARAM_STRINGS, TRUE, G_STRUCT_OFFSET(Options, inputs), NULL},
	{"clock-class-offset-ns", WP_PARAM_INTEGER, FALSE,
	 G_STRUCT_OFFSET(Options, clock.offset_ns), NULL},
	{"clock-class-offset-s", WP_PARAM_INTEGER, FALSE, G_STRUCT_OFFSET(Options, clock.offset_s),
	 NULL},
	{"force-clock-class-origin-unix-epoch", WP_PARAM_BOOLEAN, FALSE,
	 G_STRUCT_OFFSET(Options, clock.force_epoch), NULL},
};

/* Where an output port leads. */
typedef struct {
	WpCtfTraceIr *trace; /* borrowed from the source */
	guint stream; /* of its index */
} Port;

typedef struct {
	GPtrArray *traces; /* owned: WpCtfTraceIr * (owned) */
	GPtrArray *ports; /* owned: Port * (owned) */
} Source;

typedef struct {
	bt_self_component *component; /* weak */
	WpCtfTraceIr *trace; /* borrowed from the source */
	WpCtfPackets *packets; /* owned */
	gboolean ended, told;
} Iterator;

static void trace_free(gpointer data)
{
	wp_ctf_trace_ir_free(data);
}

static void source_free(Source *source)
{
	g_ptr_array_unref(source->ports);
	g_ptr_array_unref(source->traces);
	g_free(source);
}

/* Of a saved graph or a trace.dat there is nothing for this source. */
static gboolean is_directory(const WpSource *found, GError **error)
{
	if (!found->saved && g_file_test(found->path, G_FILE_TEST_IS_DIR))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE, "%s is no directory with a CTF trace.",
		    found->path);
	return FALSE;
}

static gboolean open_traces(Source *source, bt_self_component *component, const Options *options,
			    GError **error)
{
	g_autoptr(WpFindings) findings = wp_findings_new();
	g_autoptr(GPtrArray) found = NULL;

	if (!options->inputs->len) {
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE,
				    "The parameter 'inputs' names no directory.");
		return FALSE;
	}
	found = wp_sources_find(options->inputs, findings, error);
	for (guint i = 0; found && i < found->len; i++) {
		const WpSource *one = found->pdata[i];
		/* streams are called by their files, wherever the program runs */
		g_autofree gchar *path = g_canonicalize_filename(one->path, NULL);
		WpCtfTraceIr *trace = is_directory(one, error)
					      ? wp_ctf_trace_ir_new(component, path,
								    &options->clock, findings,
								    error)
					      : NULL;

		if (!trace)
			return FALSE;
		g_ptr_array_add(source->traces, trace);
	}
	if (found)
		wp_log_findings(component, findings, 0);
	return found != NULL;
}

static gboolean add_port(Source *source, bt_self_component_source *self, WpCtfTraceIr *trace,
			 guint stream)
{
	g_autofree gchar *name = g_strdup_printf(
		"%s | %u", bt_stream_get_name(trace->streams->pdata[stream]), stream);
	Port *port = g_new0(Port, 1);

	port->trace = trace;
	port->stream = stream;
	g_ptr_array_add(source->ports, port);
	return bt_self_component_source_add_output_port(self, name, port, NULL) ==
	       BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
}

static gboolean add_ports(Source *source, bt_self_component_source *self, GError **error)
{
	for (guint i = 0; i < source->traces->len; i++) {
		WpCtfTraceIr *trace = source->traces->pdata[i];

		for (guint s = 0; s < trace->streams->len; s++)
			if (!add_port(source, self, trace, s)) {
				g_set_error_literal(error, WP_ERROR, WP_ERROR_FAILED,
						    "Can't add an output port.");
				return FALSE;
			}
	}
	return TRUE;
}

bt_component_class_initialize_method_status
wp_ctf_init(bt_self_component_source *self, bt_self_component_source_configuration *config,
	    const bt_value *params, void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	Source *source = g_new0(Source, 1);
	Options options = {0};
	GError *error = NULL;
	gboolean ok;

	(void)config;
	(void)data;
	source->traces = g_ptr_array_new_with_free_func(trace_free);
	source->ports = g_ptr_array_new_with_free_func(g_free);
	ok = wp_params_read(params, params_table, G_N_ELEMENTS(params_table), &options, &error) &&
	     open_traces(source, component, &options, &error) && add_ports(source, self, &error);
	wp_params_clear(params_table, G_N_ELEMENTS(params_table), &options);
	if (!ok) {
		wp_cause_from_component(component, error);
		source_free(source);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(component, source);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_ctf_finalize(bt_self_component_source *self)
{
	source_free(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}

bt_message_iterator_class_initialize_method_status
wp_ctf_iterator_init(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
		     bt_self_component_port_output *self_port)
{
	const Port *port = bt_self_component_port_get_data(
		bt_self_component_port_output_as_self_component_port(self_port));
	Iterator *it = g_new0(Iterator, 1);

	(void)config;
	it->component = bt_self_message_iterator_borrow_component(self);
	it->trace = port->trace;
	it->packets = wp_ctf_packets_new(port->trace, port->stream, self);
	bt_self_message_iterator_set_data(self, it);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void wp_ctf_iterator_finalize(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	wp_ctf_packets_free(it->packets);
	g_free(it);
}

bt_message_iterator_class_next_method_status wp_ctf_iterator_next(bt_self_message_iterator *self,
								  bt_message_array_const messages,
								  uint64_t capacity,
								  uint64_t *count)
{
	Iterator *it = bt_self_message_iterator_get_data(self);
	gboolean no_memory = FALSE, stopped;
	GError *error = NULL;
	guint64 n = 0;

	if (!wp_ctf_tell(it->trace, self, &stopped, &error)) {
		wp_cause_from_iterator(self, error);
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	if (stopped)
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
	while (n < capacity && !it->ended) {
		messages[n] = wp_ctf_packets_next(it->packets, &no_memory);
		if (messages[n])
			n++;
		else if (no_memory)
			break;
		else
			it->ended = TRUE;
	}
	if (no_memory) {
		while (n)
			bt_message_put_ref(messages[--n]);
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR;
	}
	if (it->ended && !it->told)
		wp_log_findings(it->component, wp_ctf_packets_get_findings(it->packets), 0);
	it->told = it->told || it->ended;
	*count = n;
	return n ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
		 : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

bt_message_iterator_class_seek_beginning_method_status
wp_ctf_iterator_seek_beginning(bt_self_message_iterator *self)
{
	Iterator *it = bt_self_message_iterator_get_data(self);

	wp_ctf_packets_rewind(it->packets);
	it->ended = FALSE;
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}
