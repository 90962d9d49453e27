"""The feed as a dataset of torch's DataLoader. Imported only where torch is in use."""

from __future__ import annotations

from typing import NoReturn

from torch.utils.data import IterableDataset
from torch.utils.data._utils.collate import default_collate_fn_map

from rankfeed.batch import Batch
from rankfeed.errors import RankfeedError
from rankfeed.feed import Feed


class TorchFeed(Feed, IterableDataset[Batch]):
    """A ``Feed`` for ``DataLoader(feed, batch_size=None)``: no collation, no workers, the tensors are the slots."""


def _refuse(_batches: object, *, collate_fn_map: object = None) -> NoReturn:
    raise RankfeedError(
        "the feed gives whole batches, which must not be collated again; use DataLoader(feed, batch_size=None)"
    )


# Where torch looks before it would stack a batch's columns as if they were samples.
default_collate_fn_map[Batch] = _refuse
