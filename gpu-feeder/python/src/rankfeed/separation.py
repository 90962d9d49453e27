"""Finds out whether a model of transformers keeps the sequences of a packed row apart, by running it.

Names and attributes of a model do not say so: many models accept positions and use them for embeddings alone.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from transformers import PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from rankfeed.errors import RankfeedError

_TOKENS = 16
"""In each of the two sequences of the row that the model is run with."""


@torch.no_grad()
def sees_others(model: torch.nn.Module, batch: Mapping[str, torch.Tensor]) -> bool:
    """Whether the logits of a sequence change with the sequence before it in its row.

    The model runs twice, in evaluation mode and without a cache, on a small input that is the same on every rank. Of
    the batch only the names, a token id, the first position and whether it has one row are used.
    """
    inputs = _two_sequences(batch)
    changed = torch.as_tensor(inputs["input_ids"]).clone()
    changed[:, :_TOKENS] = _other(changed[:, :_TOKENS])
    more = {"use_cache": False} if accepts(model, "use_cache") else {}
    with _evaluation(model):
        before = model(**inputs, **more).logits
        after = model(**{**inputs, "input_ids": changed}, **more).logits
    difference = (after.float() - before.float()).abs()
    own, others = difference[:, :_TOKENS].max().item(), difference[:, _TOKENS:].max().item()
    return math.isfinite(own) and others > own * _rounding(model, before)


def require_separate(base: PreTrainedModel, model: torch.nn.Module, inputs: Mapping[str, torch.Tensor]) -> None:
    """Raises if the model, which may be wrapped, lets a token see other sequences of its row."""
    if sees_others(model, inputs):
        raise RankfeedError(
            f"sequences of a row would see each other: the logits of {type(base).__name__} with "
            f"{base.config._attn_implementation} attention for a sequence change with the sequence before it; use a "
            "model that separates them, or a job without prepare.pack. To train across sequences on purpose, set "
            "tensors in the feed file to [labels]"
        )


def require_bounds_are_read(model: PreTrainedModel, marks: set[str], rows: int) -> None:
    """Raises if it is known that transformers does not read the bounds; the message says what it reads."""
    name, attention = type(model).__name__, model.config._attn_implementation
    reads = {"position_ids", "cu_seq_lens_q"} if "flash" in attention else {"position_ids"}
    if "flash" in attention and rows > 1:
        wrong = f"reads their bounds in a batch of one row only, not of {rows}"
        remedy = "write layout: flat in the feed file, or load the model with attn_implementation='sdpa'"
    elif "flash" not in attention and name in MODEL_FOR_MASKED_LM_MAPPING_NAMES.values():
        wrong = "does not read their bounds"
        remedy = "override compute_loss and pass attention_mask=rankfeed.block_mask(seq_idx, model.dtype, causal=False)"
    elif not marks & reads:
        wrong = f"does not read {', '.join(sorted(marks))}"
        remedy = "add position_ids to tensors in the feed file"
    else:
        return
    raise RankfeedError(f"sequences of a row would see each other: {name} with {attention} attention {wrong}; {remedy}")


def accepts(model: torch.nn.Module, name: str) -> bool:
    """Whether the model can be called with an argument of this name."""
    parameters = inspect.signature(model.forward).parameters
    return name in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def _two_sequences(batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor | int]:
    ids = batch["input_ids"]
    rows = 1 if len(ids) == 1 else 2
    row = ids.flatten()[0].repeat(2 * _TOKENS)
    row[1::2] = _other(row[1::2])
    made = {"input_ids": row}
    if "position_ids" in batch:
        positions = torch.arange(_TOKENS, device=ids.device) + _first_position(batch)
        made["position_ids"] = torch.cat([positions, positions]).to(batch["position_ids"].dtype)
    if "seq_idx" in batch:
        made["seq_idx"] = torch.arange(2, device=ids.device).repeat_interleave(_TOKENS).to(batch["seq_idx"].dtype)
    inputs: dict[str, torch.Tensor | int] = {
        name: tensor.expand(rows, -1).contiguous() for name, tensor in made.items()
    }
    for name in ("cu_seqlens", "cu_seq_lens_q", "cu_seq_lens_k"):
        if name in batch:
            inputs[name] = torch.tensor([0, _TOKENS, 2 * _TOKENS], device=ids.device, dtype=batch[name].dtype)
    inputs |= {name: _TOKENS for name in ("max_seqlen", "max_length_q", "max_length_k") if name in batch}
    return inputs


def _first_position(batch: Mapping[str, torch.Tensor]) -> int:
    positions = batch["position_ids"]
    kept = positions[batch["seq_idx"] >= 0] if "seq_idx" in batch else positions
    return int(kept.min()) if kept.numel() else 0


def _other(ids: torch.Tensor) -> torch.Tensor:
    """Returns another token id for each id, within any vocabulary of two tokens."""
    return torch.where(ids > 0, ids - 1, ids + 1)


def _rounding(model: torch.nn.Module, logits: torch.Tensor) -> float:
    """Returns the share of a change that rounding alone may cause: the experts of a token depend on sums over a
    batch."""
    types = {logits.dtype, *(weights.dtype for weights in model.parameters() if weights.is_floating_point())}
    if torch.is_autocast_enabled(logits.device.type):
        types.add(torch.get_autocast_dtype(logits.device.type))
    return math.sqrt(max(torch.finfo(each).eps for each in types))


@contextmanager
def _evaluation(model: torch.nn.Module) -> Iterator[None]:
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True
