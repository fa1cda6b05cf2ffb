# SPDX-License-Identifier: MIT
#
# Recorded runs with known answers, what checks them, and what records them.
EXTRA_DIST += doc/ACCURACY.md doc/CASES.md traces/README.md traces/samples traces/truth traces/truth-check.py \
	traces/demo.sh

# make truth: the accuracy report, over the samples and over all other recordings at hand:
# WAITPATH_SHARED's and those in the folders of TRUTH.
TRUTH =
truth: waitpath
	@shared=$${WAITPATH_SHARED:-$(abs_top_srcdir)/../shared}/traces/recorded; \
	for dir in '$(srcdir)'/traces/samples/*/ $(TRUTH) "$$shared"/*/; do \
		test -d "$$dir" || continue; \
		name=`basename "$$dir"`; \
		case " $$seen " in *" $$name "*) continue ;; esac; \
		seen="$$seen $$name"; \
		set -- "$$@" "$$dir"; \
	done; \
	/usr/bin/python3 '$(srcdir)/traces/truth-check.py' --tool '$(abs_top_builddir)/waitpath' \
		-j 2 --report '$(srcdir)/doc/ACCURACY.md' "$$@"

# What is recorded: programs that write down what they did. Built with the rest, so that they
# stay in order; traces/record builds static ones of its own. With lttng-ust they mark their
# phases.
noinst_PROGRAMS += traces/workloads/local traces/workloads/net traces/workloads/shared
workload_log = traces/workloads/log.c traces/workloads/log.h
workload_cppflags = -D_GNU_SOURCE
workload_libs = -lpthread
if HAVE_UST
workload_log += traces/workloads/marks.c traces/workloads/marks.h
workload_cppflags += -DHAVE_UST -I$(srcdir)/traces/workloads $(UST_CFLAGS)
workload_libs += $(UST_LIBS) -ldl
endif
EXTRA_DIST += traces/workloads/marks.c traces/workloads/marks.h

traces_workloads_local_SOURCES = $(workload_log) \
	traces/workloads/cpu.c \
	traces/workloads/disk.c \
	traces/workloads/handoff.c \
	traces/workloads/local.c \
	traces/workloads/local.h \
	traces/workloads/locks.c
traces_workloads_local_CPPFLAGS = $(workload_cppflags)
traces_workloads_local_LDADD = $(workload_libs)

traces_workloads_net_SOURCES = $(workload_log) \
	traces/workloads/net-barrier.c \
	traces/workloads/net-client.c \
	traces/workloads/net-server.c \
	traces/workloads/net.c \
	traces/workloads/net.h
traces_workloads_net_CPPFLAGS = $(workload_cppflags)
traces_workloads_net_LDADD = $(workload_libs)

traces_workloads_shared_SOURCES = $(workload_log) traces/workloads/shared.c
traces_workloads_shared_CPPFLAGS = $(workload_cppflags)
traces_workloads_shared_LDADD = $(workload_libs)

EXTRA_DIST += traces/record

dist_check_SCRIPTS += tests/truth.sh tests/user-events.sh tests/workloads.sh
TESTS += tests/truth.sh tests/user-events.sh tests/workloads.sh
