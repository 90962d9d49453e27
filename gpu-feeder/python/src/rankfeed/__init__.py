"""Batches for one trainer rank, straight out of the feeder's shared-memory ring."""

from rankfeed.batch import Batch
from rankfeed.errors import (
    CorruptBatch,
    FeederError,
    FeederGone,
    NoColumn,
    NoFeeder,
    ProtocolError,
    RankfeedError,
    RingExhausted,
    VersionMismatch,
    WrongWorld,
)
from rankfeed.feed import Feed
from rankfeed.order import Order
from rankfeed.stats import Stats

__all__ = [
    "Batch",
    "CorruptBatch",
    "Feed",
    "FeederError",
    "FeederGone",
    "NoColumn",
    "NoFeeder",
    "Order",
    "ProtocolError",
    "RankfeedError",
    "RingExhausted",
    "Stats",
    "VersionMismatch",
    "WrongWorld",
]
