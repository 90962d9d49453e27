"""Feeds under the Trainer of transformers and TRL. Imported only by those who use it."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import DataLoader, IterableDataset
from transformers import PreTrainedModel, Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer import TRAINER_STATE_NAME
from transformers.trainer_utils import TrainOutput, get_last_checkpoint

from rankfeed.batch import Batch
from rankfeed.errors import RankfeedError
from rankfeed.feed import Feed
from rankfeed.separation import accepts, require_bounds_are_read, require_separate, sees_others

__all__ = ["FeedMixin", "FeedTrainer", "sees_others"]

STATE_FILE = "rankfeed.json"
_DATASETS = ("train_dataset", "eval_dataset")

if TYPE_CHECKING:
    # What the class is mixed into.
    Base = Trainer
else:
    Base = object


class FeedMixin(Base):
    """Lets a subclass of transformers' ``Trainer`` train on feeds; write it first::

        class MyTrainer(FeedMixin, SFTTrainer): ...

        MyTrainer(model, args, train_dataset=rankfeed.Feed(), processing_class=tokenizer)

    ``train_dataset``, and ``eval_dataset`` if given, are feeds; ``eval_dataset`` may be a dict of them, and each is of
    kind sequential. Batches go to the model as the feed gives them: no collator, no sampler, nothing is tokenized,
    packed or sharded again. A checkpoint has the feed's cursor, and ``train(resume_from_checkpoint=...)`` continues
    there, at any world size. If the ring has fewer slots than the ``Trainer`` holds batches
    (``2 * gradient_accumulation_steps``), it gets copies.

    For packed and flat feeds the model is called with ``use_cache=False``, also in evaluation: with a cache,
    transformers ignores positions, and sequences of a row see each other. The model's configuration is not changed.

    Raises ``RankfeedError`` if ``train_dataset`` is not a feed, ``eval_dataset`` is a feed of kind train, the trainer
    is one of TRL other than ``SFTTrainer``, the checkpoint has no cursor, or the model's attention does not separate
    the sequences of a row.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        trl = {each.__name__ for each in type(self).__mro__ if each.__module__.partition(".")[0] == "trl"}
        if not trl:
            super().__init__(*args, **kwargs)
        elif "SFTTrainer" not in trl:
            raise RankfeedError(f"{type(self).__name__} cannot train on a feed: of TRL, only SFTTrainer can")
        else:
            given = inspect.signature(super().__init__).bind(*args, **kwargs)
            feeds = {name: given.arguments[name] for name in _DATASETS if name in given.arguments}
            given.arguments.update({name: _stand_in(feed) for name, feed in feeds.items()})
            super().__init__(*given.args, **given.kwargs)
            for name, feed in feeds.items():
                setattr(self, name, feed)
        feed = self._feed()
        self._is_separate = False
        several = self.eval_dataset if isinstance(self.eval_dataset, dict) else {"eval_dataset": self.eval_dataset}
        for name, each in several.items():
            _require_sequential(name, each)
        self._batches_to_skip = 0
        # Batches are not drawn again to be skipped: the cursor is set.
        self.args.ignore_data_skip = True
        self.add_callback(_SaveCursor(feed))

    def get_train_dataloader(self) -> DataLoader[Any]:
        feed = self._feed()
        # The batches of the last update are alive while those of the next are collected.
        held = 2 * self.args.gradient_accumulation_steps
        skipped, self._batches_to_skip = self._batches_to_skip, 0
        return _loader(_Batches(feed, skipped), lambda batch: batch if held <= feed.slots else _own(batch))

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader[Any]:
        chosen = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(chosen, str) and isinstance(self.eval_dataset, dict):
            chosen = self.eval_dataset[chosen]
        return _eval_loader(chosen) if isinstance(chosen, Feed) else super().get_eval_dataloader(eval_dataset)

    def get_test_dataloader(self, test_dataset: Any) -> DataLoader[Any]:
        if isinstance(test_dataset, Feed):
            return _eval_loader(test_dataset)
        return super().get_test_dataloader(test_dataset)

    def evaluate(self, eval_dataset: Any = None, *args: Any, **kwargs: Any) -> dict[str, float]:
        if not isinstance(eval_dataset, Feed):
            return super().evaluate(eval_dataset, *args, **kwargs)
        # SFTTrainer would tokenize a dataset that it is called with.
        before, self.eval_dataset = self.eval_dataset, eval_dataset
        try:
            return super().evaluate(None, *args, **kwargs)
        finally:
            self.eval_dataset = before

    def _prepare_inputs(self, inputs: dict[str, Any]) -> dict[str, Any]:
        inputs = super()._prepare_inputs(inputs)
        packed = "position_ids" in inputs and inputs.get("attention_mask") is None
        if packed and self.model is not None and accepts(self.model, "use_cache"):
            inputs["use_cache"] = False
        return inputs

    def compute_loss(self, model: torch.nn.Module, inputs: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        unwrapped = getattr(self.model, "get_base_model", None)
        base = unwrapped() if callable(unwrapped) else self.model
        marks = {"position_ids", "seq_idx", "cu_seqlens", "cu_seq_lens_q"}.intersection(inputs)
        if isinstance(base, PreTrainedModel) and marks and inputs.get("attention_mask") is None:
            require_bounds_are_read(base, marks, len(inputs["input_ids"]))
            if not self._is_separate:
                require_separate(base, model, inputs)
                self._is_separate = True
        return super().compute_loss(model, inputs, *args, **kwargs)

    def train(self, resume_from_checkpoint: str | bool | None = None, *args: Any, **kwargs: Any) -> TrainOutput:
        saved = resume_from_checkpoint or None
        checkpoint = get_last_checkpoint(self.args.output_dir) if saved is True else saved
        if checkpoint:
            file = Path(checkpoint) / STATE_FILE
            if not file.exists():
                raise RankfeedError(f"{file} does not exist: the checkpoint was not saved by a FeedTrainer")
            self._feed().load_state_dict(json.loads(file.read_text()))
            self._batches_to_skip = self._trained(Path(checkpoint))
            self.args.ignore_data_skip = not self._batches_to_skip
        return super().train(checkpoint or saved, *args, **kwargs)

    def _feed(self) -> Feed:
        feed = self.train_dataset
        if not isinstance(feed, Feed):
            raise RankfeedError(f"train_dataset is a {type(feed).__name__}; pass a rankfeed.Feed")
        return feed

    def _trained(self, checkpoint: Path) -> int:
        """Returns the batches of the current epoch that transformers counts as trained if the cursor is after them,
        else 0."""
        done = TrainerState.load_from_json(str(checkpoint / TRAINER_STATE_NAME)).global_step
        feed, accumulated = self._feed(), self.args.gradient_accumulation_steps
        steps = _epoch_steps(feed)
        epoch, updates = divmod(done, max(-(-steps // accumulated), 1))
        trained = updates * accumulated
        return trained if epoch * steps + trained == feed._cursor.global_step else 0


class FeedTrainer(FeedMixin, Trainer):
    """transformers' ``Trainer`` over feeds::

        FeedTrainer(model, TrainingArguments(...), train_dataset=rankfeed.Feed())

    See ``FeedMixin``, which makes other trainers take feeds.
    """


class _Batches(IterableDataset[Batch | None]):
    """A feed's batches. The first iteration starts with ``skipped`` placeholders, for a Trainer that drops as many."""

    def __init__(self, feed: Feed, skipped: int):
        self._feed = feed
        self._skipped = skipped

    def __len__(self) -> int:
        return _epoch_steps(self._feed)

    def __iter__(self) -> Iterator[Batch | None]:
        skipped, self._skipped = self._skipped, 0
        feed = self._feed
        if not feed._welcome.schedule.epoch_starts:
            return chain(repeat(None, skipped), feed)
        # A feed without batches is at the end of the run.
        epochs = chain.from_iterable(repeat(feed, feed.epochs))
        return chain(repeat(None, skipped), islice(epochs, max(len(self) - skipped, 0)))


def _epoch_steps(feed: Feed) -> int:
    """Returns the steps of an epoch as transformers counts them, for which all epochs are equally long: where those of
    the feed differ, their mean, rounded up."""
    schedule = feed._welcome.schedule
    return -(-schedule.steps // schedule.epochs) if schedule.epoch_starts else len(feed)


def _loader(batches: _Batches, taken: Callable[[Batch], Batch]) -> DataLoader[Any]:
    def collated(batch: Any) -> Batch | None:
        return None if batch is None else taken(batch)

    return DataLoader(batches, batch_size=None, collate_fn=collated)


def _eval_loader(feed: Feed) -> DataLoader[Any]:
    _require_sequential("eval_dataset", feed)
    # Copies: predictions and labels of any number of batches are kept.
    return _loader(_Batches(feed, 0), _own)


def _own(batch: Batch) -> Batch:
    """Returns a copy of the batch, so that its slot is released."""
    if not batch.holds_a_slot:
        return batch
    tensors = {name: tensor.clone() if hasattr(tensor, "clone") else tensor for name, tensor in batch.items()}
    return batch.with_tensors(tensors)


def _require_sequential(name: str, dataset: object) -> None:
    if isinstance(dataset, Feed) and dataset.kind != "sequential":
        raise RankfeedError(
            f"{name} is {dataset!r} of kind {dataset.kind}, which gives other rows in each evaluation and none after "
            "the run; evaluate on a feed of kind sequential"
        )


def _stand_in(feeds: object) -> object:
    """Returns a dataset that SFTTrainer prepares instead of feeds; the feeds replace it afterwards."""
    from datasets import Dataset

    if isinstance(feeds, dict):
        return {name: _stand_in(each) for name, each in feeds.items()}
    if not isinstance(feeds, Feed):
        return feeds
    return Dataset.from_dict({"input_ids": [[0, 0]], "labels": [[0, 0]]})


class _SaveCursor(TrainerCallback):
    def __init__(self, feed: Feed):
        self._feed = feed

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any) -> None:
        if args.should_save and args.output_dir is not None:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            (folder / STATE_FILE).write_text(json.dumps(self._feed.state_dict()))
