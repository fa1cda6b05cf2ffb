/* SPDX-License-Identifier: MIT */
/* wpv-style.c: the palettes, worked out to RGBA whenever one of the choices changes. */
#include "config.h"

#include "viewer/model/wpv-style.h"

struct _WpvStyle {
	GObject parent;
	WpvPalette palette;
	gboolean dark;
	guint generation;
	GdkRGBA own[WP_STATE_N];
	gboolean has_own[WP_STATE_N];
	GdkRGBA colours[WP_STATE_N], texts[WP_STATE_N]; /* worked out from all above */
};

G_DEFINE_FINAL_TYPE(WpvStyle, wpv_style, G_TYPE_OBJECT)

typedef struct {
	const gchar *light, *dark;
} Pair;

/*
 * Steps of lightness besides hues that stay apart for people who do not see red and
 * green as different. The standard palette is the table of states itself.
 */
static const Pair colour_blind[WP_STATE_N] = {
	[WP_STATE_RUNNING] = {"#009e73", "#2cc295"},   [WP_STATE_IRQ] = {"#a23b00", "#e0662a"},
	[WP_STATE_SOFTIRQ] = {"#e69f00", "#f2b63c"},   [WP_STATE_RUNNABLE] = {"#f0e442", "#f4ec74"},
	[WP_STATE_PREEMPTED] = {"#b3a100", "#c9b932"}, [WP_STATE_BLOCKED] = {"#8c8c8c", "#9c9c9c"},
	[WP_STATE_TIMER] = {"#8fc3ea", "#a9d4f5"},     [WP_STATE_DISK] = {"#cc79a7", "#dd9cc0"},
	[WP_STATE_NETWORK] = {"#0072b2", "#3d9fd8"},   [WP_STATE_INPUT] = {"#8a4a78", "#b276a1"},
	[WP_STATE_IPI] = {"#5e3c1f", "#9a7350"},       [WP_STATE_SIGNAL] = {"#56b4e9", "#86cdf3"},
	[WP_STATE_STOPPED] = {"#4d4d4d", "#6e6e6e"},   [WP_STATE_DEFERRED] = {"#d55e00", "#f08a3c"},
	[WP_STATE_LOST] = {"#000000", "#ffffff"},      [WP_STATE_UNKNOWN] = {"#d0d0d0", "#4a4a4a"},
};

static const Pair high_contrast[WP_STATE_N] = {
	[WP_STATE_RUNNING] = {"#006b1f", "#4dff79"},   [WP_STATE_IRQ] = {"#a00000", "#ff5c5c"},
	[WP_STATE_SOFTIRQ] = {"#b34700", "#ff9a4d"},   [WP_STATE_RUNNABLE] = {"#7a6200", "#ffe14d"},
	[WP_STATE_PREEMPTED] = {"#5c4a00", "#d9b300"}, [WP_STATE_BLOCKED] = {"#6b6b6b", "#b8b8b8"},
	[WP_STATE_TIMER] = {"#2b4fa8", "#99b8ff"},     [WP_STATE_DISK] = {"#5a1a99", "#cf99ff"},
	[WP_STATE_NETWORK] = {"#004c8c", "#4dc3ff"},   [WP_STATE_INPUT] = {"#99106e", "#ff80d5"},
	[WP_STATE_IPI] = {"#5e2600", "#d99066"},       [WP_STATE_SIGNAL] = {"#00605a", "#5ce6dc"},
	[WP_STATE_STOPPED] = {"#2e2e38", "#8a8a99"},   [WP_STATE_DEFERRED] = {"#8c2f2f", "#ffa3a3"},
	[WP_STATE_LOST] = {"#c4006e", "#ff66bd"},      [WP_STATE_UNKNOWN] = {"#9a9a9a", "#5c5c5c"},
};

static const struct {
	const gchar *key, *words;
	const Pair *pairs; /* NULL: the table of states */
} palettes[WPV_PALETTE_N] = {
	[WPV_PALETTE_STANDARD] = {"standard", "Standard", NULL},
	[WPV_PALETTE_COLOUR_BLIND] = {"colour-blind", "Colour-blind", colour_blind},
	[WPV_PALETTE_HIGH_CONTRAST] = {"high-contrast", "High contrast", high_contrast},
};

/* Relative luminance as WCAG defines it, with the usual power for the sRGB curve. */
static gdouble channel(gfloat value)
{
	gdouble v = (gdouble)value;

	return v * v * (v * 0.305306011 + 0.682171111) + v * 0.012522878;
}

static gdouble luminance(const GdkRGBA *colour)
{
	return 0.2126 * channel(colour->red) + 0.7152 * channel(colour->green) +
	       0.0722 * channel(colour->blue);
}

static void palette_colour(const WpvStyle *style, WpState state, GdkRGBA *ret_colour)
{
	const Pair *pairs = palettes[style->palette].pairs;

	if (pairs)
		gdk_rgba_parse(ret_colour, style->dark ? pairs[state].dark : pairs[state].light);
	else
		gdk_rgba_parse(ret_colour, wp_state_colour(state, style->dark));
}

static void work_out(WpvStyle *style)
{
	for (WpState state = 0; state < WP_STATE_N; state++) {
		if (style->has_own[state])
			style->colours[state] = style->own[state];
		else
			palette_colour(style, state, &style->colours[state]);
		/* Black and white have the same contrast with a luminance of 0.18. */
		gfloat text = luminance(&style->colours[state]) > 0.18 ? 0.0f : 1.0f;

		style->texts[state] = (GdkRGBA){text, text, text, 1.0f};
	}
	style->generation++;
	g_signal_emit_by_name(style, "changed");
}

static void wpv_style_class_init(WpvStyleClass *klass)
{
	g_signal_new("changed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
		     G_TYPE_NONE, 0);
}

static void wpv_style_init(WpvStyle *style)
{
	work_out(style);
}

WpvStyle *wpv_style_new(void)
{
	return g_object_new(WPV_TYPE_STYLE, NULL);
}

WpvPalette wpv_style_get_palette(WpvStyle *style)
{
	return style->palette;
}

void wpv_style_set_palette(WpvStyle *style, WpvPalette palette)
{
	g_return_if_fail(palette < WPV_PALETTE_N);
	if (style->palette == palette)
		return;
	style->palette = palette;
	work_out(style);
}

gboolean wpv_style_get_dark(WpvStyle *style)
{
	return style->dark;
}

void wpv_style_set_dark(WpvStyle *style, gboolean dark)
{
	if (style->dark == !!dark)
		return;
	style->dark = !!dark;
	work_out(style);
}

void wpv_style_set_own_colour(WpvStyle *style, WpState state, const GdkRGBA *colour)
{
	g_return_if_fail(state < WP_STATE_N);
	style->has_own[state] = colour != NULL;
	if (colour)
		style->own[state] = *colour;
	work_out(style);
}

const GdkRGBA *wpv_style_get_own_colour(WpvStyle *style, WpState state)
{
	g_return_val_if_fail(state < WP_STATE_N, NULL);
	return style->has_own[state] ? &style->own[state] : NULL;
}

const GdkRGBA *wpv_style_get_colour(WpvStyle *style, WpState state)
{
	return &style->colours[MIN(state, WP_STATE_UNKNOWN)];
}

const GdkRGBA *wpv_style_get_text_colour(WpvStyle *style, WpState state)
{
	return &style->texts[MIN(state, WP_STATE_UNKNOWN)];
}

guint wpv_style_get_generation(WpvStyle *style)
{
	return style->generation;
}

gdouble wpv_state_height(WpState state)
{
	switch (state) {
	case WP_STATE_RUNNING:
	case WP_STATE_IRQ:
	case WP_STATE_SOFTIRQ:
	case WP_STATE_LOST:
		return 1.0;
	case WP_STATE_RUNNABLE:
	case WP_STATE_PREEMPTED:
	case WP_STATE_DEFERRED:
		return 0.7;
	default:
		return 0.35;
	}
}

const gchar *wpv_palette_key(WpvPalette palette)
{
	return palettes[MIN(palette, WPV_PALETTE_N - 1)].key;
}

const gchar *wpv_palette_words(WpvPalette palette)
{
	return palettes[MIN(palette, WPV_PALETTE_N - 1)].words;
}

WpvPalette wpv_palette_from_key(const gchar *key)
{
	for (WpvPalette palette = 0; palette < WPV_PALETTE_N; palette++)
		if (g_str_equal(palettes[palette].key, key))
			return palette;
	return WPV_PALETTE_N;
}
