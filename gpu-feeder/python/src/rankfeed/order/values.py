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
    """``rows``: its pool, the rows of its list that the order draws from."""

    name: str
    rows: int


LIST, LIST_FIRST, SHUFFLED = "list", "list-first", "shuffled"


@dataclass(frozen=True)
class Member:
    """A feed of a version from which an order draws; an order over a version has one, a mixture several.

    lanes: those in which the version stores it. cycles: ``list``, ``list-first`` (the first cycle) or ``shuffled``.
    dataset, version, feed: where its rows are; empty in the order of a plan and of its version.
    """

    name: str
    lanes: int
    cycles: str
    strata: tuple[Stratum, ...]
    dataset: str = ""
    version: str = ""
    feed: str = ""


@dataclass(frozen=True)
class Segment:
    """Consecutive steps with one set of quotas; ``quotas`` and ``base`` count units (one row in each lane).

    batch: rows of its global batches; 0: those of the feed.
    """

    step: int
    steps: int
    number: int
    quotas: tuple[int, ...]
    base: tuple[int, ...]
    m: int
    c: int
    batch: int = 0


class Rows(NamedTuple):
    """The rows of one batch in order, as int64 arrays of one length.

    ``index`` counts in the stratum's list, ``ordinal`` in the file of lane ``lane`` (-1: the shared file); both from 0.
    ``stratum`` counts over all members, ``lane`` and ``ordinal`` in the storage of ``member``.
    """

    stratum: np.ndarray
    index: np.ndarray  # type: ignore[assignment]  # the field hides the method index of tuple
    lane: np.ndarray
    ordinal: np.ndarray
    member: np.ndarray


def check_cursor(step: int, steps: int, rank: int, world: int, lanes: int) -> None:
    """Raises ``OrderError`` for a (step, rank, world) that the plan does not have."""
    if world < 1 or lanes % world:
        raise OrderError(f"world size {world} does not divide the plan's {lanes} lanes; use a divisor of {lanes}")
    if not 0 <= rank < world:
        raise OrderError(f"rank {rank} is not in a world of {world}")
    if not 0 <= step < steps:
        raise OrderError(f"step {step} is not in a run of {steps} steps")
