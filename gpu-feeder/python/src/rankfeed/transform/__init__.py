"""A user's function over batches (``Feed(transform=…)``), in worker processes or in the trainer."""

from __future__ import annotations

from multiprocessing import process
from typing import TYPE_CHECKING

from rankfeed import seconds
from rankfeed.errors import RankfeedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rankfeed.attachment import Attachment
    from rankfeed.delivery import Delivery
    from rankfeed.stats import Meter
    from rankfeed.transform.random import Transform
    from rankfeed.transform.source import InTrainer, InWorkers

_MAX_WORKERS = 1024
_TIMEOUT_SECONDS = 300.0


def check(function: object, workers: object, init: object, timeout: object) -> float:
    """Checks the arguments of ``Feed`` and returns the seconds that a worker has for a batch. Raises
    ``RankfeedError``."""
    if getattr(process.current_process(), "_inheriting", False):
        raise RankfeedError(
            "this script makes a Feed while a worker process imports it; put the code that trains under "
            "\"if __name__ == '__main__':\""
        )
    if type(workers) is not int or not 0 <= workers <= _MAX_WORKERS:
        raise RankfeedError(f"workers={workers!r}: expected 0 to {_MAX_WORKERS} processes")
    for name, value in (("transform", function), ("worker_init", init)):
        if value is not None and not callable(value):
            raise RankfeedError(f"{name}={value!r} cannot be called; give a function")
    if function is None and (workers or init is not None):
        raise RankfeedError("workers and worker_init are for a transform; write Feed(transform=…), or leave them out")
    if init is not None and not workers:
        raise RankfeedError("worker_init is for worker processes; write workers=…, or leave it out")
    if timeout is None:
        return _TIMEOUT_SECONDS
    if not workers:
        raise RankfeedError("timeout is for worker processes; write workers=…, or leave it out")
    limit = seconds.checked("timeout", timeout)
    if not limit:
        raise RankfeedError(f"timeout={timeout!r}: expected more than 0 seconds")
    return limit


def transformed(
    attachment: Attachment,
    delivery: Delivery,
    meter: Meter,
    function: Transform,
    workers: int,
    init: Callable[[int], None] | None,
    timeout: float,
) -> InTrainer | InWorkers:
    """Returns the source of batches after the function."""
    # Here, since most feeds have no transform.
    from rankfeed.transform.source import InTrainer, InWorkers
    from rankfeed.transform.workers import Workers

    if workers == 0:
        return InTrainer(attachment, delivery, function, meter)
    return InWorkers(attachment, delivery, Workers(workers, function, init, timeout), workers, meter)
