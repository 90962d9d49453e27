"""Makes arrays over the bytes of a leased slot; copies nothing."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Generic, cast

import numpy as np

from rankfeed.errors import CorruptBatch
from rankfeed.ring.layout import BOUNDS, DENSE, FIXED, FLAT, LIST, PADDED, RAGGED, STACKED, Layout, Tensor
from rankfeed.ring.lease import Descriptor, T, Wrap

# An array is a buffer; the types of numpy say so from Python 3.12 on.
_Unpack = Callable[[np.ndarray, int], tuple[int]]
_offset = cast(_Unpack, struct.Struct("<q").unpack_from)
_bound = cast(_Unpack, struct.Struct("<i").unpack_from)
_FLASH = "cu_seq_lens"


class SlotViews:
    """Makes the tensors of a slot, whose sizes are in its descriptor."""

    def __init__(self, layout: Layout):
        self._columns = [(_BUILDERS[tensor.layout], tensor, tensor.element_bytes) for tensor in layout.tensors]

    def tensors(self, base: np.ndarray, descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]:
        """Returns the tensors by name. Raises ``CorruptBatch`` if a size in the descriptor is impossible."""
        slot = _Slot(base, descriptor.rows, wrap)
        sizes = descriptor.columns
        at = 0
        for build, tensor, unit_bytes in self._columns:
            build(slot, tensor, unit_bytes, sizes[at], sizes[at + 1])
            at += 2
        return slot.out


class _Slot(Generic[T]):
    """The slot of one batch. Each function below adds the arrays of one column to ``out``.

    out: the tensors by name; an int if a batch has a number next to its tensors.
    """

    __slots__ = ("base", "out", "rows", "wrap")

    def __init__(self, base: np.ndarray, rows: int, wrap: Wrap[T]):
        self.base = base
        self.rows = rows
        self.wrap = wrap
        self.out: dict[str, T | int] = {}


# unit_bytes: size of one element of the variable dimension, of one row of a fixed column, or of one stacked item.
# used, width: bytes in use and width of the column, from the slot's descriptor.
def _fixed(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    rows = slot.rows
    if used != rows * unit_bytes or width:
        raise _impossible(slot, tensor, used, width)
    slot.out[tensor.name] = slot.wrap(np.ndarray((rows, *tensor.inner), tensor.dtype, slot.base, tensor.offset), tensor)


def _dense(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    rows = slot.rows
    if used != rows * width * unit_bytes or not 1 <= width <= max(tensor.max_length, 1):
        raise _impossible(slot, tensor, used, width)
    array = np.ndarray((rows, width, *tensor.inner), tensor.dtype, slot.base, tensor.offset)
    slot.out[tensor.name] = slot.wrap(array, tensor)


def _padded(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    _dense(slot, tensor, unit_bytes, used, width)
    slot.out[tensor.name + ".lengths"] = slot.wrap(
        np.ndarray((slot.rows,), np.int32, slot.base, tensor.side_offset), None
    )


def _ragged(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    count = used // unit_bytes
    if used != count * unit_bytes or used > tensor.capacity or width or _items(slot, tensor) != count:
        raise _impossible(slot, tensor, used, width)
    slot.out[tensor.name] = slot.wrap(
        np.ndarray((count, *tensor.inner), tensor.dtype, slot.base, tensor.offset), tensor
    )
    _add_offsets(slot, tensor)


def _list(slot: _Slot[T], tensor: Tensor, _unit_bytes: int, used: int, width: int) -> None:
    items = _items(slot, tensor)
    fits = 0 <= items <= tensor.items_capacity // 8 - 1 and used <= tensor.capacity and not width
    ends = [_offset(slot.base, tensor.items_offset + 8 * item)[0] for item in (0, items)] if fits else []
    if ends != [0, used]:
        raise _impossible(slot, tensor, used, width)
    slot.out[tensor.name] = slot.wrap(np.ndarray((used,), tensor.dtype, slot.base, tensor.offset), tensor)
    _add_offsets(slot, tensor)
    slot.out[tensor.name + ".byte_offsets"] = slot.wrap(
        np.ndarray((items + 1,), np.int64, slot.base, tensor.items_offset), None
    )


def _stacked(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    items = _items(slot, tensor)
    if used != items * unit_bytes or used > tensor.capacity or width:
        raise _impossible(slot, tensor, used, width)
    slot.out[tensor.name] = slot.wrap(
        np.ndarray((items, *tensor.inner), tensor.dtype, slot.base, tensor.offset), tensor
    )
    _add_offsets(slot, tensor)
    slot.out[tensor.name + ".rows"] = slot.wrap(np.ndarray((items,), np.int32, slot.base, tensor.items_offset), None)


def _flat(slot: _Slot[T], tensor: Tensor, unit_bytes: int, used: int, width: int) -> None:
    count = used // unit_bytes
    if used != count * unit_bytes or used > tensor.capacity or width:
        raise _impossible(slot, tensor, used, width)
    array = np.ndarray((1, count, *tensor.inner), tensor.dtype, slot.base, tensor.offset)
    slot.out[tensor.name] = slot.wrap(array, tensor)


def _bounds(slot: _Slot[T], tensor: Tensor, _unit_bytes: int, used: int, width: int) -> None:
    """Adds the bounds, and the longest sequence as an int; with the names of transformers, for queries and for keys."""
    if used % 4 or not 4 <= used <= tensor.capacity or _bound(slot.base, tensor.offset)[0]:
        raise _impossible(slot, tensor, used, width)
    bounds = slot.wrap(np.ndarray((used // 4,), np.int32, slot.base, tensor.offset), tensor)
    if tensor.name.endswith(_FLASH):
        prefix = tensor.name.removesuffix(_FLASH)
        slot.out[f"{prefix}cu_seq_lens_q"] = slot.out[f"{prefix}cu_seq_lens_k"] = bounds
        slot.out[f"{prefix}max_length_q"] = slot.out[f"{prefix}max_length_k"] = width
    else:
        slot.out[tensor.name] = bounds
        slot.out[f"{tensor.name.removesuffix('cu_seqlens')}max_seqlen"] = width


def _items(slot: _Slot[T], tensor: Tensor) -> int:
    """Returns the last of the int64 offsets [rows + 1]: the number of items, or of units; -1 if the first is not 0."""
    first = _offset(slot.base, tensor.side_offset)[0]
    return _offset(slot.base, tensor.side_offset + 8 * slot.rows)[0] if first == 0 else -1


def _add_offsets(slot: _Slot[T], tensor: Tensor) -> None:
    array = np.ndarray((slot.rows + 1,), np.int64, slot.base, tensor.side_offset)
    slot.out[tensor.name + ".offsets"] = slot.wrap(array, None)


_BUILDERS: dict[int, Callable[[_Slot[Any], Tensor, int, int, int], None]] = {
    FIXED: _fixed, PADDED: _padded, RAGGED: _ragged, LIST: _list, STACKED: _stacked, DENSE: _dense, FLAT: _flat,
    BOUNDS: _bounds,
}  # fmt: skip


def _impossible(slot: _Slot[T], tensor: Tensor, used: int, width: int) -> CorruptBatch:
    return CorruptBatch(
        f"column {tensor.name!r}: {used} bytes of width {width} for {slot.rows} rows do not fit; start both sides again"
    )
