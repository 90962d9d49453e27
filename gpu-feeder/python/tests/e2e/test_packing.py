"""Rows packed into sequences by a job, from the table to the batch."""

from __future__ import annotations

import random

import alone
import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from launch import House, made, made_once, rankfeed
from nodes import Feeder
from texts import PACKED, ROWS, VOCABULARY, row
from transformers import BertConfig, BertForMaskedLM, OPTConfig, OPTForCausalLM, TrainingArguments

import rankfeed as client

FEED = """
feeds:
  {feed}:
    columns:
      - {{name: id, layout: ragged}}
      - {{name: kind}}
      - {{name: member_lengths, layout: ragged}}
      - {{name: input_ids, from: tokens, text: {{members: member_lengths, {more}}}}}
"""
DEFAULT = "prompt: prompt_length"
LEFT = f"{DEFAULT}, rejected: empty, max-length: 63, pad-side: left, pad-to-multiple-of: 8, first-position: 1"
FLAT = f"{DEFAULT}, layout: flat, tensors: [position_ids, labels, seq_idx, cu_seqlens]"


@pytest.fixture
def packed_feeder(packed, tmp_path, monkeypatch):
    def start(name: str, feed: str, more: str, version: House = packed) -> Feeder:
        config = tmp_path / f"{name}.yaml"
        config.write_text(FEED.format(feed=feed, more=more))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
        return Feeder(version.path, tmp_path / "rt", name, "--in-place", "--config", config)

    return start


def members_of(batch, i: int) -> list[int]:
    ends = batch["id.offsets"]
    return batch["id"][ends[i] : ends[i + 1]].tolist()


def sequence(members: list[int]) -> dict[str, list[int]]:
    """Computes the expected sequence from the rows of its members."""
    out: dict[str, list[int]] = {"input_ids": [], "labels": [], "position_ids": [], "seq_idx": []}
    for k, number in enumerate(members):
        ids, prompt = row(number)
        labels = [-100] * prompt + ids[prompt:]
        labels[0] = -100
        out["input_ids"] += ids
        out["labels"] += labels
        out["position_ids"] += range(len(ids))
        out["seq_idx"] += [k] * len(ids)
    return out


def test_every_row_is_in_one_sequence_with_own_labels(packed_feeder):
    seen = []
    with (
        packed_feeder("padded", "valid", DEFAULT),
        client.Feed("padded", feed="valid", output="numpy") as feed,
    ):
        for batch in feed:
            for i in range(batch.valid_rows):
                members = members_of(batch, i)
                seen += members
                assert {number % 3 for number in members} == {batch["kind"][i]}
                wanted = sequence(members)
                length = len(wanted["input_ids"])
                assert length <= 64
                for name, values in wanted.items():
                    assert batch[name][i][:length].tolist() == values, name
                assert (batch["labels"][i][length:] == -100).all()
                assert (batch["seq_idx"][i][length:] == -1).all()
    assert sorted(seen) == [number for number in range(ROWS) if row(number)[0]]


def test_flat_batch_has_the_bounds_of_the_members(packed_feeder):
    with (
        packed_feeder("flat", "valid", FLAT),
        client.Feed("flat", feed="valid", output="numpy") as feed,
    ):
        for batch in feed:
            members = [number for i in range(batch.valid_rows) for number in members_of(batch, i)]
            lengths = [len(row(number)[0]) for number in members]
            assert batch["cu_seqlens"].tolist() == np.concatenate([[0], np.cumsum(lengths)]).tolist()
            assert batch["max_seqlen"] == max(lengths)
            assert batch["input_ids"][0].tolist() == sequence(members)["input_ids"]
            assert batch["labels"][0].tolist() == sequence(members)["labels"]


def test_shares_count_sequences(packed_feeder):
    with packed_feeder("train", "train", DEFAULT), client.Feed("train", output="numpy") as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                assert sorted(batch["kind"].tolist()) == [0, 0, 1, 1]


def batches(name: str) -> list[tuple[client.Batch, list[list[int]]]]:
    """Yields copies of the batches of a feeder, with the members of each row; none if the row was rejected."""
    with client.Feed(name, feed="valid", device="cpu", copy=True) as feed:
        found = []
        for batch in feed:
            kept = batch["row.valid"] if "row.valid" in batch else torch.ones(batch.valid_rows)
            found.append((batch, [members_of(batch, i) if kept[i] else [] for i in range(batch.valid_rows)]))
        return found


def compare(found, network, expected: dict[int, torch.Tensor], source=row, **more) -> list[int]:
    """Compares logits of packed members with those of each alone; returns the members."""
    seen = []
    for batch, rows in found:
        given = alone.inputs(batch)
        if more.get("use_cache", True):
            given["attention_mask"] = client.block_mask(given["seq_idx"], network.dtype)
        logits = network(**given, **more).logits
        assert logits.isfinite().all()
        for number, i, span in alone.spans(batch, rows):
            assert batch["input_ids"][i, span].tolist() == source(number)[0]
            torch.testing.assert_close(logits[i, span], expected[number], **alone.EXACT)
            seen.append(number)
    return seen


@torch.no_grad()
def test_logits_of_packed_members_equal_those_alone(packed_feeder):
    everything = [number for number in range(ROWS) if row(number)[0]]
    for name, rules, first in (("right", DEFAULT, 0), ("left", LEFT, 1), ("flat", FLAT, 0)):
        with packed_feeder(name, "valid", rules):
            found = batches(name)
        for kind in ("llama", "qwen3"):
            reference = alone.Alone(row, alone.model(kind, "eager"), first)
            expected = {number: reference.logits(number) for number in everything}
            for attention in ("eager", "sdpa"):
                network = alone.model(kind, attention)
                for more in ({}, {"use_cache": False}):  # with a mask, and by positions
                    seen = compare(found, network, expected, **more)
                    assert sorted(seen) == everything if name != "left" else 0 < len(seen) < len(everything)
    # A batch whose tokens see other members differs by more than rounding.
    batch, rows = found[0]
    mask = client.block_mask(torch.zeros_like(batch["seq_idx"]), torch.float32)
    leaked = network(**alone.inputs(batch), attention_mask=mask).logits
    number, _, span = list(alone.spans(batch, rows))[-1]
    assert (leaked[0, span] - expected[number]).abs().max() > 0.1


def test_loss_and_gradients_of_packed_members_equal_those_alone(packed_feeder):
    network = alone.model("llama", "sdpa")
    with packed_feeder("left", "valid", LEFT):
        found = batches("left")
    assert any([] in rows for _, rows in found)
    for batch, rows in found:
        numbers = [number for members in rows for number in members]
        gradients = []
        losses = network(**alone.inputs(batch), use_cache=False).loss, alone.Alone(row, network, 1).loss(numbers)
        for loss in losses:
            network.zero_grad()
            loss.backward()
            gradients.append([weights.grad for weights in network.parameters()])
        torch.testing.assert_close(*losses)
        torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-4)


def test_transformers_trainer_separates_members(packed_feeder, tmp_path):
    from rankfeed.huggingface import FeedTrainer

    network = alone.model("qwen3", "sdpa")
    arguments = TrainingArguments(
        output_dir=str(tmp_path / "out"), use_cpu=True, max_steps=1, logging_steps=1, save_strategy="no", report_to=[],
        disable_tqdm=True, use_cache=True,
    )  # fmt: skip
    with packed_feeder("trainer", "train", DEFAULT):
        with client.Feed("trainer", device="cpu", copy=True) as feed:
            batch = next(iter(feed))
            numbers = [number for i in range(batch.valid_rows) for number in members_of(batch, i)]
        with client.Feed("trainer", device="cpu", columns=["input_ids"], row_id=False) as feed:
            trainer = FeedTrainer(network, arguments, train_dataset=feed)
            expected = alone.Alone(row, network).loss(numbers).item()
            evaluated, _, _ = trainer.prediction_step(network, alone.inputs(batch), prediction_loss_only=True)
            assert float(evaluated) == pytest.approx(expected, rel=1e-4)
            trainer.train()
            assert trainer.state.log_history[0]["loss"] == pytest.approx(expected, rel=1e-3)
            assert network.config.use_cache  # as the arguments say
            with pytest.raises(client.RankfeedError, match="does not read seq_idx; add position_ids"):
                trainer.compute_loss(network, {name: batch[name] for name in ("input_ids", "labels", "seq_idx")})
            sizes = {"hidden_size": 32, "word_embed_proj_dim": 32, "ffn_dim": 32, "num_attention_heads": 2}
            other = OPTForCausalLM(OPTConfig(vocab_size=VOCABULARY, num_hidden_layers=2, **sizes))
            with pytest.raises(client.RankfeedError, match=r"OPTForCausalLM .* change with the sequence before"):
                FeedTrainer(other, arguments, train_dataset=feed).compute_loss(other, alone.inputs(batch))
            network.config._attn_implementation_internal = "flash_attention_2"
            with pytest.raises(client.RankfeedError, match="in a batch of one row only, not of 4; write layout: flat"):
                trainer.compute_loss(network, alone.inputs(batch))
            trainer.model = BertForMaskedLM(BertConfig(vocab_size=VOCABULARY, hidden_size=8, num_attention_heads=1))
            with pytest.raises(client.RankfeedError, match=r"pass attention_mask=rankfeed\.block_mask"):
                trainer.compute_loss(trainer.model, alone.inputs(batch))


@torch.no_grad()
def test_encoder_with_block_mask_sees_one_member(packed_feeder):
    sizes = {"vocab_size": VOCABULARY, "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2}
    with packed_feeder("masked", "valid", "mask: {id: 2, vocabulary: 64}"):
        found = batches("masked")
    for attention in ("eager", "sdpa"):
        encoder = BertForMaskedLM(BertConfig(**sizes, intermediate_size=32, attn_implementation=attention)).eval()
        for batch, rows in found:
            mask = client.block_mask(batch["seq_idx"], torch.float32, causal=False)
            tokens = batch["input_ids"]
            logits = encoder(input_ids=tokens, position_ids=batch["position_ids"], attention_mask=mask).logits
            for _, i, span in alone.spans(batch, rows):
                torch.testing.assert_close(logits[i, span], encoder(tokens[i, span][None]).logits[0], **alone.EXACT)


DRAWN = 400


def drawn_row(number: int) -> tuple[list[int], int]:
    """Draws members of one token, of a whole row, and of any length between."""
    draw = random.Random(f"packed {number}")
    length = draw.choice([1, 1, 2, draw.randrange(1, 64), 63, 64])
    return [draw.randrange(3, VOCABULARY) for _ in range(length)], draw.randrange(length + 1)


@pytest.fixture(scope="module")
def drawn(work) -> House:
    root = work / "drawn"
    with made_once(root) as mine:
        if mine:
            table, job = work / "drawn.parquet", work / "drawn.yaml"
            rows = [drawn_row(number) for number in range(DRAWN)]
            columns = {
                "id": pa.array(range(len(rows)), pa.int64()),
                "tokens": pa.array([tokens for tokens, _ in rows], pa.list_(pa.int32())),
                "prompt_length": pa.array([prompt for _, prompt in rows], pa.int32()),
            }
            pq.write_table(pa.table(columns), table)
            job.write_text(PACKED.format(root=root, table=table), "utf-8")
            jobs.job("pipeline", job, "--run-id", "packed")
    return made(root, "packed", "packed")


@pytest.mark.nightly
@torch.no_grad()
@pytest.mark.parametrize("attention", ["eager", "sdpa", "flex_attention"])
def test_logits_of_drawn_members_equal_those_alone(drawn, packed_feeder, attention):
    layouts = [("right", DEFAULT, 0), ("left", LEFT, 1), ("flat", FLAT, 0)]
    if attention == "flex_attention":  # torch 2.15 compiles it for the CPU if every batch has one shape
        layouts = [(side, f"{DEFAULT}, pad-side: {side}, pad-to-length: 72", 0) for side in ("left", "right")]
    for name, rules, first in layouts:
        with packed_feeder(name, "valid", rules, version=drawn):
            found = batches(name)
        if attention == "flex_attention":
            found = [(batch, rows) for batch, rows in found if len(rows) == len(found[0][1])]
        for kind in alone.MODELS:
            network, reference = alone.model(kind, attention), alone.Alone(drawn_row, alone.model(kind, "eager"), first)
            expected = {number: reference.logits(number) for number in range(DRAWN)}
            assert compare(found, network, expected, drawn_row, use_cache=False)
            if attention != "flex_attention" and kind != "mistral":  # its window is not in the mask
                assert compare(found, network, expected, drawn_row)


@pytest.mark.parametrize(
    ("dtype", "shape", "what"),
    [
        (torch.bool, (1, 2), "dtype torch.bool is not floating point"),
        (torch.float32, (2,), r"shape \[2\], expected \[rows, width\]"),
    ],
)
def test_a_mask_that_hides_nothing_is_refused(dtype, shape, what):
    with pytest.raises(client.RankfeedError, match=what):
        client.block_mask(torch.zeros(shape, dtype=torch.int32), dtype)


def test_explain_lists_members_and_finds_a_sequence_by_one(packed):
    said = rankfeed("explain", packed.path, "--feed", "valid", "--step", 0).stdout
    heads, first = (line.split("\t") for line in said[said.index("place\t") :].splitlines()[:2])
    members = dict(member.split(":") for member in first[heads.index("members")].split(", "))
    assert all(int(length) == len(row(int(number))[0]) for number, length in members.items())
    assert first[heads.index("first_id")] == next(iter(members))
    for number in members:
        found = rankfeed("explain", packed.path, "--feed", "valid", "--row", number).stdout
        line = found.splitlines()[-1].split("\t")
        assert first[heads.index("row_id")] in line


@pytest.mark.nightly
def test_condition_on_a_column_of_members_is_refused(packed, work):
    job = work / "packed.yaml"
    refused = rankfeed(
        "pipeline", job, "--run-id", "wrong", "--dry-run", "--set", "sample.train.where=prompt_length > 3", check=False
    )
    assert refused.returncode == 2, refused.stderr
    assert "use first_id, kind, member_count, token_count" in refused.stderr
