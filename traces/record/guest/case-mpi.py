#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An MPI job: in each round each rank computes, one of them longer, and all meet in a barrier.

usage: mpirun ... case-mpi.py FOLDER; each rank leaves FOLDER/rank-N.jsonl
"""
import ctypes
import json
import os
import sys
import threading
import time

from mpi4py import MPI

ROUNDS, QUICK, SLOW = 10, 0.005, 0.04
PR_SET_NAME = 15

rank = MPI.COMM_WORLD.Get_rank()
name = f'rank-{rank}'
ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
rows = [{'ev': 'start', 'what': 'mpi', 'pid': os.getpid(), 'mono': time.monotonic_ns(),
         'real': time.time_ns(), 'args': ' '.join(sys.argv)},
        {'ev': 'task', 'role': name, 'pid': os.getpid(), 'tid': threading.get_native_id(),
         'mono': time.monotonic_ns()}]
MPI.COMM_WORLD.Barrier()
for i in range(ROUNDS):
    begin = time.monotonic_ns()
    end = begin + int((SLOW if rank == 1 else QUICK) * 1e9)
    while time.monotonic_ns() < end:
        pass
    computed, cpu = time.monotonic_ns(), time.thread_time_ns()
    MPI.COMM_WORLD.Barrier()
    rows.append({'ev': 'step', 'what': 'round', 'tid': threading.get_native_id(), 'begin': begin,
                 'computed': computed, 'end': time.monotonic_ns(),
                 'waited_cpu_ms': (time.thread_time_ns() - cpu) / 1e6})
with open(os.path.join(sys.argv[1], name + '.jsonl'), 'w') as out:
    for row in rows:
        out.write(json.dumps(row, separators=(',', ':')) + '\n')
