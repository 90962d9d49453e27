"""One thread at a time takes batches from a feed."""

from __future__ import annotations

import threading

from rankfeed.errors import RankfeedError


class OneThread:
    """Held around what moves the cursor: two threads at once would take each other's batches; the second is refused."""

    __slots__ = ("_lock",)

    def __init__(self):
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RankfeedError(
                "another thread is taking a batch from this Feed; let one thread iterate, and hand its batches on"
            )

    def __exit__(self, *_exception: object) -> None:
        self._lock.release()
