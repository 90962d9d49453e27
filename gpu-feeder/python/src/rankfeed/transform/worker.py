"""A worker process: takes a job, calls the function, writes what it returned to shared memory."""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import threading
import time
import traceback
from multiprocessing import connection, parent_process, reduction
from typing import NamedTuple

import numpy as np

from rankfeed.transform.random import RowRandom, Transform
from rankfeed.transform.table import ArrayLocation, arrays_of, lay_out, views

_GRAIN_BYTES = 1 << 16

# The process id of the worker itself; a child that the user's function forks has another one.
_pid = 0


class Job(NamedTuple):
    """A batch to transform. ``memory`` and ``result`` are keys of memory that the trainer has sent before.

    table: the arrays, from byte ``start`` of the memory. keys: the array of the rows' keys.
    result_bytes: current size of the result's memory, which a worker enlarges if it needs more.
    step: the global step, which the answer repeats.
    """

    memory: str
    start: int
    table: list[ArrayLocation]
    keys: ArrayLocation
    result: str
    result_bytes: int
    step: int


class Done(NamedTuple):
    """table: the arrays in the result's memory, which now has ``result_bytes``. nanos: time of the function."""

    table: list[ArrayLocation]
    result_bytes: int
    step: int
    nanos: int


class Raised(NamedTuple):
    """An exception of the user's code."""

    summary: str
    traceback: str
    step: int = -1


class Shared:
    """Memory that the trainer sent. It is mapped, and mapped again whenever its size changes."""

    def __init__(self) -> None:
        self._descriptors: dict[str, int] = {}
        self._maps: dict[str, mmap.mmap] = {}

    def receive(self, key: str, descriptor: int) -> None:
        self._maps.pop(key, None)
        old = self._descriptors.pop(key, None)
        if old is not None:
            os.close(old)
        self._descriptors[key] = descriptor

    def memory(self, key: str, size: int) -> mmap.mmap:
        mapped = self._maps.get(key)
        if mapped is None or len(mapped) != size:
            mapped = mmap.mmap(self._descriptors[key], size)
            self._maps[key] = mapped
        return mapped

    def whole(self, key: str) -> mmap.mmap:
        return self._maps.get(key) or self.memory(key, os.fstat(self._descriptors[key]).st_size)

    def enlarge(self, key: str, size: int) -> int:
        """Enlarges the memory to more than this size, so that later batches seldom enlarge it. Raises ``OSError``."""
        size = -(-(size * 5 // 4) // _GRAIN_BYTES) * _GRAIN_BYTES
        # Unlike ftruncate, this takes the memory now: with none left it fails, instead of a signal at the first write.
        os.posix_fallocate(self._descriptors[key], 0, size)
        return size


def main(number: int, pipe: connection.Connection, functions: bytes, safe_path: str | None) -> None:
    """Runs until the trainer closes the pipe or ends. ``safe_path``: PYTHONSAFEPATH of the trainer."""
    global _pid  # noqa: PLW0603
    _pid = os.getpid()
    restore("PYTHONSAFEPATH", safe_path)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    shared = Shared()
    try:
        try:
            function, init = pickle.loads(functions)
            if init is not None:
                init(number)
                _end_fork()
        except Exception as e:
            _end_fork()
            pipe.send(_raised(e))
            return
        pipe.send(None)
        while True:
            message = pipe.recv()
            if isinstance(message, Job):
                pipe.send(_answer(function, message, shared))
            else:
                shared.receive(message, reduction.recv_handle(pipe))
    except (EOFError, OSError):
        return


def restore(variable: str, value: str | None) -> None:
    """Sets a variable of the environment to an earlier value; None: it was not set."""
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


def _answer(function: Transform, job: Job, shared: Shared) -> Done | Raised:
    try:
        memory = shared.whole(job.memory)
        seeds = views([job.keys], memory, job.start)[job.keys.name]
        started = time.perf_counter_ns()
        made = function(views(job.table, memory, job.start), RowRandom(np.asarray(seeds)))
        _end_fork()
        arrays = arrays_of(made)
        nanos = time.perf_counter_ns() - started
        table, needed = lay_out(arrays)
        size = job.result_bytes if needed <= job.result_bytes else shared.enlarge(job.result, needed)
        for name, target in views(table, shared.memory(job.result, size)).items() if needed else ():
            if not isinstance(target, int):
                np.copyto(target, arrays[name])
        return Done(table, size, job.step, nanos)
    except BaseException as e:
        _end_fork()
        if isinstance(e, Exception):
            return _raised(e, job.step)
        raise


def _raised(e: Exception, step: int = -1) -> Raised:
    return Raised("".join(traceback.format_exception_only(e)).strip(), traceback.format_exc(), step)


def _end_fork() -> None:
    """Ends a process that the user's function forked: its answer would be taken for the worker's."""
    if os.getpid() != _pid:
        os._exit(1)


def _end_with_parent() -> None:
    """Ends this process with the trainer: otherwise a function that never returns would outlive a killed trainer."""
    parent = parent_process()
    assert parent is not None, "this is a child process"
    connection.wait([parent.sentinel])
    os._exit(1)
