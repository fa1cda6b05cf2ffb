/* SPDX-License-Identifier: MIT */
/* test-late-library.c: a library is there, is not, or lacks a function. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/late-library.h"

#ifndef WP_LATE_LIBRARIES
#define WP_SONAME_XML NULL
#endif

typedef struct {
	int (*compare)(const void *, const void *); /* xmlStrcmp() */
	int (*length)(const void *); /* xmlStrlen() */
} Functions;

static const gchar *const names[] = {"xmlStrcmp", "xmlStrlen"};

static WpLateLibrary library_init(Functions *functions)
{
	return (WpLateLibrary){
		.soname = WP_SONAME_XML,
		.package = "a-package",
		.user = "This test",
		.names = names,
		.functions = functions,
		.n = G_N_ELEMENTS(names),
		.mutex = WP_MUTEX_INIT,
	};
}

static void test_there(void)
{
	g_autoptr(GError) error = NULL;
	Functions functions = {NULL, NULL};
	WpLateLibrary library = library_init(&functions);

	g_assert_true(wp_late_library_load(&library, &error));
	g_assert_no_error(error);
	g_assert_cmpint(functions.length("seven"), ==, 5);
	g_assert_cmpint(functions.compare("a", "b"), <, 0);
	g_assert_cmpint(functions.compare("b", "b"), ==, 0);
	/* Once more: nothing is looked for any longer. */
	library.soname = "libwaitpath-no-such.so.1";
	g_assert_true(wp_late_library_load(&library, &error));
}

static void test_not_there(void)
{
	g_autoptr(GError) error = NULL;
	Functions functions = {NULL, NULL};
	WpLateLibrary library = library_init(&functions);

	library.soname = "libwaitpath-no-such.so.1";
	g_assert_false(wp_late_library_load(&library, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_true(g_str_has_prefix(error->message,
				       "This test needs libwaitpath-no-such.so.1, which could not "
				       "be loaded: "));
	g_assert_true(g_str_has_suffix(error->message, "; install it (Debian: a-package)."));
	g_assert_null(functions.length);
	/* Who asks again is told again. */
	g_clear_error(&error);
	g_assert_false(wp_late_library_load(&library, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
}

static void test_lacks_function(void)
{
	static const gchar *const others[] = {"xmlStrcmp", "xmlNoSuchFunction"};
	g_autoptr(GError) error = NULL;
	Functions functions = {NULL, NULL};
	WpLateLibrary library = library_init(&functions);

	library.names = others;
	g_assert_false(wp_late_library_load(&library, &error));
	g_assert_error(error, WP_ERROR, WP_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, "xmlNoSuchFunction"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	if (!WP_SONAME_XML) {
		g_print("1..0 # SKIP libraries are linked\n");
		return 0;
	}
	g_test_add_func("/late-library/there", test_there);
	g_test_add_func("/late-library/not-there", test_not_there);
	g_test_add_func("/late-library/lacks-function", test_lacks_function);
	return g_test_run();
}
