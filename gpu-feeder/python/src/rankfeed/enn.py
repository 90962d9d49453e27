"""Batches under the keys X, Y and row_ids, for sessions that are written against those names."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from rankfeed.batch import Batch
from rankfeed.enn_store import PARTS, Store
from rankfeed.errors import NoColumn, RankfeedError
from rankfeed.feed import Feed
from rankfeed.output import choose
from rankfeed.version import FeedRows

__all__ = ["Batches", "predict"]

_ALIASES = {
    "X": ("x", "feature", "features", "input", "inputs", "in"),
    "Y": ("y", "label", "labels", "output", "outputs", "out"),
    "row_ids": ("row_ids",),
}


class Batches:
    """Batches with ``X``, ``Y`` if there are labels, and ``row_ids``, of a memory-mapped store or of a feed::

        for batch in rankfeed.enn.Batches("store", 256, part="train"): ...
        for batch in rankfeed.enn.Batches(rankfeed.Feed()): ...

    Of a feed, one column has a name such as ``x``, ``features`` or ``input``, and at most one a name such as ``y``,
    ``labels`` or ``output``, compared without case. ``row_ids`` is the column of that name, otherwise ``row_id``. Other
    columns are left out.

    Args:
        source: the folder of a store: ``meta.json`` with ``features.mmt``, or ``multinode.json`` with folders of
            these, which follow each other; a :class:`rankfeed.Feed`, whose batches are taken as they are; or a feed of
            :func:`rankfeed.open`. The last requires torch.
        size: rows of a batch, not for a ``Feed``; the last batch may have fewer.
        part: ``train``, ``val`` or ``all`` rows of a store.

    Raises:
        RankfeedError: an invalid argument or ``meta.json``, or a file of a store has another length than it states.
        NoColumn: no column, or more than one, has a name of ``X``, or more than one has a name of ``Y``. Iterating
            raises it.
    """

    def __init__(
        self, source: str | os.PathLike[str] | Feed | FeedRows, size: int | None = None, *, part: str = "all"
    ) -> None:
        if part not in PARTS or (part != "all" and isinstance(source, Feed | FeedRows)):
            raise RankfeedError(f"part={part!r}: write all, or, for the folder of a store, train or val")
        if (size is None) != isinstance(source, Feed) or (size is not None and (type(size) is not int or size < 1)):
            raise RankfeedError(f"size={size!r}: write a number of rows of at least 1, and none for a Feed")
        self._size = size or 1
        self._source = source if isinstance(source, Feed | FeedRows) else Store.root(Path(source), part)

    def __len__(self) -> int:
        """The number of batches."""
        return len(self._source) if isinstance(self._source, Feed) else -(-len(self._source) // self._size)

    def __iter__(self) -> Iterator[Batch]:
        source = self._source
        if isinstance(source, Feed):
            return map(_renamed, source)
        return map(self._batch, range(0, len(source), self._size))

    @property
    def row_ids(self) -> np.ndarray:
        """The row ids of a store in its order. Raises ``RankfeedError`` for a feed."""
        if not isinstance(self._source, Store):
            raise RankfeedError("row_ids are those of a store; a feed has them in its batches")
        return self._source.row_ids()

    def _batch(self, begin: int) -> Batch:
        end = min(begin + self._size, len(self._source))
        if isinstance(self._source, Store):
            wrap: Callable[[np.ndarray], Any] = np.asarray
            if choose("auto") == "torch":
                from torch import from_numpy as wrap
            tensors = {name: wrap(array) for name, array in self._source.rows(begin, end).items()}
        else:
            assert isinstance(self._source, FeedRows)
            tensors = _canonical(self._source[begin:end].to_torch())
        return Batch(tensors, step=begin // self._size, valid_rows=end - begin, global_rows=end - begin)


def predict(
    model: Callable[[Any], Any], batches: Iterable[Mapping[str, Any]], row_ids: np.ndarray | None = None
) -> tuple[np.ndarray, Any]:
    """Calls a model with ``X`` of each batch, without gradients; returns row ids and the model's rows for them.

    Rows are in the order of ``row_ids``, otherwise by ascending row id, whatever the order of the batches. Outputs of
    torch are on the CPU. A model with dropout must be in its mode for evaluation.

    Raises ``RankfeedError`` if there is no batch, a row id occurs twice or is missing, or the model returns another
    number of rows.
    """
    torch = sys.modules.get("torch")
    found: list[np.ndarray] = []
    outputs: list[Any] = []
    with torch.no_grad() if torch else nullcontext():
        for batch in batches:
            output, ids = model(batch["X"]), batch["row_ids"]
            found.append(np.array(ids if isinstance(ids, np.ndarray) else ids.cpu().numpy()))
            if len(output) != len(found[-1]):
                raise RankfeedError(f"the model returned {len(output)} rows for a batch of {len(found[-1])}")
            # Copies: what a model returns may be a view of the batch.
            outputs.append(output.detach().cpu().clone() if hasattr(output, "detach") else np.array(output))
            del batch, ids, output
    if not found:
        raise RankfeedError("no batch to predict: iterate a feed of kind sequential, or a store with rows")
    ids = np.concatenate(found)
    order = np.argsort(ids)
    if (twice := ids[order][1:][np.diff(ids[order]) == 0]).size:
        raise RankfeedError(f"row id {twice[0]} occurs more than once; predict over one pass of distinct rows")
    if row_ids is not None:
        at = np.minimum(np.searchsorted(ids, row_ids, sorter=order), len(ids) - 1)
        order = order[at]
        if (missing := np.flatnonzero(ids[order] != row_ids)).size:
            raise RankfeedError(f"row id {row_ids[missing[0]]} is not in the batches")
    values = torch.cat(outputs) if torch and isinstance(outputs[0], torch.Tensor) else np.concatenate(outputs)
    return ids[order], values[order]


def _renamed(batch: Batch) -> Batch:
    return batch.with_tensors(_canonical(batch), batch._lease)


def _canonical(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tensors of X, Y and row_ids, and those next to them, such as ``X.lengths``."""
    names: dict[str, str] = {"row_ids": "row_id"} if "row_id" in tensors else {}
    for key, aliases in _ALIASES.items():
        found = [name for name in tensors if name.casefold() in aliases]
        if len(found) > 1 or (key == "X" and not found):
            which = f"columns {', '.join(found)} are all" if found else f"none of the columns {', '.join(tensors)} is"
            raise NoColumn(f"{which} {key} of a batch; exactly one of them must be named {', '.join(aliases)}")
        if found:
            names[key] = found[0]
    renamed: dict[str, Any] = {}
    for key, name in names.items():
        if isinstance(tensors[name], list) or f"{name}.offsets" in tensors:
            raise RankfeedError(f"column {name!r} is ragged or has text, and cannot be {key}; give it a fixed shape")
        beside = {f"{key}{other.removeprefix(name)}": other for other in tensors if other.startswith(f"{name}.")}
        renamed |= {key: tensors[name], **{other: tensors[of] for other, of in beside.items()}}
    return renamed
