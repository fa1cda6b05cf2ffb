/* SPDX-License-Identifier: MIT */
/* units.c: see units.h; times all in integers, so that the last digit is right. */
#include "config.h"

#include "export/units.h"

static const struct {
	guint64 ns;
	const gchar *name;
} units[] = {
	{1, "ns"},
	{1000, "us"},
	{1000000, "ms"},
	{1000000000, "s"},
	{60 * G_GUINT64_CONSTANT(1000000000), "min"},
	{3600 * G_GUINT64_CONSTANT(1000000000), "h"},
};

/* value * factor / divisor, rounded half up. */
static guint64 scale(guint64 value, guint64 factor, guint64 divisor)
{
	unsigned __int128 product = (unsigned __int128)value * factor;

	return (guint64)((product + divisor / 2) / divisor);
}

static guint64 magnitude(WpTime time)
{
	return time < 0 ? 0 - (guint64)time : (guint64)time;
}

const gchar *wp_duration_text(WpText *buffer, WpTime duration)
{
	static const guint64 powers[] = {1, 10, 100};
	const gchar *sign = duration < 0 ? "-" : "";
	guint64 value = magnitude(duration);

	for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
		/* As many decimals as leave three digits; nanoseconds are whole. */
		for (guint decimals = i > 0 ? 3 : 1; decimals-- > 0;) {
			guint64 power = powers[decimals];
			guint64 scaled = scale(value, power, units[i].ns);

			if (scaled >= 1000)
				continue;
			if (decimals > 0)
				g_snprintf(buffer->text, sizeof(buffer->text),
					   "%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT " %s",
					   sign, scaled / power, (gint)decimals, scaled % power,
					   units[i].name);
			else
				g_snprintf(buffer->text, sizeof(buffer->text),
					   "%s%" G_GUINT64_FORMAT " %s", sign, scaled,
					   units[i].name);
			return buffer->text;
		}
	}
	g_snprintf(buffer->text, sizeof(buffer->text), "%s%" G_GUINT64_FORMAT " h", sign,
		   scale(value, 1, units[G_N_ELEMENTS(units) - 1].ns));
	return buffer->text;
}

const gchar *wp_share_text(WpText *buffer, WpTime part, WpTime whole)
{
	guint64 permille = whole > 0 ? scale(magnitude(part), 1000, (guint64)whole) : 0;

	g_snprintf(buffer->text, sizeof(buffer->text),
		   "%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT " %%", permille / 10, permille % 10);
	return buffer->text;
}

const gchar *wp_share_words(WpText *buffer, WpTime part, WpTime whole)
{
	/* In units of a hundredth of a percent. */
	guint64 share = whole > 0 ? scale(magnitude(part), 10000, (guint64)whole) : 0;
	guint64 tenths = (share + 5) / 10, percents = (share + 50) / 100;

	if (share < 100)
		g_snprintf(buffer->text, sizeof(buffer->text), "0.%02" G_GUINT64_FORMAT " %%",
			   share);
	else if (tenths < 100 || (percents >= 99 && tenths < 1000))
		g_snprintf(buffer->text, sizeof(buffer->text),
			   "%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT " %%", tenths / 10,
			   tenths % 10);
	else
		g_snprintf(buffer->text, sizeof(buffer->text), "%" G_GUINT64_FORMAT " %%",
			   percents);
	return buffer->text;
}

const gchar *wp_offset_text(WpText *buffer, WpTime offset)
{
	guint64 value = magnitude(offset);

	g_snprintf(buffer->text, sizeof(buffer->text),
		   "%c%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT, offset < 0 ? '-' : '+',
		   value / WP_NS_PER_S, value % WP_NS_PER_S);
	return buffer->text;
}

const gchar *wp_drift_text(WpText *buffer, const WpHostReport *host)
{
	const gdouble drift = host->drift_ppm, bound = host->drift_bound_ppm;

	if (bound <= WP_DRIFT_UNKNOWN_PPM)
		g_snprintf(buffer->text, sizeof(buffer->text), "drift %+.3f ppm +-%.3f", drift,
			   bound);
	else if (bound <= 10 * WP_DRIFT_UNKNOWN_PPM)
		g_snprintf(buffer->text, sizeof(buffer->text),
			   "drift not known (%+.0f to %+.0f ppm)", drift - bound, drift + bound);
	else
		g_snprintf(buffer->text, sizeof(buffer->text), "drift not known");
	return buffer->text;
}

/* Seconds and nanoseconds of a time, the latter never negative. */
static GDateTime *split(WpTime time, gint64 *ret_ns)
{
	gint64 seconds = time / WP_NS_PER_S;

	*ret_ns = time % WP_NS_PER_S;
	if (*ret_ns < 0) {
		*ret_ns += WP_NS_PER_S;
		seconds--;
	}
	return g_date_time_new_from_unix_local(seconds);
}

const gchar *wp_clock_text(WpText *buffer, WpTime time)
{
	gint64 ns;
	g_autoptr(GDateTime) date = split(time, &ns);

	g_snprintf(buffer->text, sizeof(buffer->text), "%02d:%02d:%02d.%09" G_GINT64_FORMAT,
		   g_date_time_get_hour(date), g_date_time_get_minute(date),
		   g_date_time_get_second(date), ns);
	return buffer->text;
}

const gchar *wp_date_text(WpText *buffer, WpTime time)
{
	gint64 ns;
	g_autoptr(GDateTime) date = split(time, &ns);

	g_snprintf(buffer->text, sizeof(buffer->text),
		   "%04d-%02d-%02d %02d:%02d:%02d.%09" G_GINT64_FORMAT, g_date_time_get_year(date),
		   g_date_time_get_month(date), g_date_time_get_day_of_month(date),
		   g_date_time_get_hour(date), g_date_time_get_minute(date),
		   g_date_time_get_second(date), ns);
	return buffer->text;
}

const gchar *wp_count_text(WpText *buffer, guint64 count)
{
	guint at = sizeof(buffer->text) - 1;
	guint digits = 0;

	/* From the right; the text is then moved to the front by its address alone. */
	buffer->text[at] = '\0';
	do {
		if (digits > 0 && digits % 3 == 0)
			buffer->text[--at] = ',';
		buffer->text[--at] = (gchar)('0' + count % 10);
		digits++;
	} while (count /= 10);
	return buffer->text + at;
}
