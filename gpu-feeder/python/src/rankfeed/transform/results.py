"""Shared memory that the results of a transform are written to: no names, so that nothing of it can be left behind."""

from __future__ import annotations

import gc
import mmap
import os
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rankfeed.ring.layout import Tensor
from rankfeed.ring.lease import Descriptor, Lease
from rankfeed.transform.table import Place, TableViews


class Result:
    """One piece of memory, empty at first. Workers enlarge it; the trainer maps what they say."""

    def __init__(self, number: int):
        self.key = f"result {number}"
        self.descriptor = os.memfd_create(f"rankfeed-{self.key}", os.MFD_CLOEXEC)
        self.bytes = 0
        self.mapping: mmap.mmap | None = None
        self.memory: np.ndarray | None = None
        self.lease: Lease | None = None

    def close(self) -> None:
        os.close(self.descriptor)


class Results:
    """``count`` results. Each is free, in work, or with the consumer."""

    def __init__(self, count: int, mapped: Callable[[np.ndarray], None], unmapped: Callable[[np.ndarray], None]):
        self.count = count
        self._all = [Result(number) for number in range(count)]
        self._free = list(reversed(self._all))
        self._mapped = mapped
        self._unmapped = unmapped

    @property
    def exhausted(self) -> bool:
        """Whether none is free, not even after a look at batches that are garbage."""
        if not self._free:
            gc.collect()
        return not self._free

    @property
    def has_free(self) -> bool:
        return bool(self._free)

    def take(self) -> Result:
        """A free one; the one used last, so that no more memory is touched than is needed."""
        return self._free.pop()

    def give_back(self, result: Result) -> None:
        result.lease = None
        self._free.append(result)

    def lease(
        self, result: Result, size: int, table: list[Place], at: Descriptor, columns: Mapping[str, Tensor]
    ) -> Lease:
        """A result of ``size`` bytes for the consumer, who gives it back."""
        if size != result.bytes:
            if result.memory is not None:
                self._unmapped(result.memory)
            result.mapping = mmap.mmap(result.descriptor, size)
            result.memory = np.frombuffer(result.mapping, np.uint8)
            result.bytes = size
            self._mapped(result.memory)
        base = np.empty(0, np.uint8) if result.mapping is None else np.frombuffer(result.mapping, np.uint8)
        result.lease = Lease(base, at, TableViews(table, columns), partial(self.give_back, result))
        return result.lease

    def close(self) -> None:
        """Batches in hand stay valid."""
        for result in self._all:
            if result.memory is not None:
                self._unmapped(result.memory)
            result.close()
        self._all = []
