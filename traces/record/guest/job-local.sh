# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# One host.
start_lttng
one local-pingpong "core" pingpong
one local-pingpong-sys "core sys" pingpong
one local-mutex "core sys" mutex
one local-condvar "core sys vec" condvar
one local-chain "core" chain
one local-chain-ctx "core ctx" chain
one local-timer "core sys vec" timer
one local-contention "core" contention
one local-disk "core sys" disk /data
one local-fork "core sys" fork
one local-mixed "core sys" mixed /data
# Buffers far too small on purpose: events are lost.
subbuf=4K n_subbuf=2 one local-lost "core sys" big 3
