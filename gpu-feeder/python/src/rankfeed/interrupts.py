"""Ctrl-C, and other signals whose handlers raise, in the middle of a change that must not be left half done."""

from __future__ import annotations

import contextlib
import signal
from _thread import get_ident, interrupt_main, start_new_thread
from threading import main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from signal import getsignal, raise_signal
    from signal import signal as set_handler
    from types import FrameType

    Handler = Callable[[int, FrameType | None], object] | int | None
else:
    from _signal import getsignal, raise_signal
    from _signal import signal as set_handler

# Plain numbers and _signal: the enumerations of the module signal cost more than all the rest.
_SIGNALS = tuple(int(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM))

# The outermost block that the main thread is in.
_held: Deferred | None = None


class Deferred:
    """Encloses such a change: a signal that arrives in the block is raised at its end, or at the next ``Waiting``.

    Only the main thread gets signals; in other threads, and inside of another such block, it does nothing.
    """

    __slots__ = ("_before", "_noted")

    def __enter__(self) -> None:
        self._before: list[tuple[int, Handler]] = []
        if _held is None and get_ident() == main_thread().ident:
            self._noted: list[int] = []
            self.hold()

    def __exit__(self, *_exception: object) -> None:
        if _held is self:
            self._let_go()
            if self._noted:
                self._raise_noted()

    def hold(self) -> None:
        """Records signals from now on instead of raising them."""
        global _held  # noqa: PLW0603
        self._before = [(number, handler) for number in _SIGNALS if callable(handler := getsignal(number))]
        try:
            for number, _ in self._before:
                set_handler(number, self._note)
            _held = self if self._before else None
        except BaseException:
            self._let_go()
            raise

    def interrupt(self) -> None:
        """Raises signals from now on; if signals were recorded, raises them at once and records further ones again."""
        self._let_go()
        try:
            self._raise_noted()
        except BaseException:
            self.hold()
            raise

    def _let_go(self) -> None:
        global _held  # noqa: PLW0603
        _held = None
        left, raised = self._before, None
        while left:
            # The first handler that is back may raise before the second one is.
            try:
                while left:
                    set_handler(*left[-1])
                    left.pop()
            except BaseException as e:
                raised = e
        if raised is not None:
            try:
                raise raised
            finally:
                # Else frame and exception would hold each other, and with them a batch.
                del raised

    def _raise_noted(self) -> None:
        if self._noted:
            try:
                raise_signal(self._noted.pop())
            finally:
                self._raise_noted()

    def _note(self, number: int, _frame: object) -> None:
        if number not in self._noted:
            self._noted.append(number)


class Waiting:
    """Encloses a call in a ``Deferred`` block that may take long and changes nothing; signals are raised in it."""

    __slots__ = ("_held",)

    def __enter__(self) -> None:
        self._held = _held if get_ident() == main_thread().ident else None
        if self._held is not None:
            self._held.interrupt()

    def __exit__(self, *_exception: object) -> None:
        if self._held is not None:
            self._held.hold()


def interrupt_later() -> None:
    """Raises Ctrl-C in the main thread soon: for finalizers, whose own exceptions are lost."""
    with contextlib.suppress(RuntimeError):
        start_new_thread(interrupt_main, ())
