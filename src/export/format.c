/* SPDX-License-Identifier: MIT */
/* format.c: the table of formats. */
#include "config.h"

#include <langinfo.h>
#include <locale.h>

#include "export/format-private.h"

static const WpFormat text = {
	.name = "text",
	.path = wp_text_write_path,
	.tasks = wp_text_write_tasks,
	.requests = wp_text_write_requests,
	.compare = wp_text_write_compare,
	.blockers = wp_text_write_blockers,
	.sync = wp_text_write_sync,
	.check = wp_text_write_check,
};

static const WpFormat json = {
	.name = "json",
	.path = wp_json_write_path,
	.tasks = wp_json_write_tasks,
	.requests = wp_json_write_requests,
	.compare = wp_json_write_compare,
	.blockers = wp_json_write_blockers,
	.sync = wp_json_write_sync,
	.check = wp_json_write_check,
};

static const WpFormat csv = {
	.name = "csv",
	.path = wp_csv_write_path,
	.tasks = wp_csv_write_tasks,
	.requests = wp_csv_write_requests,
	.compare = wp_csv_write_compare,
	.blockers = wp_csv_write_blockers,
};

static const WpFormat folded = {
	.name = "folded",
	.path = wp_folded_write_path,
	.compare = wp_folded_write_compare,
};

/* The picture of a path is an export. */
static const WpFormat svg = {
	.name = "svg",
	.compare = wp_svg_write_compare,
};

static const WpFormat *const formats[] = {&text, &json, &csv, &folded, &svg, NULL};

const WpFormat *const *wp_format_list(void)
{
	return formats;
}

const WpFormat *wp_format_find(const gchar *name)
{
	for (guint i = 0; formats[i]; i++)
		if (g_str_equal(formats[i]->name, name))
			return formats[i];
	return NULL;
}

gboolean wp_text_locale_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	gboolean utf8;

	/* What the environment names may not be installed. */
	if (!locale)
		return FALSE;
	utf8 = g_ascii_strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return utf8;
}
