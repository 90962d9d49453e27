"""Small language models, and their results for each sequence alone, which packed batches must equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from texts import VOCABULARY
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

torch.set_num_threads(1)  # with models this small, threads take far longer than they save
SIZES = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 2048,
}  # fmt: skip
MODELS = {
    "llama": lambda more: LlamaForCausalLM(LlamaConfig(**more)),
    "qwen2": lambda more: Qwen2ForCausalLM(Qwen2Config(**more)),
    "qwen3": lambda more: Qwen3ForCausalLM(Qwen3Config(**more, head_dim=8)),
    "mistral": lambda more: MistralForCausalLM(MistralConfig(**more, sliding_window=5)),
}
INPUTS = ("input_ids", "position_ids", "labels", "seq_idx", "cu_seqlens")
# Logits are of the size of 10; rounding makes 1e-5 of difference, a token of another sequence 0.1 and more.
EXACT = {"rtol": 1e-4, "atol": 1e-4}


def model(kind: str, attention: str, vocabulary: int = VOCABULARY):
    torch.manual_seed(3)
    made = MODELS[kind]({**SIZES, "vocab_size": vocabulary, "attn_implementation": attention})
    for weights in made.parameters():
        if weights.dim() > 1:  # so large that attention changes the logits
            torch.nn.init.normal_(weights, std=0.3)
    return made


class Alone:
    """Runs a model on one member at a time, without padding, mask or cache. row: token ids and length of the prompt of
    a number.
    """

    def __init__(self, row: Callable[[int], tuple[list[int], int]], network, first_position: int = 0):
        self._row = row
        self._network = network
        self._first = first_position

    def logits(self, number: int) -> torch.Tensor:
        ids = torch.tensor([self._row(number)[0]])
        positions = torch.arange(self._first, self._first + ids.shape[1])[None]
        return self._network(input_ids=ids, position_ids=positions, use_cache=False).logits[0]

    def loss(self, numbers: list[int]) -> torch.Tensor:
        """Returns the mean loss over all tokens that are to be predicted."""
        losses = []
        for number in numbers:
            ids, prompt = self._row(number)
            targets = torch.tensor([-100] * prompt + ids[prompt:])[1:]
            found = torch.nn.functional.cross_entropy(self.logits(number)[:-1], targets, reduction="none")
            losses.append(found[targets != -100])
        return torch.cat(losses).mean()


def inputs(batch) -> dict[str, torch.Tensor]:
    """Returns the tensors of a batch that a model takes."""
    return {name: batch[name] for name in INPUTS if name in batch}


def spans(batch, rows: list[list[int]]) -> Iterator[tuple[int, int, slice]]:
    """Yields number, row and span of columns of each member of a batch of these rows, found in its seq_idx."""
    for i, members in enumerate(rows):
        flat = len(batch["input_ids"]) == 1 < len(rows)
        before = sum(map(len, rows[:i])) if flat else 0
        for k, number in enumerate(members):
            at = (batch["seq_idx"][0 if flat else i] == before + k).nonzero()[:, 0]
            assert len(at) == int(at[-1] - at[0]) + 1
            yield number, 0 if flat else i, slice(int(at[0]), int(at[-1]) + 1)
