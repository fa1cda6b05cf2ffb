# SPDX-License-Identifier: MIT
#
# Manual pages: one for the program and one a command, from AsciiDoc. A release holds them ready
# made, so that asciidoctor is needed only in a git tree.
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
man_includes = man/common.adoc man/exit.adoc man/format.adoc
EXTRA_DIST += $(man_pages:=.adoc) $(man_includes)
if HAVE_MAN
dist_man_MANS = $(man_pages)
endif
if BUILD_MAN
MAINTAINERCLEANFILES += $(man_pages)
SUFFIXES = .1 .1.adoc
.1.adoc.1:
	$(AM_V_GEN)$(MKDIR_P) man && \
	$(ASCIIDOCTOR) -b manpage -a release=$(PACKAGE_VERSION) -a reproducible -o $@ $<
$(man_pages): $(man_includes)
endif
