/* SPDX-License-Identifier: MIT */
/* text.c: the common parts of the reports for people. */
#include "config.h"

#include <string.h>

#include "export/describe.h"
#include "export/text-private.h"

#define FINDINGS_SHOWN 10

static void escape(WpOut *out, const WpTextStyle *style, const gchar *sequence)
{
	if (style->colour)
		wp_out_put(out, sequence);
}

void wp_text_heading(WpOut *out, const WpTextStyle *style, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree gchar *text = g_strdup_vprintf(format, args);
	va_end(args);
	escape(out, style, "\033[1m");
	wp_out_put(out, text);
	escape(out, style, "\033[0m");
	wp_out_putc(out, '\n');
}

/* The nearest of the 6x6x6 cube of xterm's 256 colours. */
static guint cube_colour(guint red, guint green, guint blue)
{
	guint r = (red * 5 + 127) / 255, g = (green * 5 + 127) / 255, b = (blue * 5 + 127) / 255;

	return 16 + 36 * r + 6 * g + b;
}

void wp_text_colour_on(WpOut *out, const WpTextStyle *style, WpState state)
{
	guint64 rgb;

	if (!style->colour)
		return;
	rgb = g_ascii_strtoull(wp_state_colour(state, TRUE) + 1, NULL, 16);

	guint r = rgb >> 16 & 0xff, g = rgb >> 8 & 0xff, b = rgb & 0xff;

	if (style->truecolour)
		wp_out_printf(out, "\033[38;2;%u;%u;%um", r, g, b);
	else
		wp_out_printf(out, "\033[38;5;%um", cube_colour(r, g, b));
}

void wp_text_colour_off(WpOut *out, const WpTextStyle *style)
{
	escape(out, style, "\033[0m");
}

/* Without colours each state has a letter, its own where it can be. */
static const gchar letters[WP_STATE_N] = {
	[WP_STATE_RUNNING] = '#',  [WP_STATE_IRQ] = 'i',       [WP_STATE_SOFTIRQ] = 's',
	[WP_STATE_RUNNABLE] = 'r', [WP_STATE_PREEMPTED] = 'p', [WP_STATE_BLOCKED] = 'b',
	[WP_STATE_TIMER] = 't',    [WP_STATE_DISK] = 'd',      [WP_STATE_NETWORK] = 'n',
	[WP_STATE_INPUT] = 'k',    [WP_STATE_IPI] = 'x',       [WP_STATE_SIGNAL] = 'g',
	[WP_STATE_STOPPED] = 'z',  [WP_STATE_DEFERRED] = 'f',  [WP_STATE_LOST] = '!',
	[WP_STATE_UNKNOWN] = '?',
};

static void put_cells(WpOut *out, const WpTextStyle *style, WpState state, guint n)
{
	const gchar letter[] = {letters[state], '\0'};

	wp_text_colour_on(out, style, state);
	wp_out_repeat(out, !style->colour ? letter : style->utf8 ? "█" : "#", n);
	wp_text_colour_off(out, style);
}

void wp_text_legend(WpOut *out, const WpTextStyle *style)
{
	wp_out_put(out, "\n  ");
	for (guint state = 0; state < WP_STATE_N; state++) {
		wp_out_put(out, state > 0 ? "  " : "");
		put_cells(out, style, state, 1);
		wp_out_printf(out, " %s", wp_state_key(state));
		if (state == WP_STATE_N / 2)
			wp_out_put(out, "\n");
	}
	wp_out_putc(out, '\n');
}

guint wp_text_bar(WpOut *out, const WpTextStyle *style, const WpTime by_state[WP_STATE_N],
		  WpTime whole, guint width)
{
	WpState order[WP_STATE_N];
	guint n = wp_states_by_time(by_state, order);
	guint drawn = 0;
	WpTime sum = 0;

	/* Each state ends where the sum so far does, so the bar's length is that of all. */
	for (guint i = 0; i < n && whole > 0; i++) {
		sum += by_state[order[i]];

		guint to = (guint)(((unsigned __int128)sum * width + (guint64)whole / 2) /
				   (guint64)whole);

		if (to <= drawn)
			continue;
		if (drawn == 0)
			wp_out_put(out, "  ");
		put_cells(out, style, order[i], to - drawn);
		drawn = to;
	}
	return drawn > 0 ? drawn + 2 : 0;
}

guint wp_text_columns(const gchar *text)
{
	return (guint)g_utf8_strlen(text, -1);
}

void wp_text_padded(WpOut *out, const gchar *text, guint width)
{
	guint columns = wp_text_columns(text);

	if (columns > width) {
		wp_out_put_len(out, text, (gsize)(g_utf8_offset_to_pointer(text, width) - text));
		return;
	}
	wp_out_put(out, text);
	wp_out_repeat(out, " ", width - columns);
}

gchar *wp_text_dup_safe(const gchar *text)
{
	gchar *valid = g_utf8_make_valid(text, -1);

	for (gchar *at = valid; *at; at++)
		if ((guchar)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return valid;
}

gchar *wp_text_dup_task(const WpGraph *graph, guint32 host, WpId task)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);

	g_autofree gchar *comm = wp_text_dup_safe(actor.comm);

	if (graph->n_hosts > 1)
		return g_strdup_printf("%s (%d) @ %s", comm, actor.tid, actor.host_name);
	return g_strdup_printf("%s (%d)", comm, actor.tid);
}

gchar *wp_text_dup_group(const WpGraph *graph, guint32 host, WpId task, guint n)
{
	WpActor actor;

	wp_actor_init(&actor, graph, host, task, WP_TIME_MAX);

	g_autofree gchar *comm = wp_text_dup_safe(actor.comm);

	if (graph->n_hosts > 1)
		return g_strdup_printf("%s, %u tasks @ %s", comm, n, actor.host_name);
	return g_strdup_printf("%s, %u tasks", comm, n);
}

void wp_text_states(WpOut *out, const WpTextStyle *style, const WpTime by_state[WP_STATE_N],
		    guint n)
{
	WpState order[WP_STATE_N];
	guint n_states = wp_states_by_time(by_state, order);
	WpText text;

	for (guint i = 0; i < MIN(n, n_states); i++) {
		if (i > 0)
			wp_out_put(out, ", ");
		wp_text_colour_on(out, style, order[i]);
		wp_out_put(out, wp_state_key(order[i]));
		wp_text_colour_off(out, style);
		wp_out_putc(out, ' ');
		wp_out_put(out, wp_duration_text(&text, by_state[order[i]]));
	}
}

static void put_finding(WpOut *out, const WpTextStyle *style, const WpFinding *f)
{
	g_autofree gchar *text = wp_text_dup_safe(f->text);
	WpText count;

	wp_out_put(out, "  ");
	if (f->severity != WP_SEVERITY_INFO) {
		escape(out, style, f->severity == WP_SEVERITY_ERROR ? "\033[31m" : "\033[33m");
		wp_out_put(out, wp_severity_key(f->severity));
		escape(out, style, "\033[0m");
		wp_out_put(out, ": ");
	}
	if (f->host)
		wp_out_printf(out, "%s: ", f->host);
	wp_out_put(out, text);
	wp_out_printf(out, " [%s", f->code);
	if (f->count > 1)
		wp_out_printf(out, ", %s", wp_count_text(&count, f->count));
	wp_out_put(out, "]\n");
}

void wp_text_findings(WpOut *out, const WpTextStyle *style, const WpFindings *findings)
{
	guint n = wp_findings_n(findings), shown = 0;

	if (n == 0)
		return;
	wp_out_putc(out, '\n');
	wp_text_heading(out, style, "Findings");
	for (guint severity = WP_SEVERITY_ERROR + 1; severity-- > WP_SEVERITY_INFO;)
		for (guint i = 0; i < n; i++) {
			const WpFinding *f = wp_findings_get(findings, i);

			if (f->severity != severity)
				continue;
			if (shown == FINDINGS_SHOWN && !style->verbose) {
				wp_out_printf(out, "  and %u more (-v lists them)\n", n - shown);
				return;
			}
			put_finding(out, style, f);
			shown++;
		}
}
