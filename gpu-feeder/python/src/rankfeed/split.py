"""Takes the rows of a batch apart, for trainers that compute one step in several passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankfeed.errors import RankfeedError

_OFFSETS, _BYTES, _ROWS = ".offsets", ".byte_offsets", ".rows"


def bounds(rows: int, parts: int) -> list[tuple[int, int]]:
    """Ranges of rows whose sizes differ by at most one; as many as there are rows, if those are fewer."""
    parts = max(1, min(parts, rows))
    small, larger = divmod(rows, parts)
    ends = [small * (part + 1) + min(part + 1, larger) for part in range(parts)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def rows_of(tensors: Mapping[str, Any], rows: int, begin: int, end: int) -> dict[str, Any]:
    """Returns the tensors of rows ``begin`` to ``end``: views, but for offsets, which are counted from 0 again.

    rows: the number of rows of the batch.
    Raises ``RankfeedError`` if a tensor has no row for each row of the batch, as sequences in one row.
    """
    found: dict[str, Any] = {}
    for name, tensor in tensors.items():
        if name.endswith((_BYTES, _ROWS)) and name.rpartition(".")[0] + _OFFSETS in tensors:
            continue
        if name + _OFFSETS in tensors:
            found.update(_ragged(tensors, name, begin, end))
        elif name.endswith(_OFFSETS) and name.removesuffix(_OFFSETS) in tensors:
            continue
        elif name.startswith("cu_seq_lens") or getattr(tensor, "shape", (-1,))[:1] != (rows,):
            raise RankfeedError(
                f"the batch cannot be taken apart: {name!r} has no entry for each row; use another layout than flat"
            )
        else:
            found[name] = tensor[begin:end]
    return {name: found[name] for name in tensors}


def _ragged(tensors: Mapping[str, Any], name: str, begin: int, end: int) -> dict[str, Any]:
    """The rows of a column that is all values back to back: values, strings, lists of strings, or images of lists."""
    offsets = tensors[name + _OFFSETS]
    first, last = int(offsets[begin]), int(offsets[end])
    found = {name + _OFFSETS: offsets[begin : end + 1] - offsets[begin]}
    ends = tensors.get(name + _BYTES)
    if ends is not None:
        found[name + _BYTES] = ends[first : last + 1] - ends[first]
        first, last = int(ends[first]), int(ends[last])
    found[name] = tensors[name][first:last]
    if name + _ROWS in tensors:
        found[name + _ROWS] = tensors[name + _ROWS][first:last] - begin
    return found
