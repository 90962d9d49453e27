"""A feed under Lightning. Imported only by those who use it."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback

from rankfeed.feed import Feed


class KeepCursor(Callback):
    """Saves a feed's cursor with every checkpoint, and continues there::

    Trainer(callbacks=[KeepCursor(feed)], use_distributed_sampler=False).fit(model, feed, ckpt_path=...)

    Lightning alone restores a loader in the middle of an epoch, but not between two.
    """

    def __init__(self, feed: Feed):
        self._feed = feed

    @property
    def state_key(self) -> str:
        """The key of the feed among the callbacks of a checkpoint."""
        return f"rankfeed.{self._feed.state_dict()['feed']}"

    def state_dict(self) -> dict[str, Any]:
        return self._feed.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._feed.load_state_dict(state_dict)
