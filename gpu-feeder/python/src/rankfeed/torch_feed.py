"""The feed as torch's DataLoader wants it. Imported only where torch is in use."""

from __future__ import annotations

from torch.utils.data import IterableDataset

from rankfeed.feed import Feed


class TorchFeed(Feed, IterableDataset):
    """A ``Feed`` for ``DataLoader(feed, batch_size=None)``: no collation, no workers, the tensors are the slots."""
