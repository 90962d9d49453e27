"""One pass over the batches of a feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankfeed.interrupts import Deferred

if TYPE_CHECKING:
    from rankfeed.batch import Batch
    from rankfeed.feed import Feed


class Turn:
    """One ``iter(feed)``: from the cursor to the end of its epoch."""

    __slots__ = ("_begin", "_end", "_feed", "_step", "_turn")

    def __init__(self, feed: Feed, step: int, end: int):
        self._feed = feed
        self._turn = feed._turn
        self._begin = step
        self._step = step
        self._end = end

    def __iter__(self) -> Turn:
        return self

    def __next__(self) -> Batch:
        feed = self._feed
        if self._step < self._end:
            feed._check_usable()
        one_thread, is_held = feed._one_thread, False
        try:
            with Deferred():
                one_thread.__enter__()
                is_held = True
                feed._meter.requested()
                if self._step >= self._end:
                    raise StopIteration
                batch = feed._next(self._turn, self._begin, self._step, self._end)
                cursor, after = feed._cursor, feed._cursor.after(self._step)
        except BaseException:
            if is_held:
                one_thread.holder = {}
            raise
        # Python raises Ctrl-C at calls and jumps. With none from here on, the batch is kept or handed out, never lost.
        cursor.global_step = after
        self._step += 1
        feed._peeked = None
        one_thread.holder = {}
        return batch
