"""Makes batches on the CPU from leased slots: views of the slot, or copies of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

from rankfeed.batch import Batch
from rankfeed.errors import RankfeedError
from rankfeed.normalize import Function, Normalize, chosen
from rankfeed.ring.connection import Connection
from rankfeed.ring.lease import Lease, Wrap
from rankfeed.ring.stages import Histogram

if TYPE_CHECKING:
    import torch

T = TypeVar("T", bound="np.ndarray | torch.Tensor")


class Source(Protocol):
    """Leases in the order of the steps: those of the ring, or those of a transform's results."""

    @property
    def position(self) -> int:
        """Global step of the next lease."""

    @property
    def exhausted(self) -> bool:
        """Whether the consumer holds every slot."""

    def next(self, end: int) -> Lease:
        """Waits for the lease of step ``position`` and returns it. Steps from ``end`` on are not requested yet."""

    def poll(self, end: int) -> Lease | None:
        """Returns the lease of step ``position`` if it exists already. Leaves errors to ``next``."""

    def seek(self, global_step: int) -> None: ...


class Normalizer(Generic[T]):
    """Normalizes columns; WELCOME of the feeder determines which.

    transformed: whether a transform makes the columns, so that the ring's say nothing of them.
    """

    def __init__(
        self,
        asked: Mapping[str, Normalize] | bool | None,
        make: Callable[[str, Normalize], Function[T]],
        transformed: bool,
    ):
        self._asked = asked
        self._make = make
        self._transformed = transformed
        self._functions: dict[str, Function[T]] = {}

    def attached(self, connection: Connection) -> None:
        layout = None if self._transformed else connection.segment.layout
        wanted = chosen(self._asked, connection.welcome.normalize, layout)
        self._functions = {name: self._make(name, how) for name, how in wanted.items()}

    def apply(self, tensors: dict[str, T | int]) -> dict[str, T | int]:
        """Returns the tensors with pixels replaced by normalized numbers."""
        for name, function in self._functions.items():
            if name not in tensors:
                raise RankfeedError(f"normalize: no column {name!r} in the batch; it has {', '.join(tensors)}")
            pixels, valid = tensors[name], tensors.get(f"{name}.valid")
            if isinstance(pixels, int) or isinstance(valid, int):
                number = name if isinstance(pixels, int) else f"{name}.valid"
                raise RankfeedError(f"normalize: {number!r} is a number, expected an array; change the transform")
            if valid is not None and len(valid) != len(pixels):
                raise RankfeedError(
                    f"normalize: column {name!r} has {len(pixels)} images, but '{name}.valid' {len(valid)}; "
                    "the transform must change both alike"
                )
            tensors[name] = function(pixels, valid)
        return tensors


class Delivery(Protocol):
    """Makes batches of leases."""

    @property
    def ahead(self) -> int:
        """The number of batches that were taken from the source and not handed out."""

    def prepare(self, connection: Connection) -> None:
        """Stores the layout and the normalizations that the feeder states."""

    def mapped(self, memory: np.ndarray) -> None:
        """Announces the memory of future batches."""

    def unmapped(self, memory: np.ndarray) -> None:
        """Announces that no further batch comes from this memory."""

    def next(self, source: Source, end: int) -> Batch: ...

    def reset(self) -> None:
        """Drops the batches that were taken ahead."""


class FromRing:
    """Announces the memory of rings to a delivery."""

    def __init__(self, delivery: Delivery):
        self._delivery = delivery

    def attached(self, connection: Connection) -> None:
        self._delivery.prepare(connection)
        self._delivery.mapped(connection.segment.data())

    def detached(self, connection: Connection) -> None:
        self._delivery.unmapped(connection.segment.data())


class Slots(Generic[T]):
    """Hands out the slot: its memory goes back when the last tensor made of it dies."""

    ahead = 0

    def __init__(self, wrap: Wrap[T], normalizer: Normalizer[T], copies: Histogram):
        self._wrap = wrap
        self._normalizer = normalizer
        self._copies = copies

    def prepare(self, connection: Connection) -> None:
        self._normalizer.attached(connection)

    def mapped(self, memory: np.ndarray) -> None:
        pass

    def unmapped(self, memory: np.ndarray) -> None:
        pass

    def next(self, source: Source, end: int) -> Batch:
        lease = source.next(end)
        at = lease.descriptor
        try:
            tensors = self._normalizer.apply(lease.tensors(self._wrap))
        except BaseException:
            lease.release()
            raise
        lease.watch()
        return Batch.at(at, tensors, lease)

    def reset(self) -> None:
        pass


class Copies(Slots[T]):
    """Hands out copies and gives the slot back at once: nothing to hold, one memcpy per batch."""

    def next(self, source: Source, end: int) -> Batch:
        lease = source.next(end)
        at = lease.descriptor
        try:
            started = time.perf_counter_ns()
            tensors = lease.tensors(lambda array, tensor: self._wrap(array.copy(), tensor))
            self._copies.record(time.perf_counter_ns() - started)
            return Batch.at(at, self._normalizer.apply(tensors))
        finally:
            lease.release()
