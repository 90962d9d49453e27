"""The comb of plan.md section 4: which stratum a slot of a lane draws at a step, and the number of this draw."""

from __future__ import annotations

import numpy as np

from rankfeed.order.values import Segment


def floor_sum(n: np.ndarray, m: int, a: int, b: np.ndarray) -> np.ndarray:
    """Returns the sum of (a*i + b) div m over 0 <= i < n; n and b are arrays of int64, m >= 1 and a >= 0 are plain
    integers."""
    n, b = np.broadcast_arrays(np.asarray(n, dtype=np.int64), np.asarray(b, dtype=np.int64))
    total = np.zeros(n.shape, dtype=np.int64)
    while m > 0 and n.any():
        total = total + (n * (n - 1) // 2) * (a // m) + n * (b // m)
        a, b = a % m, b % m
        y = a * n + b
        n, m, a, b = y // m, a, m, y % m
    return total


class Comb:
    """One segment's comb: its quotas laid end to end as one line, touched by the teeth of every lane."""

    def __init__(self, segment: Segment, lanes: int):
        self._segment = segment
        self._lanes = lanes
        self._ends = np.concatenate([[0], np.cumsum(np.array(segment.quotas, dtype=np.int64))])
        self._base = np.array(segment.base, dtype=np.int64)

    def drawn(self, stratum: np.ndarray, lane: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Counts the draws of a stratum by a lane before step ``t0 + tau``, counted over the run (arrays of one
        length)."""
        seg = self._segment
        offset = seg.c + (lane * seg.steps) // self._lanes
        upper = floor_sum(tau, seg.steps, seg.m, self._ends[stratum + 1] + offset)
        drawn: np.ndarray = self._base[stratum] + upper - floor_sum(tau, seg.steps, seg.m, self._ends[stratum] + offset)
        return drawn

    def draw(self, t: np.ndarray, lane: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the stratum that slot j of a lane draws at global step t, and the draw's number in that lane
        (arrays)."""
        seg = self._segment
        tau = t - seg.step
        w = (seg.m * tau + seg.c + (lane * seg.steps) // self._lanes) % seg.steps
        y = (j + 1) * seg.steps - 1 - w
        stratum = np.searchsorted(self._ends, y, side="right") - 1
        return stratum, self.drawn(stratum, lane, tau) + j - (self._ends[stratum] + w) // seg.steps
