/* SPDX-License-Identifier: MIT */
/*
 * export-graphml.c: the execution graph in the window as GraphML: a node for each stretch of a
 * task in one state, edges from each to the task's next, and from who acted to what that ended.
 */
#include "config.h"

#include "export/exporter-private.h"
#include "export/xml-private.h"

typedef struct {
	const WpOut *out; /* borrowed: where xml writes */
	WpXml *xml; /* borrowed */
	const WpExportJob *job; /* borrowed */
	gint64 last; /* node of the same task before, -1: none */
	guint32 host; /* of the task at hand */
	GArray *edges; /* owned: Edge: hand-overs, put behind all nodes */
} GraphMl;

typedef struct {
	guint32 from_host, to_host;
	WpId from_vertex, to_vertex;
	WpTime time;
	gboolean packet;
} Edge;

static void put_key(WpXml *xml, const gchar *id, const gchar *of, const gchar *type)
{
	wp_xml_begin(xml, "key");
	wp_xml_attribute(xml, "id", "%s", id);
	wp_xml_attribute(xml, "for", "%s", of);
	wp_xml_attribute(xml, "attr.name", "%s", id);
	wp_xml_attribute(xml, "attr.type", "%s", type);
	wp_xml_end(xml);
}

static void put_keys(WpXml *xml)
{
	put_key(xml, "host", "node", "string");
	put_key(xml, "tid", "node", "int");
	put_key(xml, "comm", "node", "string");
	put_key(xml, "state", "node", "string");
	put_key(xml, "begin", "node", "long");
	put_key(xml, "end", "node", "long");
	put_key(xml, "kind", "edge", "string");
	put_key(xml, "time", "edge", "long");
}

static void put_data(WpXml *xml, const gchar *key, const gchar *text)
{
	wp_xml_begin(xml, "data");
	wp_xml_attribute(xml, "key", "%s", key);
	wp_xml_text(xml, text);
	wp_xml_end(xml);
}

static void put_long(WpXml *xml, const gchar *key, gint64 value)
{
	gchar text[24];

	g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, value);
	put_data(xml, key, text);
}

static void put_edge(WpXml *xml, guint32 from_host, WpId from, guint32 to_host, WpId to,
		     const gchar *kind, WpTime time)
{
	wp_xml_begin(xml, "edge");
	wp_xml_attribute(xml, "source", "n%u.%u", from_host, from);
	wp_xml_attribute(xml, "target", "n%u.%u", to_host, to);
	put_data(xml, "kind", kind);
	put_long(xml, "time", time);
	wp_xml_end(xml);
}

/* The vertex of a task that holds a time. */
static WpId vertex_at(const WpExportJob *job, guint32 host, WpId task, WpTime time)
{
	WpHost *h = job->graph->hosts[host];
	const WpId *vertices;
	guint32 n = wp_host_task_vertices(h, task, &vertices);
	gint64 at = wp_host_task_find(h, task,
				      wp_clock_map_invert(job->graph->joins[host].map, time));

	return n > 0 ? vertices[MAX(at, 0)] : WP_NONE;
}

static void on_task(gpointer data, guint32 host, G_GNUC_UNUSED WpId task)
{
	GraphMl *graphml = data;

	graphml->last = -1;
	graphml->host = host;
}

static void on_slice(gpointer data, const WpSlice *slice)
{
	GraphMl *graphml = data;
	WpXml *xml = graphml->xml;
	WpActor actor;

	wp_actor_init(&actor, graphml->job->graph, slice->host, slice->task, slice->begin);
	wp_xml_begin(xml, "node");
	wp_xml_attribute(xml, "id", "n%u.%u", slice->host, slice->vertex);
	put_data(xml, "host", actor.host_name);
	put_long(xml, "tid", actor.tid);
	put_data(xml, "comm", actor.comm);
	put_data(xml, "state", wp_state_key(slice->state));
	put_long(xml, "begin", slice->begin);
	put_long(xml, "end", slice->end);
	wp_xml_end(xml);
	if (graphml->last >= 0)
		put_edge(xml, slice->host, (WpId)graphml->last, slice->host, slice->vertex, "next",
			 slice->begin);
	graphml->last = slice->vertex;
	if (slice->by.host == WP_NONE)
		return;

	Edge edge = {slice->by.host,
		     slice->host,
		     vertex_at(graphml->job, slice->by.host, slice->by.task, slice->by.time),
		     slice->vertex,
		     slice->by.time,
		     slice->by.packet};

	g_array_append_val(graphml->edges, edge);
}

static gboolean is_over(gpointer data)
{
	return wp_out_is_failed(((const GraphMl *)data)->out);
}

void wp_graphml_write(WpOut *out, const WpExportJob *job)
{
	static const WpWalkFuncs funcs = {.task = on_task, .slice = on_slice, .is_over = is_over};
	WpXml *xml = wp_xml_new(out);
	GraphMl graphml = {.out = out, .xml = xml, .job = job, .last = -1};

	graphml.edges = g_array_new(FALSE, FALSE, sizeof(Edge));
	wp_xml_begin(xml, "graphml");
	wp_xml_attribute(xml, "xmlns", "http://graphml.graphdrawing.org/xmlns");
	put_keys(xml);
	wp_xml_begin(xml, "graph");
	wp_xml_attribute(xml, "id", "execution");
	wp_xml_attribute(xml, "edgedefault", "directed");
	wp_walk(job->graph, job->path, job->all, &funcs, &graphml);
	for (guint i = 0; i < graphml.edges->len && !is_over(&graphml); i++) {
		const Edge *e = &g_array_index(graphml.edges, Edge, i);

		put_edge(xml, e->from_host, e->from_vertex, e->to_host, e->to_vertex,
			 e->packet ? "packet" : "wake-up", e->time);
	}
	wp_xml_end(xml);
	wp_xml_end(xml);
	wp_xml_free(xml);
	g_array_unref(graphml.edges);
}
