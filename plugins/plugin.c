/* SPDX-License-Identifier: MIT */
/* plugin.c: the Babeltrace 2 plugin: what it is and which component classes it has. */
#include "config.h"

#include <babeltrace2/babeltrace.h>

#include "plugins/critical-path/critical-path.h"
#include "plugins/ctf/ctf.h"
#include "plugins/summary/summary.h"
#include "plugins/sync/sync.h"
#include "plugins/trace-dat/trace-dat.h"

/*
 * Babeltrace finds a plugin by the functions that this macro defines, which in its version
 * 2.0 carry no export attribute: built with hidden visibility, the plugin would load and
 * show nothing.
 */
#pragma GCC visibility push(default)
BT_PLUGIN_MODULE();
#pragma GCC visibility pop

BT_PLUGIN(waitpath);
BT_PLUGIN_DESCRIPTION("Critical paths and clock synchronisation from kernel traces");
BT_PLUGIN_AUTHOR("The waitpath project");
BT_PLUGIN_LICENSE("MIT");
BT_PLUGIN_VERSION(0, 1, 0, NULL);

BT_PLUGIN_SOURCE_COMPONENT_CLASS(ctf, wp_ctf_iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(ctf,
					     "Read CTF 1.8 traces, cut and flawed ones too, fast");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(ctf,
				      "See the babeltrace2-source.waitpath.ctf(7) manual page.");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(ctf, wp_ctf_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(ctf, wp_ctf_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(ctf,
									  wp_ctf_iterator_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(ctf,
									wp_ctf_iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	ctf, wp_ctf_iterator_seek_beginning, NULL);

BT_PLUGIN_SOURCE_COMPONENT_CLASS_WITH_ID(auto, trace_dat, "trace-dat", wp_trace_dat_iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION_WITH_ID(auto, trace_dat,
						     "Read a file of trace-cmd (trace.dat)");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP_WITH_ID(
	auto, trace_dat, "See the babeltrace2-source.waitpath.trace-dat(7) manual page.");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(auto, trace_dat, wp_trace_dat_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(auto, trace_dat, wp_trace_dat_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD_WITH_ID(auto, trace_dat, wp_trace_dat_query);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
	auto, trace_dat, wp_trace_dat_iterator_init);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
	auto, trace_dat, wp_trace_dat_iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS_WITH_ID(
	auto, trace_dat, wp_trace_dat_iterator_seek_beginning, NULL);

BT_PLUGIN_FILTER_COMPONENT_CLASS(sync, wp_sync_filter_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION(
	sync, "Correct the clocks of several hosts and merge their messages");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP(sync,
				      "See the babeltrace2-filter.waitpath.sync(7) manual page.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD(sync, wp_sync_filter_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD(sync, wp_sync_filter_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_QUERY_METHOD(sync, wp_sync_filter_query);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD(sync,
							     wp_sync_filter_input_port_connected);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
	sync, wp_sync_filter_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
	sync, wp_sync_filter_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
	sync, wp_sync_filter_iterator_seek_beginning, wp_sync_filter_iterator_can_seek_beginning);

BT_PLUGIN_SINK_COMPONENT_CLASS(summary, wp_summary_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(summary, "Report the critical path of a task");
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(summary,
				    "See the babeltrace2-sink.waitpath.summary(7) manual page.");
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(summary, wp_summary_init);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(summary, wp_summary_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD(summary,
							   wp_summary_input_port_connected);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(summary, wp_summary_graph_is_configured);

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(auto, critical_path, "critical-path",
					 wp_critical_path_iterator_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(
	auto, critical_path, "Find the critical path of a task, or the events on it");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(
	auto, critical_path, "See the babeltrace2-filter.waitpath.critical-path(7) manual page.");
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(auto, critical_path,
							   wp_critical_path_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(auto, critical_path,
							 wp_critical_path_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INPUT_PORT_CONNECTED_METHOD_WITH_ID(
	auto, critical_path, wp_critical_path_input_port_connected);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
	auto, critical_path, wp_critical_path_iterator_init);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
	auto, critical_path, wp_critical_path_iterator_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS_WITH_ID(
	auto, critical_path, wp_critical_path_iterator_seek_beginning,
	wp_critical_path_iterator_can_seek_beginning);
