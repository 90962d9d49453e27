"""Measures the processes of a benchmark."""

from __future__ import annotations

import resource
import time


class Clock:
    """Measures a block: its ``seconds``, and the CPU seconds (``cpu``) of the processes that started and ended in it::

        with Clock() as clock:
            subprocess.run(command)
        clock.seconds, clock.cpu

    Processes that outlive their parent, or that nothing waited for, are not counted.
    """

    def __enter__(self) -> Clock:
        self.seconds = self.cpu = 0.0
        self._cpu, self._start = _cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds = time.perf_counter() - self._start
        self.cpu = _cpu_seconds() - self._cpu


def _cpu_seconds() -> float:
    """Returns the CPU seconds of all processes that this one has waited for, and of those that they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
