/* SPDX-License-Identifier: MIT */
/* flame.c: see flame-private.h. */
#include "config.h"

#include <string.h>

#include "export/flame-private.h"

#define WIDTH_MIN 0.3 /* pixels: narrower boxes are left out */

void wp_flame_free(WpFlameBox *box)
{
	if (!box)
		return;
	g_free(box->name);
	if (box->children)
		g_hash_table_destroy(box->children);
	g_free(box);
}

static void free_child(gpointer data)
{
	wp_flame_free(data);
}

WpFlameBox *wp_flame_new(void)
{
	WpFlameBox *root = g_new0(WpFlameBox, 1);

	root->state = WP_STATE_N;
	return root;
}

WpFlameBox *wp_flame_child(WpFlameBox *box, const gchar *name, WpState state)
{
	WpFlameBox *child;

	if (!box->children)
		box->children = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_child);
	child = g_hash_table_lookup(box->children, name);
	if (!child) {
		child = g_new0(WpFlameBox, 1);
		child->name = g_strdup(name);
		child->state = state;
		g_hash_table_insert(box->children, child->name, child);
	}
	return child;
}

void wp_flame_measure(WpFlameBox *box)
{
	GHashTableIter iter;
	gpointer child;

	if (!box->children) {
		box->width = MAX(box->time[0], box->time[1]);
		return;
	}
	g_hash_table_iter_init(&iter, box->children);
	while (g_hash_table_iter_next(&iter, NULL, &child)) {
		wp_flame_measure(child);
		box->width += ((WpFlameBox *)child)->width;
	}
}

guint wp_flame_levels(const WpFlameBox *box)
{
	GHashTableIter iter;
	gpointer child;
	guint most = 0;

	if (!box->children)
		return 0;
	g_hash_table_iter_init(&iter, box->children);
	while (g_hash_table_iter_next(&iter, NULL, &child))
		most = MAX(most, wp_flame_levels(child) + 1);
	return most;
}

/* The longest first; of equals the first by name. */
static gint compare_boxes(gconstpointer a, gconstpointer b)
{
	const WpFlameBox *x = *(const WpFlameBox *const *)a, *y = *(const WpFlameBox *const *)b;

	if (x->width != y->width)
		return x->width > y->width ? -1 : 1;
	return strcmp(x->name, y->name);
}

typedef struct {
	WpXml *xml; /* borrowed */
	const WpFlameBox *root; /* borrowed */
	const WpFlameLook *look; /* borrowed */
	guint32 states; /* that occur */
} Picture;

static void draw_children(Picture *picture, const WpFlameBox *box, gdouble x, guint level)
{
	const gdouble scale = (WP_SVG_WIDTH - 2.0 * WP_SVG_MARGIN) / (gdouble)picture->root->width;
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
		const WpFlameBox *child = sorted->pdata[i];
		gdouble width = (gdouble)child->width * scale;
		g_autofree gchar *words = picture->look->words(child);
		g_autofree gchar *tooltip = picture->look->tooltip(child, picture->root);
		gchar colour[8];

		if (width < WIDTH_MIN)
			break;
		if (child->state < WP_STATE_N)
			picture->states |= 1u << child->state;
		picture->look->colour(child, colour);
		wp_svg_box(picture->xml, x, WP_SVG_MARGIN + (level + 1.5) * WP_SVG_ROW,
			   MAX(width - 0.5, WIDTH_MIN), WP_SVG_ROW - 1, colour, words, tooltip);
		draw_children(picture, child, x, level + 1);
		x += width;
	}
}

guint32 wp_flame_draw(WpXml *xml, const WpFlameBox *root, const WpFlameLook *look)
{
	Picture picture = {.xml = xml, .root = root, .look = look};

	if (root->width > 0)
		draw_children(&picture, root, WP_SVG_MARGIN, 0);
	return picture.states;
}
