/* SPDX-License-Identifier: MIT */
/*
 * export-flame.c: the path as a flame graph, a picture without scripts: below each task those
 * that it waited for, at the end the states; the width is time. Tasks of one name on one host are
 * put together, as everywhere in flame graphs.
 */
#include "config.h"

#include "export/exporter-private.h"
#include "export/flame-private.h"
#include "export/units.h"

static WpFlameBox *stack_up(const WpExportJob *job)
{
	const WpPath *path = job->path;
	g_autoptr(WpChains) chains = wp_chains_new(job->path);
	WpFlameBox *root = wp_flame_new();

	for (guint i = 0; i < path->segments.n; i++) {
		const WpSegment *s = wp_path_segment(path, i);
		WpTaskRef tasks[WP_CHAIN_MAX];
		guint n = wp_chains_get(chains, i, tasks);
		WpFlameBox *box = root;

		for (guint j = 0; j < n; j++) {
			WpActor actor;

			wp_actor_init(&actor, job->graph, tasks[j].host, tasks[j].task,
				      WP_TIME_MAX);

			g_autofree gchar *name = wp_actor_dup_text(&actor, job->graph);

			box = wp_flame_child(box, name, WP_STATE_N);
			box->time[0] += s->end - s->begin;
		}
		wp_flame_child(box, wp_state_key(s->state), s->state)->time[0] += s->end - s->begin;
	}
	wp_flame_measure(root);
	return root;
}

/* A state's own; for a task a pale one that is always the same for its name. */
static void choose_colour(const WpFlameBox *box, gchar buffer[8])
{
	/* Scattered: names that differ by their last digit are to differ in colour. */
	guint32 hash = g_str_hash(box->name) * 2654435761u;

	if (box->state < WP_STATE_N)
		g_strlcpy(buffer, wp_state_colour(box->state, FALSE), 8);
	else
		g_snprintf(buffer, 8, "#%02x%02x%02x", 200 + (hash >> 24) % 50,
			   190 + (hash >> 16) % 60, 150 + (hash >> 8) % 60);
}

static gchar *dup_words(const WpFlameBox *box)
{
	WpText time;

	return g_strdup_printf("%s %s", box->name, wp_duration_text(&time, box->time[0]));
}

static gchar *dup_tooltip(const WpFlameBox *box, const WpFlameBox *root)
{
	WpText time, share;

	return g_strdup_printf("%s: %s, %s", box->name, wp_duration_text(&time, box->time[0]),
			       wp_share_text(&share, box->time[0], root->width));
}

void wp_flame_write(WpOut *out, const WpExportJob *job)
{
	static const WpFlameLook look = {choose_colour, dup_words, dup_tooltip};
	g_autoptr(WpFlameBox) root = stack_up(job);
	g_autofree gchar *task = wp_export_dup_title(job);
	guint levels = wp_flame_levels(root);
	guint height = (levels + 4) * WP_SVG_ROW + 2 * WP_SVG_MARGIN;
	WpText time;
	g_autofree gchar *title = g_strdup_printf("critical path of %s, %s", task,
						  wp_duration_text(&time, root->width));
	WpXml *xml = wp_svg_new(out, height, title);
	guint32 states = wp_flame_draw(xml, root, &look);

	wp_svg_legend(xml, WP_SVG_MARGIN + (levels + 2.0) * WP_SVG_ROW, states);
	wp_svg_free(xml);
}
