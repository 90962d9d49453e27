"""Applies a user's function to batches, in the order of the steps."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankfeed.attachment import Attachment
from rankfeed.delivery import Delivery, FromRing
from rankfeed.errors import RankfeedError, RingExhausted, TransformError
from rankfeed.interrupts import Deferred, Waiting
from rankfeed.ring.connection import Connection
from rankfeed.ring.layout import Tensor
from rankfeed.ring.lease import Descriptor, Lease, T, Wrap
from rankfeed.ring.segment import Segment
from rankfeed.stats import Meter
from rankfeed.transform.random import RowRandom, Transform
from rankfeed.transform.results import Result, Results
from rankfeed.transform.table import arrays_of, locations, same
from rankfeed.transform.worker import Done, Job, Raised
from rankfeed.transform.workers import Died, Worker, Workers

_ROW_KEY = "_row_key"
_ROWS_NAMED = 8
_SPARE_SLOTS = 2


def _array(array: np.ndarray, _tensor: Tensor | None) -> np.ndarray:
    return array


class Given:
    """Arrays that exist already."""

    def __init__(self, arrays: Mapping[str, np.ndarray | int], columns: Mapping[str, Tensor]):
        self._arrays = arrays
        self._columns = columns

    def tensors(self, _base: np.ndarray, _descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]:
        return {
            name: array if isinstance(array, int) else wrap(array, same(self._columns, name, array))
            for name, array in self._arrays.items()
        }


class InTrainer:
    """Calls the function in the trainer's process, when the batch is asked for."""

    def __init__(self, attachment: Attachment, delivery: Delivery, function: Transform, meter: Meter):
        self._attachment = attachment
        self._ring = FromRing(delivery)
        self._function = function
        self._meter = meter
        self._columns: dict[str, Tensor] = {}

    @property
    def position(self) -> int:
        return self._attachment.position

    @property
    def exhausted(self) -> bool:
        return self._attachment.exhausted

    def attached(self, connection: Connection) -> None:
        self._columns = _columns(connection)
        self._ring.attached(connection)

    def detached(self, connection: Connection) -> None:
        self._ring.detached(connection)

    def next(self, end: int) -> Lease:
        return self._transformed(self._attachment.next(end))

    def poll(self, end: int) -> Lease | None:
        lease = self._attachment.poll(end)
        return None if lease is None else self._transformed(lease)

    def seek(self, global_step: int) -> None:
        self._attachment.seek(global_step)

    def close(self) -> None:
        pass

    def _transformed(self, lease: Lease) -> Lease:
        try:
            arrays = lease.tensors(_array)
            rows = arrays.get("row_id")
            started = time.perf_counter_ns()
            try:
                random = RowRandom(np.asarray(arrays.pop(_ROW_KEY)))
                with Waiting():
                    made = self._function(arrays, random)
                result = arrays_of(made)
            except Exception as e:
                where = _where(lease.descriptor, rows)
                raise TransformError(f"the transform failed: {type(e).__name__}: {e}; at {where}") from e
            finally:
                self._meter.transforms.record(time.perf_counter_ns() - started)
            lease.views = Given(result, self._columns)
            return lease
        except BaseException:
            lease.release()
            raise


@dataclass
class _Task:
    """A batch in work, or finished and not handed out."""

    at: Descriptor
    rows: np.ndarray | None
    lease: Lease
    result: Result
    outcome: Done | Raised | Died | None = None
    forgotten: bool = False


class InWorkers:
    """Calls the function in worker processes, for the batches after the consumer's, as long as results are free."""

    _segment: Segment

    def __init__(self, attachment: Attachment, delivery: Delivery, workers: Workers, count: int, meter: Meter):
        self._attachment = attachment
        self._delivery = delivery
        self._workers = workers
        self._count = count
        self._meter = meter
        meter.transforms.processes = count
        # One by slot, once the ring is known.
        self._results = Results(0, delivery.mapped, delivery.unmapped)
        self._tasks: deque[_Task] = deque()
        self._columns: dict[str, Tensor] = {}

    @property
    def position(self) -> int:
        return self._attachment.position - len(self._tasks)

    @property
    def exhausted(self) -> bool:
        return not self._tasks and self._results.exhausted

    def attached(self, connection: Connection) -> None:
        slots = connection.segment.layout.slots
        if slots < self._count + _SPARE_SLOTS:
            raise RankfeedError(
                f"workers={self._count} need a ring of at least {self._count + _SPARE_SLOTS} slots, this one has "
                f"{slots}; start the feeder with --depth {self._count + _SPARE_SLOTS} (or depth: in the feed file), or "
                "use fewer workers"
            )
        self._segment = connection.segment
        self._columns = _columns(connection)
        self._delivery.prepare(connection)
        if not self._results.count:
            self._results = Results(slots, self._delivery.mapped, self._delivery.unmapped)

    def detached(self, connection: Connection) -> None:
        pass

    def next(self, end: int) -> Lease:
        try:
            return self._next(end)
        except KeyboardInterrupt:
            self._workers.interrupted()
            raise

    def _next(self, end: int) -> Lease:
        is_heard = False
        while True:
            is_heard &= not self._submit_ready(end)
            if self._tasks and self._tasks[0].outcome is not None:
                return self._hand_out(self._tasks.popleft())
            if not self._tasks and self._results.exhausted:
                raise RingExhausted(
                    f"all {self._results.count} results of the transform are held by batches that are still alive "
                    f"(step {self.position}); drop or release() batches, copy what must stay (or Feed(copy=True)), or "
                    "start the feeder with a larger --depth"
                )
            idle = self._workers.idle()
            if not self._tasks and idle is not None:
                lease = self._attachment.next(end)
                with Deferred():
                    self._submit(idle, lease)
                continue
            started = time.perf_counter_ns()
            # Frames of the feeder matter only while a worker could take their batch; those without one are heard once.
            listens = idle is not None and self._results.has_free and self._attachment.position < end and not is_heard
            connection = self._attachment.connection if listens else None
            with Waiting():
                answered, others_readable = self._workers.wait([] if connection is None else [connection.fileno()])
            self._meter.waited(started)
            is_heard |= others_readable
            self._collect(answered)

    def poll(self, end: int) -> Lease | None:
        self._collect(self._workers.answered())
        self._submit_ready(end)
        if self._tasks and isinstance(self._tasks[0].outcome, Done):
            return self._hand_out(self._tasks.popleft())
        return None

    def seek(self, global_step: int) -> None:
        self._forget()
        self._attachment.seek(global_step)

    def close(self) -> None:
        self._forget()
        for task in self._workers.close():
            task.lease.release()
        self._results.close()

    def _submit_ready(self, end: int) -> bool:
        """Gives the batches that exist to idle workers. Returns whether there was a batch."""
        before = self._attachment.position
        while self._results.has_free and self._attachment.position < end:
            idle = self._workers.idle()
            with Deferred():
                lease = None if idle is None else self._attachment.poll(end)
                if idle is not None and lease is not None:
                    self._submit(idle, lease)
            if lease is None:
                break
        return self._attachment.position > before

    def _submit(self, worker: Worker, lease: Lease) -> None:
        try:
            arrays = lease.tensors(_array)
        except BaseException:
            lease.release()
            raise
        rows = arrays.get("row_id")
        assert lease.base is not None, "a lease that was not watched or released"
        segment, start = self._segment, lease.base.ctypes.data
        *table, keys = locations(arrays, start)
        result = self._results.take()
        task = _Task(lease.descriptor, rows.copy() if isinstance(rows, np.ndarray) else None, lease, result)
        del arrays, rows
        self._tasks.append(task)
        worker.job = task
        offset = start - np.frombuffer(segment.memory, np.uint8, 1).ctypes.data
        try:
            worker.lend("ring", segment, segment.fileno())
            worker.lend(result.key, result, result.descriptor)
            worker.run(Job("ring", offset, table, keys, result.key, result.bytes, lease.descriptor.global_step))
        except Died as e:
            self._finish(worker, e)

    def _collect(self, answered: list[Worker]) -> None:
        for worker in answered:
            with Deferred():
                try:
                    answer = worker.answer()
                except Died as e:
                    answer = e
                self._finish(worker, answer)

    def _finish(self, worker: Worker, answer: Done | Raised | Died | None) -> None:
        task, worker.job = worker.job, None
        if task is None:
            self._started(worker, answer)
            return
        if not isinstance(answer, Died) and (answer is None or answer.step != task.at.global_step):
            answer = Died(
                f"transform worker {worker.number} answered for another step",
                "; a process that the transform forks must end with os._exit()",
            )
        if isinstance(answer, Died):
            self._workers.replace(worker)
        if isinstance(answer, Done):
            self._meter.transforms.record(answer.nanos)
        task.outcome = answer
        task.lease.release()
        if task.forgotten:
            self._results.give_back(task.result)

    def _started(self, worker: Worker, answer: Done | Raised | Died | None) -> None:
        if isinstance(answer, Died):
            # Ctrl-C ends a worker that does not ignore it yet: it is started once more.
            if self._workers.is_started_again(worker):
                return
            raise TransformError(f"{answer} before it had a batch{answer.remedy}") from None
        if isinstance(answer, Raised):
            self._workers.replace(worker)
            raise TransformError(f"transform worker {worker.number} could not start: {answer.summary}") from _Remote(
                answer.traceback
            )
        worker.is_started()

    def _hand_out(self, task: _Task) -> Lease:
        outcome = task.outcome
        if isinstance(outcome, Done):
            return self._results.lease(task.result, outcome.result_bytes, outcome.table, task.at, self._columns)
        self._results.give_back(task.result)
        self._forget()
        where = _where(task.at, task.rows)
        if isinstance(outcome, Died):
            raise TransformError(f"{outcome} at {where}{outcome.remedy}")
        assert outcome is not None, "a batch in work is not handed out"
        raise TransformError(f"the transform failed: {outcome.summary}; at {where}") from _Remote(outcome.traceback)

    def _forget(self) -> None:
        """Drops the batches that were made ahead; a batch in work is released when it ends."""
        while self._tasks:
            task = self._tasks.popleft()
            if task.outcome is None:
                task.forgotten = True
            else:
                self._results.give_back(task.result)


class _Remote(Exception):
    """Shows the traceback of another process as the cause."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _columns(connection: Connection) -> dict[str, Tensor]:
    return {tensor.name: tensor for tensor in connection.segment.layout.tensors}


def _where(at: Descriptor, rows: np.ndarray | int | None) -> str:
    where = f"step {at.step} of epoch {at.epoch}"
    if not isinstance(rows, np.ndarray):
        return where
    more = f" and {len(rows) - _ROWS_NAMED} more" if len(rows) > _ROWS_NAMED else ""
    return f"{where}, row ids {', '.join(map(str, rows[:_ROWS_NAMED].tolist()))}{more}"
