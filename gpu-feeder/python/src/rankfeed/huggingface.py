"""A feed under the Trainer of transformers. Imported only by those who use it."""

from __future__ import annotations

import json
from pathlib import Path

from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback
from transformers.trainer_utils import get_last_checkpoint

from rankfeed.errors import RankfeedError
from rankfeed.feed import Feed

STATE_FILE = "rankfeed.json"


class FeedTrainer(Trainer):
    """A ``Trainer`` whose ``train_dataset``, and ``eval_dataset`` if given, are feeds::

        FeedTrainer(model, TrainingArguments(...), train_dataset=rankfeed.Feed())

    Batches go to the model as the feed gives them: no collator, no sampler, nothing is sharded again. A checkpoint has
    the feed's cursor, and ``train(resume_from_checkpoint=...)`` continues there, at any world size.

    Raises ``RankfeedError`` where ``train_dataset`` is not a feed, or the checkpoint has no cursor.
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not isinstance(self.train_dataset, Feed):
            raise RankfeedError(f"train_dataset is a {type(self.train_dataset).__name__}; pass a rankfeed.Feed")
        # Batches are not drawn again to be skipped: the cursor is set.
        self.args.ignore_data_skip = True
        self.add_callback(_SaveCursor(self.train_dataset))

    def get_train_dataloader(self) -> DataLoader:
        return DataLoader(self.train_dataset, batch_size=None)

    def get_eval_dataloader(self, eval_dataset=None) -> DataLoader:
        chosen = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(chosen, Feed):
            return DataLoader(chosen, batch_size=None)
        return super().get_eval_dataloader(eval_dataset)

    def train(self, resume_from_checkpoint=None, **kwargs):
        if resume_from_checkpoint is True:
            resume_from_checkpoint = get_last_checkpoint(self.args.output_dir)
        if resume_from_checkpoint:
            file = Path(resume_from_checkpoint) / STATE_FILE
            if not file.exists():
                raise RankfeedError(f"{file} does not exist: the checkpoint was not saved by a FeedTrainer")
            self.train_dataset.load_state_dict(json.loads(file.read_text()))
        return super().train(resume_from_checkpoint, **kwargs)


class _SaveCursor(TrainerCallback):
    def __init__(self, feed: Feed):
        self._feed = feed

    def on_save(self, args, state, control, **kwargs) -> None:
        if args.should_save:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            (folder / STATE_FILE).write_text(json.dumps(self._feed.state_dict()))
