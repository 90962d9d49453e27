"""How a leased slot becomes a batch on the CPU: the slot itself, or a copy of it."""

from __future__ import annotations

from collections.abc import Callable

from rankfeed.attachment import Attachment
from rankfeed.batch import Batch
from rankfeed.ring.connection import Connection
from rankfeed.views import Views


class Slots:
    """Hands out the slot: its memory goes back when the last tensor made of it dies."""

    ahead = 0

    def __init__(self, wrap: Callable):
        self._wrap = wrap
        self._views: Views | None = None

    def attached(self, connection: Connection) -> None:
        self._views = Views(connection.segment.layout, self._wrap)

    def detached(self, connection: Connection) -> None:
        pass

    def next(self, attachment: Attachment, _end: int) -> Batch:
        lease = attachment.next()
        try:
            tensors = self._views.tensors(lease)
        except BaseException:
            lease.release()
            raise
        lease.watch()
        at = lease.descriptor
        return Batch(tensors, at.epoch, at.step, at.global_step, at.rows, lease)

    def reset(self) -> None:
        pass


class Copies:
    """Hands out copies and gives the slot back at once: nothing to hold, one memcpy per batch."""

    ahead = 0

    def __init__(self, wrap: Callable):
        self._wrap = wrap
        self._views: Views | None = None

    def attached(self, connection: Connection) -> None:
        self._views = Views(connection.segment.layout, self._wrap, copy=True)

    def detached(self, connection: Connection) -> None:
        pass

    def next(self, attachment: Attachment, _end: int) -> Batch:
        lease = attachment.next()
        try:
            at = lease.descriptor
            return Batch(self._views.tensors(lease), at.epoch, at.step, at.global_step, at.rows)
        finally:
            lease.release()

    def reset(self) -> None:
        pass
