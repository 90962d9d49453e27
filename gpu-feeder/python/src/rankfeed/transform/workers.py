"""The worker processes of a feed, seen from the trainer."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, reduction
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any, TypeVar

from rankfeed.errors import RankfeedError
from rankfeed.interrupts import Deferred
from rankfeed.transform import worker
from rankfeed.transform.random import Transform
from rankfeed.transform.shipping import packed
from rankfeed.transform.worker import Job

T = TypeVar("T")

_JOIN_SECONDS = 5
_SAFE_PATH = "PYTHONSAFEPATH"
_TICK_SECONDS = 1.0
_MAX_STARTS = 2
_MAX_SOCKET_SECONDS = 10.0**6


class Died(Exception):
    """A worker process ended without a request, or was killed because it did not answer."""

    def __init__(self, what: str, remedy: str = ""):
        super().__init__(what)
        self.remedy = remedy


class Worker:
    """One process. It has one job at a time; ``job`` is whatever the owner notes for it.

    timeout: seconds in which it must answer. starts: how often in a row the worker of this number was started.
    """

    def __init__(self, number: int, functions: bytes, timeout: float, starts: int = 1):
        context = _context()
        self._pipe, child_end = context.Pipe()
        self.number = number
        self.starts = starts
        self.job: Any = None
        self.ready = False
        self._timeout = timeout
        self._silent_seconds = 0.0
        self._sent: dict[str, object] = {}
        self._process = context.Process(
            target=worker.main,
            args=(number, child_end, functions, os.environ.get(_SAFE_PATH)),
            name=f"rankfeed-transform-{number}",
            daemon=True,
        )
        try:
            with _without_current_folder():
                self._process.start()
        except (OSError, EOFError) as e:
            raise RankfeedError(f"no worker process could be started for the transform: {e}") from e
        finally:
            child_end.close()
        _limit_calls(self._pipe, timeout)

    @property
    def idle(self) -> bool:
        return self.ready and self.job is None

    @property
    def waitables(self) -> list[connection.Connection | int]:
        """The descriptors that are readable when the worker has answered or is dead."""
        return [self._pipe, self._process.sentinel]

    def lend(self, key: str, identity: object, descriptor: int) -> None:
        """Sends a descriptor, unless the worker has this one already."""
        if self._sent.get(key) is not identity:
            self._call(lambda: self._send_handle(key, descriptor))
            self._sent[key] = identity

    def _send_handle(self, key: str, descriptor: int) -> None:
        self._pipe.send(key)
        reduction.send_handle(self._pipe, descriptor, None)

    def is_started(self) -> None:
        """Records that the worker has started and may have jobs."""
        self.ready = True
        self.starts = 1

    def run(self, job: Job) -> None:
        self._silent_seconds = 0.0
        self._call(lambda: self._pipe.send(job))

    def answer(self) -> Any:
        """Returns the next message: None once, when the worker is ready; afterwards one for each job. Raises
        ``Died``."""
        if self.is_overdue and not self._pipe.poll():
            raise self._ended()
        return self._call(self._pipe.recv)

    def waited(self, seconds: float) -> None:
        """Records that the trainer waited this long while the worker was busy."""
        self._silent_seconds += seconds

    @property
    def is_overdue(self) -> bool:
        return self._silent_seconds >= self._timeout

    def _call(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except BlockingIOError:
            # It stopped in the middle of a message.
            self._silent_seconds = self._timeout
            raise self._ended() from None
        except (EOFError, OSError):
            self._process.join(_JOIN_SECONDS)
            raise self._ended() from None

    def _ended(self) -> Died:
        who = f"transform worker {self.number} (process {self._process.pid})"
        code = self._process.exitcode
        if self.is_overdue:
            # A stopped process takes no other signal.
            self._process.kill()
            return Died(
                f"{who} did not answer within {self._timeout:g} seconds and was killed",
                "; a slower function needs Feed(timeout=…)",
            )
        if code is None:
            return Died(f"{who} closed its pipe")
        if code >= 0:
            return Died(f"{who} ended with exit code {code}", "; its standard error says why")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "unknown"
        remedy = "; where memory was short, use fewer workers" if -code == signal.SIGKILL else ""
        return Died(f"{who} was ended by signal {-code} ({name})", remedy)

    def end(self) -> None:
        """Asks the process to end: by the end of its pipe, and by a signal if it is at work."""
        self._pipe.close()
        if self.job is not None:
            self._process.terminate()

    def join(self, seconds: float = _JOIN_SECONDS) -> None:
        """Waits for the end of the process, and kills it after these seconds."""
        self._process.join(seconds)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join(_JOIN_SECONDS)


class Workers:
    """The worker processes of a feed, which live as long as the feed."""

    def __init__(self, count: int, function: Transform, init: Callable[[int], None] | None, timeout: float):
        self._functions = packed((function, init))
        self._timeout = timeout
        self._tick = min(timeout, _TICK_SECONDS)
        self._pid = os.getpid()
        self._all: list[Worker] = []
        try:
            for number in range(count):
                with Deferred():
                    self._all.append(Worker(number, self._functions, timeout))
        except BaseException:
            self.close()
            raise

    def idle(self) -> Worker | None:
        return next((worker for worker in self._all if worker.idle), None)

    def wait(self, others: list[int]) -> tuple[list[Worker], bool]:
        """Waits for an answer, for one of ``others``, or for a tick. Returns the workers to ask, and whether others are
        readable. Workers that were silent for their timeout are to be asked too."""
        started = time.monotonic()
        found = self._found(others, self._tick)
        # At most a tick, so that a trainer that is suspended together with its workers counts no hours.
        waited = min(time.monotonic() - started, self._tick)
        for each in self._all:
            if not each.idle:
                each.waited(waited)
        overdue = [each for each in self._all if not each.idle and each.is_overdue]
        return list({each.number: each for each in (*found[0], *overdue)}.values()), found[1]

    def answered(self) -> list[Worker]:
        """Returns the workers to ask now."""
        return self._found([], 0)[0]

    def _found(self, others: list[int], timeout: float) -> tuple[list[Worker], bool]:
        owners = {waitable: w for w in self._all if not w.idle for waitable in w.waitables}
        found = connection.wait([*owners, *others], timeout)
        return [owners[each] for each in found if each in owners], any(other in found for other in others)

    def is_started_again(self, dead: Worker) -> bool:
        """Replaces a worker that ended before it was ready. Returns False if it ended too often."""
        again = dead.starts < _MAX_STARTS and not dead.is_overdue
        self.replace(dead, dead.starts + 1 if again else 1)
        return again

    def replace(self, dead: Worker, starts: int = 1) -> None:
        dead.end()
        dead.join()
        self._all[dead.number] = Worker(dead.number, self._functions, self._timeout, starts)

    def interrupted(self) -> None:
        """Records a Ctrl-C, which also ended the workers that were not ready: their starts do not count."""
        for each in self._all:
            each.starts = 1

    def close(self) -> list[Any]:
        """Ends the processes and returns the jobs that they had."""
        if os.getpid() != self._pid:
            return []
        ended, self._all = self._all, []
        for each in ended:
            each.end()
        deadline = time.monotonic() + _JOIN_SECONDS
        for each in ended:
            each.join(max(0.0, deadline - time.monotonic()))
        return [each.job for each in ended if each.job is not None]


def _limit_calls(pipe: connection.Connection, seconds: float) -> None:
    """Makes calls fail with ``BlockingIOError`` after this time, also in the middle of a message."""
    whole = int(min(seconds, _MAX_SOCKET_SECONDS))
    micros = 0 if seconds >= _MAX_SOCKET_SECONDS else max(1, int((seconds - whole) * 1e6))
    with socket.socket(fileno=os.dup(pipe.fileno())) as end:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            end.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", whole, micros))


def _context() -> ForkServerContext | SpawnContext:
    if multiprocessing.get_start_method(allow_none=True) == "spawn":
        return multiprocessing.get_context("spawn")
    # A forked process would hold the trainer's locks and threads.
    return multiprocessing.get_context("forkserver")


@contextmanager
def _without_current_folder() -> Iterator[None]:
    """multiprocessing starts its helpers with ``python -c``, which would import modules of the current folder."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        worker.restore(_SAFE_PATH, before)
