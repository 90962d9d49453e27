"""Writes segments of the ring, from the format page and without the client's reader."""

from __future__ import annotations

import math
import struct

import numpy as np

from fake_rows import COLUMNS, ITEM_BYTES, PLAN, VERSION, values

PAGE = 4096


def up(value: int, multiple: int) -> int:
    return (value + multiple - 1) // multiple * multiple


class FakeSegment:
    """The bytes of a segment in a writable buffer, and how to fill a slot of it."""

    def __init__(self, slots, rows, names, rank=0, world=1, generation=1, feed="train", pad=0):
        self.slots, self.rows, self.names, self.pad = slots, rows, names, pad
        self.identity = (generation, rank, world, feed)
        self.descriptor = up(64 + 16 * len(names), 64)
        self.slot_table = PAGE + up(256 * len(names), PAGE)
        self.stage_table = self.slot_table + up(slots * self.descriptor, PAGE)
        self.data = self.stage_table + 64 * 448
        self.offsets, at = {}, 0
        for name in names:
            _, layout, _inner, longest = COLUMNS[name]
            element = self.element_bytes(name)
            capacity = element * rows * {1: 1, 2: max(longest, 1), 3: longest}[layout]
            side_capacity = {1: 0, 2: 4 * rows, 3: 8 * (rows + 1)}[layout]
            side = at + up(capacity, 64) if layout > 1 else 0
            self.offsets[name] = (at, capacity, side, side_capacity)
            at += up(capacity, 64) + up(side_capacity, 64)
        self.stride = up(at, PAGE)
        self.length = self.data + slots * self.stride
        self.memory = None

    @staticmethod
    def element_bytes(name: str) -> int:
        code, _, inner, _ = COLUMNS[name]
        return ITEM_BYTES[code] * math.prod(inner)

    def write_head(self, memory) -> None:
        self.memory = memory
        generation, rank, world, feed = self.identity
        struct.pack_into(
            "<8s4I6Q4I16s16s32sQ", memory, 0, b"RFRING\0\1", 1, self.slots, len(self.names), self.descriptor, PAGE,
            self.slot_table, self.data, self.stride, self.length, generation, rank, world, self.rows, 0,
            PLAN.encode(), VERSION.encode(), feed.encode(), self.stage_table,
        )  # fmt: skip
        for i, name in enumerate(self.names):
            code, layout, inner, longest = COLUMNS[name]
            dims = [*inner, *[0] * (8 - len(inner))]
            struct.pack_into(
                "<64s4B8II4Q", memory, PAGE + 256 * i, name.encode(), code, layout, len(inner), 0, *dims, longest,
                *self.offsets[name],
            )  # fmt: skip

    def fill(self, slot, token, stream, step, epoch, step_in_epoch, row_ids, torn=False) -> None:
        head = self.slot_table + slot * self.descriptor
        struct.pack_into("<Q", self.memory, head, token)
        sizes = []
        for name in self.names:
            sizes += self._column(self.data + slot * self.stride, name, row_ids)
        struct.pack_into(
            f"<QQ4I24x{len(sizes)}Q", self.memory, head + 8, token - torn, step, epoch, step_in_epoch, len(row_ids),
            stream, *sizes,
        )  # fmt: skip

    def _column(self, base: int, name: str, row_ids) -> tuple[int, int]:
        offset, _, side, _ = self.offsets[name]
        _, layout, inner, _ = COLUMNS[name]
        rows = [values(name, row_id) for row_id in row_ids]
        lengths = [len(row) for row in rows]
        width = 0
        if layout == 2:
            width = max([1, *lengths])
            padded = np.full((len(rows), width, *inner), self.pad, np.int32)
            for i, row in enumerate(rows):
                padded[i, : len(row)] = row
            data = padded.tobytes()
            sides = np.array(lengths, np.int32).tobytes()
        else:
            data = b"".join(row.tobytes() for row in rows)
            sides = np.cumsum([0, *lengths]).astype(np.int64).tobytes() if layout == 3 else b""
        self.memory[base + offset : base + offset + len(data)] = data
        self.memory[base + side : base + side + len(sides)] = sides
        return len(data), width
