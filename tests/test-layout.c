/* SPDX-License-Identifier: MIT */
/* test-layout.c: what the layouts make of event names of all tracer generations, and bad files. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "event/layout.h"

/* An event name, the kind it means, and what one slot of it comes from. */
typedef struct {
	const gchar *name;
	WpEventKind kind;
	gint slot; /* -1: none to check */
	const gchar *path; /* one of its alternatives, NULL: a constant */
	const gchar *constant;
} NameRow;

static const NameRow name_rows[] = {
	/* LTTng 2.6 and later */
	{"sched_switch", WP_EV_SCHED_SWITCH, WP_SCHED_SWITCH_NEXT_TID, "next_tid", NULL},
	{"sched_waking", WP_EV_SCHED_WAKING, WP_SCHED_WAKING_TARGET_CPU, "target_cpu", NULL},
	{"irq_softirq_raise", WP_EV_SOFTIRQ_RAISE, WP_SOFTIRQ_RAISE_VEC, "vec", NULL},
	{"timer_hrtimer_expire_entry", WP_EV_HRTIMER_ENTRY, WP_HRTIMER_ENTRY_TIMER, "hrtimer",
	 NULL},
	{"timer_expire_exit", WP_EV_TIMER_EXIT, WP_TIMER_EXIT_TIMER, "timer", NULL},
	{"net_if_receive_skb", WP_EV_NET_RECEIVE, WP_NET_RECEIVE_SADDR, "network_header/ipv6/saddr",
	 NULL},
	{"net_dev_queue", WP_EV_NET_QUEUE, WP_NET_QUEUE_SPORT,
	 "network_header/ipv4/transport_header/udp/source_port", NULL},
	{"net_if_receive_skb_list_entry", WP_EV_NET_ENTRY, WP_NET_ENTRY_SKB, "skbaddr", NULL},
	{"net_napi_gro_receive_exit", WP_EV_NET_EXIT, -1, NULL, NULL},
	{"x86_irq_vectors_call_function_single_exit", WP_EV_VECTOR_EXIT, WP_VECTOR_EXIT_NAME, NULL,
	 "call_function_single"},
	{"workqueue_execute_start", WP_EV_WORK_START, WP_WORK_START_FUNCTION, "function", NULL},
	{"syscall_entry_read", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_NAME, NULL, "read"},
	{"compat_syscall_entry_openat", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_NAME, NULL, "openat"},
	{"syscall_entry_unknown", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_ID, "id", NULL},
	{"syscall_exit_read", WP_EV_SYSCALL_EXIT, WP_SYSCALL_EXIT_RET, "ret", NULL},
	{"lttng_statedump_block_device", WP_EV_DUMP_BLOCK, WP_DUMP_BLOCK_NAME, "diskname", NULL},
	{"lttng_statedump_network_interface", WP_EV_DUMP_NETIF, WP_DUMP_NETIF_ADDRESS,
	 "address_ipv4", NULL},
	{"lttng_statedump_end", WP_EV_DUMP_END, -1, NULL, NULL},
	/* LTTng 2.0 to 2.5 and modules of that time */
	{"softirq_entry", WP_EV_SOFTIRQ_ENTRY, WP_SOFTIRQ_ENTRY_VEC, "vec", NULL},
	{"hrtimer_expire_exit", WP_EV_HRTIMER_EXIT, WP_HRTIMER_EXIT_TIMER, "hrtimer", NULL},
	{"netif_receive_skb", WP_EV_NET_RECEIVE, WP_NET_RECEIVE_SKB, "skbaddr", NULL},
	{"netif_rx", WP_EV_NET_RECEIVE, WP_NET_RECEIVE_DEV, "name", NULL},
	{"sys_read", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_NAME, NULL, "read"},
	{"sys_exit_group", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_NAME, NULL, "exit_group"},
	{"sys_unknown", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_ID, "id", NULL},
	{"exit_syscall", WP_EV_SYSCALL_EXIT, WP_SYSCALL_EXIT_RET, "ret", NULL},
	{"sched_ttwu", WP_EV_SCHED_WAKING, WP_SCHED_WAKING_TID, "tid", NULL},
	{"inet_sock_local_in", WP_EV_SOCK_IN, WP_SOCK_IN_ACK, "ack_seq", NULL},
	/* perf's CTF export, and ftrace */
	{"sched:sched_switch", WP_EV_SCHED_SWITCH, WP_SCHED_SWITCH_PREV_TID, "prev_pid", NULL},
	{"irq_vectors:reschedule_entry", WP_EV_VECTOR_ENTRY, WP_VECTOR_ENTRY_NAME, NULL,
	 "reschedule"},
	{"local_timer_entry", WP_EV_VECTOR_ENTRY, WP_VECTOR_ENTRY_NAME, NULL, "local_timer"},
	{"sys_enter", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_ID, "id", NULL},
	{"sys_enter_futex", WP_EV_SYSCALL_ENTRY, WP_SYSCALL_ENTRY_NAME, NULL, "futex"},
	{"syscalls:sys_exit_futex", WP_EV_SYSCALL_EXIT, WP_SYSCALL_EXIT_RET, "ret", NULL},
};

static WpLayout *layout_new(void)
{
	g_autoptr(GError) error = NULL;
	WpLayout *layout = wp_layout_new(&error);

	g_assert_no_error(error);
	return layout;
}

static const WpLayoutSlot *find_slot(const WpLayoutEvent *event, guint number)
{
	for (guint i = 0; i < event->n_slots; i++)
		if (event->slots[i].slot == number)
			return &event->slots[i];
	return NULL;
}

static void test_names(void)
{
	g_autoptr(WpLayout) layout = layout_new();

	for (guint i = 0; i < G_N_ELEMENTS(name_rows); i++) {
		const NameRow *row = &name_rows[i];
		const WpLayoutEvent *event = wp_layout_find(layout, row->name, NULL);

		g_test_message("%s", row->name);
		g_assert_nonnull(event);
		g_assert_cmpstr(wp_event_kind_name(event->kind), ==, wp_event_kind_name(row->kind));
		g_assert_true(event == wp_layout_find(layout, row->name, NULL));
		if (row->slot < 0)
			continue;

		const WpLayoutSlot *slot = find_slot(event, (guint)row->slot);

		g_assert_nonnull(slot);
		if (row->path)
			g_assert_true(
				g_strv_contains((const gchar *const *)slot->paths, row->path));
		else
			g_assert_cmpstr(slot->constant, ==, row->constant);
	}
	g_assert_null(wp_layout_find(layout, "kmem_kfree", NULL));
	g_assert_null(wp_layout_find(layout, "", NULL));
	/* The pattern's parts may not overlap in the name. */
	g_assert_null(wp_layout_find(layout, "x86_irq_vectors_entry", NULL));
}

/* ftrace's child_pid is a thread, so it may only count as a process beside child_tid. */
static void test_beside_and_label(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	const WpLayoutEvent *fork = wp_layout_find(layout, "sched_process_fork", NULL);
	const WpLayoutEvent *sched = wp_layout_find(layout, "sched_switch", NULL);

	g_assert_cmpstr(find_slot(fork, WP_SCHED_FORK_CHILD_PID)->beside, ==, "child_tid");
	g_assert_null(find_slot(fork, WP_SCHED_FORK_CHILD_TID)->beside);
	g_assert_cmpint(find_slot(sched, WP_SCHED_SWITCH_PREV_STATE)->source, ==, WP_LAYOUT_FIELD);
	g_assert_cmpint(find_slot(sched, WP_SCHED_SWITCH_PREV_STATE_LABEL)->source, ==,
			WP_LAYOUT_LABEL);
}

static void test_cpu_fields(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	const gchar *const *fields = wp_layout_get_cpu_fields(layout);

	g_assert_cmpuint(g_strv_length((gchar **)fields), ==, 2);
	g_assert_cmpstr(fields[0], ==, "cpu_id");
	g_assert_cmpstr(fields[1], ==, "perf_cpu");
}

static void test_markers(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	const WpLayoutEvent *marker = NULL;

	g_assert_null(wp_layout_find(layout, "app:request_begin", &marker));
	g_assert_null(marker);
	wp_layout_add_marker(layout, "app:request_*", "request/id");
	wp_layout_add_marker(layout, "sched_switch", NULL);

	g_assert_null(wp_layout_find(layout, "app:request_begin", &marker));
	g_assert_cmpint(marker->kind, ==, WP_EV_MARKER);
	g_assert_cmpstr(find_slot(marker, WP_MARKER_NAME)->constant, ==, "app:request_begin");
	g_assert_cmpstr(find_slot(marker, WP_MARKER_ID)->paths[0], ==, "request/id");
	g_assert_cmpstr(find_slot(marker, WP_MARKER_VTID)->paths[0], ==, "vtid");

	/* Beside an ordinary kind. */
	const WpLayoutEvent *event = wp_layout_find(layout, "sched_switch", &marker);
	g_assert_cmpint(event->kind, ==, WP_EV_SCHED_SWITCH);
	g_assert_cmpint(marker->kind, ==, WP_EV_MARKER);
	g_assert_null(find_slot(marker, WP_MARKER_ID));
}

/* Adds a file with this text; NULL when it was taken, else the error's message. */
static gchar *add_text(WpLayout *layout, const gchar *text, gssize size)
{
	g_autoptr(GError) error = NULL;
	g_autofree gchar *path = NULL;
	gint fd = g_file_open_tmp("waitpath-layout-XXXXXX", &path, &error);
	gboolean ok;

	g_assert_no_error(error);
	g_close(fd, NULL);
	g_assert_true(g_file_set_contents(path, text, size, NULL));
	ok = wp_layout_add_file(layout, path, &error);
	g_assert_true(ok == (error == NULL));
	if (error) {
		g_assert_true(error->domain == WP_ERROR);
		g_assert_true(g_str_has_prefix(error->message, path));
		g_assert_true(g_str_has_suffix(error->message, "."));
	}
	g_assert_cmpint(g_unlink(path), ==, 0);
	return error ? g_strdup(error->message) : NULL;
}

static void test_file_wins(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *message = NULL;
	const WpLayoutEvent *event;

	g_assert_nonnull(wp_layout_find(layout, "sched_switch", NULL));
	message = add_text(
		layout,
		"<layouts>\n"
		"<cpu field='processor'/>\n"
		"<slots name='s'><slot name='vec' field='number'/></slots>\n"
		"<event kind='softirq-entry' name='sched_switch mine_*' slots='s'/>\n"
		"<event kind='net-exit' name='m*'><slot name='ret' value='-3'/></event>\n"
		"</layouts>\n",
		-1);
	g_assert_cmpstr(message, ==, NULL);
	event = wp_layout_find(layout, "sched_switch", NULL);
	g_assert_cmpint(event->kind, ==, WP_EV_SOFTIRQ_ENTRY);
	g_assert_cmpstr(event->slots[0].paths[0], ==, "number");
	/* Of two patterns the first, though the second fits as well. */
	g_assert_cmpint(wp_layout_find(layout, "mine_1", NULL)->kind, ==, WP_EV_SOFTIRQ_ENTRY);
	g_assert_cmpint(wp_layout_find(layout, "my", NULL)->kind, ==, WP_EV_NET_EXIT);
	g_assert_cmpstr(wp_layout_find(layout, "my", NULL)->slots[0].constant, ==, "-3");
	g_assert_cmpint(wp_layout_find(layout, "sched_waking", NULL)->kind, ==, WP_EV_SCHED_WAKING);

	const gchar *const *fields = wp_layout_get_cpu_fields(layout);
	g_assert_cmpstr(fields[0], ==, "processor");
	g_assert_cmpstr(fields[1], ==, "cpu_id");
	g_assert_cmpuint(g_strv_length((gchar **)fields), ==, 3);
}

/* A file's text, the line that is wrong, and a word of the message. */
typedef struct {
	const gchar *text;
	gint line;
	const gchar *word;
} BadRow;

#define EVENT(attributes, slots) "<layouts>\n<event " attributes ">\n" slots "</event></layouts>"

static const BadRow bad_rows[] = {
	{"", 1, ""},
	{"<layouts>\n<cpu>", 2, ""},
	{"<layouts>\n\n<what/></layouts>", 3, "what"},
	{"<layouts><cpu/></layouts>", 1, "field"},
	{"<!DOCTYPE layouts [<!ENTITY a 'b'>]>\n<layouts/>", 1, "document type"},
	{"<!DOCTYPE layouts SYSTEM 'file:///etc/passwd'>\n<layouts/>", 1, "document type"},
	{EVENT("kind='no-such' name='a'", ""), 2, "no-such"},
	{EVENT("kind='lost' name='a'", ""), 2, "lost"},
	{EVENT("kind='marker' name='a'", ""), 2, "marker"},
	{EVENT("kind='irq-exit' name='a*b*'", ""), 2, "name"},
	{EVENT("kind='irq-exit' name='a a'", ""), 2, "twice"},
	{EVENT("kind='irq-exit' name='a' slots='none'", ""), 2, "group"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='x' field='y'/>"), 3, "\"x\""},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq'/>"), 3, "exactly one"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq' field='y' value='1'/>"), 3,
	 "exactly one"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq' field=''/>"), 3, "field"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq' field='a//b'/>"), 3, "field"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq' value='one'/>"), 3, "number"},
	{EVENT("kind='irq-exit' name='a*'", "<slot name='irq' match='1'/>"), 3, "text"},
	{EVENT("kind='irq-exit' name='a'", "<slot name='irq' field='a' as='label'/>"), 3, "label"},
	{EVENT("kind='vector-exit' name='a'", "<slot name='name' match='1'/>"), 2, "no *"},
	{EVENT("kind='dump-netif' name='a'", "<slot name='address' value='1'/>"), 3, "constant"},
	{EVENT("kind='irq-exit' name='a'",
	       "<slot name='irq' field='a'/>\n<slot name='irq' field='b'/>"),
	 4, "twice"},
};

static void test_bad_files(void)
{
	g_autoptr(WpLayout) layout = layout_new();

	for (guint i = 0; i < G_N_ELEMENTS(bad_rows); i++) {
		g_autofree gchar *message = add_text(layout, bad_rows[i].text, -1);
		g_autofree gchar *line = g_strdup_printf("line %d:", bad_rows[i].line);

		g_test_message("%s", message);
		g_assert_nonnull(message);
		g_assert_nonnull(strstr(message, line));
		g_assert_nonnull(strstr(message, bad_rows[i].word));
	}
	/* Nothing of a bad file stays. */
	g_assert_null(wp_layout_find(layout, "a", NULL));
}

static void test_limits(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = g_string_new("<layouts>");
	g_autofree gchar *message = NULL;

	while (text->len <= 1024 * 1024 - 10)
		g_string_append_c(text, ' ');
	g_string_append(text, "</layouts>");
	g_assert_cmpuint(text->len, >, 1024 * 1024 - 1);
	message = add_text(layout, text->str, (gssize)text->len);
	g_assert_nonnull(strstr(message, "1 MiB"));

	g_assert_false(wp_layout_add_file(layout, "/nonexistent/layout.xml", &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
	g_clear_error(&error);
	g_assert_false(wp_layout_add_file(layout, g_get_tmp_dir(), &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_USAGE);
}

/* Whatever bytes a file holds, it is refused or taken, and the built-in ones stay. */
static void test_garbage(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autoptr(GRand) rand = g_rand_new_with_seed(11);
	const gchar *good = EVENT("kind='irq-exit' name='a'", "<slot name='irq' field='y'/>");

	for (guint i = 0; i < 300; i++) {
		g_autofree gchar *text = g_strdup(good);
		g_autofree gchar *message = NULL;

		for (gint n = g_rand_int_range(rand, 1, 4); n > 0; n--)
			text[g_rand_int_range(rand, 0, (gint)strlen(good))] = (gchar)
				g_rand_int_range(rand, 1, 128);
		message = add_text(layout, text, -1);
	}
	g_assert_nonnull(wp_layout_find(layout, "sched_waking", NULL));
}

/* Around a word, and between words, blanks mean nothing; in a constant they do. */
static void test_blanks(void)
{
	g_autoptr(WpLayout) layout = layout_new();
	g_autofree gchar *message = NULL;
	const WpLayoutEvent *event;

	message = add_text(
		layout,
		"<layouts>\n"
		"<slots name='s '><slot name='tid' field=' a\n b&#9;c '/></slots>\n"
		"<event kind=' sched-waking' name=' mine_1\t&#10;mine_2 ' slots='  s'>"
		"<slot name=' comm ' field=' d ' beside=' e ' as=' label '/></event>\n"
		"<event kind='vector-exit' name='mine_3'><slot name='name' value=' x '/></event>\n"
		"</layouts>\n",
		-1);
	g_assert_cmpstr(message, ==, NULL);
	event = wp_layout_find(layout, "mine_2", NULL);
	g_assert_true(event == wp_layout_find(layout, "mine_1", NULL));
	g_assert_cmpint(event->kind, ==, WP_EV_SCHED_WAKING);
	g_assert_cmpuint(event->n_slots, ==, 2);
	g_assert_cmpuint(g_strv_length(event->slots[0].paths), ==, 3);
	g_assert_cmpstr(event->slots[0].paths[0], ==, "a");
	g_assert_cmpstr(event->slots[0].paths[1], ==, "b");
	g_assert_cmpstr(event->slots[0].paths[2], ==, "c");
	g_assert_cmpint(event->slots[1].source, ==, WP_LAYOUT_LABEL);
	g_assert_cmpstr(event->slots[1].paths[0], ==, "d");
	g_assert_cmpstr(event->slots[1].beside, ==, "e");
	g_assert_cmpstr(wp_layout_find(layout, "mine_3", NULL)->slots[0].constant, ==, " x ");
}

static void assert_same_event(const WpLayoutEvent *a, const WpLayoutEvent *b)
{
	g_assert_nonnull(a);
	g_assert_nonnull(b);
	g_assert_true(a != b);
	g_assert_cmpint(a->kind, ==, b->kind);
	g_assert_cmpuint(a->n_slots, ==, b->n_slots);
	for (guint i = 0; i < a->n_slots; i++) {
		const WpLayoutSlot *x = &a->slots[i], *y = &b->slots[i];

		g_assert_cmpuint(x->slot, ==, y->slot);
		g_assert_cmpint(x->type, ==, y->type);
		g_assert_cmpint(x->source, ==, y->source);
		g_assert_cmpstr(x->beside, ==, y->beside);
		g_assert_cmpstr(x->constant, ==, y->constant);
		g_assert_true(!x->paths == !y->paths);
		if (x->paths)
			g_assert_cmpstrv(x->paths, y->paths);
	}
}

/* What a reading of layouts.xml by GLib's parser finds is asked of both layouts. */
typedef struct {
	WpLayout *built_in, *file; /* borrowed */
	guint n_names;
} Both;

static void on_element(GMarkupParseContext *context, const gchar *element, const gchar **names,
		       const gchar **values, gpointer data, GError **error)
{
	Both *both = data;

	(void)context;
	(void)error;
	for (guint i = 0; g_str_equal(element, "event") && names[i]; i++) {
		g_auto(GStrv) words = NULL;

		if (!g_str_equal(names[i], "name"))
			continue;
		words = g_strsplit_set(values[i], " \n", -1);
		for (guint j = 0; words[j]; j++) {
			if (!words[j][0])
				continue;

			g_auto(GStrv) parts = g_strsplit(words[j], "*", 2);
			g_autofree gchar *name = g_strjoinv("anything", parts);

			assert_same_event(wp_layout_find(both->built_in, name, NULL),
					  wp_layout_find(both->file, name, NULL));
			both->n_names++;
		}
	}
}

/*
 * The built-in layouts were made of layouts.xml when the library was built: that file is valid,
 * and read as a user's it means the same.
 */
static void test_built_in(void)
{
	g_autofree gchar *path = g_test_build_filename(G_TEST_DIST, "..", "src", "event",
						       "layouts.xml", NULL);
	const GMarkupParser parser = {.start_element = on_element};
	g_autoptr(GMarkupParseContext) context = NULL;
	g_autoptr(WpLayout) built_in = layout_new();
	g_autoptr(WpLayout) file = layout_new();
	g_autoptr(GError) error = NULL;
	g_autofree gchar *text = NULL;
	Both both = {built_in, file, 0};
	const gchar *const *fields;
	gsize size;

	g_assert_true(wp_layout_add_file(file, path, &error));
	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(path, &text, &size, NULL));
	context = g_markup_parse_context_new(&parser, 0, &both, NULL);
	g_assert_true(g_markup_parse_context_parse(context, text, (gssize)size, &error));
	g_assert_no_error(error);
	g_assert_cmpuint(both.n_names, >, 150);

	/* Those of the file before the built-in ones. */
	fields = wp_layout_get_cpu_fields(file);
	g_assert_cmpuint(g_strv_length((gchar **)fields), ==, 4);
	for (guint i = 0; i < 2; i++)
		g_assert_cmpstr(fields[i], ==, wp_layout_get_cpu_fields(built_in)[i]);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/layout/names", test_names);
	g_test_add_func("/layout/built-in", test_built_in);
	g_test_add_func("/layout/beside-and-label", test_beside_and_label);
	g_test_add_func("/layout/cpu-fields", test_cpu_fields);
	g_test_add_func("/layout/markers", test_markers);
	g_test_add_func("/layout/file-wins", test_file_wins);
	g_test_add_func("/layout/blanks", test_blanks);
	g_test_add_func("/layout/bad-files", test_bad_files);
	g_test_add_func("/layout/limits", test_limits);
	g_test_add_func("/layout/garbage", test_garbage);
	return g_test_run();
}
