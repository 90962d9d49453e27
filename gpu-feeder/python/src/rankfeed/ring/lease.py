"""The memory of one batch while the consumer has it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from rankfeed.interrupts import Deferred, interrupt_later
from rankfeed.ring.layout import Tensor

T = TypeVar("T")
"""An output's tensor."""

Wrap = Callable[[np.ndarray, Tensor | None], T]
"""Makes an output's tensor of an array and the column of the ring that it is."""


class Descriptor(NamedTuple):
    """The fields of a slot's descriptor. ``columns`` alternates bytes in use and width, column by column.

    tokens: elements of padded columns and of texts; ``padded_tokens`` counts padding too.
    stage, global_rows: of the step, by WELCOME.
    """

    global_step: int
    epoch: int
    step: int
    rows: int
    tokens: int
    padded_tokens: int
    columns: Sequence[int]
    stage: int
    global_rows: int


class Views(Protocol):
    """Makes the tensors of a slot."""

    def tensors(self, base: np.ndarray, descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]: ...


class Lease:
    """A slot, which is released once: by ``release``, or when its base array dies after ``watch``.

    base: the slot's bytes as a new array. Every array of the batch is a view of it, so that it dies after the last one.
    views: may be replaced until ``tensors`` is called.
    """

    __slots__ = ("_armed", "_give_back", "_reference", "base", "descriptor", "views")

    def __init__(self, base: np.ndarray, descriptor: Descriptor, views: Views, give_back: Callable[[], None]):
        self.base: np.ndarray | None = base
        self.descriptor = descriptor
        self.views: Views | None = views
        self._give_back = give_back
        self._armed = [True]
        self._reference: weakref.ref[np.ndarray] | None = None

    def tensors(self, wrap: Wrap[T]) -> dict[str, T | int]:
        """Returns the batch's tensors by name. Raises ``CorruptBatch`` if they do not fit the slot."""
        assert self.views is not None and self.base is not None, "a lease that was not watched or released"
        return self.views.tensors(self.base, self.descriptor, wrap)

    def watch(self) -> None:
        """Releases the slot when its last array dies; call after the arrays are made."""
        death = self._death()
        next(death)
        assert self.base is not None, "a lease that was not watched or released"
        self._reference = weakref.ref(self.base, death.send)
        self.base = self.views = None

    def release(self) -> None:
        if not self._armed:
            return
        with Deferred():
            try:
                self._armed.pop()
            except IndexError:
                return
            self._reference = None
            self.base = self.views = None
            self._give_back()

    def _death(self) -> Generator[None, object, None]:
        """Resumed once, as the finalizer of the base, whose exceptions Python prints and drops.

        A generator, since it is resumed in the ``try``: a function's first instruction may raise KeyboardInterrupt
        where nothing in it can catch that.
        """
        is_dead = is_interrupted = False
        while True:
            try:
                # A loop of its own, because jumps raise KeyboardInterrupt too.
                while True:
                    if is_dead:
                        self.release()
                        if is_interrupted:
                            is_interrupted = False
                            interrupt_later()
                        is_dead = False
                    yield
                    is_dead = True
            except KeyboardInterrupt:
                is_dead = is_interrupted = True
