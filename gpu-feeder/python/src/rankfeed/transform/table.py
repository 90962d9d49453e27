"""The locations of a batch's arrays in shared memory, which trainer and workers exchange instead of values."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rankfeed.ring.layout import Tensor
from rankfeed.ring.lease import Descriptor, T, Wrap

_ALIGNMENT_BYTES = 64
_KINDS = "biuf"


class ArrayLocation(NamedTuple):
    """One array: C order, ``offset`` in bytes from the start of the memory. Or an int, which is then the only number of
    ``shape``, without a dtype."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int


def locations(arrays: Mapping[str, np.ndarray | int], address: int) -> list[ArrayLocation]:
    """Returns the locations of arrays that are views of the memory at an address."""
    return [
        ArrayLocation(name, "", (a,), 0)
        if isinstance(a, int)
        else ArrayLocation(name, a.dtype.str, a.shape, a.ctypes.data - address)
        for name, a in arrays.items()
    ]


def views(table: list[ArrayLocation], memory: mmap.mmap | np.ndarray, start: int = 0) -> dict[str, np.ndarray | int]:
    """Returns the arrays of a table as views of a buffer; offsets count from byte ``start``."""
    return {
        name: np.ndarray(shape, dtype, memory, start + offset) if dtype else shape[0]
        for name, dtype, shape, offset in table
    }


def arrays_of(result: Any) -> dict[str, np.ndarray | int]:
    """Returns the result of a transform as arrays; a Python int stays an int. Raises ``TypeError`` for other values."""
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


def lay_out(arrays: Mapping[str, np.ndarray | int]) -> tuple[list[ArrayLocation], int]:
    """Returns locations for the arrays one after the other, each at a multiple of 64 bytes, and the size in bytes."""
    table, at = [], 0
    for name, array in arrays.items():
        if isinstance(array, int):
            table.append(ArrayLocation(name, "", (array,), 0))
            continue
        table.append(ArrayLocation(name, array.dtype.str, array.shape, at))
        at += -(-array.nbytes // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
    return table, at


class TableViews:
    """Makes the tensors of a result. ``columns``: those of the ring, since a numpy array does not say that it is
    bfloat16."""

    def __init__(self, table: list[ArrayLocation], columns: Mapping[str, Tensor]):
        self._table = table
        self._columns = columns

    def tensors(self, base: np.ndarray, _descriptor: Descriptor, wrap: Wrap[T]) -> dict[str, T | int]:
        arrays = views(self._table, base)
        return {
            name: array if isinstance(array, int) else wrap(array, same(self._columns, name, array))
            for name, array in arrays.items()
        }


def same(columns: Mapping[str, Tensor], name: str, array: np.ndarray) -> Tensor | None:
    """Returns the ring's column of this name if the array has its type, else None."""
    column = columns.get(name)
    return column if column is not None and column.dtype == array.dtype else None
