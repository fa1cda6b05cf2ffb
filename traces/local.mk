# SPDX-License-Identifier: MIT
#
# Recorded runs with known answers, what checks them, and what records them.
EXTRA_DIST += traces/README.md traces/samples traces/truth traces/truth-check.py \
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
.PHONY: truth

dist_check_SCRIPTS += tests/truth.sh
TESTS += tests/truth.sh
