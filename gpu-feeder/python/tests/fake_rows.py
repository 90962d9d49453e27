"""The rows that the fake feeder feeds, and their values, which follow from the row id. Both sides compute them."""

from __future__ import annotations

import numpy as np

PLAN = "0123456789abcdef"
VERSION = "fedcba9876543210"

# name → (dtype code, layout, inner dimensions, longest value)
COLUMNS = {
    "row_id": (8, 1, (), 0),
    "tokens": (6, 2, (), 4),
    "ragged": (4, 3, (2,), 4),
    "label": (12, 1, (), 0),
    "features": (12, 1, (2,), 0),
    "label.valid": (3, 1, (), 0),
    "image": (3, 1, (2, 3), 0),
    "pixels": (3, 1, (4, 5, 3), 0),
    "pixels.valid": (3, 1, (), 0),
    "planes": (3, 1, (3, 4, 5), 0),
    "planes.valid": (3, 1, (), 0),
    "half": (11, 1, (), 0),
    "text": (14, 3, (), 24),
    "_row_key": (9, 1, (), 0),
}
ITEM_BYTES = {3: 1, 4: 2, 6: 4, 8: 8, 9: 8, 11: 2, 12: 4, 14: 1}


def row_ids(step: int, batch: int, rank: int, world: int, pool: int | None = None) -> list[int]:
    """Returns the rows of a rank's batch; ``pool`` cuts the last step of a sequential feed."""
    end = (step + 1) * batch if pool is None else min((step + 1) * batch, pool)
    return list(range(step * batch + rank, end, world))


def tokens(row_id: int) -> list[int]:
    return [row_id * 10 + i for i in range(row_id % 5)]


def row_key(row_id: int) -> int:
    return (row_id + 1) * 0x9E3779B97F4A7C15 % 2**64


def text(row_id: int) -> str:
    return f"row {row_id} é" if row_id % 3 else ""


def values(name: str, row_id: int) -> np.ndarray:
    """Returns one row's value in the dtype of its bytes."""
    if name == "row_id":
        return np.array([row_id], np.int64)
    if name == "_row_key":
        return np.array([row_key(row_id)], np.uint64)
    if name == "tokens":
        return np.array(tokens(row_id), np.int32)
    if name == "ragged":
        return np.array([[t % 1000, -(t % 1000)] for t in tokens(row_id)], np.int16).reshape(-1, 2)
    if name == "label":
        return np.array([row_id / 2], np.float32)
    if name == "features":
        return np.array([[row_id, -row_id]], np.float32)
    if name in ("pixels", "planes"):
        # Of an image that is missing, the feeder gives zeros.
        channels = np.arange(3) * 70 + row_id % 100 if row_id % 3 else np.zeros(3)
        shape = (1, 1, 1, 3) if name == "pixels" else (1, 3, 1, 1)
        return np.broadcast_to(channels.reshape(shape), (1, *COLUMNS[name][2])).astype(np.uint8)
    if name in ("pixels.valid", "planes.valid"):
        return np.array([row_id % 3 != 0], np.uint8)
    if name == "label.valid":
        return np.array([row_id % 2], np.uint8)
    if name == "image":
        return np.full((1, 2, 3), row_id % 251, np.uint8)
    if name == "half":
        return np.array([0x3F80 + row_id % 64], np.uint16)
    return np.frombuffer(text(row_id).encode(), np.uint8)
