"""Ctrl-C between two steps of a change that must not be left half done."""

from __future__ import annotations

import signal
import threading


class Deferred:
    """Around such a change: a SIGINT that arrives in the block is raised at its end. Only the main thread gets one."""

    __slots__ = ("_before", "_is_noted")

    def __enter__(self) -> None:
        self._is_noted = False
        self._before = None
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._before = signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_exception: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            if self._is_noted:
                signal.raise_signal(signal.SIGINT)

    def _note(self, _number: int, _frame: object) -> None:
        self._is_noted = True
