# SPDX-License-Identifier: MIT
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	LC_ALL=C.UTF-8 TZ=UTC G_DEBUG=fatal-criticals \
	G_TEST_SRCDIR='$(abs_top_srcdir)/tests' G_TEST_BUILDDIR='$(abs_top_builddir)/tests' \
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)'; \
	export LC_ALL TZ G_DEBUG G_TEST_SRCDIR G_TEST_BUILDDIR top_srcdir top_builddir;

# A unit test: one line in test_programs and its sources below.
test_programs = \
	tests/test-base \
	tests/test-out
check_PROGRAMS += $(test_programs)
TESTS += $(test_programs)
test_ldadd = libwaitpath.la $(GLIB_LIBS)

tests_test_base_SOURCES = tests/test-base.c
tests_test_base_LDADD = $(test_ldadd)

tests_test_out_SOURCES = tests/test-out.c
tests_test_out_LDADD = $(test_ldadd)
