"""Measures the processes of a benchmark."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path


class Clock:
    """Measures a block: its ``seconds``, and the CPU seconds (``cpu``) of the processes that started and ended in it::

        with Clock() as clock:
            subprocess.run(command)
        clock.seconds, clock.cpu

    Processes that outlive their parent, or that nothing waited for, are not counted.
    """

    def __enter__(self) -> Clock:
        self.seconds = self.cpu = 0.0
        self._cpu, self._start = _ended_cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = time.perf_counter() - self._start
        self.cpu = _ended_cpu_seconds() - self._cpu


def _ended_cpu_seconds() -> float:
    """Returns the CPU seconds of all processes that this one has waited for, and of those that they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cpu_seconds(pid: int) -> float:
    """Returns the CPU seconds of a process and of its children, ended or live: unlike ``Clock``, with Spark's JVM while it runs."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid:
            ticks += sum(int(field) for field in fields[11:15])
        elif int(fields[1]) == pid:
            ticks += cpu_seconds(int(path.parent.name)) * os.sysconf("SC_CLK_TCK")
    return ticks / os.sysconf("SC_CLK_TCK")
