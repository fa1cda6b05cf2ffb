# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# One host, further waits.
start_lttng
one local-rwlock "core" rwlock
one local-inversion "core" inversion
one local-inheritance "core" inheritance
one local-quota "core" quota
one local-spin "core" spin
one local-softirq "core" softirq first
one local-aio "core sys work" aio /data
one local-uring "core sys work" uring /data
