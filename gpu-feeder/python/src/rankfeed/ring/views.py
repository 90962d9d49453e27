"""From a leased slot to arrays over it: no byte is copied here."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import cast

import numpy as np

from rankfeed.errors import CorruptBatch
from rankfeed.ring.layout import BOUNDS, DENSE, FIXED, FLAT, LIST, PADDED, RAGGED, STACKED, Layout, Tensor
from rankfeed.ring.lease import Descriptor, T, Wrap

# An array is a buffer; the types of numpy say so from Python 3.12 on.
_Unpack = Callable[[np.ndarray, int], tuple[int]]
_offset = cast(_Unpack, struct.Struct("<q").unpack_from)
_bound = cast(_Unpack, struct.Struct("<i").unpack_from)
_FLASH = "cu_seq_lens"

Tensors = dict[str, T | int]
"""By name; an int where a batch has a number next to its tensors."""


class SlotViews:
    """The tensors of a slot as its descriptor states them."""

    def __init__(self, layout: Layout):
        self._columns = [(_BUILDERS[tensor.layout], tensor, tensor.element_bytes) for tensor in layout.tensors]

    def tensors(self, base: np.ndarray, descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]:
        """All tensors of the batch by name. Raises ``CorruptBatch`` where a size in the descriptor is impossible."""
        out: dict[str, T | int] = {}
        rows, sizes = descriptor.rows, descriptor.columns
        at = 0
        for build, tensor, element_bytes in self._columns:
            build(out, base, tensor, element_bytes, rows, sizes[at], sizes[at + 1], wrap)
            at += 2
        return out


def _fixed(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    if used != rows * unit_bytes or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _padded(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    if used != rows * width * unit_bytes or not 1 <= width <= max(tensor.max_length, 1):
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, width, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".lengths"] = wrap(np.ndarray((rows,), np.int32, base, tensor.side_offset), None)


def _ragged(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    count = used // unit_bytes
    first, last = (_offset(base, tensor.side_offset + 8 * row)[0] for row in (0, rows))
    if used != count * unit_bytes or used > tensor.capacity or width or first != 0 or last != count:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((count, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)


def _list(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    _unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    items = _items(base, tensor, rows)
    fits = 0 <= items <= tensor.items_capacity // 8 - 1 and used <= tensor.capacity and not width
    ends = [_offset(base, tensor.items_offset + 8 * item)[0] for item in (0, items)] if fits else []
    if ends != [0, used]:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((used,), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)
    out[tensor.name + ".byte_offsets"] = wrap(np.ndarray((items + 1,), np.int64, base, tensor.items_offset), None)


def _stacked(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    items = _items(base, tensor, rows)
    if used != items * unit_bytes or used > tensor.capacity or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((items, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)
    out[tensor.name + ".rows"] = wrap(np.ndarray((items,), np.int32, base, tensor.items_offset), None)


def _dense(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    if used != rows * width * unit_bytes or not 1 <= width <= max(tensor.max_length, 1):
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, width, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _flat(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    count = used // unit_bytes
    if used != count * unit_bytes or used > tensor.capacity or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((1, count, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _bounds(
    out: Tensors[T],
    base: np.ndarray,
    tensor: Tensor,
    _unit_bytes: int,
    rows: int,
    used: int,
    width: int,
    wrap: Wrap[T],
) -> None:
    """The bounds, and the longest sequence as an int; under the names of transformers both for queries and for keys."""
    if used % 4 or not 4 <= used <= tensor.capacity or _bound(base, tensor.offset)[0]:
        raise _impossible(tensor, rows, used, width)
    bounds = wrap(np.ndarray((used // 4,), np.int32, base, tensor.offset), tensor)
    if tensor.name.endswith(_FLASH):
        prefix = tensor.name.removesuffix(_FLASH)
        out[f"{prefix}cu_seq_lens_q"] = out[f"{prefix}cu_seq_lens_k"] = bounds
        out[f"{prefix}max_length_q"] = out[f"{prefix}max_length_k"] = width
    else:
        out[tensor.name] = bounds
        out[f"{tensor.name.removesuffix('cu_seqlens')}max_seqlen"] = width


def _items(base: np.ndarray, tensor: Tensor, rows: int) -> int:
    first, last = (_offset(base, tensor.side_offset + 8 * row)[0] for row in (0, rows))
    return last if first == 0 else -1


_BUILDERS = {
    FIXED: _fixed, PADDED: _padded, RAGGED: _ragged, LIST: _list, STACKED: _stacked, DENSE: _dense, FLAT: _flat,
    BOUNDS: _bounds,
}  # fmt: skip


def _impossible(tensor: Tensor, rows: int, used: int, width: int) -> CorruptBatch:
    return CorruptBatch(
        f"column {tensor.name!r}: {used} bytes of width {width} for {rows} rows do not fit; start both sides again"
    )
