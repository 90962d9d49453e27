"""Batches on a GPU: the ring is registered with CUDA once, and slots are copied on a stream of their own.

Tested against a recording stand-in for the runtime; untested on hardware.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rankfeed.attachment import Attachment
from rankfeed.batch import Batch
from rankfeed.delivery import Normalizer
from rankfeed.errors import RankfeedError
from rankfeed.ring.connection import Connection, Lease
from rankfeed.views import Views

_AHEAD = 2


class CudaRuntime(Protocol):
    """What this module needs of CUDA. Tensors are host tensors over a slot, or device tensors."""

    def register(self, address: int, length_bytes: int) -> None:
        """Pins the memory for asynchronous copies."""

    def unregister(self, address: int) -> None: ...

    def upload(self, tensors: dict[str, Any], functions: dict[str, Callable]) -> tuple[dict[str, Any], Any]:
        """Starts copying on the side stream, and there what functions make of copies; the device tensors, and an event
        after the last of it."""

    def done(self, event: Any) -> bool: ...

    def wait(self, event: Any) -> None:
        """Blocks this thread until the event has happened."""

    def hand_over(self, tensors: dict[str, Any], event: Any) -> None:
        """Makes the consumer's stream wait for the event, and keeps the tensors' memory until that stream is done."""


class TorchCuda:
    """The runtime through torch: ``cudaHostRegister``, a side stream, events."""

    def __init__(self, device):
        import torch

        if not torch.cuda.is_available():
            raise RankfeedError(f"device {device} was asked for, but torch finds no CUDA; use device='cpu'")
        if device.index >= torch.cuda.device_count():
            raise RankfeedError(f"device {device} was asked for, but there are {torch.cuda.device_count()}; name one")
        self._torch = torch
        self._device = device
        self._stream = torch.cuda.Stream(device)

    def register(self, address: int, length_bytes: int) -> None:
        with self._torch.cuda.device(self._device):
            status = int(self._torch.cuda.cudart().cudaHostRegister(address, length_bytes, 0))
        if status:
            raise RankfeedError(
                f"cudaHostRegister of {length_bytes} bytes failed with error {status}; raise ulimit -l, or use "
                "device='cpu' and copy to the device yourself"
            )

    def unregister(self, address: int) -> None:
        with self._torch.cuda.device(self._device):
            self._torch.cuda.cudart().cudaHostUnregister(address)

    def upload(self, tensors, functions):
        with self._torch.cuda.stream(self._stream):
            copies = {name: tensor.to(self._device, non_blocking=True) for name, tensor in tensors.items()}
            copies |= {name: function(copies[name]) for name, function in functions.items()}
            event = self._torch.cuda.Event()
            event.record(self._stream)
        return copies, event

    def done(self, event) -> bool:
        return event.query()

    def wait(self, event) -> None:
        event.synchronize()

    def hand_over(self, tensors, event) -> None:
        consumer = self._torch.cuda.current_stream(self._device)
        consumer.wait_event(event)
        for tensor in tensors.values():
            tensor.record_stream(consumer)


@dataclass
class _Upload:
    batch: Batch
    event: Any


class Uploads:
    """Copies up to two batches ahead. A slot goes back only after the event after its copies has happened."""

    def __init__(self, runtime: CudaRuntime, wrap: Callable, normalizer: Normalizer):
        self._runtime = runtime
        self._wrap = wrap
        self._normalizer = normalizer
        self._functions: dict[str, Callable] = {}
        self._views: Views | None = None
        self._uploaded: deque[_Upload] = deque()
        self._in_flight: deque[tuple[Any, Lease]] = deque()

    @property
    def ahead(self) -> int:
        """Batches taken from the ring and not handed out."""
        return len(self._uploaded)

    def attached(self, connection: Connection) -> None:
        layout = connection.segment.layout
        self._functions = self._normalizer.functions(connection)
        self._runtime.register(_data_address(connection), layout.slots * layout.stride)
        self._views = Views(layout, self._wrap)

    def detached(self, connection: Connection) -> None:
        try:
            self._finish(len(self._in_flight))
        finally:
            self._runtime.unregister(_data_address(connection))

    def next(self, attachment: Attachment, end: int) -> Batch:
        """The batch at hand; starts copying the ones behind it, up to step ``end``."""
        self._retire()
        while len(self._uploaded) < _AHEAD and attachment.position < end:
            if not self._uploaded:
                if attachment.exhausted:
                    self._finish(1)
                self._upload(attachment.next())
            elif (lease := attachment.poll()) is not None:
                self._upload(lease)
            else:
                break
        upload = self._uploaded.popleft()
        self._runtime.hand_over(upload.batch, upload.event)
        return upload.batch

    def reset(self) -> None:
        """Forgets what was copied ahead."""
        self._uploaded.clear()
        self._retire()

    def _upload(self, lease: Lease) -> None:
        try:
            tensors, event = self._runtime.upload(self._views.tensors(lease), self._functions)
        except BaseException:
            lease.release()
            raise
        at = lease.descriptor
        self._in_flight.append((event, lease))
        self._uploaded.append(_Upload(Batch(tensors, at.epoch, at.step, at.global_step, at.rows), event))

    def _retire(self) -> None:
        while self._in_flight and self._runtime.done(self._in_flight[0][0]):
            self._in_flight.popleft()[1].release()

    def _finish(self, count: int) -> None:
        for _ in range(min(count, len(self._in_flight))):
            event, lease = self._in_flight.popleft()
            self._runtime.wait(event)
            lease.release()


def _data_address(connection: Connection) -> int:
    segment = connection.segment
    return np.frombuffer(segment.memory, np.uint8, 1, segment.layout.data).ctypes.data
