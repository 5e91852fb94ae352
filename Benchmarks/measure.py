"""What a command costs: CPU seconds, wall seconds, peak memory, and how busy the machine was otherwise."""

import os
import sys
import time
from dataclasses import dataclass


@dataclass
class Cost:
    """The cost of one or several processes that ran one after the other."""

    cpu: float = 0.0  # user and system, in seconds
    wall: float = 0.0
    rss: int = 0  # peak resident set of any one of them, in bytes
    others: float = 0.0  # CPU seconds that everything else on the machine used meanwhile

    def add(self, other):
        self.cpu += other.cpu
        self.wall += other.wall
        self.rss = max(self.rss, other.rss)
        self.others += other.others


class Failed(Exception):
    """A command did not do its work, so that its cost says nothing."""


_TICKS = os.sysconf("SC_CLK_TCK")


def _busy():
    """CPU seconds that all processors have spent working since the machine started."""
    with open("/proc/stat") as stat:
        fields = [int(field) for field in stat.readline().split()[1:]]
    idle = fields[3] + fields[4]
    # Guest time is part of user time already.
    return (sum(fields[:8]) - idle) / _TICKS


def run(command, accept=(0,)):
    """Runs a command to its end, silently; its children count as it."""
    command = [os.fspath(part) for part in command]
    silent = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
    ]
    busy, start = _busy(), time.monotonic()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(process, 0)
    wall, busy = time.monotonic() - start, _busy() - busy
    if os.waitstatus_to_exitcode(status) not in accept:
        raise Failed(f"exit status {os.waitstatus_to_exitcode(status)} of: {' '.join(command)[:300]}")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(cpu, wall, usage.ru_maxrss * 1024, max(0.0, busy - cpu))


def floor():
    """The smallest peak that can be told: a child starts with its parent's memory, so this program's own."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    return 0


def machine():
    """Processor, cores and system, for the record."""
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
