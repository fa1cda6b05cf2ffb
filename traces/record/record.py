#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Records scenarios with known answers, in QEMU guests on this machine.

usage: record.py DIR [JOB...]          all jobs when none is named

Everything goes below DIR:
  DIR/image      what the guests boot from (image.sh makes it, once: about ten minutes)
  DIR/programs   the workloads, static
  DIR/run/JOB    consoles and disks of the last boot of a job
  DIR/recorded   the scenarios: HOST/trace, HOST/truth.jsonl, clock-truth.json, README.md

A job is guest/job-JOB.sh: some scenarios that are recorded in one boot of one to three guests.
Needs Debian 12 and, for the image, root. The guests are emulated, and boot in half a minute;
--kvm has the machine run them.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOADS = os.path.join(os.path.dirname(HERE), 'workloads')
HOSTS = ['hosta', 'hostb', 'hostc']
# Wall clocks that are set apart on purpose, and how fast CLOCK_MONOTONIC runs.
WALL_CLOCKS = ['2026-03-02T09:00:00', '2026-03-02T09:00:37', '2026-03-01T22:13:05']
PPM = [0, 60, -45]
# job: guests, CPUs and MiB of memory of each, seconds that it may take
JOBS = {
    'local': (1, 2, 768, 600),
    'local2': (1, 2, 768, 600),
    'net2': (2, 2, 768, 900),
    'drift': (2, 2, 640, 600),
    'net3': (3, 1, 512, 600),
    'twins': (3, 1, 512, 600),
    'big': (2, 2, 2048, 1200),
    'overhead': (2, 2, 640, 900),
    'waitpath-record': (1, 2, 768, 600),
    'machines': (2, 2, 768, 900),
    'case-redis': (2, 2, 768, 900),
    'case-web': (3, 2, 1024, 1200),
    'case-nfs': (2, 2, 768, 900),
    'case-mpi': (1, 2, 768, 900),
    'case-erlang': (2, 2, 768, 900),
}
# Asked for by name only: large, slow, or of use with a file or packages that are not there.
NOT_BY_DEFAULT = ['big', 'overhead', 'waitpath-record', 'machines', 'case-redis', 'case-web',
                  'case-nfs', 'case-mpi', 'case-erlang']
# What the guests need besides what they always have.
PACKAGES = {
    'case-redis': ['redis-server', 'python3-redis'],
    'case-web': ['nginx-light', 'postgresql', 'python3-psycopg2'],
    'case-nfs': ['nfs-kernel-server', 'nfs-common', 'python3-minimal'],
    'case-mpi': ['openmpi-bin', 'python3-mpi4py'],
    'case-erlang': ['erlang-base'],
    'machines': ['openssh-server', 'openssh-client'],
}
PROGRAMS = {
    'local': ['local.c', 'handoff.c', 'locks.c', 'cpu.c', 'disk.c', 'log.c'],
    'net': ['net.c', 'net-server.c', 'net-client.c', 'net-barrier.c', 'log.c'],
    'shared': ['shared.c', 'log.c'],
}
RESULT_SIZE = 600 << 20


def say(*words):
    print('record:', *words, flush=True)


def build_programs(folder):
    """Static, so that they run in any guest."""
    os.makedirs(folder, exist_ok=True)
    for name, sources in PROGRAMS.items():
        subprocess.run(['gcc', '-std=gnu11', '-D_GNU_SOURCE', '-O1', '-static', '-pthread', '-s',
                        '-o', os.path.join(folder, name)]
                       + [os.path.join(WORKLOADS, source) for source in sources], check=True)


def make_payload(path, programs, more):
    """What the guests get, as a tar: workloads, scripts, and further files."""
    def old(info):
        info.mtime = 0  # the guests' clocks are behind: tar would say so of each file
        return info

    with tarfile.open(path, 'w') as tar:
        for name in PROGRAMS:
            tar.add(os.path.join(programs, name), name, filter=old)
        for name in sorted(os.listdir(os.path.join(HERE, 'guest'))):
            tar.add(os.path.join(HERE, 'guest', name), name, filter=old)
        for file in more:
            tar.add(file, os.path.basename(file), filter=old)


def sparse_file(path, size):
    with open(path, 'wb') as file:
        file.truncate(size)


class Guest:
    def __init__(self, job, number, image, run, kvm):
        self.name, self.run = HOSTS[number], run
        self.result = os.path.join(run, self.name + '.out')
        self.console = os.path.join(run, self.name + '.console')
        self.process = None
        n_guests, n_cpus, memory, _ = JOBS[job]
        self.command = ['qemu-system-x86_64', '-name', self.name]
        if kvm:
            self.command += ['-accel', 'kvm', '-cpu', 'host']
        else:
            self.command += ['-accel', 'tcg,thread=multi', '-cpu', 'max']
        self.command += [
            '-smp', str(n_cpus), '-m', str(memory), '-nodefaults', '-no-user-config',
            '-display', 'none', '-no-reboot', '-serial', 'file:' + self.console,
            '-kernel', os.path.join(image, 'vmlinuz'),
            '-initrd', os.path.join(image, 'initrd.gz'),
            '-append', 'console=ttyS0 quiet panic=-1 tsc=reliable clocksource=tsc mitigations=off '
                       # A busy machine is late with the ticks that the kernel looks for.
                       'no_timer_check '
                       f'host={self.name} job={job} ip=10.0.0.{number + 1} rank={number} '
                       f'nhosts={n_guests} ppm={PPM[number]}',
            '-rtc', f'base={WALL_CLOCKS[number]},clock=vm', '-device', 'virtio-rng-pci']
        self.add_disk(os.path.join(image, 'base.img'), 'snapshot=on')
        self.add_disk(os.path.join(run, 'payload.tar'), 'readonly=on')
        self.add_disk(self.result, 'cache=unsafe')
        if n_guests > 1:
            self.add_network(number, n_guests)

    def add_disk(self, file, how):
        self.command += ['-drive', f'file={file},if=virtio,format=raw,{how}']

    def add_network(self, number, n_guests):
        """A wire of unix sockets between the guests only, joined in hostb, and the memory that
        they share."""
        memory = f"memory-backend-file,id=shared,size=1M,share=on,mem-path={self.run}/shared"
        self.command += ['-object', memory, '-device', 'ivshmem-plain,memdev=shared']
        if number == 1:
            for n in [0, 2][:n_guests - 1]:
                self.command += ['-netdev', f'stream,id=s{n},server=on,addr.type=unix,'
                                            f'addr.path={self.socket_of(n)}',
                                 '-netdev', f'hubport,id=h{n},hubid=0,netdev=s{n}']
            self.command += ['-netdev', 'hubport,id=own,hubid=0']
        else:
            self.command += ['-netdev', 'stream,id=own,server=off,addr.type=unix,'
                                        f'addr.path={self.socket_of(number)}']
        self.command += ['-device', f'virtio-net-pci,netdev=own,mac=52:54:00:00:00:0{number + 1},'
                                    'romfile=']

    def socket_of(self, number):
        return os.path.join(self.run, HOSTS[number] + '.sock')

    def start(self):
        sparse_file(self.result, RESULT_SIZE)
        with open(os.path.join(self.run, self.name + '.qemu'), 'wb') as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)

    def is_lost(self):
        """It has ended, but not by itself: the others would wait for it."""
        if self.process.poll() is None:
            return False
        with open(self.console, errors='replace') as console:
            return f'GUEST {self.name} done' not in console.read()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def unpack(self, recorded):
        """Moves what the guest left to RECORDED/SCENARIO/HOST, which it has alone; what belongs to
        no scenario stays in the folder of the run. Returns the number of files and the names of
        the scenarios."""
        n, scenarios = 0, set()
        with open(self.result, 'rb') as file, tarfile.open(fileobj=file, mode='r|') as tar:
            for member in tar:
                parts = os.path.normpath(member.name).split('/', 1)
                if not member.isfile() or '..' in member.name:
                    continue
                if len(parts) == 2:
                    if parts[0] not in scenarios:
                        shutil.rmtree(os.path.join(recorded, parts[0], self.name),
                                      ignore_errors=True)
                        scenarios.add(parts[0])
                    target = os.path.join(recorded, parts[0], self.name, parts[1])
                else:
                    target = os.path.join(self.run, self.name, parts[0])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, 'wb') as out:
                    shutil.copyfileobj(tar.extractfile(member), out)
                n += 1
        os.unlink(self.result)
        return n, scenarios


def start_all(guests):
    """hostb listens: it starts first."""
    for guest in sorted(guests, key=lambda guest: guest.name != 'hostb'):
        guest.start()
        sockets = [guest.socket_of(n) for n in (0, 2)[:len(guests) - 1]]
        end = time.monotonic() + 20
        while guest.name == 'hostb' and time.monotonic() < end and \
                not all(os.path.exists(path) for path in sockets):
            time.sleep(0.1)


def record_job(job, folder, options):
    """Returns the names of the scenarios that were recorded."""
    n_guests, _, _, seconds = JOBS[job]
    run, recorded = os.path.join(folder, 'run', job), os.path.join(folder, 'recorded')
    shutil.rmtree(run, ignore_errors=True)
    os.makedirs(run)
    os.makedirs(recorded, exist_ok=True)
    make_payload(os.path.join(run, 'payload.tar'), os.path.join(folder, 'programs'), options.add)
    if n_guests > 1:
        sparse_file(os.path.join(run, 'shared'), 1 << 20)
    guests = [Guest(job, n, os.path.join(folder, 'image'), run, options.kvm)
              for n in range(n_guests)]
    begin = time.monotonic()
    say(f"{job}: {n_guests} guests, {'KVM' if options.kvm else 'emulated'}")
    try:
        start_all(guests)
        while any(g.process.poll() is None for g in guests):
            if time.monotonic() - begin > seconds * options.patience:
                say(f'{job}: not done after {seconds * options.patience:.0f} s; see {run}/*.console')
                break
            lost = next((g for g in guests if g.is_lost()), None)
            if lost:
                say(f'{job}: {lost.name} ended before its job did; see {lost.console}')
                break
            time.sleep(0.5)
    finally:
        for guest in guests:
            guest.stop()
    recorded_now = set()
    for guest in guests:
        try:
            n, scenarios = guest.unpack(recorded)
            recorded_now |= scenarios
            say(f'{job}: {guest.name} left {n} files')
        except (OSError, tarfile.TarError) as problem:
            say(f'{job}: {guest.name} left nothing ({problem}); see {guest.console}')
    say(f'{job}: {time.monotonic() - begin:.0f} s')
    return sorted(recorded_now)


def finish(folder, scenarios):
    """The true clocks and a README.md of each scenario."""
    for scenario in scenarios:
        path = os.path.join(folder, 'recorded', scenario)
        if not os.path.isdir(os.path.join(path, 'hosta', 'trace')):
            continue
        if os.path.isdir(os.path.join(path, 'hostb')):
            subprocess.run([os.path.join(HERE, 'clock-truth.py'), path]
                           + [os.path.join(folder, 'recorded', s) for s in scenarios], check=False)
        subprocess.run([os.path.join(HERE, 'describe.py'), path,
                        os.path.join(folder, 'image', 'VERSIONS')], check=False)


def make_image(image, packages):
    """Unless there is one with these packages."""
    there = set()
    if os.path.exists(os.path.join(image, 'initrd.gz')):
        with open(os.path.join(image, 'VERSIONS.guest')) as lines:
            there = {line.split()[0] for line in lines}
    if not there or not there.issuperset(packages):
        subprocess.run([os.path.join(HERE, 'image.sh'), image] + packages, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--add', action='append', default=[], metavar='FILE',
                        help='a further file for the guests')
    parser.add_argument('--kvm', action='store_true',
                        help="use the machine's own virtualization: truer timings, if it works")
    parser.add_argument('--patience', type=float, default=1, metavar='X',
                        help='wait X times as long for a job, on a busy machine')
    parser.add_argument('folder', metavar='DIR')
    parser.add_argument('job', nargs='*', metavar='JOB', help=' '.join(JOBS))
    options = parser.parse_args()
    unknown = [job for job in options.job if job not in JOBS]
    if unknown:
        parser.error(f"no job {unknown[0]}; there are {' '.join(JOBS)}")
    folder = os.path.abspath(options.folder)
    image = os.path.join(folder, 'image')
    jobs = options.job or [job for job in JOBS if job not in NOT_BY_DEFAULT]
    make_image(image, sorted({name for job in jobs for name in PACKAGES.get(job, [])}))
    build_programs(os.path.join(folder, 'programs'))
    for job in jobs:
        finish(folder, record_job(job, folder, options))


if __name__ == '__main__':
    sys.exit(main())
