#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Clients of the cases: they do the same thing a number of times and write down when.

usage: case-client.py redis HOST | web HOST PAGES | file PATH

What is done is done in threads of their own, which live for as long as that takes: a path over the
life of a thread leaves out how Python begins.
"""
import ctypes
import http.client
import json
import os
import sys
import threading
import time

LOG, LOCK = [], threading.Lock()
PR_SET_NAME = 15


def log(**row):
    with LOCK:
        LOG.append(row)


def task(role):
    ctypes.CDLL(None).prctl(PR_SET_NAME, role.encode()[:15], 0, 0, 0)
    log(ev='task', role=role, pid=os.getpid(), tid=threading.get_native_id(),
        mono=time.monotonic_ns())


def timed(what, function):
    begin = time.monotonic_ns()
    function()
    end = time.monotonic_ns()
    log(ev='step', tid=threading.get_native_id(), what=what, begin=begin, end=end,
        ms=(end - begin) / 1e6)


def redis_user(connection, number):
    task(f'redis-user{number}')
    for i in range(40):
        timed('set', lambda: connection.set(f'key{number}', i))
        time.sleep(0.005)


def redis_hog(connection):
    """One of the clients has the server compute: it has one thread for all of them."""
    task('redis-hog')
    for _ in range(8):
        timed('script', lambda: connection.eval('local x = 0 for i = 1, 400000 do x = x + i end '
                                                'return x', 0))
        time.sleep(0.02)


def run(*threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def run_redis(host):
    import redis
    users = [redis.Redis(host=host) for _ in range(4)]
    for user in users:  # connects, and loads what it needs
        user.ping()
    run(*(threading.Thread(target=redis_user, args=(users[n], n)) for n in range(3)),
        threading.Thread(target=redis_hog, args=(users[3],)))


def get(host, path):
    connection = http.client.HTTPConnection(host, 80, timeout=60)
    connection.request('GET', path)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    if reply.status != 200:
        raise OSError(f'GET {path}: status {reply.status}: {body[:200]}')
    return body


def web_user(host):
    task('web-user')
    for _ in range(int(sys.argv[3])):
        timed('page', lambda: get(host, '/stock'))
        time.sleep(0.01)


def file_user(path):
    """Reads what is not in memory, a piece at a time."""
    task('file-user')
    with open(path, 'rb', buffering=0) as file:
        while True:
            piece = []
            timed('read', lambda: piece.append(file.read(1 << 16)))
            if not piece[0]:
                return
            time.sleep(0.002)


def run_web(host):
    run(threading.Thread(target=web_user, args=(host,)))


def run_file(path):
    run(threading.Thread(target=file_user, args=(path,)))


def main():
    kind, argument = sys.argv[1:3]
    log(ev='start', what=kind, pid=os.getpid(), mono=time.monotonic_ns(), real=time.time_ns(),
        args=' '.join(sys.argv[1:]))
    task('client-' + kind)
    {'redis': run_redis, 'web': run_web, 'file': run_file}[kind](argument)
    for row in LOG:
        print(json.dumps(row, separators=(',', ':')))


if __name__ == '__main__':
    main()
