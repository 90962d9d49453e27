"""The verdict on a model against its logits: packed sequences compared with each sequence alone."""

import random

import pytest
import torch
import transformers

from rankfeed.separation import sees_others

VOCABULARY = 97
SIZES = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "max_position_embeddings": 128,
}  # fmt: skip
GROUPED = SIZES | {"num_key_value_heads": 2, "head_dim": 8}
EXPERTS = GROUPED | {"num_experts_per_tok": 2, "moe_intermediate_size": 16}
BLOOM = {"vocab_size": VOCABULARY, "hidden_size": 32, "n_layer": 2, "n_head": 4}
OPT = {"word_embed_proj_dim": 32, "ffn_dim": 48}
MAMBA = {"vocab_size": VOCABULARY, "hidden_size": 32, "state_size": 8, "num_hidden_layers": 2}
LOCAL = {"num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]], "window_size": 5}

SEPARATE = {
    "Llama": GROUPED,
    "Qwen3": GROUPED,
    "Qwen3Moe": EXPERTS | {"num_experts": 4},
    "Gemma2": GROUPED | {"sliding_window": 5},
    "Starcoder2": GROUPED | {"sliding_window": 5},
    "GPTNeo": {"vocab_size": VOCABULARY, "hidden_size": 32, "max_position_embeddings": 128} | LOCAL,
    "Phi": SIZES,
}
TOGETHER = {
    "Falcon": SIZES,
    "Bloom": BLOOM,
    "OPT": SIZES | OPT,
    "GptOss": GROUPED | {"num_local_experts": 4, "num_experts_per_tok": 2},
    "Mamba": MAMBA,
    "Roberta": SIZES | {"is_decoder": True},
}
EAGER = ("Bloom", "Gemma2", "Mamba", "GPTNeo", "GptOss")  # transformers has no other attention for them
OTHERS = [kind for kind in (*SEPARATE, *TOGETHER) if kind not in EAGER]
ATTENTIONS = [
    *((kind, "eager") for kind in ("Llama", *EAGER)),
    *((kind, "sdpa") for kind in OTHERS),
    *(pytest.param(kind, "eager", marks=pytest.mark.nightly) for kind in OTHERS if kind != "Llama"),
]


def made(kind: str, attention: str, sizes: dict) -> torch.nn.Module:
    torch.manual_seed(3)
    config = getattr(transformers, f"{kind}Config")(**sizes, attn_implementation=attention)
    model = getattr(transformers, f"{kind}ForCausalLM")(config).eval()
    for weights in model.parameters():
        if weights.dim() > 1:  # so large that attention changes the logits
            torch.nn.init.normal_(weights, std=0.3)
    return model


def packed(rows: list[list[list[int]]], first: int) -> dict[str, torch.Tensor]:
    """Rows of sequences, padded at the right with sequences of one token."""
    width = max(sum(map(len, row)) for row in rows)
    ids, positions, numbers = (torch.zeros(len(rows), width, dtype=torch.int64) for _ in range(3))
    positions += first
    numbers -= 1
    for i, row in enumerate(rows):
        at = 0
        for k, sequence in enumerate(row):
            span = slice(at, at := at + len(sequence))
            ids[i, span] = torch.tensor(sequence)
            positions[i, span] = torch.arange(len(sequence)) + first
            numbers[i, span] = k
    return {"input_ids": ids, "position_ids": positions, "seq_idx": numbers}


@torch.no_grad()
def difference(model: torch.nn.Module, rows: list[list[list[int]]], batch: dict[str, torch.Tensor]) -> float:
    """Returns the maximum difference of the logits of a sequence in its row from those alone."""
    logits = model(**batch, use_cache=False).logits
    worst = 0.0
    for i, row in enumerate(rows):
        at = 0
        for sequence in row:
            span = slice(at, at := at + len(sequence))
            ids, positions = batch["input_ids"][i, span][None], batch["position_ids"][i, span][None]
            alone = model(input_ids=ids, position_ids=positions, use_cache=False).logits
            worst = max(worst, (alone[0] - logits[i, span]).abs().max().item())
    return worst


@pytest.mark.parametrize(("kind", "attention"), ATTENTIONS)
def test_the_verdict_is_that_of_the_logits(kind, attention):
    draw = random.Random(f"{kind} {attention}")
    model = made(kind, attention, (SEPARATE | TOGETHER)[kind])
    for rows, first in ((1, 0), (3, 0), (2, 2)):
        sequences = [[[draw.randrange(3, VOCABULARY) for _ in range(draw.randrange(1, 9))] for _ in range(3)]
                     for _ in range(rows)]  # fmt: skip
        batch = packed(sequences, first)
        found = difference(model, sequences, batch)
        assert found > 0.1 if kind in TOGETHER else found < 1e-3
        assert sees_others(model, batch) == (kind in TOGETHER), found


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_rounding_is_not_taken_for_other_sequences(dtype):
    batch = packed([[[5, 6, 7], [8, 9]]] * 2, 0)
    for kind in ("Qwen3Moe", "Llama"):
        assert not sees_others(made(kind, "sdpa", SEPARATE[kind]).to(dtype), batch)
    for kind in ("Falcon", "OPT"):
        assert sees_others(made(kind, "sdpa", TOGETHER[kind]).to(dtype), batch)


def test_the_model_is_as_it_was():
    model = made("Llama", "sdpa", GROUPED).train()
    model.model.layers[0].eval()
    before = {name: module.training for name, module in model.named_modules()}
    state = torch.random.get_rng_state()
    assert not sees_others(model, packed([[[5, 6, 7], [8, 9]]], 0))
    assert {name: module.training for name, module in model.named_modules()} == before
    assert torch.equal(torch.random.get_rng_state(), state)
    assert all(weights.grad is None for weights in model.parameters())
