"""Trainers of transformers and TRL over real feeds, against a loop over the same batches."""

from __future__ import annotations

import math
import os
import random
from itertools import islice

import alone
import pytest
import torch
from nodes import Feeder
from texts import PAD, VOCABULARY
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast, TrainingArguments

import rankfeed as client
from rankfeed.huggingface import FeedMixin, FeedTrainer

RATE = 0.05
PADDED = "prompt: prompt_length"
CONFIG = """
feeds:
  train:
    columns: [{{name: input_ids, from: tokens, text: {{{text}}}}}]
  valid:
    columns: [{{name: input_ids, from: tokens, text: {{{text}}}}}]
"""
ALONE = "feeds: {train: {columns: [{name: input_ids, from: tokens, text: {prompt: prompt_length}}]}}"
CLOSE = {"rtol": 1e-4, "atol": 1e-5}


@pytest.fixture
def serve(texts, packed, tmp_path, monkeypatch):
    """Starts feeders of the texts (6 steps an epoch, 3 epochs) or of packed texts (4 steps, 2 epochs, feed valid)."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    def start(name: str, depth: int = 4, text: str | None = None) -> Feeder:
        config = tmp_path / f"{name}.yaml"
        config.write_text(ALONE if text is None else CONFIG.format(text=text))
        version = texts if text is None else packed
        words = ["--in-place", "--config", config, "--depth", depth]
        return Feeder(version.path, tmp_path / "rt", name, *words)

    return start


def feed(name: str, which: str = "train") -> client.Feed:
    return client.Feed(name, feed=which, output="torch", device="cpu")


def all_batches(name: str, which: str = "train") -> list[list[dict]]:
    """Returns copies of all batches, by epoch."""
    with feed(name, which) as given:
        return [[{key: value.clone() for key, value in batch.items()} for batch in given] for _ in range(given.epochs)]


def tokens(batch: dict) -> int:
    return int((batch["labels"][:, 1:] != -100).sum())


def summed(network, batch: dict) -> torch.Tensor:
    """Returns the cross entropy, summed over the tokens that are to be predicted."""
    logits = network(**{**batch, "labels": None}, use_cache=False).logits[:, :-1]
    return torch.nn.functional.cross_entropy(
        logits.reshape(-1, VOCABULARY), batch["labels"][:, 1:].reshape(-1), ignore_index=-100, reduction="sum"
    )


class Loop:
    """Gradient descent over groups of batches: the loss is the mean over all tokens of a group."""

    def __init__(self, epochs: list[list[dict]], accumulated: int, network):
        self.losses = []
        self.network = network
        for batches in epochs:
            for start in range(0, len(batches), accumulated):
                self._update(batches[start : start + accumulated])

    def _update(self, group: list[dict]) -> None:
        count = sum(map(tokens, group))
        self.network.zero_grad()
        loss = sum(summed(self.network, batch) for batch in group) / count
        loss.backward()
        self.losses.append(loss.item())
        with torch.no_grad():
            for weights in self.network.parameters():
                weights.sub_(RATE * weights.grad)


def network():
    return alone.model("llama", "sdpa")


def settings(folder, accumulated: int, epochs: int) -> dict:
    return {
        "output_dir": str(folder), "use_cpu": True, "num_train_epochs": epochs, "logging_steps": 1, "report_to": [],
        "learning_rate": RATE, "lr_scheduler_type": "constant", "optim": "sgd", "max_grad_norm": 0,
        "gradient_accumulation_steps": accumulated, "disable_tqdm": True, "save_strategy": "no",
    }  # fmt: skip


def losses(trainer) -> list[float]:
    return [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]


def assert_trained_as(loop: Loop, trainer, start: int = 0) -> None:
    assert losses(trainer)[start:] == pytest.approx(loop.losses[start:], rel=1e-3, abs=1e-4)
    for mine, weights in zip(loop.network.parameters(), trainer.model.parameters(), strict=True):
        torch.testing.assert_close(weights, mine, **CLOSE)


def trained_as_loops(serve, tmp_path, draws: int) -> None:
    seed = int(os.environ.get("RANKFEED_SEED", random.SystemRandom().randrange(1 << 30)))
    print("seed", seed)
    draw = random.Random(seed)
    drawn = [(2, 1), (2, 16), (4, 8), *((draw.choice([2, 3, 5, 9]), draw.randint(1, 16)) for _ in range(draws))]
    for depth in sorted({depth for depth, _ in drawn}):
        with serve(f"depth-{depth}", depth):
            epochs = all_batches(f"depth-{depth}")
            for accumulated in [accumulated for each, accumulated in drawn if each == depth]:
                with feed(f"depth-{depth}") as given:
                    assert given.slots == depth
                    arguments = TrainingArguments(**settings(tmp_path / "out", accumulated, len(epochs)))
                    trainer = FeedTrainer(network(), arguments, train_dataset=given)
                    trainer.train()
                assert trainer.state.global_step == 3 * math.ceil(6 / accumulated)
                assert_trained_as(Loop(epochs, accumulated, network()), trainer)


def test_accumulation_at_any_depth_trains_as_a_loop(serve, tmp_path):
    trained_as_loops(serve, tmp_path, 1)


@pytest.mark.nightly
def test_many_accumulations_and_depths_train_as_a_loop(serve, tmp_path):
    trained_as_loops(serve, tmp_path, 12)


@pytest.mark.parametrize("accumulated", [pytest.param(1, marks=pytest.mark.nightly), 4])
def test_resume_from_any_checkpoint_trains_as_the_whole(serve, tmp_path, accumulated):
    """Six batches in an epoch: with four accumulated the second update of each has two."""
    with serve("resumed", 2):
        loop = Loop(all_batches("resumed"), accumulated, network())

        def trained(checkpoint: int | None):
            arguments = settings(tmp_path / "out", accumulated, 3) | {"save_strategy": "steps", "save_steps": 1}
            with feed("resumed") as given:
                trainer = FeedTrainer(network(), TrainingArguments(**arguments), train_dataset=given)
                path = checkpoint and str(tmp_path / "out" / f"checkpoint-{checkpoint}")
                trainer.train(resume_from_checkpoint=path)
            return trainer

        assert_trained_as(loop, trained(None))
        count = len(loop.losses)
        for checkpoint in (1, 2, count // 2, count - 1):
            assert_trained_as(loop, trained(checkpoint), checkpoint)


@pytest.fixture
def sft():
    from trl import SFTConfig, SFTTrainer

    class FeedSFTTrainer(FeedMixin, SFTTrainer):
        pass

    words = {"<pad>": PAD, **{f"w{number}": number for number in range(1, VOCABULARY)}}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordLevel(words, unk_token="w1")), pad_token="<pad>", eos_token="w1"
    )

    def make(arguments: dict, **feeds):
        more = {"bf16": False, "gradient_checkpointing": False}
        model = arguments.pop("model", None) or network()
        return FeedSFTTrainer(model, SFTConfig(**arguments, **more), processing_class=tokenizer, **feeds)

    return make


FLAT = f"{PADDED}, members: member_lengths, layout: flat, tensors: [position_ids, labels]"
ROWS = f"{PADDED}, members: member_lengths"


@pytest.mark.parametrize(
    ("text", "accumulated"),
    [(ROWS, 2), *(pytest.param(*rest, marks=pytest.mark.nightly) for rest in ((None, 3), (FLAT, 1)))],
)
def test_sft_trains_evaluates_and_resumes_as_a_loop(serve, sft, tmp_path, text, accumulated):
    with serve("sft", 3, text):
        epochs = all_batches("sft")
        loop = Loop(epochs, accumulated, network())
        whole = settings(tmp_path / "out", accumulated, len(epochs)) | {"save_strategy": "steps", "save_steps": 1}
        with feed("sft") as given:
            trainer = sft(whole, train_dataset=given)
            assert trainer.train_dataset is given
            trainer.train()
        assert_trained_as(loop, trainer)
        with feed("sft") as given:
            again = sft(whole, train_dataset=given)
            again.train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-3"))
        assert_trained_as(loop, again, 3)
        if text is None:
            return
        with torch.no_grad():
            found = [summed(loop.network, batch).item() / tokens(batch) for batch in all_batches("sft", "valid")[0]]
        with feed("sft") as given, feed("sft", "valid") as valid:
            arguments = settings(tmp_path / "eval", accumulated, len(epochs)) | {"eval_strategy": "epoch"}
            trainer = sft(arguments, train_dataset=given, eval_dataset=valid)
            trainer.train()
            logged = [entry["eval_loss"] for entry in trainer.state.log_history if "eval_loss" in entry]
            assert len(logged) == len(epochs)
            for value in (logged[-1], trainer.evaluate()["eval_loss"], trainer.evaluate(valid)["eval_loss"]):
                assert value == pytest.approx(sum(found) / len(found), rel=1e-3)
            several = sft(
                settings(tmp_path / "two", 1, 1) | {"model": loop.network},
                train_dataset=given,
                eval_dataset={"held": valid},
            )
            assert several.evaluate()["eval_held_loss"] == pytest.approx(sum(found) / len(found), rel=1e-3)
            with pytest.raises(client.RankfeedError, match="of kind train, which gives other rows in each evaluation"):
                sft(settings(tmp_path / "two", 1, 1), train_dataset=given, eval_dataset=given)
            with pytest.raises(client.RankfeedError, match="of kind train"):
                several.evaluate(given)


def test_evaluation_results_outlive_their_slots(serve, tmp_path):
    with serve("kept", 2, ROWS):
        batches = all_batches("kept", "valid")[0]
        with feed("kept") as given, feed("kept", "valid") as valid:
            kept = []
            arguments = TrainingArguments(
                **settings(tmp_path, 1, 1), eval_do_concat_batches=False, include_for_metrics=["inputs"]
            )
            trainer = FeedTrainer(
                network(), arguments, train_dataset=given, eval_dataset=valid,
                compute_metrics=lambda found: kept.append(found) or {},
            )  # fmt: skip
            trainer.evaluate()
    assert len(batches) > 2
    for labels, batch in zip(kept[0].label_ids, batches, strict=True):
        assert labels.tolist() == batch["labels"].tolist()


def test_unsupported_training_is_refused_by_name(serve, sft, tmp_path):
    from trl import RewardConfig, RewardTrainer

    class Rewards(FeedMixin, RewardTrainer):
        pass

    with serve("refused"), feed("refused") as given:
        with pytest.raises(client.RankfeedError, match="Rewards cannot train on a feed: of TRL, only SFTTrainer can"):
            Rewards(network(), RewardConfig(output_dir=str(tmp_path), use_cpu=True), train_dataset=given)
        with pytest.raises(client.RankfeedError, match="train_dataset is a list; pass a"):
            FeedTrainer(network(), TrainingArguments(**settings(tmp_path, 1, 1)), train_dataset=[1])
        assert len(list(islice(given, 1))) == 1
