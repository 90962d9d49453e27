"""The order of a feed of kind ``train`` (plan.md sections 4 and 6)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from rankfeed.order.comb import Comb
from rankfeed.order.draws import Draws
from rankfeed.order.permutation import permute
from rankfeed.order.values import Member, OrderError, Rows, Segment, Stratum, check_cursor
from rankfeed.order.words import key


@dataclass(frozen=True)
class TrainOrder:
    """Computes the rows of any step from the numbers of the plan.

    batch_rows: rows of the largest global batch. steps_per_epoch: 0 where epochs differ; ``epoch_starts`` has the first
    step of each of them then.
    """

    name: str
    seed: int
    lanes: int
    batch_rows: int
    epochs: int
    steps_per_epoch: int
    mode: str
    order: str
    window: int
    members: tuple[Member, ...]
    segments: tuple[Segment, ...]
    epoch_starts: tuple[int, ...] = ()
    kind: str = "train"
    _combs: tuple[Comb, ...] = field(init=False, repr=False, compare=False)
    _draws: Draws = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_combs", tuple(Comb(segment, self.lanes) for segment in self.segments))
        object.__setattr__(self, "_draws", Draws(self.seed, self.lanes, self.mode, self.members))

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        return self.segments[-1].step + self.segments[-1].steps

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The strata of all members, by their numbers."""
        return tuple(stratum for member in self.members for stratum in member.strata)

    def batch_at(self, step: int) -> int:
        """Returns the number of rows of the global batch at a step."""
        check_cursor(step, self.steps, 0, 1, self.lanes)
        at = bisect_right(self.segments, step, key=lambda segment: segment.step) - 1
        return self.segments[at].batch or self.batch_rows

    def batch(self, step: int, rank: int, world: int) -> Rows:
        """Returns the rows of a rank's batch at a global step, in order."""
        return Rows(*(column[0] for column in self.batches(step, step + 1, rank, world)))

    def batches(self, first: int, last: int, rank: int | None, world: int) -> Rows:
        """Returns the batches of steps first <= t < last: arrays of [steps, rows].

        rank None: those of every rank, as arrays of [steps, world, rows]. Raises ``OrderError`` if the batches of these
        steps differ in size.
        """
        check_cursor(first, self.steps, rank or 0, world, self.lanes)
        check_cursor(last - 1, self.steps, rank or 0, world, self.lanes)
        ranks = np.arange(world, dtype=np.int64) if rank is None else np.array([rank], dtype=np.int64)
        parts, sizes = [], set()
        for segment, comb in zip(self.segments, self._combs, strict=True):
            low, high = max(first, segment.step), min(last, segment.step + segment.steps)
            if low < high:
                sizes.add((segment.batch or self.batch_rows) // world)
                if len(sizes) > 1:
                    raise OrderError(f"the batches of steps {first} to {last - 1} differ in size; ask for fewer steps")
                parts.append(self._within(segment, comb, np.arange(low, high, dtype=np.int64), ranks, world))
        shape = (-1, *sizes) if rank is not None else (-1, world, *sizes)
        return Rows(*(np.concatenate(columns).reshape(shape) for columns in zip(*parts, strict=True)))

    def _within(self, segment: Segment, comb: Comb, steps: np.ndarray, ranks: np.ndarray, world: int) -> Rows:
        size, lanes_of_rank = (segment.batch or self.batch_rows) // world, self.lanes // world
        at, of = np.repeat(steps, len(ranks)), np.tile(ranks, len(steps))
        t, rank, x = np.repeat(at, size), np.repeat(of, size), np.tile(np.arange(size, dtype=np.int64), len(at))
        if self.order != "planned":
            x = permute(size, np.repeat(key(self.seed, 4, at, of, world), size), x)
        lane, j = rank + (x % lanes_of_rank) * world, x // lanes_of_rank
        if self.window > 1:
            t, j = self._slot(segment, t, lane, j)
        stratum, draw = comb.draw(t, lane, j)
        return self._draws.rows(segment, stratum, lane, draw)

    def _slot(self, segment: Segment, t: np.ndarray, lane: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shuffles the slots of a window of steps, lane by lane; windows end at segment and epoch ends."""
        b = self.batch_rows // self.lanes
        epoch = t // self.steps_per_epoch
        low = np.maximum(segment.step, epoch * self.steps_per_epoch)
        high = np.minimum(segment.step + segment.steps, (epoch + 1) * self.steps_per_epoch)
        first = t - (t - low) % self.window
        size = (np.minimum(first + self.window, high) - first) * b
        x = permute(size, key(self.seed, 5, first, lane), (t - first) * b + j)
        return first + x // b, x % b
