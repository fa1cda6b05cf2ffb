/* SPDX-License-Identifier: MIT */
/*
 * hosts.c: traces sorted by host.
 *
 * One clock uuid (made anew at each boot) is one host, whatever it calls itself; a
 * name that the user gives comes first. A name that turns up with another uuid is
 * another host (or another boot): NAME#2. Traces without a uuid go by name.
 */
#include "config.h"

#include <string.h>

#include "session/session-private.h"

static void group_free(gpointer data)
{
	WpHostGroup *group = data;

	g_free(group->name);
	g_ptr_array_unref(group->readers);
	g_array_unref(group->indexes);
	g_free(group);
}

/* Parts of a path that LTTng makes and that say nothing of the host. */
static gboolean is_generic(const gchar *name)
{
	static const gchar *const generic[] = {"kernel",   "ust",     "uid",   "pid",
					       "64-bit",   "32-bit",  "trace", "traces",
					       "archives", "channel", "",      "."};
	const gchar *at = name;

	for (guint i = 0; i < G_N_ELEMENTS(generic); i++)
		if (g_str_equal(name, generic[i]))
			return TRUE;
	/* Numbers (a uid), and dates of sessions and chunks. */
	while (g_ascii_isdigit(*at) || strchr("-+TZ:", *at ? *at : 'x'))
		at++;
	return *at == '\0';
}

/* A name for a trace that does not say where it was recorded: from its path. */
static gchar *name_from_path(const gchar *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	for (guint i = g_strv_length(parts); i-- > 0;)
		if (!is_generic(parts[i]))
			return g_strdup(parts[i]);
	return g_strdup("host");
}

static gboolean is_kernel(const WpReader *reader)
{
	return !g_strcmp0(reader->info.domain, "kernel");
}

/* Whether an input with this name (NULL: none given) and uuid belongs to a group. */
static gboolean belongs(const WpHostGroup *group, const gchar *given, const gchar *name,
			const gchar *uuid)
{
	if (group->saved)
		return FALSE;
	if (given && group->named && !g_str_equal(given, group->name))
		return FALSE;
	if (uuid && group->uuid)
		return g_str_equal(uuid, group->uuid);
	return g_str_equal(name, group->name);
}

static WpHostGroup *add_group(GPtrArray *groups, const gchar *name, const gchar *uuid)
{
	WpHostGroup *group = g_new0(WpHostGroup, 1);

	group->name = g_strdup(name);
	group->uuid = uuid;
	group->readers = g_ptr_array_new();
	group->indexes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_ptr_array_add(groups, group);
	return group;
}

static WpHostGroup *find_or_add_group(GPtrArray *groups, const gchar *given, const gchar *name,
				      const gchar *uuid)
{
	for (guint i = 0; i < groups->len; i++)
		if (belongs(groups->pdata[i], given, name, uuid))
			return groups->pdata[i];
	return add_group(groups, name, uuid);
}

/* A host of a saved graph stands alone: nothing can be added to it. */
static void add_saved(GPtrArray *groups, const WpInput *input, guint index)
{
	WpHostGroup *group = add_group(groups, input->given ? input->given : input->saved->name,
				       input->saved->clock_uuid);

	group->saved = TRUE;
	group->named = input->given != NULL;
	g_array_append_val(group->indexes, index);
}

static WpHostGroup *add_trace(GPtrArray *groups, const WpInput *input, guint index,
			      WpFindings *findings)
{
	const WpTraceInfo *info = &input->reader->info;
	g_autofree gchar *derived = NULL;
	const gchar *name = input->given ? input->given : info->host;
	WpHostGroup *group;

	if (!name)
		name = derived = name_from_path(input->path);
	group = find_or_add_group(groups, input->given, name, info->clock_uuid);
	if (input->given && !group->named) {
		g_free(group->name);
		group->name = g_strdup(input->given);
		group->named = TRUE;
	} else if (info->host && !group->named && !g_str_equal(info->host, group->name)) {
		wp_findings_add(findings, "host-has-two-names", WP_SEVERITY_INFO, group->name,
				WP_TIME_MIN, 1,
				"%s calls its host %s, but its clock is that of %s: taken for one "
				"host.",
				input->path, info->host, group->name);
	}
	if (!group->uuid)
		group->uuid = info->clock_uuid;
	g_ptr_array_add(group->readers, input->reader);
	g_array_append_val(group->indexes, index);
	return group;
}

/* The second host of one name becomes NAME#2, and so on. */
static void make_names_unique(GPtrArray *groups, WpFindings *findings)
{
	g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < groups->len; i++) {
		WpHostGroup *group = groups->pdata[i];
		g_autofree gchar *wanted = g_strdup(group->name);

		for (guint n = 2; g_hash_table_contains(taken, group->name); n++) {
			g_free(group->name);
			group->name = g_strdup_printf("%s#%u", wanted, n);
		}
		g_hash_table_add(taken, group->name);
		if (!g_str_equal(wanted, group->name))
			wp_findings_add(findings, "host-name-twice", WP_SEVERITY_WARNING,
					group->name, WP_TIME_MIN, 1,
					"Two traces call their host %s but have different clocks "
					"(another machine, or another boot): the second is called "
					"%s; NAME=TRACE names it otherwise.",
					wanted, group->name);
	}
}

/*
 * LTTng measures the offset of a clock to the epoch anew for each session, some
 * microseconds apart: all traces of a host get that of its first kernel trace, so
 * that events of all of them are in order.
 */
static void share_clock(const WpHostGroup *group, WpReader *reader)
{
	if (group->uuid && !g_strcmp0(reader->info.clock_uuid, group->uuid))
		reader->clock_shift = group->clock_offset - reader->info.clock_offset;
}

static void share_clocks(WpHostGroup *group)
{
	const WpReader *first;

	if (!group->uuid || group->saved)
		return;
	first = group->readers->pdata[0];
	for (guint i = group->readers->len; i-- > 0;)
		if (is_kernel(group->readers->pdata[i]))
			first = group->readers->pdata[i];
	group->clock_offset = first->info.clock_offset;
	for (guint i = 0; i < group->readers->len; i++)
		share_clock(group, group->readers->pdata[i]);
}

WpHostGroup *wp_hosts_add(GPtrArray *groups, const GPtrArray *inputs, guint index,
			  WpFindings *findings)
{
	const WpInput *input = inputs->pdata[index];
	WpHostGroup *group = add_trace(groups, input, index, findings);

	make_names_unique(groups, findings);
	if (group->readers->len == 1)
		share_clocks(group);
	else
		share_clock(group, input->reader);
	return group;
}

GPtrArray *wp_hosts_group(const GPtrArray *inputs, WpFindings *findings)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);

	for (guint i = 0; i < inputs->len; i++) {
		const WpInput *input = inputs->pdata[i];

		if (input->saved)
			add_saved(groups, input, i);
		else
			add_trace(groups, input, i, findings);
	}
	make_names_unique(groups, findings);
	for (guint i = 0; i < groups->len; i++)
		share_clocks(groups->pdata[i]);
	return groups;
}
