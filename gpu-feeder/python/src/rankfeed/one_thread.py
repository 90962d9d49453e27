"""One thread at a time takes batches from a feed."""

from __future__ import annotations

import threading
from _thread import get_ident

from rankfeed.errors import RankfeedError


class OneThread:
    """Held around what moves the cursor: two threads at once would take each other's batches; the second is refused.

    leaving: the thread that has left the block and still moves the cursor; it sets None when it is done.
    """

    __slots__ = ("_lock", "leaving")

    def __init__(self):
        self._lock = threading.Lock()
        self.leaving: int | None = None

    def __enter__(self) -> None:
        if self._lock.acquire(blocking=False):
            if self.leaving in (None, get_ident()):
                return
            self._lock.release()
        raise RankfeedError(
            "another thread is taking a batch from this Feed; let one thread iterate, and hand its batches on"
        )

    def __exit__(self, *_exception: object) -> None:
        self._lock.release()
