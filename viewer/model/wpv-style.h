/* SPDX-License-Identifier: MIT */
/*
 * wpv-style.h: what states look like: colours by palette, for light and dark, with the
 * user's own colours over them; and how tall the bar of a state is, so that what runs,
 * what is ready and what waits can be told apart without colours.
 */
#ifndef WPV_STYLE_H
#define WPV_STYLE_H

#include <gdk/gdk.h>

#include "base/types.h"

G_BEGIN_DECLS

typedef enum {
	WPV_PALETTE_STANDARD,
	WPV_PALETTE_COLOUR_BLIND,
	WPV_PALETTE_HIGH_CONTRAST,
	WPV_PALETTE_N
} WpvPalette;

#define WPV_TYPE_STYLE (wpv_style_get_type())
G_DECLARE_FINAL_TYPE(WpvStyle, wpv_style, WPV, STYLE, GObject)

/* Signal "changed": colours have changed. */
WpvStyle *wpv_style_new(void);

WpvPalette wpv_style_get_palette(WpvStyle *style);
void wpv_style_set_palette(WpvStyle *style, WpvPalette palette);
gboolean wpv_style_get_dark(WpvStyle *style);
void wpv_style_set_dark(WpvStyle *style, gboolean dark);

/* The user's colour for a state in all palettes; NULL: the palette's again. */
void wpv_style_set_own_colour(WpvStyle *style, WpState state, const GdkRGBA *colour);
/* NULL when the user has set none. */
const GdkRGBA *wpv_style_get_own_colour(WpvStyle *style, WpState state);

/* Both borrowed; the text colour is black or white, whichever reads better on the state's. */
const GdkRGBA *wpv_style_get_colour(WpvStyle *style, WpState state);
const GdkRGBA *wpv_style_get_text_colour(WpvStyle *style, WpState state);
/* Grows with every change of a colour: part of the key of what is cached. */
guint wpv_style_get_generation(WpvStyle *style);

/* Share of the row's height that a state's bar takes: 1 what runs, less what is ready, least waits. */
gdouble wpv_state_height(WpState state);

/* "standard", "colour-blind", "high-contrast": in saved states; and in words. */
const gchar *wpv_palette_key(WpvPalette palette);
const gchar *wpv_palette_words(WpvPalette palette);
/* WPV_PALETTE_N when the key names none. */
WpvPalette wpv_palette_from_key(const gchar *key);

G_END_DECLS

#endif
