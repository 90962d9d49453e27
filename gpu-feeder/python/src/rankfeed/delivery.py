"""How a leased slot becomes a batch on the CPU: the slot itself, or a copy of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rankfeed.attachment import Attachment
from rankfeed.batch import Batch
from rankfeed.normalize import Normalize, chosen
from rankfeed.ring.connection import Connection
from rankfeed.views import Views


class Normalizer:
    """Which columns are normalized, known once the feeder has said what it feeds."""

    def __init__(self, asked: Mapping[str, Normalize] | bool | None, make: Callable):
        self._asked = asked
        self._make = make

    def functions(self, connection: Connection) -> dict[str, Callable]:
        """By column, of pixels a tensor of numbers."""
        layout = connection.segment.layout
        wanted = chosen(self._asked, connection.welcome.normalize, layout)
        return {
            tensor.name: self._make(tensor, wanted[tensor.name]) for tensor in layout.tensors if tensor.name in wanted
        }

    def wrapping(self, wrap: Callable, connection: Connection) -> Callable:
        """``wrap``, then what is to be normalized."""
        functions = self.functions(connection)
        if not functions:
            return wrap

        def normalized(array, tensor):
            function = None if tensor is None else functions.get(tensor.name)
            return wrap(array, tensor) if function is None else function(wrap(array, tensor))

        return normalized


class Slots:
    """Hands out the slot: its memory goes back when the last tensor made of it dies."""

    ahead = 0

    def __init__(self, wrap: Callable, normalizer: Normalizer):
        self._wrap = wrap
        self._normalizer = normalizer
        self._views: Views | None = None

    def attached(self, connection: Connection) -> None:
        self._views = Views(connection.segment.layout, self._normalizer.wrapping(self._wrap, connection))

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

    def __init__(self, wrap: Callable, normalizer: Normalizer):
        self._wrap = wrap
        self._normalizer = normalizer
        self._views: Views | None = None

    def attached(self, connection: Connection) -> None:
        wrap = self._normalizer.wrapping(self._wrap, connection)
        self._views = Views(connection.segment.layout, wrap, copy=True)

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
