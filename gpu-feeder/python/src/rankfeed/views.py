"""From a leased slot to arrays over it: no byte is copied here unless copies are asked for."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from rankfeed.errors import CorruptBatch
from rankfeed.ring.connection import Lease
from rankfeed.ring.layout import FIXED, PADDED, RAGGED, Layout, Tensor

_OFFSET = struct.Struct("<q")


class Views:
    """Builds the dict of one batch from a lease. ``wrap`` makes an output's tensor of an array and its column."""

    def __init__(self, layout: Layout, wrap: Callable[[np.ndarray, Tensor | None], object], copy: bool = False):
        self._wrap = wrap
        self._copy = copy
        self._columns = [(_BUILDERS[tensor.layout], tensor, tensor.element_bytes) for tensor in layout.tensors]

    def tensors(self, lease: Lease) -> dict[str, object]:
        """All tensors of the batch by name. Raises ``CorruptBatch`` where a size in the descriptor is impossible."""
        out: dict[str, object] = {}
        base, rows, sizes = lease.base, lease.descriptor.rows, lease.descriptor.columns
        wrap = self._wrap_copy if self._copy else self._wrap
        at = 0
        for build, tensor, element_bytes in self._columns:
            build(out, base, tensor, element_bytes, rows, sizes[at], sizes[at + 1], wrap)
            at += 2
        return out

    def _wrap_copy(self, array: np.ndarray, tensor: Tensor | None):
        return self._wrap(array.copy(), tensor)


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


_BUILDERS = {FIXED: _fixed, PADDED: _padded, RAGGED: _ragged}


def _impossible(tensor: Tensor, rows: int, used: int, width: int) -> CorruptBatch:
    return CorruptBatch(
        f"column {tensor.name!r}: {used} bytes of width {width} for {rows} rows do not fit; start both sides again"
    )
