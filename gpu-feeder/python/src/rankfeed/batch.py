"""One batch: a dict of tensors that are views of the ring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rankfeed import split
from rankfeed.errors import NoColumn, RankfeedError

if TYPE_CHECKING:
    import torch

    from rankfeed.ring.lease import Descriptor, Lease


class Batch(dict[str, Any]):
    """Tensors by column name, of ``valid_rows`` rows each, at (``epoch``, ``step``) of the run.

    Next to a padded column is ``<name>.lengths`` (int32), next to a ragged one ``<name>.offsets`` (int64, one more
    than rows; ``<name>`` is all values back to back), next to a nullable one ``<name>.valid`` (uint8). Of a list of
    strings or binary, ``<name>.offsets`` counts items, and ``<name>.byte_offsets`` (int64, one more than items) bytes.
    Images of lists are one tensor [images, …] with ``<name>.offsets`` and ``<name>.rows`` (int32, the row of each).

    The memory is the batch's for as long as any of its tensors, or a view or slice of one, is alive, or until
    ``release``. The tensors may be written to; nobody else sees it.

    A column that the batch does not have raises ``NoColumn``, a ``KeyError`` that names those it has.

    Libraries that move batches rebuild them: with ``batch.to(device)``, which keeps everything, or as
    ``type(batch)(tensors)``, which keeps the tensors alone.

    epoch, step, global_step: where in the run, each from 0; ``step`` counts within the epoch.
    tokens, padded_tokens: elements of the padded columns and of the texts of this batch, without and with padding.
    valid_rows: rows in this batch; those of its step, fewer (or none) only in the last step of a sequential feed.
    global_rows: rows of all ranks' batches at this step. stage: of the plan, from 0 (0 in a feed without stages).
    All of them are −1 where a library rebuilt the batch from its tensors alone.
    """

    __slots__ = (
        "_lease", "epoch", "global_rows", "global_step", "padded_tokens", "stage", "step", "tokens", "valid_rows",
    )  # fmt: skip
    epoch: int
    step: int
    global_step: int
    valid_rows: int
    tokens: int
    padded_tokens: int
    stage: int
    global_rows: int

    def __init__(
        self,
        tensors: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
        epoch: int = -1,
        step: int = -1,
        global_step: int = -1,
        valid_rows: int = -1,
        lease: Lease | None = None,
        tokens: int = -1,
        padded_tokens: int = -1,
        stage: int = -1,
        global_rows: int = -1,
    ) -> None:
        super().__init__(tensors)
        self.epoch = epoch
        self.step = step
        self.global_step = global_step
        self.valid_rows = valid_rows
        self.tokens = tokens
        self.padded_tokens = padded_tokens
        self.stage = stage
        self.global_rows = global_rows
        self._lease = lease

    @classmethod
    def at(cls, descriptor: Descriptor, tensors: Mapping[str, Any], lease: Lease | None = None) -> Batch:
        """Makes the batch of a leased slot."""
        d = descriptor
        return cls(
            tensors, d.epoch, d.step, d.global_step, d.rows, lease, d.tokens, d.padded_tokens, d.stage, d.global_rows
        )

    @property
    def holds_a_slot(self) -> bool:
        """Whether the tensors are views of the ring, so that other batches wait for their memory."""
        return self._lease is not None

    def with_tensors(self, tensors: Mapping[str, Any], lease: Lease | None = None) -> Batch:
        """A batch with other tensors at the same step of the run."""
        return Batch(
            tensors, self.epoch, self.step, self.global_step, self.valid_rows, lease, self.tokens, self.padded_tokens,
            self.stage, self.global_rows,
        )  # fmt: skip

    def release(self) -> None:
        """Returns the memory to the feeder now and empties the batch. Tensors that were taken out of it must not be
        used afterwards."""
        self.clear()
        lease, self._lease = self._lease, None
        if lease is not None:
            lease.release()

    def to(self, device: Any, non_blocking: bool = False) -> Batch:
        """Returns this batch with its torch tensors on a device. Numpy arrays stay as they are."""
        moved = {
            name: tensor.to(device, non_blocking=non_blocking) if hasattr(tensor, "to") else tensor
            for name, tensor in self.items()
        }
        # release() of the result may give the slot back only if the result still looks into it.
        lease = self._lease if all(moved[name] is tensor for name, tensor in self.items()) else None
        return self.with_tensors(moved, lease)

    def split(self, parts: int) -> list[Batch]:
        """Returns this batch as ``parts`` batches, in the order of its rows, whose sizes differ by at most one row; of
        fewer rows, a batch for each. Their tensors are views of this batch's, but for offsets; ``tokens`` and
        ``padded_tokens`` are −1.

        Raises ``RankfeedError`` where a tensor has no entry for each row, as with texts in one row (``flat``).
        """
        if self.valid_rows < 0:
            raise RankfeedError("a library rebuilt this batch, and its number of rows is gone; split it before")
        return [
            Batch(
                split.rows_of(self, self.valid_rows, begin, end), self.epoch, self.step, self.global_step, end - begin,
                stage=self.stage, global_rows=self.global_rows,
            )
            for begin, end in split.bounds(self.valid_rows, parts)
        ]  # fmt: skip

    def __missing__(self, column: str) -> NoReturn:
        if not self:
            raise NoColumn(f"no column {column!r}: the batch was released; take what is needed out of it before")
        nearest = sorted(self, key=lambda name: -SequenceMatcher(None, str(column), name).ratio())
        raise NoColumn(f"no column {column!r} in the batch; it has (nearest first) {', '.join(nearest)}")

    def text(self, column: str) -> list[str] | list[list[str]]:
        """Returns a string column as Python strings, one for each row; a column of lists as a list of strings for each
        row.

        Raises ``RankfeedError`` if the column holds no text.
        """
        if column not in self or f"{column}.offsets" not in self:
            raise RankfeedError(f"column {column!r} is not among the batch's ragged columns; it has {', '.join(self)}")
        values = _numpy(self[column])
        if values.dtype != np.uint8:
            raise RankfeedError(f"column {column!r} holds {values.dtype}, not text")
        data, ends = values.tobytes(), _numpy(self[f"{column}.offsets"]).tolist()
        if f"{column}.byte_offsets" not in self:
            return [data[start:end].decode() for start, end in pairwise(ends)]
        bounds = _numpy(self[f"{column}.byte_offsets"]).tolist()
        items = [data[start:end].decode() for start, end in pairwise(bounds)]
        return [items[start:end] for start, end in pairwise(ends)]

    def __copy__(self) -> Batch:
        return self.with_tensors(self, self._lease)

    copy = __copy__

    def __reduce__(self) -> tuple[type[Batch], tuple[object, ...]]:
        # A pickle holds the values, not the ring.
        return Batch, (
            dict(self), self.epoch, self.step, self.global_step, self.valid_rows, None, self.tokens, self.padded_tokens,
            self.stage, self.global_rows,
        )  # fmt: skip

    def __repr__(self) -> str:
        columns = ", ".join(f"{name} {dtype}{shape}" for name, dtype, shape in self._columns())
        return f"Batch(epoch={self.epoch}, step={self.step}, valid_rows={self.valid_rows}: {columns})"

    def _repr_html_(self) -> str:
        """Returns the HTML that notebooks show."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{dtype}</td><td>{shape}</td></tr>"
            for name, dtype, shape in self._columns()
        )
        head = f"epoch {self.epoch}, step {self.step}, {self.valid_rows} rows"
        return f"<table><caption>{head}</caption><tr><th>column</th><th>dtype</th><th>shape</th></tr>{rows}</table>"

    def _columns(self) -> list[tuple[str, str, list[int]]]:
        return [
            (
                name,
                str(getattr(tensor, "dtype", type(tensor).__name__)).removeprefix("torch."),
                [*getattr(tensor, "shape", ())],
            )
            for name, tensor in self.items()
        ]


def _numpy(tensor: np.ndarray | torch.Tensor) -> np.ndarray:
    return tensor if isinstance(tensor, np.ndarray) else tensor.cpu().numpy()
