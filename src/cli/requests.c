/* SPDX-License-Identifier: MIT */
/*
 * requests.c: `waitpath requests`: a task's life split into requests, what the path of
 * each consists of, and what sets slow ones apart.
 */
#include "config.h"

#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"

static gboolean check_options(const CliOptions *options, GError **error)
{
	const gchar *fault = NULL;

	if (!options->session.task)
		fault = "Whose requests? Name a task, or several, with -t.";
	else if (!options->from && options->each == CLI_EACH_MARKERS)
		fault = "What is a request? --each network, --each connection, or --from EVENT.";
	else if (options->each != CLI_EACH_MARKERS && (options->from || options->to || options->id))
		fault = "--each network and --each connection take no --from, --to or --id.";
	if (fault)
		g_set_error_literal(error, WP_ERROR, WP_ERROR_USAGE, fault);
	return !fault;
}

/* The events that requests begin and end at have to be kept while the trace is read. */
static void add_markers(CliOptions *options)
{
	const gchar *names[] = {options->from, options->to};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		if (names[i])
			g_ptr_array_add(options->session.markers,
					options->id
						? g_strdup_printf("%s %s", names[i], options->id)
						: g_strdup(names[i]));
}

/* "15ms", "2.5s", "800us", "1000000" or "1000000ns". */
static gboolean parse_duration(const gchar *text, WpTime *ret_time)
{
	static const struct {
		const gchar *unit;
		gdouble ns;
	} units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	gchar *end;
	gdouble number = g_ascii_strtod(text, &end);

	if (end == text || !(number >= 0) || number > 1e9)
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (g_str_equal(end, units[i].unit)) {
			*ret_time = (WpTime)(number * units[i].ns);
			return TRUE;
		}
	return FALSE;
}

/* Where slow begins: as asked, or where it parts them best; *ret_found is whether it does. */
static gboolean find_split(const CliOptions *options, const WpRequests *requests, WpTime *ret_split,
			   gboolean *ret_found, GError **error)
{
	const gchar *text = options->split;
	guint64 percent;

	*ret_found = TRUE;
	if (!text) {
		*ret_found = wp_requests_find_split(requests, ret_split);
		return TRUE;
	}
	if (text[0] == 'p' && g_ascii_string_to_unsigned(text + 1, 10, 1, 99, &percent, NULL)) {
		*ret_split = wp_requests_get_percentile(requests, (guint)percent);
		return TRUE;
	}
	if (parse_duration(text, ret_split))
		return TRUE;
	g_set_error(error, WP_ERROR, WP_ERROR_USAGE,
		    "--split takes a duration such as 15ms, or a percentile from p1 to p99, not "
		    "\"%s\".",
		    text);
	return FALSE;
}

static gint report(const CliOptions *options, const WpAnalysis *analysis,
		   const WpRequestsOptions *rule, GError **error)
{
	g_autoptr(WpRequests) requests = wp_requests_compute(analysis->graph, rule,
							     cli_cancellable(options), error);
	g_autoptr(WpReasons) reasons = NULL;
	WpTextStyle style = cli_get_style(options);
	gboolean found;
	WpTime split = 0;

	if (!requests || !find_split(options, requests, &split, &found, error))
		return -1;
	if (found)
		reasons = wp_reasons_compute(requests, split);

	WpRequestsReport answer = {.graph = analysis->graph,
				   .options = rule,
				   .id = options->id,
				   .requests = requests,
				   .reasons = reasons,
				   .findings = analysis->all_findings};
	g_autoptr(WpOut) out = cli_out_new(options, STDOUT_FILENO);

	cli_get_format(options)->requests(out, &answer, &style);
	return cli_finish(options, out, analysis, error) ? CLI_DONE : -1;
}

gint cli_requests(CliOptions *options, GError **error)
{
	static const WpRequestsRule rules[] = {
		[CLI_EACH_MARKERS] = WP_REQUESTS_MARKERS,
		[CLI_EACH_NETWORK] = WP_REQUESTS_NETWORK,
		[CLI_EACH_CONNECTION] = WP_REQUESTS_CONNECTION,
	};
	WpRequestsOptions rule = {.rule = rules[options->each],
				  .from = options->from,
				  .to = options->to,
				  .by_id = options->id != NULL,
				  .mode = options->mode};

	if (!check_options(options, error) ||
	    !cli_require_format(options, cli_get_format(options)->requests != NULL, "requests",
				error))
		return -1;
	add_markers(options);

	g_autoptr(WpAnalysis) analysis = cli_load(options, error);
	g_autoptr(GArray) group = NULL;

	if (!analysis || !cli_get_window(options, analysis, &rule.begin, &rule.end, error) ||
	    !wp_analysis_check_any_host(analysis, error) ||
	    !(group = cli_find_group(analysis, options->session.task, error)))
		return -1;
	rule.tasks = (const WpTaskRef *)(gconstpointer)group->data;
	rule.n_tasks = group->len;
	return report(options, analysis, &rule, error);
}
