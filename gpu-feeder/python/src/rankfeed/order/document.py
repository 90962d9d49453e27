"""Reads ``order.json`` and ``mixture.json`` (plan.md section 10); checks their size and all values before they are
used."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankfeed.order.feeds import parse_feed
from rankfeed.order.json_members import items, reject_duplicates, require_members, text
from rankfeed.order.sequential import SequentialOrder
from rankfeed.order.train import TrainOrder
from rankfeed.order.values import OrderError

_MAX_BYTES = 256 << 20
_VERSIONS = (1, 2)


@dataclass(frozen=True)
class Order:
    """One ``order.json`` or ``mixture.json``: the plan's id and the order of each feed by name.

    ``Order.load("order.json")["train"].batch(step, rank, world)`` gives the rows of a batch as int64 arrays of one
    length: stratum, index (in the stratum's list), lane (-1: the shared file), ordinal (in the lane), member.
    ``.batches(first, last, rank, world)`` of a train feed gives those of many steps at once, [steps, rows], and with
    rank None those of every rank, [steps, world, rows]. What the plan does not have raises ``OrderError``.

    dataset: None for a mixture, whose members name theirs.
    """

    dataset: str | None
    plan: str
    feeds: dict[str, TrainOrder | SequentialOrder]

    def __getitem__(self, feed: str) -> TrainOrder | SequentialOrder:
        if feed not in self.feeds:
            raise OrderError(f"no feed {feed!r} in plan {self.plan}; it has {', '.join(sorted(self.feeds))}")
        return self.feeds[feed]

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Order:
        """Reads and checks the order of a plan, a version or a mixture. Raises ``OrderError`` if it breaks its
        format."""
        path = Path(path)
        length = path.stat().st_size
        if length > _MAX_BYTES:
            raise OrderError(f"{path}: {length} bytes, an order.json has at most {_MAX_BYTES}")
        try:
            return Order.parse(json.loads(path.read_bytes(), object_pairs_hook=reject_duplicates))
        except (ValueError, RecursionError) as e:
            raise OrderError(f"{path}: not valid JSON: {e}") from None
        except OrderError as e:
            raise OrderError(f"{path}: {e}") from None

    @staticmethod
    def parse(document: dict[str, Any]) -> Order:
        """Returns the order that a parsed document states."""
        found = (document.get("format"), document.get("formatVersion")) if isinstance(document, dict) else (None, None)
        if found[0] != "rankfeed.order" or type(found[1]) is not int or found[1] not in _VERSIONS:
            raise OrderError(f"format {found[0]!r} version {found[1]!r}: known are rankfeed.order 1 and 2")
        version, members = found[1], ["format", "formatVersion", "plan", "feeds"]
        if version == 1:
            require_members(document, "order.json", [*members, "dataset"], ("storage",))
        else:
            more = ("dataset", "storage") if "dataset" in document else ("columns", "fill")
            require_members(document, "order of format 2", members, more)
        feeds: dict[str, TrainOrder | SequentialOrder] = {}
        for feed in items(document, "feeds", "order"):
            order = parse_feed(feed, version)
            if order.name in feeds:
                raise OrderError(f"feed {order.name!r} is listed twice")
            feeds[order.name] = order
        dataset = text(document, "dataset", "order") if "dataset" in document else None
        return Order(dataset, text(document, "plan", "order"), feeds)
