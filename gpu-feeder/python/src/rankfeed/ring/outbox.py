"""Sends frames to the feeder from any thread and from garbage collection, without waiting."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque

# As a plain number: the enumeration's own "|" costs as much as all the rest of a send but the system call.
_AT_ONCE = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_BURST_NS = 100_000


class Outbox:
    """``put`` never blocks: a frame that cannot go now goes with the next one, or with ``flush``.

    A finalizer can run in the middle of ``_send`` in the same thread, so the lock is only ever tried. Whoever holds it
    looks at the queue again after letting go; no frame is left behind by a lost try.

    together: the number of frames of a burst that are sent at once. Each send may wake the feeder, which takes longer
    than everything else that a small batch needs.
    """

    def __init__(self, connected: socket.socket, together: int):
        self._socket = connected
        self._together = together
        self._put_ns = 0
        # Whether the consumer has taken a batch since the last frame, and has another one in hand.
        self.may_wait = False
        self._queue: deque[bytes] = deque()
        self._lock = threading.Lock()
        self._unsent = b""
        self.closed = False

    def put(self, frame: bytes) -> None:
        self._queue.append(frame)
        self.may_wait = False
        self.flush()

    def put_soon(self, frame: bytes) -> None:
        """As ``put``, but where ``may_wait`` is set, a frame that follows the one before within 100 µs waits for more,
        or for ``flush``."""
        self._queue.append(frame)
        before, self._put_ns = self._put_ns, time.perf_counter_ns()
        may_wait, self.may_wait = self.may_wait, False
        if not may_wait or len(self._queue) >= self._together or self._put_ns - before > _BURST_NS:
            self.flush()

    def flush(self) -> bool:
        """Sends as much as possible. Returns False if the socket is full and frames are left."""
        while (self._queue or self._unsent) and not self.closed:
            if not self._lock.acquire(blocking=False):
                return True
            try:
                if not self._send():
                    return False
            finally:
                self._lock.release()
        return True

    def _send(self) -> bool:
        data, self._unsent = self._unsent, b""
        while self._queue:
            data += self._queue.popleft()
        try:
            while data:
                data = data[self._socket.send(data, _AT_ONCE) :]
        except BlockingIOError:
            self._unsent = data
            return False
        except OSError:
            # The reader meets the same end and reports it.
            self.closed = True
        return True
