"""Measures the cost of a command: CPU seconds, wall seconds, peak memory, and other load on the machine."""

import os
import sys
import time
from dataclasses import dataclass


@dataclass
class Cost:
    """The cost of one process, or of several run in sequence."""

    cpu: float = 0.0  # user and system, in seconds
    wall: float = 0.0
    rss: int = 0  # peak resident set of any one of them, in bytes
    private: int = 0  # peak of its memory without mapped files, if it was watched
    others: float = 0.0  # CPU seconds that other processes used in this time

    def add(self, other):
        self.cpu += other.cpu
        self.wall += other.wall
        self.rss = max(self.rss, other.rss)
        self.private = max(self.private, other.private)
        self.others += other.others


class Failed(Exception):
    """A command failed, so its cost is meaningless."""


_TICKS = os.sysconf("SC_CLK_TCK")


def _busy():
    """Returns the busy CPU seconds of all processors since the machine started."""
    with open("/proc/stat") as stat:
        fields = [int(field) for field in stat.readline().split()[1:]]
    idle = fields[3] + fields[4]
    # User time includes guest time.
    return (sum(fields[:8]) - idle) / _TICKS


def _private(process):
    """Returns the bytes of a process's anonymous resident memory."""
    try:
        with open(f"/proc/{process}/status") as status:
            for line in status:
                if line.startswith("RssAnon"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def run(command, accept=(0,), watched=False):
    """Runs a command to its end, without output; its child processes are included.

    The resident set of a program that maps a file includes the file's pages, though the system can reclaim them at any
    time. `watched` measures the memory without them every few milliseconds.
    """
    command = [os.fspath(part) for part in command]
    silent = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
    ]
    busy, start = _busy(), time.monotonic()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=silent)
    private = 0
    while watched and os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        private = max(private, _private(process))
        time.sleep(0.005)
    _, status, usage = os.wait4(process, 0)
    wall, busy = time.monotonic() - start, _busy() - busy
    if os.waitstatus_to_exitcode(status) not in accept:
        raise Failed(f"exit status {os.waitstatus_to_exitcode(status)} of: {' '.join(command)[:300]}")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(cpu, wall, usage.ru_maxrss * 1024, private, max(0.0, busy - cpu))


def floor():
    """Returns the smallest measurable peak: this program's own, since a child starts with its parent's memory."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    return 0


def machine():
    """Returns processor, cores and system."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    system = "Linux"
    try:
        with open("/etc/os-release") as release:
            system = dict(line.rstrip().split("=", 1) for line in release if "=" in line)["PRETTY_NAME"].strip('"')
    except (OSError, KeyError):
        pass
    return f"{model}, {os.cpu_count()} cores, {system}, Python {sys.version.split()[0]}"
