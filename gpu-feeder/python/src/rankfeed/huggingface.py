"""A feed under the Trainer of transformers. Imported only by those who use it."""

from __future__ import annotations

import json
from pathlib import Path

from torch.utils.data import DataLoader
from transformers import PreTrainedModel, Trainer, TrainerCallback
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES
from transformers.trainer_utils import get_last_checkpoint

from rankfeed.errors import RankfeedError
from rankfeed.feed import Feed
from rankfeed.separation import accepts, sees_others

STATE_FILE = "rankfeed.json"


class FeedTrainer(Trainer):
    """A ``Trainer`` whose ``train_dataset``, and ``eval_dataset`` if given, are feeds::

        FeedTrainer(model, TrainingArguments(...), train_dataset=rankfeed.Feed())

    Batches go to the model as the feed gives them: no collator, no sampler, nothing is sharded again. A checkpoint has
    the feed's cursor, and ``train(resume_from_checkpoint=...)`` continues there, at any world size.

    For packed and flat feeds the model is called with ``use_cache=False``, also in evaluation: with a cache,
    transformers ignores positions, and sequences of a row see each other. The model's configuration is not changed.

    Raises ``RankfeedError`` if ``train_dataset`` is not a feed, the checkpoint has no cursor, or the model's attention
    does not separate the sequences of a row.
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if not isinstance(self.train_dataset, Feed):
            raise RankfeedError(f"train_dataset is a {type(self.train_dataset).__name__}; pass a rankfeed.Feed")
        self._is_separate = False
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

    def _prepare_inputs(self, inputs):
        inputs = super()._prepare_inputs(inputs)
        packed = "position_ids" in inputs and inputs.get("attention_mask") is None
        if packed and accepts(self.model, "use_cache"):
            inputs["use_cache"] = False
        return inputs

    def compute_loss(self, model, inputs, *args, **kwargs):
        base = self.model.get_base_model() if hasattr(self.model, "get_base_model") else self.model
        marks = {"position_ids", "seq_idx", "cu_seqlens", "cu_seq_lens_q"}.intersection(inputs)
        if isinstance(base, PreTrainedModel) and marks and inputs.get("attention_mask") is None:
            _require_bounds_are_read(base, marks, len(inputs["input_ids"]))
            if not self._is_separate:
                _require_separate(base, model, inputs)
                self._is_separate = True
        return super().compute_loss(model, inputs, *args, **kwargs)

    def train(self, resume_from_checkpoint=None, **kwargs):
        if resume_from_checkpoint is True:
            resume_from_checkpoint = get_last_checkpoint(self.args.output_dir)
        if resume_from_checkpoint:
            file = Path(resume_from_checkpoint) / STATE_FILE
            if not file.exists():
                raise RankfeedError(f"{file} does not exist: the checkpoint was not saved by a FeedTrainer")
            self.train_dataset.load_state_dict(json.loads(file.read_text()))
        return super().train(resume_from_checkpoint, **kwargs)


def _require_separate(base: PreTrainedModel, model, inputs) -> None:
    """Raises if the model, which may be wrapped, lets a token see other sequences of its row."""
    if sees_others(model, inputs):
        raise RankfeedError(
            f"sequences of a row would see each other: the logits of {type(base).__name__} with "
            f"{base.config._attn_implementation} attention for a sequence change with the sequence before it; use a "
            "model that separates them, or a job without prepare.pack. To train across sequences on purpose, set "
            "tensors in the feed file to [labels]"
        )


def _require_bounds_are_read(model: PreTrainedModel, marks: set[str], rows: int) -> None:
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


class _SaveCursor(TrainerCallback):
    def __init__(self, feed: Feed):
        self._feed = feed

    def on_save(self, args, state, control, **kwargs) -> None:
        if args.should_save:
            folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            (folder / STATE_FILE).write_text(json.dumps(self._feed.state_dict()))
