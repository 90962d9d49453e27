"""Batches of texts from a real version: against the collators of transformers, and in real training loops."""

from __future__ import annotations

import json
import re
import signal

import numpy as np
import pytest
import torch
from launch import rankfeed
from texts import ALONE, BATCH, EOS, EPOCHS, LONGEST, MASK, PAD, ROWS, VOCABULARY, row
from transformers import DataCollatorForSeq2Seq, DataCollatorWithFlattening, GPT2Config, GPT2LMHeadModel

import rankfeed as client
import sample_transforms

PADDED = "{prompt: prompt_length}"
FLAT = "{layout: flat, prompt: prompt_length, tensors: [position_ids, labels, seq_idx, cu_seq_lens]}"
MASKED = "{mask: {id: 2, vocabulary: 64}}"


class Padding:
    """The methods of a tokenizer that DataCollatorForSeq2Seq calls."""

    padding_side = "right"

    def pad(self, features, **_more):
        width = max(len(feature["input_ids"]) for feature in features)
        rows = [feature["input_ids"] for feature in features]
        return {
            "input_ids": torch.tensor([ids + [PAD] * (width - len(ids)) for ids in rows]),
            "attention_mask": torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in rows]),
        }


def features(numbers: list[int]) -> list[dict]:
    rows = [row(number) for number in numbers]
    return [{"input_ids": ids, "labels": [-100] * prompt + ids[prompt:]} for ids, prompt in rows]


def padded(numbers: list[int]) -> dict:
    return DataCollatorForSeq2Seq(Padding())(features(numbers))


def flat(numbers: list[int]) -> dict:
    kept = [feature for feature in features(numbers) if feature["input_ids"]]
    return DataCollatorWithFlattening(return_seq_idx=True, return_flash_attn_kwargs=True)(kept, return_tensors="pt")


@pytest.mark.parametrize("world", [1, 2])
def test_padded_batches_equal_the_collator(text_feeder, world):
    seen = []
    with text_feeder("padded", PADDED, "--world", world):
        for rank in range(world):
            with client.Feed("padded", rank=rank, world=world, device="cpu") as feed:
                for _ in range(feed.epochs):
                    for batch in feed:
                        numbers = batch["id"].tolist()
                        expected = padded(numbers)
                        for name, tensor in expected.items():
                            assert batch[name].dtype == tensor.dtype == torch.int64
                            assert torch.equal(batch[name], tensor), name
                        assert batch.tokens == int(expected["attention_mask"].sum())
                        assert batch.padded_tokens == expected["attention_mask"].numel()
                        seen += numbers
                stats = feed.stats()
                assert 0 < stats["padding_share"] < 1
                assert stats["tokens"] > 0
                assert stats["wait_batch_count"] == stats["batches"] == feed.epochs * len(feed)
                assert stats["trainer_count"] == stats["fill_count"] == stats["wait_slot_count"] == stats["batches"]
                assert 0 < stats["fill_p50"] <= stats["fill_p99"] <= 2 * stats["fill_seconds"]
    assert sorted(seen) == sorted([*range(ROWS)] * EPOCHS)


def test_flat_batches_are_those_of_the_collator(text_feeder):
    with text_feeder("flat", FLAT), client.Feed("flat", device="cpu") as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                numbers = batch["id"].tolist()
                expected = flat(numbers)
                has_empty = any(not row(number)[0] for number in numbers)
                for name in ("input_ids", "labels", "position_ids"):
                    assert torch.equal(batch[name], expected[name]), name
                if not has_empty:  # the collator was given no empty rows
                    for name in ("seq_idx", "cu_seq_lens_q", "cu_seq_lens_k"):
                        assert batch[name].dtype == expected[name].dtype == torch.int32
                        assert torch.equal(batch[name], expected[name]), name
                assert batch["max_length_q"] == batch["max_length_k"] == expected["max_length_q"]
                assert batch.tokens == batch.padded_tokens == batch["input_ids"].shape[1]
        assert feed.stats()["padding_share"] == 0


def test_transform_gets_the_tensors_of_a_named_column(text_feeder):
    with text_feeder("flat", FLAT):
        with client.Feed("flat", device="cpu", columns=["input_ids", "id"], row_id=False) as feed:
            batch = next(iter(feed))
            assert list(batch) == [
                "input_ids", "position_ids", "labels", "seq_idx", "cu_seq_lens_q", "cu_seq_lens_k", "max_length_q",
                "max_length_k", "id",
            ]  # fmt: skip
            wanted = {name: value.clone() if hasattr(value, "clone") else value for name, value in batch.items()}
            assert "max_length_q int[]" in repr(batch)
            del batch
        for workers in (0, 2):
            with client.Feed("flat", device="cpu", transform=sample_transforms.doubled_ids, workers=workers) as feed:
                batch = next(iter(feed))
                for name in ("labels", "cu_seq_lens_k"):
                    assert torch.equal(batch[name], wanted[name])
                assert torch.equal(batch["input_ids"], 2 * wanted["input_ids"])
                assert batch["max_length_q"] == wanted["max_length_q"]
                assert type(batch["max_length_q"]) is int
                del batch
        with client.Feed("flat", device="cpu", copy=True) as feed:
            copied = next(iter(feed)).to("cpu")
            assert copied["max_length_k"] == wanted["max_length_k"]
            assert copied.tokens == wanted["input_ids"].shape[1]
        with pytest.raises(client.RankfeedError, match="no column 'labels'"):
            client.Feed("flat", device="cpu", columns=["labels"])


def masked_rows(run: str, world: int = 1) -> dict[tuple[int, int], tuple]:
    rows = {}
    for rank in range(world):
        with client.Feed(run, rank=rank, world=world, output="numpy", grace_seconds=60) as feed:
            for epoch in range(feed.epochs):
                for batch in feed:
                    for i, number in enumerate(batch["id"].tolist()):
                        keep = batch["attention_mask"][i] == 1
                        rows[epoch, number] = (batch["input_ids"][i][keep].tolist(), batch["labels"][i][keep].tolist())
    return rows


def test_masked_tokens_depend_on_row_and_epoch(text_feeder):
    with text_feeder("one", MASKED, "--workers", 0):
        alone = masked_rows("one")
    for world, workers in ((2, 3), (4, 1)):
        with text_feeder(f"world-{world}", MASKED, "--world", world, "--workers", workers):
            assert masked_rows(f"world-{world}", world) == alone
    assert any(MASK in ids for ids, _ in alone.values())
    for (_, number), (ids, labels) in alone.items():
        tokens, _ = row(number)
        for token, label, original in zip(ids, labels, tokens, strict=True):
            assert label in (-100, original)
            assert label != -100 or token == original
    longest = [alone[epoch, LONGEST] for epoch in range(EPOCHS)]
    assert longest[0] != longest[1] != longest[2]


def test_a_killed_feeder_masks_the_same_tokens(text_feeder):
    with text_feeder("whole", MASKED):
        whole = masked_rows("whole")
    first = text_feeder("killed", MASKED).start()
    rows = {}
    with client.Feed("killed", output="numpy", copy=True, grace_seconds=60) as feed:
        for epoch in range(feed.epochs):
            for batch in feed:
                for i, number in enumerate(batch["id"].tolist()):
                    keep = batch["attention_mask"][i] == 1
                    rows[epoch, number] = (batch["input_ids"][i][keep].tolist(), batch["labels"][i][keep].tolist())
                if batch.global_step == 4:
                    first.process.send_signal(signal.SIGKILL)
                    first.process.wait()
                    second = text_feeder("killed", MASKED).start()
    assert second.stop() == 143
    assert rows == whole


def test_a_long_row_is_named_or_fed_empty(text_feeder, texts, tmp_path):
    refused = pytest.raises(client.RankfeedError, match=r"has 60 tokens, max-length is 40; set truncate")
    with text_feeder("refuse", "{max-length: 40}"), client.Feed("refuse", device="cpu") as feed, refused:
        for _ in range(feed.epochs):
            for _batch in feed:
                pass
    with text_feeder("empty", "{max-length: 40, rejected: empty}"), client.Feed("empty", device="cpu") as feed:
        for batch in feed:
            for i, number in enumerate(batch["id"].tolist()):
                assert batch["row.valid"][i] == (number != LONGEST)
                assert bool(batch["attention_mask"][i].any()) == bool(row(number)[0] and number != LONGEST)
    done = rankfeed("simulate", "--lengths", texts.path, "--config", tmp_path / "empty.yaml")
    text = done.stdout[done.stdout.index("train: ") :]  # behind what the JVM prints of its archive
    answer = text.splitlines()
    assert answer[1] == f"train: rejected and fed empty: input_ids: text-too-long, {EPOCHS} times"
    assert re.fullmatch(r"train: padding by ranks: 1: [0-9.]+ %, 2: [0-9.]+ %, 4: [0-9.]+ %", answer[2])
    assert answer[4:] == ["--verbose prints batches"]
    whole = rankfeed("simulate", "--lengths", texts.path, "--config", tmp_path / "empty.yaml", "--verbose").stdout
    assert whole.index("rejected and fed empty") < whole.index("batches of train") < whole.index("worst padding")
    assert done.stderr.count("has 60 tokens, max-length is 40") == 1


def test_simulate_measures_the_batches_of_the_feed(text_feeder, texts, tmp_path):
    text_feeder("unused", PADDED)  # writes the feed file
    words = ["simulate", "--lengths", texts.path, "--config", tmp_path / "unused.yaml"]
    printed = rankfeed(*words, "--json").stdout  # behind what the JVM prints of its archive
    measured = json.loads(printed[printed.index("{") :])["train"]
    assert [world["ranks"] for world in measured["worlds"]] == [1, 2, 4]
    tokens = padded = largest = 0
    with text_feeder("served", PADDED), client.Feed("served", device="cpu") as feed:
        for _ in range(feed.epochs):
            for batch in feed:
                tokens += batch.tokens
                padded += batch.padded_tokens
                largest = max(largest, batch.tokens)
        stats = feed.stats()
    one = measured["worlds"][0]
    assert (one["tokens"], one["places"], one["mostTokens"]) == (tokens, padded, largest)
    assert float(one["padding"]) == pytest.approx(stats["padding_share"], abs=1e-6)
    assert float(one["imbalance"]) == 1
    assert float(measured["worlds"][2]["imbalance"]) > 1
    assert "train: 18 steps" in rankfeed(*words, "--world", 2).stdout
    refused = rankfeed(*words, "--world", 3, check=False)
    assert refused.returncode == 2
    assert "--world 3 does not divide the 4 lanes of feed 'train'" in refused.stderr


def model() -> GPT2LMHeadModel:
    torch.manual_seed(0)
    sizes = {"vocab_size": VOCABULARY, "n_positions": 64, "n_embd": 32, "n_layer": 1, "n_head": 2}
    no_dropout = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
    return GPT2LMHeadModel(GPT2Config(**sizes, **no_dropout, bos_token_id=EOS, eos_token_id=EOS))


@pytest.mark.nightly
def test_transformers_trainer_trains_and_resumes_on_batches(text_feeder, tmp_path):
    from transformers import TrainingArguments

    from rankfeed.huggingface import FeedTrainer

    steps = ROWS // BATCH * EPOCHS

    def losses(name: str, resume: str | None = None) -> list[float]:
        arguments = TrainingArguments(
            output_dir=str(tmp_path / "out"), use_cpu=True, max_steps=steps, save_steps=10, logging_steps=1,
            report_to=[], learning_rate=3e-2, lr_scheduler_type="constant", disable_tqdm=True,
        )  # fmt: skip
        with text_feeder(name, PADDED, template=ALONE), client.Feed(name, device="cpu") as feed:
            trainer = FeedTrainer(model(), arguments, train_dataset=feed)
            trainer.train(resume_from_checkpoint=resume)
        return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]

    whole = losses("whole")
    assert len(whole) == steps
    assert np.mean(whole[-3:]) < 0.7 * np.mean(whole[:3])
    resumed = losses("resumed", str(tmp_path / "out" / "checkpoint-10"))
    np.testing.assert_allclose(resumed[-(steps - 10) :], whole[10:], rtol=1e-3)


@pytest.mark.nightly
def test_lightning_trains_on_feed_and_keeps_its_cursor(text_feeder, tmp_path):
    import lightning

    from rankfeed.lightning import KeepCursor

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.model, self.losses = model(), []

        def training_step(self, batch, _index):
            loss = self.model(**batch).loss
            self.losses.append(float(loss))
            return loss

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=3e-2)

    def trained(name: str, steps: int, checkpoint: str | None = None) -> list[float]:
        learner = Model()
        with text_feeder(name, PADDED, template=ALONE), client.Feed(name, device="cpu") as feed:
            trainer = lightning.Trainer(
                accelerator="cpu", devices=1, logger=False, enable_progress_bar=False, enable_model_summary=False,
                use_distributed_sampler=False, default_root_dir=tmp_path, max_steps=steps, enable_checkpointing=False,
                callbacks=[KeepCursor(feed)],
            )  # fmt: skip
            trainer.fit(learner, feed, ckpt_path=checkpoint, weights_only=False)
            trainer.save_checkpoint(tmp_path / f"{name}.ckpt")
        return learner.losses

    steps = ROWS // BATCH * EPOCHS
    whole = trained("whole", steps)
    assert len(whole) == steps
    assert np.mean(whole[-3:]) < 0.7 * np.mean(whole[:3])
    for stop in (4, 6, 11):  # within an epoch and between two
        first = trained(f"first-{stop}", stop)
        rest = trained(f"rest-{stop}", steps, str(tmp_path / f"first-{stop}.ckpt"))
        np.testing.assert_allclose(first + rest, whole, rtol=1e-3)


def test_accelerate_trains_on_flat_batches(text_feeder):
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=True)
    learner = model()
    learner, optimizer = accelerator.prepare(learner, torch.optim.AdamW(learner.parameters(), lr=3e-2))
    losses = []
    with (
        text_feeder("flat", "{layout: flat, prompt: prompt_length, tensors: [position_ids, labels]}", template=ALONE),
        client.Feed("flat", device="cpu") as feed,
    ):
        for _ in range(feed.epochs):
            for batch in feed:
                loss = learner(**batch, use_cache=False).loss
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
                losses.append(float(loss))
    assert np.mean(losses[-3:]) < 0.7 * np.mean(losses[:3])
