"""From a leased slot to arrays over it: no byte is copied here."""

from __future__ import annotations

import struct

import numpy as np

from rankfeed.errors import CorruptBatch
from rankfeed.ring.layout import BOUNDS, DENSE, FIXED, FLAT, LIST, PADDED, RAGGED, STACKED, Layout, Tensor
from rankfeed.ring.lease import Descriptor, Wrap

_OFFSET = struct.Struct("<q")
_BOUND = struct.Struct("<i")
_FLASH = "cu_seq_lens"


class SlotViews:
    """The tensors of a slot as its descriptor states them."""

    def __init__(self, layout: Layout):
        self._columns = [(_BUILDERS[tensor.layout], tensor, tensor.element_bytes) for tensor in layout.tensors]

    def tensors(self, base: np.ndarray, descriptor: Descriptor, wrap: Wrap) -> dict[str, object]:
        """All tensors of the batch by name. Raises ``CorruptBatch`` where a size in the descriptor is impossible."""
        out: dict[str, object] = {}
        rows, sizes = descriptor.rows, descriptor.columns
        at = 0
        for build, tensor, element_bytes in self._columns:
            build(out, base, tensor, element_bytes, rows, sizes[at], sizes[at + 1], wrap)
            at += 2
        return out


def _fixed(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    if used != rows * element_bytes or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _padded(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    if used != rows * width * element_bytes or not 1 <= width <= max(tensor.max_length, 1):
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, width, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".lengths"] = wrap(np.ndarray((rows,), np.int32, base, tensor.side_offset), None)


def _ragged(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    count = used // element_bytes
    first, last = (_OFFSET.unpack_from(base, tensor.side_offset + 8 * row)[0] for row in (0, rows))
    if used != count * element_bytes or used > tensor.capacity or width or first != 0 or last != count:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((count, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)


def _list(out, base, tensor, _element_bytes, rows, used, width, wrap) -> None:
    items = _items(base, tensor, rows)
    fits = 0 <= items <= tensor.items_capacity // 8 - 1 and used <= tensor.capacity and not width
    ends = [_OFFSET.unpack_from(base, tensor.items_offset + 8 * item)[0] for item in (0, items)] if fits else []
    if ends != [0, used]:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((used,), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)
    out[tensor.name + ".byte_offsets"] = wrap(np.ndarray((items + 1,), np.int64, base, tensor.items_offset), None)


def _stacked(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    items = _items(base, tensor, rows)
    if used != items * element_bytes or used > tensor.capacity or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((items, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)
    out[tensor.name + ".offsets"] = wrap(np.ndarray((rows + 1,), np.int64, base, tensor.side_offset), None)
    out[tensor.name + ".rows"] = wrap(np.ndarray((items,), np.int32, base, tensor.items_offset), None)


def _dense(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    if used != rows * width * element_bytes or not 1 <= width <= max(tensor.max_length, 1):
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((rows, width, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _flat(out, base, tensor, element_bytes, rows, used, width, wrap) -> None:
    count = used // element_bytes
    if used != count * element_bytes or used > tensor.capacity or width:
        raise _impossible(tensor, rows, used, width)
    out[tensor.name] = wrap(np.ndarray((1, count, *tensor.inner), tensor.dtype, base, tensor.offset), tensor)


def _bounds(out, base, tensor, _element_bytes, rows, used, width, wrap) -> None:
    """The bounds, and the longest sequence as an int; under the names of transformers both for queries and for keys."""
    if used % 4 or not 4 <= used <= tensor.capacity or _BOUND.unpack_from(base, tensor.offset)[0]:
        raise _impossible(tensor, rows, used, width)
    bounds = wrap(np.ndarray((used // 4,), np.int32, base, tensor.offset), tensor)
    if tensor.name.endswith(_FLASH):
        prefix = tensor.name.removesuffix(_FLASH)
        out[f"{prefix}cu_seq_lens_q"] = out[f"{prefix}cu_seq_lens_k"] = bounds
        out[f"{prefix}max_length_q"] = out[f"{prefix}max_length_k"] = width
    else:
        out[tensor.name] = bounds
        out[f"{tensor.name.removesuffix('cu_seqlens')}max_seqlen"] = width


def _items(base, tensor, rows) -> int:
    first, last = (_OFFSET.unpack_from(base, tensor.side_offset + 8 * row)[0] for row in (0, rows))
    return last if first == 0 else -1


_BUILDERS = {
    FIXED: _fixed, PADDED: _padded, RAGGED: _ragged, LIST: _list, STACKED: _stacked, DENSE: _dense, FLAT: _flat,
    BOUNDS: _bounds,
}  # fmt: skip


def _impossible(tensor: Tensor, rows: int, used: int, width: int) -> CorruptBatch:
    return CorruptBatch(
        f"column {tensor.name!r}: {used} bytes of width {width} for {rows} rows do not fit; start both sides again"
    )
