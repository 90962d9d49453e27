"""Batches for one trainer rank, straight out of the feeder's shared-memory ring: step H of docs/data-flow.md.

    import rankfeed

    with rankfeed.Feed("my-run", columns=["input_ids", "label"]) as feed:
        for epoch in range(feed.epochs):
            for batch in feed:                       # on at the cursor, to the end of its epoch
                batch["input_ids"]                   # [rows, width], filled up with the pad value
                batch["input_ids.lengths"]           # [rows], int32
                batch["label"]                       # [rows]
            feed.state_dict()                        # resumes at any world size

``Feed``   the batches of one feed for this rank, from a feeder on the same machine (``rankfeed feed VERSION``)
``Batch``  one of them: a dict of tensors over shared memory, valid while any of them is alive or until ``release()``
``open``   the rows of a version without a feeder: ``rankfeed.open(version)["train"][0]``
``inspect``, ``simulate``  what a version is, and what its run will see, as data for tables and plots
``plan``   other numbers for the rows of a version: seed, batch, epochs, weights, stages
``serve``  a feeder while a block of Python runs, for notebooks and tests
``Order``  which rows any step of any rank consists of, computed from ``order.json`` without a feeder
``RowRandom``  random numbers by row for ``Feed(transform=…)``
``block_mask``  an attention mask for sequences that are packed into a row
``Normalize``  how pixels become numbers on the device
``Statistics``  what the job has measured of its columns, to normalize by

Everything raised on purpose is a ``RankfeedError``; each subclass has a remedy of its own, and every message one line
that says what is wrong, where, and what to do.
"""

from rankfeed.attention import block_mask
from rankfeed.batch import Batch
from rankfeed.describe import inspect, plan, simulate
from rankfeed.errors import (
    CorruptBatch,
    FeederError,
    FeederGone,
    NoColumn,
    NoFeeder,
    ProtocolError,
    RankfeedError,
    RingExhausted,
    TransformError,
    VersionMismatch,
    WrongWorld,
)
from rankfeed.feed import Feed
from rankfeed.normalize import Normalize
from rankfeed.order import Order
from rankfeed.serving import serve
from rankfeed.statistics import ColumnStatistics, Statistics
from rankfeed.transform.random import RowRandom
from rankfeed.version import FeedRows, Version
from rankfeed.version import open_version as open

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "ColumnStatistics",
    "CorruptBatch",
    "Feed",
    "FeedRows",
    "FeederError",
    "FeederGone",
    "NoColumn",
    "NoFeeder",
    "Normalize",
    "Order",
    "ProtocolError",
    "RankfeedError",
    "RingExhausted",
    "RowRandom",
    "Statistics",
    "TransformError",
    "Version",
    "VersionMismatch",
    "WrongWorld",
    "block_mask",
    "inspect",
    "open",
    "plan",
    "serve",
    "simulate",
]
