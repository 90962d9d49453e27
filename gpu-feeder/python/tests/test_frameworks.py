"""Real training frameworks over a feed: train, save a checkpoint, resume; each row once. On the CPU, one process."""

from __future__ import annotations

import json

import pytest
import torch
from torch.utils.data import DataLoader

import rankfeed
from fake_rows import row_ids

STEPS = 5


def seen_rows(steps: range) -> list[list[int]]:
    return [row_ids(step, 8, 0, 1) for step in steps]


def features(batch) -> torch.Tensor:
    """The token sums of each row as one float feature."""
    tokens, lengths = batch["tokens"], batch["tokens.lengths"]
    mask = torch.arange(tokens.shape[1]) < lengths[:, None]
    return (tokens * mask).sum(1, keepdim=True).float()


def test_batch_is_rebuilt_from_its_tensors():
    tensors = {"row_id": torch.arange(3), "x": torch.ones(3, 2)}
    batch = rankfeed.Batch(tensors, 1, 2, 7, 3)
    moved = batch.to("cpu")
    assert (moved.epoch, moved.step, moved.global_step, moved.valid_rows) == (1, 2, 7, 3)
    for rebuilt in (type(batch)(dict(batch)), type(batch)(batch.items())):
        assert isinstance(rebuilt, rankfeed.Batch)
        assert rebuilt == tensors
        assert (rebuilt.epoch, rebuilt.step, rebuilt.global_step, rebuilt.valid_rows) == (-1, -1, -1, -1)


def test_accelerate(feeder, tmp_path):
    from accelerate import Accelerator

    feeder(slots=3)
    accelerator = Accelerator(cpu=True)
    model = torch.nn.Linear(1, 1)
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=1e-9))
    seen = []
    with rankfeed.Feed(device="cpu") as feed:
        # The feed is sharded already: it is not given to prepare().
        for batch in feed:
            moved = accelerate_moved(batch)
            seen.append(moved["row_id"].tolist())
            accelerator.backward(model(features(moved)).square().mean())
            optimizer.step()
            if batch.step == 2:
                break
        accelerator.save_state(str(tmp_path / "state"))
        state = feed.state_dict()
        del batch, moved
    with rankfeed.Feed(device="cpu") as feed:
        accelerator.load_state(str(tmp_path / "state"))
        feed.load_state_dict(state)
        for epoch in range(state["epoch"], feed.epochs):
            assert epoch < 2
            seen.extend(accelerate_moved(batch)["row_id"].tolist() for batch in feed)
    assert seen == seen_rows(range(2 * STEPS))


def accelerate_moved(batch):
    from accelerate.utils import send_to_device

    moved = send_to_device(batch, torch.device("cpu"), non_blocking=True)
    assert isinstance(moved, rankfeed.Batch)
    assert moved.global_step == batch.global_step
    return moved


def test_accelerate_prepare_of_one_process_keeps_batches(feeder):
    from accelerate import Accelerator

    feeder(slots=3)
    with rankfeed.Feed(device="cpu") as feed:
        loader = Accelerator(cpu=True).prepare(DataLoader(feed, batch_size=None))
        seen = []
        for batch in loader:
            assert isinstance(batch, rankfeed.Batch)
            seen.append(batch["row_id"].tolist())
            del batch
    assert seen == seen_rows(range(STEPS))


def test_lightning(feeder, tmp_path):
    import lightning

    feeder(slots=4)

    class Model(lightning.LightningModule):
        def __init__(self, feed):
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.feed = feed
            self.seen = []

        def train_dataloader(self):
            return DataLoader(self.feed, batch_size=None)

        def training_step(self, batch, _index):
            assert isinstance(batch, rankfeed.Batch)
            assert batch.global_step >= 0
            self.seen.append(batch["row_id"].tolist())
            return self.layer(features(batch)).square().mean()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=1e-9)

        def on_save_checkpoint(self, checkpoint):
            checkpoint["feed"] = self.feed.state_dict()

        def on_load_checkpoint(self, checkpoint):
            self.feed.load_state_dict(checkpoint["feed"])

    def trainer(**more):
        return lightning.Trainer(
            accelerator="cpu", devices=1, logger=False, enable_progress_bar=False, enable_model_summary=False,
            use_distributed_sampler=False, default_root_dir=tmp_path, **more,
        )  # fmt: skip

    path = tmp_path / "epoch.ckpt"
    with rankfeed.Feed(device="cpu") as feed:
        model, first = Model(feed), trainer(max_epochs=1)
        first.fit(model)
        first.save_checkpoint(path)
        seen = model.seen
    with rankfeed.Feed(device="cpu") as feed:
        model = Model(feed)
        trainer(max_epochs=2).fit(model, ckpt_path=path, weights_only=False)
    assert seen + model.seen == seen_rows(range(2 * STEPS))


class Recording(torch.nn.Module):
    """A model as transformers calls it, which keeps the row ids."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.seen = []

    def forward(self, **batch):
        self.seen.append(batch["row_id"].tolist())
        return {"loss": self.layer(features(batch)).square().mean()}


def hugging_face(tmp_path, feed, **more):
    from transformers import TrainingArguments

    from rankfeed.huggingface import FeedTrainer

    arguments = TrainingArguments(
        output_dir=str(tmp_path), use_cpu=True, max_steps=2 * STEPS, save_steps=3, report_to=[], learning_rate=1e-9,
        remove_unused_columns=False, disable_tqdm=True, save_strategy="steps", logging_strategy="no", **more,
    )  # fmt: skip
    return FeedTrainer(Recording(), arguments, train_dataset=feed)


def test_hugging_face_trainer(feeder, tmp_path):
    feeder(slots=4)
    with rankfeed.Feed(device="cpu") as feed:
        whole = hugging_face(tmp_path, feed)
        whole.train(None, None)  # the arguments of Trainer.train, by position
    assert whole.model.seen == seen_rows(range(2 * STEPS))
    with rankfeed.Feed(device="cpu") as feed:
        again = hugging_face(tmp_path, feed)
        again.train(resume_from_checkpoint=str(tmp_path / "checkpoint-6"))
    assert again.model.seen == whole.model.seen[6:]


@pytest.mark.parametrize("starts", [[0, 5, 8], [0, 3, 8], [0, 1, 2, 9]], ids=str)
@pytest.mark.parametrize("limit", ["steps", "epochs"])
def test_hugging_face_trainer_of_epochs_that_differ(feeder, tmp_path, starts, limit):
    feeder(slots=4, starts=starts)
    total = starts[-1]
    mean = -(-total // (len(starts) - 1))

    def trainer(feed):
        made = hugging_face(tmp_path, feed)
        made.args.max_steps = total if limit == "steps" else -1
        made.args.num_train_epochs = len(starts) - 1
        made.args.save_steps = 1
        return made

    with rankfeed.Feed(device="cpu") as feed:
        whole = trainer(feed)
        whole.train()
        assert len(whole.get_train_dataloader()) == mean
    assert whole.model.seen == seen_rows(range(total))
    for done in range(1, total):
        with rankfeed.Feed(device="cpu") as feed:
            again = trainer(feed)
            again.train(resume_from_checkpoint=str(tmp_path / f"checkpoint-{done}"))
        assert again.model.seen == whole.model.seen[done:]
        assert again.state.epoch == pytest.approx(whole.state.epoch)


def test_hugging_face_trainer_resumes_between_accumulations(feeder, tmp_path):
    feeder(slots=4)
    with rankfeed.Feed(device="cpu") as feed:
        arguments = hugging_face(tmp_path, feed, gradient_accumulation_steps=2)
        arguments.args.max_steps = 4
        arguments.train()
        seen = arguments.model.seen
    state = json.loads((tmp_path / "checkpoint-3" / "rankfeed.json").read_text())
    # The last batch of an epoch is a step of its own: 2 + 2 + 1.
    assert (state["epoch"], state["step"]) in ((0, STEPS), (1, 0))
    assert seen[:STEPS] == seen_rows(range(STEPS))


def test_hugging_face_trainer_refuses_other_datasets(feeder, tmp_path):
    with pytest.raises(rankfeed.RankfeedError, match=r"pass a rankfeed\.Feed"):
        hugging_face(tmp_path, [1, 2])
    feeder(slots=4)
    with (
        rankfeed.Feed(device="cpu") as feed,
        pytest.raises(rankfeed.RankfeedError, match=r"rankfeed\.json does not exist"),
    ):
        hugging_face(tmp_path, feed).train(resume_from_checkpoint=str(tmp_path))
    with rankfeed.Feed(device="cpu") as feed, pytest.raises(ValueError, match="No valid checkpoint found"):
        hugging_face(tmp_path, feed).train(resume_from_checkpoint=True)


@pytest.mark.parametrize("labels", [torch.int32, torch.int64])
def test_labels_as_int64_are_what_a_loss_takes(labels):
    logits, target = torch.zeros(2, 3), torch.tensor([1, 2], dtype=labels)
    if labels is torch.int64:
        assert torch.nn.functional.cross_entropy(logits, target).isfinite()
    else:
        with pytest.raises(RuntimeError, match=r"[Ee]xpected|[Ll]ong"):
            torch.nn.functional.cross_entropy(logits, target)
