"""The work of the benchmark in numpy: rows to padded or flat batches with int64 labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

IGNORED = -100


def padded(rows: Sequence[np.ndarray], prompts: Sequence[int]) -> dict[str, np.ndarray]:
    """Returns input_ids, attention_mask and labels, [rows, longest]."""
    shape = len(rows), max(map(len, rows))
    ids, mask, labels = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, IGNORED, np.int64)
    for i, (row, prompt) in enumerate(zip(rows, prompts, strict=True)):
        n = len(row)
        ids[i, :n] = row
        mask[i, :n] = 1
        labels[i, prompt:n] = row[prompt:]
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def flat(rows: Sequence[np.ndarray], prompts: Sequence[int]) -> dict[str, object]:
    """Returns input_ids, labels and position_ids, [1, tokens], and the bounds of the rows."""
    sizes = [len(row) for row in rows]
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    ids = np.concatenate(rows).astype(np.int64)
    labels = ids.copy()
    for start, prompt in zip(bounds[:-1], prompts, strict=True):
        labels[start : start + max(prompt, 1)] = IGNORED
    positions = np.arange(len(ids), dtype=np.int64) - np.repeat(bounds[:-1], sizes)
    return {
        "input_ids": ids[None], "labels": labels[None], "position_ids": positions[None],
        "cu_seq_lens_q": bounds, "cu_seq_lens_k": bounds, "max_length_q": max(sizes), "max_length_k": max(sizes),
    }  # fmt: skip


WORKS = {"padded": padded, "flat": flat}
