"""The loaders: each gives the batches of one rank, in the order of the table's list, from any step on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from shapes import Batch, Rows
from torch.utils.data import DataLoader, Subset

LOADERS = {
    "rankfeed": "the feeder's ring, one feeder for all ranks",
    "everything": "every rank reads every row, and takes [rank::world]",
    "own rows": "every rank reads the metadata and keeps the rows [rank::world]",
    "hf-datasets": "Hugging Face datasets, converted to Arrow before",
    "workers": "own rows, with two worker processes of DataLoader in each rank",
    "pandas": "every rank reads a frame",
}


class Fed:
    def __init__(self, columns: tuple[str, ...], run: str, rank: int, world: int):
        import rankfeed

        how = {"row_id": False, "output": "torch", "device": "cpu", "wait_seconds": 120}
        self.feed = rankfeed.Feed(run, columns=list(columns), rank=rank, world=world, **how)

    def epoch(self, start: int) -> Iterator[Batch]:
        if start:
            self.feed.seek(start)
        return iter(self.feed)


class Loaded:
    """A DataLoader over the rows of this rank, which are in the order of its batches."""

    def __init__(self, rows: Rows, shape: Any, workers: int = 0):
        self.rows = rows
        self.options = {
            "batch_size": shape.batch,
            "drop_last": True,
            "num_workers": workers,
            "persistent_workers": workers > 0,
            "collate_fn": shape.collate,
        }
        self.loader = DataLoader(rows, **self.options)

    def epoch(self, start: int) -> Iterator[Batch]:
        if not start:
            return iter(self.loader)
        rest = range(start * self.options["batch_size"], len(self.rows))
        return iter(DataLoader(Subset(self.rows, rest), **self.options))


def import_libraries(name: str) -> None:
    """Imports what a loader needs, so that the time and the memory of the imports are not those of the data."""
    torch.set_num_threads(1)
    if name == "rankfeed":
        import rankfeed  # noqa: F401
    elif name == "hf-datasets":
        import datasets  # noqa: F401
    elif name == "pandas":
        import pandas  # noqa: F401


def opened(name: str, shape: Any, folder: Path, mine: list[int], run: str, rank: int, world: int) -> Fed | Loaded:
    """mine: the numbers of this rank's rows in the table, in order."""
    if name == "rankfeed":
        return Fed(shape.columns, run, rank, world)
    if name == "everything":
        return Loaded(Subset(shape.everything(folder), mine), shape)
    if name == "hf-datasets":
        return Loaded(shape.hugging_face(folder).select(mine), shape)
    if name == "pandas":
        return Loaded(Subset(shape.frame(folder), mine), shape)
    return Loaded(shape.own(folder, rank, world), shape, workers=2 if name == "workers" else 0)
