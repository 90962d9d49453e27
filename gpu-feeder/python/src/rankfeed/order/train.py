"""The order of a feed of kind ``train`` (plan.md sections 4 to 6)."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

import numpy as np

from rankfeed.order.comb import Comb
from rankfeed.order.permutation import permute
from rankfeed.order.values import Rows, Segment, Stratum, check_cursor
from rankfeed.order.words import key


@dataclass(frozen=True)
class TrainOrder:
    """Any step's rows as a pure function of the plan's numbers; ``batch_rows`` counts the global batch."""

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

    def __post_init__(self):
        object.__setattr__(self, "_combs", tuple(Comb(segment, self.lanes) for segment in self.segments))
        object.__setattr__(self, "_pools", np.array([s.rows for s in self.strata], dtype=np.int64))

    @property
    def steps(self) -> int:
        """Steps in the run."""
        return self.epochs * self.steps_per_epoch

    def batch(self, step: int, rank: int, world: int) -> Rows:
        """The rows of a rank's batch at a global step, in order."""
        check_cursor(step, self.steps, rank, world, self.lanes)
        lanes_of_rank = self.lanes // world
        size = self.batch_rows // world
        x = np.arange(size, dtype=np.int64)
        if self.order != "planned":
            x = permute(size, key(self.seed, 4, step, rank, world), x)
        lane = rank + (x % lanes_of_rank) * world
        stratum, draws = self.draws(step, lane, x // lanes_of_rank)
        index = self._row(self._segment_at(step), stratum, lane, draws)
        return Rows(stratum, index, *self._place(stratum, index))

    def draws(self, step: int, lane, j):
        """The stratum and the draw number of slot j of a lane at a step, as arrays."""
        at = bisect.bisect_right(self.segments, step, key=lambda segment: segment.step) - 1
        t = np.full(len(lane), step, dtype=np.int64)
        if self.window > 1:
            t, j = self._slot(self.segments[at], step, lane, j)
        return self._combs[at].draw(t, lane, j)

    def _segment_at(self, step: int) -> Segment:
        return self.segments[bisect.bisect_right(self.segments, step, key=lambda segment: segment.step) - 1]

    def _slot(self, segment: Segment, step: int, lane, j):
        """Shuffles the slots of a window of steps, lane by lane; windows end at segment and epoch ends."""
        b = self.batch_rows // self.lanes
        epoch = step // self.steps_per_epoch
        low = max(segment.step, epoch * self.steps_per_epoch)
        high = min(segment.step + segment.steps, (epoch + 1) * self.steps_per_epoch)
        first = step - (step - low) % self.window
        size = (min(first + self.window, high) - first) * b
        x = permute(size, key(self.seed, 5, first, lane), (step - first) * b + j)
        return first + x // b, x % b

    def _row(self, segment: Segment, stratum, lane, draw):
        """Which place in its stratum's list a draw of a lane is (plan.md 5.1)."""
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
        return np.where(shared, v * own + e, i * v + lane)

    def _place(self, stratum, index):
        """Where a row lies: its lane, or -1 for the shared file, and its ordinal there (plan.md 5.2)."""
        v = self.lanes
        own = self._pools // v
        lane_begin = np.cumsum(own) - own
        rest = self._pools % v
        shared_begin = np.cumsum(rest) - rest
        shared = index >= v * own[stratum]
        lane = np.where(shared, -1, index % v)
        in_shared = shared_begin[stratum] + index - v * own[stratum]
        return lane, np.where(shared, in_shared, lane_begin[stratum] + index // v)
