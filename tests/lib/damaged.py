#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""damaged.py WAITPATH VIEWER GRAPH TASK FOLDER RUNS: damages a saved graph in many ways, and runs
every command and the viewer (VIEWER "": not) on each: it is refused with one sentence and no word
else, or the answer is that of the sound graph, to the byte. Prints what is wrong.

Ways are bits that are flipped (in the header and the directory more often than anywhere), ends cut
off or added, blocks that changed places, and blocks of zeros; the same in every run."""
import os
import random
import re
import struct
import subprocess
import sys

waitpath, viewer, graph, task, folder, runs = sys.argv[1:7]
sound = open(graph, 'rb').read()
outline = struct.unpack_from('<Q', sound, 24)[0]
rand = random.Random(7)
written = os.path.join(folder, 'written')


def flip(data, at):
    data[at] ^= 1 << rand.randrange(8)


def swap(data, block):
    a, b = (rand.randrange(len(data) // block) * block for _ in 'ab')
    data[a:a + block], data[b:b + block] = data[b:b + block], data[a:a + block]


def damage(i):
    """A damaged copy, and how it is."""
    data = bytearray(sound)
    way = i % 8
    if way == 0:
        flip(data, rand.randrange(64))
    elif way == 1:
        flip(data, rand.randrange(outline, len(data)))
    elif way in (2, 3):
        flip(data, rand.randrange(64, outline))
    elif way == 4:
        del data[rand.choice((0, 4, 8, 63, 64, 65, outline, len(data) - 1,
                              rand.randrange(len(data)))):]
    elif way == 5:
        data += bytes(rand.randrange(1, 200))
    elif way == 6:
        swap(data, rand.choice((8, 24, 64, 4096)))
    else:
        at = rand.randrange(len(data))
        data[at:at + 64] = bytes(len(data[at:at + 64]))
    return bytes(data), '%d (way %d)' % (i, way)


def commands(path):
    """Each command line, and whether it writes the file `written`."""
    of_task = ['-t', task, path]
    for line in (['path', '-v'], ['path', '--format', 'json', '--check'],
                 ['path', '--mode', 'causal', '--format', 'csv'],
                 ['requests', '--each', 'network'], ['compare', path, '--format', 'json'],
                 ['export', '--format', 'perfetto'], ['export', '--format', 'graphml', '--all'],
                 ['export', '--format', 'timeline']):
        yield [waitpath] + line + of_task, False
    for line in (['tasks', '--format', 'json'], ['blockers'], ['sync', '--format', 'json'],
                 ['check', '--format', 'json']):
        yield [waitpath] + line + [path], False
    yield [waitpath, 'graph', '-o', written, path], True
    yield [waitpath, 'export', '--format', 'chrome', '-o', written] + of_task, True
    if viewer:
        yield [viewer, '--dump-rows'] + of_task, False


def run(line, writes):
    if os.path.exists(written):
        os.remove(written)
    done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    there = None
    if writes and os.path.exists(written):
        with open(written, 'rb') as file:
            there = file.read()
    return done, there


def fault(done, there, right):
    """What is wrong with an answer, None when nothing is."""
    if not 0 <= done.returncode <= 4:
        return 'status %d: %s' % (done.returncode, done.stderr[-300:])
    if (done.returncode, done.stdout, there) == (right[0].returncode, right[0].stdout, right[1]):
        return None
    if done.returncode == 0 or done.returncode == 4:
        return 'another answer, and no word of it: %s' % done.stderr[-300:]
    if done.stdout or there is not None:
        return 'it is refused with %s, but something was written' % done.stderr[-300:]
    if not re.fullmatch(rb'waitpath[a-z-]*: [^\n]*\.\n', done.stderr):
        return 'not one sentence: %s' % done.stderr[-300:]
    return None


path = os.path.join(folder, 'graph')
with open(path, 'wb') as file:
    file.write(sound)
right = [run(*command) for command in commands(path)]
for command, answer in zip(commands(path), right):
    if answer[0].returncode not in (0, 3, 4):
        print(command[0], 'of the sound graph: status', answer[0].returncode, answer[0].stderr)
refused = same = 0
for i in range(int(runs)):
    data, how = damage(i)
    with open(path, 'wb') as file:
        file.write(data)
    for command, answer in zip(commands(path), right):
        done, there = run(*command)
        wrong = fault(done, there, answer)
        if wrong:
            print(how, ' '.join(command[0][1:]), '\n ', wrong)
        elif done.returncode == answer[0].returncode:
            same += 1
        else:
            refused += 1
    if os.path.exists(written):
        os.remove(written)
    os.remove(path)
    left = os.listdir(folder)
    if left:
        print(how, 'leaves', left)
if not refused or not same:
    print('nothing tried: %d refused, %d right' % (refused, same))
print('%d refused, %d right' % (refused, same), file=sys.stderr)
