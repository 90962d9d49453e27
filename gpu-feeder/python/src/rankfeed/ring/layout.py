"""The byte layout of a segment (ring.md section 4), parsed and checked before anything of it is used."""

from __future__ import annotations

import math
import mmap
import re
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankfeed.errors import SAME_RELEASE, ProtocolError, VersionMismatch
from rankfeed.ring.stages import TABLE_BYTES

PAGE = 4096
HEADER_BYTES = 4096
_ENTRY_BYTES = 256
_MAGIC = b"RFRING\0\1"
_HEADER = struct.Struct("<8s4I6Q4I16s16s32sQ")
_ENTRY = struct.Struct("<64s4B8II6Q")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.valid)?")

FIXED, PADDED, RAGGED, LIST, STACKED, DENSE, FLAT, BOUNDS = 1, 2, 3, 4, 5, 6, 7, 8

_DTYPES = {
    1: ("bool", np.bool_),
    2: ("int8", np.int8),
    3: ("uint8", np.uint8),
    4: ("int16", np.int16),
    5: ("uint16", np.uint16),
    6: ("int32", np.int32),
    7: ("uint32", np.uint32),
    8: ("int64", np.int64),
    9: ("uint64", np.uint64),
    10: ("float16", np.float16),
    11: ("bfloat16", np.uint16),
    12: ("float32", np.float32),
    13: ("float64", np.float64),
    14: ("string", np.uint8),
    15: ("binary", np.uint8),
}


@dataclass(frozen=True)
class Tensor:
    """One entry of the tensor table. ``dtype`` is numpy's (bfloat16 travels as uint16, text as uint8)."""

    name: str
    kind: str
    dtype: np.dtype[Any]
    layout: int
    inner: tuple[int, ...]
    max_length: int
    offset: int
    capacity: int
    side_offset: int
    side_capacity: int
    items_offset: int
    items_capacity: int

    @property
    def element_bytes(self) -> int:
        """The size in bytes of one element of the variable dimension, of one row of a fixed column, or of one stacked
        item."""
        return self.dtype.itemsize * math.prod(self.inner)


@dataclass(frozen=True)
class Layout:
    slots: int
    descriptor_bytes: int
    slot_table: int
    stage_table: int
    data: int
    stride: int
    length: int
    generation: int
    rank: int
    world: int
    max_rows: int
    plan: str
    version: str
    feed: str
    tensors: tuple[Tensor, ...]

    @property
    def descriptor(self) -> struct.Struct:
        """A slot: seqBegin, seqEnd, global step, epoch, step, valid rows, stream, tokens, padded tokens,
        then (bytes, width) of each column."""
        return struct.Struct(f"<3Q4I2Q8x{2 * len(self.tensors)}Q")


def parse(memory: bytes | mmap.mmap, length: int, where: str) -> Layout:
    """Parses the layout of a segment of ``length`` bytes; ``memory`` is any buffer over it. ``where`` names it in
    messages."""
    _require(length >= 2 * PAGE, where, f"{length} bytes are no segment")
    (magic, version, slots, columns, descriptor, table, slot_table, data, stride, total, generation, rank, world,
     max_rows, zero, plan, version_id, feed, stage_table) = _HEADER.unpack_from(memory, 0)  # fmt: skip
    _require(magic == _MAGIC, where, f"magic {magic.hex(' ')} at byte 0")
    if version != 1:
        raise VersionMismatch(f"{where}: ring version {version}, this client knows version 1; {SAME_RELEASE}")
    _require(2 <= slots <= 4096, where, f"{slots} slots at byte 12")
    _require(1 <= columns <= 1024, where, f"{columns} columns at byte 16")
    _require(descriptor == _up(64 + 16 * columns, 64), where, f"descriptors of {descriptor} bytes at byte 20")
    _require(table == HEADER_BYTES, where, f"tensor table at {table}")
    _require(slot_table == table + _up(columns * _ENTRY_BYTES, PAGE), where, f"slot table at {slot_table}")
    _require(
        stage_table == slot_table + _up(slots * descriptor, PAGE), where, f"stage table at {stage_table} at byte 152"
    )
    _require(data == stage_table + TABLE_BYTES, where, f"data at {data}")
    _require(stride % PAGE == 0, where, f"slot stride {stride} at byte 48")
    _require(total == length == data + slots * stride, where, f"length {total} at byte 56, the file has {length} bytes")
    _require(zero == 0 and max_rows >= 1 and rank < world, where, f"rank {rank} of {world}, {max_rows} rows")
    tensors = [_tensor(memory, table + i * _ENTRY_BYTES, max_rows, stride, where) for i in range(columns)]
    _require(len({t.name for t in tensors}) == columns, where, "a column is listed twice in the tensor table")
    _check_apart(tensors, where)
    return Layout(
        slots, descriptor, slot_table, stage_table, data, stride, total, generation, rank, world, max_rows,
        _text(plan, where), _text(version_id, where), _text(feed, where), tuple(tensors),
    )  # fmt: skip


def _tensor(memory: bytes | mmap.mmap, at: int, max_rows: int, stride: int, where: str) -> Tensor:
    (raw_name, code, layout, depth, zero, *inner, max_length, offset, capacity, side, side_capacity, items,
     items_capacity) = _ENTRY.unpack_from(memory, at)  # fmt: skip
    name = _text(raw_name, where)
    where = f"{where}: column {name!r} at byte {at}"
    _require(_NAME.fullmatch(name) is not None, where, "no column name")
    _require(code in _DTYPES and FIXED <= layout <= BOUNDS, where, f"dtype {code}, layout {layout}")
    _require(depth <= 8 and zero == 0 and all(inner[:depth]) and not any(inner[depth:]), where, "inner dimensions")
    kind, dtype = _DTYPES[code]
    is_bytes = kind in ("string", "binary")
    _require(
        not is_bytes or (layout in (RAGGED, LIST) and not depth), where, f"{kind} is ragged bytes or a list of them"
    )
    _require(is_bytes or layout != LIST, where, f"a list of {kind}")
    tensor = Tensor(name, kind, np.dtype(dtype), layout, tuple(inner[:depth]), max_length, offset, capacity, side,
                    side_capacity, items, items_capacity)  # fmt: skip
    # What a batch has of the other layouts is checked against the capacity, batch by batch.
    elements = max_rows * {FIXED: 1, PADDED: max(max_length, 1), DENSE: max(max_length, 1)}.get(layout, 0)
    has_side = layout in (PADDED, RAGGED, LIST, STACKED)
    side_needed = (4 * max_rows if layout == PADDED else 8 * (max_rows + 1)) if has_side else 0
    items_needed = {LIST: 8, STACKED: 4 * (capacity // max(tensor.element_bytes, 1))}.get(layout, 0)
    _require(layout != FIXED or max_length == 0, where, "a fixed column has no longest row")
    _require(has_side or side == side_capacity == 0, where, "a side of a column without one")
    _require(layout != BOUNDS or (kind == "int32" and not depth), where, f"bounds of {kind}")
    _require(layout in (LIST, STACKED) or items == items_capacity == 0, where, "items of a column without them")
    _require(
        capacity >= elements * tensor.element_bytes and side_capacity >= side_needed and items_capacity >= items_needed,
        where,
        "too small",
    )
    _require(offset % 64 == side % 64 == items % 64 == 0, where, f"offsets {offset}, {side}, {items} are not aligned")
    ends = (offset + capacity, side + side_capacity, items + items_capacity)
    _require(max(ends) <= stride, where, "outside the slot")
    return tensor


def _check_apart(tensors: list[Tensor], where: str) -> None:
    spans = [(t.offset, t.capacity, t.name) for t in tensors]
    spans += [(t.side_offset, t.side_capacity, t.name) for t in tensors]
    spans += [(t.items_offset, t.items_capacity, t.name) for t in tensors]
    end = 0
    for offset, capacity, name in sorted(span for span in spans if span[1]):
        _require(offset >= end, where, f"column {name!r} overlaps another one")
        end = offset + capacity


def _text(raw: bytes, where: str) -> str:
    text, _, rest = raw.partition(b"\0")
    _require(not rest.strip(b"\0"), where, f"bytes after the end of a name: {raw!r}")
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise ProtocolError(f"{where}: a name is not UTF-8: {raw!r}") from None


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _require(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise ProtocolError(f"{where}: {what}: not a ring segment of this format; {SAME_RELEASE}")
