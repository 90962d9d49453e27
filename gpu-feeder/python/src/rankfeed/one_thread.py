"""A lock that lets one thread at a time take batches from a feed."""

from __future__ import annotations

from rankfeed.errors import RankfeedError


class OneThread:
    """Lock for changes of the cursor: a second thread would take the batches of the first, and is refused.

    holder: not empty while it is held. An empty one releases it, by a store without a call: Ctrl-C is raised at calls.
    """

    __slots__ = ("holder",)

    def __init__(self) -> None:
        self.holder: dict[int, object] = {}

    def __enter__(self) -> None:
        mine = object()
        if self.holder.setdefault(0, mine) is not mine:
            raise RankfeedError(
                "another thread is taking a batch from this Feed; let one thread iterate, and hand its batches on"
            )

    def __exit__(self, *_exception: object) -> None:
        self.holder = {}
