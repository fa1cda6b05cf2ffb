/* SPDX-License-Identifier: MIT */
/*
 * export-flame.c: the path as a flame graph, a picture without scripts: below each task those
 * that it waited for, at the end the states; the width is time. Tasks of one name on one host are
 * put together, as everywhere in flame graphs.
 */
#include "config.h"

#include <string.h>

#include "export/exporter-private.h"
#include "export/svg-private.h"
#include "export/units.h"

#define WIDTH_MIN 0.3 /* pixels: narrower boxes are left out */

typedef struct Box Box;

struct Box {
	gchar *name; /* owned */
	WpState state; /* WP_STATE_N: a task */
	WpTime time;
	GHashTable *children; /* owned: name (of the child) to owned Box; NULL: none */
};

static void box_free(gpointer data)
{
	Box *box = data;

	g_free(box->name);
	if (box->children)
		g_hash_table_destroy(box->children);
	g_free(box);
}

static Box *child_of(Box *box, const gchar *name, WpState state)
{
	Box *child;

	if (!box->children)
		box->children = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, box_free);
	child = g_hash_table_lookup(box->children, name);
	if (!child) {
		child = g_new0(Box, 1);
		child->name = g_strdup(name);
		child->state = state;
		g_hash_table_insert(box->children, child->name, child);
	}
	return child;
}

/* A box for nobody whose child is the path's own task. */
static Box *stack_up(const WpExportJob *job)
{
	const GArray *segments = job->path->segments;
	g_autoptr(WpChains) chains = wp_chains_new(job->path);
	Box *root = g_new0(Box, 1);

	root->state = WP_STATE_N;
	for (guint i = 0; i < segments->len; i++) {
		const WpSegment *s = &g_array_index(segments, WpSegment, i);
		WpTaskRef tasks[WP_CHAIN_MAX];
		guint n = wp_chains_get(chains, i, tasks);
		Box *box = root;

		for (guint j = 0; j < n; j++) {
			WpActor actor;

			wp_actor_init(&actor, job->graph, tasks[j].host, tasks[j].task,
				      WP_TIME_MAX);

			g_autofree gchar *name = wp_actor_dup_text(&actor, job->graph);

			box = child_of(box, name, WP_STATE_N);
			box->time += s->end - s->begin;
		}
		child_of(box, wp_state_key(s->state), s->state)->time += s->end - s->begin;
	}
	root->time = job->path->end - job->path->begin;
	return root;
}

static guint levels_of(const Box *box)
{
	GHashTableIter iter;
	gpointer child;
	guint most = 0;

	if (!box->children)
		return 0;
	g_hash_table_iter_init(&iter, box->children);
	while (g_hash_table_iter_next(&iter, NULL, &child))
		most = MAX(most, levels_of(child) + 1);
	return most;
}

/* The longest first; of equals the first by name. */
static gint compare_boxes(gconstpointer a, gconstpointer b)
{
	const Box *x = *(const Box *const *)a, *y = *(const Box *const *)b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* A pale colour that is always the same for a name. */
static const gchar *task_colour(const gchar *name, gchar buffer[8])
{
	guint hash = g_str_hash(name);

	g_snprintf(buffer, 8, "#%02x%02x%02x", 200 + hash % 50, 190 + hash / 50 % 60,
		   150 + hash / 3000 % 60);
	return buffer;
}

typedef struct {
	WpXml *xml; /* borrowed */
	WpTime whole;
	guint32 states; /* that occur */
} Picture;

static void draw(Picture *picture, const Box *box, gdouble x, guint level)
{
	const gdouble scale = (WP_SVG_WIDTH - 2.0 * WP_SVG_MARGIN) / (gdouble)picture->whole;
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();
	GHashTableIter iter;
	gpointer found;

	if (!box->children)
		return;
	g_hash_table_iter_init(&iter, box->children);
	while (g_hash_table_iter_next(&iter, NULL, &found))
		g_ptr_array_add(sorted, found);
	g_ptr_array_sort(sorted, compare_boxes);
	for (guint i = 0; i < sorted->len; i++) {
		const Box *child = sorted->pdata[i];
		gdouble width = (gdouble)child->time * scale;
		gchar colour[8];
		WpText time, share;
		g_autofree gchar *tooltip = NULL;

		if (width < WIDTH_MIN)
			break;
		if (child->state < WP_STATE_N)
			picture->states |= 1u << child->state;
		tooltip = g_strdup_printf("%s: %s, %s", child->name,
					  wp_duration_text(&time, child->time),
					  wp_share_text(&share, child->time, picture->whole));
		wp_svg_box(picture->xml, x, WP_SVG_MARGIN + (level + 1.5) * WP_SVG_ROW,
			   MAX(width - 0.5, WIDTH_MIN), WP_SVG_ROW - 1,
			   child->state < WP_STATE_N ? wp_state_colour(child->state, FALSE)
						     : task_colour(child->name, colour),
			   child->name, tooltip);
		draw(picture, child, x, level + 1);
		x += width;
	}
}

void wp_flame_write(WpOut *out, const WpExportJob *job)
{
	Box *root = stack_up(job);
	g_autofree gchar *task = wp_export_dup_title(job);
	guint levels = levels_of(root);
	guint height = (levels + 4) * WP_SVG_ROW + 2 * WP_SVG_MARGIN;
	Picture picture = {.whole = root->time};
	WpText time;
	g_autofree gchar *title = g_strdup_printf("critical path of %s, %s", task,
						  wp_duration_text(&time, root->time));

	picture.xml = wp_svg_new(out, height, title);
	draw(&picture, root, WP_SVG_MARGIN, 0);
	wp_svg_legend(picture.xml, WP_SVG_MARGIN + (levels + 2.0) * WP_SVG_ROW, picture.states);
	wp_svg_free(picture.xml);
	box_free(root);
}
