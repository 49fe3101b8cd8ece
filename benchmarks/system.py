"""Figures of the operating system, and how timed code gets the cores on a machine that others use too."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path


def status_mib(key: str) -> float:
    """VmRSS or VmHWM of this process in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    return float("nan")


def reset_peak() -> None:
    """The peak (VmHWM) starts at what is resident now."""
    Path("/proc/self/clear_refs").write_text("5")


def minor_faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def run_delay() -> int:
    """Nanoseconds that this process's threads could run but waited for a core."""
    total = 0
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError, IndexError):
            total += int(Path(f"/proc/self/task/{task}/schedstat").read_text().split()[1])
    return total


def busy_seconds() -> float:
    """CPU seconds that anything on the machine used since it started."""
    fields = [int(x) for x in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


def session_seconds(session: int | None) -> float:
    """CPU seconds of the processes of one session, children that ended included."""
    total = 0
    for process in os.listdir("/proc"):
        if process.isdigit():
            try:
                fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def prioritise(nice: int) -> None:
    """This session's share of the cores; with autogroups the session has a priority of its own."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, nice)
        Path("/proc/self/autogroup").write_text(str(nice))
    except OSError as error:
        print(f"priority {nice} not to be had: {error}", file=sys.stderr)


REALTIME = 10  # priority under SCHED_RR: above what others run with by habit, 1


def _schedule(policy: int, priority: int) -> None:
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(int(task), policy, os.sched_param(priority))


@contextlib.contextmanager
def realtime(on: bool) -> Iterator[None]:
    """Runs all threads of this process under SCHED_RR: elsewhere, a thread that another one awaits at a barrier is put
    behind the work of others for 4 ms and more. On a quiet machine this changes nothing."""
    if on:
        _schedule(os.SCHED_RR, REALTIME)
    try:
        yield
    finally:
        if on:
            _schedule(os.SCHED_OTHER, 0)


def die_with_parent() -> None:
    """This process is killed when its parent ends, however it ends."""
    import ctypes
    import signal

    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def keep_freed_memory() -> None:
    """Tells glibc's malloc to give nothing back, so that large buffers cause no page faults."""
    import ctypes

    libc = ctypes.CDLL(None)
    mmap_max, trim_threshold, top_pad = -4, -1, -2
    libc.mallopt(mmap_max, 0)
    libc.mallopt(trim_threshold, 2**31 - 1)
    libc.mallopt(top_pad, 2**28)
