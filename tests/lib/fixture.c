/* SPDX-License-Identifier: MIT */
/*
 * fixture.c: reads the lines one by one. A `host` line opens a writer; each event line
 * of that host is encoded at once, so that the text may be of any length.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "fixture-classes.h"
#include "fixture.h"

#define MAX_FIELDS 16

typedef struct {
	gchar *comm; /* owned */
	gint64 pid;
	gboolean kernel;
} Task;

typedef struct {
	gchar *name; /* owned */
	WpCtfWriter *writer; /* owned */
	GArray *classes; /* owned: WpCtfClass, those that this host records */
	GHashTable *class_ids; /* owned: name -> place in classes */
	GHashTable *tasks; /* owned: tid -> Task */
	gint64 *last; /* owned: time of each CPU's last event */
	guint n_cpus;
} Host;

typedef struct {
	const gchar *path; /* borrowed */
	const gchar *directory; /* borrowed */
	GPtrArray *names; /* owned: of the hosts */
	Host *host; /* owned, NULL before the first host line */
	guint line;
} Parser;

static gboolean fail(const Parser *parser, GError **error, const gchar *format, ...)
	G_GNUC_PRINTF(3, 4);

static gboolean fail(const Parser *parser, GError **error, const gchar *format, ...)
{
	va_list arguments;
	g_autofree gchar *text = NULL;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%u: %s", parser->path,
		    parser->line, text);
	return FALSE;
}

static void task_free(gpointer data)
{
	Task *task = data;

	g_free(task->comm);
	g_free(task);
}

static gboolean host_close(Host *host, GError **error)
{
	gboolean good = !host->writer || wp_ctf_writer_close(host->writer, error);

	g_free(host->name);
	g_array_unref(host->classes);
	g_hash_table_unref(host->class_ids);
	g_hash_table_unref(host->tasks);
	g_free(host->last);
	g_free(host);
	return good;
}

gboolean wp_fixture_parse_time(const gchar *text, gint64 *ret_ns)
{
	gchar *end;
	gint64 ns = g_ascii_strtoll(text, &end, 10) * 1000;

	if (end == text)
		return FALSE;
	if (*end == '.') {
		gint64 unit = 100;

		for (end++; g_ascii_isdigit(*end) && unit > 0; end++, unit /= 10)
			ns += (*end - '0') * unit;
	}
	*ret_ns = ns;
	return *end == '\0';
}

static gboolean parse_integer(const gchar *text, gint64 *ret_value)
{
	gchar *end;

	errno = 0;
	if (*text == '-')
		*ret_value = g_ascii_strtoll(text, &end, 0);
	else
		*ret_value = (gint64)g_ascii_strtoull(text, &end, 0);
	return errno == 0 && end != text && *end == '\0';
}

/* Splits "key=value" in place; NULL when there is no '='. */
static gchar *split_pair(gchar *word)
{
	gchar *equals = strchr(word, '=');

	if (!equals)
		return NULL;
	*equals = '\0';
	return equals + 1;
}

/* ---- host, task ---- */

typedef struct {
	WpCtfConfig config;
	guint major, minor;
	const gchar *kernel, *without;
} HostOptions;

static gboolean parse_host_option(Parser *parser, HostOptions *options, gchar *key, GError **error)
{
	const gchar *value = split_pair(key);
	WpCtfConfig *config = &options->config;
	gint64 number = 0;

	if (!value)
		return fail(parser, error, "\"%s\" is no option", key);
	if (g_str_equal(key, "tracer"))
		return sscanf(value, "%u.%u", &options->major, &options->minor) == 2 ||
		       fail(parser, error, "tracer=MAJOR.MINOR");
	if (g_str_equal(key, "kernel"))
		options->kernel = value;
	else if (g_str_equal(key, "without"))
		options->without = value;
	else if (g_str_equal(key, "clock"))
		config->clock_uuid = value;
	else if (g_str_equal(key, "order"))
		config->big_endian = g_str_equal(value, "be");
	else if (g_str_equal(key, "layout"))
		config->aligned = g_str_equal(value, "aligned");
	else if (g_str_equal(key, "header"))
		config->compact = g_str_equal(value, "compact");
	else if (!parse_integer(value, &number))
		return fail(parser, error, "%s=%s: no number, or no such option", key, value);
	else if (g_str_equal(key, "cpus"))
		config->n_cpus = (guint)CLAMP(number, 1, 1024);
	else if (g_str_equal(key, "packet"))
		config->packet_size = (gsize)number;
	else if (g_str_equal(key, "offset"))
		config->clock_offset += number;
	else
		return fail(parser, error, "no option %s", key);
	return TRUE;
}

static void choose_classes(Host *host, const HostOptions *options)
{
	const gboolean old = options->major == 2 && options->minor < 6;
	const WpCtfClass *classes = old ? wp_fixture_old_classes : wp_fixture_new_classes;
	const guint n = old ? G_N_ELEMENTS(wp_fixture_old_classes)
			    : G_N_ELEMENTS(wp_fixture_new_classes);
	g_auto(GStrv) without = g_strsplit(options->without, ",", -1);

	for (guint i = 0; i < n; i++) {
		gboolean leave_out = FALSE;

		for (guint w = 0; without[w] && !leave_out; w++)
			leave_out = g_pattern_match_simple(without[w], classes[i].name);
		if (leave_out)
			continue;
		g_hash_table_insert(host->class_ids, (gpointer)classes[i].name,
				    GUINT_TO_POINTER(host->classes->len));
		g_array_append_val(host->classes, classes[i]);
	}
}

static gboolean parse_host(Parser *parser, gchar **words, GError **error)
{
	HostOptions options = {.major = 2, .minor = 13, .kernel = "6.1.0", .without = ""};
	Host *host;
	g_autofree gchar *env = NULL, *directory = NULL;

	if (parser->host && !host_close(g_steal_pointer(&parser->host), error))
		return FALSE;
	if (!words[1])
		return fail(parser, error, "host NAME [OPTION=VALUE...]");
	/* The clock counts from a boot 1000 s before time 0. */
	options.config.n_cpus = 1;
	options.config.clock_offset = WP_FIXTURE_EPOCH - G_GINT64_CONSTANT(1000000000000);
	for (guint i = 2; words[i]; i++)
		if (!parse_host_option(parser, &options, words[i], error))
			return FALSE;
	env = g_strdup_printf("	hostname = \"%s\";\n	domain = \"kernel\";\n"
			      "	sysname = \"Linux\";\n	kernel_release = \"%s\";\n"
			      "	tracer_name = \"lttng-modules\";\n	tracer_major = %u;\n"
			      "	tracer_minor = %u;\n	tracer_patchlevel = 0;\n",
			      words[1], options.kernel, options.major, options.minor);
	options.config.env = env;
	options.config.old = options.major == 2 && options.minor < 8;
	for (guint i = 0; words[1][i]; i++)
		options.config.uuid[i % 16] ^= (guint8)words[1][i];

	host = parser->host = g_new0(Host, 1);
	host->name = g_strdup(words[1]);
	host->n_cpus = options.config.n_cpus;
	host->last = g_new0(gint64, host->n_cpus);
	host->classes = g_array_new(FALSE, FALSE, sizeof(WpCtfClass));
	host->class_ids = g_hash_table_new(g_str_hash, g_str_equal);
	host->tasks = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, task_free);
	choose_classes(host, &options);
	g_ptr_array_add(parser->names, g_strdup(host->name));
	directory = g_build_filename(parser->directory, host->name, NULL);
	host->writer = wp_ctf_writer_new(directory, &options.config,
					 (const WpCtfClass *)(gpointer)host->classes->data,
					 host->classes->len, error);
	return host->writer != NULL;
}

static gboolean parse_task(Parser *parser, gchar **words, GError **error)
{
	gint64 tid;
	Task *task;

	if (!words[1] || !words[2] || !parse_integer(words[1], &tid))
		return fail(parser, error, "task TID COMM [pid=N] [kernel]");
	task = g_new0(Task, 1);
	task->comm = g_strdup(words[2]);
	task->pid = tid;
	g_hash_table_replace(parser->host->tasks, GINT_TO_POINTER((gint)tid), task);
	for (guint i = 3; words[i]; i++) {
		if (g_str_equal(words[i], "kernel"))
			task->kernel = TRUE;
		else if (!g_str_has_prefix(words[i], "pid=") ||
			 !parse_integer(words[i] + 4, &task->pid))
			return fail(parser, error, "task: not \"%s\"", words[i]);
	}
	return TRUE;
}

/* ---- packets ---- */

/* One end of "A:PORT>B:PORT"; IPv6 addresses in brackets; ICMP has no port. */
static gboolean parse_end(const gchar *text, guint8 *version, guint8 address[16], guint16 *port)
{
	const gchar *colon = strrchr(text, ':');
	g_autofree gchar *host = NULL;

	if (*text == '[') {
		const gchar *close = strchr(text, ']');

		if (!close)
			return FALSE;
		host = g_strndup(text + 1, (gsize)(close - text - 1));
		colon = close[1] == ':' ? close + 1 : NULL;
	} else {
		host = colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
	}
	*version = strchr(host, ':') ? 6 : 4;
	if (inet_pton(*version == 4 ? AF_INET : AF_INET6, host, address) != 1)
		return FALSE;
	*port = colon ? (guint16)g_ascii_strtoull(colon + 1, NULL, 10) : 0;
	return TRUE;
}

static guint16 parse_tcp_flags(const gchar *text)
{
	static const gchar letters[] = "FSRPAUEC";
	guint16 flags = 0;

	for (; *text; text++) {
		const gchar *at = strchr(letters, *text);

		if (at)
			flags |= (guint16)(1u << (at - letters));
	}
	return flags;
}

static gboolean parse_packet_option(Parser *parser, WpCtfPacket *packet, gint64 *payload,
				    gint64 *tot_len, gchar *key, GError **error)
{
	gchar *value = split_pair(key);
	gint64 number = 0;

	if (!value)
		return fail(parser, error, "\"%s\" is no field of a packet", key);
	if (g_str_equal(key, "flags")) {
		packet->flags = parse_tcp_flags(value);
		return TRUE;
	}
	if (g_str_equal(key, "echo")) {
		guint id, sequence;

		if (sscanf(value, "%u:%u", &id, &sequence) != 2)
			return fail(parser, error, "echo=ID:SEQUENCE");
		packet->icmp_gateway = id << 16 | (sequence & 0xffff);
		return TRUE;
	}
	if (!parse_integer(value, &number))
		return fail(parser, error, "%s=%s: no number", key, value);
	if (g_str_equal(key, "seq"))
		packet->seq = (guint32)number;
	else if (g_str_equal(key, "ack"))
		packet->ack = (guint32)number;
	else if (g_str_equal(key, "id"))
		packet->ip_id = (guint16)number;
	else if (g_str_equal(key, "frag"))
		packet->frag_off = (guint16)number;
	else if (g_str_equal(key, "window"))
		packet->window = (guint16)number;
	else if (g_str_equal(key, "type"))
		packet->icmp_type = (guint8)number;
	else if (g_str_equal(key, "code"))
		packet->icmp_code = (guint8)number;
	else if (g_str_equal(key, "len"))
		*payload = number;
	else if (g_str_equal(key, "tot"))
		*tot_len = number;
	else
		return fail(parser, error, "a packet has no %s", key);
	return TRUE;
}

/* words[0] is the protocol. *ret_len: the bytes from the network header on. */
static gboolean parse_packet(Parser *parser, gchar **words, WpCtfPacket *packet, gint64 *ret_len,
			     GError **error)
{
	static const struct {
		const gchar *word;
		guint8 protocol, header;
	} protocols[] = {{"tcp", 6, 20}, {"udp", 17, 8}, {"icmp", 1, 8}, {"icmp6", 58, 8}};
	gchar *ends = words[1], *to = ends ? strchr(ends, '>') : NULL;
	gint64 payload = 0, tot_len = -1, header = 8;
	guint8 version = 0;

	memset(packet, 0, sizeof(*packet));
	packet->window = 500;
	for (guint i = 0; i < G_N_ELEMENTS(protocols); i++)
		if (g_str_equal(words[0], protocols[i].word)) {
			packet->protocol = protocols[i].protocol;
			header = protocols[i].header;
		}
	if (!to)
		return fail(parser, error, "%s FROM>TO", words[0]);
	*to++ = '\0';
	if (!parse_end(ends, &packet->version, packet->source, &packet->sport) ||
	    !parse_end(to, &version, packet->destination, &packet->dport) ||
	    version != packet->version)
		return fail(parser, error, "\"%s>%s\" are no two addresses", ends, to);
	if (packet->protocol == 6)
		packet->flags = parse_tcp_flags("A");
	for (guint i = 2; words[i]; i++)
		if (!parse_packet_option(parser, packet, &payload, &tot_len, words[i], error))
			return FALSE;
	packet->udp_len = (guint16)(8 + payload);
	*ret_len = (version == 4 ? 20 : 40) + header + payload;
	if (tot_len < 0)
		tot_len = version == 4 ? *ret_len : *ret_len - 40;
	packet->tot_len = (guint16)tot_len;
	return TRUE;
}

/* ---- events ---- */

typedef struct {
	const WpCtfClass *class;
	guint id, cpu, n_fields;
	gint64 time;
	gchar **fields; /* owned: names, their types cut off */
	gboolean is_text[MAX_FIELDS];
	gboolean given[MAX_FIELDS];
	WpCtfValue values[MAX_FIELDS];
	WpCtfPacket packet;
	gchar swapper[24];
} Event;

static gint find_field(const Event *event, const gchar *name)
{
	for (guint i = 0; i < event->n_fields; i++)
		if (g_str_equal(event->fields[i], name))
			return (gint)i;
	return -1;
}

static void event_init(Event *event, Host *host, guint id)
{
	event->id = id;
	event->class = &g_array_index(host->classes, WpCtfClass, id);
	event->fields = g_strsplit(event->class->fields, " ", -1);
	for (guint i = 0; event->fields[i] && *event->fields[i]; i++) {
		gchar *type = strchr(event->fields[i], ':');

		*type++ = '\0';
		g_assert(i < MAX_FIELDS);
		event->is_text[i] = g_str_equal(type, "text") || g_str_equal(type, "str");
		event->n_fields++;
	}
}

static gint64 integer_of(const Event *event, const gchar *name)
{
	gint i = find_field(event, name);

	return i < 0 ? 0 : event->values[i].i;
}

/* The name of the task whose tid another field gives. */
static const gchar *default_comm(const Host *host, Event *event, gint64 tid)
{
	const Task *task = g_hash_table_lookup(host->tasks, GINT_TO_POINTER((gint)tid));

	if (task)
		return task->comm;
	if (tid != 0)
		return "task";
	g_snprintf(event->swapper, sizeof(event->swapper), "swapper/%u", event->cpu);
	return event->swapper;
}

static gint64 default_pid(const Host *host, gint64 tid)
{
	const Task *task = g_hash_table_lookup(host->tasks, GINT_TO_POINTER((gint)tid));

	return task ? task->pid : tid;
}

/* The values that the line left out: names of tasks, pids, priorities; 0 for others. */
static void fill_default(const Host *host, Event *event, guint i)
{
	const gchar *name = event->fields[i];
	WpCtfValue *value = &event->values[i];
	const Task *task;

	if (g_str_equal(name, "comm") && find_field(event, "tid") >= 0)
		value->s = default_comm(host, event, integer_of(event, "tid"));
	else if (g_str_equal(name, "comm"))
		value->s = default_comm(host, event, integer_of(event, "pid"));
	else if (g_str_equal(name, "prev_comm"))
		value->s = default_comm(host, event, integer_of(event, "prev_tid"));
	else if (g_str_equal(name, "next_comm"))
		value->s = default_comm(host, event, integer_of(event, "next_tid"));
	else if (g_str_equal(name, "parent_comm"))
		value->s = default_comm(host, event, integer_of(event, "parent_tid"));
	else if (g_str_equal(name, "child_comm"))
		value->s = default_comm(host, event, integer_of(event, "child_tid"));
	else if (g_str_equal(name, "name") && find_field(event, "ppid") >= 0)
		value->s = default_comm(host, event, integer_of(event, "tid"));
	else if (g_str_equal(name, "pid") && find_field(event, "tid") >= 0)
		value->i = default_pid(host, integer_of(event, "tid"));
	else if (g_str_equal(name, "parent_pid"))
		value->i = default_pid(host, integer_of(event, "parent_tid"));
	else if (g_str_equal(name, "child_pid"))
		value->i = default_pid(host, integer_of(event, "child_tid"));
	else if (g_str_equal(name, "vtids"))
		value->i = integer_of(event, "child_tid");
	else if (g_str_equal(name, "type") && find_field(event, "ppid") >= 0) {
		task = g_hash_table_lookup(host->tasks,
					   GINT_TO_POINTER((gint)integer_of(event, "tid")));
		value->i = task && task->kernel;
	} else if (g_str_has_suffix(name, "prio"))
		value->i = 20;
	else if (g_str_equal(name, "success"))
		value->i = 1;
	else if (g_str_equal(name, "target_cpu"))
		value->i = event->cpu;
}

static gboolean is_protocol(const gchar *word)
{
	return g_str_equal(word, "tcp") || g_str_equal(word, "udp") || g_str_equal(word, "icmp") ||
	       g_str_equal(word, "icmp6");
}

static gboolean parse_fields(Parser *parser, Event *event, gchar **words, GError **error)
{
	for (guint w = 0; words[w]; w++) {
		gchar *value;
		gint i;

		if (is_protocol(words[w])) {
			gint64 length = 0;
			gint packet = find_field(event, "packet"), len = find_field(event, "len");

			if (packet < 0)
				return fail(parser, error, "%s carries no packet",
					    event->class->name);
			if (!parse_packet(parser, words + w, &event->packet, &length, error))
				return FALSE;
			event->values[packet].packet = &event->packet;
			/* A packet to be sent has its Ethernet header already. */
			if (!event->given[len])
				event->values[len].i = length + (g_str_equal(event->class->name,
									     "net_dev_queue")
									 ? 14
									 : 0);
			return TRUE;
		}
		value = split_pair(words[w]);
		i = find_field(event, words[w]);
		if (!value || i < 0)
			return fail(parser, error, "%s has no field \"%s\"", event->class->name,
				    words[w]);
		event->given[i] = TRUE;
		if (event->is_text[i])
			event->values[i].s = value;
		else if (!parse_integer(value, &event->values[i].i))
			return fail(parser, error, "%s=%s: no number", words[w], value);
	}
	return TRUE;
}

static gboolean parse_event(Parser *parser, gchar **words, GError **error)
{
	Host *host = parser->host;
	Event event = {0};
	gint64 cpu, time;
	gpointer id;
	gboolean good;

	if (!wp_fixture_parse_time(words[0], &time) || !words[1] ||
	    !parse_integer(words[1], &cpu) || !words[2])
		return fail(parser, error, "not TIME CPU EVENT [FIELD=VALUE...]");
	if (cpu < 0 || cpu >= host->n_cpus)
		return fail(parser, error, "%s has no CPU %s", host->name, words[1]);
	if (time < host->last[cpu])
		return fail(parser, error, "time goes back on CPU %s", words[1]);
	host->last[cpu] = time;
	/* The clock's values count from a boot 1000 s before time 0. */
	event.time = time + G_GINT64_CONSTANT(1000000000000);
	event.cpu = (guint)cpu;
	if (g_str_equal(words[2], "lost")) {
		gint64 n;

		if (!words[3] || !parse_integer(words[3], &n))
			return fail(parser, error, "lost COUNT");
		return wp_ctf_writer_lose(host->writer, event.cpu, (guint64)event.time, (guint64)n,
					  error);
	}
	if (!g_hash_table_lookup_extended(host->class_ids, words[2], NULL, &id))
		return fail(parser, error, "this tracer has no event %s", words[2]);
	event_init(&event, host, GPOINTER_TO_UINT(id));
	good = parse_fields(parser, &event, words + 3, error);
	for (guint i = 0; good && i < event.n_fields; i++)
		if (!event.given[i])
			fill_default(host, &event, i);
	good = good && wp_ctf_writer_event(host->writer, event.cpu, (guint64)event.time, event.id,
					   event.values, error);
	g_strfreev(event.fields);
	return good;
}

static gboolean parse_line(Parser *parser, gchar *line, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	gchar *word, *hash = strchr(line, '#'), *rest = NULL;

	if (hash)
		*hash = '\0';
	for (word = strtok_r(line, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest))
		g_ptr_array_add(words, word);
	if (words->len == 0)
		return TRUE;
	g_ptr_array_add(words, NULL);
	if (g_str_equal(words->pdata[0], "host"))
		return parse_host(parser, (gchar **)words->pdata, error);
	if (!parser->host)
		return fail(parser, error, "a host line must come first");
	if (g_str_equal(words->pdata[0], "task"))
		return parse_task(parser, (gchar **)words->pdata, error);
	return parse_event(parser, (gchar **)words->pdata, error);
}

gchar **wp_fixture_write(const gchar *path, const gchar *directory, GError **error)
{
	g_autofree gchar *text = NULL;
	Parser parser = {path, directory, NULL, NULL, 0};
	gchar *rest, *line;
	GError *first = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return NULL;
	parser.names = g_ptr_array_new_with_free_func(g_free);
	rest = text;
	while (!first && (line = strsep(&rest, "\n"))) {
		parser.line++;
		parse_line(&parser, line, &first);
	}
	if (parser.host)
		host_close(parser.host, first ? NULL : &first);
	if (!first && parser.names->len == 0) {
		fail(&parser, &first, "no host line");
	}
	if (first) {
		g_propagate_error(error, first);
		g_ptr_array_unref(parser.names);
		return NULL;
	}
	g_ptr_array_add(parser.names, NULL);
	return (gchar **)g_ptr_array_free(parser.names, FALSE);
}
