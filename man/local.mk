# SPDX-License-Identifier: MIT
#
# Manual pages: one for the program, a command, the plugin and a component class each, from
# AsciiDoc. A release holds them ready made, so that asciidoctor is needed only in a git tree.
man_pages = \
	man/waitpath.1 \
	man/waitpath-blockers.1 \
	man/waitpath-check.1 \
	man/waitpath-compare.1 \
	man/waitpath-export.1 \
	man/waitpath-graph.1 \
	man/waitpath-path.1 \
	man/waitpath-record.1 \
	man/waitpath-requests.1 \
	man/waitpath-sync.1 \
	man/waitpath-tasks.1 \
	man/waitpath-view.1 \
	man/waitpath-viewer.1
man_plugin_pages = \
	man/babeltrace2-plugin-waitpath.7 \
	man/babeltrace2-filter.waitpath.critical-path.7 \
	man/babeltrace2-filter.waitpath.sync.7 \
	man/babeltrace2-sink.waitpath.summary.7 \
	man/babeltrace2-source.waitpath.ctf.7 \
	man/babeltrace2-source.waitpath.trace-dat.7
man_includes = man/common.adoc man/exit.adoc man/format.adoc man/plugin-ask.adoc \
	man/plugin-clock.adoc
EXTRA_DIST += $(man_pages:=.adoc) $(man_plugin_pages:=.adoc) $(man_includes)
if HAVE_MAN
dist_man_MANS = $(man_pages) $(man_plugin_pages)
endif
if BUILD_MAN
MAINTAINERCLEANFILES += $(man_pages) $(man_plugin_pages)
SUFFIXES = .1 .1.adoc .7 .7.adoc
.1.adoc.1:
	$(AM_V_GEN)$(MKDIR_P) man && \
	$(ASCIIDOCTOR) -b manpage -a release=$(PACKAGE_VERSION) -a reproducible -o $@ $<
.7.adoc.7:
	$(AM_V_GEN)$(MKDIR_P) man && \
	$(ASCIIDOCTOR) -b manpage -a release=$(PACKAGE_VERSION) -a reproducible -o $@ $<
$(man_pages) $(man_plugin_pages): $(man_includes)
endif
