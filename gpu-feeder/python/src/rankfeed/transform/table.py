"""Places of a batch's arrays in shared memory: what trainer and workers exchange instead of values."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rankfeed.ring.layout import Tensor
from rankfeed.ring.lease import Descriptor, T, Wrap

_ALIGNMENT_BYTES = 64
_KINDS = "biuf"


class Place(NamedTuple):
    """One array: C order, ``offset`` in bytes from the start of the memory. Or an int, which is then the only number of
    ``shape``, without a dtype."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int


def places(arrays: Mapping[str, np.ndarray | int], address: int) -> list[Place]:
    """Those of arrays that look into the memory at an address."""
    return [
        Place(name, "", (a,), 0) if isinstance(a, int) else Place(name, a.dtype.str, a.shape, a.ctypes.data - address)
        for name, a in arrays.items()
    ]


def views(table: list[Place], memory: mmap.mmap | np.ndarray, start: int = 0) -> dict[str, np.ndarray | int]:
    """The arrays over a buffer from byte ``start`` on."""
    return {
        name: np.ndarray(shape, dtype, memory, start + offset) if dtype else shape[0]
        for name, dtype, shape, offset in table
    }


def arrays_of(result: Any) -> dict[str, np.ndarray | int]:
    """What a transform returned, as arrays; a Python int stays one. Raises ``TypeError`` for what no batch can have."""
    if not isinstance(result, Mapping):
        raise TypeError(f"the transform returned {type(result).__name__}, expected a dict of arrays")
    arrays: dict[str, np.ndarray | int] = {}
    for name, value in result.items():
        if isinstance(name, str) and type(value) is int:
            arrays[name] = value
            continue
        array = np.asarray(value)
        if not isinstance(name, str) or array.dtype.kind not in _KINDS or not array.dtype.isnative:
            raise TypeError(
                f"the transform returned {name!r}: {type(value).__name__} of dtype {array.dtype}, expected an array of "
                "numbers or bool under a name"
            )
        arrays[name] = array
    return arrays


def placed(arrays: Mapping[str, np.ndarray | int]) -> tuple[list[Place], int]:
    """Places for the arrays behind each other, each at a multiple of 64 bytes, and the bytes that they need."""
    table, at = [], 0
    for name, array in arrays.items():
        if isinstance(array, int):
            table.append(Place(name, "", (array,), 0))
            continue
        table.append(Place(name, array.dtype.str, array.shape, at))
        at += -(-array.nbytes // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
    return table, at


class TableViews:
    """The tensors of a result. ``columns``: those of the ring, since a numpy array does not say that it is bfloat16."""

    def __init__(self, table: list[Place], columns: Mapping[str, Tensor]):
        self._table = table
        self._columns = columns

    def tensors(self, base: np.ndarray, _descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]:
        arrays = views(self._table, base)
        return {
            name: array if isinstance(array, int) else wrap(array, same(self._columns, name, array))
            for name, array in arrays.items()
        }


def same(columns: Mapping[str, Tensor], name: str, array: np.ndarray) -> Tensor | None:
    """The ring's column of this name, where the array still has its type."""
    column = columns.get(name)
    return column if column is not None and column.dtype == array.dtype else None
