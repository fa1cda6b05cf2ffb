/* SPDX-License-Identifier: MIT */
/*
 * format-svg.c: a comparison as a flame graph. A box is as wide as the longer of its two times,
 * so what has gone or is new shows too; red has more time on the second side, blue less, the
 * fuller the colour the more of the box is difference.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "export/flame-private.h"
#include "export/format-private.h"
#include "export/units.h"

/* The box of a stack's end; all on the way get its times. */
static void add_stack(WpFlameBox *root, const WpStack *stack)
{
	g_auto(GStrv) frames = g_strsplit(stack->stack, ";", -1);
	WpFlameBox *box = root;

	for (guint i = 0; frames[i]; i++) {
		WpState state = frames[i + 1] ? WP_STATE_N : wp_state_from_key(frames[i]);

		box = wp_flame_child(box, frames[i], state);
		for (guint side = 0; side < WP_STACKS_SIDES; side++)
			box->time[side] += stack->time[side];
	}
}

/* From blue (-1: all has gone) by pale grey (as before) to red (1: all is new). */
static void mix_colour(gdouble change, gchar buffer[8])
{
	static const gdouble less[] = {66, 112, 214}, same[] = {232, 232, 228},
			     more[] = {214, 64, 48};
	const gdouble *full = change < 0 ? less : more;
	/* Small changes show too. */
	gdouble part = sqrt(fabs(change));
	guint mixed[3];

	for (guint i = 0; i < 3; i++)
		mixed[i] = (guint)lround(same[i] + (full[i] - same[i]) * part);
	g_snprintf(buffer, 8, "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

static void choose_colour(const WpFlameBox *box, gchar buffer[8])
{
	WpTime difference = box->time[1] - box->time[0];

	mix_colour(box->width > 0 ? (gdouble)difference / (gdouble)box->width : 0, buffer);
}

static gchar *dup_words(const WpFlameBox *box)
{
	WpTime difference = box->time[1] - box->time[0];
	WpText text;

	return g_strdup_printf("%s %s%s", box->name,
			       difference < 0   ? "-"
			       : difference > 0 ? "+"
						: "",
			       wp_duration_text(&text, ABS(difference)));
}

static gchar *dup_tooltip(const WpFlameBox *box, G_GNUC_UNUSED const WpFlameBox *root)
{
	g_autofree gchar *words = dup_words(box);
	WpText a, b;

	return g_strdup_printf("%s: %s, then %s", words, wp_duration_text(&a, box->time[0]),
			       wp_duration_text(&b, box->time[1]));
}

static void draw_legend(WpXml *xml, gdouble y)
{
	static const struct {
		gdouble change;
		const gchar *words;
	} rows[] = {
		{-1, "has gone"}, {-0.25, "less"}, {0, "as before"}, {0.25, "more"}, {1, "is new"}};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		gdouble x = WP_SVG_MARGIN + i * 105.0;
		gchar colour[8];

		mix_colour(rows[i].change, colour);
		wp_svg_box(xml, x, y + 4, 12, 12, colour, NULL, NULL);
		wp_svg_words(xml, x + 16, y, rows[i].words);
	}
}

void wp_svg_write_compare(WpOut *out, const WpCompareReport *report,
			  G_GNUC_UNUSED const WpTextStyle *style)
{
	static const WpFlameLook look = {choose_colour, dup_words, dup_tooltip};
	g_autoptr(GArray) stacks = wp_stacks_list(report->stacks);
	g_autoptr(WpFlameBox) root = wp_flame_new();
	const WpComparison *comparison = report->comparison;
	g_autofree gchar *title = NULL;
	WpText a, b;
	guint levels;
	WpXml *xml;

	for (guint i = 0; i < stacks->len; i++)
		add_stack(root, &g_array_index(stacks, WpStack, i));
	wp_flame_measure(root);
	levels = wp_flame_levels(root);
	title = g_strdup_printf("%s: %s, then %s: %s", report->a,
				wp_duration_text(&a, comparison->a), report->b,
				wp_duration_text(&b, comparison->b));
	xml = wp_svg_new(out, (levels + 4) * WP_SVG_ROW + 2 * WP_SVG_MARGIN, title);
	wp_flame_draw(xml, root, &look);
	draw_legend(xml, WP_SVG_MARGIN + (levels + 2.0) * WP_SVG_ROW);
	wp_svg_free(xml);
}
