"""Random numbers of the rows of a batch (docs/transforms.md, "Randomness")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from rankfeed.order.words import mix, times_phi

_ULP = 2.0**-53


class RowRandom:
    """Random numbers by row. They do not depend on world size, workers and restarts, and differ between cycles.

    ``rng[i]``: numpy's ``Generator`` of row i, the same object each time. ``rng.uniform(n)``: n numbers of [0, 1) for
    each row. ``rng.seeds``: uint64 [rows], for libraries that take a seed.
    """

    __slots__ = ("_generators", "seeds")

    def __init__(self, seeds: np.ndarray):
        self.seeds = seeds
        self._generators: dict[int, np.random.Generator] = {}

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, row: int) -> np.random.Generator:
        row = range(len(self.seeds))[row]
        generator = self._generators.get(row)
        if generator is None:
            generator = np.random.Generator(np.random.Philox(key=int(self.seeds[row])))
            self._generators[row] = generator
        return generator

    def __iter__(self) -> Iterator[np.random.Generator]:
        return map(self.__getitem__, range(len(self.seeds)))

    def uniform(self, count: int = 1) -> np.ndarray:
        """Returns float64 [rows, count]. The numbers of a row are always the same, and differ from those of
        ``rng[i]``."""
        draws = times_phi(np.arange(1, count + 1))
        numbers: np.ndarray = (mix(self.seeds[:, None] + draws) >> np.uint64(11)) * _ULP
        return numbers


Transform = Callable[[dict[str, Any], RowRandom], Mapping[str, Any]]
"""A user's function over batches: numpy arrays by name, and an int where the feed gives a number."""
