"""Attention masks of sequences that share a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankfeed.errors import RankfeedError

if TYPE_CHECKING:
    import torch


def block_mask(seq_idx: torch.Tensor, dtype: torch.dtype, *, causal: bool = True) -> torch.Tensor:
    """Returns the mask that separates sequences of a row: [rows, 1, width, width], on the device of seq_idx.

    Add it to attention scores: 0 where a token (dimension 2) sees another (dimension 3), else the minimum of ``dtype``.
    A token sees its own sequence up to itself, and padding sees padding: no row of the mask is empty, so no score is
    NaN. Models of transformers accept it as ``attention_mask`` with ``eager`` and ``sdpa`` attention::

        mask = rankfeed.block_mask(batch.pop("seq_idx"), model.dtype)
        loss = model(**batch, attention_mask=mask).loss

    It replaces every mask that the model computes itself, also that of a sliding window.

    Args:
        seq_idx: numbers of sequences, [rows, width], as the feed gives them.
        dtype: the dtype of the model's scores. ``bool`` is refused: ``eager`` attention would hide nothing.
        causal: False for encoders: a token sees the whole sequence.

    Raises:
        RankfeedError: another shape, or a dtype that is not floating point.
    """
    import torch

    if seq_idx.ndim != 2:
        raise RankfeedError(f"block_mask: seq_idx has the shape {[*seq_idx.shape]}, expected [rows, width]")
    if not dtype.is_floating_point:
        raise RankfeedError(f"block_mask: dtype {dtype} is not floating point; pass the model's dtype")
    seen = seq_idx[:, :, None] == seq_idx[:, None, :]
    if causal:
        seen = seen.tril()
    mask = torch.zeros(seen.shape, dtype=dtype, device=seq_idx.device)
    return mask.masked_fill_(~seen, torch.finfo(dtype).min)[:, None]
