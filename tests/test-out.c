/* SPDX-License-Identifier: MIT */
/* test-out.c: the report buffer and the JSON writer, against text written by hand. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/out.h"

typedef struct {
	GString *text; /* owned */
	WpOut *out;    /* owned */
	WpJson json;
} Fixture;

static void setup(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	f->text = g_string_new(NULL);
	f->out = wp_out_new_string(f->text);
	wp_json_init(&f->json, f->out);
}

static void teardown(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	wp_out_free(f->out);
	g_string_free(f->text, TRUE);
}

static void assert_text(Fixture *f, const gchar *expected)
{
	g_autoptr(GError) error = NULL;

	g_assert_true(wp_out_finish(f->out, &error));
	g_assert_no_error(error);
	g_assert_cmpstr(f->text->str, ==, expected);
}

static void test_numbers(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	wp_out_int(f->out, 0);
	wp_out_putc(f->out, ' ');
	wp_out_int(f->out, G_MININT64);
	wp_out_putc(f->out, ' ');
	wp_out_int(f->out, G_MAXINT64);
	wp_out_putc(f->out, ' ');
	wp_out_uint(f->out, G_MAXUINT64);
	wp_out_printf(f->out, " %s %d", "x", -5);
	wp_out_repeat(f->out, "ab", 3);
	assert_text(f, "0 -9223372036854775808 9223372036854775807 18446744073709551615 x -5"
		       "ababab");
}

/* Texts around the buffer's size in every split: what comes out is what went in. */
static void test_longer_than_buffer(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	g_autoptr(GString) expected = g_string_new(NULL);

	for (guint n = 65530; n < 65543; n++) {
		g_autofree gchar *text = g_strnfill(n, (gchar)('a' + n % 26));

		wp_out_put(f->out, text);
		wp_out_putc(f->out, '.');
		g_string_append(expected, text);
		g_string_append_c(expected, '.');
	}
	assert_text(f, expected->str);
}

static gboolean refuse(gpointer data, G_GNUC_UNUSED const gchar *bytes, G_GNUC_UNUSED gsize n,
		       GError **error)
{
	guint *calls = data;

	++*calls;
	g_set_error(error, WP_ERROR, WP_ERROR_FAILED, "no. %u", *calls);
	return FALSE;
}

static void test_first_error_sticks(void)
{
	guint calls = 0;
	WpOut *out = wp_out_new(refuse, &calls);
	g_autofree gchar *text = g_strnfill(200000, 'x');
	g_autoptr(GError) error = NULL;

	wp_out_put(out, text);
	wp_out_put(out, text);
	g_assert_false(wp_out_finish(out, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_cmpstr(error->message, ==, "no. 1");
	g_assert_cmpuint(calls, ==, 1);
	wp_out_free(out);
}

static void test_fd(void)
{
	int fds[2];
	gchar read_back[16] = "";
	g_autoptr(GError) error = NULL;

	g_assert_cmpint(pipe(fds), ==, 0);
	WpOut *out = wp_out_new_fd(fds[1]);
	wp_out_put(out, "hello");
	g_assert_true(wp_out_finish(out, &error));
	g_assert_cmpint(read(fds[0], read_back, sizeof(read_back)), ==, 5);
	g_assert_cmpstr(read_back, ==, "hello");

	/* The reader goes: said as such, and no signal. */
	signal(SIGPIPE, SIG_IGN);
	close(fds[0]);
	wp_out_put(out, "more");
	g_assert_false(wp_out_finish(out, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_BROKEN_PIPE);
	g_clear_error(&error);
	wp_out_free(out);
	close(fds[1]);

	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	if (full < 0) {
		g_test_skip("no /dev/full");
		return;
	}
	out = wp_out_new_fd(full);
	wp_out_put(out, "x");
	g_assert_false(wp_out_finish(out, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, g_strerror(ENOSPC)));
	wp_out_free(out);
	close(full);
}

static void test_json_layout(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpJson *json = &f->json;

	wp_json_begin_object(json, NULL, WP_JSON_BLOCK);
	wp_json_string(json, "schema", "x/1");
	wp_json_begin_object(json, "empty", WP_JSON_BLOCK);
	wp_json_end_object(json);
	wp_json_begin_array(json, "rows", WP_JSON_BLOCK);
	for (gint i = 0; i < 2; i++) {
		wp_json_begin_object(json, NULL, WP_JSON_LINE);
		wp_json_int(json, "i", i);
		wp_json_begin_array(json, "in", WP_JSON_BLOCK);
		wp_json_bool(json, NULL, TRUE);
		wp_json_null(json, NULL);
		wp_json_end_array(json);
		wp_json_end_object(json);
	}
	wp_json_end_array(json);
	wp_json_uint(json, "last", 3);
	wp_json_end_object(json);
	wp_json_finish(json);
	assert_text(f, "{\n"
		       "  \"schema\": \"x/1\",\n"
		       "  \"empty\": {},\n"
		       "  \"rows\": [\n"
		       "    {\"i\": 0, \"in\": [true, null]},\n"
		       "    {\"i\": 1, \"in\": [true, null]}\n"
		       "  ],\n"
		       "  \"last\": 3\n"
		       "}\n");
}

static void test_json_texts(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpJson *json = &f->json;

	wp_json_begin_array(json, NULL, WP_JSON_LINE);
	wp_json_string(json, NULL, "a\"b\\c/\x01\n\x7f");
	wp_json_string(json, NULL, "gr\xc3\xbc\xc3\x9f");
	wp_json_string(json, NULL, "cut\xc3");
	wp_json_string(json, NULL, NULL);
	wp_json_string(json, NULL, "");
	wp_json_end_array(json);
	assert_text(f, "[\"a\\\"b\\\\c/\\u0001\\u000a\\u007f\", \"gr\xc3\xbc\xc3\x9f\", "
		       "\"cut\xef\xbf\xbd\", null, \"\"]");
}

static void test_json_doubles(Fixture *f, G_GNUC_UNUSED gconstpointer data)
{
	WpJson *json = &f->json;

	wp_json_begin_array(json, NULL, WP_JSON_LINE);
	wp_json_double(json, NULL, 0.1);
	wp_json_double(json, NULL, 5.0 / 9);
	wp_json_double(json, NULL, 0.1 + 0.2);
	wp_json_double(json, NULL, -60.0);
	wp_json_double(json, NULL, 1e300);
	wp_json_double(json, NULL, INFINITY);
	wp_json_double(json, NULL, NAN);
	wp_json_end_array(json);
	assert_text(f, "[0.1, 0.5555555555555556, 0.30000000000000004, -60, 1e+300, null, null]");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/out/numbers", Fixture, NULL, setup, test_numbers, teardown);
	g_test_add("/out/longer-than-buffer", Fixture, NULL, setup, test_longer_than_buffer,
		   teardown);
	g_test_add_func("/out/first-error-sticks", test_first_error_sticks);
	g_test_add_func("/out/fd", test_fd);
	g_test_add("/json/layout", Fixture, NULL, setup, test_json_layout, teardown);
	g_test_add("/json/texts", Fixture, NULL, setup, test_json_texts, teardown);
	g_test_add("/json/doubles", Fixture, NULL, setup, test_json_doubles, teardown);
	return g_test_run();
}
