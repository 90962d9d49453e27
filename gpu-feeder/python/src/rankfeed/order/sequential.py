"""The order of a feed of kind ``sequential`` (plan.md section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankfeed.order.values import Rows, check_cursor


@dataclass(frozen=True)
class SequentialOrder:
    """Every row of one list once, in its order; the last step may be short or, for some ranks, empty."""

    name: str
    lanes: int
    batch_rows: int
    rows: int
    steps: int
    kind: str = "sequential"

    @property
    def epochs(self) -> int:
        return 1

    @property
    def steps_per_epoch(self) -> int:
        return self.steps

    def batch(self, step: int, rank: int, world: int) -> Rows:
        """Returns the rows of a rank's batch at a step, in order; the last step has the remaining rows."""
        check_cursor(step, self.steps, rank, world, self.lanes)
        end = min((step + 1) * self.batch_rows, self.rows)
        index = np.arange(step * self.batch_rows + rank, end, world, dtype=np.int64)
        none = np.zeros(len(index), dtype=np.int64)
        return Rows(none, index, index % self.lanes, index // self.lanes, none)

    def batch_at(self, step: int) -> int:
        """Returns the number of rows of the global batch at a step."""
        check_cursor(step, self.steps, 0, 1, self.lanes)
        return min(self.batch_rows, self.rows - step * self.batch_rows)
