"""The order of a feed of kind ``train`` (plan.md sections 4 to 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rankfeed.order.comb import Comb
from rankfeed.order.permutation import permute
from rankfeed.order.values import Rows, Segment, Stratum, check_cursor
from rankfeed.order.words import key


@dataclass(frozen=True)
class TrainOrder:
    """Computes the rows of any step from the numbers of the plan; ``batch_rows`` counts the global batch."""

    name: str
    seed: int
    lanes: int
    batch_rows: int
    epochs: int
    steps_per_epoch: int
    mode: str
    order: str
    window: int
    strata: tuple[Stratum, ...]
    segments: tuple[Segment, ...]
    kind: str = "train"
    _combs: tuple[Comb, ...] = field(init=False, repr=False, compare=False)
    _pools: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_combs", tuple(Comb(segment, self.lanes) for segment in self.segments))
        object.__setattr__(self, "_pools", np.array([s.rows for s in self.strata], dtype=np.int64))

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        return self.epochs * self.steps_per_epoch

    def batch(self, step: int, rank: int, world: int) -> Rows:
        """Returns the rows of a rank's batch at a global step, in order."""
        return Rows(*(column[0] for column in self.batches(step, step + 1, rank, world)))

    def batches(self, first: int, last: int, rank: int | None, world: int) -> Rows:
        """Returns the batches of steps first <= t < last: arrays of [steps, rows].

        rank None: those of every rank, as arrays of [steps, world, rows].
        """
        check_cursor(first, self.steps, rank or 0, world, self.lanes)
        check_cursor(last - 1, self.steps, rank or 0, world, self.lanes)
        ranks = np.arange(world, dtype=np.int64) if rank is None else np.array([rank], dtype=np.int64)
        parts, size = [], self.batch_rows // world
        shape = (-1, size) if rank is not None else (-1, world, size)
        for segment, comb in zip(self.segments, self._combs, strict=True):
            low, high = max(first, segment.step), min(last, segment.step + segment.steps)
            if low < high:
                parts.append(self._within(segment, comb, np.arange(low, high, dtype=np.int64), ranks, world))
        return Rows(*(np.concatenate(columns).reshape(shape) for columns in zip(*parts, strict=True)))

    def _within(self, segment: Segment, comb: Comb, steps: np.ndarray, ranks: np.ndarray, world: int) -> Rows:
        size, lanes_of_rank = self.batch_rows // world, self.lanes // world
        at, of = np.repeat(steps, len(ranks)), np.tile(ranks, len(steps))
        t, rank, x = np.repeat(at, size), np.repeat(of, size), np.tile(np.arange(size, dtype=np.int64), len(at))
        if self.order != "planned":
            x = permute(size, np.repeat(key(self.seed, 4, at, of, world), size), x)
        lane, j = rank + (x % lanes_of_rank) * world, x // lanes_of_rank
        if self.window > 1:
            t, j = self._slot(segment, t, lane, j)
        stratum, draw = comb.draw(t, lane, j)
        index = self._row(segment, stratum, lane, draw)
        return Rows(stratum, index, *self._lane_and_ordinal(stratum, index))

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

    def _row(self, segment: Segment, stratum: np.ndarray, lane: np.ndarray, draw: np.ndarray) -> np.ndarray:
        """Returns the index in its stratum's list of each draw of a lane (plan.md 5.1)."""
        v = self.lanes
        n = self._pools[stratum]
        own, rest = n // v, n % v
        cycle = (draw * v + lane) // n
        e = (lane - cycle * n) % v
        i = draw - (cycle * n - lane + v - 1) // v
        count = own + (e < rest)
        number = (segment.number,) if self.mode == "padded" else ()
        if self.order == "global":
            shuffled = np.ones(len(n), dtype=bool) if number and segment.number > 0 else cycle > 0
        else:
            shuffled = np.zeros(len(n), dtype=bool)
        if shuffled.any():
            at = np.flatnonzero(shuffled)
            keys = key(self.seed, 1, stratum[at], lane[at], cycle[at], *number)
            i[at] = permute(count[at], keys, i[at])
        shared = i >= own
        at = np.flatnonzero(shared & shuffled)
        if len(at):
            e[at] = permute(rest[at], key(self.seed, 2, stratum[at], cycle[at], *number), e[at])
        index: np.ndarray = np.where(shared, v * own + e, i * v + lane)
        return index

    def _lane_and_ordinal(self, stratum: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the lane of each row, or -1 for the shared file, and its ordinal in it (plan.md 5.2)."""
        v = self.lanes
        own = self._pools // v
        lane_begin = np.cumsum(own) - own
        rest = self._pools % v
        shared_begin = np.cumsum(rest) - rest
        shared = index >= v * own[stratum]
        lane = np.where(shared, -1, index % v)
        in_shared = shared_begin[stratum] + index - v * own[stratum]
        return lane, np.where(shared, in_shared, lane_begin[stratum] + index // v)
