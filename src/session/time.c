/* SPDX-License-Identifier: MIT */
/* time.c: times and sizes as people write them, exact to the nanosecond. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "session/session.h"

/* Digits up to end, or to the first other character; FALSE when there are none or too many. */
static gboolean read_digits(const gchar **at, guint64 max, guint64 *ret_value)
{
	guint64 value = 0;
	const gchar *begin = *at;

	for (; g_ascii_isdigit(**at); ++*at) {
		guint digit = (guint)(**at - '0');

		if (value > (max - digit) / 10)
			return FALSE;
		value = value * 10 + digit;
	}
	*ret_value = value;
	return *at > begin;
}

/* ".frac" in nanoseconds; digits beyond the ninth are cut. Absent: 0. */
static gboolean read_fraction(const gchar **at, gint64 *ret_ns)
{
	gint64 unit = WP_NS_PER_S;

	*ret_ns = 0;
	if (**at != '.')
		return TRUE;
	++*at;
	if (!g_ascii_isdigit(**at))
		return FALSE;
	for (; g_ascii_isdigit(**at); ++*at) {
		unit /= 10;
		*ret_ns += unit * (**at - '0');
	}
	return TRUE;
}

static gboolean add(WpTime time, gint64 ns, WpTime *ret_time)
{
	return !__builtin_add_overflow(time, ns, ret_time);
}

/* "SECONDS[.frac]" from begin. */
static gboolean parse_seconds(const gchar *text, WpTime begin, WpTime *ret_time)
{
	guint64 seconds;
	gint64 ns;

	if (!read_digits(&text, (guint64)(G_MAXINT64 / WP_NS_PER_S - 1), &seconds) ||
	    !read_fraction(&text, &ns) || *text)
		return FALSE;
	return add(begin, (gint64)seconds * WP_NS_PER_S + ns, ret_time);
}

static gboolean parse_nanoseconds(const gchar *text, WpTime *ret_time)
{
	guint64 value;

	if (!read_digits(&text, G_MAXINT64, &value) || *text)
		return FALSE;
	*ret_time = (WpTime)value;
	return TRUE;
}

/* HH:MM:SS[.frac] as seconds of the day and nanoseconds. */
static gboolean read_clock(const gchar **at, gint *ret_hour, gint *ret_minute, gint *ret_second,
			   gint64 *ret_ns)
{
	guint64 hour, minute, second;

	if (!read_digits(at, 23, &hour) || *(*at)++ != ':' || !read_digits(at, 59, &minute) ||
	    *(*at)++ != ':' || !read_digits(at, 60, &second) || !read_fraction(at, ret_ns))
		return FALSE;
	*ret_hour = (gint)hour;
	*ret_minute = (gint)minute;
	*ret_second = (gint)MIN(second, 59);
	return TRUE;
}

static gboolean to_time(GDateTime *date, gint64 ns, WpTime *ret_time)
{
	gint64 seconds;

	if (!date)
		return FALSE;
	seconds = g_date_time_to_unix(date);
	g_date_time_unref(date);
	if (seconds >= G_MAXINT64 / WP_NS_PER_S || seconds <= G_MININT64 / WP_NS_PER_S)
		return FALSE;
	*ret_time = seconds * WP_NS_PER_S + ns;
	return TRUE;
}

/* A time of day: on begin's day, or the next when that is nearer to begin. */
static gboolean parse_clock(const gchar *text, WpTime begin, WpTime *ret_time)
{
	g_autoptr(GDateTime) day = g_date_time_new_from_unix_local(begin / WP_NS_PER_S);
	gint hour, minute, second;
	gint64 ns;

	if (!day || !read_clock(&text, &hour, &minute, &second, &ns) || *text)
		return FALSE;

	gint year = g_date_time_get_year(day), month = g_date_time_get_month(day);
	gint month_day = g_date_time_get_day_of_month(day);

	if (!to_time(g_date_time_new_local(year, month, month_day, hour, minute, second), ns,
		     ret_time))
		return FALSE;
	if (*ret_time < begin - 12 * 3600 * WP_NS_PER_S) {
		g_autoptr(GDateTime) next = g_date_time_add_days(day, 1);

		g_date_time_get_ymd(next, &year, &month, &month_day);
		return to_time(g_date_time_new_local(year, month, month_day, hour, minute, second),
			       ns, ret_time);
	}
	return TRUE;
}

/* YYYY-MM-DD[T ]HH:MM:SS[.frac][Z|+HH:MM]; without a zone in the local one. */
static gboolean parse_date(const gchar *text, WpTime *ret_time)
{
	guint64 year, month, day;
	gint hour, minute, second;
	gint64 ns;
	g_autoptr(GTimeZone) zone = NULL;

	if (!read_digits(&text, 9999, &year) || *text++ != '-' || !read_digits(&text, 12, &month) ||
	    *text++ != '-' || !read_digits(&text, 31, &day) || (*text != 'T' && *text != ' '))
		return FALSE;
	text++;
	if (!read_clock(&text, &hour, &minute, &second, &ns))
		return FALSE;
	zone = *text ? g_time_zone_new_identifier(text) : g_time_zone_new_local();
	if (!zone || (*text && !strchr("Z+-", *text)))
		return FALSE;
	return to_time(
		g_date_time_new(zone, (gint)year, (gint)month, (gint)day, hour, minute, second), ns,
		ret_time);
}

gboolean wp_time_parse(const gchar *text, WpTime begin, WpTime *ret_time, GError **error)
{
	WpTime time = 0;
	gboolean ok;

	if (*text == '+')
		ok = parse_seconds(text + 1, begin, &time);
	else if (strchr(text, ':'))
		ok = strchr(text, '-') && strchr(text, '-') < strchr(text, ':')
			     ? parse_date(text, &time)
			     : parse_clock(text, begin, &time);
	else
		ok = strchr(text, '.') ? parse_seconds(text, 0, &time)
				       : parse_nanoseconds(text, &time);
	if (!ok) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "\"%s\" is no time: write nanoseconds or SECONDS.frac since the epoch, "
			    "HH:MM:SS.frac, YYYY-MM-DDTHH:MM:SS.frac, or +SECONDS from the begin "
			    "of the trace.",
			    text);
		return FALSE;
	}
	if (time < WP_TIME_EARLIEST || time > WP_TIME_LATEST) {
		g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
			    "\"%s\" is too far away: no trace has times more than 146 years from "
			    "1970.",
			    text);
		return FALSE;
	}
	*ret_time = time;
	return TRUE;
}

gboolean wp_size_parse(const gchar *text, guint64 *ret_bytes, GError **error)
{
	static const gchar units[] = "KMGT";
	const gchar *at = text, *unit;
	guint64 value;
	guint shift = 0;

	if (!read_digits(&at, G_MAXINT64, &value))
		goto bad;
	if (*at) {
		unit = strchr(units, g_ascii_toupper(*at));
		if (!unit || at[1])
			goto bad;
		shift = 10 * (guint)(unit - units + 1);
		if (value > (guint64)G_MAXINT64 >> shift)
			goto bad;
	}
	*ret_bytes = value << shift;
	return TRUE;
bad:
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "\"%s\" is no size: write bytes, or a number with K, M, G or T.", text);
	return FALSE;
}
