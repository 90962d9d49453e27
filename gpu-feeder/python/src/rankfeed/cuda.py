"""Batches on a GPU: the ring is registered with CUDA once, and slots are copied on a stream of their own.

Tested against a recording stand-in for the runtime, and on a GPU where there is one (``test_cuda_hardware.py``).
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankfeed.batch import Batch
from rankfeed.delivery import Normalizer, Source
from rankfeed.errors import RankfeedError
from rankfeed.ring.connection import Connection
from rankfeed.ring.lease import Lease, Wrap
from rankfeed.ring.stages import Histogram

if TYPE_CHECKING:
    import torch

    Tensors = dict[str, torch.Tensor | int]

_AHEAD = 2


class CudaRuntime(Protocol):
    """The functions of CUDA that this module uses. Tensors are host tensors over a slot, or device tensors."""

    def register(self, address: int, length_bytes: int) -> None:
        """Pins the memory for asynchronous copies."""

    def unregister(self, address: int) -> None: ...

    def upload(self, tensors: Tensors, normalize: Callable[[Tensors], Tensors]) -> tuple[Tensors, Any]:
        """Starts copying on the side stream, and there ``normalize`` of the copies; the device tensors, and an event
        after the last of it."""

    def done(self, event: Any) -> bool: ...

    def wait(self, event: Any) -> None:
        """Blocks this thread until the event has happened."""

    def copy_nanos(self, event: Any) -> int:
        """The time that the copies before the event took on the side stream; the event has happened."""

    def hand_over(self, tensors: Mapping[str, torch.Tensor | int], event: Any) -> None:
        """Makes the consumer's stream wait for the event, and keeps the tensors' memory until that stream is done."""


@dataclass
class _Copied:
    begin: torch.cuda.Event
    copied: torch.cuda.Event
    end: torch.cuda.Event


class TorchCuda:
    """The runtime through torch: ``cudaHostRegister``, a side stream, events."""

    def __init__(self, device: torch.device):
        import torch

        if not torch.cuda.is_available():
            raise RankfeedError(f"device {device} was asked for, but torch finds no CUDA; use device='cpu'")
        if (device.index or 0) >= torch.cuda.device_count():
            raise RankfeedError(f"device {device} was asked for, but there are {torch.cuda.device_count()}; name one")
        self._torch = torch
        self._device, self._stream = device, torch.cuda.Stream(device)

    def register(self, address: int, length_bytes: int) -> None:
        with self._torch.cuda.device(self._device):
            status = int(self._torch.cuda.cudart().cudaHostRegister(address, length_bytes, 0))
        if status:
            self._forget_error()
            raise RankfeedError(
                f"cudaHostRegister of {length_bytes} bytes failed with error {status}; raise ulimit -l, or use "
                "device='cpu' and copy to the device yourself"
            )

    def unregister(self, address: int) -> None:
        with self._torch.cuda.device(self._device):
            if int(self._torch.cuda.cudart().cudaHostUnregister(address)):
                self._forget_error()

    def _forget_error(self) -> None:
        """Makes torch report the error that a call of CUDA left, which clears it: a later call would report it."""
        with contextlib.suppress(RuntimeError):
            self._torch.zeros(1, device=self._device)

    def upload(self, tensors: Tensors, normalize: Callable[[Tensors], Tensors]) -> tuple[Tensors, _Copied]:
        with self._torch.cuda.stream(self._stream):
            begin = self._torch.cuda.Event(enable_timing=True)
            begin.record(self._stream)
            copies: Tensors = {
                name: tensor if isinstance(tensor, int) else tensor.to(self._device, non_blocking=True)
                for name, tensor in tensors.items()
            }
            copied = self._torch.cuda.Event(enable_timing=True)
            copied.record(self._stream)
            copies = normalize(copies)
            end = self._torch.cuda.Event()
            end.record(self._stream)
        return copies, _Copied(begin, copied, end)

    def done(self, event: _Copied) -> bool:
        is_done: bool = event.end.query()
        return is_done

    def wait(self, event: _Copied) -> None:
        event.end.synchronize()

    def copy_nanos(self, event: _Copied) -> int:
        return int(event.begin.elapsed_time(event.copied) * 1e6)

    def hand_over(self, tensors: Mapping[str, torch.Tensor | int], event: _Copied) -> None:
        consumer = self._torch.cuda.current_stream(self._device)
        consumer.wait_event(event.end)
        for tensor in tensors.values():
            if not isinstance(tensor, int):
                tensor.record_stream(consumer)


@dataclass
class _Upload:
    batch: Batch
    event: Any


class Uploads:
    """Copies up to two batches ahead. A slot goes back only after the event after its copies has happened."""

    def __init__(
        self, runtime: CudaRuntime, wrap: Wrap[torch.Tensor], normalizer: Normalizer[torch.Tensor], copies: Histogram
    ):
        self._runtime = runtime
        self._copies = copies
        self._wrap = wrap
        self._normalizer = normalizer
        self._uploaded: deque[_Upload] = deque()
        self._in_flight: deque[tuple[Any, Lease]] = deque()

    @property
    def ahead(self) -> int:
        """The number of batches that were taken from the ring and not handed out."""
        return len(self._uploaded)

    def prepare(self, connection: Connection) -> None:
        self._normalizer.attached(connection)

    def mapped(self, memory: np.ndarray) -> None:
        """Pins the memory of future batches."""
        self._runtime.register(memory.ctypes.data, memory.nbytes)

    def unmapped(self, memory: np.ndarray) -> None:
        try:
            self._finish(len(self._in_flight))
        finally:
            self._runtime.unregister(memory.ctypes.data)

    def next(self, source: Source, end: int) -> Batch:
        """Returns the next batch, and starts to copy the batches after it, up to step ``end``."""
        self._retire()
        while len(self._uploaded) < _AHEAD and source.position < end:
            if not self._uploaded:
                if source.exhausted:
                    self._finish(1)
                self._upload(source.next(end))
            elif (lease := source.poll(end)) is not None:
                self._upload(lease)
            else:
                break
        upload = self._uploaded.popleft()
        self._runtime.hand_over(upload.batch, upload.event)
        return upload.batch

    def reset(self) -> None:
        """Drops the batches that were copied ahead."""
        self._uploaded.clear()
        self._retire()

    def _upload(self, lease: Lease) -> None:
        try:
            tensors, event = self._runtime.upload(lease.tensors(self._wrap), self._normalizer.apply)
        except BaseException:
            lease.release()
            raise
        at = lease.descriptor
        self._in_flight.append((event, lease))
        self._uploaded.append(_Upload(Batch.at(at, tensors), event))

    def _retire(self) -> None:
        while self._in_flight and self._runtime.done(self._in_flight[0][0]):
            self._copied(*self._in_flight.popleft())

    def _finish(self, count: int) -> None:
        for _ in range(min(count, len(self._in_flight))):
            event, lease = self._in_flight.popleft()
            self._runtime.wait(event)
            self._copied(event, lease)

    def _copied(self, event: Any, lease: Lease) -> None:
        self._copies.record(self._runtime.copy_nanos(event))
        lease.release()
