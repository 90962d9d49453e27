"""Counts the batches of a feed and the time that the trainer waited for them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rankfeed.batch import Batch


class Meter:
    """Counts batches, tokens and the time spent waiting for READY; the clock runs from the first batch asked for."""

    def __init__(self) -> None:
        self.rows = 0
        self.batches = 0
        self.tokens = 0
        self.padded_tokens = 0
        self.waited_ns = 0
        self.transform_ns = 0
        self._first_ns = 0

    def begin(self) -> None:
        if not self._first_ns:
            self._first_ns = time.perf_counter_ns()

    def count(self, batch: Batch) -> None:
        """Counts a batch that was handed out."""
        self.batches += 1
        self.rows += batch.valid_rows
        self.tokens += batch.tokens
        self.padded_tokens += batch.padded_tokens

    def stats(self) -> Stats:
        elapsed = (time.perf_counter_ns() - self._first_ns) / 1e9 if self._first_ns else 0.0
        waited = self.waited_ns / 1e9
        padding = 1 - self.tokens / self.padded_tokens if self.padded_tokens else 0.0
        share = waited / elapsed if elapsed else 0.0
        in_transform = self.transform_ns / 1e9
        return Stats(self.rows, self.batches, elapsed, waited, share, self.tokens, padding, in_transform)


@dataclass(frozen=True)
class Stats:
    """The numbers of this rank: ``rows`` and ``batches`` in ``seconds`` since the first batch was asked for.

    ``waited_seconds`` of them passed with no batch ready; ``waited_share`` is their part, 0 to 1. ``tokens`` counts the
    elements of padded columns and of texts, and ``padding_share`` is the padding's part of their tensors, 0 to 1.
    ``transform_seconds`` passed in a transform without workers, which the trainer's process calls; they are not part of
    ``waited_seconds``.
    """

    rows: int
    batches: int
    seconds: float
    waited_seconds: float
    waited_share: float
    tokens: int
    padding_share: float
    transform_seconds: float
