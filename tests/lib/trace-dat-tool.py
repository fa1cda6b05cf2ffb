#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""waitpath on HOST/trace.dat, for who asks about the LTTng trace HOST/trace of the same run.

usage: trace-dat-tool.py WAITPATH OFFSET COMMAND ARGUMENT...

A trace.dat counts from the boot; OFFSET (ns) is what LTTng adds to the same clock. It is taken
off the times of the arguments and put onto those of the answer.
"""
import json
import subprocess
import sys


def main():
    waitpath, offset, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    asked, is_time = [], False
    for argument in arguments:
        if is_time:
            argument = str(int(argument) - offset)
        elif argument.endswith('/trace'):
            argument += '.dat'
        is_time = argument in ('--begin', '--end')
        asked.append(argument)
    done = subprocess.run([waitpath] + asked, capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    if arguments[0] != 'path' or done.returncode not in (0, 4):
        sys.stdout.write(done.stdout)
        return done.returncode
    answer = json.loads(done.stdout)
    for part in [answer['window']] + answer['segments']:
        part['begin'] += offset
        part['end'] += offset
    print(json.dumps(answer))
    return done.returncode


sys.exit(main())
