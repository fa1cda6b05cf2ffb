#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether two outputs of sink.text are the same.

usage: same-fields.py THEIRS OURS

Of an empty text, Babeltrace 2.0 may print what its field held before: where OURS says "", THEIRS
may have any text.
"""
import re
import sys

TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
theirs, ours = ([line.rstrip('\n') for line in open(path, errors='replace')]
                for path in sys.argv[1:])
if len(theirs) != len(ours):
    sys.exit('%d lines, not %d' % (len(ours), len(theirs)))
for a, b in zip(theirs, ours):
    if a == b:
        continue
    texts_a, texts_b = TEXT.findall(a), TEXT.findall(b)
    if TEXT.sub('', a) != TEXT.sub('', b) or \
            any(x != y and y != '""' for x, y in zip(texts_a, texts_b)):
        sys.exit('theirs %s\nours   %s' % (a[:300], b[:300]))
