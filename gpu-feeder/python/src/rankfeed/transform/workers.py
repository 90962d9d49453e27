"""The worker processes of a feed, seen from the trainer."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, reduction
from typing import Any

from rankfeed.errors import RankfeedError
from rankfeed.transform import worker
from rankfeed.transform.shipping import packed
from rankfeed.transform.worker import Job

_JOIN_SECONDS = 5
_DEFAULT_METHOD = "forkserver"
_SAFE_PATH = "PYTHONSAFEPATH"


class Died(Exception):
    """A worker process ended although nobody told it to."""


class Worker:
    """One process. It has one job at a time; ``job`` is whatever the owner notes for it."""

    def __init__(self, number: int, functions: bytes):
        context = _context()
        self._pipe, theirs = context.Pipe()
        self.number = number
        self.job: Any = None
        self.ready = False
        self._sent: dict[str, object] = {}
        self._process = context.Process(
            target=worker.main,
            args=(number, theirs, functions, os.environ.get(_SAFE_PATH)),
            name=f"rankfeed-transform-{number}",
            daemon=True,
        )
        try:
            with _without_current_folder():
                self._process.start()
        except (OSError, EOFError) as e:
            raise RankfeedError(f"no worker process could be started for the transform: {e}") from e
        finally:
            theirs.close()

    @property
    def idle(self) -> bool:
        return self.ready and self.job is None

    @property
    def waitables(self) -> list:
        """Readable when the worker has answered or is dead."""
        return [self._pipe, self._process.sentinel]

    def lend(self, key: str, identity: object, descriptor: int) -> None:
        """Sends a descriptor, unless the worker has this one already."""
        if self._sent.get(key) is not identity:
            self._call(lambda: (self._pipe.send(key), reduction.send_handle(self._pipe, descriptor, None)))
            self._sent[key] = identity

    def run(self, job: Job) -> None:
        self._call(lambda: self._pipe.send(job))

    def answer(self) -> Any:
        """The next message: None once, when the worker is ready; afterwards one for each job. Raises ``Died``."""
        return self._call(self._pipe.recv)

    def _call(self, action: Callable) -> Any:
        try:
            return action()
        except (EOFError, OSError):
            self._process.join(_JOIN_SECONDS)
            raise Died(f"transform worker {self.number} (process {self._process.pid}) {self._end()}") from None

    def _end(self) -> str:
        code = self._process.exitcode
        if code is None:
            return "closed its pipe"
        if code >= 0:
            return f"ended with exit code {code}; its standard error says why"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = "unknown"
        remedy = "; where memory was short, use fewer workers" if -code == signal.SIGKILL else ""
        return f"was ended by signal {-code} ({name}){remedy}"

    def close(self) -> None:
        """Ends the process: by the end of its pipe, else by a signal."""
        self._pipe.close()
        if self.job is not None:
            self._process.terminate()
        self._process.join(_JOIN_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join(_JOIN_SECONDS)


class Workers:
    """As many processes as asked for; they live as long as the feed."""

    def __init__(self, count: int, function: Callable, init: Callable | None):
        self._functions = packed((function, init))
        self._pid = os.getpid()
        self._all = [Worker(number, self._functions) for number in range(count)]

    def idle(self) -> Worker | None:
        return next((worker for worker in self._all if worker.idle), None)

    def wait(self, others: list, timeout: float | None) -> tuple[list[Worker], bool]:
        """Waits for an answer, or for one of ``others``; the workers to ask, and whether others are readable."""
        owners = {waitable: w for w in self._all if not w.idle for waitable in w.waitables}
        found = connection.wait([*owners, *others], timeout)
        answered = {owners[waitable].number: owners[waitable] for waitable in found if waitable in owners}
        return list(answered.values()), any(other in found for other in others)

    def replace(self, dead: Worker) -> None:
        dead.close()
        self._all[dead.number] = Worker(dead.number, self._functions)

    def close(self) -> list:
        """Ends the processes; the jobs that they had."""
        if os.getpid() != self._pid:
            return []
        ended, self._all = self._all, []
        for each in ended:
            each.close()
        return [each.job for each in ended if each.job is not None]


def _context():
    method = multiprocessing.get_start_method(allow_none=True)
    # A forked process would hold the trainer's locks and threads.
    return multiprocessing.get_context(_DEFAULT_METHOD if method in (None, "fork") else method)


@contextmanager
def _without_current_folder() -> Iterator[None]:
    """multiprocessing starts its helpers with ``python -c``, which would import modules of the current folder."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        worker.restore(_SAFE_PATH, before)
