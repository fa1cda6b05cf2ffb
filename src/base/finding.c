/* SPDX-License-Identifier: MIT */
/*
 * finding.c: a list of findings and a table that finds the one to count up. The
 * key is code, host and text joined, so what differs in any is another finding.
 */
#include "config.h"

#include "base/finding.h"

struct WpFindings {
	GPtrArray *list; /* owned; owned WpFinding */
	GHashTable *by_key; /* owned; owned gchar * -> WpFinding (owned by list) */
	WpFinding *overflow; /* weak: counts what did not fit, NULL until then */
};

static void finding_free(gpointer data)
{
	WpFinding *finding = data;

	g_free(finding->code);
	g_free(finding->host);
	g_free(finding->text);
	g_free(finding);
}

WpFindings *wp_findings_new(void)
{
	WpFindings *findings = g_new0(WpFindings, 1);

	findings->list = g_ptr_array_new_with_free_func(finding_free);
	findings->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return findings;
}

void wp_findings_free(WpFindings *findings)
{
	if (!findings)
		return;
	g_hash_table_destroy(findings->by_key);
	g_ptr_array_free(findings->list, TRUE);
	g_free(findings);
}

static WpFinding *append(WpFindings *findings, const gchar *code, WpSeverity severity,
			 const gchar *host, WpTime time, const gchar *text)
{
	WpFinding *finding = g_new0(WpFinding, 1);

	finding->code = g_strdup(code);
	finding->severity = severity;
	finding->host = g_strdup(host);
	finding->time = time;
	finding->text = g_strdup(text);
	g_ptr_array_add(findings->list, finding);
	return finding;
}

static void add(WpFindings *findings, const gchar *code, WpSeverity severity, const gchar *host,
		WpTime time, guint64 count, const gchar *text)
{
	g_autofree gchar *key = g_strjoin("\n", code, host ? host : "", text, NULL);
	WpFinding *finding = g_hash_table_lookup(findings->by_key, key);

	if (!finding && findings->list->len >= WP_FINDINGS_MAX) {
		if (!findings->overflow)
			findings->overflow = append(findings, "more-findings", WP_SEVERITY_WARNING,
						    NULL, WP_TIME_MIN,
						    "There are more findings than are listed.");
		finding = findings->overflow;
	} else if (!finding) {
		finding = append(findings, code, severity, host, time, text);
		g_hash_table_insert(findings->by_key, g_steal_pointer(&key), finding);
	}
	finding->count += count;
}

void wp_findings_add(WpFindings *findings, const gchar *code, WpSeverity severity,
		     const gchar *host, WpTime time, guint64 count, const gchar *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree gchar *text = g_strdup_vprintf(format, args);
	va_end(args);
	add(findings, code, severity, host, time, count, text);
}

guint wp_findings_n(const WpFindings *findings)
{
	return findings->list->len;
}

const WpFinding *wp_findings_get(const WpFindings *findings, guint i)
{
	return g_ptr_array_index(findings->list, i);
}

void wp_findings_merge(WpFindings *findings, const WpFindings *other, const gchar *host)
{
	wp_findings_merge_others(findings, other, host, NULL);
}

void wp_findings_merge_others(WpFindings *findings, const WpFindings *other, const gchar *host,
			      const gchar *code)
{
	for (guint i = 0; i < other->list->len; i++) {
		const WpFinding *f = g_ptr_array_index(other->list, i);

		if (!code || !g_str_equal(f->code, code))
			add(findings, f->code, f->severity, f->host ? f->host : host, f->time,
			    f->count, f->text);
	}
}

const gchar *wp_severity_key(WpSeverity severity)
{
	switch (severity) {
	case WP_SEVERITY_INFO:
		return "info";
	case WP_SEVERITY_WARNING:
		return "warning";
	case WP_SEVERITY_ERROR:
		break;
	}
	return "error";
}
