"""The statistics that a job measured of its columns (prepare.statistics), read from a version's manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankfeed import manifest
from rankfeed.errors import RankfeedError


@dataclass(frozen=True)
class ColumnStatistics:
    """Statistics of the ``count`` finite numbers of one column; each element of a tensor is a number.

    The floats are None where ``count`` is 0. ``min_positive`` is the smallest absolute value above 0, None without one.
    """

    count: int
    non_finite: int
    integral: bool
    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    min_positive: float | None


class Statistics(Mapping[str, ColumnStatistics]):
    """The statistics of each column that the job has measured::

    statistics = rankfeed.Statistics.of("build/rankfeed/shop/versions/0123456789abcdef")
    x = statistics.normalize("price", batch["price"])
    """

    def __init__(self, columns: Mapping[str, ColumnStatistics]):
        self._columns = dict(columns)

    @classmethod
    def of(cls, version: str | os.PathLike[str]) -> Statistics:
        """Reads the statistics in the manifest of a version's folder, or of a prepared table's folder."""
        found = manifest.read(version, "rankfeed.version", "rankfeed.prepared")
        return cls({name: _column(column) for name, column in found.get("statistics", {}).items()})

    def normalize(self, name: str, values: Any) -> Any:
        """Returns ``(values - mean) / std`` of an array or tensor of any library; if ``std`` is 0, ``values -
        mean``."""
        column = self[name]
        if column.mean is None or column.std is None:
            raise RankfeedError(f"column {name!r} has no finite number to normalize by")
        return (values - column.mean) / (column.std or 1.0)

    def __getitem__(self, name: str) -> ColumnStatistics:
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns) or "none"
            raise RankfeedError(
                f"there are no statistics of {name!r}, but of: {known}; name it in the job's prepare.statistics.columns"
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def _column(found: dict[str, Any]) -> ColumnStatistics:
    numbers = {key: float(found[key]) if key in found else None for key in ("min", "max", "mean", "std", "minPositive")}
    return ColumnStatistics(
        count=found["count"],
        non_finite=found["nonFinite"],
        integral=found["integral"],
        min=numbers["min"],
        max=numbers["max"],
        mean=numbers["mean"],
        std=numbers["std"],
        min_positive=numbers["minPositive"],
    )
