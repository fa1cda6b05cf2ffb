# SPDX-License-Identifier: MIT
"""What truth-check.py is made of.

clocks.py   the measured relation of the hosts' clocks, and times on the reference host's
answer.py   the tool's answer for one task: segments, cut at any two times
scenario.py one folder: the workload's log, the tool's answers
phases.py   checks of what happens within one host
calls.py    checks of what happens between hosts
sync.py     checks of the clocks
log.py      what a log has to be
report.py   the accuracy report
"""
