/* SPDX-License-Identifier: MIT */
/* text-private.h: what the text reports have in common: colours, bars, findings. */
#ifndef WP_EXPORT_TEXT_PRIVATE_H
#define WP_EXPORT_TEXT_PRIVATE_H

#include "export/format-private.h"
#include "export/units.h"

G_BEGIN_DECLS

/* A heading, bold on a terminal, and the line's end. */
void wp_text_heading(WpOut *out, const WpTextStyle *style, const gchar *format, ...)
	G_GNUC_PRINTF(3, 4);
/* Switches to a state's colour and back; nothing without colours. */
void wp_text_colour_on(WpOut *out, const WpTextStyle *style, WpState state);
void wp_text_colour_off(WpOut *out, const WpTextStyle *style);
/*
 * Two blanks and a bar for part of whole, with a share for each state; the columns that it took,
 * at most width + 2; nothing for a part too small to be seen.
 */
guint wp_text_bar(WpOut *out, const WpTextStyle *style, const WpTime by_state[WP_STATE_N],
		  WpTime whole, guint width);
/* What the colours or letters of bars stand for. */
void wp_text_legend(WpOut *out, const WpTextStyle *style);
/* Text, cut or padded to width columns (of characters, not bytes). */
void wp_text_padded(WpOut *out, const gchar *text, guint width);
guint wp_text_columns(const gchar *text);
/* A name that a terminal can take: no control characters, valid UTF-8. Owned by the caller. */
gchar *wp_text_dup_safe(const gchar *text);
/* "name (tid)", "name (tid) @ host" where there are several hosts. Owned by the caller. */
gchar *wp_text_dup_task(const WpGraph *graph, guint32 host, WpId task);
/* "name, n tasks": of the name of a task. Owned by the caller. */
gchar *wp_text_dup_group(const WpGraph *graph, guint32 host, WpId task, guint n);
/* "running 401 ms, runnable 1.02 ms, ...", at most n of them. */
void wp_text_states(WpOut *out, const WpTextStyle *style, const WpTime by_state[WP_STATE_N],
		    guint n);
/* The findings, gravest first; without verbose ten of them and how many more there are. */
void wp_text_findings(WpOut *out, const WpTextStyle *style, const WpFindings *findings);

G_END_DECLS

#endif
