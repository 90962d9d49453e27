"""What a job has measured of its columns (prepare.statistics), out of a version's manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankfeed import manifest
from rankfeed.errors import RankfeedError


@dataclass(frozen=True)
class ColumnStatistics:
    """One column's numbers, every element of a tensor for itself; ``count`` of them are finite, and the rest is theirs.

    The floats are None where ``count`` is 0; ``min_positive``, the least absolute value above 0, where there is none.
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
    """By column, those that the job has measured::

    statistics = rankfeed.Statistics.of("build/rankfeed/shop/versions/0123456789abcdef")
    x = statistics.normalize("price", batch["price"])
    """

    def __init__(self, columns: Mapping[str, ColumnStatistics]):
        self._columns = dict(columns)

    @classmethod
    def of(cls, version: str | os.PathLike[str]) -> Statistics:
        """Those in the manifest of a version's folder, or a prepared table's."""
        found = manifest.read(version, "rankfeed.version", "rankfeed.prepared")
        return cls({name: _column(column) for name, column in found.get("statistics", {}).items()})

    def normalize(self, name: str, values: Any) -> Any:
        """``(values - mean) / std`` of an array or tensor of any library; where nothing deviates, ``values - mean``."""
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
