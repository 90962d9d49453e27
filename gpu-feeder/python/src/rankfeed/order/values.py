"""The values of the order: what a feed's numbers are, and what a batch of rows is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankfeed.errors import RankfeedError


class OrderError(RankfeedError):
    """An ``order.json`` breaks its format, or a step, rank or world that no plan has was asked for."""


@dataclass(frozen=True)
class Stratum:
    """``available`` rows in the prepared table, ``rows`` of them in the pool."""

    name: str
    available: int
    rows: int


@dataclass(frozen=True)
class Segment:
    """Consecutive steps with one set of quotas; ``quotas`` and ``base`` count units (one row in each lane)."""

    step: int
    steps: int
    number: int
    quotas: tuple[int, ...]
    base: tuple[int, ...]
    m: int
    c: int


class Rows(NamedTuple):
    """The rows of one batch in order, as int64 arrays of one length.

    ``index`` counts in the stratum's list, ``ordinal`` in the file of lane ``lane`` (-1: the shared file); both from 0.
    """

    stratum: np.ndarray
    index: np.ndarray  # type: ignore[assignment]  # the field hides the method index of tuple
    lane: np.ndarray
    ordinal: np.ndarray


def check_cursor(step: int, steps: int, rank: int, world: int, lanes: int) -> None:
    """Raises ``OrderError`` for a (step, rank, world) that the plan does not have."""
    if world < 1 or lanes % world:
        raise OrderError(f"world size {world} does not divide the plan's {lanes} lanes; use a divisor of {lanes}")
    if not 0 <= rank < world:
        raise OrderError(f"rank {rank} is not in a world of {world}")
    if not 0 <= step < steps:
        raise OrderError(f"step {step} is not in a run of {steps} steps")
