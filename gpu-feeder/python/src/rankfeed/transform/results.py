"""The shared memory of a transform's results. It has no name, so that nothing remains after the process."""

from __future__ import annotations

import gc
import mmap
import os
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from rankfeed.ring.layout import Tensor
from rankfeed.ring.lease import Descriptor, Lease
from rankfeed.transform.table import ArrayLocation, TableViews


class Result:
    """One block of memory, empty at first. Workers enlarge it; the trainer maps the size that they state."""

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
    """A pool of ``count`` results. Each is free, in use by a worker, or with the consumer."""

    def __init__(self, count: int, mapped: Callable[[np.ndarray], None], unmapped: Callable[[np.ndarray], None]):
        self.count = count
        self._all = [Result(number) for number in range(count)]
        self._free = list(reversed(self._all))
        self._mapped = mapped
        self._unmapped = unmapped

    @property
    def exhausted(self) -> bool:
        """Whether no result is free, also after garbage batches are collected."""
        if not self._free:
            gc.collect()
        return not self._free

    @property
    def has_free(self) -> bool:
        return bool(self._free)

    def take(self) -> Result:
        """Returns the free result that was used last, to touch as little memory as possible."""
        return self._free.pop()

    def give_back(self, result: Result) -> None:
        result.lease = None
        self._free.append(result)

    def lease(
        self, result: Result, size: int, table: list[ArrayLocation], at: Descriptor, columns: Mapping[str, Tensor]
    ) -> Lease:
        """Returns the lease of a result of ``size`` bytes, which the consumer releases."""
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
        """Closes the free results. Batches that were handed out stay valid."""
        for result in self._all:
            if result.memory is not None:
                self._unmapped(result.memory)
            result.close()
        self._all = []
